"""What a module is for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flavour:
    """What a module is for.

    `stops`: it stops at every decision and chance; otherwise it plays on by itself. `events`: it tells what
    happens. `flat`: it chooses among complete parameters, not one after the other. `counts`: it counts
    what was offered.
    """

    name: str
    stops: bool
    events: bool
    flat: bool = False
    counts: bool = False


REFEREE = Flavour("referee", stops=True, events=True)
STEPPER = Flavour("stepper", stops=True, events=False)
PLAYOUT = Flavour("playout", stops=False, events=False, counts=True)
FAST = Flavour("fast", stops=False, events=False)
FLAT = Flavour("flat", stops=False, events=False, flat=True)

"""Build configurations of modules, by purpose."""

from __future__ import annotations

from dataclasses import replace

from dsl.frozen import dataclass


@dataclass(frozen=True, slots=True)
class BuildConfig:
    """What a module is for.

    `stops`: it stops at every decision and chance; otherwise it plays on by itself. `events`: it tells what
    happens. `flat`: it chooses among complete parameters, not one after the other. `counts`: it counts
    what was offered. `draws`: it draws chance by itself; otherwise chance is a stop too. `explains`: it
    answers all that a host without Python asks, and why a choice is refused. `checked`: it looks at every
    promise, and whether pieces are lost, wherever a decision waits and at the end. `page`: it has no
    more than the page asks for, `supposes` that of a physical table, too.

    Raises `ValueError` if a module that keeps states were to tell what happens: nobody would take its events
    away between its matches.
    """

    name: str
    stops: bool
    events: bool
    flat: bool = False
    counts: bool = False
    draws: bool = True
    explains: bool = False
    checked: bool = False
    page: bool = False
    supposes: bool = False

    def __post_init__(self) -> None:
        if self.events and not self.bare:
            raise ValueError(
                f"{self.name}: only a module that hands out its state at every stop tells events"
            )
        if self.explains and not self.events:
            raise ValueError(f"{self.name}: only a module that tells events explains refusals")

    @property
    def bare(self) -> bool:
        """Whether a state is nothing but its record, to be handed in and out at every stop."""
        return self.stops and not self.draws


REFEREE = BuildConfig("referee", stops=True, events=True, draws=False)
STANDALONE = BuildConfig("standalone", stops=True, events=True, draws=False, explains=True, supposes=True)
PAGE = replace(STANDALONE, name="page", page=True)
PLAIN_PAGE = replace(PAGE, name="plain page", supposes=False)
EXPLORER = BuildConfig("explorer", stops=True, events=False, draws=False)
STEPPER = BuildConfig("stepper", stops=True, events=False)
PLAYOUT = BuildConfig("playout", stops=False, events=False, counts=True)
CHECKED = BuildConfig("checked", stops=False, events=False, counts=True, checked=True)
FAST = BuildConfig("fast", stops=False, events=False)
FLAT = BuildConfig("flat", stops=False, events=False, flat=True)

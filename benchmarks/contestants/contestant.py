"""What a contestant is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.games import Entry
from benchmarks.tally import Tally

Play = Callable[[int], Tally]
"""Plays that many games out, with other random numbers at each call."""

FIRST_ALONE = frozenset((0,))
"""Who wins in a game without partners when the first seat wins."""


class Unavailable(Exception):
    """A contestant cannot play a game; the text says why."""


@dataclass(frozen=True)
class Player:
    """A contestant set down at one game.

    `look` plays the same game in a way that is slower and tells more; its figures fill the gaps of `play`.
    """

    play: Play
    look: Play | None = None
    note: str = ""


@dataclass(frozen=True)
class Contestant:
    """An engine by its name; `sit` raises `Unavailable` if it lacks the game, or is not there."""

    name: str
    what: str
    sit: Callable[[Entry], Player]

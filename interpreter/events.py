"""What happened, as values. Words of a state, places and seats are numbers; names come with the view."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moved:
    """`number` pieces of a class went from one place to another (-1: from the air, as dice do)."""

    class_: int
    number: int
    source: int
    to: int
    component: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A word of a counter, mark or pointer changed."""

    name: str
    word: int
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die came to show a face."""

    component: str
    face: int
    place: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat was shown what lies on some places."""

    seat: int
    pieces: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Shuffled:
    place: int


@dataclass(frozen=True, slots=True)
class Entered:
    """A phase began."""

    phase: int


@dataclass(frozen=True, slots=True)
class Turned:
    """Another seat is active."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""


@dataclass(frozen=True, slots=True)
class Branched:
    """What follows is done by a seat's branch of `together`; or, with -1, all branches have ended.

    Until then what a branch does is told to its own seat only.
    """

    seat: int


Event = Moved | Changed | Thrown | Shown | Shuffled | Entered | Turned | Ended | Branched
ALL = Branched(-1)
"""All who acted at once have finished: what each of them did is known."""

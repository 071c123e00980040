"""Events: what a step has changed or shown. Words, places and seats are numbers; views give them names."""

from __future__ import annotations

from dataclasses import dataclass

EVERYBODY = -1
"""Instead of a seat to which something is shown: all see it."""


@dataclass(frozen=True, slots=True)
class Moved:
    """`number` pieces of a class (-1: hidden) moved from one place to another; both are known always.

    Pieces are neither made nor lost in play, so that no move lacks a place.
    """

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
    """A die was rolled or turned to a face."""

    component: str
    face: int
    place: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A seat was shown pieces: (place, class, number) each; none in what other seats may know of it.

    They may know nothing of it unless it happened `openly`. `EVERYBODY`: all see another topmost piece on a
    place, since the last stop.
    """

    seat: int
    pieces: tuple[tuple[int, int, int], ...] | None
    openly: bool


@dataclass(frozen=True, slots=True)
class Told:
    """A seat, or everybody (-1), was shown the value of a word; none in what others may know of it.

    They may know nothing of it unless it happened `openly`.
    """

    seat: int
    name: str
    word: int
    value: int | None
    openly: bool


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The pieces of a place were shuffled."""

    place: int


@dataclass(frozen=True, slots=True)
class Entered:
    """A phase began."""

    phase: int


@dataclass(frozen=True, slots=True)
class Turned:
    """Another seat became active."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; `outcome` is the number of the name of this end, 0 if it has none."""

    outcome: int = 0


@dataclass(frozen=True, slots=True)
class Branched:
    """The following events belong to a seat's branch of `together`; -1: all branches have ended.

    Until then the events of a branch are shown to its own seat only.
    """

    seat: int


Event = Moved | Changed | Thrown | Shown | Told | Shuffled | Entered | Turned | Ended | Branched
ALL = Branched(-1)
"""All branches of `together` have ended: their events are public."""

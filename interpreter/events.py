"""Events: what a step has changed or shown. Words, places and seats are numbers; views give them names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True)
class Kind:
    """What the events of a kind have in common: the fields that pages get, and who may know what of them.

    Whoever sees one of the `places` by declaration, or reads the `word`, knows all of an event, and so does
    the seat that it is `to`. Who only counts one of the places, or knows of what has happened `openly`, has
    `covered` instead of the field that it `covers`. The others know nothing of it. Without any of these, all
    know it; an event that only `structures` others is known to nobody.
    """

    name: str
    fields: tuple[str, ...]
    places: tuple[str, ...] = ()
    word: str = ""
    to: str = ""
    openly: bool = False
    covers: str = ""
    covered: int | None = None
    added: str = ""
    """The field in which alike covered events are added up: apart they tell which pieces are equal."""
    structures: bool = False

    @property
    def is_public(self) -> bool:
        """Whether all may know all of it."""
        return not (self.places or self.word or self.to or self.structures)

    def table(self) -> dict[str, Any]:
        """It as a value for JSON: fields are indices of an event as a list that begins with the name."""
        at = {"": 0} | {field: i for i, field in enumerate((*self.fields, "openly"), 1)}
        found = {part: at[getattr(self, part)] for part in ("word", "to", "covers", "added")}
        found |= {"openly": at["openly"] if self.openly else 0, "structures": int(self.structures)}
        return {
            "fields": list(self.fields),
            **{part: value for part, value in found.items() if value},
            **({"places": [at[field] for field in self.places]} if self.places else {}),
            **({"covered": self.covered} if self.covers else {}),
        }


KINDS: dict[type, Kind] = {
    Moved: Kind(
        "moved", ("component", "class_", "number", "source", "to"), ("source", "to"),
        covers="class_", covered=-1, added="number",
    ),
    Changed: Kind("changed", ("word", "old", "new"), word="word"),
    Thrown: Kind("thrown", ("component", "face", "place"), ("place",), covers="face", covered=-1),
    Shown: Kind("shown", ("seat", "pieces"), to="seat", openly=True, covers="pieces"),
    Told: Kind("told", ("seat", "word", "value"), word="word", to="seat", openly=True, covers="value"),
    Shuffled: Kind("shuffled", ("place",)),
    Entered: Kind("entered", ("phase",)),
    Turned: Kind("turned", ("seat",)),
    Ended: Kind("ended", ("outcome",)),
    Branched: Kind("branched", ("seat",), structures=True),
}  # fmt: skip
"""Each kind of events, by its class."""

Event = Moved | Changed | Thrown | Shown | Told | Shuffled | Entered | Turned | Ended | Branched
ALL = Branched(-1)
"""All branches of `together` have ended: their events are public."""

"""Events: what a step has changed or shown. Words, places and seats are numbers; views give them names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
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
    """The game is over, by a node; `outcome` is the number of the name of this end, 0 if it has none."""

    outcome: int
    node: int


@dataclass(frozen=True, slots=True)
class Branched:
    """The following events belong to a seat's branch of `together`; -1: all branches have ended.

    Until then the events of a branch are shown to its own seat only.
    """

    seat: int


class FieldRole(StrEnum):
    """What a field of an event stands for: whoever reads events of any kind reads them by it."""

    COMPONENT = "component"
    """The component of what lies on the last place that is named."""
    CLASS = "class"
    """A class of the component, or the face of a die; -1: hidden."""
    NUMBER = "number"
    PLACE = "place"
    WORD = "word"
    """The address of a word of a counter, mark or pointer; for pages its number among all of them."""
    VALUE = "value"
    """A value of the word."""
    PIECES = "pieces"
    """(place, class, number) each; in a module events of their own."""
    SEAT = "seat"
    PHASE = "phase"
    OUTCOME = "outcome"
    """The number of the name of an end, 0: none."""
    NODE = "node"
    """A node, of which pages tell the clauses; logs do not have it."""


@dataclass(frozen=True)
class Kind:
    """What the events of a kind have in common: their fields, and who may know, or learns, what of them.

    Whoever sees one of the `places` by declaration, or reads the `word`, knows all of an event, and so does
    the seat that it is `to`. Who only counts one of the places, or knows of what has happened `openly`, has
    `covered` instead of the field that it `covers`. The others know nothing of it. Without any of these, all
    know it; an event that only `structures` others is known to nobody.
    """

    code: int
    """The number of the kind in a module."""
    name: str
    fields: Mapping[str, FieldRole]
    """What pages get and logs have. In a module each has a word, in this order, and `openly` the last."""
    notation: str = ""
    """Its line in scenarios and comparisons, with its fields in words; empty: see `event_notation`."""
    said: bool = False
    """Whether a message tells it in the story, `table-story-NAME`, which is given its fields."""
    places: tuple[str, ...] = ()
    word: str = ""
    to: str = ""
    openly: bool = False
    covers: str = ""
    covered: int | None = None
    added: str = ""
    """The field in which alike covered events are added up: apart they tell which pieces are equal."""
    structures: bool = False
    uncovers: tuple[str, ...] = ()
    """Of two places: what comes from one to the other is learned by a seat that sees or counts more there.
    Of one: what chance has done there is learned by a seat that sees it."""

    @property
    def is_public(self) -> bool:
        """Whether all may know all of it."""
        return not (self.places or self.word or self.to or self.structures)

    def named(self, role: FieldRole) -> tuple[str, ...]:
        """The fields with a role."""
        return tuple(field for field, found in self.fields.items() if found is role)

    def table(self) -> dict[str, Any]:
        """It as a value for JSON: fields are indices of an event as a list that begins with the name."""
        at = {"": 0} | {field: i for i, field in enumerate((*self.fields, "openly"), 1)}
        return {
            "code": self.code,
            "fields": list(self.fields.values()),
            **({"covers": at[self.covers], "covered": self.covered} if self.covers else {}),
            **({"openly": at["openly"]} if self.openly else {}),
        }


_COMPONENT, _PLACE = {"component": FieldRole.COMPONENT}, {"place": FieldRole.PLACE}
_SEAT, _WORD = {"seat": FieldRole.SEAT}, {"word": FieldRole.WORD}
_ROUTE = {"source": FieldRole.PLACE, "to": FieldRole.PLACE}

KINDS: dict[type, Kind] = {
    Moved: Kind(
        1, "moved",
        _COMPONENT | {"class_": FieldRole.CLASS, "number": FieldRole.NUMBER} | _ROUTE,
        places=("source", "to"), covers="class_", covered=-1, added="number", uncovers=("source", "to"),
    ),
    Changed: Kind(2, "changed", _WORD | {"old": FieldRole.VALUE, "new": FieldRole.VALUE}, word="word"),
    Thrown: Kind(
        3, "thrown", _COMPONENT | {"face": FieldRole.CLASS} | _PLACE,
        places=("place",), covers="face", covered=-1, uncovers=("place",),
    ),
    Shown: Kind(4, "shown", _SEAT | {"pieces": FieldRole.PIECES}, to="seat", openly=True, covers="pieces"),
    Told: Kind(
        11, "told", _SEAT | _WORD | {"value": FieldRole.VALUE},
        word="word", to="seat", openly=True, covers="value",
    ),
    Shuffled: Kind(
        6, "shuffled", _PLACE, "{place} is shuffled", said=True, uncovers=("place",),
    ),
    Entered: Kind(7, "entered", {"phase": FieldRole.PHASE}, "phase: {phase}"),
    Turned: Kind(8, "turned", _SEAT, "turn of {seat}"),
    Ended: Kind(9, "ended", {"outcome": FieldRole.OUTCOME, "node": FieldRole.NODE}),
    Branched: Kind(10, "branched", _SEAT, structures=True),
}  # fmt: skip
"""Each kind of events, by its class."""
SHOWN_PIECE = 5
"""In a module, instead of the number of a kind: pieces of the last event."""

Event = Moved | Changed | Thrown | Shown | Told | Shuffled | Entered | Turned | Ended | Branched
ALL = Branched(-1)
"""All branches of `together` have ended: their events are public."""


def by_role(event: Event) -> list[tuple[FieldRole, Any]]:
    """The fields of an event that pages get and logs have, with their roles."""
    return [(role, getattr(event, field)) for field, role in KINDS[type(event)].fields.items()]

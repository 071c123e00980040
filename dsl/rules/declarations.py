"""Typed declarations: types, components, zones, state variables, tables, options, clauses."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import Literal

from dsl.domains import NONE, FlagType, IntType, Type
from dsl.frozen import dataclass
from dsl.source import Span

NOTHING = "none"
"""How the set without values is written."""
Shape = Literal["none", "line", "ring", "grid", "hex", "graph"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of rows. A group of columns has one value per value of the type `keyed_by`."""

    name: str
    type: Type
    values: tuple[int, ...]
    keyed_by: str | None = None
    groups: tuple[tuple[int, ...], ...] = ()

    def cells(self, row: int) -> tuple[int, ...]:
        """The values of a row: one, or those of the group."""
        return self.groups[row] if self.keyed_by is not None else (self.values[row],)

    def is_blank(self, value: int) -> bool:
        """Whether a value is none, false or the number 0. The first value of a type is not blank."""
        return value == NONE or (value == 0 and isinstance(self.type, IntType | FlagType))

    def says_nothing(self, row: int) -> bool:
        return all(map(self.is_blank, self.cells(row)))


@dataclass(frozen=True, slots=True)
class Incidence:
    """For each place of a board the values of another one that touch it, in their order."""

    target: str
    rows: tuple[tuple[int, ...], ...]


Touching = Literal["corners", "edges", "ends", "places"]


@dataclass(frozen=True, slots=True)
class TypeDecl:
    """A finite type. Its values are numbered from `lo`; `names` are their names in that order.

    `members` are the values that belong to it (a part of another type has fewer than its base).
    `without` are the members that are absent with a number of seats. `links` are the neighbours of each
    place of a board, `sides` the most rows and columns of a grid or hexagonal board, of which some places may
    be left out; `directions` has, for each type of its directions and for each place, the next place in each
    direction, or `NONE`. `drawn` are the rows of places of its display, from the top, with `NONE` for a gap.
    `opposites` are the opposite directions of a type of directions, if each has one. `incident` has the
    corners and edges of places, the ends of edges, and the places that corners and edges touch, by function.
    `ordered`: its values can be compared by `<`. `numerals` are the numbers that its values are. `parts` are
    the types of a product by the names of its columns.
    `aliases` has the names of corners and edges by their descriptions from any place, for hints.
    `without` are the values that are absent with a number of seats; `without_clauses` say so.
    """

    name: str
    lo: int
    names: tuple[str, ...]
    numeric: bool
    members: tuple[int, ...]
    columns: dict[str, Column]
    span: Span
    base: str | None = None
    shape: Shape = "none"
    links: tuple[tuple[int, ...], ...] = ()
    sides: tuple[()] | tuple[int, int] = ()
    directions: dict[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    without: dict[int, tuple[int, ...]] = field(default_factory=dict)
    drawn: tuple[tuple[int, ...], ...] = ()
    clauses: tuple[str, ...] = ()
    ordered: bool = False
    numerals: tuple[int, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    opposites: tuple[int, ...] = ()
    incident: dict[str, Incidence] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    without_clauses: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def cells(self) -> dict[tuple[int, int], int]:
        """The places of a grid or hexagonal board by row and column, counted from 0; else nothing."""
        if len(self.sides) != 2:
            return {}
        rows, columns = self.columns["row"].values, self.columns["column"].values
        return {(r - 1, c - 1): self.lo + i for i, (r, c) in enumerate(zip(rows, columns, strict=True))}

    @property
    def hi(self) -> int:
        return self.lo + len(self.names) - 1

    def label(self, value: int) -> str:
        return self.names[value - self.lo]

    @property
    def all_clauses(self) -> tuple[str, ...]:
        """Its own clauses, and those of what it leaves out."""
        return (*self.clauses, *(mark for marks in self.without_clauses.values() for mark in marks))

    def present(self, seats: int) -> tuple[int, ...]:
        gone = self.without.get(seats, ())
        return tuple(v for v in self.members if v not in gone)


@dataclass(frozen=True, slots=True)
class Component:
    """Pieces of one kind. Equal pieces form a class: a row of the table, or a face of a die."""

    name: str
    classes: tuple[str, ...]
    copies: tuple[int, ...]
    columns: dict[str, Column]
    die: Type | None
    per_seat: bool
    span: Span
    clauses: tuple[str, ...] = ()

    @property
    def is_by_seat(self) -> bool:
        """Whether the classes are the seats themselves, as with figures `of: seat`."""
        return self.per_seat and self.die is None and not self.columns


SCRATCH = "moment"
"""How long working memory lasts: until the rules wait."""
Sight = Literal["all", "owner", "team", "others", "nobody", "count", "top"]
"""Who sees pieces or values.

`team` are the seats of the owner's team, `others` all seats but the owner; `count` lets all count pieces.
"""


@dataclass(frozen=True, slots=True)
class StateVar:
    """What counters, marks, pointers and zones have in common: a name, up to two indices, a lifetime.

    `seen_by`: who sees the values of it, or the pieces there.
    """

    name: str
    of: str | None
    at: str | None
    span: Span
    lasts: str | None = None
    shared: str | None = None
    clauses: tuple[str, ...] = ()
    seen_by: Sight = "all"

    @property
    def is_scratch(self) -> bool:
        """Whether it is working memory: it has its start value wherever the rules wait."""
        return self.lasts == SCRATCH


def index_types(types: dict[str, TypeDecl], var: StateVar) -> dict[str, str]:
    """The types, or components, of the indices of a state variable, by what a piece there calls them."""
    found: dict[str, str] = {}
    for index in (var.of, var.at):
        if index is not None:
            parts = types[index].parts if index.startswith("(") else ()
            found |= dict(parts) or {index: index}
    return found


Order = Literal["open", "pile", "stack", "row", "shuffled", "bag"]
Edge = Literal["refuse", "clamp", "error"]
StoreKind = Literal["counter", "mark", "pointer"]


@dataclass(frozen=True, slots=True)
class StateDecl:
    """A declaration of something that the state holds."""

    var: StateVar

    @property
    def name(self) -> str:
        return self.var.name

    @property
    def seen_by(self) -> Sight:
        """Who sees it."""
        return self.var.seen_by


@dataclass(frozen=True, slots=True)
class Zone(StateDecl):
    """A zone of pieces. `rows`: its display shows the row of each piece; without effect on play."""

    component: str
    size: int | None
    order: Order
    blank: bool
    counted_by: Sight
    start: bool
    refill: str | None
    rows: bool = False


@dataclass(frozen=True, slots=True)
class Counter(StateDecl):
    """A number. `ranges` has one (lo, hi) per value of `at`, or one for all; likewise `start`."""

    ranges: tuple[tuple[int, int], ...]
    start: tuple[int, ...]
    bank: str | None
    paid_anyway: bool
    at_edge: Edge

    @property
    def lo(self) -> int:
        return min(r[0] for r in self.ranges)

    @property
    def hi(self) -> int:
        return max(r[1] for r in self.ranges)


@dataclass(frozen=True, slots=True)
class Mark(StateDecl):
    """A boolean."""


@dataclass(frozen=True, slots=True)
class Pointer(StateDecl):
    """A value of the type `to`, or none."""

    to: str
    start: int


@dataclass(frozen=True, slots=True)
class History:
    """A list of what was recorded of some `parts`, at most so many times.

    A part is a counter, mark, pointer or zone, in all its places, or `active`, or a value without parameters.
    That of working memory, `is_scratch`, records marks, and counters and pointers without an index.
    """

    name: str
    parts: tuple[str, ...]
    most: int
    span: Span
    clauses: tuple[str, ...] = ()
    is_scratch: bool = False


@dataclass(frozen=True, slots=True)
class Carries:
    """What the next match begins with: counters, marks and pointers, as they are when a match ends.

    `goes_on` is the value that says at the end whether another match follows; without it, one always may.
    """

    of: tuple[str, ...]
    goes_on: str | None
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A total function: `values` in the order of its domains, the last one fastest.

    `order` is how its cells are declared to change along the last domain; empty if they are not.
    """

    name: str
    over: tuple[tuple[int, int], ...]
    over_types: tuple[Type, ...]
    type: Type
    values: tuple[int, ...]
    span: Span
    clauses: tuple[str, ...] = ()
    order: str = ""


@dataclass(frozen=True, slots=True)
class OptionSets:
    """The sets that an option may hold with a number of seats.

    Bit i of a set is the i-th value of the option. A set has `least` to `most` values, all of them in
    `present`, those that are in the game.
    """

    least: int
    most: int
    present: int
    default: int


@dataclass(frozen=True, slots=True)
class Option:
    """A setting: a flag, a number, one of several words, a set of them, or a ruling with its readings.

    `sets` has the sets that it may hold by number of seats; it is empty if the option holds one value.
    `default` is that of the most seats.
    """

    name: str
    type: Type
    values: tuple[str, ...]
    default: int
    span: Span
    clauses: tuple[str, ...] = ()
    readings: dict[str, str] = field(default_factory=dict)
    why: str = ""
    sets: dict[int, OptionSets] = field(default_factory=dict)

    def text(self, value: int) -> str:
        """A value as it is written: a word, a number, or the words of a set, `wool,salt`; `none` of them."""
        if self.sets:
            return ",".join(self.members(value)) or NOTHING
        return self.values[value] if self.values else str(value)

    def members(self, value: int) -> tuple[str, ...]:
        """The values in a set, in their order."""
        return tuple(name for i, name in enumerate(self.values) if value >> i & 1)


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    values: dict[int, int]
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row that cites clauses. `owner` is the declaration with the table; `numbers` are in its cells."""

    owner: str
    name: str
    span: Span
    clauses: tuple[str, ...]
    numbers: tuple[int, ...]


class RowStatus(StrEnum):
    """How rows of a table stand to the game that is published: nothing is said of rows that are as printed.

    `RECONSTRUCTED` rows were made up so that all that is known of the printed ones holds, `PARTLY` so in some
    cells; `UNCONFIRMED` is best knowledge without a source.
    """

    RECONSTRUCTED = "reconstructed"
    PARTLY = "partly"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Rows that are not known to be the printed ones: `rows` of the `total` of a declaration, and why.

    Rows of a table of numbers have no names: there are none in `rows` then, and all are meant.
    """

    of: str
    status: RowStatus
    rows: tuple[str, ...]
    total: int
    why: str
    span: Span

    @property
    def number(self) -> int:
        """How many rows are meant."""
        return len(self.rows) or self.total


ClauseKind = Literal["rule", "component", "example", "definition", "flavour", "ruling"]
Duty = Literal["rendered", "executed", "asserted"]
"""What a clause needs: a line that renders it, play that executes it, a scenario that asserts it."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the rulebook, such as an edition or a translation, in which clauses are located.

    `language` is an ISO 639 code. `fingerprints` has one for each sentence, in order; it may be empty.
    """

    name: str
    language: str
    title: str
    fingerprints: tuple[str, ...]
    span: Span


BriefKey = Literal["role", "aim", "points", "end", "turn"]
"""What sums up a game: who the players are, how one wins, where points come from, the end, a turn."""


@dataclass(frozen=True, slots=True)
class BriefLine:
    """A line in which the designer sums up the game, in own words.

    `parts` are alternately texts and names of declarations, whose labels, or values of constants, stand
    there; the first and the last are texts.
    """

    parts: tuple[str, ...]
    clauses: tuple[str, ...]
    span: Span

    @property
    def names(self) -> tuple[str, ...]:
        return self.parts[1::2]


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of the rulebook, in our own words.

    `at` has, for each text, the numbers of its sentences, counted from 1. `excluded` has the reasons why it
    need not meet a duty; `numbers` the reasons why numbers of its sentences need not occur in the lines
    that render it.
    """

    id: str
    kind: ClauseKind
    heading: str
    says: str
    span: Span
    why: str = ""
    section: str = ""
    page: str = ""
    at: dict[str, tuple[int, ...]] = field(default_factory=dict)
    excluded: dict[Duty, str] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)

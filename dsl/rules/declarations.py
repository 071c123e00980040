"""Typed declarations: types, components, zones, state variables, tables, options, clauses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.domains import NONE, FlagType, IntType, Type
from dsl.source import Span

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
class TypeDecl:
    """A finite type. Its values are numbered from `lo`; `names` are their names in that order.

    `members` are the values that belong to it (a part of another type has fewer than its base).
    `without` are the members that are absent with a number of seats. `links` are the neighbours of each
    place of a board, `sides` the
    rows and columns of a grid or hexagonal board; `directions` has, for each type of its directions and for
    each place, the next place in each direction, or `NONE`. `drawn` are the rows of places of its display,
    from the top, with `NONE` for a gap.
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

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def hi(self) -> int:
        return self.lo + len(self.names) - 1

    def label(self, value: int) -> str:
        return self.names[value - self.lo]

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


@dataclass(frozen=True, slots=True)
class StateVar:
    """What counters, marks, pointers and zones have in common: a name, up to two indices, a lifetime."""

    name: str
    of: str | None
    at: str | None
    span: Span
    lasts: str | None = None
    shared: str | None = None
    clauses: tuple[str, ...] = ()


Order = Literal["open", "pile", "stack", "row", "shuffled", "bag"]
Edge = Literal["refuse", "clamp", "error"]
StoreKind = Literal["counter", "mark", "pointer"]
Sight = Literal["all", "owner", "nobody", "count"]


@dataclass(frozen=True, slots=True)
class StateDecl:
    """A declaration of something that the state holds."""

    var: StateVar

    @property
    def name(self) -> str:
        return self.var.name


@dataclass(frozen=True, slots=True)
class Zone(StateDecl):
    """A zone of pieces. `rows`: its display shows the row of each piece; without effect on play."""

    component: str
    size: int | None
    order: Order
    blank: bool
    seen_by: Sight
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
class Option:
    """A setting: a flag, a number, one of several words, or a ruling with its readings."""

    name: str
    type: Type
    values: tuple[str, ...]
    default: int
    span: Span
    clauses: tuple[str, ...] = ()
    readings: dict[str, str] = field(default_factory=dict)
    why: str = ""


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

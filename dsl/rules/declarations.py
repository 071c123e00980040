"""What there is: types, components, the places and numbers of a game, its tables and options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.domains import NONE, FlagType, IntType, Type
from dsl.source import Span

Shape = Literal["none", "line", "ring", "grid", "hex", "graph"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of rows. A group has one value per value of the type `keyed_by`."""

    name: str
    type: Type
    values: tuple[int, ...]
    keyed_by: str | None = None
    groups: tuple[tuple[int, ...], ...] = ()

    def cells(self, row: int) -> tuple[int, ...]:
        """The values of a row: one, or those of the group."""
        return self.groups[row] if self.keyed_by is not None else (self.values[row],)

    def is_blank(self, value: int) -> bool:
        """Whether a value says nothing: none, no, or 0; the first value of a type is no 0."""
        return value == NONE or (value == 0 and isinstance(self.type, IntType | FlagType))

    def says_nothing(self, row: int) -> bool:
        return all(map(self.is_blank, self.cells(row)))


@dataclass(frozen=True, slots=True)
class TypeDecl:
    """A finite type. Its values are numbered from `lo`; `names` are their names in that order.

    `members` are the values that belong to it (a part of another type has fewer than its base).
    `without` takes members away for a number of seats. `links` are a board's neighbours. `sides` are the
    rows and columns of a grid or hexagonal board; `ways` has, for each type of its directions and for each
    place, the next place in each direction, or none. `drawn` are the rows of places in a picture, from above;
    none for a gap.
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
    """A kind of physical piece. Equal pieces form a class: a row of its table, or a face of a die."""

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
    """What counters, marks, pointers and zones share: a name, up to two indices, a lifetime."""

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
class Zone:
    """Where pieces lie. `rows`: people read what the table says of each piece; it changes nothing in play."""

    var: StateVar
    component: str
    size: int | None
    order: Order
    blank: bool
    seen_by: Sight
    counted_by: Sight
    start: bool
    refill: str | None
    rows: bool = False

    @property
    def name(self) -> str:
        return self.var.name


@dataclass(frozen=True, slots=True)
class Counter:
    """A number. `ranges` has one (lo, hi) per value of `at`, or one for all; likewise `start`."""

    var: StateVar
    ranges: tuple[tuple[int, int], ...]
    start: tuple[int, ...]
    bank: str | None
    paid_anyway: bool
    at_edge: Edge

    @property
    def name(self) -> str:
        return self.var.name

    @property
    def lo(self) -> int:
        return min(r[0] for r in self.ranges)

    @property
    def hi(self) -> int:
        return max(r[1] for r in self.ranges)


@dataclass(frozen=True, slots=True)
class Mark:
    var: StateVar

    @property
    def name(self) -> str:
        return self.var.name


@dataclass(frozen=True, slots=True)
class Pointer:
    var: StateVar
    to: str
    start: int

    @property
    def name(self) -> str:
        return self.var.name


@dataclass(frozen=True, slots=True)
class Table:
    """A total function: `values` in the order of its domains, the last one fastest.

    `order` is how its cells are declared to go along the last domain, or nothing.
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
    """A switch: a variant (flag), a number, or a ruling with its readings."""

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
    """A row of a table that cites clauses. `owner` is what has the table; `numbers` stand in its cells."""

    owner: str
    name: str
    span: Span
    clauses: tuple[str, ...]
    numbers: tuple[int, ...]


ClauseKind = Literal["rule", "component", "example", "definition", "flavour", "ruling"]
Duty = Literal["rendered", "executed", "asserted"]
"""What is asked of a clause: a line of the rules says it, play comes to the line, a scenario would notice."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of the rulebook that clauses are located in: an edition, a translation.

    `language` is an ISO 639 code. `fingerprints` has one for each sentence, in order; it may be empty.
    """

    name: str
    language: str
    title: str
    fingerprints: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """What the rulebook says in one place, in our own words.

    `at` has the numbers of the sentences that say it, counted from 1, for each text. `excluded` has the
    reasons why something is not asked of it; `numbers` the reasons why numbers of its sentences need not
    stand in the lines that render it.
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

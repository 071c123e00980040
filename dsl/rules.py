"""The typed rules: names resolved, every expression typed, every node with its span.

This is what the interpreter sees of a ruleset. Nothing here depends on how it was written.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.domains import Type
from dsl.source import Span

# ---- what there is


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of rows. A group has one value per value of the type `keyed_by`."""

    name: str
    type: Type
    values: tuple[int, ...]
    keyed_by: str | None = None
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TypeDecl:
    """A finite type. Its values are numbered from `lo`; `names` are their names in that order.

    `members` are the values that belong to it (a part of another type has fewer than its base).
    `without` takes members away for a number of seats. `links` are a board's neighbours.
    """

    name: str
    lo: int
    names: tuple[str, ...]
    numeric: bool
    members: tuple[int, ...]
    columns: dict[str, Column]
    span: Span
    base: str | None = None
    shape: Literal["none", "line", "ring", "grid", "hex", "graph"] = "none"
    links: tuple[tuple[int, ...], ...] = ()
    without: dict[int, tuple[int, ...]] = field(default_factory=dict)
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
class Store:
    """What counters, marks, pointers and zones share: a name, up to two indices, a lifetime."""

    name: str
    of: str | None
    at: str | None
    span: Span
    lasts: str | None = None
    shared: str | None = None
    clauses: tuple[str, ...] = ()


Order = Literal["open", "pile", "stack", "row", "shuffled", "bag"]
Sight = Literal["all", "owner", "nobody", "count", "top"]


@dataclass(frozen=True, slots=True)
class Zone:
    store: Store
    component: str
    size: int | None
    order: Order
    blank: bool
    seen_by: Sight
    counted_by: Sight
    start: bool
    refill: str | None

    @property
    def name(self) -> str:
        return self.store.name


@dataclass(frozen=True, slots=True)
class Counter:
    """A number. `ranges` has one (lo, hi) per value of `at`, or one for all; likewise `start`."""

    store: Store
    ranges: tuple[tuple[int, int], ...]
    start: tuple[int, ...]
    bank: str | None
    paid_anyway: bool
    at_edge: Literal["refuse", "clamp", "error"]

    @property
    def name(self) -> str:
        return self.store.name

    @property
    def lo(self) -> int:
        return min(r[0] for r in self.ranges)

    @property
    def hi(self) -> int:
        return max(r[1] for r in self.ranges)


@dataclass(frozen=True, slots=True)
class Mark:
    store: Store

    @property
    def name(self) -> str:
        return self.store.name


@dataclass(frozen=True, slots=True)
class Pointer:
    store: Store
    to: str
    start: int

    @property
    def name(self) -> str:
        return self.store.name


@dataclass(frozen=True, slots=True)
class Table:
    """A total function: `values` in the order of its domains, the last one fastest."""

    name: str
    over: tuple[tuple[int, int], ...]
    over_types: tuple[Type, ...]
    type: Type
    values: tuple[int, ...]
    span: Span
    clauses: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Clause:
    id: str
    kind: str
    heading: str
    says: str
    span: Span


# ---- variables and expressions


@dataclass(slots=True, eq=False)
class Var:
    """A name inside a routine or expression. Where it is kept is the compiler's business."""

    name: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Typed:
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Const(Typed):
    value: int


@dataclass(frozen=True, slots=True)
class Read(Typed):
    var: Var


@dataclass(frozen=True, slots=True)
class Special(Typed):
    what: Literal["me", "active", "self", "opponent", "seats_playing"]


@dataclass(frozen=True, slots=True)
class Setting(Typed):
    """An option, ruling or constant: known when the machine is made."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadStore(Typed):
    """A counter, mark or pointer at one address."""

    kind: Literal["counter", "mark", "pointer"]
    name: str
    of: Expr | None
    at: Expr | None


@dataclass(frozen=True, slots=True)
class SlotPiece(Typed):
    """The piece on a place of size 1, or none."""

    zone: InZone


@dataclass(frozen=True, slots=True)
class OnlyDie(Typed):
    """The one piece of a component that has no zone of its own."""

    component: str


@dataclass(frozen=True, slots=True)
class ColumnOf(Typed):
    """A column of a row: of a value of a type, or of a piece's class."""

    owner: Expr
    column: Column
    key: Expr | None


@dataclass(frozen=True, slots=True)
class ClassOf(Typed):
    """A piece's class: its row, or the face it shows."""

    piece: Expr


@dataclass(frozen=True, slots=True)
class PlaceOf(Typed):
    """An index of the place where a piece lies: `card.seat`, `self.disc`."""

    piece: Expr
    index: str


@dataclass(frozen=True, slots=True)
class Arith(Typed):
    op: Literal["+", "-", "*", "div", "mod"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cmp(Typed):
    op: Literal["<", "<=", ">", ">=", "is", "is not"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Both(Typed):
    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Neg(Typed):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Cond(Typed):
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Empty(Typed):
    group: Group


@dataclass(frozen=True, slots=True)
class SizeOf(Typed):
    group: Group


@dataclass(frozen=True, slots=True)
class IsIn(Typed):
    item: Expr
    group: Group


@dataclass(frozen=True, slots=True)
class CanDo(Typed):
    target: Target


@dataclass(frozen=True, slots=True)
class AnyOf(Typed):
    """`any(...)` (a flag) or `count(...)` (a number)."""

    kind: Literal["any", "count"]
    binder: Binder


@dataclass(frozen=True, slots=True)
class FoldOf(Typed):
    kind: Literal["sum", "all", "distinct", "min", "max"]
    body: Expr
    binder: Binder


@dataclass(frozen=True, slots=True)
class Extreme(Typed):
    kind: Literal["min", "max"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PickOf(Typed):
    kind: Literal["lowest", "highest"]
    binder: Binder
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class LookUp(Typed):
    table: str
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class UseValue(Typed):
    value: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Step(Typed):
    """`next(x)` or `previous(x)` on a ring or line."""

    decl: str
    by: int
    operand: Expr


Expr = (
    Const | Read | Special | Setting | ReadStore | SlotPiece | OnlyDie | ColumnOf | ClassOf | PlaceOf
    | Arith | Cmp | Both | Neg | Cond | Empty | SizeOf | IsIn | CanDo | AnyOf | FoldOf | Extreme
    | PickOf | LookUp | UseValue | Step
)  # fmt: skip

# ---- collections


@dataclass(frozen=True, slots=True)
class InZone:
    """The pieces of a zone at the given indices; an index left out means all."""

    item: Type
    span: Span
    zone: str
    of: Expr | Group | None
    at: Expr | Group | None


@dataclass(frozen=True, slots=True)
class OfType:
    item: Type
    span: Span
    decl: str


@dataclass(frozen=True, slots=True)
class Interval:
    item: Type
    span: Span
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Items:
    item: Type
    span: Span
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    item: Type
    span: Span
    parts: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Those:
    item: Type
    span: Span
    binder: Binder


@dataclass(frozen=True, slots=True)
class Either:
    item: Type
    span: Span
    condition: Expr
    then: Group
    otherwise: Group


@dataclass(frozen=True, slots=True)
class Opponents:
    item: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Neighbours:
    item: Type
    span: Span
    decl: str
    operand: Expr


Group = InZone | OfType | Interval | Items | Sum | Those | Either | Opponents | Neighbours


@dataclass(frozen=True, slots=True)
class Binder:
    var: Var
    group: Group
    where: Expr | None


# ---- statements


@dataclass(frozen=True, slots=True)
class Line:
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetVar(Line):
    var: Var
    value: Expr


@dataclass(frozen=True, slots=True)
class Write(Line):
    """`=`, `+=` and `-=` on a counter, `=` on a pointer, `set` and `clear` on a mark."""

    kind: Literal["counter", "mark", "pointer"]
    name: str
    of: Expr | None
    at: Expr | None
    op: Literal["=", "+=", "-="]
    value: Expr


@dataclass(frozen=True, slots=True)
class Transfer(Line):
    verb: Literal["gain", "pay", "lose"]
    counter: str
    of: Expr | None
    at: Expr | None
    amount: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class TurnDie(Line):
    """A die is set to another face; the variable follows it."""

    var: Var
    face: Expr


@dataclass(frozen=True, slots=True)
class MovePiece(Line):
    piece: Expr
    to: InZone
    end: Literal["top", "bottom"] | None


@dataclass(frozen=True, slots=True)
class MoveAll(Line):
    source: Group
    to: InZone
    end: Literal["top", "bottom"] | None


@dataclass(frozen=True, slots=True)
class MoveCount(Line):
    number: Expr
    source: InZone
    to: InZone
    end: Literal["top", "bottom"] | None
    name: Var | None


@dataclass(frozen=True, slots=True)
class RollPiece(Line):
    piece: Expr


@dataclass(frozen=True, slots=True)
class RollZone(Line):
    """All dice of `source` (or `number` of them) are rolled and lie in `to` afterwards."""

    number: Expr | None
    source: InZone
    to: InZone


@dataclass(frozen=True, slots=True)
class Shuffle(Line):
    zone: InZone


@dataclass(frozen=True, slots=True)
class Show(Line):
    zone: InZone
    to: Expr


@dataclass(frozen=True, slots=True)
class Need(Line):
    condition: Expr


@dataclass(frozen=True, slots=True)
class EndGame(Line):
    pass


@dataclass(frozen=True, slots=True)
class Win(Line):
    seat: Expr


Strength = Literal["must", "may", "keep"]


@dataclass(frozen=True, slots=True)
class Choose(Line):
    strength: Strength
    seat: Expr | None
    binder: Binder
    if_any: bool
    block: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class DoRoutine:
    routine: str
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DoCell:
    cell: Expr
    actor: Expr | None
    span: Span


Target = DoRoutine | DoCell


@dataclass(frozen=True, slots=True)
class Offer(Line):
    strength: Strength
    seat: Expr | None
    targets: tuple[Target, ...]
    block: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class CallLine(Line):
    routine: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If(Line):
    condition: Expr
    block: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class While(Line):
    condition: Expr
    most: Expr | None
    block: Block


@dataclass(frozen=True, slots=True)
class Repeat(Line):
    number: Expr
    block: Block


@dataclass(frozen=True, slots=True)
class For(Line):
    binder: Binder
    keys: tuple[Expr, ...]
    block: Block


@dataclass(frozen=True, slots=True)
class EachTurn(Line):
    """The block once per seat; `me` is each of them. `opponents` leaves the acting seat out."""

    opponents: bool
    start: Expr | None
    probe: Var
    keys: tuple[Expr, ...]
    where: Expr | None
    block: Block


@dataclass(frozen=True, slots=True)
class Together(Line):
    """The block for all seats at once; `captured` are the locals that each branch gets a copy of."""

    probe: Var
    keys: tuple[Expr, ...]
    captured: tuple[Var, ...]
    block: Block


Statement = (
    SetVar | Write | Transfer | TurnDie | MovePiece | MoveAll | MoveCount | RollPiece | RollZone
    | Shuffle | Show | Need | EndGame | Win | Choose | Offer | CallLine | If | While | Repeat | For
    | EachTurn | Together
)  # fmt: skip
Block = tuple[Statement, ...]

# ---- definitions


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; with a binder it can be chosen by whoever acts."""

    var: Var
    binder: Binder | None


@dataclass(frozen=True, slots=True)
class Routine:
    kind: Literal["action", "effect", "procedure"]
    name: str
    parameters: tuple[Parameter, ...]
    block: Block
    nests: int | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ValueCase:
    value: Expr
    condition: Expr | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Modifier:
    mode: Literal["by", "to"]
    parameters: tuple[Var, ...]
    amount: Expr
    condition: Expr | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    parameters: tuple[Var, ...]
    type: Type
    cases: tuple[ValueCase, ...]
    modifiers: tuple[Modifier, ...]
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trigger:
    """`when C`: the block runs once each time C becomes true, for each binding of `free`.

    `when x enters Z of seat` (or `leaves`): the block runs for each piece, after the whole move; `free`
    are then the indices of the place, and `piece` is the piece where it lies now.
    """

    free: tuple[Var, ...]
    condition: Expr | None
    event: Literal["enters", "leaves"] | None
    piece: Var | None
    zone: InZone | None
    block: Block
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreLine:
    kind: Literal["score", "tiebreak"]
    name: str
    value: Expr
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Invariant:
    condition: Expr
    span: Span
    clauses: tuple[str, ...]


# ---- the flow


@dataclass(frozen=True, slots=True)
class CallStep:
    name: str
    routine: str
    span: Span


@dataclass(frozen=True, slots=True)
class OfferStep:
    name: str
    strength: Strength
    routines: tuple[str, ...]
    option: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class SeatsStep:
    """A list of steps for each seat in turn; the seat is `active` and `me`."""

    steps: tuple[CallStep | OfferStep, ...]
    by: str | None
    span: Span


FlowStep = CallStep | OfferStep | SeatsStep


@dataclass(frozen=True, slots=True)
class Phase:
    name: str
    rotates: bool
    steps: tuple[FlowStep, ...]
    then: tuple[tuple[str | None, str], ...]
    scores: Literal["highest", "lowest", "none"] | None
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """A whole game, typed. `digest` is the content hash of all its files."""

    name: str
    title: str
    seats: tuple[int, int]
    longest: int
    types: dict[str, TypeDecl]
    components: dict[str, Component]
    zones: dict[str, Zone]
    counters: dict[str, Counter]
    marks: dict[str, Mark]
    pointers: dict[str, Pointer]
    tables: dict[str, Table]
    options: dict[str, Option]
    constants: dict[str, Constant]
    cells: tuple[tuple[str, tuple[int, ...]], ...]
    routines: dict[str, Routine]
    values: dict[str, Value]
    triggers: tuple[Trigger, ...]
    scores: tuple[ScoreLine, ...]
    invariants: tuple[Invariant, ...]
    phases: dict[str, Phase]
    clauses: dict[str, Clause]
    labels: dict[str, str]
    helps: dict[str, str]
    span: Span
    digest: str

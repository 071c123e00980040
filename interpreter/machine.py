"""The machine: a flat graph of nodes over a state of fixed size. All numbers, no names to resolve.

A state is an array of 32-bit words. Expressions and collections are small trees; nodes are numbered
and name the nodes that may follow. Both executors run this, and nothing else, of a game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.domains import Type
from dsl.source import Span

# ---- the first words of every state
STATUS, PC, FP, ACTIVE, PHASE, DECISIONS, WINNERS, FORKED, RUNNING, MAIN_FP, ROTATION, FORK = range(12)
HEADER = 12
# ---- the first words of every frame
RETURN, CALLER, ME, SELF = range(4)
FRAME = 4
# ---- states of a branch in `together`
READY, WAITING, DONE = range(3)
# ---- how a place keeps its pieces
SLOT, COUNTS, ORDERED, BLANK = range(4)


# ---- expressions: every value is a 32-bit number; a piece is place * classes + class


@dataclass(frozen=True, slots=True)
class Const:
    value: int


@dataclass(frozen=True, slots=True)
class Reg:
    """A scratch number that lives while one expression is evaluated."""

    index: int


@dataclass(frozen=True, slots=True)
class Local:
    """A word of the current frame."""

    slot: int


@dataclass(frozen=True, slots=True)
class Head:
    """A word of the state at a fixed address."""

    word: int


@dataclass(frozen=True, slots=True)
class Address:
    """`base + sum(index * stride)`; each index is checked against its bounds unless proved."""

    base: int
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Term:
    index: Expr
    lo: int
    hi: int
    stride: int
    proved: bool


@dataclass(frozen=True, slots=True)
class Load:
    address: Address


@dataclass(frozen=True, slots=True)
class Spot:
    """The number of a place: an address that is not read but named."""

    address: Address


@dataclass(frozen=True, slots=True)
class Op:
    """Arithmetic and comparison; comparisons and logic give 0 or 1. `and` and `or` stop early."""

    op: Literal["+", "-", "*", "div", "mod", "<", "<=", ">", ">=", "==", "!=", "and", "or", "min", "max"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Let:
    reg: int
    value: Expr
    body: Expr


@dataclass(frozen=True, slots=True)
class Pick:
    """`table[index - lo]`; an index outside is a fault."""

    table: tuple[int, ...]
    index: Expr
    lo: int


@dataclass(frozen=True, slots=True)
class ClassOf:
    """The class of a piece; none stays none."""

    piece: Expr
    classes: int


@dataclass(frozen=True, slots=True)
class PlaceIndex:
    """An index of the place where a piece lies, by a table over all places."""

    piece: Expr
    classes: int
    table: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PieceAt:
    """The piece on a place of size 1, or none."""

    place: Expr
    classes: int


@dataclass(frozen=True, slots=True)
class Fold:
    kind: Literal["any", "all", "count", "sum", "min", "max", "distinct"]
    reg: int
    source: Source
    where: Expr | None
    body: Expr | None


@dataclass(frozen=True, slots=True)
class Best:
    """The value whose keys are greatest (or smallest); the first of equals; none if there is none."""

    highest: bool
    reg: int
    source: Source
    where: Expr | None
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Contains:
    item: Expr
    source: Source


@dataclass(frozen=True, slots=True)
class Size:
    source: Source


@dataclass(frozen=True, slots=True)
class Can:
    """Whether something could be carried out now, to its first stop."""

    what: Doing


Expr = (
    Const
    | Reg
    | Local
    | Head
    | Load
    | Spot
    | Op
    | Not
    | If
    | Let
    | Pick
    | ClassOf
    | PlaceIndex
    | PieceAt
    | Fold
    | Best
    | Contains
    | Size
    | Can
)

# ---- collections: values in a fixed order, pieces with their number


@dataclass(frozen=True, slots=True)
class Values:
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Between:
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Listed:
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Indices:
    """One axis of a zone: one index, a collection of them, or all."""

    one: Expr | None
    many: Source | None
    lo: int
    size: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces on the places `first + of * len(at) + at`."""

    first: int
    of: Indices
    at: Indices
    classes: int


@dataclass(frozen=True, slots=True)
class Filtered:
    reg: int
    source: Source
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Joined:
    parts: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Either:
    condition: Expr
    then: Source
    otherwise: Source


@dataclass(frozen=True, slots=True)
class Linked:
    """The neighbours of a place of a board."""

    links: tuple[tuple[int, ...], ...]
    index: Expr
    lo: int


@dataclass(frozen=True, slots=True)
class Others:
    """All seats but one."""

    me: Expr
    seats: int


Source = Values | Between | Listed | Pieces | Filtered | Joined | Either | Linked | Others

# ---- what can be done


@dataclass(frozen=True, slots=True)
class DoRoutine:
    """A routine with its first arguments; whoever acts chooses the rest."""

    routine: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DoCell:
    """The effect that a cell names; the table of cells is the machine's."""

    cell: Expr
    actor: Expr


Doing = DoRoutine | DoCell

# ---- nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Span
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocal(Node):
    slot: int
    value: Expr
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearLocals(Node):
    """Locals whose block has ended are zero again, so that equal positions are equal bytes."""

    first: int
    last: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHead(Node):
    word: int
    value: Expr
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWord(Node):
    """A counter, mark or pointer is written; `ranges` bounds it by its innermost index."""

    name: str
    address: Address
    op: Literal["=", "+=", "-="]
    value: Expr
    ranges: tuple[tuple[int, int], ...]
    edge: Literal["refuse", "clamp", "error", "free"]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer(Node):
    """`gain`, `pay` and `lose`, with the bank or the receiver that the other side is booked to."""

    verb: Literal["gain", "pay", "lose"]
    name: str
    address: Address
    amount: Expr
    ranges: tuple[tuple[int, int], ...]
    edge: Literal["refuse", "clamp", "error"]
    bank: int | None
    bank_range: tuple[int, int]
    bank_name: str
    paid_anyway: bool
    to: Address | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePiece(Node):
    """A piece goes to a place; the local it was read from (if any) follows it."""

    piece: Expr
    follow: int | None
    place: Expr
    classes: int
    bottom: bool
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAll(Node):
    source: Source
    place: Expr
    classes: int
    bottom: bool
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSome(Node):
    """A number of pieces, as many as there are, from an ordered place's top or of equal pieces."""

    number: Expr
    source: Expr
    place: Expr
    classes: int
    bottom: bool
    follow: int | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDie(Node):
    slot: int
    face: Expr
    classes: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Node):
    """Dice leave a place to be thrown; their number goes to a local."""

    source: Expr
    number: Expr | None
    slot: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Node):
    """A thrown die of the face in a local comes to lie on a place."""

    slot: int
    place: Expr
    classes: int
    component: str
    follow: int | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Node):
    """The piece of the class in a local leaves a place for another."""

    slot: int
    source: Expr
    place: Expr
    classes: int
    bottom: bool
    follow: int | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Node):
    """One exchange of a shuffle: positions from two locals of an ordered place."""

    place: Expr
    first: int
    second: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance(Node):
    """The world chooses: a face below `faces`, a class drawn from `place`, or a number up to `most`."""

    stream: int
    slot: int
    faces: int | None
    place: Expr | None
    most: Expr | None
    names: tuple[str, ...]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(Node):
    """A zone is shuffled: nobody knows it any more."""

    place: Expr
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Node):
    source: Source
    places: Pieces
    seat: Expr
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Node):
    condition: Expr
    then: int
    otherwise: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Need(Node):
    """A condition of being offered; `sides` are shown with their numbers when it fails."""

    condition: Expr
    text: str
    sides: tuple[tuple[str, Expr, Type], ...]
    reads: tuple[tuple[str, bool], ...]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound(Node):
    """A loop's rounds, counted; more than promised is a fault."""

    slot: int
    most: Expr
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Node):
    """A collection, taken once and ordered by keys, into a frame: its size, then its values."""

    slot: int
    capacity: int
    reg: int
    source: Source
    where: Expr | None
    keys: tuple[Expr, ...]
    rotate: Expr | None
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Iterate(Node):
    """The next value of a snapshot goes to a local, or the loop is over."""

    snapshot: int
    position: int
    slot: int
    next: int
    done: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMe(Node):
    value: Expr
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    routine: int
    arguments: tuple[Expr, ...]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCell(Node):
    what: DoCell
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Node):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Node):
    """Nothing after this in the routine can refuse it any more."""

    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Node):
    """A seat chooses one value of a collection.

    `trial`: each value must also lead to a first stop without a failed need. `passing` is where
    declining leads (none: it cannot be declined), `nothing` where an empty collection leads.
    """

    name: str
    seat: Expr
    reg: int
    source: Source
    where: Expr | None
    slot: int
    type: Type
    trial: bool
    next: int
    passing: int | None
    nothing: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Node):
    """A seat chooses one of several things to do, together with the first thing it has to choose."""

    name: str
    seat: Expr
    what: tuple[Doing, ...]
    names: tuple[str, ...]
    next: int
    passing: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork(Node):
    """Every seat runs the routine on its own branch; `next` follows when all have finished."""

    routine: int
    arguments: tuple[Expr, ...]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTrigger(Node):
    trigger: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTrigger(Node):
    """The next binding whose condition has become true, or the next piece that has moved.

    `block` runs with it in the locals from `first_slot`; if there is none, the trigger rests.
    """

    trigger: int
    first_slot: int
    block: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPhase(Node):
    phase: int
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Node):
    """What lasted until now is as at the start: (first word, values)."""

    ranges: tuple[tuple[Address, tuple[int, ...]], ...]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(Node):
    seat: Expr


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Node):
    pass


Step = (
    SetLocal
    | ClearLocals
    | SetHead
    | SetWord
    | Transfer
    | MovePiece
    | MoveAll
    | MoveSome
    | TurnDie
    | Lift
    | Drop
    | Take
    | Swap
    | Chance
    | Forget
    | Show
    | Branch
    | Need
    | Bound
    | Snapshot
    | Iterate
    | SetMe
    | Call
    | CallCell
    | Return
    | Commit
    | Decide
    | Offer
    | Fork
    | CheckTrigger
    | NextTrigger
    | EnterPhase
    | Reset
    | Win
    | End
)

# ---- the machine


@dataclass(frozen=True, slots=True)
class Place:
    """One place of one zone, and how it keeps pieces at its address."""

    zone: str
    of: int | None
    at: int | None
    kind: int
    base: int
    capacity: int


@dataclass(frozen=True, slots=True)
class Words:
    """A counter, mark or pointer: its address, its indices and what its words mean."""

    kind: Literal["counter", "mark", "pointer"]
    name: str
    base: int
    of: str | None
    at: str | None
    of_lo: int
    of_size: int
    at_lo: int
    at_size: int
    type: Type
    ranges: tuple[tuple[int, int], ...]
    start: tuple[int, ...]

    @property
    def size(self) -> int:
        return self.of_size * self.at_size


@dataclass(frozen=True, slots=True)
class RoutineCode:
    """Where a routine begins, by how many leading arguments it is given."""

    name: str
    kind: str
    entries: tuple[int, ...]
    parameters: tuple[str, ...]
    size: int
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriggerCode:
    """A trigger's condition, or the places that it watches.

    With a condition, `held` is the first of one word per binding. Without one, it is a queue of what
    has moved: a number, then (piece, place) each.
    """

    routine: int
    condition: Expr | None
    regs: tuple[int, ...]
    bindings: tuple[tuple[int, ...], ...]
    held: int
    busy: int
    enters: bool = False
    watched: tuple[int, ...] = ()
    indices: tuple[Literal["of", "at"], ...] = ()
    classes: int = 0
    capacity: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A step of the flow at which a scenario may start."""

    node: int
    phase: int
    order: int | None
    resume: int


@dataclass(frozen=True, slots=True)
class ScoreCode:
    kind: Literal["score", "tiebreak"]
    name: str
    value: Expr
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvariantCode:
    condition: Expr
    span: Span
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Machine:
    """A compiled game for one number of seats and one setting of its options."""

    name: str
    seats: int
    options: dict[str, int]
    digest: str
    longest: int
    nodes: tuple[Step, ...]
    routines: tuple[RoutineCode, ...]
    cells: tuple[tuple[int, tuple[int, ...]], ...]
    triggers: tuple[TriggerCode, ...]
    scores: tuple[ScoreCode, ...]
    invariants: tuple[InvariantCode, ...]
    best: Literal["highest", "lowest", "none"]
    phases: tuple[str, ...]
    entries: dict[str, Entry]
    start: int
    flow_size: int
    size: int
    registers: int
    streams: tuple[str, ...]
    stream_base: int
    words: dict[str, Words]
    places: tuple[Place, ...]
    zone_places: dict[str, tuple[int, int]]
    shown: dict[int, int]
    stack: int
    stack_size: int
    branches: int
    branch_stack: int
    branch_size: int
    saved: int
    saved_from: int
    saved_to: int
    start_pieces: tuple[tuple[int, int, int], ...]
    start_words: tuple[tuple[int, int], ...]
    place_components: dict[str, str]
    component_classes: dict[str, int]
    totals: dict[str, int] = field(default_factory=dict)

"""The nodes of the graph. Each says which nodes may follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.domains import Type
from dsl.source import Span
from interpreter.ir.expressions import Address, DoCell, Doing, Expr, Pieces, Source
from interpreter.ir.roles import Binder, Child, Data, SlotRead, SlotUpdate, SlotWrite, Target, Word

# ---- nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    span: Data[Span]
    clauses: Data[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocal(Node):
    slot: SlotWrite
    value: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearLocals(Node):
    """Locals whose block has ended are zero again, so that equal positions are equal bytes."""

    first: SlotWrite
    last: SlotWrite
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SetHead(Node):
    word: Word[int]
    value: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWord(Node):
    """A counter, mark or pointer is written; `ranges` bounds it by its innermost index."""

    name: Data[str]
    address: Word[Address]
    op: Data[Literal["=", "+=", "-="]]
    value: Child[Expr]
    ranges: Data[tuple[tuple[int, int], ...]]
    edge: Data[Literal["refuse", "clamp", "error", "free"]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer(Node):
    """`gain`, `pay` and `lose`, with the bank or the receiver that the other side is booked to."""

    verb: Data[Literal["gain", "pay", "lose"]]
    name: Data[str]
    address: Word[Address]
    amount: Child[Expr]
    ranges: Data[tuple[tuple[int, int], ...]]
    edge: Data[Literal["refuse", "clamp", "error"]]
    bank: Word[int | None]
    bank_range: Data[tuple[int, int]]
    bank_name: Data[str]
    paid_anyway: Data[bool]
    bank_clamps: Data[bool]
    to: Word[Address | None]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePiece(Node):
    """A piece goes to a place; the local it was read from (if any) follows it."""

    piece: Child[Expr]
    follow: SlotWrite | None
    place: Child[Expr]
    classes: Data[int]
    bottom: Data[bool]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveAll(Node):
    source: Child[Source]
    place: Child[Expr]
    classes: Data[int]
    bottom: Data[bool]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSome(Node):
    """A number of pieces, as many as there are, from an ordered place's top or of equal pieces."""

    number: Child[Expr]
    source: Child[Expr]
    place: Child[Expr]
    classes: Data[int]
    bottom: Data[bool]
    follow: SlotWrite | None
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDie(Node):
    """A die is set to a face, counted from 0; `low` is the value of its first one, for messages."""

    slot: SlotUpdate
    face: Child[Expr]
    classes: Data[int]
    low: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Node):
    """Dice leave a place to be thrown; their number goes to a local."""

    source: Child[Expr]
    number: Child[Expr | None]
    slot: SlotWrite
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Node):
    """A thrown die of the face in a local comes to lie on a place."""

    slot: SlotRead
    place: Child[Expr]
    classes: Data[int]
    component: Data[str]
    follow: SlotWrite | None
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Node):
    """The piece of the class in a local leaves a place for another."""

    slot: SlotRead
    source: Child[Expr]
    place: Child[Expr]
    classes: Data[int]
    bottom: Data[bool]
    follow: SlotWrite | None
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Node):
    """One exchange of a shuffle: positions from two locals of an ordered place."""

    place: Child[Expr]
    first: SlotRead
    second: SlotRead
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance(Node):
    """The world chooses: a face below `faces`, a class drawn from `place`, or a number up to `most`."""

    stream: Data[int]
    slot: SlotWrite
    faces: Data[int | None]
    place: Child[Expr | None]
    most: Child[Expr | None]
    names: Data[tuple[str, ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(Node):
    """A zone is shuffled: nobody knows it any more."""

    place: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Node):
    source: Child[Source]
    places: Child[Pieces]
    seat: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Node):
    condition: Child[Expr]
    then: Target
    otherwise: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Precondition(Node):
    """A condition of being offered; `sides` are shown with their numbers when it fails."""

    condition: Child[Expr]
    text: Data[str]
    sides: Data[tuple[tuple[str, Expr, Type], ...]]
    reads: Data[tuple[tuple[str, bool], ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound(Node):
    """A loop's rounds, counted; more than promised is a fault."""

    slot: SlotUpdate
    most: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Node):
    """A collection, taken once and ordered by keys, into a frame: its size, then its values."""

    slot: SlotWrite
    capacity: Data[int]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    keys: Child[tuple[Expr, ...]]
    rotate: Child[Expr | None]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Iterate(Node):
    """The next value of a snapshot goes to a local, or the loop is over."""

    snapshot: SlotRead
    position: SlotUpdate
    slot: SlotWrite
    next: Target
    done: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMe(Node):
    value: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Node):
    routine: Data[int]
    arguments: Child[tuple[Expr, ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCell(Node):
    what: Child[DoCell]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Node):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit(Node):
    """Nothing after this in the routine can refuse it any more."""

    next: Target


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition in the words of the rules; `sides` are shown with their numbers where it does not hold."""

    condition: Child[Expr]
    text: Data[str]
    sides: Data[tuple[tuple[str, Expr, Type], ...]]
    reads: Data[tuple[tuple[str, bool], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Node):
    """A seat chooses one value of a collection.

    `trial`: each value must also lead to a first stop without a failed need. `passing` is where
    declining leads (none: it cannot be declined), `nothing` where an empty collection leads. `asks`:
    the seat is asked even if it can only decline, since not asking it would tell a secret. `wants` says
    what `where` is made of; nothing but refusals reads it.
    """

    name: Data[str]
    seat: Child[Expr]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    slot: SlotWrite
    type: Data[Type]
    trial: Data[bool]
    next: Target
    passing: Target | None
    nothing: Target | None
    asks: Data[bool] = False
    wants: Data[tuple[Condition, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Node):
    """A seat chooses one of several things to do, together with the first thing it has to choose."""

    name: Data[str]
    seat: Child[Expr]
    what: Child[tuple[Doing, ...]]
    names: Data[tuple[str, ...]]
    next: Target
    passing: Target | None
    asks: Data[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork(Node):
    """Every seat runs the routine on its own branch; `next` follows when all have finished."""

    routine: Data[int]
    arguments: Child[tuple[Expr, ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Node):
    """Conditions that have become false are noted, before any trigger runs and changes them again."""

    triggers: Data[tuple[int, ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTrigger(Node):
    trigger: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTrigger(Node):
    """The next binding whose condition has become true, or the next piece that has moved.

    `block` runs with it in the locals from `first_slot`; if there is none, the trigger rests.
    """

    trigger: Data[int]
    first_slot: SlotWrite
    block: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterPhase(Node):
    phase: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Reset(Node):
    """What lasted until now is as at the start: (first word, values)."""

    ranges: Word[tuple[tuple[Address, tuple[int, ...]], ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(Node):
    """That a run came by is noted at a point of cover; in a trial `RAN` becomes `TRIED`.

    Only machines with cover have it.
    """

    point: Data[int]
    outcome: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Win(Node):
    seat: Child[Expr]


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Node):
    pass


# ---- the nodes by what they change; a traversal that knows all of one kind need not name them

FrameNode = SetLocal | ClearLocals | SetMe | Snapshot | Iterate | Bound
"""They write nothing but the frame."""
WordNode = SetHead | SetWord | Transfer | Reset | EnterPhase
"""They write counters, marks, pointers or the head of the state."""
PieceNode = MovePiece | MoveAll | MoveSome | TurnDie | Lift | Drop | Take | Swap
"""They move or turn pieces."""
SightNode = Forget | Show
"""They change who has been shown what."""
ChoiceNode = Decide | Offer | Chance
"""A seat or the world chooses."""
CallNode = Call | CallCell | Fork | CheckTrigger
"""Another routine runs before what follows."""
ControlNode = Branch | Precondition | Commit | Return | Sample | NextTrigger | Cover | Win | End
"""They choose the way, or end it."""
Step = FrameNode | WordNode | PieceNode | SightNode | ChoiceNode | CallNode | ControlNode

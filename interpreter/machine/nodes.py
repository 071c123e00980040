"""The nodes of the graph. Each says which nodes may follow it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.domains import Type
from dsl.source import Span
from interpreter.machine.expressions import Address, DoCell, Doing, Expr, Pieces, Source

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
    bank_clamps: bool
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
    """A die is set to a face, counted from 0; `low` is the value of its first one, for messages."""

    slot: int
    face: Expr
    classes: int
    low: int
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """A condition in the words of the rules; `sides` are shown with their numbers where it does not hold."""

    condition: Expr
    text: str
    sides: tuple[tuple[str, Expr, Type], ...]
    reads: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Node):
    """A seat chooses one value of a collection.

    `trial`: each value must also lead to a first stop without a failed need. `passing` is where
    declining leads (none: it cannot be declined), `nothing` where an empty collection leads. `asks`:
    the seat is asked even if it can only decline, since not asking it would tell a secret. `wants` says
    what `where` is made of; nothing but refusals reads it.
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
    asks: bool = False
    wants: tuple[Wanted, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Node):
    """A seat chooses one of several things to do, together with the first thing it has to choose."""

    name: str
    seat: Expr
    what: tuple[Doing, ...]
    names: tuple[str, ...]
    next: int
    passing: int | None
    asks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork(Node):
    """Every seat runs the routine on its own branch; `next` follows when all have finished."""

    routine: int
    arguments: tuple[Expr, ...]
    next: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Node):
    """Conditions that have become false are noted, before any trigger runs and changes them again."""

    triggers: tuple[int, ...]
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
class Cover(Node):
    """That a run came by is noted at a point of cover; in a trial `RAN` becomes `TRIED`.

    Only machines with cover have it.
    """

    point: int
    outcome: int
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
    | Sample
    | CheckTrigger
    | NextTrigger
    | EnterPhase
    | Reset
    | Cover
    | Win
    | End
)

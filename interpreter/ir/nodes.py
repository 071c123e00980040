"""The nodes of the control-flow graph: what a machine does, step by step.

The compiler makes them, both executors carry them out (`interpreter/reference/nodes.py`,
`interpreter/wasm/lower/nodes.py`), and analyses read them. Each field has a role (`roles`), from which
traversals follow; each class a row in `effects`, and its place in a group at the end.
"""

from __future__ import annotations

from typing import Literal

from dsl.domains import Type
from dsl.frozen import dataclass
from dsl.operators import Assignment
from dsl.source import NOWHERE, Span
from interpreter.ir.expressions import Address, DoCell, Doing, Expr, Fold, Pieces, Source
from interpreter.ir.roles import Binder, Child, Data, SlotRead, SlotUpdate, SlotWrite, Target, Word

Demand = Literal["need", "outcome", "pieces"]
Ends = tuple[tuple[Expr, Expr, Expr], ...]
"""Ranges of numbers: the first, the last and the step of each. A last below the first: there is none."""

# ---- nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A step. `behind`, of one that can refuse, is what was read before it, and by it, that is not for all.

    Zones and hidden variables, and whether the acting seat sees them: as in `Condition.reads`. Only a seat
    that may know all of it is told that this node refuses.
    """

    span: Data[Span]
    clauses: Data[tuple[str, ...]] = ()
    behind: Data[tuple[tuple[str, bool], ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLocal(Node):
    slot: SlotWrite
    value: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearLocals(Node):
    """The locals of a block are set to 0 at its end, so that equal positions are equal bytes."""

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
    op: Data[Assignment]
    value: Child[Expr]
    ranges: Data[tuple[tuple[int, int], ...]]
    edge: Data[Literal["refuse", "clamp", "error", "free"]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWords(Node):
    """A mark, pointer or counter is written at each value of a collection, which is evaluated before.

    Only the fast executor has such nodes, for loops that do nothing else.
    """

    name: Data[str]
    address: Word[Address]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    value: Child[Expr]
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
    bank: Word[Address | None]
    bank_name: Data[str]
    paid_anyway: Data[bool]
    bank_clamps: Data[bool]
    to: Word[Address | None]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePiece(Node):
    """A piece moves to a place; the local `follow` is updated to refer to it."""

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
class Exchange(Node):
    """Two places exchange all their pieces; `source` are those of both."""

    source: Child[Source]
    place: Child[Expr]
    other: Child[Expr]
    classes: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSome(Node):
    """A number of pieces, or all if there are fewer, from the top of an ordered place or of equal pieces.

    `below`: from the bottom of an ordered place.
    """

    number: Child[Expr]
    source: Child[Expr]
    place: Child[Expr]
    classes: Data[int]
    bottom: Data[bool]
    follow: SlotWrite | None
    next: Target
    below: Data[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDie(Node):
    """A die is set to a face, counted from 0; `low` is the value of its first face, for messages."""

    slot: SlotUpdate
    face: Child[Expr]
    classes: Data[int]
    low: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Node):
    """Dice leave a place to be rolled; their number is written to a local."""

    source: Child[Expr]
    number: Child[Expr | None]
    slot: SlotWrite
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop(Node):
    """A rolled die, its face in a local, is put on a place."""

    slot: SlotRead
    place: Child[Expr]
    classes: Data[int]
    component: Data[str]
    follow: SlotWrite | None
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Node):
    """A piece, its class in a local, moves from a place to another."""

    slot: SlotRead
    source: Child[Expr]
    place: Child[Expr]
    classes: Data[int]
    bottom: Data[bool]
    follow: SlotWrite | None
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap(Node):
    """One exchange of a shuffle, of two positions of an ordered place."""

    place: Child[Expr]
    first: SlotRead
    second: SlotRead
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance(Node):
    """A random outcome: a face below `faces`, a class drawn from `place`, a number below `most`, or a value.

    For a value, `picked` is the sum of the weights of all that are possible; each is as likely as its weight
    says. `names` are the names of the outcomes, from `low` on; without names they are numbers. `open`: what
    is possible does not depend on anything hidden.
    """

    stream: Data[int]
    slot: SlotWrite
    faces: Data[int | None]
    place: Child[Expr | None]
    most: Child[Expr | None]
    names: Data[tuple[str, ...]]
    next: Target
    picked: Child[Fold | None] = None
    low: Data[int] = 0
    type: Data[Type | None] = None
    open: Data[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(Node):
    """The seats that were shown a shuffled place no longer see it."""

    place: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAway(Node):
    """No seat looks any more at the places that it was shown; some seats remember what lies there.

    `first` is the first of `count` words that say who was shown a place.
    """

    first: Data[int]
    count: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Show(Node):
    """A seat looks at the pieces of some places, and remembers them. `openly`: the others learn of it."""

    source: Child[Source]
    places: Child[Pieces]
    seat: Child[Expr]
    openly: Data[bool]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Tell(Node):
    """A seat, or everybody for -1, sees a hidden value until it is written. `mask` notes who does.

    `openly`: the others learn that it does.
    """

    name: Data[str]
    address: Word[Address]
    mask: Word[Address]
    seat: Child[Expr]
    openly: Data[bool]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRecord(Node):
    """The present values are added to a history; if it is full, that is a fault."""

    history: Data[int]
    values: Child[tuple[Expr, ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearHistory(Node):
    """A history becomes empty."""

    history: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectRecords(Node):
    """The best records of a history without a bit in common are found (`ir.packing`), and counted in a slot.

    Their numbers stand where the hashes of the first records were, the best one last.
    """

    history: Data[int]
    worth: Data[int]
    """Which word of a record says what it is worth."""
    bits: Data[tuple[int, ...]]
    """The words of a record that are sets of bits."""
    slot: SlotWrite
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRecord(Node):
    """All words of one of the selected records of a history come into the frame, from `slot` on."""

    history: Data[int]
    number: SlotRead
    slot: SlotWrite
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch(Node):
    condition: Child[Expr]
    then: Target
    otherwise: Target


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a refusal can name: its `text`, and the values of its `sides`.

    `reads` are the zones and the hidden variables that it reads, and whether the acting seat sees them.
    `clauses` are those of the innermost line that states it; `within` are the clauses and conditions of the
    rules around it. `parts` are what makes it fail: if it does, the first of them that fails says why.
    """

    condition: Child[Expr]
    text: Data[str]
    sides: Data[tuple[tuple[str, Expr, Type], ...]]
    reads: Data[tuple[tuple[str, bool], ...]]
    clauses: Data[tuple[str, ...]] = ()
    within: Data[tuple[str, ...]] = ()
    parts: Data[tuple[Condition, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Precondition(Node):
    """A condition that refuses an action. `wants` are its parts, in words of which `asked` is the place.

    `demand` says what it is for: a `needs`, something for chance to choose (`text` is its name, `lacking`
    says of what there is none), or as many pieces as are to be moved.
    """

    condition: Child[Expr]
    text: Data[str]
    next: Target
    demand: Data[Demand] = "need"
    asked: Data[Span] = NOWHERE
    lacking: Data[str] = ""
    wants: Data[tuple[Condition, ...]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound(Node):
    """Counts the rounds of a loop; more than `most` are a fault."""

    slot: SlotUpdate
    most: Child[Expr]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Node):
    """A collection, evaluated once and sorted by keys, goes into the frame: its size, then its values."""

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
    """The next value of a snapshot is written to a local; `done` follows after the last one."""

    snapshot: SlotRead
    position: SlotUpdate
    slot: SlotWrite
    next: Target
    done: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMe(Node):
    """The acting seat of the frame changes."""

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
    """After this node, nothing in the routine can refuse it."""

    next: Target


@dataclass(frozen=True, slots=True)
class Widened:
    """The values of which a refusal can tell why they are left out, among those that are not."""

    source: Child[Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Node):
    """A seat chooses one value of a collection.

    `trial`: a value is offered only if a run with it reaches a stop without a failed precondition. `passing`
    follows if the seat passes (none: it cannot), `nothing` if there is no value. `asks`: the seat is asked
    even if it can only pass, since skipping it would reveal a secret. `secret`: the others are not told what
    is chosen. `of_set`, if it is one of the decisions of a set: which one it is, from 1 on, and how many
    values the set has at least and at most. `lacking` says of what there is none if there is no value.
    `bounds` are the least and the greatest value of the type; none for pieces. `ranges`, of a number that may
    be one of very many: what can be chosen, with all that `where` and the trial ask. `spare` is the slot that
    the choice of such a number may use. `parts`: the choice is of one of so many parts of such numbers
    (`number_parts`). Only refusals use `wants`, the
    parts of `where`, `wider`, the values that they are asked of if those are more than `source`, and `asked`,
    the place of their words, and `reads`: what `source` reads that is not for all, as in `Condition`.
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
    wider: Data[Widened | None] = None
    reads: Data[tuple[tuple[str, bool], ...]] = ()
    asked: Data[Span] = NOWHERE
    secret: Data[bool] = False
    of_set: Data[tuple[int, int, int] | None] = None
    lacking: Data[str] = ""
    bounds: Data[tuple[int, int] | None] = None
    ranges: Child[Ends] = ()
    spare: Data[int | None] = None
    parts: Data[int] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Node):
    """A seat chooses one of several targets, together with the first parameter of it."""

    name: Data[str]
    seat: Child[Expr]
    what: Child[tuple[Doing, ...]]
    names: Data[tuple[str, ...]]
    next: Target
    passing: Target | None
    asks: Data[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork(Node):
    """Every seat runs the routine in a branch of its own; `next` follows when all branches have ended."""

    routine: Data[int]
    arguments: Child[tuple[Expr, ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Node):
    """Notes which trigger conditions have become false, before a trigger runs and changes them again.

    If `both`, also which have become true: they do not fire, as where a match begins.
    """

    triggers: Data[tuple[int, ...]]
    next: Target
    both: Data[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTrigger(Node):
    """The routine of a trigger runs if the trigger fires."""

    trigger: Data[int]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTrigger(Node):
    """Writes the next binding that fires, or the next moved piece, to the locals from `first_slot`.

    Then `block` follows. If there is none left, the routine returns.
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
    """Variables whose lifetime ends get their start values: (first word, values) each."""

    ranges: Word[tuple[tuple[Address, tuple[int, ...]], ...]]
    next: Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Cover(Node):
    """Records an outcome at a coverage point; in a trial `RAN` becomes `TRIED`.

    Only machines with coverage have it.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish(Node):
    """The game is over: these seats have won, as bits, or if there is no such number the account decides.

    `outcome` is the number of the name of this end, 0 if it has none.
    """

    winners: Child[Expr | None]
    outcome: Data[int]


# ---- nodes by their effect; a function can handle all nodes of a group at once

FrameNode = SetLocal | ClearLocals | SetMe | Snapshot | Iterate | Bound | TakeRecord
"""They write only the frame."""
WordNode = SetHead | SetWord | SetWords | Transfer | Reset | EnterPhase
"""They write counters, marks, pointers or the head of the state."""
PieceNode = MovePiece | MoveAll | Exchange | MoveSome | TurnDie | Lift | Drop | Take | Swap
"""They move or turn pieces."""
HistoryNode = AddRecord | ClearHistory | SelectRecords
"""They write histories."""
SightNode = Forget | LookAway | Show | Tell
"""They change which seats have been shown which places and values."""
ChoiceNode = Decide | Offer | Chance
"""They wait for a choice or a random outcome."""
CallNode = Call | CallCell | Fork | CheckTrigger
"""They run another routine before the next node."""
ControlNode = Branch | Precondition | Commit | Return | Sample | NextTrigger | Cover | Win | End | Finish
"""They only direct control."""
Step = FrameNode | WordNode | PieceNode | HistoryNode | SightNode | ChoiceNode | CallNode | ControlNode

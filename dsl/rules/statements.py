"""What is done, line by line."""

from __future__ import annotations

from typing import Literal

from dsl import operators
from dsl.frozen import dataclass
from dsl.rules.declarations import StoreKind
from dsl.rules.expressions import (
    Binder,
    Collection,
    Expr,
    Filtered,
    InZone,
    ReadStateVar,
    Several,
    Target,
    Var,
)
from dsl.rules.names import Names, Reads, Writes
from dsl.source import Span

End = Literal["top", "bottom"]
Verb = Literal["gain", "pay", "lose"]


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

    kind: StoreKind
    name: Writes
    of: Expr | None
    at: Expr | None
    op: operators.Assignment
    value: Expr


@dataclass(frozen=True, slots=True)
class Transfer(Line):
    verb: Verb
    counter: Writes
    of: Expr | None
    at: Expr | None
    amount: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Swap(Line):
    """Two counters, marks or pointers exchange their values."""

    kind: StoreKind
    name: Writes
    of: Expr | None
    at: Expr | None
    other: Writes
    other_of: Expr | None
    other_at: Expr | None


@dataclass(frozen=True, slots=True)
class SwapPieces(Line):
    """Two places exchange all of their pieces."""

    one: InZone
    other: InZone


@dataclass(frozen=True, slots=True)
class TurnDie(Line):
    """A die is set to another face; the variable follows it."""

    var: Var
    face: Expr


@dataclass(frozen=True, slots=True)
class MovePiece(Line):
    piece: Expr
    to: InZone
    end: End | None


@dataclass(frozen=True, slots=True)
class MoveAll(Line):
    source: Collection
    to: InZone
    end: End | None


@dataclass(frozen=True, slots=True)
class MoveCount(Line):
    """Exactly so many pieces of a place; with `up_to`, all if there are fewer.

    `bottom`: from the bottom of it. A `name` is that of the piece that is drawn.
    """

    number: Expr
    source: InZone
    to: InZone
    end: End | None
    name: Var | None
    up_to: bool = False
    bottom: bool = False


@dataclass(frozen=True, slots=True)
class MoveAlike(Line):
    """Exactly so many of some equal pieces of one place; with `up_to`, all if there are fewer."""

    number: Expr
    source: Filtered
    to: InZone
    end: End | None
    up_to: bool = False


@dataclass(frozen=True, slots=True)
class RollPiece(Line):
    piece: Expr


@dataclass(frozen=True, slots=True)
class RollZone(Line):
    """All dice of `source` (or `number` of them) are rolled and lie in `to` afterwards.

    With `up_to`, there may be fewer than the number.
    """

    number: Expr | None
    source: InZone
    to: InZone
    up_to: bool = False


@dataclass(frozen=True, slots=True)
class Shuffle(Line):
    zone: InZone


@dataclass(frozen=True, slots=True)
class ChanceChooses(Line):
    """A random value of a collection; `weight` says how likely each one is, relative to the others."""

    binder: Binder
    weight: Expr | None


@dataclass(frozen=True, slots=True)
class Show(Line):
    """A seat sees the pieces of a place; all seats, if none is named.

    `openly`: the others learn that it is shown, and to whom.
    """

    zone: InZone
    to: Expr | None
    openly: bool


@dataclass(frozen=True, slots=True)
class ShowValue(Line):
    """A hidden counter, mark or pointer is shown to a seat, or to everybody, until it is written again.

    `openly`: the others learn that it is shown, and to whom.
    """

    value: ReadStateVar
    to: Expr | None
    openly: bool


@dataclass(frozen=True, slots=True)
class Record(Line):
    """The present values of a history's parts are added to it; `values` are those of rules."""

    history: Writes
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ClearHistory(Line):
    """A history forgets all that was recorded."""

    history: Writes


@dataclass(frozen=True, slots=True)
class Precondition(Line):
    condition: Expr


@dataclass(frozen=True, slots=True)
class EndGame(Line):
    """The game is over, and the account decides. `outcome` is a name for this end."""

    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class Win(Line):
    seat: Expr
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class WinTogether(Line):
    """All seats of a collection win; without one nobody wins."""

    seats: Collection | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class Lose(Line):
    """All seats but one win."""

    seat: Expr
    outcome: str | None


Ending = EndGame | Win | WinTogether | Lose
"""They end the game."""


Strength = Literal["must", "may", "keep"]


@dataclass(frozen=True, slots=True)
class Choose(Line):
    """`if_several`: a single value is chosen without asking. `most`: how often with `may keep choosing`.

    `several`: a set is chosen; the block runs for each of them, or once if the set has a name.
    """

    strength: Strength
    seat: Expr | None
    binder: Binder
    if_any: bool
    block: Block
    otherwise: Block
    secretly: bool = False
    if_several: bool = False
    most: Expr | None = None
    several: Several | None = None


@dataclass(frozen=True, slots=True)
class Offer(Line):
    strength: Strength
    seat: Expr | None
    targets: tuple[Target, ...]
    block: Block
    otherwise: Block
    most: Expr | None = None


@dataclass(frozen=True, slots=True)
class CallLine(Line):
    routine: Names
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
class Recall(Line):
    """The block runs for each of those records that together have the greatest sum of a counter.

    No two of them have a mark in common. In the block the parts of the history are as they were recorded,
    and at the end as at the start.
    """

    history: Writes
    worth: Reads
    block: Block


@dataclass(frozen=True, slots=True)
class Repeat(Line):
    number: Expr
    block: Block


@dataclass(frozen=True, slots=True)
class RepeatUntil(Line):
    """A block that runs at least once, and again until the condition holds.

    Without a condition, until a run of it changes neither the state nor a local from outside.
    """

    condition: Expr | None
    most: Expr
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

    captured: tuple[Var, ...]
    block: Block


Statement = (
    SetVar
    | Write
    | Transfer
    | Swap
    | SwapPieces
    | TurnDie
    | MovePiece
    | MoveAll
    | MoveCount
    | MoveAlike
    | RollPiece
    | RollZone
    | Shuffle
    | ChanceChooses
    | Show
    | ShowValue
    | Record
    | ClearHistory
    | Precondition
    | EndGame
    | Win
    | WinTogether
    | Lose
    | Choose
    | Offer
    | CallLine
    | If
    | While
    | Recall
    | Repeat
    | RepeatUntil
    | For
    | EachTurn
    | Together
)
Block = tuple[Statement, ...]

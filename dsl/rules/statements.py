"""What is done, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.rules.declarations import StoreKind
from dsl.rules.expressions import Binder, Collection, Expr, Filtered, InZone, Target, Var
from dsl.rules.names import Names, Writes
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
    op: Literal["=", "+=", "-="]
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
    number: Expr
    source: InZone
    to: InZone
    end: End | None
    name: Var | None


@dataclass(frozen=True, slots=True)
class MoveAlike(Line):
    """So many of some equal pieces of one place, or as many as there are."""

    number: Expr
    source: Filtered
    to: InZone
    end: End | None


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
class Precondition(Line):
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
class Offer(Line):
    strength: Strength
    seat: Expr | None
    targets: tuple[Target, ...]
    block: Block
    otherwise: Block


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

    captured: tuple[Var, ...]
    block: Block


Statement = (
    SetVar
    | Write
    | Transfer
    | TurnDie
    | MovePiece
    | MoveAll
    | MoveCount
    | MoveAlike
    | RollPiece
    | RollZone
    | Shuffle
    | Show
    | Precondition
    | EndGame
    | Win
    | Choose
    | Offer
    | CallLine
    | If
    | While
    | Repeat
    | For
    | EachTurn
    | Together
)
Block = tuple[Statement, ...]

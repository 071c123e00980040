"""Typed expressions, collections, variables, and the targets of offers and of `can`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.domains import Type
from dsl.rules.declarations import Column, StoreKind
from dsl.rules.names import Names, Reads
from dsl.source import Span


@dataclass(slots=True, eq=False)
class Var:
    """A local: a parameter, a `let`, or the name of a binder. Compared by identity."""

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
    """An option, ruling or constant: known when the machine is compiled."""

    name: Names


@dataclass(frozen=True, slots=True)
class ReadStateVar(Typed):
    """A counter, mark or pointer at one address."""

    kind: StoreKind
    name: Reads
    of: Expr | None
    at: Expr | None


@dataclass(frozen=True, slots=True)
class SlotPiece(Typed):
    """The piece on a place of size 1, or none."""

    zone: InZone


@dataclass(frozen=True, slots=True)
class OnlyDie(Typed):
    """The one piece of a component that has no zone of its own."""

    component: Names


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
    index: Names


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
    collection: Collection


@dataclass(frozen=True, slots=True)
class SizeOf(Typed):
    collection: Collection


@dataclass(frozen=True, slots=True)
class IsIn(Typed):
    item: Expr
    collection: Collection


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
    table: Names
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class UseValue(Typed):
    value: Names
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Successor(Typed):
    """`next(x)` or `previous(x)` on a ring or line."""

    decl: Names
    by: int
    operand: Expr


@dataclass(frozen=True, slots=True)
class DirectedStep(Typed):
    """`step(place, direction, number)`: the place that many steps in a direction, or none.

    `directions` is the type of the direction. Without `number` it is one step; `most` is its upper bound.
    """

    decl: Names
    directions: Names
    place: Expr
    direction: Expr
    number: Expr | None
    most: int


Expr = (
    Const
    | Read
    | Special
    | Setting
    | ReadStateVar
    | SlotPiece
    | OnlyDie
    | ColumnOf
    | ClassOf
    | PlaceOf
    | Arith
    | Cmp
    | Both
    | Neg
    | Cond
    | Empty
    | SizeOf
    | IsIn
    | CanDo
    | AnyOf
    | FoldOf
    | Extreme
    | PickOf
    | LookUp
    | UseValue
    | Successor
    | DirectedStep
)

# ---- targets


@dataclass(frozen=True, slots=True)
class DoRoutine:
    routine: Names
    arguments: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class DoCell:
    cell: Expr
    actor: Expr | None
    span: Span


Target = DoRoutine | DoCell


# ---- collections


@dataclass(frozen=True, slots=True)
class TypedCollection:
    """A collection; `item` is the type of its values."""

    item: Type
    span: Span


@dataclass(frozen=True, slots=True)
class InZone(TypedCollection):
    """The pieces of a zone at the given indices; without an index, at all of its values."""

    zone: Reads
    of: Expr | Collection | None
    at: Expr | Collection | None


@dataclass(frozen=True, slots=True)
class OfType(TypedCollection):
    decl: Names


@dataclass(frozen=True, slots=True)
class Interval(TypedCollection):
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class Items(TypedCollection):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Sum(TypedCollection):
    parts: tuple[Collection, ...]


@dataclass(frozen=True, slots=True)
class Filtered(TypedCollection):
    binder: Binder


@dataclass(frozen=True, slots=True)
class Either(TypedCollection):
    condition: Expr
    then: Collection
    otherwise: Collection


@dataclass(frozen=True, slots=True)
class Opponents(TypedCollection):
    pass


@dataclass(frozen=True, slots=True)
class Neighbours(TypedCollection):
    decl: Names
    operand: Expr


@dataclass(frozen=True, slots=True)
class Ray(TypedCollection):
    """All places of a board in one direction, the nearest first."""

    decl: Names
    directions: Names
    place: Expr
    direction: Expr


@dataclass(frozen=True, slots=True)
class Spread(TypedCollection):
    """The places that can be reached from `start` by neighbours within `through`."""

    decl: Names
    start: Collection
    through: Collection


@dataclass(frozen=True, slots=True)
class Prefix(TypedCollection):
    """The longest prefix of a collection for which a condition holds."""

    binder: Binder
    condition: Expr


@dataclass(frozen=True, slots=True)
class UseCollection(TypedCollection):
    """A collection with a name: its definition, in which the arguments stand for the parameters."""

    value: Names
    arguments: tuple[Expr, ...]
    collection: Collection


Collection = (
    InZone
    | OfType
    | Interval
    | Items
    | Sum
    | Filtered
    | Prefix
    | Either
    | Opponents
    | Neighbours
    | Ray
    | Spread
    | UseCollection
)


@dataclass(frozen=True, slots=True)
class Binder:
    var: Var
    collection: Collection
    where: Expr | None

"""Typed expressions, collections, variables, and the targets of offers and of `can`."""

from __future__ import annotations

import dataclasses
from typing import Literal

from dsl import operators
from dsl.domains import Type
from dsl.frozen import dataclass
from dsl.rules.declarations import Column, StoreKind, Touching
from dsl.rules.names import Names, Reads
from dsl.source import Span


@dataclasses.dataclass(slots=True, eq=False)
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
    """The piece on a place of size 1, or none; with `top`, the one on top of an ordered place."""

    zone: InZone
    top: bool = False


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
    op: operators.Arithmetic
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Cmp(Typed):
    op: operators.Comparison
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Both(Typed):
    op: operators.Connective
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
    kind: operators.Folding
    body: Expr
    binder: Binder


@dataclass(frozen=True, slots=True)
class Extreme(Typed):
    kind: Literal["min", "max"]
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class PickOf(Typed):
    """The value with the best keys, the first of a collection, or without keys its only one; or none."""

    kind: operators.Picking
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
class TimesRecorded(Typed):
    """How often the present values of a history's parts have been recorded; `values` are those of rules."""

    history: Reads
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Successor(Typed):
    """`next(x)` or `previous(x)` on a ring or line."""

    decl: Names
    by: int
    operand: Expr


@dataclass(frozen=True, slots=True)
class Ordinal(Typed):
    """`ordinal(x)`: the place of a value among those of its type, 1 for the first."""

    decl: Names
    operand: Expr


@dataclass(frozen=True, slots=True)
class Numeral(Typed):
    """The number that a value of a list of numerals is."""

    decl: Names
    operand: Expr


@dataclass(frozen=True, slots=True)
class Combined(Typed):
    """The value of a product of types that has these parts."""

    decl: Names
    parts: tuple[Expr, ...]


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


@dataclass(frozen=True, slots=True)
class Gathered(Typed):
    """The values of a collection as a set, each once."""

    collection: Collection


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
    | TimesRecorded
    | Successor
    | Ordinal
    | Numeral
    | Combined
    | DirectedStep
    | Gathered
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
class Partners(Filtered):
    """The seats of the acting seat's team but itself."""


@dataclass(frozen=True, slots=True)
class Picked(Filtered):
    """All that are chosen together: of the variables `picks` those that are not none.

    `origin` is the collection from which they are chosen.
    """

    picks: tuple[Var, ...]
    group: Var
    origin: Collection


@dataclass(frozen=True, slots=True)
class Several:
    """How many are chosen together, as a set; `certain` is the least number whatever holds.

    `free`: it may be declined. `whole` are all of them; `named`: rules call them by a name.
    """

    least: Expr
    most: Expr
    certain: int
    free: bool
    whole: Picked
    named: bool


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
class Incident(TypedCollection):
    """The corners or edges of a place, the ends of an edge, or the places that touch a corner or an edge."""

    decl: Names
    what: Touching
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
    """The places that can be reached from `start` by neighbours within `through`.

    With `edges`, a type whose values touch the places, such as their edges, `through` are such, and it leads
    over them.
    """

    decl: Names
    start: Collection
    through: Collection
    edges: Names | None = None


@dataclass(frozen=True, slots=True)
class Prefix(TypedCollection):
    """The longest prefix of a collection for which a condition holds.

    `until`: the shortest one at whose last value it holds, or all.
    """

    binder: Binder
    condition: Expr
    until: bool = False


@dataclass(frozen=True, slots=True)
class Ranked(TypedCollection):
    """All values of a collection that tie for the best keys; with a number, so many by their keys."""

    kind: Literal["lowest", "highest"]
    binder: Binder
    keys: tuple[Expr, ...]
    number: Expr | None


@dataclass(frozen=True, slots=True)
class Combinations(TypedCollection):
    """The values of a product of types of which each part is one of these."""

    decl: Names
    parts: tuple[Expr | Collection, ...]


@dataclass(frozen=True, slots=True)
class OptionSet(TypedCollection):
    """The values of the set that an option holds: known when the machine is compiled."""

    name: Names


@dataclass(frozen=True, slots=True)
class HeldSet(TypedCollection):
    """The values of a set that a local holds, ascending."""

    var: Var


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
    | Ranked
    | Either
    | Opponents
    | Neighbours
    | Incident
    | Ray
    | Spread
    | Combinations
    | OptionSet
    | HeldSet
    | UseCollection
)


@dataclass(frozen=True, slots=True)
class Binder:
    var: Var
    collection: Collection
    where: Expr | None

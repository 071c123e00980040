"""Expressions, collections and targets: trees over 32-bit numbers."""

from __future__ import annotations

from typing import Literal

from dsl.frozen import dataclass
from interpreter.ir.operators import Operator
from interpreter.ir.roles import Binder, Child, Data, Register, SlotRead, Word

# ---- expressions: every value is a 32-bit number; a piece is place * classes + class


@dataclass(frozen=True, slots=True)
class Const:
    value: Data[int]


@dataclass(frozen=True, slots=True)
class Reg:
    """A register: it holds a value while one expression is evaluated."""

    index: Register


@dataclass(frozen=True, slots=True)
class Local:
    """A word of the current frame."""

    slot: SlotRead


@dataclass(frozen=True, slots=True)
class Head:
    """A word of the state at a fixed address."""

    word: Word[int]


@dataclass(frozen=True, slots=True)
class Address:
    """`base + sum(index * stride)`; each index is checked against its bounds unless proved."""

    base: Word[int]
    terms: Child[tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class Term:
    """An index with its bounds and its stride; `proved`: it cannot be out of bounds."""

    index: Child[Expr]
    lo: Data[int]
    hi: Data[int]
    stride: Data[int]
    proved: Data[bool]


@dataclass(frozen=True, slots=True)
class Load:
    """The word at an address."""

    address: Word[Address]


@dataclass(frozen=True, slots=True)
class Spot:
    """The number of a place: the address itself, not the word at it."""

    address: Word[Address]


@dataclass(frozen=True, slots=True)
class Op:
    """An operator; comparisons and logic give 0 or 1, and `and` and `or` short-circuit."""

    op: Data[Operator]
    left: Child[Expr]
    right: Child[Expr]


@dataclass(frozen=True, slots=True)
class Not:
    operand: Child[Expr]


@dataclass(frozen=True, slots=True)
class If:
    condition: Child[Expr]
    then: Child[Expr]
    otherwise: Child[Expr]


@dataclass(frozen=True, slots=True)
class Let:
    """The body, with a register bound to a value."""

    reg: Binder
    value: Child[Expr]
    body: Child[Expr]


@dataclass(frozen=True, slots=True)
class Pick:
    """`table[index - lo]`; an index out of bounds is a fault."""

    table: Data[tuple[int, ...]]
    index: Child[Expr]
    lo: Data[int]


@dataclass(frozen=True, slots=True)
class ClassOf:
    """The class of a piece; none stays none."""

    piece: Child[Expr]
    classes: Data[int]


@dataclass(frozen=True, slots=True)
class PlaceIndex:
    """An index of the place of a piece, from a table over all places; none stays none."""

    piece: Child[Expr]
    classes: Data[int]
    table: Data[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class PieceAt:
    """The piece on a place of size 1, or none; with `top`, the one on top of an ordered place."""

    place: Child[Expr]
    classes: Data[int]
    top: Data[bool] = False


@dataclass(frozen=True, slots=True)
class Fold:
    """A fold of `body` over the values of a collection for which `where` holds."""

    kind: Data[Literal["any", "all", "count", "sum", "min", "max", "distinct"]]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    body: Child[Expr | None]


@dataclass(frozen=True, slots=True)
class Best:
    """The value with the greatest (or smallest) keys, of equal ones the smallest; or none.

    `first`: there are no keys, and it is the first in the order of the collection.
    """

    highest: Data[bool]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    keys: Child[tuple[Expr, ...]]
    first: Data[bool] = False


@dataclass(frozen=True, slots=True)
class Contains:
    item: Child[Expr]
    source: Child[Source]


@dataclass(frozen=True, slots=True)
class Size:
    """The number of values of a collection."""

    source: Child[Source]


@dataclass(frozen=True, slots=True)
class Can:
    """Whether a target could be carried out now, up to its first stop."""

    what: Child[Doing]


@dataclass(frozen=True, slots=True)
class Times:
    """How often a history has the present values: its words, and the `values` that are worked out."""

    history: Data[int]
    values: Child[tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class Covered:
    """The same value; it records an outcome at a coverage point: `yes` if it is not 0, else `no`.

    Only machines with coverage have it.
    """

    point: Data[int]
    value: Child[Expr]
    yes: Data[int]
    no: Data[int]


@dataclass(frozen=True, slots=True)
class CoveredCell:
    """The same cell; it records coverage at the point `first` + cell. `calls`: its effect runs at once."""

    first: Data[int]
    value: Child[Expr]
    calls: Data[bool]


@dataclass(frozen=True, slots=True)
class Mask:
    """The set of the values of a collection from `lo` to `lo + 31`: bit i is the value `lo + i`."""

    source: Child[Source]
    lo: Data[int]


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
    | Times
    | Mask
    | Covered
    | CoveredCell
)

# ---- collections: values in a fixed order; pieces have a multiplicity


@dataclass(frozen=True, slots=True)
class Values:
    values: Data[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Between:
    """The numbers from `low` to `high`."""

    low: Child[Expr]
    high: Child[Expr]


@dataclass(frozen=True, slots=True)
class Listed:
    items: Child[tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class Indices:
    """The indices of one axis of a zone: a single one, a collection, or all."""

    one: Child[Expr | None]
    many: Child[Source | None]
    lo: Data[int]
    size: Data[int]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces on the places `first + of * at.size + at`."""

    first: Data[int]
    of: Child[Indices]
    at: Child[Indices]
    classes: Data[int]


@dataclass(frozen=True, slots=True)
class Classed:
    """The classes of the pieces of a collection."""

    source: Child[Source]
    classes: Data[int]


@dataclass(frozen=True, slots=True)
class Filtered:
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]


@dataclass(frozen=True, slots=True)
class Prefix:
    """The longest prefix of a collection for whose values `where` holds.

    `until`: the shortest one at whose last value it holds, or all.
    """

    reg: Binder
    source: Child[Source]
    where: Child[Expr]
    until: Data[bool] = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """The values by their keys, the greatest (or smallest) first, and equal ones ascending.

    As many as `number` says; without it, all whose keys equal those of the first.
    """

    highest: Data[bool]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    keys: Child[tuple[Expr, ...]]
    number: Child[Expr | None]


@dataclass(frozen=True, slots=True)
class Joined:
    parts: Child[tuple[Source, ...]]


@dataclass(frozen=True, slots=True)
class Either:
    condition: Child[Expr]
    then: Child[Source]
    otherwise: Child[Source]


@dataclass(frozen=True, slots=True)
class Linked:
    """A row of a table: the neighbours of a place, or the places in one direction."""

    links: Data[tuple[tuple[int, ...], ...]]
    index: Child[Expr]
    lo: Data[int]


@dataclass(frozen=True, slots=True)
class Spread:
    """The values reachable over links from those of `start`, all of them in `through`.

    Start values in `through` are included. The values are ascending and distinct.
    """

    links: Data[tuple[tuple[int, ...], ...]]
    lo: Data[int]
    start: Child[Source]
    through: Child[Source]


@dataclass(frozen=True, slots=True)
class Bits:
    """The values of a set, ascending: bit i of the first word is the value `lo`, of the next `lo + 32`."""

    words: Child[tuple[Expr, ...]]
    lo: Data[int]
    size: Data[int]


@dataclass(frozen=True, slots=True)
class Others:
    """All seats but one."""

    me: Child[Expr]
    seats: Data[int]


Source = (
    Values
    | Between
    | Listed
    | Pieces
    | Classed
    | Filtered
    | Prefix
    | Ranked
    | Joined
    | Either
    | Linked
    | Spread
    | Bits
    | Others
)

# ---- targets: what can be carried out


@dataclass(frozen=True, slots=True)
class DoRoutine:
    """A routine with its first arguments; the acting seat chooses the others."""

    routine: Data[int]
    arguments: Child[tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class DoCell:
    """The effect that a cell names, by its index in `Machine.cells`.

    `cells` are those that it can be, rising; `NONE` is among them if it can be none.
    """

    cell: Child[Expr]
    actor: Child[Expr]
    cells: Data[tuple[int, ...]]


Doing = DoRoutine | DoCell

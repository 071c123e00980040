"""Expressions, collections and things to do: small trees over 32-bit numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from interpreter.ir.roles import Binder, Child, Data, Register, SlotRead, Word

# ---- expressions: every value is a 32-bit number; a piece is place * classes + class


@dataclass(frozen=True, slots=True)
class Const:
    value: Data[int]


@dataclass(frozen=True, slots=True)
class Reg:
    """A scratch number that lives while one expression is evaluated."""

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
    index: Child[Expr]
    lo: Data[int]
    hi: Data[int]
    stride: Data[int]
    proved: Data[bool]


@dataclass(frozen=True, slots=True)
class Load:
    address: Word[Address]


@dataclass(frozen=True, slots=True)
class Spot:
    """The number of a place: an address that is not read but named."""

    address: Word[Address]


@dataclass(frozen=True, slots=True)
class Op:
    """Arithmetic and comparison; comparisons and logic give 0 or 1. `and` and `or` stop early."""

    op: Data[
        Literal["+", "-", "*", "div", "mod", "<", "<=", ">", ">=", "==", "!=", "and", "or", "min", "max"]
    ]
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
    reg: Binder
    value: Child[Expr]
    body: Child[Expr]


@dataclass(frozen=True, slots=True)
class Pick:
    """`table[index - lo]`; an index outside is a fault."""

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
    """An index of the place where a piece lies, by a table over all places."""

    piece: Child[Expr]
    classes: Data[int]
    table: Data[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class PieceAt:
    """The piece on a place of size 1, or none."""

    place: Child[Expr]
    classes: Data[int]


@dataclass(frozen=True, slots=True)
class Fold:
    kind: Data[Literal["any", "all", "count", "sum", "min", "max", "distinct"]]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    body: Child[Expr | None]


@dataclass(frozen=True, slots=True)
class Best:
    """The value whose keys are greatest (or smallest), of equals the smallest; none if there is none."""

    highest: Data[bool]
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]
    keys: Child[tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class Contains:
    item: Child[Expr]
    source: Child[Source]


@dataclass(frozen=True, slots=True)
class Size:
    source: Child[Source]


@dataclass(frozen=True, slots=True)
class Can:
    """Whether something could be carried out now, to its first stop."""

    what: Child[Doing]


@dataclass(frozen=True, slots=True)
class Covered:
    """The same number; that it was worked out is noted at a point of cover: `yes` if it is not 0, else `no`.

    Only machines with cover have it.
    """

    point: Data[int]
    value: Child[Expr]
    yes: Data[int]
    no: Data[int]


@dataclass(frozen=True, slots=True)
class CoveredCell:
    """The same cell, which is none or has the point `first` + its number. `calls`: what it names is done."""

    first: Data[int]
    value: Child[Expr]
    calls: Data[bool]


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
    | Covered
    | CoveredCell
)

# ---- collections: values in a fixed order, pieces with their number


@dataclass(frozen=True, slots=True)
class Values:
    values: Data[tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Between:
    low: Child[Expr]
    high: Child[Expr]


@dataclass(frozen=True, slots=True)
class Listed:
    items: Child[tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class Indices:
    """One axis of a zone: one index, a collection of them, or all."""

    one: Child[Expr | None]
    many: Child[Source | None]
    lo: Data[int]
    size: Data[int]


@dataclass(frozen=True, slots=True)
class Pieces:
    """The pieces on the places `first + of * len(at) + at`."""

    first: Data[int]
    of: Child[Indices]
    at: Child[Indices]
    classes: Data[int]


@dataclass(frozen=True, slots=True)
class Classed:
    """The classes of some pieces: they index what belongs to each piece."""

    source: Child[Source]
    classes: Data[int]


@dataclass(frozen=True, slots=True)
class Filtered:
    reg: Binder
    source: Child[Source]
    where: Child[Expr | None]


@dataclass(frozen=True, slots=True)
class Prefix:
    """The longest beginning of a collection: as long as `where` holds."""

    reg: Binder
    source: Child[Source]
    where: Child[Expr]


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
    """What a table lists for a number: the neighbours of a place, or the places in one direction."""

    links: Data[tuple[tuple[int, ...], ...]]
    index: Child[Expr]
    lo: Data[int]


@dataclass(frozen=True, slots=True)
class Spread:
    """What can be reached over links from the values of `start` that lie in `through`, staying in it.

    These values are among what is reached. It is ascending, each value once.
    """

    links: Data[tuple[tuple[int, ...], ...]]
    lo: Data[int]
    start: Child[Source]
    through: Child[Source]


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
    | Joined
    | Either
    | Linked
    | Spread
    | Others
)

# ---- what can be done


@dataclass(frozen=True, slots=True)
class DoRoutine:
    """A routine with its first arguments; whoever acts chooses the rest."""

    routine: Data[int]
    arguments: Child[tuple[Expr, ...]]


@dataclass(frozen=True, slots=True)
class DoCell:
    """The effect that a cell names; the table of cells is the machine's."""

    cell: Child[Expr]
    actor: Child[Expr]


Doing = DoRoutine | DoCell

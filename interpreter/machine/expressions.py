"""Expressions, collections and things to do: small trees over 32-bit numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    """The value whose keys are greatest (or smallest), of equals the smallest; none if there is none."""

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


@dataclass(frozen=True, slots=True)
class Covered:
    """The same number; that it was worked out is noted at a point of cover: `yes` if it is not 0, else `no`.

    Only machines with cover have it.
    """

    point: int
    value: Expr
    yes: int
    no: int


@dataclass(frozen=True, slots=True)
class CoveredCell:
    """The same cell, which is none or has the point `first` + its number. `calls`: what it names is done."""

    first: int
    value: Expr
    calls: bool


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
class Classed:
    """The classes of some pieces: they index what belongs to each piece."""

    source: Source
    classes: int


@dataclass(frozen=True, slots=True)
class Filtered:
    reg: int
    source: Source
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Prefix:
    """The longest beginning of a collection: as long as `where` holds."""

    reg: int
    source: Source
    where: Expr


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
    """What a table lists for a number: the neighbours of a place, or the places in one direction."""

    links: tuple[tuple[int, ...], ...]
    index: Expr
    lo: int


@dataclass(frozen=True, slots=True)
class Spread:
    """What can be reached over links from the values of `start` that lie in `through`, staying in it.

    These values are among what is reached. It is ascending, each value once.
    """

    links: tuple[tuple[int, ...], ...]
    lo: int
    start: Source
    through: Source


@dataclass(frozen=True, slots=True)
class Others:
    """All seats but one."""

    me: Expr
    seats: int


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

    routine: int
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class DoCell:
    """The effect that a cell names; the table of cells is the machine's."""

    cell: Expr
    actor: Expr


Doing = DoRoutine | DoCell

"""The types of the language: finite domains of values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from dsl.operators import Arithmetic

LOWEST, HIGHEST = -(2**31) + 1, 2**31 - 1
NONE = -(2**31)
"""The representation of `none`: the one 32-bit number that no domain contains."""
HIGHEST_WRITTEN = 1_000_000_000
"""The largest number in a ruleset; ranges of sums and products are clipped at `HIGHEST`."""
LARGEST = 4096
"""The most values that a type can have, and the most pieces that a component can have."""


@dataclass(frozen=True, slots=True)
class IntType:
    """Whole numbers from `lo` to `hi`, both included.

    `of`: the column whose numbers they are, by whose name labels call them. It makes no other type.
    """

    lo: int
    hi: int
    of: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        if self == ANY_INT:
            return "a number"
        return f"a number of {self.lo}..{self.hi}" if self.lo != self.hi else str(self.lo)


@dataclass(frozen=True, slots=True)
class FlagType:
    """True or false."""

    def __str__(self) -> str:
        return "a condition"


@dataclass(frozen=True, slots=True)
class EnumType:
    """One value of a declared type: a row, a place of a board, a seat.

    `beyond`: it may be none because a step may have led beyond the last value. Unlike a pointer to nothing
    this is rarely intended, so it cannot be stored before it has been tested.
    """

    type: str
    optional: bool = False
    beyond: bool = False

    def __str__(self) -> str:
        name, _, part = self.type.partition(" ") if self.type[0] != "(" else (self.type, "", "")
        shown = f"a {part} of `{name}`" if part else f"a `{name}`"
        return shown + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class PieceType:
    """One piece of a component."""

    component: str
    optional: bool = False

    def __str__(self) -> str:
        return f"a piece `{self.component}`" + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class EffectType:
    """An effect with its arguments, from a cell of a table."""

    optional: bool = False

    def __str__(self) -> str:
        return "an effect" + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class SetType:
    """Several values of a type, each once and in its order; or pieces that were chosen together."""

    item: IntType | EnumType | PieceType

    def __str__(self) -> str:
        return f"a set of {several(self.item)}"


@dataclass(frozen=True, slots=True)
class NoneType:
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


def several(kind: Type) -> str:
    """A type in the plural: `pieces `card``, `numbers of 1..6`."""
    match kind:
        case IntType(lo, hi):
            return "numbers" if kind == ANY_INT else f"numbers of {lo}..{hi}"
        case EnumType(name):
            return "seats" if name == "seat" else f"values of `{name}`"
        case PieceType(component):
            return f"pieces `{component}`"
    return f"{kind}"


def row_type(component: str) -> str:
    """The name of the type whose values are the rows of a component. Declared names have no blanks."""
    return f"{component} row"


def reading_type(option: str) -> str:
    """The name of the type whose values are those of an option or ruling."""
    return f"{option} reading"


Type = IntType | FlagType | EnumType | PieceType | EffectType | SetType | NoneType
ANY_INT = IntType(LOWEST, HIGHEST)
FLAG = FlagType()
SEAT = EnumType("seat")


def is_optional(kind: Type) -> bool:
    return isinstance(kind, NoneType) or (
        isinstance(kind, EnumType | PieceType | EffectType) and kind.optional
    )


def certain(kind: Type) -> Type:
    """The same type without `none`."""
    if isinstance(kind, EnumType):
        return EnumType(kind.type)
    return replace(kind, optional=False) if isinstance(kind, PieceType | EffectType) else kind


def possible(kind: Type) -> Type:
    """The same type with `none`."""
    return replace(kind, optional=True) if isinstance(kind, EnumType | PieceType | EffectType) else kind


def is_beyond(kind: Type) -> bool:
    """Whether a value may be none because a step may have led beyond the last value."""
    return isinstance(kind, EnumType) and kind.beyond


def clip(number: int) -> int:
    return max(LOWEST, min(HIGHEST, number))


def hull(a: IntType, b: IntType) -> IntType:
    return IntType(min(a.lo, b.lo), max(a.hi, b.hi))


def arithmetic(op: Arithmetic, a: IntType, b: IntType) -> IntType:
    """The range of the result of an operator, from the ranges of its operands."""
    match op:
        case "+":
            return IntType(clip(a.lo + b.lo), clip(a.hi + b.hi))
        case "-":
            return IntType(clip(a.lo - b.hi), clip(a.hi - b.lo))
        case "*":
            corners = [clip(x * y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return IntType(min(corners), max(corners))
        case "div" if b.lo <= 0:
            most = max(abs(a.lo), abs(a.hi))
            return IntType(-most, most)
        case "div":
            corners = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return IntType(min(corners), max(corners))
        case "mod":
            return IntType(min(0, b.lo + 1), max(0, b.hi - 1))
    assert_never(op)

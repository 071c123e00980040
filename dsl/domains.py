"""The finite domains that values live in."""

from __future__ import annotations

from dataclasses import dataclass, replace

LOWEST, HIGHEST = -(2**31) + 1, 2**31 - 1
NONE = -(2**31)
"""How `none` is stored: the one 32-bit number that no domain contains."""
HIGHEST_WRITTEN = 1_000_000_000
"""The largest number that a ruleset may write; sums and products of such are cut at `HIGHEST`."""
LARGEST = 4096
"""The most values that a type can have, and the most pieces that a component can have."""


@dataclass(frozen=True, slots=True)
class Int:
    """Whole numbers from `lo` to `hi`, both included."""

    lo: int
    hi: int

    def __str__(self) -> str:
        if self == ANY_INT:
            return "a number"
        return f"a number of {self.lo}..{self.hi}" if self.lo != self.hi else str(self.lo)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    def __str__(self) -> str:
        return "a condition"


@dataclass(frozen=True, slots=True)
class Elem:
    """One value of a declared type: a row, a place of a board, a seat.

    `beyond`: it may be none because a step may have led beyond the last value. Unlike a pointer that points
    at nothing this is hardly ever meant, so it cannot be kept before it has been asked about.
    """

    type: str
    optional: bool = False
    beyond: bool = False

    def __str__(self) -> str:
        name, _, part = self.type.partition(" ")
        shown = f"a {part} of `{name}`" if part else f"a `{name}`"
        return shown + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a component, where it lies."""

    component: str
    optional: bool = False

    def __str__(self) -> str:
        return f"a piece `{self.component}`" + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class Cell:
    """An effect with its arguments, as a table names it."""

    optional: bool = False

    def __str__(self) -> str:
        return "an effect" + (" or none" if self.optional else "")


@dataclass(frozen=True, slots=True)
class Nothing:
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


def several(kind: Type) -> str:
    """What a collection of a type holds: `pieces `card``, `numbers of 1..6`."""
    match kind:
        case Int(lo, hi):
            return "numbers" if kind == ANY_INT else f"numbers of {lo}..{hi}"
        case Elem(name):
            return "seats" if name == "seat" else f"values of `{name}`"
        case Piece(component):
            return f"pieces `{component}`"
    return f"{kind}"


def row_type(component: str) -> str:
    """The name of the type whose values are a component's rows. No declared name has a blank in it."""
    return f"{component} row"


def reading_type(option: str) -> str:
    """The name of the type whose values are what an option or ruling can be."""
    return f"{option} reading"


Type = Int | Flag | Elem | Piece | Cell | Nothing
ANY_INT = Int(LOWEST, HIGHEST)
FLAG = Flag()
SEAT = Elem("seat")


def is_optional(kind: Type) -> bool:
    return isinstance(kind, Nothing) or (isinstance(kind, Elem | Piece | Cell) and kind.optional)


def certain(kind: Type) -> Type:
    """The same type without `none`."""
    if isinstance(kind, Elem):
        return Elem(kind.type)
    return replace(kind, optional=False) if isinstance(kind, Piece | Cell) else kind


def possible(kind: Type) -> Type:
    """The same type with `none`."""
    return replace(kind, optional=True) if isinstance(kind, Elem | Piece | Cell) else kind


def is_beyond(kind: Type) -> bool:
    """Whether a value may be none because a step has led beyond the last."""
    return isinstance(kind, Elem) and kind.beyond


def clip(number: int) -> int:
    return max(LOWEST, min(HIGHEST, number))


def hull(a: Int, b: Int) -> Int:
    return Int(min(a.lo, b.lo), max(a.hi, b.hi))


def arithmetic(op: str, a: Int, b: Int) -> Int:
    """The range of a result, from the ranges of its operands."""
    if op == "+":
        return Int(clip(a.lo + b.lo), clip(a.hi + b.hi))
    if op == "-":
        return Int(clip(a.lo - b.hi), clip(a.hi - b.lo))
    if op == "*":
        corners = [clip(x * y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return Int(min(corners), max(corners))
    if op == "div":
        if b.lo <= 0:
            return Int(-max(abs(a.lo), abs(a.hi)), max(abs(a.lo), abs(a.hi)))
        corners = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        return Int(min(corners), max(corners))
    return Int(min(0, b.lo + 1), max(0, b.hi - 1))

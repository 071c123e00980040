"""Values at compile time: constants, locals with their intervals, sets of bits."""

from __future__ import annotations

from dsl.frozen import dataclass
from interpreter import ir
from interpreter.wasm.emit.operands import Operand, Variable, const

Interval = tuple[int, int]
WIDE: Interval = (-(1 << 31), (1 << 31) - 1)
TRUTH: Interval = (0, 1)


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is the same whenever this code runs."""

    value: int

    @property
    def span(self) -> Interval:
        return (self.value, self.value)

    @property
    def least(self) -> int:
        return self.value

    @property
    def operand(self) -> Operand:
        return const(self.value)


@dataclass(frozen=True, slots=True)
class InLocal:
    """A value in a local of the function; of a piece that a loop has come to, also where and what it is."""

    operand: Variable
    span: Interval
    found: FoundPiece | None = None
    least: int | None = None
    """A bound below all that it can be besides none, if it is known."""


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A piece where it lies: the place, counted from the one with the number `first`, and the class."""

    first: int
    place: Value
    class_: Value


@dataclass(frozen=True, slots=True)
class Lazy:
    """A value that is evaluated where it is used; the state does not change until then."""

    expr: ir.Expr
    span: Interval


Value = Constant | InLocal
ONE = Constant(1)

# ---- sets

Bits = list[Variable]
"""A set of bits: locals of 64 bits, the lowest first."""


@dataclass(frozen=True, slots=True)
class Range:
    """The interval whose values have bits."""

    lo: int
    size: int

    @property
    def words(self) -> int:
        return (self.size + 63) // 64

    @property
    def values(self) -> range:
        return range(self.lo, self.lo + self.size)

    @property
    def all(self) -> int:
        return (1 << self.size) - 1

"""Loops over numbers, and the fuel that bounds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from interpreter import ir
from interpreter.wasm.abi import MOST_WORK, SEARCHED_LONG, TOO_MUCH, WORK_AT
from interpreter.wasm.emit.encoding import I32, I64, V128
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import Operand, Variable, vector_const, word_now
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Interval, Value

FEW = 8
"""Rounds that cost no fuel."""
UNROLLED = 240
"""The most parts that a loop may come to when it is written out."""
UNROLLED_ON_BOARDS = 720
"""The same where there are bit boards: known places are read off them together."""

MOST_COPIES = 8_000
"""The most parts that loops in loops may come to when all of them are written out."""


def is_written_out(fx: FunctionContext, values: int, cost: int, most: int) -> bool:
    """Whether a loop is written out for each of its values, of which each comes to `cost` parts."""
    parts = values * max(1, cost)
    return parts <= most and (fx.copies == 1 or fx.copies * parts <= MOST_COPIES)


@contextmanager
def written_out(fx: FunctionContext, values: int) -> Iterator[None]:
    """The block's code is written for each of so many values."""
    before, fx.copies = fx.copies, fx.copies * values
    yield
    fx.copies = before


def interval(fx: FunctionContext, e: ir.Expr) -> Interval:
    """The interval of an expression, found by emitting it in vain."""
    if isinstance(e, ir.Mask):
        return WIDE
    b = fx.b
    written, depth = b.written(), b.depth
    span = fx.num(e)
    b.unwrite(written)
    b.depth = depth
    return span


@contextmanager
def counting(fx: FunctionContext, first: Value, last: Value) -> Iterator[InLocal]:
    """The block's code for each number from `first` to `last`."""
    b = fx.b
    if fx.nesting and last.span[1] - first.span[0] > FEW:
        _spend_between(fx, first, last)
    with b.temporaries(I32) as (i,):
        b.assign(i, first.operand)
        with b.until(i.gt_s(last.operand)):
            fx.nesting += 1
            yield InLocal(i, (first.span[0], last.span[1]))
            fx.nesting -= 1
            b.assign(i, i + 1)


def _spend_between(fx: FunctionContext, first: Value, last: Value) -> None:
    b = fx.b
    if isinstance(first, Constant) and isinstance(last, Constant):
        spend(fx, Constant(last.value - first.value + 1), MOST_WORK)
        return
    with b.temporaries(I32) as (n,):
        b.assign(n, last.operand - first.operand)
        spend(fx, InLocal(n, WIDE), MOST_WORK)


def spend(fx: FunctionContext, amount: Value, most: int) -> None:
    """Takes fuel; too much is a fault.

    Loops in loops are what takes long: one alone is as long as its collection is large.
    """
    b, fuel, n = fx.b, fx.driver.fuel, amount.operand
    if isinstance(amount, Constant):
        b.assign(fuel, fuel - n)
        with b.if_(fuel.lt_s(0)):
            fx.fault(TOO_MUCH)
        return
    with b.if_(n.gt_s(0)):
        b.assign(fuel, fuel - n)
        with b.if_(fuel.lt_s(0) | n.gt_s(most)):
            fx.fault(TOO_MUCH)


def resupply(fx: FunctionContext) -> None:
    """Refills the fuel for the next trial if none is left, at the cost of the search, which may end."""
    b, fuel, search = fx.b, fx.driver.fuel, global_("search")
    with b.if_(fuel.lt_s(0)):
        b.assign(search, search - (MOST_WORK >> 6))
        b.assign(fuel, word_now(WORK_AT))
    with b.if_(search.lt_s(0)):
        fx.fault(SEARCHED_LONG)


SIDE_BY_SIDE = 64
"""The most words of which those that are not 0 are found together."""


def sixteen(
    at: Operand, offset: int, size: int, compare: str, vector: Operand, added: Sequence[Operand] = ()
) -> Operand:
    """A bit for each of up to sixteen words: whether it compares with the lanes of a vector.

    `added` are vectors that are added to the words first, if any.
    """
    none = vector_const(0)
    words = [at.load_vector(offset + 4 * i) for i in range(0, size, 4)]
    if added:
        words = [four + more for four, more in zip(words, added, strict=False)]
    fours = [four.compare(compare, vector) for four in words]
    if len(fours) == 1:
        bits = fours[0].bitmask("i32x4")
    else:
        a, b, c, d = fours + [none] * (4 - len(fours))
        halves = a.narrowed("i16x8", b), c.narrowed("i16x8", d)
        bits = halves[0].narrowed("i8x16", halves[1]).bitmask("i8x16")
    return bits & (1 << size) - 1


def each_above_zero(
    fx: FunctionContext,
    at: Operand,
    offset: int,
    size: int,
    visit: Callable[[Variable, Variable], None],
    known: Operand | None = None,
) -> None:
    """Emits `visit` for each of some words that are above 0, with locals for its number and for itself.

    The words lie behind an address; what `visit` does must not change them. `known`: the set of these words.
    """
    b = fx.b
    with b.temporaries(I64, I32, I32) as (left, i, word):
        if known is not None:
            b.assign(left, known)
        else:
            with b.temporaries(V128) as (zero,):
                b.assign(zero, vector_const(0))
                b.assign(left, _above_zero(at, offset, size, zero))
        with b.until(left.eqz()):
            b.assign(i, left.ctz().wrapped())
            b.assign(left, left & (left - 1))
            b.assign(word, (at + (i << 2)).load(offset))
            fx.nesting += 1
            visit(i, word)
            fx.nesting -= 1


def _above_zero(at: Operand, offset: int, size: int, zero: Operand) -> Operand:
    """A bit for each of up to 64 words."""
    bits = sixteen(at, offset, min(16, size), "gt_s", zero).widened()
    for first in range(16, size, 16):
        more = sixteen(at, offset + 4 * first, min(16, size - first), "gt_s", zero)
        bits |= more.widened() << first
    return bits

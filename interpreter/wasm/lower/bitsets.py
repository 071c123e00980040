"""Operations on sets of bits."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.faults import MOST_WORK
from interpreter.wasm.lower import loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Range, Value

_WORD = (1 << 64) - 1


def words(bits: Bits) -> list[Variable]:
    return [Variable(local, I64) for local in bits]


# ---- whole sets


def new_bits(fx: FunctionContext, r: Range) -> Bits:
    return [fx.b.local(I64) for _ in range(r.words)]


def free_bits(fx: FunctionContext, bits: Bits) -> None:
    fx.b.release(*bits)


def set_bits(fx: FunctionContext, to: Bits, value: int) -> None:
    for i, word in enumerate(words(to)):
        fx.b.assign(word, value >> 64 * i & _WORD)


def combine(fx: FunctionContext, to: Bits, op: str, other: Bits) -> None:
    for x, y in zip(words(to), words(other), strict=True):
        fx.b.push(x, y)
        fx.b.op(op)
        fx.b.set(x.index)


def copy_bits(fx: FunctionContext, to: Bits, other: Bits) -> None:
    for x, y in zip(words(to), words(other), strict=True):
        fx.b.assign(x, y)


def minus(fx: FunctionContext, to: Bits, other: Bits) -> None:
    """`to` loses what is in the other."""
    for x, y in zip(words(to), words(other), strict=True):
        fx.b.assign(x, x & (y ^ -1))


def copy_of(fx: FunctionContext, bits: Bits, r: Range) -> Bits:
    found = new_bits(fx, r)
    copy_bits(fx, found, bits)
    return found


def move_into(fx: FunctionContext, to: Bits, other: Bits) -> None:
    copy_bits(fx, to, other)
    free_bits(fx, other)


def invert(fx: FunctionContext, bits: Bits) -> None:
    for word in words(bits):
        fx.b.assign(word, word ^ -1)


def spread_truth(fx: FunctionContext, found: Bits) -> Bits:
    """A truth in the first word becomes all bits or none in every word."""
    first = Variable(found[0], I64)
    for word in words(found)[::-1]:
        fx.b.assign(word, const(0, I64) - first)
    return found


def row(fx: FunctionContext, rows: list[int], local: int, lo: int, found: Bits) -> None:
    """`found` becomes the set in the row of a local, counted from `lo`."""
    halves = [row >> 32 * i & 0xFFFFFFFF for row in rows for i in range(2 * len(found))]
    table = fx.builder.table(x - (1 << 32) if x >> 31 else x for x in halves)
    index = Variable(local) - lo if lo else Variable(local)
    for i, to in enumerate(words(found)):
        fx.b.assign(to, (index * (8 * len(found))).load64(table + 8 * i))


# ---- what is in them


def any_bit(fx: FunctionContext, bits: Bits) -> None:
    """Leaves whether a set is not empty."""
    union: Operand = Variable(bits[0], I64)
    for word in words(bits[1:]):
        union |= word
    fx.b.push(union.ne(0))


def how_many(fx: FunctionContext, bits: Bits) -> None:
    """Leaves the size of a set."""
    counts = [word.popcnt() for word in words(bits)]
    fx.b.push(sum(counts[1:], start=counts[0]).wrapped())


def holds(fx: FunctionContext, bits: Bits, wanted: int) -> None:
    """Leaves whether all of some bits are in a set."""
    first = True
    for i, word in enumerate(words(bits)):
        part = wanted >> 64 * i & _WORD
        if not part:
            continue
        fx.b.push((word & part).eq(part))
        if not first:
            fx.b.op("i32.and")
        first = False


def each_bit(fx: FunctionContext, bits: Bits, r: Range, visit: Callable[[InLocal], None]) -> None:
    """Emits `visit` for every value of a set, ascending; the set is empty afterwards."""
    b = fx.b
    if fx.nesting > 1:
        loops.spend(fx, Constant(r.size), MOST_WORK)
    fx.nesting += 1
    for i, word in enumerate(words(bits)):
        with b.temporaries(I32) as (value,), b.until(word.eqz()):
            lowest = word.ctz().wrapped()
            b.assign(value, lowest + (r.lo + 64 * i) if r.lo + 64 * i else lowest)
            b.assign(word, word & (word - 1))
            visit(InLocal(value.index, (r.lo, r.lo + r.size - 1)))
    fx.nesting -= 1


# ---- single values


def add_bit(fx: FunctionContext, bits: Bits, value: Value, r: Range) -> None:
    """Adds a value of the interval to a set."""
    if isinstance(value, Constant):
        i, bit = divmod(value.value - r.lo, 64)
        word = Variable(bits[i], I64)
        fx.b.assign(word, word | 1 << bit)
        return
    for i, word in enumerate(words(bits)):
        fx.b.assign(word, word | _one_bit(value.operand, r.lo + 64 * i, len(bits) > 1))


def _one_bit(value: Operand, lo: int, several: bool) -> Operand:
    """The bit of a value in the word that begins with `lo`, or 0 if it lies in another."""
    bit = const(1, I64) << (value - lo if lo else value).widened()
    return select(bit, const(0, I64), (value - lo).lt_u(64)) if several else bit


def in_range(fx: FunctionContext, local: int, r: Range) -> None:
    """Leaves whether a number lies in an interval."""
    fx.b.push((Variable(local) - r.lo).lt_u(r.size))

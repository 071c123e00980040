"""Operations on sets of bits."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from functools import reduce
from operator import add, and_, or_

from interpreter.wasm.abi import MOST_WORK
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Range, Value

WORD = (1 << 64) - 1
MOST_LOOPS = 2
"""Words of a set that get a loop each; those of more have one together, so that its body is written once."""

# ---- whole sets


def new_bits(fx: FunctionContext, r: Range) -> Bits:
    return [fx.b.local(I64) for _ in range(r.words)]


def free_bits(fx: FunctionContext, bits: Bits) -> None:
    fx.b.release(*bits)


def set_bits(fx: FunctionContext, to: Bits, value: int) -> None:
    for i, word in enumerate(to):
        fx.b.assign(word, value >> 64 * i & WORD)


def intersect(fx: FunctionContext, to: Bits, other: Bits) -> None:
    for x, y in zip(to, other, strict=True):
        fx.b.assign(x, x & y)


def unite(fx: FunctionContext, to: Bits, other: Bits) -> None:
    for x, y in zip(to, other, strict=True):
        fx.b.assign(x, x | y)


def copy_bits(fx: FunctionContext, to: Bits, other: Bits) -> None:
    for x, y in zip(to, other, strict=True):
        fx.b.assign(x, y)


def minus(fx: FunctionContext, to: Bits, other: Bits) -> None:
    """`to` loses what is in the other."""
    for x, y in zip(to, other, strict=True):
        fx.b.assign(x, x & (y ^ -1))


def copy_of(fx: FunctionContext, bits: Bits, r: Range) -> Bits:
    found = new_bits(fx, r)
    copy_bits(fx, found, bits)
    return found


def move_into(fx: FunctionContext, to: Bits, other: Bits) -> None:
    copy_bits(fx, to, other)
    free_bits(fx, other)


def invert(fx: FunctionContext, bits: Bits) -> None:
    for word in bits:
        fx.b.assign(word, word ^ -1)


def spread_truth(fx: FunctionContext, found: Bits) -> Bits:
    """A truth in the first word becomes all bits or none in every word."""
    first = found[0]
    for word in found[::-1]:
        fx.b.assign(word, const(0, I64) - first)
    return found


def bits_of(truths: Iterable[object]) -> int:
    """The set of the indices at which something holds."""
    digits = "".join("1" if truth else "0" for truth in truths)
    return int(digits[::-1] or "0", 2)


def row_table(fx: FunctionContext, rows: Sequence[int], words: int) -> int:
    """The address of sets of so many words, one after another."""
    data = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    return fx.builder.table(struct.unpack(f"<{len(data) // 4}i", data))


def row(fx: FunctionContext, rows: Sequence[int] | int, value: Operand, lo: int, found: Bits) -> None:
    """`found` becomes the set in the row of a value, counted from `lo`; or of a table at an address."""
    table = rows if isinstance(rows, int) else row_table(fx, rows, len(found))
    index = value - lo if lo else value
    for i, to in enumerate(found):
        fx.b.assign(to, (index * (8 * len(found))).load64(table + 8 * i))


# ---- what is in them


def is_any(bits: Bits) -> Operand:
    """Whether a set is not empty."""
    return reduce(or_, bits).ne(0)


def is_all(bits: Bits, r: Range) -> Operand:
    """Whether a set has all values of an interval."""
    missing = (word ^ (r.all >> 64 * i & WORD) for i, word in enumerate(bits))
    return reduce(or_, missing).eqz()


def size(bits: Bits) -> Operand:
    """The number of values of a set."""
    return reduce(add, (word.popcnt() for word in bits)).wrapped()


def holds(bits: Bits, wanted: int) -> Operand:
    """Whether all of some bits are in a set."""
    parts = [(word, wanted >> 64 * i & WORD) for i, word in enumerate(bits)]
    return reduce(and_, ((word & part).eq(part) for word, part in parts if part))


def each_bit(fx: FunctionContext, bits: Bits, r: Range, visit: Callable[[InLocal], None]) -> None:
    """Emits `visit` for every value of a set, ascending; the set is empty afterwards."""
    b, span = fx.b, (r.lo, r.lo + r.size - 1)
    if fx.nesting > 1:
        loops.spend(fx, Constant(r.size), MOST_WORK)
    fx.nesting += 1
    if len(bits) <= MOST_LOOPS:
        for i, word in enumerate(bits):
            with b.temporaries(I32) as (value,), b.until(word.eqz()):
                _take_lowest(fx, word, value, r.lo + 64 * i)
                visit(InLocal(value, span))
    else:
        with b.temporaries(I32) as (value,), b.until(is_any(bits).eqz()):
            take_first(fx, bits, value, r)
            visit(InLocal(value, span))
    fx.nesting -= 1


def _take_lowest(fx: FunctionContext, word: Variable, value: Variable, lo: int) -> None:
    """Takes the lowest bit out of a word."""
    lowest = word.ctz().wrapped()
    fx.b.assign(value, lowest + lo if lo else lowest)
    fx.b.assign(word, word & (word - 1))


def take_first(fx: FunctionContext, bits: Bits, value: Variable, r: Range) -> None:
    """Takes the lowest value out of a set that is not empty."""
    b = fx.b
    taken = b.block()
    for i, word in enumerate(bits):
        last = i == len(bits) - 1
        with nullcontext() if last else b.if_(word.ne(0)):
            _take_lowest(fx, word, value, r.lo + 64 * i)
            if not last:
                b.br(taken)
    b.end()


# ---- single values


def add_bit(fx: FunctionContext, bits: Bits, value: Value, r: Range) -> None:
    """Adds a value of the interval to a set."""
    if isinstance(value, Constant):
        i, bit = divmod(value.value - r.lo, 64)
        word = bits[i]
        fx.b.assign(word, word | 1 << bit)
        return
    for i, word in enumerate(bits):
        fx.b.assign(word, word | _one_bit(value.operand, r.lo + 64 * i, len(bits) > 1))


def _one_bit(value: Operand, lo: int, several: bool) -> Operand:
    """The bit of a value in the word that begins with `lo`, or 0 if it lies in another."""
    bit = const(1, I64) << (value - lo if lo else value).widened()
    return select(bit, const(0, I64), (value - lo).lt_u(64)) if several else bit


def has_bit(bits: Bits, value: Value, r: Range) -> Operand:
    """Whether a value, which may lie outside of the interval, is in a set."""
    if isinstance(value, Constant):
        i = value.value - r.lo
        return (bits[i // 64] >> i % 64).wrapped() & 1 if 0 <= i < r.size else const(0)
    inside = r.lo <= value.span[0] and value.span[1] < r.lo + r.size
    found: list[Operand] = []
    for i, word in enumerate(bits):
        at = value.operand - (r.lo + 64 * i) if r.lo + 64 * i else value.operand
        bit = (word >> at.widened()).wrapped() & 1
        found.append(bit if inside and len(bits) == 1 else bit & at.lt_u(64))
    return reduce(or_, found)


def in_range(value: Operand, r: Range) -> Operand:
    """Whether a number lies in an interval."""
    return (value - r.lo).lt_u(r.size)

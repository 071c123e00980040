"""Operations on sets of bits."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.faults import MOST_WORK
from interpreter.wasm.lower import loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Range, Value

# ---- whole sets


def new_bits(fx: FunctionContext, r: Range) -> Bits:
    return [fx.b.local(I64) for _ in range(r.words)]


def free_bits(fx: FunctionContext, bits: Bits) -> None:
    fx.b.release(*bits)


def set_bits(fx: FunctionContext, to: Bits, value: int) -> None:
    for i, local in enumerate(to):
        fx.b.i64(value >> 64 * i & (1 << 64) - 1)
        fx.b.set(local)


def combine(fx: FunctionContext, to: Bits, op: str, other: Bits) -> None:
    for x, y in zip(to, other, strict=True):
        fx.b.get(x)
        fx.b.get(y)
        fx.b.op(op)
        fx.b.set(x)


def copy_bits(fx: FunctionContext, to: Bits, other: Bits) -> None:
    for x, y in zip(to, other, strict=True):
        fx.b.get(y)
        fx.b.set(x)


def minus(fx: FunctionContext, to: Bits, other: Bits) -> None:
    """`to` loses what is in the other."""
    for x, y in zip(to, other, strict=True):
        fx.b.get(x)
        fx.b.get(y)
        fx.b.i64(-1)
        fx.b.op("i64.xor", "i64.and")
        fx.b.set(x)


def copy_of(fx: FunctionContext, bits: Bits, r: Range) -> Bits:
    found = new_bits(fx, r)
    copy_bits(fx, found, bits)
    return found


def move_into(fx: FunctionContext, to: Bits, other: Bits) -> None:
    copy_bits(fx, to, other)
    free_bits(fx, other)


def invert(fx: FunctionContext, bits: Bits) -> None:
    for local in bits:
        fx.b.get(local)
        fx.b.i64(-1)
        fx.b.op("i64.xor")
        fx.b.set(local)


def spread_truth(fx: FunctionContext, found: Bits) -> Bits:
    """A truth in the first word becomes all bits or none in every word."""
    b = fx.b
    for local in found[::-1]:
        b.i64(0)
        b.get(found[0])
        b.op("i64.sub")
        b.set(local)
    return found


def row(fx: FunctionContext, rows: list[int], local: int, lo: int, found: Bits) -> None:
    """`found` becomes the set in the row of a local, counted from `lo`."""
    b = fx.b
    words = [
        x
        for row in rows
        for i in range(len(found))
        for x in ((row >> 64 * i) & 0xFFFFFFFF, (row >> 64 * i + 32) & 0xFFFFFFFF)
    ]
    table = fx.builder.table(x - (1 << 32) if x >> 31 else x for x in words)
    for i, to in enumerate(found):
        b.get(local)
        if lo:
            b.i32(lo)
            b.op("i32.sub")
        b.i32(8 * len(found))
        b.op("i32.mul")
        b.mem("i64.load", table + 8 * i)
        b.set(to)


# ---- what is in them


def any_bit(fx: FunctionContext, bits: Bits) -> None:
    """Leaves whether a set is not empty."""
    b = fx.b
    b.get(bits[0])
    for local in bits[1:]:
        b.get(local)
        b.op("i64.or")
    b.i64(0)
    b.op("i64.ne")


def how_many(fx: FunctionContext, bits: Bits) -> None:
    b = fx.b
    for i, local in enumerate(bits):
        b.get(local)
        b.op("i64.popcnt")
        if i:
            b.op("i64.add")
    b.op("i32.wrap_i64")


def holds(fx: FunctionContext, bits: Bits, wanted: int) -> None:
    """Leaves whether all of some bits are in a set."""
    b = fx.b
    first = True
    for i, local in enumerate(bits):
        part = wanted >> 64 * i & (1 << 64) - 1
        if not part:
            continue
        b.get(local)
        b.i64(part)
        b.op("i64.and")
        b.i64(part)
        b.op("i64.eq")
        if not first:
            b.op("i32.and")
        first = False


def each_bit(fx: FunctionContext, bits: Bits, r: Range, visit: Callable[[InLocal], None]) -> None:
    """Emits `visit` for every value of a set, ascending; the set is empty afterwards."""
    b = fx.b
    if fx.nesting > 1:
        loops.spend(fx, Constant(r.size), MOST_WORK)
    fx.nesting += 1
    for i, local in enumerate(bits):
        with b.borrowed(I32) as (v,), b.forever() as out:
            b.get(local)
            b.op("i64.eqz")
            b.br_if(out)
            b.get(local)
            b.op("i64.ctz", "i32.wrap_i64")
            if r.lo + 64 * i:
                b.i32(r.lo + 64 * i)
                b.op("i32.add")
            b.set(v)
            b.get(local)
            b.get(local)
            b.i64(1)
            b.op("i64.sub", "i64.and")
            b.set(local)
            visit(InLocal(v, (r.lo, r.lo + r.size - 1)))
    fx.nesting -= 1


# ---- single values


def add_bit(fx: FunctionContext, bits: Bits, value: Value, r: Range) -> None:
    """A value of the interval comes into a set."""
    b = fx.b
    if isinstance(value, Constant):
        i = (value.value - r.lo) // 64
        b.get(bits[i])
        b.i64(1 << (value.value - r.lo) % 64)
        b.op("i64.or")
        b.set(bits[i])
        return
    for i, local in enumerate(bits):
        b.get(local)
        _one_bit(fx, value.local, r.lo + 64 * i, len(bits) > 1)
        b.op("i64.or")
        b.set(local)


def _one_bit(fx: FunctionContext, local: int, lo: int, several: bool) -> None:
    """Leaves the bit of a value in the word that begins with `lo`, or nothing if it lies in another."""
    b = fx.b
    b.i64(1)
    b.get(local)
    if lo:
        b.i32(lo)
        b.op("i32.sub")
    b.op("i64.extend_i32_u", "i64.shl")
    if several:
        b.i64(0)
        b.get(local)
        b.i32(lo)
        b.op("i32.sub")
        b.i32(64)
        b.op("i32.lt_u", "select")


def in_range(fx: FunctionContext, local: int, r: Range) -> None:
    b = fx.b
    b.get(local)
    b.i32(r.lo)
    b.op("i32.sub")
    b.i32(r.size)
    b.op("i32.lt_u")

"""Words that lie side by side, each with a known number added, compared with one number, sixteen at a time.

`pit.number + seeds at pit > 6` asks that, and so does `seeds at pit in 2..3`, in one comparison.
"""

from __future__ import annotations

from dsl.domains import NONE
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.operators import MIRRORED, is_comparison
from interpreter.wasm.emit.encoding import I32, V128
from interpreter.wasm.emit.operands import STACK, Operand, const, vector_const
from interpreter.wasm.lower import addresses, bitsets, columns, loops, value_tables
from interpreter.wasm.lower.arithmetic import COMPARISONS
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Range

LARGEST = 1 << 30
"""Numbers of which no two have a sum that 32 bits are too few for."""


@dataclass(frozen=True, slots=True)
class ColumnTest:
    """A comparison of the words of an interval with a value; `added` is a number for each of them."""

    load: ir.Load
    added: tuple[int, ...]
    compare: str
    value: ir.Expr


def column_test(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> ColumnTest | None:
    """The comparison that a condition is, if it is one."""
    match e:
        case ir.Contains(item=ir.Load() as load, source=source):
            interval = _interval_of(source)
            if interval is None or not _is_counter(fx, load, reg, r):
                return None
            low, high = interval
            return ColumnTest(load, (-low,) * r.size, "lt_u", ir.Const(high - low + 1))
        case ir.Op(op=op, left=left, right=right) if is_comparison(op):
            for compare, total, value in ((op, left, right), (MIRRORED[op], right, left)):
                summands = _summands(fx, total, reg, r) if not fx.reads(value, reg) else None
                if summands is not None:
                    return ColumnTest(*summands, COMPARISONS[compare], value)
    return None


def _interval_of(source: ir.Source) -> tuple[int, int] | None:
    """The least and the greatest of some known numbers that leave out none between them."""
    match source:
        case ir.Values(values=values):
            numbers = set(values)
        case ir.Listed(items=items) if all(isinstance(x, ir.Const) for x in items):
            numbers = {x.value for x in items if isinstance(x, ir.Const)}
        case _:
            return None
    if not numbers or max(map(abs, numbers)) >= LARGEST:
        return None
    low, high = min(numbers), max(numbers)
    return (low, high) if len(numbers) == high - low + 1 else None


def _summands(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> tuple[ir.Load, tuple[int, ...]] | None:
    """A word of a column and a known number, if an expression is their sum or difference."""
    match e:
        case ir.Op(op="+" | "-" as op, left=ir.Load() as load, right=known):
            sign = 1 if op == "+" else -1
        case ir.Op(op="+", left=known, right=ir.Load() as load):
            sign = 1
        case _:
            return None
    table = value_tables.table_of(fx, known, reg, r, most=LARGEST)
    if table is None or NONE in table or max(map(abs, table)) >= LARGEST:
        return None
    return (load, tuple(sign * n for n in table)) if _is_counter(fx, load, reg, r) else None


def _is_counter(fx: FunctionContext, load: ir.Load, reg: int, r: Range) -> bool:
    """Whether a load reads the words of a counter one after the other, all of which are small numbers."""
    words = fx.builder.words_of(load.address.base)
    if words is None or words.kind != "counter" or not columns.is_column(fx, load, reg, r):
        return False
    return max(abs(bound) for bounds in words.ranges for bound in bounds) < LARGEST


def tested_set(fx: FunctionContext, test: ColumnTest, reg: int, r: Range) -> Bits:
    """The indices at which the comparison holds."""
    b = fx.b
    (moving,) = [t for t in test.load.address.terms if fx.reads(t.index, reg)]
    rest = tuple(t for t in test.load.address.terms if t is not moving)
    added = _vectors(fx, test.added)
    found = bitsets.new_bits(fx, r)
    with b.temporaries(I32, V128) as (at, value):
        offset = addresses.address(fx, ir.Address(test.load.address.base, rest)) + 4 * (r.lo - moving.lo)
        b.assign(at, STACK)
        fx.num(test.value)
        b.assign(value, STACK.splat())
        bitsets.set_bits(fx, found, 0)
        for first in range(0, r.size, 16):
            size, to = min(16, r.size - first), found[first // 64]
            bits = loops.sixteen(at, offset + 4 * first, size, test.compare, value, added[first // 4 :])
            bits = bits.widened()
            b.assign(to, (bits << first % 64 if first % 64 else bits) | to)
    return found


def _vectors(fx: FunctionContext, numbers: tuple[int, ...]) -> list[Operand]:
    """Numbers as vectors of four, the last one filled up; none where there is nothing to add."""
    if not any(numbers):
        return []
    vectors = -(-len(numbers) // 4)
    if len(set(numbers)) == 1:
        return [vector_const(numbers[0])] * vectors
    table = fx.builder.table((*numbers, *[0] * (4 * vectors - len(numbers))))
    return [const(0).load_vector(table + 16 * i) for i in range(vectors)]

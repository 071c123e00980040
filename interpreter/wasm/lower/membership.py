"""Whether a value stands in a collection."""

from __future__ import annotations

from functools import partial

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, select
from interpreter.wasm.lower import (
    addresses,
    bitset_conditions,
    bitset_select,
    bitsets,
    const_eval,
    piece_loops,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import (
    TRUTH,
    FoundPiece,
    InLocal,
    Interval,
    Range,
    Value,
)


def contains(fx: FunctionContext, item: ir.Expr, source: ir.Source) -> Interval:
    if isinstance(source, ir.Values):
        return _in_values(fx, item, source.values)
    if isinstance(source, ir.Bits):
        return _in_set(fx, item, source)
    found = addresses.piece_in_loop(fx, item)
    if found is not None and isinstance(source, ir.Pieces) and _is_one_place(source):
        return _lies_there(fx, found, source)
    r = bitset_select.member_range(fx, source)
    if r is not None:
        quick = partial(_in_bits, fx, item, source, r)
        return fx.safely(quick, partial(_found_one_by_one, fx, item, source), I32)
    return _found_one_by_one(fx, item, source)


def _in_bits(fx: FunctionContext, item: ir.Expr, source: ir.Source, r: Range) -> Interval:
    wanted = const_eval.operand(fx, item)
    if isinstance(source, ir.Linked) and r.words > 1 and isinstance(wanted, InLocal):
        _in_row(fx, wanted, source, r)
        fx.drop(wanted)
        return TRUTH
    bits = fx.source_bits(source, r)
    fx.b.push(bitsets.has_bit(bits, wanted, r))
    bitsets.free_bits(fx, bits)
    fx.drop(wanted)
    return TRUTH


def _in_row(fx: FunctionContext, wanted: InLocal, source: ir.Linked, r: Range) -> None:
    """Leaves whether a value stands in a row of links: of its set only one word is looked at."""
    b, lo, last = fx.b, source.lo, source.lo + len(source.links) - 1
    table = bitset_conditions.table_of_links(fx, source.links, r)
    with b.temporaries(I32, I32) as (row, at):
        addresses.within(fx, fx.num(source.index), lo, last)
        b.assign(row, STACK - lo if lo else STACK)
        b.assign(at, wanted.operand - r.lo if r.lo else wanted.operand)
        word = (row * (8 * r.words) + (at >> 6 << 3)).load64(table)
        found = (word >> at.widened()).wrapped() & 1
        if r.lo <= wanted.span[0] and wanted.span[1] < r.lo + r.size:
            b.push(found)
            return
        with b.if_(at.lt_u(r.size), I32):
            b.push(found)
            b.otherwise()
            b.push(0)


def _found_one_by_one(fx: FunctionContext, item: ir.Expr, source: ir.Source) -> Interval:
    b = fx.b
    wanted = const_eval.operand(fx, item)
    out = b.block(I32)

    def leave_if_equal(value: Value, _: Value) -> None:
        b.push(1)
        b.br_if(out, value.operand.eq(wanted.operand))
        b.drop()

    fx.each(source, leave_if_equal, 4)
    b.push(0)
    b.end()
    fx.drop(wanted)
    return TRUTH


def _lies_there(fx: FunctionContext, found: FoundPiece, source: ir.Pieces) -> Interval:
    """Whether the one place of a source is that where a loop has come to a piece."""
    apart = source.first - found.first

    def push_equal(k: Value) -> None:
        fx.b.push(found.place.operand.eq(k.operand + apart if apart else k.operand))

    piece_loops.each_place(fx, source, push_equal)
    return TRUTH


def _in_set(fx: FunctionContext, item: ir.Expr, source: ir.Bits) -> Interval:
    """Whether the bit of a value is set."""
    b = fx.b
    with b.temporaries(I32, I32) as (at, word):
        fx.num(item)
        b.assign(at, STACK - source.lo)
        fx.evaluate(word, source.words[-1])
        for number in reversed(range(len(source.words) - 1)):
            with b.temporaries(I32) as (lower,):
                fx.evaluate(lower, source.words[number])
                b.assign(word, select(lower, word, at.lt_s(32 * (number + 1))))
        b.push(word >> at & 1 & at.lt_u(source.size))
    return TRUTH


def _in_values(fx: FunctionContext, item: ir.Expr, values: tuple[int, ...]) -> Interval:
    b = fx.b
    if not values:
        fx.num(item)
        b.drop()
        b.push(0)
        return TRUTH
    lo, hi = min(values), max(values)
    wanted = const_eval.operand(fx, item)
    b.push((wanted.operand - lo).le_u(hi - lo))
    if len(set(values)) != hi - lo + 1:
        is_value = fx.builder.table(int(v in values) for v in range(lo, hi + 1))
        with b.if_(STACK, I32):
            b.push(wanted.operand.entry_of(is_value, lo))
            b.otherwise()
            b.push(0)
    fx.drop(wanted)
    return TRUTH


def _is_one_place(source: ir.Pieces) -> bool:
    return all(
        axis.one is not None or (axis.many is None and axis.size == 1) for axis in (source.of, source.at)
    )

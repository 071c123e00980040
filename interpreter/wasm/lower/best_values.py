"""The best, or the first, value of a collection."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial
from itertools import pairwise

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.visit import node_count
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Variable, const, select
from interpreter.wasm.lower import (
    bitset_select,
    bitsets,
    chosen_sets,
    const_eval,
    value_tables,
)
from interpreter.wasm.lower.collection_order import DOWN, MIXED, goes, order_of, rays_of
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import (
    Bits,
    Interval,
    Range,
    Value,
)


def best(fx: FunctionContext, e: ir.Best) -> Interval:
    if e.first:
        return _first(fx, e)
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where, once=False)
    highest = None if r is None else _best_end(fx, e, r)
    if r is None or highest is None:
        return _best_one_by_one(fx, e)
    return fx.safely(partial(_first_bit, fx, e, r, highest), partial(_best_one_by_one, fx, e), I32)


def _first(fx: FunctionContext, e: ir.Best) -> Interval:
    """The first value in the order of the collection: the lowest or the highest of a set, if that is one."""
    way = order_of(fx, e.source)
    r = None if way is None else bitset_select.worthwhile(fx, e.source, e.reg, e.where, once=False)
    if r is None or way is None:
        return _first_one_by_one(fx, e)
    quick = partial(_first_bit, fx, e, r, way == DOWN)
    if way == MIXED:
        quick = partial(_first_of_mixed, fx, e, r)
    return fx.safely(quick, partial(_first_one_by_one, fx, e), I32)


def _first_one_by_one(fx: FunctionContext, e: ir.Best) -> Interval:
    b = fx.b
    hi = fx.domain(e.source)[1]
    out = b.block(I32)

    def leave(value: Value, _: Value) -> None:
        b.push(value.operand)
        b.br(out)

    fx.each_in_order(ir.Filtered(e.reg, e.source, e.where), leave, 4)
    b.push(NONE)
    b.end()
    return (NONE, hi)


def _best_one_by_one(fx: FunctionContext, e: ir.Best) -> Interval:
    b = fx.b
    hi = fx.domain(e.source)[1]
    keys, fresh = b.variables(*(I32 for _ in e.keys)), b.variables(*(I32 for _ in e.keys))
    with b.temporaries(I32) as (found,):
        b.assign(found, NONE)

        def keep_if_better(value: Value, _: Value) -> None:
            with fx.reg(e.reg, value):
                if e.where is not None:
                    fx.num(e.where)
                with b.if_(STACK) if e.where is not None else nullcontext():
                    for key, new in zip(e.keys, fresh, strict=True):
                        fx.evaluate(new, key)
                    _push_is_better(fx, e, found, fresh, keys, value)
                    with b.if_(STACK):
                        for new, old in zip(fresh, keys, strict=True):
                            b.assign(old, new)
                        b.assign(found, value.operand)

        fx.each(e.source, keep_if_better, node_count(e.where) + node_count(e.keys) + 10)
        b.push(found)
    b.release(*keys, *fresh)
    return (NONE, hi)


def _best_end(fx: FunctionContext, e: ir.Best, r: Range) -> bool | None:
    """Whether the best is always the greatest value of a set, or always the smallest; none if neither.

    Of values with the same keys the smallest is the best.
    """
    tables = [value_tables.table_of(fx, key, e.reg, r) for key in e.keys]
    known = [[-x for x in table] if e.highest else table for table in tables if table is not None]
    if len(known) < len(tables):
        return None
    order = list(zip(*known, range(r.size), strict=True))
    if all(x < y for x, y in pairwise(order)):
        return False
    return True if all(x > y for x, y in pairwise(order)) else None


def _first_bit(fx: FunctionContext, e: ir.Best, r: Range, highest: bool) -> Interval:
    """The smallest (or greatest) value of a set, or none."""
    bits = chosen_sets.chosen_bits(fx, e.source, e.reg, e.where, r)
    _push_end(fx, bits, r, highest)
    bitsets.free_bits(fx, bits)
    return (NONE, r.lo + r.size - 1)


def _first_of_mixed(fx: FunctionContext, e: ir.Best, r: Range) -> Interval:
    """The smallest or the greatest value of a set, as the row of the collection goes."""
    b, rays = fx.b, rays_of(e.source)
    assert isinstance(rays, ir.Linked)
    bits = chosen_sets.chosen_bits(fx, e.source, e.reg, e.where, r)
    with b.temporaries(I32, I32) as (lowest, highest):
        for highest_, to in ((False, lowest), (True, highest)):
            _push_end(fx, bits, r, highest_)
            b.assign(to, STACK)
        index = const_eval.operand(fx, rays.index)
        upward = index.operand.entry_of(fx.builder.table(int(goes(row, True)) for row in rays.links), rays.lo)
        b.push(select(lowest, highest, upward))
        fx.drop(index)
    bitsets.free_bits(fx, bits)
    return (NONE, r.lo + r.size - 1)


def _push_end(fx: FunctionContext, bits: Bits, r: Range, highest: bool) -> None:
    """Leaves the smallest (or greatest) value of a set, or none."""
    b = fx.b
    b.push(NONE)
    words = list(enumerate(bits))
    for i, word in words if highest else words[::-1]:
        with b.temporaries(I32) as (before,):
            b.assign(before, STACK)
            bit = (const(63, I64) - word.clz() if highest else word.ctz()).wrapped()
            lo = r.lo + 64 * i
            b.push(select(bit + lo if lo else bit, before, word.ne(0)))


def _push_is_better(
    fx: FunctionContext,
    e: ir.Best,
    found: Variable,
    fresh: list[Variable],
    keys: list[Variable],
    value: Value,
) -> None:
    """Leaves whether there is none yet, or the new keys come before the old ones."""
    b = fx.b
    out = b.block(I32)
    b.push(1)
    b.br_if(out, found.eq(NONE))
    b.drop()
    for new, old in zip(fresh, keys, strict=True):
        with b.if_(new.ne(old)):
            b.push(new.gt_s(old) if e.highest else new.lt_s(old))
            b.br(out)
    b.push(value.operand.lt_s(found))
    b.end()

"""What is asked of collections as a whole: whether there is any, how many, which sum."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.visit import node_count
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.faults import OVERFLOW
from interpreter.wasm.lower import (
    addresses,
    arithmetic,
    bitset_conditions,
    bitset_loads,
    bitset_rays,
    bitset_select,
    bitsets,
    const_eval,
    coverage,
    expressions,
    piece_loops,
)
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.loops import FEW
from interpreter.wasm.lower.values import ONE, TRUTH, WIDE, FoundPiece, InLocal, Lazy, Range, Span, Value


def logic(fx: FunctionContext, e: ir.Op) -> Span:
    if e.op == "or" or not fx.builder.boards or fx.one_by_one:
        return arithmetic.short_circuit(fx, e)
    b = fx.b
    rest = bitset_loads.test_places(fx, e)
    if rest is e:
        return arithmetic.short_circuit(fx, e)
    if rest is not None:
        b.when(I32)
        arithmetic.truth(fx, rest)
        b.otherwise()
        b.i32(0)
        b.end()
    return TRUTH


def compare(fx: FunctionContext, e: ir.Op) -> Span:
    """Whether there is a best one is whether there is any."""
    if e.op in ("==", "!=") and const_eval.constant(fx, e.right) == NONE:
        best = _lazy_value(fx, e.left)
        if isinstance(best, ir.Best) and not coverage.notes(fx, best.keys):
            fx.fold(ir.Fold("any", best.reg, best.source, best.where, None))
            if e.op == "==":
                fx.b.op("i32.eqz")
            return TRUTH
    return arithmetic.comparison(fx, e)


def _lazy_value(fx: FunctionContext, e: ir.Expr) -> ir.Expr:
    """What a word of a frame that is only thought of stands for."""
    if isinstance(e, ir.Local):
        value = fx.slots.get(e.slot)
        if isinstance(value, Lazy):
            return value.expr
    return e


# ---- folds


def fold(fx: FunctionContext, e: ir.Fold) -> Span:
    match e.kind:
        case "any":
            return _any(fx, e)
        case "all":
            return _all(fx, e)
        case "count" | "sum":
            return _total(fx, e)
        case "min" | "max":
            return _extreme(fx, e)
        case "distinct":
            return _distinct(fx, e)
    assert_never(e.kind)


def _each_chosen(fx: FunctionContext, e: ir.Fold, visit: Visit) -> None:
    """The collection's values that meet the fold's `where`, each bound to its register.

    A condition that may come to a fault is asked of a value just before that is visited.
    """
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where)
    if r is not None and not fx.comes_to_faults(
        partial(bitset_conditions.in_vain, fx, e.source, e.reg, e.where, r)
    ):
        bits = bitset_conditions.chosen_bits(fx, e.source, e.reg, e.where, r)

        def at(value: InLocal) -> None:
            with fx.reg(e.reg, value):
                visit(value, ONE)

        bitsets.each_bit(fx, bits, r, at)
        bitsets.free_bits(fx, bits)
        return
    cost = node_count(e.where) + node_count(e.body) + 4

    def one(value: Value, n: Value) -> None:
        with fx.reg(e.reg, value), expressions.common_subexpressions(fx, e.where, e.body):
            known = const_eval.constant(fx, e.where) if e.where is not None else 1
            if known == 0:
                return
            if known is None:
                assert e.where is not None
                fx.num(e.where)
                fx.b.when()
            visit(value, n)
            if known is None:
                fx.b.end()

    with expressions.loop_invariants(fx, e.reg, e.where, e.body):
        fx.each(e.source, one, cost)


def _any(fx: FunctionContext, e: ir.Fold) -> Span:
    """The first value that meets the condition settles it: what comes after it is not looked at."""
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where, once=False)
    if r is None:
        return _any_one_by_one(fx, e)
    if isinstance(e.source, ir.Spread) and e.where is not None:
        quick: Callable[[], Span] = partial(_reached, fx, e.source, e.reg, e.where, r)
    else:
        quick = partial(_any_of_set, fx, e.source, e.reg, e.where, r)
    return fx.safely(quick, partial(_any_one_by_one, fx, e), I32)


def _reached(fx: FunctionContext, source: ir.Spread, reg: int, where: ir.Expr, r: Range) -> Span:
    bitset_rays.reaches(fx, source, reg, where, r)
    return TRUTH


def _any_of_set(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> Span:
    bits = bitset_conditions.chosen_bits(fx, source, reg, where, r)
    bitsets.any_bit(fx, bits)
    bitsets.free_bits(fx, bits)
    return TRUTH


def _any_one_by_one(fx: FunctionContext, e: ir.Fold) -> Span:
    b = fx.b
    out = b.block(I32)

    def one(_: Value, __: Value) -> None:
        b.i32(1)
        b.br(out)

    _each_chosen(fx, e, one)
    b.i32(0)
    b.end()
    return TRUTH


def _all(fx: FunctionContext, e: ir.Fold) -> Span:
    """The first value that fails settles it."""
    assert e.body is not None
    failing = ir.Not(e.body) if e.where is None else ir.Op("and", e.where, ir.Not(e.body))
    r = None if coverage.notes(fx, e) else bitset_select.worthwhile(fx, e.source, e.reg, failing, once=False)
    if r is None:
        return _all_one_by_one(fx, e, e.body)

    def quick() -> Span:
        _any_of_set(fx, e.source, e.reg, failing, r)
        fx.b.op("i32.eqz")
        return TRUTH

    return fx.safely(quick, partial(_all_one_by_one, fx, e, e.body), I32)


def _all_one_by_one(fx: FunctionContext, e: ir.Fold, body: ir.Expr) -> Span:
    b = fx.b
    out = b.block(I32)

    def one(_: Value, __: Value) -> None:
        fx.num(body)
        b.op("i32.eqz")
        b.when()
        b.i32(0)
        b.br(out)
        b.end()

    _each_chosen(fx, e, one)
    b.i32(1)
    b.end()
    return TRUTH


def _total(fx: FunctionContext, e: ir.Fold) -> Span:
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where) if e.kind == "count" else None
    if r is None:
        return _total_one_by_one(fx, e)

    def quick() -> Span:
        bits = bitset_conditions.chosen_bits(fx, e.source, e.reg, e.where, r)
        bitsets.how_many(fx, bits)
        bitsets.free_bits(fx, bits)
        return (0, r.size)

    return fx.safely(quick, partial(_total_one_by_one, fx, e), I32)


def _total_one_by_one(fx: FunctionContext, e: ir.Fold) -> Span:
    """The sum is kept in 64 bits, which no sum of so few numbers leaves."""
    b = fx.b
    counted = e.kind == "count"
    with b.borrowed(I64 if not counted else I32) as (total,):
        b.i32(0)
        if not counted:
            b.op("i64.extend_i32_s")
        b.set(total)

        def one(_: Value, n: Value) -> None:
            b.get(total)
            if counted:
                fx.put(n)
                b.op("i32.add")
            else:
                assert e.body is not None
                fx.num(e.body)
                b.op("i64.extend_i32_s")
                if n != ONE:
                    fx.put(n)
                    b.op("i64.extend_i32_s", "i64.mul")
                b.op("i64.add")
            b.set(total)

        _each_chosen(fx, e, one)
        b.get(total)
        if counted:
            return (0, WIDE[1])
        narrow(fx, total)
    return WIDE


def narrow(fx: FunctionContext, wide: int) -> None:
    """The 64-bit number on the stack, which is also in a local, becomes one of 32 bits."""
    b = fx.b
    b.op("i32.wrap_i64", "i64.extend_i32_s")
    b.get(wide)
    b.op("i64.ne")
    b.when()
    fx.fault(OVERFLOW)
    b.end()
    b.get(wide)
    b.op("i32.wrap_i64")


def _extreme(fx: FunctionContext, e: ir.Fold) -> Span:
    b = fx.b
    assert e.body is not None
    body = e.body
    with b.borrowed(I32, I32, I32) as (best, has, v):
        b.i32(0)
        b.tee(best)
        b.set(has)

        def one(_: Value, __: Value) -> None:
            fx.num(body)
            b.tee(v)
            b.get(best)
            b.op("i32.lt_s" if e.kind == "min" else "i32.gt_s")
            b.get(has)
            b.op("i32.eqz", "i32.or")
            b.when()
            b.get(v)
            b.set(best)
            b.i32(1)
            b.set(has)
            b.end()

        _each_chosen(fx, e, one)
        b.get(best)
    return WIDE


def _distinct(fx: FunctionContext, e: ir.Fold) -> Span:
    """Values seen stand in the scratch, and each new one is looked for among them."""
    b, top = fx.b, GLOBAL["top"]
    assert e.body is not None
    body = e.body
    with b.borrowed(I32, I32) as (first, v):
        b.gget(top)
        b.set(first)

        def one(_: Value, __: Value) -> None:
            fx.num(body)
            b.set(v)
            b.get(first)
            b.get(v)
            b.call(fx.builder.function("distinct", (I32, I32), ()))

        _each_chosen(fx, e, one)
        b.gget(top)
        b.get(first)
        b.op("i32.sub")
        b.i32(2)
        b.op("i32.shr_u")
        b.get(first)
        b.gset(top)
    return (0, WIDE[1])


def _is_one_place(source: ir.Pieces) -> bool:
    return all(
        axis.one is not None or (axis.many is None and axis.size == 1) for axis in (source.of, source.at)
    )


def best(fx: FunctionContext, e: ir.Best) -> Span:
    r = bitset_select.worthwhile(fx, e.source, e.reg, e.where, once=False)
    if r is None or not _in_order(fx, e, r):
        return _best_one_by_one(fx, e)
    return fx.safely(partial(_first_bit, fx, e, r), partial(_best_one_by_one, fx, e), I32)


def _best_one_by_one(fx: FunctionContext, e: ir.Best) -> Span:
    b = fx.b
    hi = fx.domain(e.source)[1]
    keys = [b.local() for _ in e.keys]
    fresh = [b.local() for _ in e.keys]
    with b.borrowed(I32) as (found,):
        b.i32(NONE)
        b.set(found)

        def one(value: Value, _: Value) -> None:
            with fx.reg(e.reg, value):
                if e.where is not None:
                    fx.num(e.where)
                    b.when()
                for key, local in zip(e.keys, fresh, strict=True):
                    fx.num(key)
                    b.set(local)
                _better(fx, e, found, fresh, keys, value)
                b.when()
                for new, old in zip(fresh, keys, strict=True):
                    b.get(new)
                    b.set(old)
                fx.put(value)
                b.set(found)
                b.end()
                if e.where is not None:
                    b.end()

        fx.each(e.source, one, node_count(e.where) + node_count(e.keys) + 10)
        b.get(found)
    b.release(*keys, *fresh)
    return (NONE, hi)


def _in_order(fx: FunctionContext, e: ir.Best, r: Range) -> bool:
    """Whether the key is known and only rises (or, for the highest, strictly rises) with the value."""
    if len(e.keys) != 1:
        return False
    table = bitset_select.table_of(fx, e.keys[0], e.reg, r)
    if table is None:
        return False
    if e.highest:
        return all(x < y for x, y in pairwise(table))
    return all(x <= y for x, y in pairwise(table))


def _first_bit(fx: FunctionContext, e: ir.Best, r: Range) -> Span:
    """The smallest (or greatest) value of a set, or none."""
    b = fx.b
    bits = bitset_conditions.chosen_bits(fx, e.source, e.reg, e.where, r)
    b.i32(NONE)
    for i in range(len(bits)) if e.highest else reversed(range(len(bits))):
        with b.borrowed(I32) as (before,):
            b.set(before)
            if e.highest:
                b.i64(63)
                b.get(bits[i])
                b.op("i64.clz", "i64.sub", "i32.wrap_i64")
            else:
                b.get(bits[i])
                b.op("i64.ctz", "i32.wrap_i64")
            if r.lo + 64 * i:
                b.i32(r.lo + 64 * i)
                b.op("i32.add")
            b.get(before)
            b.get(bits[i])
            b.i64(0)
            b.op("i64.ne", "select")
    bitsets.free_bits(fx, bits)
    return (NONE, r.lo + r.size - 1)


def _better(
    fx: FunctionContext, e: ir.Best, found: int, fresh: list[int], keys: list[int], value: Value
) -> None:
    """Leaves whether there is none yet, or the new keys come before the old ones."""
    b = fx.b
    out = b.block(I32)
    b.i32(1)
    b.get(found)
    b.i32(NONE)
    b.op("i32.eq")
    b.br_if(out)
    b.op("drop")
    for new, old in zip(fresh, keys, strict=True):
        b.get(new)
        b.get(old)
        b.op("i32.ne")
        b.when()
        b.get(new)
        b.get(old)
        b.op("i32.gt_s" if e.highest else "i32.lt_s")
        b.br(out)
        b.end()
    fx.put(value)
    b.get(found)
    b.op("i32.lt_s")
    b.end()


# ---- membership


def contains(fx: FunctionContext, item: ir.Expr, source: ir.Source) -> Span:
    b = fx.b
    if isinstance(source, ir.Values):
        return _in_values(fx, item, source.values)
    found = addresses.piece_in_loop(fx, item)
    if found is not None and isinstance(source, ir.Pieces) and _is_one_place(source):
        return _lies_there(fx, found, source)
    wanted = const_eval.operand(fx, item)
    out = b.block(I32)

    def one(value: Value, _: Value) -> None:
        b.i32(1)
        fx.put(value)
        fx.put(wanted)
        b.op("i32.eq")
        b.br_if(out)
        b.op("drop")

    fx.each(source, one, 4)
    b.i32(0)
    b.end()
    fx.drop(wanted)
    return TRUTH


def _lies_there(fx: FunctionContext, found: FoundPiece, source: ir.Pieces) -> Span:
    """Whether the one place of a source is that where a loop has come to a piece."""
    b = fx.b

    def one(k: Value) -> None:
        fx.put(found.place)
        fx.put(k)
        if found.first != source.first:
            b.i32(source.first - found.first)
            b.op("i32.add")
        b.op("i32.eq")

    piece_loops.each_place(fx, source, one)
    return TRUTH


def _in_values(fx: FunctionContext, item: ir.Expr, values: tuple[int, ...]) -> Span:
    b = fx.b
    if not values:
        fx.num(item)
        b.op("drop")
        b.i32(0)
        return TRUTH
    lo, hi = min(values), max(values)
    wanted = const_eval.operand(fx, item)
    fx.put(wanted)
    b.i32(lo)
    b.op("i32.sub")
    b.i32(hi - lo)
    b.op("i32.le_u")
    if len(set(values)) != hi - lo + 1:
        b.when(I32)
        bits = fx.builder.table(int(v in values) for v in range(lo, hi + 1))
        fx.put(wanted)
        addresses.look_up(fx, bits, lo)
        b.otherwise()
        b.i32(0)
        b.end()
    fx.drop(wanted)
    return TRUTH


# ---- sizes


def size(fx: FunctionContext, source: ir.Source) -> Span:
    if isinstance(source, ir.Prefix):
        entry = bitset_select.way_of(fx, source)
        if entry is not None:
            slow = partial(_total_one_by_one, fx, ir.Fold("count", 0, source, None, None))
            return fx.safely(partial(bitset_rays.count_beginning, fx, source, *entry), slow, I32)
    if isinstance(source, ir.Pieces):
        words = _numbers_kept(fx, source)
        if words:
            return _lengths(fx, source, words)
    return _total(fx, ir.Fold("count", 0, source, None, None))


def _numbers_kept(fx: FunctionContext, node: ir.Pieces) -> int:
    """How many words of each place add up to its number of pieces, if they are few; else 0."""
    match fx.mc.places[node.first].kind:
        case ir.ORDERED | ir.BLANK:
            return 1
        case ir.COUNTS:
            return node.classes if node.classes <= FEW else 0
    return 0


def _lengths(fx: FunctionContext, node: ir.Pieces, words: int) -> Span:
    """Places that keep their own number of pieces, in so many words."""
    b = fx.b
    with b.borrowed(I32) as (total,):
        b.i32(0)
        b.set(total)

        def one(k: Value) -> None:
            at, offset, mine = piece_loops.place_address(fx, node, k)
            b.get(total)
            for i in range(words):
                b.get(at)
                b.load(offset + 4 * i)
                b.op("i32.add")
            b.set(total)
            if mine:
                b.release(at)

        piece_loops.each_place(fx, node, one)
        b.get(total)
    return (0, WIDE[1])

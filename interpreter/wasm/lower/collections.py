"""What can be reached, place after place."""

from __future__ import annotations

from typing import assert_never

from interpreter import ir
from interpreter.ir.visit import node_count
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.faults import MOST_WORK
from interpreter.wasm.lower import addresses, const_eval, loops, piece_loops
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.loops import UNROLLED, UNROLLED_ON_BOARDS
from interpreter.wasm.lower.values import ONE, WIDE, Constant, InLocal, Span, Value


def _spread(fx: FunctionContext, source: ir.Spread, visit: Visit) -> None:
    """A flood: places reached are marked in scratch bytes and wait there for their neighbours' turn."""
    b, top = fx.b, GLOBAL["top"]
    size = len(source.links)
    starts: list[int] = [0]
    flat: list[int] = []
    for row in source.links:
        flat.extend(row)
        starts.append(len(flat))
    table, where = fx.builder.table(flat or (0,)), fx.builder.table(starts)
    with b.borrowed(I32, I32, I32, I32, I32, I32) as (marks, queue, head, tail, i, last):
        b.gget(top)
        b.tee(marks)
        b.i32((size + 15) // 16 * 16)
        b.op("i32.add")
        b.tee(queue)
        b.i32(4 * size + 16)
        b.op("i32.add")
        b.gset(top)
        b.get(marks)
        b.i32(0)
        b.i32(size)
        b.fill()
        fx.each(source.through, lambda v, _: _mark(fx, marks, source.lo, v, 1), 10)
        b.get(queue)
        b.tee(head)
        b.set(tail)
        fx.each(source.start, lambda v, _: _reach(fx, marks, source.lo, v, tail), 20)
        _reach_all(fx, source, (marks, head, tail), (i, last), (table, where))
        bits = [b.local(I64) for _ in range(0, size, 64)]
        for word, local in enumerate(bits):
            _packed(fx, marks, 64 * word, min(64, size - 64 * word), local)
        b.get(marks)
        b.gset(top)
    _each_reached(fx, source, bits, visit)
    b.release(*bits)


def _each_reached(fx: FunctionContext, source: ir.Spread, bits: list[int], visit: Visit) -> None:
    """Emits `visit` for each place whose bit is set."""
    b, size = fx.b, len(source.links)
    with loops.counting(fx, Constant(0), Constant(size - 1)) as at, b.borrowed(I32) as (v,):
        _word_at(fx, bits, at.local)
        b.get(at.local)
        b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
        b.i32(1)
        b.op("i32.and")
        b.when()
        b.get(at.local)
        b.i32(source.lo)
        b.op("i32.add")
        b.set(v)
        visit(InLocal(v, (source.lo, source.lo + size - 1)), ONE)
        b.end()


def _reach_all(
    fx: FunctionContext,
    source: ir.Spread,
    at: tuple[int, int, int],
    row: tuple[int, int],
    tables: tuple[int, int],
) -> None:
    """Every place that waits hands on to its neighbours, until none waits."""
    b = fx.b
    (marks, head, tail), (i, last), (table, where) = at, row, tables
    with b.forever() as out:
        b.get(head)
        b.get(tail)
        b.op("i32.ge_u")
        b.br_if(out)
        b.get(head)
        b.load()
        b.i32(2)
        b.op("i32.shl")
        b.tee(i)
        b.load(where + 4)
        b.set(last)
        b.get(i)
        b.load(where)
        b.set(i)
        b.bump(head, 4)
        with b.forever() as inner_out:
            b.get(i)
            b.get(last)
            b.op("i32.ge_s")
            b.br_if(inner_out)
            with b.borrowed(I32) as (v,):
                b.get(i)
                addresses.look_up(fx, table)
                b.set(v)
                _reach(fx, marks, source.lo, InLocal(v, WIDE), tail)
            b.bump(i, 1)


def _packed(fx: FunctionContext, marks: int, first: int, size: int, bits: int) -> None:
    """A bit for each of the places from `first` on that has been reached.

    Nothing of a flood lies in the scratch while its places are visited: visits may put things there,
    and may leave the loop.
    """
    b = fx.b
    b.i64(0)
    b.set(bits)
    with loops.counting(fx, Constant(0), Constant(size - 1)) as at:
        b.get(bits)
        b.get(marks)
        b.get(at.local)
        b.op("i32.add")
        b.mem("i32.load8_u", first)
        b.i32(1)
        b.op("i32.shr_u", "i64.extend_i32_u")
        b.get(at.local)
        b.op("i64.extend_i32_u", "i64.shl", "i64.or")
        b.set(bits)


def _word_at(fx: FunctionContext, bits: list[int], at: int) -> None:
    """Leaves the one of some words in which a bit lies."""
    b = fx.b
    b.get(bits[-1])
    for word in reversed(range(len(bits) - 1)):
        with b.borrowed(I64) as (later,):
            b.set(later)
            b.get(bits[word])
            b.get(later)
            b.get(at)
            b.i32(64 * (word + 1))
            b.op("i32.lt_u", "select")


def _mark(fx: FunctionContext, marks: int, lo: int, value: Value, byte: int) -> None:
    b = fx.b
    b.get(marks)
    fx.put(value)
    b.op("i32.add")
    b.i32(lo)
    b.op("i32.sub")
    b.i32(byte)
    b.mem("i32.store8")


def _reach(fx: FunctionContext, marks: int, lo: int, value: Value, tail: int) -> None:
    """A place that is marked 1 becomes 2 and waits at the queue's tail."""
    b = fx.b
    b.get(marks)
    fx.put(value)
    b.op("i32.add")
    b.i32(lo)
    b.op("i32.sub")
    b.mem("i32.load8_u")
    b.i32(1)
    b.op("i32.eq")
    b.when()
    _mark(fx, marks, lo, value, 2)
    b.get(tail)
    fx.put(value)
    b.i32(lo)
    b.op("i32.sub")
    b.store()
    b.bump(tail, 4)
    b.end()


def domain(fx: FunctionContext, source: ir.Source) -> Span:
    """An interval that holds every value of a collection."""
    match source:
        case ir.Values(values=values):
            return (min(values, default=0), max(values, default=0))
        case ir.Between(low=low, high=high):
            return (loops.interval(fx, low)[0], loops.interval(fx, high)[1])
        case ir.Listed(items=items):
            spans = [loops.interval(fx, i) for i in items]
            return (min((x for x, _ in spans), default=0), max((y for _, y in spans), default=0))
        case ir.Pieces(first=first, of=of, at=at, classes=classes):
            return (first * classes, (first + of.size * at.size) * classes - 1)
        case ir.Classed(classes=classes):
            return (0, classes - 1)
        case ir.Filtered(source=inner) | ir.Prefix(source=inner):
            return fx.domain(inner)
        case ir.Joined(parts=parts):
            spans = [fx.domain(p) for p in parts]
            return (min((x for x, _ in spans), default=0), max((y for _, y in spans), default=0))
        case ir.Either(then=then, otherwise=otherwise):
            x, y = fx.domain(then), fx.domain(otherwise)
            return (min(x[0], y[0]), max(x[1], y[1]))
        case ir.Linked(links=links):
            found = [v for row in links for v in row]
            return (min(found, default=0), max(found, default=0))
        case ir.Others(seats=seats):
            return (0, seats - 1)
        case ir.Spread(links=links, lo=lo):
            return (lo, lo + len(links) - 1)
    assert_never(source)


# ---- loops


def each_one_by_one(fx: FunctionContext, source: ir.Source, visit: Visit, cost: int = 0) -> None:
    """A loop over a collection; `cost` is about how many parts `visit` emits."""
    match source:
        case ir.Values(values=values):
            _values(fx, values, visit, cost)
        case ir.Between(low=low, high=high):
            _between(fx, low, high, visit)
        case ir.Listed(items=items):
            _listed(fx, items, visit)
        case ir.Pieces():
            piece_loops.pieces(fx, source, visit, cost, classed=False)
        case ir.Classed(source=inner, classes=classes):
            piece_loops.classed(fx, inner, classes, visit, cost)
        case ir.Filtered(reg=reg, source=inner, where=where):
            _filtered(fx, reg, inner, where, visit, cost)
        case ir.Prefix(reg=reg, source=inner, where=where):
            _prefix(fx, reg, inner, where, visit, cost)
        case ir.Joined(parts=parts):
            for part in parts:
                fx.each(part, visit, cost)
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            fx.num(condition)
            fx.b.when()
            fx.each(then, visit, cost)
            fx.b.otherwise()
            fx.each(otherwise, visit, cost)
            fx.b.end()
        case ir.Linked(links=links, index=index, lo=lo):
            _linked(fx, links, index, lo, visit, cost)
        case ir.Others(me=me, seats=seats):
            _others(fx, me, seats, visit)
        case ir.Spread():
            _spread(fx, source, visit)
        case _:
            assert_never(source)


def _values(fx: FunctionContext, values: tuple[int, ...], visit: Visit, cost: int) -> None:
    if len(values) * max(1, cost) <= (UNROLLED_ON_BOARDS if fx.builder.boards else UNROLLED):
        for value in values:
            visit(Constant(value), ONE)
        return
    b = fx.b
    if values == tuple(range(values[0], values[-1] + 1)):
        with loops.counting(fx, Constant(values[0]), Constant(values[-1])) as each:
            visit(each, ONE)
        return
    table = fx.builder.table(values)
    with loops.counting(fx, Constant(0), Constant(len(values) - 1)) as i, b.borrowed(I32) as (v,):
        fx.put(i)
        addresses.look_up(fx, table)
        b.set(v)
        visit(InLocal(v, (min(values), max(values))), ONE)


def _between(fx: FunctionContext, low: ir.Expr, high: ir.Expr, visit: Visit) -> None:
    b = fx.b
    lo, hi = const_eval.operand(fx, low), const_eval.operand(fx, high)
    if hi.span[1] - lo.span[0] > 64:
        with b.borrowed(I32) as (n,):
            fx.put(hi)
            fx.put(lo)
            b.op("i32.sub")
            b.set(n)
            loops.spend(fx, InLocal(n, WIDE), MOST_WORK)
    with loops.counting(fx, lo, hi) as value:
        visit(value, ONE)
    fx.drop(lo, hi)


def _listed(fx: FunctionContext, items: tuple[ir.Expr, ...], visit: Visit) -> None:
    made = [const_eval.operand(fx, i) for i in items]
    for value in made:
        visit(value, ONE)
    fx.drop(*made)


def _filtered(
    fx: FunctionContext, reg: int, inner: ir.Source, where: ir.Expr | None, visit: Visit, cost: int
) -> None:
    if where is None:
        fx.each(inner, visit, cost)
        return

    def one(value: Value, n: Value) -> None:
        with fx.reg(reg, value):
            known = const_eval.constant(fx, where)
            if known == 0:
                return
            if known is None:
                fx.num(where)
        if known is None:
            fx.b.when()
        visit(value, n)
        if known is None:
            fx.b.end()

    fx.each(inner, one, cost + node_count(where))


def _prefix(fx: FunctionContext, reg: int, inner: ir.Source, where: ir.Expr, visit: Visit, cost: int) -> None:
    out = fx.b.block()

    def one(value: Value, n: Value) -> None:
        with fx.reg(reg, value):
            fx.num(where)
        fx.b.op("i32.eqz")
        fx.b.br_if(out)
        visit(value, n)

    fx.each(inner, one, cost + node_count(where))
    fx.b.end()


def _linked(
    fx: FunctionContext, links: tuple[tuple[int, ...], ...], index: ir.Expr, lo: int, visit: Visit, cost: int
) -> None:
    known = const_eval.constant(fx, index)
    if known is not None and 0 <= known - lo < len(links):
        _values(fx, links[known - lo], visit, cost)
        return
    b = fx.b
    starts: list[int] = [0]
    flat: list[int] = []
    for row in links:
        flat.extend(row)
        starts.append(len(flat))
    table, where = fx.builder.table(flat or (0,)), fx.builder.table(starts)
    with b.borrowed(I32, I32, I32) as (i, last, v):
        span = fx.num(index)
        addresses.within(fx, span, lo, lo + len(links) - 1)
        b.i32(lo)
        b.op("i32.sub")
        b.i32(2)
        b.op("i32.shl")
        b.tee(i)
        b.load(where + 4)
        b.i32(1)
        b.op("i32.sub")
        b.set(last)
        b.get(i)
        b.load(where)
        b.set(i)
        with loops.counting(fx, InLocal(i, WIDE), InLocal(last, WIDE)) as at:
            fx.put(at)
            addresses.look_up(fx, table)
            b.set(v)
            visit(InLocal(v, (min(flat, default=0), max(flat, default=0))), ONE)


def _others(fx: FunctionContext, me: ir.Expr, seats: int, visit: Visit) -> None:
    b = fx.b
    mine = const_eval.operand(fx, me)
    with loops.counting(fx, Constant(0), Constant(seats - 1)) as value:
        fx.put(value)
        fx.put(mine)
        b.op("i32.ne")
        b.when()
        visit(value, ONE)
        b.end()
    fx.drop(mine)

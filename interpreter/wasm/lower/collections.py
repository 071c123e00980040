"""Collections: the interval of their values, and loops over them."""

from __future__ import annotations

from contextlib import nullcontext
from typing import assert_never

from interpreter import ir
from interpreter.ir.visit import node_count
from interpreter.wasm.abi import MOST_WORK
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, STACK_64, Operand, Variable, const, select
from interpreter.wasm.lower import addresses, const_eval, loops, piece_loops
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.loops import UNROLLED, UNROLLED_ON_BOARDS
from interpreter.wasm.lower.values import ONE, WIDE, Constant, InLocal, Interval, Value


def domain(fx: FunctionContext, source: ir.Source) -> Interval:
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
        case ir.Filtered(source=inner) | ir.Prefix(source=inner) | ir.Ranked(source=inner):
            return fx.domain(inner)
        case ir.Joined(parts=parts):
            spans = [fx.domain(p) for p in parts]
            return (min((x for x, _ in spans), default=0), max((y for _, y in spans), default=0))
        case ir.Either(then=then, otherwise=otherwise):
            x, y = fx.domain(then), fx.domain(otherwise)
            return (min(x[0], y[0]), max(x[1], y[1]))
        case ir.Linked(links=links):
            return fx.builder.links(links).span or (0, 0)
        case ir.Others(seats=seats):
            return (0, seats - 1)
        case ir.Bits(lo=lo, size=size):
            return (lo, lo + size - 1)
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
        case ir.Prefix(until=True):
            _until(fx, source, visit, cost)
        case ir.Prefix(reg=reg, source=inner, where=where):
            _prefix(fx, reg, inner, where, visit, cost)
        case ir.Ranked():
            _ranked(fx, source, visit)
        case ir.Joined(parts=parts):
            for part in parts:
                fx.each(part, visit, cost)
        case ir.Either(condition=condition, then=then, otherwise=otherwise):
            fx.num(condition)
            with fx.b.if_(STACK):
                fx.each(then, visit, cost)
                fx.b.otherwise()
                fx.each(otherwise, visit, cost)
        case ir.Linked(links=links, index=index, lo=lo):
            _linked(fx, links, index, lo, visit, cost)
        case ir.Others(me=me, seats=seats):
            _others(fx, me, seats, visit)
        case ir.Bits():
            _bits(fx, source, visit)
        case ir.Spread():
            _flood(fx, source, visit)
        case _:
            assert_never(source)


def _values(fx: FunctionContext, values: tuple[int, ...], visit: Visit, cost: int) -> None:
    most = UNROLLED_ON_BOARDS if fx.builder.boards else UNROLLED
    if loops.is_written_out(fx, len(values), cost, most):
        with loops.written_out(fx, max(1, len(values))):
            for value in values:
                visit(Constant(value), ONE)
        return
    b = fx.b
    if values == tuple(range(values[0], values[-1] + 1)):
        with loops.counting(fx, Constant(values[0]), Constant(values[-1])) as each:
            visit(each, ONE)
        return
    table = fx.builder.table(values)
    with loops.counting(fx, Constant(0), Constant(len(values) - 1)) as i, b.temporaries(I32) as (v,):
        b.assign(v, i.operand.entry_of(table))
        visit(InLocal(v, (min(values), max(values))), ONE)


def _between(fx: FunctionContext, low: ir.Expr, high: ir.Expr, visit: Visit) -> None:
    b = fx.b
    lo, hi = const_eval.operand(fx, low), const_eval.operand(fx, high)
    if hi.span[1] - lo.span[0] > 64:
        with b.temporaries(I32) as (n,):
            b.assign(n, hi.operand - lo.operand)
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
        with fx.b.if_(STACK) if known is None else nullcontext():
            visit(value, n)

    fx.each(inner, one, cost + node_count(where))


def _prefix(fx: FunctionContext, reg: int, inner: ir.Source, where: ir.Expr, visit: Visit, cost: int) -> None:
    out = fx.b.block()

    def one(value: Value, n: Value) -> None:
        with fx.reg(reg, value):
            fx.num(where)
        fx.b.br_if(out, STACK.eqz())
        visit(value, n)

    fx.each_in_order(inner, one, cost + node_count(where))
    fx.b.end()


def _until(fx: FunctionContext, source: ir.Prefix, visit: Visit, cost: int) -> None:
    out = fx.b.block()

    def one(value: Value, n: Value) -> None:
        with fx.b.temporaries(I32) as (last,):
            with fx.reg(source.reg, value):
                fx.evaluate(last, source.where)
            visit(value, n)
            fx.b.br_if(out, last)

    fx.each_in_order(source.source, one, cost + node_count(source.where))
    fx.b.end()


def _linked(
    fx: FunctionContext, links: tuple[tuple[int, ...], ...], index: ir.Expr, lo: int, visit: Visit, cost: int
) -> None:
    known = const_eval.constant(fx, index)
    if known is not None and 0 <= known - lo < len(links):
        _values(fx, links[known - lo], visit, cost)
        return
    b = fx.b
    tables = fx.builder.link_tables(links)
    with b.temporaries(I32, I32, I32) as (i, last, v):
        span = fx.num(index)
        addresses.within(fx, span, lo, lo + len(links) - 1)
        b.assign(last, i.tee(STACK - lo << 2).load(tables.starts + 4) - 1)
        b.assign(i, i.load(tables.starts))
        with loops.counting(fx, InLocal(i, WIDE), InLocal(last, WIDE)) as at:
            b.assign(v, at.operand.entry_of(tables.targets))
            visit(InLocal(v, tables.span), ONE)


def _others(fx: FunctionContext, me: ir.Expr, seats: int, visit: Visit) -> None:
    mine = const_eval.operand(fx, me)
    with (
        loops.counting(fx, Constant(0), Constant(seats - 1)) as value,
        fx.b.if_(value.operand.ne(mine.operand)),
    ):
        visit(value, ONE)
    fx.drop(mine)


def _bits(fx: FunctionContext, source: ir.Bits, visit: Visit) -> None:
    """Emits `visit` for each value of a set; its words are read before the first of them."""
    b = fx.b
    held = [const_eval.operand(fx, word) for word in source.words]
    if all(isinstance(word, Constant) and not word.value for word in held):
        return
    with b.temporaries(I32, I32, I32) as (left, value, at):
        b.assign(at, 0)
        with b.until(at.ge_s(len(held))):
            fx.nesting += 1
            b.push(held[-1].operand)
            for number in reversed(range(len(held) - 1)):
                with b.temporaries(I32) as (later,):
                    b.assign(later, STACK)
                    b.push(select(held[number].operand, later, at.eq(number)))
            b.assign(left, STACK)
            if fx.nesting > 1:
                loops.spend(fx, Constant(32), MOST_WORK)
            with b.until(left.eqz()):
                b.assign(value, left.ctz() + (at << 5) + source.lo)
                b.assign(left, left & left - 1)
                visit(InLocal(value, (source.lo, source.lo + source.size - 1)), ONE)
            b.assign(at, at + 1)
            fx.nesting -= 1
    fx.drop(*held)


# ---- by keys


def _ranked(fx: FunctionContext, source: ir.Ranked, visit: Visit) -> None:
    """Rounds over the collection: each finds the best of what comes behind the one found before."""
    b = fx.b
    fresh, best, last = (b.variables(*(I32 for _ in source.keys)) for _ in range(3))
    with b.temporaries(*(I32,) * 6) as (v, n, before, begun, found, left):
        b.assign(begun, 0)
        b.assign(before, 0)
        for key in last:
            b.assign(key, 0)
        if source.number is None:
            b.assign(left, 1)
        else:
            fx.evaluate(left, source.number)

        def keep_if_best(value: Value, times: Value) -> None:
            with fx.reg(source.reg, value):
                if source.where is not None:
                    fx.num(source.where)
                with b.if_(STACK) if source.where is not None else nullcontext():
                    for key, new in zip(source.keys, fresh, strict=True):
                        fx.evaluate(new, key)
                    _push_precedes(fx, source, (last, before), (fresh, value.operand))
                    with b.if_(STACK | begun.eqz()):
                        with b.if_(found & value.operand.eq(v)):
                            b.assign(n, n + times.operand)
                        _push_precedes(fx, source, (fresh, value.operand), (best, v))
                        with b.if_(STACK | found.eqz()):
                            for new, old in zip(fresh, best, strict=True):
                                b.assign(old, new)
                            b.assign(v, value.operand)
                            b.assign(n, times.operand)
                            b.assign(found, 1)

        with b.until(left.le_s(0)):
            fx.nesting += 1
            b.assign(found, 0)
            fx.each(source.source, keep_if_best, node_count((source.where, *source.keys)) + 30)
            if source.number is None:
                for new, old in zip(best, last, strict=True):
                    b.assign(found, found & (begun.eqz() | new.eq(old)))
            b.assign(left, select(left, const(0), found))
            with b.if_(found):
                b.assign(before, v)
                b.assign(begun, 1)
                for new, old in zip(best, last, strict=True):
                    b.assign(old, new)
                if source.number is not None:
                    b.assign(n, select(n, left, n.lt_s(left)))
                    b.assign(left, left - n)
                visit(InLocal(v, fx.domain(source.source)), InLocal(n, (1, WIDE[1])))
            fx.nesting -= 1
    b.release(*fresh, *best, *last)


def _push_precedes(
    fx: FunctionContext,
    source: ir.Ranked,
    one: tuple[list[Variable], Operand],
    other: tuple[list[Variable], Operand],
) -> None:
    """Leaves whether a value with its keys comes before another one."""
    b = fx.b
    out = b.block(I32)
    for x, y in zip(one[0], other[0], strict=True):
        with b.if_(x.ne(y)):
            b.push(x.gt_s(y) if source.highest else x.lt_s(y))
            b.br(out)
    b.push(one[1].lt_s(other[1]))
    b.end()


# ---- what can be reached


def _flood(fx: FunctionContext, source: ir.Spread, visit: Visit) -> None:
    """Emits `visit` for every place that can be reached: breadth first, then in the order of places.

    marks[v] = 1 for each v that may be gone through; a queue holds those reached, whose marks are 2. Nothing
    of a flood lies in the scratch while its places are visited: visits may put things there, and may leave
    the loop.
    """
    b, top, size = fx.b, global_("top"), len(source.links)
    links = fx.builder.link_tables(source.links)
    with b.temporaries(*(I32,) * 6) as (marks, queue, head, tail, i, last):
        b.assign(top, queue.tee(marks.tee(top) + (size + 15) // 16 * 16) + (4 * size + 16))
        b.fill(marks, 0, size)
        fx.each(source.through, lambda v, _: _mark(fx, marks, source.lo, v, 1), 10)
        b.assign(tail, head.tee(queue))
        fx.each(source.start, lambda v, _: _reach(fx, marks, source.lo, v, tail), 20)
        with b.until(head.ge_u(tail)):
            b.assign(last, i.tee(head.load() << 2).load(links.starts + 4))
            b.assign(i, i.load(links.starts))
            b.assign(head, head + 4)
            with b.until(i.ge_s(last)):
                with b.temporaries(I32) as (v,):
                    b.assign(v, i.entry_of(links.targets))
                    _reach(fx, marks, source.lo, InLocal(v, WIDE), tail)
                b.assign(i, i + 1)
        bits = b.variables(*(I64 for _ in range(0, size, 64)))
        for number, word in enumerate(bits):
            _pack(fx, marks, 64 * number, min(64, size - 64 * number), word)
        b.assign(top, marks)
    _each_reached(fx, source, bits, visit)
    b.release(*bits)


def _each_reached(fx: FunctionContext, source: ir.Spread, bits: list[Variable], visit: Visit) -> None:
    """Emits `visit` for each place whose bit is set."""
    b, size = fx.b, len(source.links)
    with loops.counting(fx, Constant(0), Constant(size - 1)) as index, b.temporaries(I32) as (v,):
        at = index.operand
        _push_word_at(fx, bits, at)
        with b.if_((STACK_64 >> at.widened()).wrapped() & 1):
            b.assign(v, at + source.lo)
            visit(InLocal(v, (source.lo, source.lo + size - 1)), ONE)


def _pack(fx: FunctionContext, marks: Variable, first: int, size: int, word: Variable) -> None:
    """`word` becomes the set of the places from `first` on that have been reached."""
    b = fx.b
    b.assign(word, 0)
    with loops.counting(fx, Constant(0), Constant(size - 1)) as index:
        at = index.operand
        b.assign(word, word | ((marks + at).load8(first) >> 1).widened() << at.widened())


def _push_word_at(fx: FunctionContext, bits: list[Variable], at: Operand) -> None:
    """Leaves the one of some words in which a bit lies."""
    b = fx.b
    b.push(bits[-1])
    for number in reversed(range(len(bits) - 1)):
        with b.temporaries(I64) as (later,):
            b.assign(later, STACK)
            b.push(select(bits[number], later, at.lt_u(64 * (number + 1))))


def _mark(fx: FunctionContext, marks: Variable, lo: int, value: Value, byte: int) -> None:
    fx.b.write(marks + value.operand - lo, byte, 0, "i32.store8")


def _reach(fx: FunctionContext, marks: Variable, lo: int, value: Value, tail: Variable) -> None:
    """A place that is marked 1 becomes 2 and goes to the queue's tail."""
    b = fx.b
    with b.if_((marks + value.operand - lo).load8().eq(1)):
        _mark(fx, marks, lo, value, 2)
        b.write(tail, value.operand - lo)
        b.assign(tail, tail + 4)

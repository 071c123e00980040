"""Collections to loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

from interpreter import machine as m
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.faults import MOST_WORK, TOO_MUCH
from interpreter.wasm.numbers import WIDE, Held, Known, Numbers, Span, Value, weight
from interpreter.wasm.plan import GLOBAL

Visit = Callable[[Value, Value], None]
"""Emits what is done with a value and how often it stands in the collection."""

UNROLLED = 240
"""The most parts that a loop may come to when it is written out."""
UNROLLED_ON_BOARDS = 720
"""The same where there are bit boards: known places are read off them together."""
ONE = Known(1)


class Sources(Numbers):
    """Loops over collections, in the order of the reference executor."""

    def domain(self, source: m.Source) -> Span:
        """An interval that holds every value of a collection."""
        match source:
            case m.Values(values=values):
                return (min(values, default=0), max(values, default=0))
            case m.Between(low=low, high=high):
                return (self.bound(low)[0], self.bound(high)[1])
            case m.Listed(items=items):
                spans = [self.bound(i) for i in items]
                return (min((x for x, _ in spans), default=0), max((y for _, y in spans), default=0))
            case m.Pieces(first=first, of=of, at=at, classes=classes):
                return (first * classes, (first + of.size * at.size) * classes - 1)
            case m.Classed(classes=classes):
                return (0, classes - 1)
            case m.Filtered(source=inner) | m.Prefix(source=inner):
                return self.domain(inner)
            case m.Joined(parts=parts):
                spans = [self.domain(p) for p in parts]
                return (min((x for x, _ in spans), default=0), max((y for _, y in spans), default=0))
            case m.Either(then=then, otherwise=otherwise):
                x, y = self.domain(then), self.domain(otherwise)
                return (min(x[0], y[0]), max(x[1], y[1]))
            case m.Linked(links=links):
                found = [v for row in links for v in row]
                return (min(found, default=0), max(found, default=0))
            case m.Others(seats=seats):
                return (0, seats - 1)
            case m.Spread(links=links, lo=lo):
                return (lo, lo + len(links) - 1)
        assert_never(source)

    def bound(self, e: m.Expr) -> Span:
        """The interval of an expression, found by emitting it in vain."""
        b = self.b
        length, depth = len(b.code), b.depth
        span = self.num(e)
        del b.code[length:]
        b.depth = depth
        return span

    # ---- loops

    def each(self, source: m.Source, visit: Visit, cost: int = 0) -> None:
        """A loop over a collection; `cost` is about how many parts `visit` emits."""
        match source:
            case m.Values(values=values):
                self._values(values, visit, cost)
            case m.Between(low=low, high=high):
                self._between(low, high, visit)
            case m.Listed(items=items):
                self._listed(items, visit)
            case m.Pieces():
                self._pieces(source, visit, cost, classed=False)
            case m.Classed(source=inner, classes=classes):
                self._classed(inner, classes, visit, cost)
            case m.Filtered(reg=reg, source=inner, where=where):
                self._filtered(reg, inner, where, visit, cost)
            case m.Prefix(reg=reg, source=inner, where=where):
                self._prefix(reg, inner, where, visit, cost)
            case m.Joined(parts=parts):
                for part in parts:
                    self.each(part, visit, cost)
            case m.Either(condition=condition, then=then, otherwise=otherwise):
                self.num(condition)
                self.b.when()
                self.each(then, visit, cost)
                self.b.otherwise()
                self.each(otherwise, visit, cost)
                self.b.end()
            case m.Linked(links=links, index=index, lo=lo):
                self._linked(links, index, lo, visit, cost)
            case m.Others(me=me, seats=seats):
                self._others(me, seats, visit)
            case m.Spread():
                self._spread(source, visit)
            case _:
                assert_never(source)

    def _values(self, values: tuple[int, ...], visit: Visit, cost: int) -> None:
        if len(values) * max(1, cost) <= (UNROLLED_ON_BOARDS if self.plan.boards else UNROLLED):
            for value in values:
                visit(Known(value), ONE)
            return
        b = self.b
        if values == tuple(range(values[0], values[-1] + 1)):
            with self.counting(Known(values[0]), Known(values[-1])) as each:
                visit(each, ONE)
            return
        table = self.plan.table(values)
        with self.counting(Known(0), Known(len(values) - 1)) as i, b.borrowed(I32) as (v,):
            self.put(i)
            self.look_up(table)
            b.set(v)
            visit(Held(v, (min(values), max(values))), ONE)

    @contextmanager
    def counting(self, first: Value, last: Value) -> Iterator[Held]:
        """The block's code for each number from `first` to `last`."""
        b = self.b
        with b.borrowed(I32) as (i,):
            self.put(first)
            b.set(i)
            out = b.block()
            again = b.loop()
            b.get(i)
            self.put(last)
            b.op("i32.gt_s")
            b.br_if(out)
            yield Held(i, (first.span[0], last.span[1]))
            b.get(i)
            b.i32(1)
            b.op("i32.add")
            b.set(i)
            b.br(again)
            b.end()
            b.end()

    def _between(self, low: m.Expr, high: m.Expr, visit: Visit) -> None:
        b = self.b
        lo, hi = self.held(low), self.held(high)
        if hi.span[1] - lo.span[0] > 64:
            with b.borrowed(I32) as (n,):
                self.put(hi)
                self.put(lo)
                b.op("i32.sub")
                b.set(n)
                self.spend(Held(n, WIDE), MOST_WORK)
        with self.counting(lo, hi) as value:
            visit(value, ONE)
        self.drop(lo, hi)

    def spend(self, amount: Held, most: int) -> None:
        """Takes from the work that is left; too much of it is a fault."""
        b, fuel = self.b, GLOBAL["fuel"]
        b.get(amount.local)
        b.i32(0)
        b.op("i32.gt_s")
        b.when()
        b.gget(fuel)
        b.get(amount.local)
        b.op("i32.sub")
        b.gset(fuel)
        b.gget(fuel)
        b.i32(0)
        b.op("i32.lt_s")
        b.get(amount.local)
        b.i32(most)
        b.op("i32.gt_s", "i32.or")
        b.when()
        self.fault(TOO_MUCH)
        b.end()
        b.end()

    def _listed(self, items: tuple[m.Expr, ...], visit: Visit) -> None:
        made = [self.held(i) for i in items]
        for value in made:
            visit(value, ONE)
        self.drop(*made)

    def _filtered(self, reg: int, inner: m.Source, where: m.Expr | None, visit: Visit, cost: int) -> None:
        if where is None:
            self.each(inner, visit, cost)
            return

        def one(value: Value, n: Value) -> None:
            with self.reg(reg, value):
                known = self.constant(where)
                if known == 0:
                    return
                if known is None:
                    self.num(where)
            if known is None:
                self.b.when()
            visit(value, n)
            if known is None:
                self.b.end()

        self.each(inner, one, cost + weight(where))

    def _prefix(self, reg: int, inner: m.Source, where: m.Expr, visit: Visit, cost: int) -> None:
        out = self.b.block()

        def one(value: Value, n: Value) -> None:
            with self.reg(reg, value):
                self.num(where)
            self.b.op("i32.eqz")
            self.b.br_if(out)
            visit(value, n)

        self.each(inner, one, cost + weight(where))
        self.b.end()

    def _linked(
        self, links: tuple[tuple[int, ...], ...], index: m.Expr, lo: int, visit: Visit, cost: int
    ) -> None:
        known = self.constant(index)
        if known is not None and 0 <= known - lo < len(links):
            self._values(links[known - lo], visit, cost)
            return
        b = self.b
        starts: list[int] = [0]
        flat: list[int] = []
        for row in links:
            flat.extend(row)
            starts.append(len(flat))
        table, where = self.plan.table(flat or (0,)), self.plan.table(starts)
        with b.borrowed(I32, I32, I32) as (i, last, v):
            span = self.num(index)
            self.within(span, lo, lo + len(links) - 1)
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
            with self.counting(Held(i, WIDE), Held(last, WIDE)) as at:
                self.put(at)
                self.look_up(table)
                b.set(v)
                visit(Held(v, (min(flat, default=0), max(flat, default=0))), ONE)

    def _others(self, me: m.Expr, seats: int, visit: Visit) -> None:
        b = self.b
        mine = self.held(me)
        with self.counting(Known(0), Known(seats - 1)) as value:
            self.put(value)
            self.put(mine)
            b.op("i32.ne")
            b.when()
            visit(value, ONE)
            b.end()
        self.drop(mine)

    # ---- pieces

    def _classed(self, inner: m.Source, classes: int, visit: Visit, cost: int) -> None:
        if isinstance(inner, m.Pieces) and inner.classes == classes:
            self._pieces(inner, visit, cost, classed=True)
            return
        b = self.b

        def one(value: Value, n: Value) -> None:
            if isinstance(value, Known):
                visit(Known(value.value % classes), n)
                return
            with b.borrowed(I32) as (c,):
                self.put(value)
                b.i32(classes)
                b.op("i32.rem_u")
                b.set(c)
                visit(Held(c, (0, classes - 1)), n)

        self.each(inner, one, cost + 3)

    def axis(self, axis: m.Indices, visit: Callable[[Value], None]) -> None:
        """Emits `visit` for each index of an axis, counted from 0."""
        b = self.b
        if axis.one is None and axis.many is None:
            if axis.size <= 2:
                for i in range(axis.size):
                    visit(Known(i))
                return
            with self.counting(Known(0), Known(axis.size - 1)) as index:
                visit(index)
        elif axis.one is not None:
            known = self.constant(axis.one)
            if known is not None and 0 <= known - axis.lo < axis.size:
                visit(Known(known - axis.lo))
                return
            with b.borrowed(I32) as (i,):
                span = self.num(axis.one)
                self.within(span, axis.lo, axis.lo + axis.size - 1)
                if axis.lo:
                    b.i32(axis.lo)
                    b.op("i32.sub")
                b.set(i)
                visit(Held(i, (0, axis.size - 1)))
        else:
            assert axis.many is not None
            self.each(axis.many, lambda v, _: self._in_axis(axis, v, visit), 20)

    def _in_axis(self, axis: m.Indices, value: Value, visit: Callable[[Value], None]) -> None:
        b = self.b
        with b.borrowed(I32) as (i,):
            self.put(value)
            if axis.lo:
                b.i32(axis.lo)
                b.op("i32.sub")
            b.tee(i)
            b.i32(axis.size)
            b.op("i32.lt_u")
            b.when()
            visit(Held(i, (0, axis.size - 1)))
            b.end()

    def places(self, node: m.Pieces, visit: Callable[[Value], None]) -> None:
        """Emits `visit` for each place of an address, counted from the zone's first."""

        def both(i: Value, j: Value) -> None:
            if isinstance(i, Known) and isinstance(j, Known):
                visit(Known(i.value * node.at.size + j.value))
                return
            b = self.b
            with b.borrowed(I32) as (k,):
                self.put(i)
                b.i32(node.at.size)
                b.op("i32.mul")
                self.put(j)
                b.op("i32.add")
                b.set(k)
                visit(Held(k, (0, node.of.size * node.at.size - 1)))

        self.axis(node.of, lambda i: self.axis(node.at, lambda j: both(i, j)))

    def base_of(self, node: m.Pieces, k: Value) -> tuple[int, int, bool]:
        """A local with an address, and what to add to it, for the first word of the k-th place of a zone.

        The last says whether the local is to be released.
        """
        places, b = self.mc.places, self.b
        stride = self.stride(node.first, node.first + node.of.size * node.at.size - 1)
        assert stride is not None
        if isinstance(k, Known):
            return self.s, 4 * places[node.first + k.value].base, False
        at = b.local()
        b.get(self.s)
        b.get(k.local)
        b.i32(4 * stride)
        b.op("i32.mul", "i32.add")
        b.set(at)
        return at, 4 * places[node.first].base, True

    def _pieces(self, node: m.Pieces, visit: Visit, cost: int, classed: bool) -> None:
        self.places(node, lambda k: self._place(node, k, visit, cost, classed))

    def _place(self, node: m.Pieces, k: Value, visit: Visit, cost: int, classed: bool) -> None:
        b = self.b
        place = self.mc.places[node.first]
        at, offset, mine = self.base_of(node, k)

        def found(class_: Value, n: Value) -> None:
            self._piece(node, k, class_, n, visit, classed)

        match place.kind:
            case m.SLOT:
                with b.borrowed(I32) as (c,):
                    b.get(at)
                    b.load(offset)
                    b.tee(c)
                    b.when()
                    b.get(c)
                    b.i32(1)
                    b.op("i32.sub")
                    b.set(c)
                    found(Held(c, (0, node.classes - 1)), ONE)
                    b.end()
            case m.COUNTS:
                self._counts(at, offset, node.classes, found, cost)
            case m.ORDERED:
                self._ordered(at, offset, node.classes, found)
            case _:
                with b.borrowed(I32) as (n,):
                    b.get(at)
                    b.load(offset)
                    b.tee(n)
                    b.when()
                    found(Known(0), Held(n, (1, WIDE[1])))
                    b.end()
        if mine:
            b.release(at)

    def _counts(self, at: int, offset: int, classes: int, found: Visit, cost: int) -> None:
        b = self.b
        with b.borrowed(I32) as (n,):
            if classes * (cost + 6) <= UNROLLED:
                for c in range(classes):
                    b.get(at)
                    b.load(offset + 4 * c)
                    b.tee(n)
                    b.when()
                    found(Known(c), Held(n, (1, WIDE[1])))
                    b.end()
                return
            with self.counting(Known(0), Known(classes - 1)) as c_:
                b.get(at)
                b.get(c_.local)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.load(offset)
                b.tee(n)
                b.when()
                found(c_, Held(n, (1, WIDE[1])))
                b.end()

    def _ordered(self, at: int, offset: int, classes: int, found: Visit) -> None:
        b = self.b
        with b.borrowed(I32, I32, I32) as (p, last, c):
            b.get(at)
            b.tee(p)
            b.get(at)
            b.load(offset)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.set(last)
            out = b.block()
            again = b.loop()
            b.get(p)
            b.get(last)
            b.op("i32.ge_u")
            b.br_if(out)
            b.get(p)
            b.load(offset + 4)
            b.i32(1)
            b.op("i32.sub")
            b.set(c)
            b.get(p)
            b.i32(4)
            b.op("i32.add")
            b.set(p)
            found(Held(c, (0, classes - 1)), ONE)
            b.br(again)
            b.end()
            b.end()

    def _piece(self, node: m.Pieces, k: Value, class_: Value, n: Value, visit: Visit, classed: bool) -> None:
        """Calls `visit` with the class, or with the piece: place times classes plus class."""
        b, first, classes = self.b, node.first, node.classes
        if classed:
            visit(class_, n)
            return
        if isinstance(k, Known) and isinstance(class_, Known):
            visit(Known((first + k.value) * classes + class_.value), n)
            return
        span = self.domain(node)
        with b.borrowed(I32) as (ref,):
            if isinstance(k, Known):
                b.i32((first + k.value) * classes)
            else:
                b.get(k.local)
                b.i32(classes)
                b.op("i32.mul")
                b.i32(first * classes)
                b.op("i32.add")
            self.put(class_)
            b.op("i32.add")
            b.set(ref)
            visit(Held(ref, span), n)

    # ---- what can be reached

    def _spread(self, source: m.Spread, visit: Visit) -> None:
        """A flood: places reached are marked in scratch bytes and wait there for their neighbours' turn."""
        b, top = self.b, GLOBAL["top"]
        size = len(source.links)
        starts: list[int] = [0]
        flat: list[int] = []
        for row in source.links:
            flat.extend(row)
            starts.append(len(flat))
        table, where = self.plan.table(flat or (0,)), self.plan.table(starts)
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
            self.each(source.through, lambda v, _: self._mark(marks, source.lo, v, 1), 10)
            b.get(queue)
            b.tee(head)
            b.set(tail)
            self.each(source.start, lambda v, _: self._reach(marks, source.lo, v, tail), 20)
            out = b.block()
            again = b.loop()
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
            b.get(head)
            b.i32(4)
            b.op("i32.add")
            b.set(head)
            inner_out = b.block()
            inner = b.loop()
            b.get(i)
            b.get(last)
            b.op("i32.ge_s")
            b.br_if(inner_out)
            with b.borrowed(I32) as (v,):
                b.get(i)
                self.look_up(table)
                b.set(v)
                self._reach(marks, source.lo, Held(v, WIDE), tail)
            b.get(i)
            b.i32(1)
            b.op("i32.add")
            b.set(i)
            b.br(inner)
            b.end()
            b.end()
            b.br(again)
            b.end()
            b.end()
            bits = [b.local(I64) for _ in range(0, size, 64)]
            for word, local in enumerate(bits):
                self._packed(marks, 64 * word, min(64, size - 64 * word), local)
            b.get(marks)
            b.gset(top)
        with self.counting(Known(0), Known(size - 1)) as at, b.borrowed(I32) as (v,):
            self._word_at(bits, at.local)
            b.get(at.local)
            b.op("i64.extend_i32_u", "i64.shr_u", "i32.wrap_i64")
            b.i32(1)
            b.op("i32.and")
            b.when()
            b.get(at.local)
            b.i32(source.lo)
            b.op("i32.add")
            b.set(v)
            visit(Held(v, (source.lo, source.lo + size - 1)), ONE)
            b.end()
        b.release(*bits)

    def _packed(self, marks: int, first: int, size: int, bits: int) -> None:
        """A bit for each of the places from `first` on that has been reached.

        Nothing of a flood lies in the scratch while its places are visited: visits may put things there,
        and may leave the loop.
        """
        b = self.b
        b.i64(0)
        b.set(bits)
        with self.counting(Known(0), Known(size - 1)) as at:
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

    def _word_at(self, bits: list[int], at: int) -> None:
        """Leaves the one of some words in which a bit lies."""
        b = self.b
        b.get(bits[-1])
        for word in reversed(range(len(bits) - 1)):
            with b.borrowed(I64) as (later,):
                b.set(later)
                b.get(bits[word])
                b.get(later)
                b.get(at)
                b.i32(64 * (word + 1))
                b.op("i32.lt_u", "select")

    def _mark(self, marks: int, lo: int, value: Value, byte: int) -> None:
        b = self.b
        b.get(marks)
        self.put(value)
        b.op("i32.add")
        b.i32(lo)
        b.op("i32.sub")
        b.i32(byte)
        b.code += b"\x3a\x00\x00"

    def _reach(self, marks: int, lo: int, value: Value, tail: int) -> None:
        """A place that is marked 1 becomes 2 and waits at the queue's tail."""
        b = self.b
        b.get(marks)
        self.put(value)
        b.op("i32.add")
        b.i32(lo)
        b.op("i32.sub")
        b.mem("i32.load8_u")
        b.i32(1)
        b.op("i32.eq")
        b.when()
        self._mark(marks, lo, value, 2)
        b.get(tail)
        self.put(value)
        b.i32(lo)
        b.op("i32.sub")
        b.store()
        b.get(tail)
        b.i32(4)
        b.op("i32.add")
        b.set(tail)
        b.end()

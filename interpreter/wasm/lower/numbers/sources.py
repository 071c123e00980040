"""Collections to loops."""

from __future__ import annotations

from typing import assert_never

from interpreter import machine as m
from interpreter.machine.visit import size as weight
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.faults import MOST_WORK
from interpreter.wasm.lower.numbers.floods import Floods
from interpreter.wasm.lower.numbers.loops import UNROLLED, UNROLLED_ON_BOARDS, Visit
from interpreter.wasm.lower.numbers.values import ONE, WIDE, Held, Known, Span, Value


class Sources(Floods):
    """Adds loops over every collection, in the order of the reference executor."""

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

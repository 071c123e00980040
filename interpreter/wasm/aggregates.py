"""What is asked of collections: whether there is any, how many, which is best."""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.faults import OVERFLOW
from interpreter.wasm.masks import Masks, Range
from interpreter.wasm.numbers import TRUTH, WIDE, Held, Span, Thought, Value, weight
from interpreter.wasm.plan import GLOBAL
from interpreter.wasm.sources import ONE, Visit


class Aggregates(Masks):
    """Emits folds, the best of a collection, and membership."""

    def logic(self, e: m.Op) -> Span:
        if e.op == "or" or not self.plan.boards:
            return super().logic(e)
        b = self.b
        rest = self.together(e)
        if rest is e:
            return super().logic(e)
        if rest is not None:
            b.when(I32)
            self.truth(rest)
            b.otherwise()
            b.i32(0)
            b.end()
        return TRUTH

    def compare(self, e: m.Op) -> Span:
        """Whether there is a best one is whether there is any."""
        if e.op in ("==", "!=") and self.constant(e.right) == NONE:
            best = self.thought(e.left)
            if isinstance(best, m.Best):
                self.fold(m.Fold("any", best.reg, best.source, best.where, None))
                if e.op == "==":
                    self.b.op("i32.eqz")
                return TRUTH
        return super().compare(e)

    def thought(self, e: m.Expr) -> m.Expr:
        """What a word of a frame that is only thought of stands for."""
        if isinstance(e, m.Local):
            value = self.slots.get(e.slot)
            if isinstance(value, Thought):
                return value.expr
        return e

    def fold(self, e: m.Fold) -> Span:
        match e.kind:
            case "any":
                return self._any(e)
            case "all":
                return self._all(e)
            case "count" | "sum":
                return self._total(e)
            case "min" | "max":
                return self._extreme(e)
            case "distinct":
                return self._distinct(e)
        assert_never(e.kind)

    def chosen(self, e: m.Fold, visit: Visit) -> None:
        """The collection's values that meet the fold's `where`, each bound to its register."""
        r = self.worthwhile(e.source, e.reg, e.where)
        if r is not None:
            bits = self.chosen_bits(e.source, e.reg, e.where, r)

            def at(value: Held) -> None:
                with self.reg(e.reg, value):
                    visit(value, ONE)

            self.each_bit(bits, r, at)
            self.free(bits)
            return
        cost = weight(e.where) + weight(e.body) + 4

        def one(value: Value, n: Value) -> None:
            with self.reg(e.reg, value), self.sharing(e.where, e.body):
                known = self.constant(e.where) if e.where is not None else 1
                if known == 0:
                    return
                if known is None:
                    assert e.where is not None
                    self.num(e.where)
                    self.b.when()
                visit(value, n)
                if known is None:
                    self.b.end()

        with self.hoisting(e.reg, e.where, e.body):
            self.each(e.source, one, cost)

    def _any(self, e: m.Fold) -> Span:
        b = self.b
        r = self.worthwhile(e.source, e.reg, e.where, once=False)
        if r is not None and isinstance(e.source, m.Spread) and e.where is not None:
            self.reaches(e.source, e.reg, e.where, r)
            return TRUTH
        if r is not None:
            bits = self.chosen_bits(e.source, e.reg, e.where, r)
            self.any_bit(bits)
            self.free(bits)
            return TRUTH
        out = b.block(I32)

        def one(_: Value, __: Value) -> None:
            b.i32(1)
            b.br(out)

        self.chosen(e, one)
        b.i32(0)
        b.end()
        return TRUTH

    def _all(self, e: m.Fold) -> Span:
        b = self.b
        assert e.body is not None
        body = e.body
        failing = m.Not(body) if e.where is None else m.Op("and", e.where, m.Not(body))
        r = self.worthwhile(e.source, e.reg, failing, once=False)
        if r is not None:
            bits = self.chosen_bits(e.source, e.reg, failing, r)
            self.any_bit(bits)
            b.op("i32.eqz")
            self.free(bits)
            return TRUTH
        out = b.block(I32)

        def one(_: Value, __: Value) -> None:
            self.num(body)
            b.op("i32.eqz")
            b.when()
            b.i32(0)
            b.br(out)
            b.end()

        self.chosen(e, one)
        b.i32(1)
        b.end()
        return TRUTH

    def _total(self, e: m.Fold) -> Span:
        """The sum is kept in 64 bits, which no sum of so few numbers leaves."""
        b = self.b
        counted = e.kind == "count"
        r = self.worthwhile(e.source, e.reg, e.where) if counted else None
        if r is not None:
            bits = self.chosen_bits(e.source, e.reg, e.where, r)
            self.how_many(bits)
            self.free(bits)
            return (0, r.size)
        with b.borrowed(I64 if not counted else I32) as (total,):
            b.i32(0)
            if not counted:
                b.op("i64.extend_i32_s")
            b.set(total)

            def one(_: Value, n: Value) -> None:
                b.get(total)
                if counted:
                    self.put(n)
                    b.op("i32.add")
                else:
                    assert e.body is not None
                    self.num(e.body)
                    b.op("i64.extend_i32_s")
                    if n != ONE:
                        self.put(n)
                        b.op("i64.extend_i32_s", "i64.mul")
                    b.op("i64.add")
                b.set(total)

            self.chosen(e, one)
            b.get(total)
            if counted:
                return (0, WIDE[1])
            self.narrow(total)
        return WIDE

    def narrow(self, wide: int) -> None:
        """The 64-bit number on the stack, which is also in a local, becomes one of 32 bits."""
        b = self.b
        b.op("i32.wrap_i64", "i64.extend_i32_s")
        b.get(wide)
        b.op("i64.ne")
        b.when()
        self.fault(OVERFLOW)
        b.end()
        b.get(wide)
        b.op("i32.wrap_i64")

    def _extreme(self, e: m.Fold) -> Span:
        b = self.b
        assert e.body is not None
        body = e.body
        with b.borrowed(I32, I32, I32) as (best, has, v):
            b.i32(0)
            b.tee(best)
            b.set(has)

            def one(_: Value, __: Value) -> None:
                self.num(body)
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

            self.chosen(e, one)
            b.get(best)
        return WIDE

    def _distinct(self, e: m.Fold) -> Span:
        """Values seen stand in the scratch, and each new one is looked for among them."""
        b, top = self.b, GLOBAL["top"]
        assert e.body is not None
        body = e.body
        with b.borrowed(I32, I32) as (first, v):
            b.gget(top)
            b.set(first)

            def one(_: Value, __: Value) -> None:
                self.num(body)
                b.set(v)
                b.get(first)
                b.get(v)
                b.call(self.plan.function("distinct", (I32, I32), ()))

            self.chosen(e, one)
            b.gget(top)
            b.get(first)
            b.op("i32.sub")
            b.i32(2)
            b.op("i32.shr_u")
            b.get(first)
            b.gset(top)
        return (0, WIDE[1])

    def best(self, e: m.Best) -> Span:
        b = self.b
        r = self.worthwhile(e.source, e.reg, e.where, once=False)
        if r is not None and self._in_order(e, r):
            return self._first_bit(e, r)
        hi = self.domain(e.source)[1]
        keys = [b.local() for _ in e.keys]
        fresh = [b.local() for _ in e.keys]
        with b.borrowed(I32) as (found,):
            b.i32(NONE)
            b.set(found)

            def one(value: Value, _: Value) -> None:
                with self.reg(e.reg, value):
                    if e.where is not None:
                        self.num(e.where)
                        b.when()
                    for key, local in zip(e.keys, fresh, strict=True):
                        self.num(key)
                        b.set(local)
                    self._better(e, found, fresh, keys, value)
                    b.when()
                    for new, old in zip(fresh, keys, strict=True):
                        b.get(new)
                        b.set(old)
                    self.put(value)
                    b.set(found)
                    b.end()
                    if e.where is not None:
                        b.end()

            self.each(e.source, one, weight(e.where) + weight(e.keys) + 10)
            b.get(found)
        b.release(*keys, *fresh)
        return (NONE, hi)

    def _in_order(self, e: m.Best, r: Range) -> bool:
        """Whether the key is known and only rises (or, for the highest, strictly rises) with the value."""
        if len(e.keys) != 1:
            return False
        table = self.table_of(e.keys[0], e.reg, r)
        if table is None:
            return False
        if e.highest:
            return all(x < y for x, y in pairwise(table))
        return all(x <= y for x, y in pairwise(table))

    def _first_bit(self, e: m.Best, r: Range) -> Span:
        """The smallest (or greatest) value of a set, or none."""
        b = self.b
        bits = self.chosen_bits(e.source, e.reg, e.where, r)
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
        self.free(bits)
        return (NONE, r.lo + r.size - 1)

    def _better(self, e: m.Best, found: int, fresh: list[int], keys: list[int], value: Value) -> None:
        """Leaves whether there is none yet, or the new keys come before the old ones."""
        b = self.b
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
        self.put(value)
        b.get(found)
        b.op("i32.lt_s")
        b.end()

    def contains(self, item: m.Expr, source: m.Source) -> Span:
        b = self.b
        if isinstance(source, m.Values):
            return self._in_values(item, source.values)
        wanted = self.held(item)
        out = b.block(I32)

        def one(value: Value, _: Value) -> None:
            b.i32(1)
            self.put(value)
            self.put(wanted)
            b.op("i32.eq")
            b.br_if(out)
            b.op("drop")

        self.each(source, one, 4)
        b.i32(0)
        b.end()
        self.drop(wanted)
        return TRUTH

    def _in_values(self, item: m.Expr, values: tuple[int, ...]) -> Span:
        b = self.b
        if not values:
            self.num(item)
            b.op("drop")
            b.i32(0)
            return TRUTH
        lo, hi = min(values), max(values)
        wanted = self.held(item)
        self.put(wanted)
        b.i32(lo)
        b.op("i32.sub")
        b.i32(hi - lo)
        b.op("i32.le_u")
        if len(set(values)) != hi - lo + 1:
            b.when(I32)
            bits = self.plan.table(int(v in values) for v in range(lo, hi + 1))
            self.put(wanted)
            self.look_up(bits, lo)
            b.otherwise()
            b.i32(0)
            b.end()
        self.drop(wanted)
        return TRUTH

    def size(self, source: m.Source) -> Span:
        if isinstance(source, m.Prefix):
            way = self.way_of(source)
            if way is not None:
                return self.count_beginning(source, *way)
        if isinstance(source, m.Pieces) and self.mc.places[source.first].kind in (m.ORDERED, m.BLANK):
            return self._lengths(source)
        return self._total(m.Fold("count", 0, source, None, None))

    def _lengths(self, node: m.Pieces) -> Span:
        """Places that keep their own number of pieces."""
        b = self.b
        with b.borrowed(I32) as (total,):
            b.i32(0)
            b.set(total)

            def one(k: Value) -> None:
                at, offset, mine = self.base_of(node, k)
                b.get(total)
                b.get(at)
                b.load(offset)
                b.op("i32.add")
                b.set(total)
                if mine:
                    b.release(at)

            self.places(node, one)
            b.get(total)
        return (0, WIDE[1])

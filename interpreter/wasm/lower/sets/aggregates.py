"""The best of a collection, membership, and sizes."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.machine.visit import size as weight
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower.numbers.loops import FEW
from interpreter.wasm.lower.numbers.values import TRUTH, WIDE, Found, Span, Value
from interpreter.wasm.lower.sets.folds import Folds
from interpreter.wasm.lower.sets.ranges import Range


def _is_one_place(source: m.Pieces) -> bool:
    return all(
        axis.one is not None or (axis.many is None and axis.size == 1) for axis in (source.of, source.at)
    )


class Aggregates(Folds):
    """Adds what is found by going through a collection once."""

    def best(self, e: m.Best) -> Span:
        r = self.worthwhile(e.source, e.reg, e.where, once=False)
        if r is None or not self._in_order(e, r):
            return self._best_one_by_one(e)
        return self.safely(partial(self._first_bit, e, r), partial(self._best_one_by_one, e), I32)

    def _best_one_by_one(self, e: m.Best) -> Span:
        b = self.b
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

    # ---- membership

    def contains(self, item: m.Expr, source: m.Source) -> Span:
        b = self.b
        if isinstance(source, m.Values):
            return self._in_values(item, source.values)
        found = self.found(item)
        if found is not None and isinstance(source, m.Pieces) and _is_one_place(source):
            return self._lies_there(found, source)
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

    def _lies_there(self, found: Found, source: m.Pieces) -> Span:
        """Whether the one place of a source is that where a loop has come to a piece."""
        b = self.b

        def one(k: Value) -> None:
            self.put(found.place)
            self.put(k)
            if found.first != source.first:
                b.i32(source.first - found.first)
                b.op("i32.add")
            b.op("i32.eq")

        self.places(source, one)
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

    # ---- sizes

    def size(self, source: m.Source) -> Span:
        if isinstance(source, m.Prefix):
            way = self.way_of(source)
            if way is not None:
                slow = partial(self._total_one_by_one, m.Fold("count", 0, source, None, None))
                return self.safely(partial(self.count_beginning, source, *way), slow, I32)
        if isinstance(source, m.Pieces):
            words = self._numbers_kept(source)
            if words:
                return self._lengths(source, words)
        return self._total(m.Fold("count", 0, source, None, None))

    def _numbers_kept(self, node: m.Pieces) -> int:
        """How many words of each place add up to its number of pieces, if they are few; else 0."""
        match self.mc.places[node.first].kind:
            case m.ORDERED | m.BLANK:
                return 1
            case m.COUNTS:
                return node.classes if node.classes <= FEW else 0
        return 0

    def _lengths(self, node: m.Pieces, words: int) -> Span:
        """Places that keep their own number of pieces, in so many words."""
        b = self.b
        with b.borrowed(I32) as (total,):
            b.i32(0)
            b.set(total)

            def one(k: Value) -> None:
                at, offset, mine = self.base_of(node, k)
                b.get(total)
                for i in range(words):
                    b.get(at)
                    b.load(offset + 4 * i)
                    b.op("i32.add")
                b.set(total)
                if mine:
                    b.release(at)

            self.places(node, one)
            b.get(total)
        return (0, WIDE[1])

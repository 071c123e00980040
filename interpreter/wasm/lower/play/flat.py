"""Playouts that choose among complete parameters: every pair of a first and a second choice alike."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.shape import Part
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.play.whole import Whole
from interpreter.wasm.lower.sets.ranges import Bits, Range

EachPair = Callable[[Held, Bits, Range], None]
"""Emits what is done with a first value and the set of second ones that go with it."""


class Flat(Whole):
    """A whole game in which two choices that only look are made as one."""

    def _fill(
        self, number: int, node: m.Decide | m.Offer, index: int, part: Part, mask: int | None, count: int
    ) -> None:
        if isinstance(node, m.Decide) or self.pair_of(part.ways[0]) is None:
            super()._fill(number, node, index, part, mask, count)
            return
        b = self.b
        b.i32(0)
        b.set(count)

        def one(_: Held, bits: Bits, __: Range) -> None:
            b.get(count)
            self.how_many(bits)
            b.op("i32.add")
            b.set(count)

        self._pairs(node, index, part, one)

    def _pairs(self, node: m.Offer, index: int, part: Part, one: EachPair) -> None:
        """Emits `one` for each first value of a routine."""
        b, way, doing = self.b, part.ways[0], node.what[index]
        pair = self.pair_of(way)
        assert pair is not None
        assert isinstance(doing, m.DoRoutine)
        assert way.choice is not None
        first, second = self.mc.nodes[way.choice], self.mc.nodes[pair[1]]
        assert isinstance(first, m.Decide)
        assert isinstance(second, m.Decide)
        who, arguments = self.held(node.seat), [self.held(a) for a in doing.arguments]
        slots: dict[int, Value] = {m.ME: who, m.SELF: Known(NONE)}
        slots |= {m.FRAME + i: a for i, a in enumerate(arguments)}
        with self.virtual(slots):
            none = b.block()
            self._needs(way.needs, none)
            r = self.worthwhile(first.source, first.reg, first.where)
            assert r is not None
            bits = self.chosen_bits(first.source, first.reg, first.where, r)
            self.each_bit(bits, r, lambda value: self._seconds(first.slot, value, pair[0], second, one))
            self.free(bits)
            b.end()
        self.drop(who, *arguments)

    def _needs(self, needs: tuple[int, ...], failed: Label) -> None:
        for number in needs:
            need = self.mc.nodes[number]
            assert isinstance(need, m.Need)
            self.node = number
            self.num(need.condition)
            self.b.op("i32.eqz")
            self.b.br_if(failed)

    def _seconds(
        self, slot: int, value: Held, needs: tuple[int, ...], second: m.Decide, one: EachPair
    ) -> None:
        b = self.b
        with self.with_slot(slot, value):
            none = b.block()
            self._needs(needs, none)
            r = self.worthwhile(second.source, second.reg, second.where)
            assert r is not None
            bits = self.chosen_bits(second.source, second.reg, second.where, r)
            one(value, bits, r)
            self.free(bits)
            b.end()

    def _take_kth(
        self, number: int, node: m.Decide | m.Offer, index: int, part: Part, mask: int | None, k: int
    ) -> None:
        way = part.ways[0] if part.ways else None
        pair = self.pair_of(way) if way is not None else None
        if isinstance(node, m.Decide) or pair is None:
            super()._take_kth(number, node, index, part, mask, k)
            return
        b = self.b
        with b.borrowed(I32, I32, I32) as (x, y, n):
            found = b.block()

            def one(value: Held, bits: Bits, r: Range) -> None:
                self.how_many(bits)
                b.tee(n)
                b.get(k)
                b.op("i32.gt_s")
                b.when()
                b.get(value.local)
                b.set(x)
                self._kth(bits, r, k, y)
                b.br(found)
                b.end()
                b.get(k)
                b.get(n)
                b.op("i32.sub")
                b.set(k)

            self._pairs(node, index, part, one)
            b.op("unreachable")
            b.end()
            self._enter_with(node, index, part, pair[1], x, y)

    def _kth(self, bits: Bits, r: Range, k: int, to: int) -> None:
        """`to` becomes the k-th value of a set."""
        b = self.b
        done = b.block()
        for i, local in enumerate(bits):
            last = i == len(bits) - 1
            with b.borrowed(I32) as (n,):
                b.get(local)
                b.op("i64.popcnt", "i32.wrap_i64")
                b.set(n)
                here = b.block()
                if not last:
                    b.get(k)
                    b.get(n)
                    b.op("i32.ge_s")
                    b.br_if(here)
                with b.forever() as out:
                    b.get(k)
                    b.op("i32.eqz")
                    b.br_if(out)
                    b.get(local)
                    b.get(local)
                    b.i64(1)
                    b.op("i64.sub", "i64.and")
                    b.set(local)
                    b.get(k)
                    b.i32(1)
                    b.op("i32.sub")
                    b.set(k)
                b.get(local)
                b.op("i64.ctz", "i32.wrap_i64")
                b.i32(r.lo + 64 * i)
                b.op("i32.add")
                b.set(to)
                b.br(done)
                b.end()
                b.get(k)
                b.get(n)
                b.op("i32.sub")
                b.set(k)
        b.end()

    def _enter_with(self, node: m.Offer, index: int, part: Part, second: int, x: int, y: int) -> None:
        """The routine goes on with both choices made."""
        doing, way = node.what[index], part.ways[0]
        assert isinstance(doing, m.DoRoutine)
        assert way.choice is not None
        first, last = self.mc.nodes[way.choice], self.mc.nodes[second]
        assert isinstance(first, m.Decide)
        assert isinstance(last, m.Decide)
        inner = self.paths.inner[(*self.point, index, doing.routine)]
        me, arguments = self.held(node.seat), [self.held(a) for a in doing.arguments]
        values: dict[int, Value] = {m.ME: me, m.SELF: Known(NONE)}
        values |= {m.FRAME + i: a for i, a in enumerate(arguments)}
        values |= {first.slot: Held(x, WIDE), last.slot: Held(y, WIDE)}
        self.fill_frame(inner, values)
        self.drop(me, *arguments)
        self.go_to((inner, last.next))

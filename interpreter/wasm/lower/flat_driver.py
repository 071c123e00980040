"""Playouts that choose among complete parameters: every pair of a first and a second choice alike."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower import (
    bitset_conditions,
    bitset_select,
    bitsets,
    calls,
    const_eval,
    option_layouts,
)
from interpreter.wasm.lower.drivers import LocalPlayout
from interpreter.wasm.lower.values import WIDE, Bits, Constant, InLocal, Range, Value
from interpreter.wasm.option_layout import OptionPart

EachPair = Callable[[InLocal, Bits, Range], None]
"""Emits what is done with a first value and the set of second ones that go with it."""


class FlatPlayout(LocalPlayout):
    """The game plays itself to its end; two choices that only look are made as one."""

    def fill(
        self,
        number: int,
        node: ir.Decide | ir.Offer,
        index: int,
        part: OptionPart,
        mask: int | None,
        count: int,
    ) -> None:
        if isinstance(node, ir.Decide) or option_layouts.pair_of(self.fx, part.entries[0]) is None:
            super().fill(number, node, index, part, mask, count)
            return
        b = self.fx.b
        b.i32(0)
        b.set(count)

        def one(_: InLocal, bits: Bits, __: Range) -> None:
            b.get(count)
            bitsets.how_many(self.fx, bits)
            b.op("i32.add")
            b.set(count)

        self._pairs(node, index, part, one)

    def _pairs(self, node: ir.Offer, index: int, part: OptionPart, one: EachPair) -> None:
        """Emits `one` for each first value of a routine."""
        fx, entry, doing = self.fx, part.entries[0], node.what[index]
        b = fx.b
        pair = option_layouts.pair_of(fx, entry)
        assert pair is not None
        assert isinstance(doing, ir.DoRoutine)
        assert entry.choice is not None
        first, second = fx.mc.node(entry.choice, ir.Decide), fx.mc.node(pair[1], ir.Decide)
        who, arguments = (
            const_eval.operand(fx, node.seat),
            [const_eval.operand(fx, a) for a in doing.arguments],
        )
        slots: dict[int, Value] = {ir.ME: who, ir.SELF: Constant(NONE)}
        slots |= {ir.FRAME + i: a for i, a in enumerate(arguments)}
        with calls.virtual(fx, slots):
            none = b.block()
            self._needs(entry.needs, none)
            r = bitset_select.worthwhile(fx, first.source, first.reg, first.where)
            assert r is not None
            bits = bitset_conditions.chosen_bits(fx, first.source, first.reg, first.where, r)
            bitsets.each_bit(
                fx, bits, r, lambda value: self._seconds(first.slot, value, pair[0], second, one)
            )
            bitsets.free_bits(fx, bits)
            b.end()
        fx.drop(who, *arguments)

    def _needs(self, needs: tuple[int, ...], failed: Label) -> None:
        fx = self.fx
        for number in needs:
            need = fx.mc.node(number, ir.Precondition)
            fx.node = number
            fx.num(need.condition)
            fx.b.op("i32.eqz")
            fx.b.br_if(failed)

    def _seconds(
        self, slot: int, value: InLocal, needs: tuple[int, ...], second: ir.Decide, one: EachPair
    ) -> None:
        fx, b = self.fx, self.fx.b
        with calls.with_slot(fx, slot, value):
            none = b.block()
            self._needs(needs, none)
            r = bitset_select.worthwhile(fx, second.source, second.reg, second.where)
            assert r is not None
            bits = bitset_conditions.chosen_bits(fx, second.source, second.reg, second.where, r)
            one(value, bits, r)
            bitsets.free_bits(fx, bits)
            b.end()

    def take_kth(
        self, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, mask: int | None, k: int
    ) -> None:
        fx, b = self.fx, self.fx.b
        entry = part.entries[0] if part.entries else None
        pair = option_layouts.pair_of(fx, entry) if entry is not None else None
        if isinstance(node, ir.Decide) or pair is None:
            super().take_kth(number, node, index, part, mask, k)
            return
        with b.borrowed(I32, I32, I32) as (x, y, n):
            found = b.block()

            def one(value: InLocal, bits: Bits, r: Range) -> None:
                bitsets.how_many(fx, bits)
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
        b = self.fx.b
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

    def _enter_with(self, node: ir.Offer, index: int, part: OptionPart, second: int, x: int, y: int) -> None:
        """The routine goes on with both choices made."""
        fx, game = self.fx, self.game
        doing, entry = node.what[index], part.entries[0]
        assert isinstance(doing, ir.DoRoutine)
        assert entry.choice is not None
        first, last = fx.mc.node(entry.choice, ir.Decide), fx.mc.node(second, ir.Decide)
        inner = game.paths.inner[(*game.cursor.point, index, doing.routine)]
        me, arguments = (
            const_eval.operand(fx, node.seat),
            [const_eval.operand(fx, a) for a in doing.arguments],
        )
        values: dict[int, Value] = {ir.ME: me, ir.SELF: Constant(NONE)}
        values |= {ir.FRAME + i: a for i, a in enumerate(arguments)}
        values |= {first.slot: InLocal(x, WIDE), last.slot: InLocal(y, WIDE)}
        game.frames.fill_frame(inner, values)
        fx.drop(me, *arguments)
        game.go_to((inner, last.next))

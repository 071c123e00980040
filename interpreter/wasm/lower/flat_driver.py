"""Playouts that choose among complete parameters: every pair of a first and a second choice alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter import ir
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import bitset_conditions, bitset_select, bitsets, calls, option_layouts, playout
from interpreter.wasm.lower.drivers import LocalPlayout, offered_frame
from interpreter.wasm.lower.values import WIDE, Bits, InLocal, Range
from interpreter.wasm.option_layout import OptionPart

OnPairs = Callable[[InLocal, Bits, Range], None]
"""Emits what is done with a first value and the set of second ones that go with it."""


class FlatPlayout(LocalPlayout):
    """The game plays itself to its end; two choices that only look are made as one."""

    def fill(self, part: OptionPart, mask: Variable | None, count: Variable) -> None:
        if self._pair(part) is None:
            super().fill(part, mask, count)
            return
        fx, b = self.fx, self.fx.b
        b.assign(count, 0)

        def add(_: InLocal, bits: Bits, __: Range) -> None:
            b.push(count)
            bitsets.how_many(fx, bits)
            b.op("i32.add")
            b.assign(count, STACK)

        self._each_first(part, add)

    def take_kth(self, part: OptionPart, mask: Variable | None, k: Variable) -> None:
        fx, b, pair = self.fx, self.fx.b, self._pair(part)
        if pair is None:
            super().take_kth(part, mask, k)
            return
        with b.temporaries(I32, I32, I32) as (x, y, n):
            found = b.block()

            def try_pairs(first: InLocal, bits: Bits, r: Range) -> None:
                bitsets.how_many(fx, bits)
                with b.if_(n.tee(STACK).gt_s(k)):
                    b.assign(x, first.operand)
                    self._kth(bits, r, k, y)
                    b.br(found)
                b.assign(k, k - n)

            self._each_first(part, try_pairs)
            b.op("unreachable")
            b.end()
            self._enter_with(part, pair[1], x, y)

    def _pair(self, part: OptionPart) -> tuple[tuple[int, ...], int] | None:
        """The needs and the second choice of a part whose two choices are made as one."""
        return option_layouts.pair_of(self.fx, part.entries[0]) if part.entries else None

    def _each_first(self, part: OptionPart, on_pairs: OnPairs) -> None:
        """Emits `on_pairs` for each first value of a routine."""
        fx, pair = self.fx, self._pair(part)
        node, entry = fx.mc.node(part.node, ir.Offer), part.entries[0]
        doing = node.what[part.index]
        assert pair is not None
        assert isinstance(doing, ir.DoRoutine)
        assert entry.choice is not None
        first, second = fx.mc.node(entry.choice, ir.Decide), fx.mc.node(pair[1], ir.Decide)

        def seconds(value: InLocal) -> None:
            with calls.with_slot(fx, first.slot, value), self._values(pair[0], second) as (bits, r):
                on_pairs(value, bits, r)

        with (
            offered_frame(fx, node, doing) as words,
            calls.virtual(fx, words),
            self._values(entry.needs, first) as (bits, r),
        ):
            bitsets.each_bit(fx, bits, r, seconds)

    @contextmanager
    def _values(self, needs: tuple[int, ...], decision: ir.Decide) -> Iterator[tuple[Bits, Range]]:
        """The set of what can be chosen at a decision; the code is skipped if a need does not hold."""
        fx, b = self.fx, self.fx.b
        none = b.block()
        for number in needs:
            need = fx.mc.node(number, ir.Precondition)
            fx.node = number
            fx.num(need.condition)
            b.br_if(none, STACK.eqz())
        r = bitset_select.worthwhile(fx, decision.source, decision.reg, decision.where)
        assert r is not None
        bits = bitset_conditions.chosen_bits(fx, decision.source, decision.reg, decision.where, r)
        yield bits, r
        bitsets.free_bits(fx, bits)
        b.end()

    def _kth(self, bits: Bits, r: Range, k: Variable, to: Variable) -> None:
        """`to` becomes the k-th value of a set."""
        b = self.fx.b
        done = b.block()
        for i, local in enumerate(bits):
            word = Variable(local, I64)
            with b.temporaries(I32) as (n,):
                b.assign(n, word.popcnt().wrapped())
                here = b.block()
                if i < len(bits) - 1:
                    b.br_if(here, k.ge_s(n))
                b.assign(to, playout.kth_bit(self.fx, word, k) + (r.lo + 64 * i))
                b.br(done)
                b.end()
                b.assign(k, k - n)
        b.end()

    def _enter_with(self, part: OptionPart, second: int, x: Variable, y: Variable) -> None:
        """The routine goes on with both choices made."""
        fx, game = self.fx, self.game
        node, entry = fx.mc.node(part.node, ir.Offer), part.entries[0]
        doing = node.what[part.index]
        assert isinstance(doing, ir.DoRoutine)
        assert entry.choice is not None
        first, last = fx.mc.node(entry.choice, ir.Decide), fx.mc.node(second, ir.Decide)
        inner = game.paths.inner[(*game.cursor.point, part.index, doing.routine)]
        with offered_frame(fx, node, doing) as words:
            words |= {first.slot: InLocal(x.index, WIDE), last.slot: InLocal(y.index, WIDE)}
            game.frames.fill_frame(inner, words)
        game.go_to((inner, last.next))

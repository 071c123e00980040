"""A game that stops at its decisions, as one function without frames between its stops.

The words of frames are locals while it runs. Where it stops they go to the stack of the state, as frames have
them in any other module, and from there it goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import machine as m
from interpreter.wasm.emit.codes import OVER
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.emit.streams import STREAM, next_number
from interpreter.wasm.lower.numbers.values import Held, Value
from interpreter.wasm.lower.play.frameless import rows_of
from interpreter.wasm.lower.play.paths import Point
from interpreter.wasm.lower.play.ports import ENTRY, Ports, behind
from interpreter.wasm.lower.play.stepping import Stepping
from interpreter.wasm.lower.play.whole import Whole
from interpreter.wasm.parts.runs import reset_run

PORT, PART, BIT = 1, 2, 3
"""Parameters of the function, behind the state."""


class Stepped(Whole, Stepping):
    """The function `whole`: (s, port, part, bit) to the code of the next stop."""

    parameters = (I32, I32, I32, I32)

    def __init__(self, plan: Plan, found: Ports) -> None:
        super().__init__(plan, found.paths)
        self.ports = {point: i for i, point in enumerate(found.ports)}
        rows = rows_of(plan.machine)
        self.spread = [rows.get(context.routine, []) for context in self.paths.contexts]
        """For each context the first and number of the words that hold collections, which stay in memory."""

    # ---- ports

    def begin(self) -> None:
        b = self.b
        reset_run(self.plan, b)
        self.load_kept()
        b.get(self.s)
        b.load(4 * m.DECISIONS)
        b.set(self.decisions)
        self.refill()

    def walk(self) -> None:
        b = self.b
        self.point = ENTRY
        b.get(PORT)
        b.op("i32.eqz")
        b.when()
        self.first_frame()
        b.end()
        self.tree(ENTRY)

    def at_point(self, point: Point) -> None:
        if point == ENTRY:
            self._dispatch()
        elif point[1] < 0:
            with self.in_context(point[0]):
                self._go_on((point[0], behind(point)[1]))
        else:
            super().at_point(point)

    def _dispatch(self) -> None:
        b = self.b
        for point, number in self.ports.items():
            b.get(PORT)
            b.i32(number)
            b.op("i32.eq")
            b.when()
            self.point = ENTRY
            super().go_to(point)
            b.end()
        b.op("unreachable")

    def go_to(self, target: Point) -> None:
        if target not in self.ports:
            super().go_to(target)
            return
        self.b.i32(self.ports[target])
        self.b.set(PORT)
        self.work()
        self.b.br(self.to[ENTRY])

    def stands_alone(self, point: Point) -> bool:
        return point not in self.ports and super().stands_alone(point)

    def _go_on(self, point: Point) -> None:
        """A decision has been made: the function goes on with it."""
        b, number = self.b, point[1]
        node = self.mc.nodes[number]
        self.point, self.node = point, number
        self._load_frames()
        b.get(self.s)
        b.i32(0)
        b.store(4 * m.PC)
        self.count_decision(number)
        if isinstance(node, m.Decide | m.Offer) and node.passing is not None:
            b.get(PART)
            b.i32(0)
            b.op("i32.lt_s")
            b.when()
            self.go(node.passing)
            b.end()
        parts = self.menu_of(number).parts
        if isinstance(node, m.Decide):
            self._take(number, node, 0, parts[0], BIT)
            return
        assert isinstance(node, m.Offer)
        for i, part in enumerate(parts):
            b.get(PART)
            b.i32(i)
            b.op("i32.eq")
            b.when()
            self._take(number, node, i, part, BIT)
            b.end()
        b.op("unreachable")

    # ---- stops

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        with self.b.borrowed(I32) as (total,):
            self.leave_menu(number, node, total)
            self.node = number
            self.stop_if_asked(number, node, total)
        self.nothing(number, node, both=True)
        return None

    def stop_at(self, number: int, code: int) -> None:
        """A place to go on from: frames in memory, nothing above them."""
        b = self.b
        self._save_frames()
        for word, value in ((m.PC, number), (m.FP, self._base(self.point[0]))):
            b.get(self.s)
            b.i32(value)
            b.store(4 * word)
        self.give(code)

    def give(self, code: int) -> None:
        if code == OVER:
            self._clear_above(self.mc.stack)
            self.b.get(self.s)
            self.b.i32(self.mc.stack)
            self.b.store(4 * m.FP)
        super().give(code)

    # ---- frames

    def _base(self, context: int) -> int:
        """Where the frame of a context lies in the state."""
        back = self.paths.contexts[context].back
        if back is None:
            return self.mc.stack
        return self._base(back[0]) + self.paths.contexts[back[0]].size

    def _chain(self) -> Iterator[int]:
        """The contexts of the point, its own first."""
        context = self.point[0]
        while True:
            yield context
            back = self.paths.contexts[context].back
            if back is None:
                return
            context = back[0]

    def _words(self, context: int) -> Iterator[tuple[int, int]]:
        """The words of a frame that are locals: their place in the state, and the local."""
        base = self._base(context)
        for slot, word in self.words[context].items():
            assert isinstance(word, Held)
            if not any(first <= slot < first + n for first, n in self.spread[context]):
                yield base + slot, word.local

    def _load_frames(self) -> None:
        b = self.b
        for context in self._chain():
            for at, local in self._words(context):
                b.get(self.s)
                b.load(4 * at)
                b.set(local)

    def _save_frames(self) -> None:
        b = self.b
        for context in self._chain():
            for at, local in self._words(context):
                b.get(self.s)
                b.get(local)
                b.store(4 * at)
            back = self.paths.contexts[context].back
            if back is not None:
                base = self._base(context)
                for slot, value in ((m.RETURN, back[1]), (m.CALLER, self._base(back[0]))):
                    b.get(self.s)
                    b.i32(value)
                    b.store(4 * (base + slot))
        self._clear_above(self._base(self.point[0]) + self.paths.contexts[self.point[0]].size)

    def _clear_above(self, first: int) -> None:
        last = max(self._base(i) + c.size for i, c in enumerate(self.paths.contexts))
        self.zero(self.s, 4 * first, last - first)

    def row(self, slot: int) -> None:
        b = self.b
        b.get(self.s)
        b.i32(4 * (self._base(self.point[0]) + slot))
        b.op("i32.add")

    def clear_frame(self, context: int) -> None:
        super().clear_frame(context)
        self._clear_rows(context)

    def fill_frame(self, context: int, values: dict[int, Value]) -> None:
        super().fill_frame(context, values)
        self._clear_rows(context)

    def _clear_rows(self, context: int) -> None:
        for first, n in self.spread[context]:
            self.zero(self.s, 4 * (self._base(context) + first), n)

    def clear_slots(self, first: int, last: int) -> None:
        super().clear_slots(first, last)
        context = self.point[0]
        for start, n in self.spread[context]:
            low, high = max(first, start), min(last, start + n)
            if low < high:
                self.zero(self.s, 4 * (self._base(context) + low), high - low)

    # ---- chance

    def _drawn(self, node: m.Chance, total: Value) -> None:
        """Leaves a number below `total`; only a group of sixteen that is used up takes a call."""
        b, mc = self.b, self.mc
        counter = self.kept[mc.stream_base + node.stream]
        with b.borrowed(I32, I64) as (at, product):
            again = b.loop()
            b.get(self.s)
            b.i32(STREAM * (node.stream - len(mc.streams)))
            b.op("i32.add")
            b.tee(at)
            b.load(8)
            b.get(counter)
            b.i32(4)
            b.op("i32.shr_u", "i32.ne")
            self.draw_group(at, counter)
            next_number(b, at, counter)
            self.scaled(product, counter, total, again)

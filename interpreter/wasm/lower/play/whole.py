"""A whole game as one function that plays it to the end: no frames, no calls of routines."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.codes import FAULT
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.emit.shape import Part, Way
from interpreter.wasm.emit.streams import FIRST, STREAM, next_number
from interpreter.wasm.faults import TOO_LONG
from interpreter.wasm.layout import WORK_AT
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.play.frameless import Frameless
from interpreter.wasm.lower.play.spans import find_spans


class Whole(Frameless):
    """The function `whole`: (s) to the code of its end."""

    def write(self) -> None:
        b = self.b
        self.begin()
        bad = b.block()
        find_spans(self)
        with self.faulting(bad, quiet=False), self.in_context(0):
            self.walk()
        b.end()
        b.i32(FAULT)

    def begin(self) -> None:
        """What stands in memory between games comes into locals."""
        b = self.b
        b.gget(GLOBAL["rng"])
        b.set(self.rng)
        self.load_kept()
        b.i32(0)
        b.set(self.decisions)
        self.refill()
        for local in self.at_hand:
            b.i32(FIRST)
            b.set(local)

    def load_kept(self) -> None:
        b = self.b
        for word, local in self.kept.items():
            assert word is not None
            b.get(self.s)
            b.load(4 * word)
            b.set(local)

    def walk(self) -> None:
        """The code of all points, from the start."""
        self.point = (0, self.mc.start)
        self.first_frame()
        self.tree(self.point)

    def first_frame(self) -> None:
        self.clear_frame(0)
        with self.slot(m.SELF):
            self.b.i32(NONE)

    # ---- routines

    def call(self, number: int, node: m.Call) -> None:
        raise AssertionError("a call is a way")

    def one(self, number: int, node: m.Step) -> int | None:
        match node:
            case m.Call():
                self._call(node)
                return None
            case m.Return():
                back = self.paths.contexts[self.point[0]].back
                assert back is not None
                self.go_to(back)
                return None
            case m.Commit(next=following):
                return following
        return super().one(number, node)

    def _call(self, node: m.Call) -> None:
        arguments = [self.held(a) for a in node.arguments]
        inner = self.paths.inner[(*self.point, 0, node.routine)]
        values: dict[int, Value] = {m.ME: self._me(), m.SELF: Known(NONE)}
        values |= {m.FRAME + i: a for i, a in enumerate(arguments)}
        self.fill_frame(inner, values)
        self.drop(*arguments)
        self.go_to((inner, self.entry(node.routine, len(arguments))))

    def _me(self) -> Value:
        return self.words[self.point[0]][m.ME]

    # ---- stops

    def tried(self) -> None:
        self.b.i32(0)
        self.b.when()

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        self.fault(kind, a, b, c)

    def decision(self, number: int, node: m.Decide | m.Offer) -> int | None:
        self.play_decision(number, node)
        return None

    def count_decision(self, number: int) -> None:
        b = self.b
        b.get(self.decisions)
        b.i32(1)
        b.op("i32.add")
        b.tee(self.decisions)
        b.i32(self.mc.longest)
        b.op("i32.gt_s")
        b.when()
        self.node = number
        self.fault(TOO_LONG)
        b.end()
        self.refill()

    def refill(self) -> None:
        """Work stands in memory, so that somebody can stop a run from outside."""
        self.b.load_now(WORK_AT)
        self.b.set(self.fuel)

    def refuel(self) -> None:
        """Work between decisions is counted in a local, which `count_decision` has set."""

    def _drawn(self, node: m.Chance, total: Value) -> None:
        """Leaves a number below `total`; only a group of sixteen that is used up takes a call."""
        b, mc = self.b, self.mc
        counter = self.kept[mc.stream_base + node.stream]
        record = STREAM * (node.stream - len(mc.streams))
        with b.borrowed(I32, I64) as (at, product):
            again = b.loop()
            b.get(self.s)
            b.i32(record)
            b.op("i32.add")
            b.set(at)
            b.get(counter)
            b.get(self.at_hand[node.stream])
            b.op("i32.ge_u")
            self.draw_group(at, counter, self.at_hand[node.stream])
            next_number(b, at, counter)
            self.scaled(product, counter, total, again)

    def draw_group(self, at: int, counter: int, end: int | None = None) -> None:
        """If the flag on the stack is set, the group of sixteen numbers of a counter is worked out."""
        b = self.b
        b.when()
        b.get(at)
        b.get(counter)
        b.i32(4)
        b.op("i32.shr_u")
        b.store(8)
        if end is not None:
            b.get(counter)
            b.i32(15)
            b.op("i32.or")
            b.i32(1)
            b.op("i32.add")
            b.set(end)
        b.get(at)
        b.call(self.plan.function("philox 16", (I32,), ()))
        b.end()

    def scaled(self, product: int, counter: int, total: Value, again: Label) -> None:
        """The number on the stack becomes one below `total`; the counter goes on. Ends the loop `again`."""
        b = self.b
        self.put(total)
        b.op("i64.extend_i32_u", "i64.mul")
        b.set(product)
        b.bump(counter, 1)
        self._rejected(product, total)
        b.br_if(again)
        b.end()
        b.get(product)
        b.i64(32)
        b.op("i64.shr_u", "i32.wrap_i64")

    def _rejected(self, product: int, total: Value) -> None:
        """Leaves whether a number must be drawn again, so that all are equally likely."""
        b = self.b
        b.get(product)
        b.op("i32.wrap_i64")
        if isinstance(total, Known):
            b.i32((1 << 32) % total.value)
            b.op("i32.lt_u")
            return
        self.put(total)
        b.op("i32.lt_u")
        b.when(I32)
        b.get(product)
        b.op("i32.wrap_i64")
        b.i32(0)
        self.put(total)
        b.op("i32.sub")
        self.put(total)
        b.op("i32.rem_u", "i32.lt_u")
        b.otherwise()
        b.i32(0)
        b.end()

    def rng_get(self) -> None:
        self.b.get(self.rng)

    def rng_set(self) -> None:
        self.b.set(self.rng)

    def _take(self, number: int, node: m.Decide | m.Offer, index: int, part: Part, bit: int) -> None:
        if isinstance(node, m.Decide):
            super()._take(number, node, index, part, bit)
            return
        doing = node.what[index]
        assert isinstance(doing, m.DoRoutine)
        way = part.ways[0]
        inner = self.paths.inner[(*self.point, index, doing.routine)]
        me = self.held(node.seat)
        arguments = [self.held(a) for a in doing.arguments]
        values: dict[int, Value] = {m.ME: me, m.SELF: Known(NONE)}
        values |= {m.FRAME + i: a for i, a in enumerate(arguments)}
        if way.choice is None:
            self.fill_frame(inner, values)
            self.drop(me, *arguments)
            self.go_to((inner, self.entry(way.routine, way.given)))
            return
        choice = self.mc.nodes[way.choice]
        assert isinstance(choice, m.Decide)
        with self.b.borrowed(I32) as (value,):
            self._value(part, bit)
            self.b.set(value)
            self._fault_of_needs(way, part, bit, values)
            values[choice.slot] = Held(value, WIDE)
            self.fill_frame(inner, values)
        self.drop(me, *arguments)
        self.go_to((inner, choice.next))

    def _fault_of_needs(self, way: Way, part: Part, bit: int, values: dict[int, Value]) -> None:
        """A need that is a fault hides nothing: it is offered, and shows when it is chosen."""
        if not way.needs:
            return
        b = self.b
        b.get(bit)
        b.i32(part.size)
        b.op("i32.eq")
        b.when()
        with self.virtual(values):
            for number in way.needs:
                need = self.mc.nodes[number]
                assert isinstance(need, m.Need)
                self.node = number
                self.num(need.condition)
                b.op("drop")
        b.op("unreachable")
        b.end()

    def give(self, code: int) -> None:
        """What the function has kept in locals goes to its place."""
        b = self.b
        b.get(self.rng)
        b.gset(GLOBAL["rng"])
        for word, local in ((m.DECISIONS, self.decisions), *self.kept.items()):
            assert word is not None
            b.get(self.s)
            b.get(local)
            b.store(4 * word)
        super().give(code)

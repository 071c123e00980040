"""A whole game as one function that plays it to the end: no frames, no calls of routines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.body import Label
from interpreter.wasm.chance import STREAM
from interpreter.wasm.encoding import I32, I64
from interpreter.wasm.faults import MOST_WORK, RUNS_FOR_EVER, TOO_LONG
from interpreter.wasm.menus import FAULT, Part, Way
from interpreter.wasm.numbers import WIDE, Held, Known, Value
from interpreter.wasm.paths import Paths, Point
from interpreter.wasm.plan import GLOBAL, Plan
from interpreter.wasm.play import Play
from interpreter.wasm.regions import regions
from interpreter.wasm.spans import find_spans
from interpreter.wasm.steps import BACK


class Whole(Play):
    """The function `whole`: (s) to the code of its end."""

    def __init__(self, plan: Plan, found: Paths) -> None:
        super().__init__(plan, plan.regions[0], -1, plan.body("whole", (I32,), (I32,)))
        self.paths = found
        self.point: Point = (0, plan.machine.start)
        self.to: dict[Point, Label] = {}
        self.words: list[dict[int, Value]] = []
        self.rows: list[dict[int, int]] = []
        rows = _rows(plan.machine)
        for context in found.contexts:
            self._context(context.size, context.routine, rows)
        b = self.b
        self.rng, self.decisions, self.fuel = b.local(I64), b.local(), b.local()
        self.kept = {word: b.local() for word in _kept(self)}

    def _context(self, size: int, routine: int, rows: dict[int, list[tuple[int, int]]]) -> None:
        """Locals for the words of a frame, and memory for those that are gone through by number."""
        spans = rows.get(routine, [])
        words: dict[int, Value] = {}
        for slot in range(m.ME, size):
            words[slot] = Held(self.b.local(), (0, self.mc.seats - 1) if slot == m.ME else WIDE)
        self.words.append(words)
        most = {first: max(n for f, n in spans if f == first) for first, _ in spans}
        self.rows.append({first: self.plan.reserve(4 * n) for first, n in most.items()})

    def write(self) -> None:
        b = self.b
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 40_000))
        try:
            b.gget(GLOBAL["rng"])
            b.set(self.rng)
            for word, local in self.kept.items():
                assert word is not None
                b.get(self.s)
                b.load(4 * word)
                b.set(local)
            b.i32(0)
            b.set(self.decisions)
            b.i32(MOST_WORK)
            b.set(self.fuel)
            bad = b.block()
            find_spans(self)
            self.point = (0, self.mc.start)
            with self.faulting(bad, quiet=False), self.in_context(0):
                self.clear_frame(0)
                with self.slot(m.SELF):
                    b.i32(NONE)
                self.tree(self.point)
            b.end()
            b.i32(FAULT)
        finally:
            sys.setrecursionlimit(limit)

    # ---- structure

    def tree(self, point: Point) -> None:
        """The code of a point and of all that it dominates."""
        if point in self.paths.heads:
            loop = self.b.loop()
            self.to[point] = loop
            self.inside(point, self.paths.below.get(point, []))
            self.b.end()
            self.b.op("unreachable")
            return
        self.inside(point, self.paths.below.get(point, []))

    def inside(self, point: Point, meetings: list[Point]) -> None:
        """A point's own code in a block for each point below it at which ways meet."""
        if not meetings:
            self.at_point(point)
            return
        before = self.to.get(meetings[0])
        self.to[meetings[0]] = self.b.block()
        self.inside(point, meetings[1:])
        self.b.end()
        if before is None:
            del self.to[meetings[0]]
        self.tree(meetings[0])

    def at_point(self, point: Point) -> None:
        with self.in_context(point[0]):
            self.point = point
            self.line(point[1])

    def line(self, number: int) -> None:
        """A node and those that stand in line behind it, where no ways meet and none lead back."""
        context = self.point[0]
        while True:
            self.point = (context, number)
            self.node = number
            following = self.one(number, self.mc.nodes[number])
            if following is None:
                return
            following_point = (context, following)
            if self._stands_alone(following_point):
                number = following
                continue
            self.go_to(following_point)
            return

    def _stands_alone(self, point: Point) -> bool:
        return (
            point not in self.paths.meets and point not in self.paths.heads and point not in self.paths.below
        )

    def go(self, target: int) -> None:
        self.go_to((self.point[0], target))

    def go_to(self, target: Point) -> None:
        """The way to a point: back to a loop's head, out to a meeting, or its code here."""
        here = self.point
        number = self.paths.number
        if target in self.paths.heads and number[target] <= number[here]:
            self.work()
            self.b.br(self.to[target])
        elif target in self.paths.meets:
            self.b.br(self.to[target])
        else:
            node, regs, shared, alike = self.node, self.regs, self.shared, self.alike
            self.regs, self.shared, self.alike = {}, {}, {}
            with self.in_context(target[0]):
                self.tree(target)
            self.point, self.node, self.regs, self.shared, self.alike = here, node, regs, shared, alike

    def work(self) -> None:
        """A way back costs work, of which there is so much between two decisions."""
        b = self.b
        b.get(self.fuel)
        b.i32(BACK)
        b.op("i32.sub")
        b.tee(self.fuel)
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        self.fault(RUNS_FOR_EVER)
        b.end()

    @contextmanager
    def in_context(self, context: int) -> Iterator[None]:
        before = self.slots
        self.slots = dict(self.words[context])
        yield
        self.slots = before

    # ---- words of frames

    def read_slot(self, slot: int) -> None:
        self.put(self.words[self.point[0]][slot])

    @contextmanager
    def slot(self, slot: int) -> Iterator[None]:
        yield
        word = self.words[self.point[0]][slot]
        assert isinstance(word, Held)
        self.b.set(word.local)

    def row(self, slot: int) -> None:
        self.b.i32(self.rows[self.point[0]][slot])

    def clear_slots(self, first: int, last: int) -> None:
        words = self.words[self.point[0]]
        for slot in range(first, last):
            word = words.get(slot)
            if isinstance(word, Held):
                self.b.i32(0)
                self.b.set(word.local)

    def clear_frame(self, context: int) -> None:
        for word in self.words[context].values():
            assert isinstance(word, Held)
            self.b.i32(0)
            self.b.set(word.local)

    def fill_frame(self, context: int, values: dict[int, Value]) -> None:
        """The words of a new frame: those given, the others zero."""
        b = self.b
        for slot, word in self.words[context].items():
            assert isinstance(word, Held)
            self.put(values.get(slot, Known(0)))
            b.set(word.local)

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
        b.i32(MOST_WORK)
        b.set(self.fuel)

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
            b.tee(at)
            b.load(8)
            b.get(counter)
            b.i32(4)
            b.op("i32.shr_u", "i32.ne")
            b.when()
            b.get(at)
            b.get(counter)
            b.i32(4)
            b.op("i32.shr_u")
            b.store(8)
            b.get(at)
            b.call(self.plan.function("philox 16", (I32,), ()))
            b.end()
            b.get(at)
            b.get(counter)
            b.i32(3)
            b.op("i32.and")
            b.i32(4)
            b.op("i32.shl")
            b.get(counter)
            b.i32(12)
            b.op("i32.and", "i32.or", "i32.add")
            b.mem("i32.load", 16)
            b.op("i64.extend_i32_u")
            self.put(total)
            b.op("i64.extend_i32_u", "i64.mul")
            b.set(product)
            b.get(counter)
            b.i32(1)
            b.op("i32.add")
            b.set(counter)
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


def _kept(f: Whole) -> list[int]:
    """Words that are only reached by themselves: of the head, without index, a die that lies alone."""
    mc = f.mc
    found = [m.ACTIVE, m.ROTATION, m.PHASE, *range(mc.stream_base, mc.stream_base + len(mc.streams))]
    found += [words.base for words in mc.words.values() if words.size == 1]
    turned = {f.place_of_die(i, n) for i, n in enumerate(mc.nodes) if isinstance(n, m.TurnDie)}
    if None not in turned:
        found += [p.base for p in mc.places if p.kind == m.SLOT and mc.place_components[p.zone] == p.zone]
    return found


def _rows(mc: m.Machine) -> dict[int, list[tuple[int, int]]]:
    """For each routine the first and number of the words that hold collections to go through."""
    found: dict[int, list[tuple[int, int]]] = {}
    parts, region_of, _ = regions(mc)
    for number, node in enumerate(mc.nodes):
        if isinstance(node, m.Snapshot) and region_of[number] >= 0:
            routine = parts[region_of[number]].routine
            row = (node.slot, node.capacity + 1)
            if row not in found.setdefault(routine, []):
                found[routine].append(row)
    return found

"""A whole game as one function, structured by its dominators; words of frames are locals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter import machine as m
from interpreter.machine.cfg import counts_down, regions
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.faults import RUNS_FOR_EVER
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.play.paths import Paths, Point
from interpreter.wasm.lower.play.play import Play
from interpreter.wasm.lower.steps.ways import BACK

SOON = 64
"""Rounds after which a loop has ended soon: it costs no work."""


class Frameless(Play):
    """Adds points, the ways between them, and frames that are locals."""

    parameters: tuple[int, ...] = (I32,)
    """What the function `whole` is given: the state, and whatever else."""

    def __init__(self, plan: Plan, found: Paths) -> None:
        super().__init__(plan, plan.regions[0], -1, plan.body("whole", self.parameters, (I32,)))
        self.paths = found
        self.point: Point = (0, plan.machine.start)
        self.to: dict[Point, Label] = {}
        self.words: list[dict[int, Value]] = []
        self.rows: list[dict[int, int]] = []
        rows = rows_of(plan.machine)
        for context in found.contexts:
            self._context(context.size, context.routine, rows)
        b = self.b
        self.rng, self.decisions, self.fuel = b.local(I64), b.local(), b.local()
        self.kept = {word: b.local() for word in _kept(self)}
        self.at_hand = [b.local() for _ in plan.machine.streams]
        """For each stream the number of its numbers up to which they are worked out."""

    def _context(self, size: int, routine: int, rows: dict[int, list[tuple[int, int]]]) -> None:
        """Locals for the words of a frame, and memory for those that are gone through by number."""
        spans = rows.get(routine, [])
        words: dict[int, Value] = {}
        for slot in range(m.ME, size):
            words[slot] = Held(self.b.local(), (0, self.mc.seats - 1) if slot == m.ME else WIDE)
        self.words.append(words)
        most = {first: max(n for f, n in spans if f == first) for first, _ in spans}
        self.rows.append({first: self.plan.reserve(4 * n) for first, n in most.items()})

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
            if self.stands_alone(following_point):
                number = following
                continue
            self.go_to(following_point)
            return

    def stands_alone(self, point: Point) -> bool:
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
            if not self._ends_soon(target):
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

    def _ends_soon(self, head: Point) -> bool:
        """Whether a loop goes round few times by itself: over a short row, or counted down from a few."""
        context, number = head
        node = self.mc.nodes[number]
        if isinstance(node, m.Iterate):
            rows = [n for n in self.mc.nodes if isinstance(n, m.Snapshot) and n.next == number]
            return bool(rows) and all(n.capacity <= SOON for n in rows)
        if not isinstance(node, m.Branch):
            return False
        counted = self.mc.nodes[node.then]
        if not isinstance(counted, m.SetLocal) or not counts_down(self.mc, node.then, counted):
            return False
        return self.words[context][counted.slot].span[1] <= SOON

    def fuel_get(self) -> None:
        self.b.get(self.fuel)

    def fuel_set(self) -> None:
        self.b.set(self.fuel)

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


def _kept(f: Frameless) -> list[int]:
    """Words that are only reached by themselves: of the head, without index, a die that lies alone."""
    mc = f.mc
    found = [m.ACTIVE, m.ROTATION, m.PHASE, *range(mc.stream_base, mc.stream_base + len(mc.streams))]
    found += [words.base for words in mc.words.values() if words.size == 1]
    turned = {f.place_of_die(i, n) for i, n in enumerate(mc.nodes) if isinstance(n, m.TurnDie)}
    if None not in turned:
        found += [p.base for p in mc.places if p.kind == m.SLOT and mc.place_components[p.zone] == p.zone]
    return found


def rows_of(mc: m.Machine) -> dict[int, list[tuple[int, int]]]:
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

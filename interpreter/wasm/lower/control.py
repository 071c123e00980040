"""Control of functions: of one region each, or of a whole game.

The function of a region takes the state and the leader at which to continue. It runs to a stop and returns
its code, or to the end of its routine and returns the node at which the caller continues. Its code has the
leaders in order, each behind the end of a block of its own: a jump forward is a branch out of blocks, a jump
back a branch to the loop that encloses them all.

A whole game as one function is structured by its dominators; the words of its frames are locals.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.domains import NONE
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.ir.basic_blocks import CodeRegion
from interpreter.ir.cfg import counts_down, regions
from interpreter.ir.constant_loops import ConstantLoop
from interpreter.wasm.abi import FAULT, MOST_WORK, OVER, RUNS_FOR_EVER
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Variable
from interpreter.wasm.lower import calls, const_eval, moves, nodes, option_layouts
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.frames import Cursor, FrameRows, InLocals, SavedAtStops
from interpreter.wasm.lower.playout_cfg import ENTRY, CfgPoint, Paths, resume_point_of
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value

MOST_KEPT_SETS = 6
"""The most sets of bit boards that are kept in locals."""
BACK = MOST_WORK // 500_000
"""Work that a way back costs: half a million of them are too many."""
NODES = 16
"""So many nodes of a region cost one more."""


class RegionControl:
    """The nodes of one region. Parameter 1 of the function is the leader at which to continue."""

    def __init__(self, fx: FunctionContext, region: CodeRegion) -> None:
        self.fx, self.region = fx, region
        self.at = Variable(1)
        self.here = 0
        self.labels: list[Label] = []
        self.round: Label | None = None

    def write(self) -> None:
        """The code of the whole function."""
        fx, b = self.fx, self.fx.b
        fx.load_frame()
        bad = b.block()
        if (runs := fx.builder.multiplying.get(self.region.routine)) is not None:
            with fx.faulting(bad, quiet=False):
                fx.enter(self.region.leaders[0])
                self._take_fuel(runs + len(self.region.nodes) // NODES)
        astray = b.block()
        self.round = b.loop()
        count = len(self.region.leaders)
        self.labels = [b.block() for _ in range(count)][::-1]
        b.push(self.at)
        b.br_table(self.labels, astray)
        with fx.faulting(bad, quiet=False):
            for i, leader in enumerate(self.region.leaders):
                b.end()
                self.here = i
                self.line(leader)
        b.end()
        b.unreachable()
        b.end()
        b.unreachable()
        b.end()
        b.push(FAULT)

    def line(self, number: int) -> None:
        fx = self.fx
        while True:
            fx.enter(number)
            following = nodes.lower_node(fx, number, fx.mc.nodes[number])
            if following is None:
                return
            if fx.builder.leader.get(following) is not None:
                self.go(following)
                return
            number = following

    def go(self, target: int) -> None:
        leader = self.fx.builder.leader.get(target)
        if leader is None:
            self.line(target)
        elif leader > self.here:
            self.fx.b.br(self.labels[leader])
        else:
            self._back(leader)

    def _back(self, leader: int) -> None:
        b = self.fx.b
        self._take_fuel(len(self.region.nodes) // NODES)
        b.assign(self.at, leader)
        assert self.round is not None
        b.br(self.round)

    def _take_fuel(self, more: int = 0) -> None:
        """What goes round once more, or calls what calls on, takes fuel; too much is a fault."""
        b, fuel = self.fx.b, global_("fuel")
        b.assign(fuel, fuel - (BACK + more))
        with b.if_(fuel.lt_s(0)):
            self.fx.fault(RUNS_FOR_EVER)

    def ret(self, code: int) -> None:
        self.fx.b.ret(code)

    def put_back(self) -> None:
        """A region keeps nothing in locals."""


# ---- a whole game


SOON = 64
"""Rounds after which a loop has ended soon: it costs no work."""
RESUME_POINT, PART, BIT = 1, 2, 3
"""Parameters of a function that resumes a game, behind the state."""


@dataclass(frozen=True, slots=True)
class RunCounters:
    """Locals that hold, while the function runs, what else stands in globals and in the head of the state.

    `at_hand`: for each random stream the number of its numbers up to which they are worked out.
    """

    rng: Variable
    decisions: Variable
    fuel: Variable
    at_hand: list[Variable]


class WholeGame:
    """All points of a game, in one function: loops where ways lead back, blocks where ways meet."""

    def __init__(
        self, fx: FunctionContext, paths: Paths, cursor: Cursor, frames: InLocals, registers: RunCounters
    ) -> None:
        self.fx, self.paths, self.cursor, self.frames, self.registers = fx, paths, cursor, frames, registers
        self.to: dict[CfgPoint, Label] = {}

    # ---- structure

    def tree(self, point: CfgPoint) -> None:
        """The code of a point and of all that it dominates."""
        b = self.fx.b
        if point in self.paths.heads:
            self.to[point] = b.loop()
            self._inside(point, self.paths.dominated.get(point, []))
            b.end()
            b.unreachable()
            return
        self._inside(point, self.paths.dominated.get(point, []))

    def _inside(self, point: CfgPoint, meetings: list[CfgPoint]) -> None:
        """A point's own code in a block for each point below it at which ways meet."""
        if not meetings:
            self._at_point(point)
            return
        before = self.to.get(meetings[0])
        self.to[meetings[0]] = self.fx.b.block()
        self._inside(point, meetings[1:])
        self.fx.b.end()
        if before is None:
            del self.to[meetings[0]]
        self.tree(meetings[0])

    def _at_point(self, point: CfgPoint) -> None:
        with self.in_context(point[0]):
            self.cursor.point = point
            self.line(point[1])

    def line(self, number: int) -> None:
        fx, context = self.fx, self.cursor.point[0]
        while True:
            self.cursor.point = (context, number)
            fx.enter(number)
            following = self._node(number, fx.mc.nodes[number])
            if following is None:
                return
            target = (context, following)
            if self._stands_alone(target):
                number = following
                continue
            self.go_to(target)
            return

    def _stands_alone(self, point: CfgPoint) -> bool:
        return (
            point not in self.paths.joins
            and point not in self.paths.heads
            and point not in self.paths.dominated
        )

    def _node(self, number: int, node: ir.Step) -> int | None:
        """Calls and returns are ways from point to point; nobody can be refused after a commitment."""
        match node:
            case ir.Call():
                self._call(node)
                return None
            case ir.Return():
                back = self.paths.contexts[self.cursor.point[0]].back
                assert back is not None
                self.go_to(back)
                return None
            case ir.Commit(next=following):
                return following
            case ir.Snapshot() if number in self.paths.written_out:
                return self._write_out(self.paths.written_out[number])
        return nodes.lower_node(self.fx, number, node)

    def _write_out(self, loop: ConstantLoop) -> int:
        """The body once for each value, which is known there; the node behind the loop."""
        fx, before = self.fx, self.fx.slots
        for value in loop.values:
            fx.slots = {**before, loop.slot: Constant(value)}
            for number in loop.body:
                fx.enter(number)
                nodes.lower_node(fx, number, fx.mc.nodes[number])
        fx.slots = before
        return loop.done

    def _call(self, node: ir.Call) -> None:
        fx = self.fx
        arguments = [const_eval.operand(fx, a) for a in node.arguments]
        inner = self.paths.inner[(*self.cursor.point, 0, node.routine)]
        me = self.frames.words[self.cursor.point[0]][ir.ME]
        values: dict[int, Value] = {ir.ME: me, ir.SELF: Constant(NONE)}
        values |= {ir.FRAME + i: a for i, a in enumerate(arguments)}
        self.frames.fill_frame(inner, values)
        fx.drop(*arguments)
        self.go_to((inner, calls.entry_node(fx, node.routine, len(arguments))))

    # ---- ways

    def go(self, target: int) -> None:
        self.go_to((self.cursor.point[0], target))

    def go_to(self, target: CfgPoint) -> None:
        """The way to a point: back to a loop's head, out to a meeting, or its code here."""
        fx, here, number = self.fx, self.cursor.point, self.paths.number
        if target in self.paths.heads and number[target] <= number[here]:
            if not self._ends_soon(target):
                self._take_fuel()
            fx.b.br(self.to[target])
        elif target in self.paths.joins:
            fx.b.br(self.to[target])
        else:
            node, regs, hoisted, common = fx.node, fx.regs, fx.hoisted, fx.common
            fx.regs, fx.hoisted, fx.common = {}, {}, {}
            with self.in_context(target[0]):
                self.tree(target)
            self.cursor.point, fx.node, fx.regs, fx.hoisted, fx.common = here, node, regs, hoisted, common

    @contextmanager
    def in_context(self, context: int) -> Iterator[None]:
        """The words of the frame are those of a context."""
        before = self.fx.slots
        self.fx.slots = dict(self.frames.words[context])
        yield
        self.fx.slots = before

    def _ends_soon(self, head: CfgPoint) -> bool:
        """Whether a loop goes round few times by itself: over a short row, or counted down from a few."""
        context, number = head
        mc = self.fx.mc
        node = mc.nodes[number]
        if isinstance(node, ir.Iterate):
            rows = [n for n in mc.nodes if isinstance(n, ir.Snapshot) and n.next == number]
            return bool(rows) and all(n.capacity <= SOON for n in rows)
        if not isinstance(node, ir.Branch):
            return False
        counted = mc.nodes[node.then]
        if not isinstance(counted, ir.SetLocal) or not counts_down(
            mc, self.fx.builder.predecessors, node.then
        ):
            return False
        word = self.frames.words[context].get(counted.slot)
        return word is not None and word.span[1] <= SOON

    def _take_fuel(self) -> None:
        """A back edge takes fuel, of which there is so much between two decisions."""
        fuel = self.registers.fuel
        with self.fx.b.if_(fuel.tee(fuel - BACK).lt_s(0)):
            self.fx.fault(RUNS_FOR_EVER)

    # ---- the end

    def ret(self, code: int) -> None:
        """What the function has kept in locals goes to its place."""
        b = self.fx.b
        b.assign(global_("rng"), self.registers.rng)
        b.write(b.state, self.registers.decisions, 4 * ir.DECISIONS)
        self.put_back()
        b.ret(code)

    def put_back(self) -> None:
        """Writes what the function keeps in locals where others read it."""
        fx, b = self.fx, self.fx.b
        for word, variable in fx.kept.items():
            b.write(b.state, variable, 4 * word)
        for name, sets in fx.kept_boards.items():
            for i, bits in enumerate(sets):
                b.write(b.state, bits, fx.builder.boards[name].first + 8 * i, "i64.store")


class Resumable(WholeGame):
    """A game that stops at its decisions and is resumed at one of its points, by a dispatch at the entry."""

    def __init__(
        self,
        fx: FunctionContext,
        paths: Paths,
        cursor: Cursor,
        frames: SavedAtStops,
        registers: RunCounters,
        points: dict[CfgPoint, int],
    ) -> None:
        super().__init__(fx, paths, cursor, frames, registers)
        self.saved, self.points = frames, points

    def _at_point(self, point: CfgPoint) -> None:
        if point == ENTRY:
            self._dispatch()
        elif point[1] < 0:
            with self.in_context(point[0]):
                self._go_on((point[0], resume_point_of(point)[1]))
        else:
            super()._at_point(point)

    def _dispatch(self) -> None:
        b = self.fx.b
        for point, number in self.points.items():
            with b.if_(Variable(RESUME_POINT).eq(number)):
                self.cursor.point = ENTRY
                super().go_to(point)
        b.unreachable()

    def go_to(self, target: CfgPoint) -> None:
        if target not in self.points:
            super().go_to(target)
            return
        b = self.fx.b
        b.assign(Variable(RESUME_POINT), self.points[target])
        self._take_fuel()
        b.br(self.to[ENTRY])

    def _node(self, number: int, node: ir.Step) -> int | None:
        if isinstance(node, ir.Return):
            self.saved.clear_rows(self.cursor.point[0])
        return super()._node(number, node)

    def _stands_alone(self, point: CfgPoint) -> bool:
        return point not in self.points and super()._stands_alone(point)

    def _go_on(self, point: CfgPoint) -> None:
        """A decision has been made: the function continues with it."""
        fx, b, number = self.fx, self.fx.b, point[1]
        node = fx.mc.decision(number)
        self.cursor.point = point
        fx.enter(number)
        self.saved.load()
        b.write(b.state, 0, 4 * ir.PC)
        fx.driver.count_decision(number)
        part_number, bit = Variable(PART), Variable(BIT)
        if node.passing is not None:
            with b.if_(part_number.lt_s(0)):
                self.go(node.passing)
        parts = option_layouts.layout_of(fx, number).parts
        if isinstance(node, ir.Decide):
            fx.driver.take(parts[0], bit)
            return
        for part in parts:
            with b.if_(part_number.eq(part.index)):
                fx.driver.take(part, bit)
        b.unreachable()

    def ret(self, code: int) -> None:
        if code == OVER:
            self.saved.clear_all()
            b = self.fx.b
            b.write(b.state, self.fx.mc.stack, 4 * ir.FP)
        super().ret(code)


# ---- locals


def frame_locals(
    fx: FunctionContext, paths: Paths
) -> tuple[list[dict[int, Value]], list[dict[int, int]], list[FrameRows]]:
    """Locals for the words of each context's frame, and memory for those that are indexed; and those rows."""
    words: list[dict[int, Value]] = []
    rows: list[dict[int, int]] = []
    spread = _rows_of(fx.mc, paths)
    for context in paths.contexts:
        words.append(
            {
                slot: InLocal(fx.b.local(), (0, fx.mc.seats - 1) if slot == ir.ME else WIDE)
                for slot in range(ir.ME, context.size)
            }
        )
        spans = spread.get(context.routine, [])
        most = {first: max(n for f, n in spans if f == first) for first, _ in spans}
        rows.append({first: fx.builder.reserve(4 * n) for first, n in most.items()})
    return words, rows, [spread.get(context.routine, []) for context in paths.contexts]


def registers(fx: FunctionContext) -> RunCounters:
    """Locals for the counters of a run and for the words that are only reached by themselves."""
    rng, decisions, fuel = fx.b.variables(I64, I32, I32)
    words = _kept(fx)
    fx.kept = dict(zip(words, fx.b.variables(*(I32 for _ in words)), strict=True))
    return RunCounters(rng, decisions, fuel, fx.b.variables(*(I32 for _ in fx.mc.streams)))


def _kept(fx: FunctionContext) -> list[int]:
    """Words that are only reached by themselves: of the head, without index, a die that lies alone."""
    mc = fx.mc
    found = [ir.ACTIVE, ir.ROTATION, ir.PHASE, *range(mc.stream_base, mc.stream_base + len(mc.streams))]
    single = (v for v in mc.stores.values() if v.of is None and v.at is None)
    found += [words.base for words in single]
    turned = {moves.place_of_die(fx, i, n) for i, n in enumerate(mc.nodes) if isinstance(n, ir.TurnDie)}
    if None not in turned:
        found += [p.base for p in mc.places if p.kind == ir.SLOT and mc.place_components[p.zone] == p.zone]
    return found


def small_boards(builder: ModuleBuilder) -> frozenset[str]:
    """The bit boards that may be kept in locals: of few values, of places that fit into one word."""
    nodes = builder.machine.nodes
    reset = {address.base for n in nodes if isinstance(n, ir.Reset) for address, _ in n.ranges}
    found, left = set(), MOST_KEPT_SETS
    for name, board in builder.boards.items():
        small = board.rows == board.wide == 1 and board.values <= left
        if small and not any(builder.words_of(base) is board.words for base in reset):
            found.add(name)
            left -= board.values
    return frozenset(found)


def keep_boards(fx: FunctionContext, names: frozenset[str]) -> None:
    """The sets of some bit boards come into locals; the words of the state are written as before."""
    for name, board in fx.builder.boards.items():
        if name in names:
            fx.kept_boards[name] = fx.b.variables(*(I64 for _ in range(board.values)))


def _rows_of(mc: ir.Machine, paths: Paths) -> dict[int, FrameRows]:
    """For each routine the first and number of the words that hold collections to go through.

    Loops that are written out keep none.
    """
    found: dict[int, FrameRows] = {}
    parts, region_of, _ = regions(mc)
    for number, node in enumerate(mc.nodes):
        if number in paths.written_out:
            continue
        if isinstance(node, ir.Snapshot) and region_of[number] >= 0:
            routine = parts[region_of[number]].routine
            row = (node.slot, node.capacity + 1)
            if row not in found.setdefault(routine, []):
                found[routine].append(row)
    return found

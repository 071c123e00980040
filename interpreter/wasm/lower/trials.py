"""Trials in place: a function that runs a trial on the state itself, and undoes what it has changed.

The words of its frames are locals, and those of the routines that it calls. A trial that needs more than its
plan allows (`trial_paths`) is run on a copy of the state.
"""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.effects import effect_of
from interpreter.wasm.abi import FAIL, OK, RUNS_FOR_EVER
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import options, stops
from interpreter.wasm.lower.context import FunctionContext, Sieves
from interpreter.wasm.lower.control import BACK, RunCounters, WholeGame
from interpreter.wasm.lower.drivers import RegionReferee
from interpreter.wasm.lower.frames import Cursor, InLocals
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.option_sinks import EachOption
from interpreter.wasm.lower.trial_paths import (
    FAILS,
    OVERFLOWS,
    RECORD,
    SUCCEEDS,
    TrialPlan,
)
from interpreter.wasm.lower.undo import UndoLog
from interpreter.wasm.lower.values import WIDE, InLocal, Interval, Value


class RowsInScratch(InLocals):
    """Frames in locals, whose rows lie in the scratch of the trial."""

    def __init__(
        self, fx: FunctionContext, cursor: Cursor, words: list[dict[int, Value]], rows: list[dict[int, int]]
    ) -> None:
        super().__init__(fx, cursor, words, rows)
        self.scratch = Variable(1)

    def row(self, slot: int) -> Operand:
        return self.scratch + self.rows[self.cursor.point[0]][slot]


class TrialControl(WholeGame):
    """The points of a trial. It ends where the routine that is tried can no longer be refused."""

    def __init__(
        self, fx: FunctionContext, plan: TrialPlan, cursor: Cursor, frames: InLocals, ends: dict[int, Label]
    ) -> None:
        counters = RunCounters(global_("rng"), global_("decisions"), global_("fuel"), [])
        super().__init__(fx, plan.paths, cursor, frames, counters)
        self.plan, self.ends = plan, ends

    def _node(self, number: int, node: ir.Step) -> int | None:
        if self.cursor.point in self.plan.sure or self._is_end(node):
            self.ret(OK)
            return None
        return super()._node(number, node)

    def _is_end(self, node: ir.Step) -> bool:
        """Whether a trial that comes to a node has succeeded."""
        if isinstance(node, ir.Return | ir.Commit):
            return self.paths.contexts[self.cursor.point[0]].back is None
        return effect_of(node).ends_trial

    def _take_fuel(self) -> None:
        b, fuel = self.fx.b, self.registers.fuel
        b.assign(fuel, fuel - BACK)
        with b.if_(fuel.lt_s(0)):
            self.fx.fault(RUNS_FOR_EVER)

    def ret(self, code: int) -> None:
        self.fx.b.br(self.ends[code])

    def put_back(self) -> None:
        """A trial keeps nothing in locals that others read."""


class TrialDriver(RegionReferee):
    """Nothing is decided in a trial: that something can be chosen is enough."""

    def __init__(self, fx: FunctionContext) -> None:
        super().__init__(fx)
        self.trial = const(1)

    def refuse(self, kind: int, a: Value | int = 0, b: Value | int = 0, c: Value | int = 0) -> None:
        self.fx.control.ret(FAIL)

    def decision(self, number: int, node: ir.Decide | ir.Offer) -> int | None:
        fx = self.fx
        if node.asks:
            stops.push_is_asked(fx, node)
            with fx.b.if_(STACK):
                fx.control.ret(OK)

        def found() -> None:
            fx.control.ret(OK)

        to = EachOption(lambda _: found(), found)
        if isinstance(node, ir.Decide):
            fx.choices(number, node, to)
        else:
            for index in range(len(node.what)):
                options.part_options(fx, number, index, to, None)
        fx.resume(number)
        following = node.nothing if isinstance(node, ir.Decide) else None
        following = node.passing if following is None else following
        if following is None:
            fx.control.ret(FAIL)
        return following


def write_trial(builder: ModuleBuilder, number: int) -> None:
    """try(s, scratch, words..., sieved): how a trial from a node on ends.

    `words` are those of the frame that the plan names. `sieved` is there if the trial asks a history: whether
    there is a sieve of its records. A fault hides nothing: it is a success.
    """
    plan = builder.trial_plans[number]
    assert isinstance(plan, TrialPlan)
    b = builder.body(f"try {number}", (I32,) * (2 + len(plan.words) + bool(plan.asks)))
    fx = function_context(builder, b)
    fx.sieves = Sieves(plan.asks, b.arguments()[-1]) if plan.asks else None
    fx.routine = plan.routine
    cursor = Cursor((0, number))
    code = b.fresh(I32)
    frames = RowsInScratch(fx, cursor, _words(fx, plan), plan.rows)
    done, full, fails, succeeds = b.block(), b.block(), b.block(), b.block()
    scratch = b.arguments()[1]
    journal = scratch + plan.journal, scratch + (plan.room - RECORD)
    fx.undo = log = UndoLog(fx, plan, cursor, full, *journal)
    game = TrialControl(fx, plan, cursor, frames, {OK: succeeds, FAIL: fails})
    fx.frames, fx.control, fx.driver = frames, game, TrialDriver(fx)
    with fx.faulting(succeeds, quiet=True), game.in_context(0):
        game.tree(cursor.point)
    b.unreachable()
    for end in (SUCCEEDS, FAILS, OVERFLOWS):
        b.end()
        b.assign(code, end)
        b.br(done)
    b.end()
    log.undo()
    b.push(code)


def _words(fx: FunctionContext, plan: TrialPlan) -> list[dict[int, Value]]:
    """Locals for the words of each frame; those of the frame of the trial that it reads are parameters."""
    given = dict(zip(plan.words, fx.b.arguments()[2 : 2 + len(plan.words)], strict=True))
    words: list[dict[int, Value]] = []
    for i, context in enumerate(plan.paths.contexts):
        found: dict[int, Value] = {}
        for slot in range(ir.ME, context.size):
            local = given[slot] if i == 0 and slot in given else fx.b.fresh(I32)
            found[slot] = InLocal(local, _span(fx, context.routine, slot))
        words.append(found)
    return words


def _span(fx: FunctionContext, routine: int, slot: int) -> Interval:
    if slot == ir.ME:
        return (0, fx.mc.seats - 1)
    return fx.builder.spans.get((routine, slot), WIDE)

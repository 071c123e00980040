"""The function `whole`: a game that plays itself to its end, or to its next decision."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Variable
from interpreter.wasm.emit.streams import FIRST
from interpreter.wasm.lower import slot_intervals
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.control import PORT, Resumable, WholeGame, frame_locals, registers
from interpreter.wasm.lower.drivers import LocalPlayout, LocalStepper
from interpreter.wasm.lower.flat_driver import FlatPlayout
from interpreter.wasm.lower.frames import Cursor, InLocals, SavedAtStops
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.playout_cfg import ENTRY, Paths, Ports
from interpreter.wasm.runtime.runs import reset_run


def write_playout(builder: ModuleBuilder, paths: Paths) -> None:
    """(s): plays a game from the state to its end; the code of its end."""
    fx = _function(builder, (I32,))
    cursor = Cursor((0, builder.machine.start))
    words, rows, _ = frame_locals(fx, paths)
    frames = InLocals(fx, cursor, words, rows)
    game = WholeGame(fx, paths, cursor, frames, registers(fx))
    driver = (FlatPlayout if builder.config.flat else LocalPlayout)(fx, game)
    fx.frames, fx.control, fx.driver = frames, game, driver
    b = fx.b
    b.assign(driver.rng, global_("rng"))
    _load_kept(fx)
    b.assign(game.registers.decisions, 0)
    driver.refill()
    for number in game.registers.at_hand:
        b.assign(number, FIRST)
    bad = b.block()
    slot_intervals.find_spans(fx, game)
    with fx.faulting(bad, quiet=False), game.in_context(0):
        cursor.point = (0, builder.machine.start)
        _first_frame(fx, frames)
        game.tree(cursor.point)
    b.end()
    b.push(FAULT)


def write_stepper(builder: ModuleBuilder, found: Ports) -> None:
    """(s, port, part, bit): goes on at a port with an option that was chosen; the code of the next stop.

    The words of frames are locals while it runs. Where it stops they go to the stack of the state, as frames
    have them in any other module, and from there it goes on.
    """
    fx = _function(builder, (I32, I32, I32, I32))
    paths, cursor = found.paths, Cursor((0, builder.machine.start))
    words, rows, spread = frame_locals(fx, paths)
    frames = SavedAtStops(fx, cursor, words, rows, paths.contexts, spread)
    ports = {point: i for i, point in enumerate(found.ports)}
    game = Resumable(fx, paths, cursor, frames, registers(fx), ports)
    driver = LocalStepper(fx, game, frames)
    fx.frames, fx.control, fx.driver = frames, game, driver
    b = fx.b
    reset_run(builder, b)
    _load_kept(fx)
    b.assign(game.registers.decisions, b.state.load(4 * ir.DECISIONS))
    driver.refill()
    bad = b.block()
    slot_intervals.find_spans(fx, game)
    with fx.faulting(bad, quiet=False), game.in_context(0):
        cursor.point = ENTRY
        with b.if_(Variable(PORT).eqz()):
            _first_frame(fx, frames)
        game.tree(ENTRY)
    b.end()
    b.push(FAULT)


def _function(builder: ModuleBuilder, parameters: tuple[int, ...]) -> FunctionContext:
    fx = function_context(builder, builder.body("whole", parameters, (I32,)))
    fx.routine = builder.regions[0].routine
    return fx


def _load_kept(fx: FunctionContext) -> None:
    """What stands in memory between games comes into locals."""
    for word, local in fx.kept.items():
        assert word is not None
        fx.b.assign(Variable(local), fx.b.state.load(4 * word))


def _first_frame(fx: FunctionContext, frames: InLocals) -> None:
    """The frame of the flow is empty, and nobody stands in it."""
    frames.clear_frame(0)
    with frames.slot(ir.SELF):
        fx.b.push(NONE)

"""The function `whole`: a game that plays itself to its end, or to its next decision."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
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
    b.gget(GLOBAL["rng"])
    b.set(game.registers.rng)
    _load_kept(fx)
    b.i32(0)
    b.set(game.registers.decisions)
    driver.refill()
    for local in game.registers.at_hand:
        b.i32(FIRST)
        b.set(local)
    bad = b.block()
    slot_intervals.find_spans(fx, game)
    with fx.faulting(bad, quiet=False), game.in_context(0):
        cursor.point = (0, builder.machine.start)
        _first_frame(fx, frames)
        game.tree(cursor.point)
    b.end()
    b.i32(FAULT)


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
    b.get(fx.s)
    b.load(4 * ir.DECISIONS)
    b.set(game.registers.decisions)
    driver.refill()
    bad = b.block()
    slot_intervals.find_spans(fx, game)
    with fx.faulting(bad, quiet=False), game.in_context(0):
        cursor.point = ENTRY
        b.get(PORT)
        b.op("i32.eqz")
        b.when()
        _first_frame(fx, frames)
        b.end()
        game.tree(ENTRY)
    b.end()
    b.i32(FAULT)


def _function(builder: ModuleBuilder, parameters: tuple[int, ...]) -> FunctionContext:
    fx = function_context(builder, builder.body("whole", parameters, (I32,)))
    fx.routine = builder.regions[0].routine
    return fx


def _load_kept(fx: FunctionContext) -> None:
    """What stands in memory between games comes into locals."""
    for word, local in fx.kept.items():
        assert word is not None
        fx.b.get(fx.s)
        fx.b.load(4 * word)
        fx.b.set(local)


def _first_frame(fx: FunctionContext, frames: InLocals) -> None:
    """The frame of the flow is empty, and nobody stands in it."""
    frames.clear_frame(0)
    with frames.slot(ir.SELF):
        fx.b.i32(NONE)

"""Functions that play whole games: the playout loop, and the function `whole`.

Where the control-flow graph of a game is one function, `whole` plays it to its end, or to its next decision.
"""

from __future__ import annotations

from collections import Counter

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import BROKEN_PROMISE, FAULT, FIRST, OUTCOME_AT, row_words
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Operand, Variable, const
from interpreter.wasm.lower import slot_intervals
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.control import (
    RESUME_POINT,
    Resumable,
    WholeGame,
    frame_locals,
    keep_boards,
    registers,
    small_boards,
)
from interpreter.wasm.lower.drivers import LocalPlayout, LocalStepper
from interpreter.wasm.lower.frames import Cursor, InLocals, SavedAtStops
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.playout_cfg import ENTRY, Paths, ResumePoints
from interpreter.wasm.runtime.chance import AHEAD, take_lane, write_lanes
from interpreter.wasm.runtime.runs import reset_run
from interpreter.wasm.runtime.score_sheets import total_of


def write_playouts(builder: ModuleBuilder, whole: bool) -> None:
    """`whole`: one function plays the game to its end."""
    _write_many(builder, write_lanes(builder), whole)


def write_begin(builder: ModuleBuilder) -> None:
    """begin(s, low, high): the state before the first node, under a seed."""
    b = builder.body("begin", (I32, I32, I32), ())
    _copy_template(builder, b, b.state)
    reset_run(builder, b, others=0, pausing=0)
    b.push(builder.call("seed", *b.arguments(), results=()))


def _copy_template(builder: ModuleBuilder, b: Body, s: Operand) -> None:
    """Copies the first state; a small one by vectors, which costs less than a call."""
    if builder.state_bytes > 1024:
        b.copy(s, builder.template, builder.state_bytes)
        return
    for at in range(0, builder.state_bytes, 16):
        b.write_vector(s, const(0).load_vector(builder.template + at), at)


def _play(builder: ModuleBuilder, b: Body, lanes: int, lane: Operand, whole: bool) -> Operand:
    """Begins a playout under a seed that has been prepared; playing it gives the code of its end."""
    s: Operand = const(_playing(builder)) if whole else b.state
    _copy_template(builder, b, s)
    reset_run(builder, b, others=0, pausing=0)
    take_lane(builder, b, lanes, s, lane)
    return builder.call("whole") if whole else builder.call("run", s, const(builder.machine.start))


def _playing(builder: ModuleBuilder) -> int:
    """The address of the state in which playouts are played."""
    return builder.first_state[0] + builder.stream_bytes


def _write_many(builder: ModuleBuilder, lanes: int, whole: bool) -> None:
    """playouts(s, low, high, number, rows): plays with seeds from (low, high) on; how many came to an end.

    A playout whose score sheet faults has not: then the record says nothing (kind 0). With `rows`,
    each leaves a row there. In any case the number of wins by set of winners is counted.
    """
    mc = builder.machine
    builder.map["wins"] = builder.reserve(4 << mc.seats)
    builder.map["rows"] = builder.reserve(0)
    b = builder.body("playouts", (I32,) * 5, (I32,), export=True)
    s, low, high, number, rows = b.arguments()
    i, won, before = b.variables(I32, I32, I32)
    b.assign(i, 0)
    with b.until(i.ge_u(number)) as out:
        b.assign(before, global_("outcomes"))
        with b.if_((i & AHEAD - 1).eqz()):
            b.push(builder.call("seed lanes", low, high, results=()))
        b.br_if(out, _play(builder, b, lanes, i & AHEAD - 1, whole).eq(FAULT))
        if builder.config.checked:
            _check_promises(builder, b, won, out)
        b.br_if(out, won.tee(builder.call("winners", s)).lt_s(0))
        _count(builder, b, won)
        with b.if_(rows):
            _write_row(builder, b, before, won, out)
        # the next seed, of 64 bits
        b.assign(high, low.tee(low + 1).eqz() + high)
        b.assign(i, i + 1)
    b.push(i)


def _check_promises(builder: ModuleBuilder, b: Body, broken: Variable, out: Label) -> None:
    """A playout at whose end a promise does not hold has faulted."""
    with b.if_(broken.tee(builder.call("promises", b.state))):
        nothing = (const(0), const(0))
        start = const(builder.machine.start)
        b.push(builder.call("fault", const(BROKEN_PROMISE), start, broken, *nothing, results=()))
        b.br(out)


def _count(builder: ModuleBuilder, b: Body, won: Variable) -> None:
    """Counts a playout: who has won it, and its decisions."""
    wins, decisions = builder.map["wins"], global_("decisions")
    b.write(won << 2, won.entry_of(wins) + 1, wins)
    b.assign(decisions, decisions + b.state.load(4 * ir.DECISIONS))


def _write_row(builder: ModuleBuilder, b: Body, before: Variable, won: Variable, out: Label) -> None:
    s, _, _, _, rows = b.arguments()
    b.write(rows, s.load(4 * ir.DECISIONS), 0)
    b.write(rows, global_("outcomes") - before, 4)
    outcome = b.state.load(4 * builder.machine.ended) >> 1 << OUTCOME_AT
    b.write(rows, won | outcome if builder.machine.ended else won, 8)
    for seat in range(builder.machine.seats):
        b.br_if(out, builder.call("account", s, const(seat)).lt_s(0))
        b.write(rows, total_of(builder, seat), 12 + 4 * seat)
    b.assign(rows, rows + 4 * row_words(builder.machine.seats))


# ---- a whole game as one function


LEAVE_BOARDS_ALONE = frozenset(
    {"whole", "fault", "select", "popcount", "distinct", "sort", "draw", "philox 16"}
    | {"take", "put", "clear", "lift", "bottom", "top", "count"}
)
"""Functions that read no bit board; those that move pieces are known by the places that they change."""
FEWEST_CHOSEN = 4
"""From so many places on where one of the sets of a bit board is chosen, they are quicker in locals."""


def write_playout(builder: ModuleBuilder, paths: Paths) -> None:
    """`whole`, with bit boards in locals where that is worth it and nobody else reads them meanwhile.

    Trials do, but before them everything is put back.
    """
    small = small_boards(builder)
    chosen = _write_playout(builder, paths, small)
    others = builder.functions.keys() - LEAVE_BOARDS_ALONE
    apart = all(name.startswith("try ") for name in others)
    worth = frozenset(name for name in small if apart and chosen[name] >= FEWEST_CHOSEN)
    if worth != small:
        builder.functions.clear()
        builder.bodies.clear()
        _write_playout(builder, paths, worth)


def _write_playout(builder: ModuleBuilder, paths: Paths, kept: frozenset[str]) -> Counter[str]:
    """(): plays a game from the first state to its end; the code of its end.

    Gives how often a set of each of the bit boards that are kept has to be chosen: never, of those in memory.
    """
    fx = _function(builder, ())
    fx.b.state_is_at(_playing(builder))
    fx.frameless = True
    cursor = Cursor((0, builder.machine.start))
    words, rows, _ = frame_locals(fx, paths)
    frames = InLocals(fx, cursor, words, rows)
    game = WholeGame(fx, paths, cursor, frames, registers(fx))
    keep_boards(fx, kept)
    driver = LocalPlayout(fx, game)
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
    return Counter({name: n for name, n in fx.chosen_sets.items() if name not in fx.moved_boards})


def write_stepper(builder: ModuleBuilder, found: ResumePoints) -> None:
    """(s, point, part, bit): continues at a resume point with the chosen option; the code of the next stop.

    The words of frames are locals while it runs. Where it stops they go to the stack of the state, as frames
    have them in any other module, and from there it continues.
    """
    fx = _function(builder, (I32, I32, I32, I32))
    paths, cursor = found.paths, Cursor((0, builder.machine.start))
    words, rows, spread = frame_locals(fx, paths)
    deciding = {context for context, _ in found.decisions}
    frames = SavedAtStops(fx, cursor, words, rows, paths.contexts, spread, deciding)
    points = {point: i for i, point in enumerate(found.points)}
    game = Resumable(fx, paths, cursor, frames, registers(fx), points)
    driver = LocalStepper(fx, game, frames)
    fx.frames, fx.control, fx.driver = frames, game, driver
    b = fx.b
    reset_run(builder, b)
    b.assign(driver.rng, global_("rng"))
    _load_kept(fx)
    b.assign(game.registers.decisions, b.state.load(4 * ir.DECISIONS))
    driver.refill()
    bad = b.block()
    slot_intervals.find_spans(fx, game)
    with fx.faulting(bad, quiet=False), game.in_context(0):
        cursor.point = ENTRY
        with b.if_(Variable(RESUME_POINT).eqz()):
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
    b = fx.b
    for word, variable in fx.kept.items():
        b.assign(variable, b.state.load(4 * word))
    for name, sets in fx.kept_boards.items():
        for i, bits in enumerate(sets):
            b.assign(bits, b.state.load64(fx.builder.boards[name].first + 8 * i))


def _first_frame(fx: FunctionContext, frames: InLocals) -> None:
    """The frame of the flow is empty, and nobody stands in it."""
    frames.clear_frame(0)
    fx.set_slot(ir.SELF, NONE)

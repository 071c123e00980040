"""The playout loop inside the module."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, row_words
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Variable, const
from interpreter.wasm.runtime.chance import LANES, write_lanes
from interpreter.wasm.runtime.runs import reset_run
from interpreter.wasm.runtime.score_sheets import total_of


def write_playouts(builder: ModuleBuilder, whole: bool) -> None:
    """`whole`: one function plays the game to its end."""
    write_lanes(builder)
    _write_play(builder, whole)
    _write_many(builder)


def write_begin(builder: ModuleBuilder) -> None:
    """begin(s, low, high): the state before the first node, under a seed."""
    b = builder.body("begin", (I32, I32, I32), ())
    _initialise(builder, b)
    b.push(builder.call("seed", *b.arguments(), results=()))


def _initialise(builder: ModuleBuilder, b: Body) -> None:
    _copy_template(builder, b)
    reset_run(builder, b, others=0, pausing=0)


def _copy_template(builder: ModuleBuilder, b: Body) -> None:
    """Copies the first state; a small one by vectors, which costs less than a call."""
    if builder.state_bytes > 1024:
        b.push(b.state, builder.template, builder.state_bytes)
        b.copy()
        return
    for at in range(0, builder.state_bytes, 16):
        b.push(b.state, 0)
        b.vload(builder.template + at)
        b.vstore(at)


def _write_play(builder: ModuleBuilder, whole: bool) -> None:
    """play(s, lane): one playout under a seed that has been prepared; the code of its end."""
    b = builder.body("play", (I32, I32), (I32,))
    s, lane = b.arguments()
    _initialise(builder, b)
    b.push(builder.call("take lane", s, lane, results=()))
    b.push(builder.call("whole", s) if whole else builder.call("run", s, const(builder.machine.start)))


def _write_many(builder: ModuleBuilder) -> None:
    """playouts(s, low, high, number, rows): plays with seeds from (low, high) on; how many came to an end.

    A playout whose score sheet comes to a fault has not: then the record says nothing (kind 0). With `rows`,
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
        with b.if_((i & LANES - 1).eqz()):
            b.push(builder.call("seed lanes", low, high, results=()))
        b.br_if(out, builder.call("play", s, i & LANES - 1).eq(FAULT))
        b.br_if(out, won.tee(builder.call("winners", s)).lt_s(0))
        _count(builder, b, won)
        with b.if_(rows):
            _write_row(builder, b, before, won, out)
        # the next seed, of 64 bits
        b.assign(high, low.tee(low + 1).eqz() + high)
        b.assign(i, i + 1)
    b.push(i)


def _count(builder: ModuleBuilder, b: Body, won: Variable) -> None:
    """Counts a playout: who has won it, and its decisions."""
    wins, decisions = builder.map["wins"], global_("decisions")
    b.write(won << 2, won.entry_of(wins) + 1, wins)
    b.assign(decisions, decisions + b.state.load(4 * ir.DECISIONS))


def _write_row(builder: ModuleBuilder, b: Body, before: Variable, won: Variable, out: Label) -> None:
    s, _, _, _, rows = b.arguments()
    b.write(rows, s.load(4 * ir.DECISIONS), 0)
    b.write(rows, global_("outcomes") - before, 4)
    b.write(rows, won, 8)
    for seat in range(builder.machine.seats):
        b.br_if(out, builder.call("account", s, const(seat)).lt_s(0))
        b.write(rows, total_of(builder, seat), 12 + 4 * seat)
    b.assign(rows, rows + 4 * row_words(builder.machine.seats))

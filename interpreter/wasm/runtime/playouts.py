"""The playout loop inside the module."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, row_words
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
from interpreter.wasm.faults import MOST_SEARCH
from interpreter.wasm.runtime.chance import LANES, write_lanes
from interpreter.wasm.runtime.runs import refuel


def write_playouts(builder: ModuleBuilder, whole: bool) -> None:
    """`whole`: one function plays the game to its end."""
    write_lanes(builder)
    _write_play(builder, whole)
    _write_many(builder)


def write_begin(builder: ModuleBuilder) -> None:
    """(s, low, high): the state before the first node, under a seed."""
    b = builder.body("begin", (I32, I32, I32), ())
    _first_state(builder, b)
    for local in range(3):
        b.get(local)
    b.call(builder.function("seed", (I32, I32, I32), ()))


def _first_state(builder: ModuleBuilder, b: Body) -> None:
    _copy_template(builder, b)
    for name, value in {
        "trial": 0,
        "top": builder.scratch_start,
        "search": MOST_SEARCH,
        "others": 0,
        "pausing": 0,
    }.items():
        b.i32(value)
        b.gset(GLOBAL[name])
    refuel(b)


def _copy_template(builder: ModuleBuilder, b: Body) -> None:
    """The first state; a small one is copied by vectors, which costs less than a call."""
    if builder.state_bytes > 1024:
        b.get(0)
        b.i32(builder.template)
        b.i32(builder.state_bytes)
        b.copy()
        return
    for at in range(0, builder.state_bytes, 16):
        b.get(0)
        b.i32(0)
        b.vload(builder.template + at)
        b.vstore(at)


def _write_play(builder: ModuleBuilder, whole: bool) -> None:
    """(s, lane): one playout under a seed that has been prepared; the code of its end."""
    mc = builder.machine
    b = builder.body("play", (I32, I32), (I32,))
    _first_state(builder, b)
    b.get(0)
    b.get(1)
    b.call(builder.function("take lane"))
    b.get(0)
    if whole:
        b.call(builder.function("whole"))
        return
    b.i32(mc.start)
    b.call(builder.function("run", (I32, I32)))


def _write_many(builder: ModuleBuilder) -> None:
    """(s, low, high, number, rows): playouts with seeds from (low, high) on; how many came to an end.

    A playout whose account comes to a fault has not: then the record says nothing (kind 0). With `rows`, each
    leaves a row there. In any case the number of wins by set of winners is counted.
    """
    mc = builder.machine
    builder.map["wins"] = builder.reserve(4 << mc.seats)
    builder.map["rows"] = builder.reserve(0)
    b = builder.body("playouts", (I32,) * 5, (I32,), export=True)
    i, won, before = b.local(), b.local(), b.local()
    b.i32(0)
    b.set(i)
    with b.forever() as out:
        b.get(i)
        b.get(3)
        b.op("i32.ge_u")
        b.br_if(out)
        b.gget(GLOBAL["outcomes"])
        b.set(before)
        b.get(i)
        b.i32(LANES - 1)
        b.op("i32.and", "i32.eqz")
        b.when()
        b.get(1)
        b.get(2)
        b.call(builder.function("seed lanes"))
        b.end()
        b.get(0)
        b.get(i)
        b.i32(LANES - 1)
        b.op("i32.and")
        b.call(builder.function("play"))
        b.i32(FAULT)
        b.op("i32.eq")
        b.br_if(out)
        b.get(0)
        b.call(builder.function("winners"))
        b.tee(won)
        b.i32(0)
        b.op("i32.lt_s")
        b.br_if(out)
        _tell(builder, b, won)
        b.get(4)
        b.when()
        _write_row(builder, before, won, out)
        b.end()
        b.get(1)
        b.i32(1)
        b.op("i32.add")
        b.tee(1)
        b.op("i32.eqz")
        b.get(2)
        b.op("i32.add")
        b.set(2)
        b.bump(i, 1)
    b.get(i)


def _tell(builder: ModuleBuilder, b: Body, won: int) -> None:
    """A playout counts: who has won it, and its decisions."""
    b.get(won)
    b.i32(2)
    b.op("i32.shl")
    b.get(won)
    b.i32(2)
    b.op("i32.shl")
    b.load(builder.map["wins"])
    b.i32(1)
    b.op("i32.add")
    b.store(builder.map["wins"])
    b.gget(GLOBAL["decisions"])
    b.get(0)
    b.load(4 * ir.DECISIONS)
    b.op("i32.add")
    b.gset(GLOBAL["decisions"])


def _write_row(builder: ModuleBuilder, before: int, won: int, out: Label) -> None:
    mc, b = builder.machine, builder.bodies["playouts"]
    b.get(4)
    b.get(0)
    b.load(4 * ir.DECISIONS)
    b.store(0)
    b.get(4)
    b.gget(GLOBAL["outcomes"])
    b.get(before)
    b.op("i32.sub")
    b.store(4)
    b.get(4)
    b.get(won)
    b.store(8)
    for seat in range(mc.seats):
        b.get(0)
        b.i32(seat)
        b.call(builder.function("account"))
        b.i32(0)
        b.op("i32.lt_s")
        b.br_if(out)
        b.get(4)
        b.i32(0)
        b.load(builder.seats_out + 4 * (len(mc.scores) + 1) * seat + 4 * len(mc.scores))
        b.store(12 + 4 * seat)
    b.bump(4, 4 * row_words(mc.seats))

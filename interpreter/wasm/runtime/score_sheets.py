"""The account of a match, its winners, and what the rules promise of every position."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
from interpreter.wasm.lower import calls
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.values import InLocal
from interpreter.wasm.runtime.runs import reset_run


def write_account(builder: ModuleBuilder) -> None:
    """(s, seat): every line of a seat's account goes to its row of `accounts`, and the total behind them."""
    mc = builder.machine
    b = builder.body("account", (I32, I32), (I32,), export=True)
    fx = function_context(builder, b)
    b.i32(builder.scratch_start)
    b.gset(GLOBAL["top"])
    at, total, v = b.local(), b.local(), b.local()
    bad = b.block()
    b.get(1)
    b.i32(4 * (len(mc.scores) + 1))
    b.op("i32.mul")
    b.i32(builder.seats_out)
    b.op("i32.add")
    b.set(at)
    b.i32(0)
    b.set(total)
    with fx.faulting(bad, quiet=True), fx.reg(0, InLocal(1, (0, mc.seats - 1))), calls.virtual(fx, {}):
        for i, score in enumerate(mc.scores):
            b.get(at)
            fx.num(score.value)
            b.tee(v)
            b.store(4 * i)
            if score.kind == "score":
                b.get(total)
                b.get(v)
                b.op("i32.add")
                b.set(total)
    b.get(at)
    b.get(total)
    b.store(4 * len(mc.scores))
    b.ret(0)
    b.end()
    b.i32(FAULT)


def write_winners(builder: ModuleBuilder) -> None:
    """(s): the seats that have won, as bits, or the code of a fault in an account."""
    mc = builder.machine
    b = builder.body("winners", (I32,), (I32,), export=True)
    won = b.local()
    b.get(0)
    b.load(4 * ir.WINNERS)
    b.tee(won)
    b.when()
    b.get(won)
    b.op("return")
    b.end()
    if mc.best == "none":
        b.i32(0)
        return
    for seat in range(mc.seats):
        b.get(0)
        b.i32(seat)
        b.call(builder.function("account"))
        b.i32(0)
        b.op("i32.lt_s")
        b.ret_if(FAULT)
    b.call(builder.function("best", ()))
    _write_best(builder)


def _write_best(builder: ModuleBuilder) -> None:
    """(): the seats with the best of the accounts that were taken last, as bits."""
    mc = builder.machine
    b = builder.body("best", (), (I32,))
    won = b.local()
    row = 4 * (len(mc.scores) + 1)
    keys = [len(mc.scores), *(i for i, s in enumerate(mc.scores) if s.kind == "tiebreak")]
    better = ["i32.gt_s" if mc.best == "highest" else "i32.lt_s", *(["i32.gt_s"] * (len(keys) - 1))]
    best = b.local()
    b.i32(builder.seats_out)
    b.set(best)
    b.i32(1)
    b.set(won)
    for seat in range(1, mc.seats):
        mine = builder.seats_out + row * seat
        out = b.block()
        for key, compare in zip(keys, better, strict=True):
            b.i32(0)
            b.load(mine + 4 * key)
            b.get(best)
            b.load(4 * key)
            b.op(compare)
            b.when()
            b.i32(mine)
            b.set(best)
            b.i32(1 << seat)
            b.set(won)
            b.br(out)
            b.end()
            b.i32(0)
            b.load(mine + 4 * key)
            b.get(best)
            b.load(4 * key)
            b.op("i32.ne")
            b.br_if(out)
        b.get(won)
        b.i32(1 << seat)
        b.op("i32.or")
        b.set(won)
        b.end()
    b.get(won)


def write_invariants(builder: ModuleBuilder) -> None:
    """(s): the first promise that does not hold, counted from 1, or 0."""
    b = builder.body("broken", (I32,), (I32,), export=True)
    fx = function_context(builder, b)
    reset_run(builder, b)
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=True):
        for i, invariant in enumerate(builder.machine.invariants):
            if invariant.is_static:
                continue
            fx.num(invariant.condition)
            b.op("i32.eqz")
            b.ret_if(i + 1)
        b.ret(0)
    b.end()
    b.i32(FAULT)

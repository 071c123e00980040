"""The score sheets of a match, its winners, and what the rules promise of every position."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, const, word_at
from interpreter.wasm.lower import calls
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.values import InLocal
from interpreter.wasm.runtime.runs import reset_run


def _row_bytes(mc: ir.Machine) -> int:
    """Bytes of a seat's row: every score line and tie-break, then the total."""
    return 4 * (len(mc.scores) + 1)


def total_of(builder: ModuleBuilder, seat: int) -> Operand:
    """The total of a seat's score sheet that was computed last."""
    mc = builder.machine
    return word_at(builder.seats_out + _row_bytes(mc) * seat + 4 * len(mc.scores))


def write_account(builder: ModuleBuilder) -> None:
    """account(s, seat): writes a seat's score sheet to its row of `accounts`; 0, or FAULT.

    In a module that explains, the record of a fault has the number of the score instead of a node.
    """
    mc = builder.machine
    b = builder.body("account", (I32, I32), (I32,), export=True)
    seat = b.arguments()[1]
    fx = function_context(builder, b)
    b.assign(global_("top"), builder.scratch_start)
    at, total, v = b.variables(I32, I32, I32)
    bad = b.block()
    b.assign(at, seat * _row_bytes(mc) + builder.seats_out)
    b.assign(total, 0)
    owner = InLocal(seat, (0, mc.seats - 1))
    quiet = not builder.config.explains
    with fx.faulting(bad, quiet), fx.reg(0, owner), calls.virtual(fx, {}):
        for i, score in enumerate(mc.scores):
            fx.node = 0 if quiet else i
            b.push(at)
            fx.num(score.value)
            b.write(STACK, v.tee(STACK), 4 * i)
            if score.kind == "score":
                b.assign(total, total + v)
    b.write(at, total, 4 * len(mc.scores))
    b.ret(0)
    b.end()
    b.push(FAULT)


def write_winners(builder: ModuleBuilder) -> None:
    """winners(s): the seats that have won, as bits, or the code of a fault in a score sheet."""
    mc = builder.machine
    b = builder.body("winners", (I32,), (I32,), export=True)
    won = b.local()
    b.ret_if(won, won.tee(b.state.load(4 * ir.WINNERS)))
    if mc.best == "none":
        b.push(0)
        return
    for seat in range(mc.seats):
        b.ret_if(FAULT, builder.call("account", b.state, const(seat)).lt_s(0))
    b.push(builder.call("best"))
    _write_best(builder)


def _write_best(builder: ModuleBuilder) -> None:
    """best(): the seats with the best of the score sheets that were computed last, as bits.

    Rows are compared by the total, then by each tie-break.
    """
    mc = builder.machine
    b = builder.body("best", (), (I32,))
    keys = [len(mc.scores), *(i for i, s in enumerate(mc.scores) if s.kind == "tiebreak")]
    better = ["gt_s" if mc.best == "highest" else "lt_s", *(["gt_s"] * (len(keys) - 1))]
    won, best = b.variables(I32, I32)
    b.assign(best, builder.seats_out)
    b.assign(won, 1)
    for seat in range(1, mc.seats):
        row = builder.seats_out + _row_bytes(mc) * seat
        decided = b.block()
        for key, compare in zip(keys, better, strict=True):
            with b.if_(word_at(row + 4 * key).compare(compare, best.load(4 * key))):
                b.assign(best, row)
                b.assign(won, 1 << seat)
                b.br(decided)
            b.br_if(decided, word_at(row + 4 * key).ne(best.load(4 * key)))
        b.assign(won, won | 1 << seat)
        b.end()
    b.push(won)


def write_invariants(builder: ModuleBuilder) -> None:
    """broken(s): the first promise that does not hold, counted from 1, or 0; or FAULT."""
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
            b.ret_if(i + 1, STACK.eqz())
        b.ret(0)
    b.end()
    b.push(FAULT)

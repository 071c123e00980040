"""The score sheets of a match, its winners, and what the rules promise of every position."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, WORK_AT
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, const, word_at, word_now
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
            if mc.counted:
                b.assign(v, 0)
                with b.if_(_counts(b, mc, i)):
                    fx.num(score.value)
                    b.assign(v, STACK)
                b.write(at, v, 4 * i)
            else:
                b.push(at)
                fx.num(score.value)
                b.write(STACK, v.tee(STACK), 4 * i)
            if score.kind == "score":
                b.assign(total, total + v)
    b.write(at, total, 4 * len(mc.scores))
    b.ret(0)
    b.end()
    b.push(FAULT)


def write_computed(builder: ModuleBuilder, values: tuple[ir.Expr, ...]) -> None:
    """computed(s, seat, number): writes a value that the table shows to `out`; 0, or FAULT."""
    b = builder.body("computed", (I32, I32, I32), (I32,), export=True)
    _, seat, number = b.arguments()
    fx = function_context(builder, b)
    b.assign(global_("top"), builder.scratch_start)
    bad = b.block()
    owner = InLocal(seat, (0, builder.machine.seats - 1))
    with fx.faulting(bad, True), fx.reg(0, owner), calls.virtual(fx, {}):
        for i, value in enumerate(values):
            with b.if_(number.eq(i)):
                b.push(builder.out)
                fx.num(value)
                b.write(STACK, STACK)
                b.ret(0)
    b.ret(FAULT)
    b.end()
    b.push(FAULT)


def _counts(b: Body, mc: ir.Machine, line: int) -> Operand:
    """Whether a score line counts in the phase of the match, as 0 or 1. Others are not computed."""
    counting = [phase for phase, lines in enumerate(mc.counted) if line in lines]
    found: Operand = const(0)
    for phase in counting:
        found = found | b.state.load(4 * ir.PHASE).eq(phase)
    return found


def write_winners(builder: ModuleBuilder) -> None:
    """winners(s): the seats that have won, as bits, or the code of a fault in a score sheet."""
    mc = builder.machine
    b = builder.body("winners", (I32,), (I32,), export=True)
    won = b.local()
    b.ret_if(won, won.tee(b.state.load(4 * ir.WINNERS)))
    if mc.ended:
        b.ret_if(0, b.state.load(4 * mc.ended) & 1)
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
    ties = [i for i, s in enumerate(mc.scores) if s.kind == "tiebreak"]
    keys = [len(mc.scores), *ties]
    better = [
        "gt_s" if best == "highest" else "lt_s" for best in (mc.best, *(mc.scores[i].best for i in ties))
    ]
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
    reset_run(builder, b)
    _test_invariants(builder, b)


def write_promises(builder: ModuleBuilder) -> None:
    """promises(s): the same in the middle of a playout, which continues as if nothing had been asked.

    A higher number says that a piece is lost.
    """
    b = builder.body("promises", (I32,), (I32,))
    b.assign(global_("fuel"), word_now(WORK_AT))
    for i, (component, total) in enumerate(builder.machine.totals.items()):
        if _push_pieces(builder, b, component):
            b.ret_if(1 + len(builder.machine.invariants) + i, STACK.ne(total))
    _test_invariants(builder, b)


def _push_pieces(builder: ModuleBuilder, b: Body, component: str) -> bool:
    """Leaves how many pieces of a component there are, if they lie anywhere."""
    mc, lie = builder.machine, False
    for place in mc.places:
        if mc.place_components[place.zone] != component:
            continue
        words = range(place.base, place.base + (place.words if place.kind == ir.COUNTS else 1))
        for word in words:
            here = b.state.load(4 * word)
            here = here.ne(0) if place.kind == ir.SLOT else here
            b.push(STACK + here if lie else here)
            lie = True
    return lie


def _test_invariants(builder: ModuleBuilder, b: Body) -> None:
    fx = function_context(builder, b)
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

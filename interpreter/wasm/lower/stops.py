"""Nodes at which a run may stop: decisions, chance, branches, the end."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import BRANCH_END, CHANCE, ENDED, FAIL, OK, OVER, STOP, SWITCH
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.faults import NOTHING_TO_CHOOSE
from interpreter.wasm.lower import const_eval, moves, options, writes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value

# ---- chance


def chance(fx: FunctionContext, number: int, node: ir.Chance) -> int | None:
    b = fx.b
    fx.driver.tried()
    fx.control.ret(OK)
    b.end()
    if fx.builder.config.bare:
        fx.driver.stop_at(number, CHANCE)
        return None
    fx.global_add("outcomes", 1)
    if node.faces is not None:
        with fx.frames.slot(node.slot):
            fx.driver.draw_number(node, Constant(node.faces))
    elif node.most is not None:
        most = const_eval.operand(fx, node.most)
        with fx.frames.slot(node.slot):
            fx.driver.draw_number(node, most)
        fx.drop(most)
    else:
        _drawn_class(fx, node)
    return node.next


def _drawn_class(fx: FunctionContext, node: ir.Chance) -> None:
    """A class, each piece of the place with equal chance."""
    b = fx.b
    assert node.place is not None
    place = const_eval.operand(fx, node.place)
    with b.borrowed(I32, I32, I32) as (total, at, c):
        moves.word_of(fx, place)
        b.set(at)
        b.get(fx.s)
        fx.put(place)
        b.call(fx.builder.function("count", (I32, I32)))
        b.set(total)
        fx.driver.draw_number(node, InLocal(total, WIDE))
        b.set(total)
        b.i32(0)
        b.set(c)
        with b.forever() as out:
            b.get(total)
            b.get(at)
            b.load()
            b.op("i32.sub")
            b.tee(total)
            b.i32(0)
            b.op("i32.lt_s")
            b.br_if(out)
            for local, by in ((c, 1), (at, 4)):
                b.bump(local, by)
        with fx.frames.slot(node.slot):
            b.get(c)
    fx.drop(place)


def stop_if_any(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, both: bool) -> None:
    """Stops if there is something to choose; `both`: not only in trials."""
    b = fx.b
    if node.asks and fx.mc.cover:
        # What is offered is not looked for yet: as in the reference executor.
        _somebody_asked(fx, node)
        b.when()
        _stop_here(fx, number, both)
        b.end()
    with b.borrowed(I32) as (found,):
        b.get(fx.s)
        b.i32(0)
        b.call(fx.builder.function(f"menu {number}", (I32, I32)))
        options.return_if_fault(fx, found)
        b.get(found)
        if node.asks:
            _somebody_asked(fx, node)
            b.op("i32.or")
        b.when()
        _stop_here(fx, number, both)
        b.end()
    nothing_to_choose(fx, number, node, both)


def _somebody_asked(fx: FunctionContext, node: ir.Decide | ir.Offer) -> None:
    """Leaves whether there is a seat that decides."""
    fx.num(node.seat)
    fx.b.i32(NONE)
    fx.b.op("i32.ne")


def _stop_here(fx: FunctionContext, number: int, both: bool) -> None:
    if not both:
        fx.control.ret(OK)
        return
    fx.driver.tried()
    fx.control.ret(OK)
    fx.b.end()
    fx.driver.stop_at(number, STOP)


def nothing_to_choose(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, both: bool) -> None:
    """There is nothing to choose."""
    following = node.nothing if isinstance(node, ir.Decide) else None
    following = node.passing if following is None else following
    if following is not None:
        fx.control.go(following)
    elif both:
        fx.node = number
        fx.driver.refuse(NOTHING_TO_CHOOSE)
    else:
        fx.control.ret(FAIL)


# ---- branches, and the end


def fork(fx: FunctionContext, number: int, node: ir.Fork) -> None:
    """Every seat gets a frame; a module that plays by itself runs them to their ends and goes on."""
    b, mc = fx.b, fx.mc
    if fx.builder.plays_branches:
        fx.driver.tried()
        fx.control.ret(OK)
        b.end()
    arguments = [const_eval.operand(fx, a) for a in node.arguments]
    for word, value in ((ir.FORKED, 1), (ir.FORK, number)):
        b.get(fx.s)
        b.i32(value)
        b.store(4 * word)
    b.get(fx.s)
    b.get(fx.s)
    b.load(4 * ir.FP)
    b.store(4 * ir.MAIN_FP)
    if fx.builder.keeps_saved:
        b.get(fx.s)
        b.i32(4 * mc.saved)
        b.op("i32.add")
        b.get(fx.s)
        b.i32(4 * mc.saved_from)
        b.op("i32.add")
        b.i32(4 * (mc.saved_to - mc.saved_from))
        b.copy()
    for seat in range(mc.seats):
        base = mc.branch_stack + seat * mc.branch_size
        words: list[tuple[int, Value]] = [
            (base + ir.RETURN, Constant(BRANCH_END)),
            (base + ir.ME, Constant(seat)),
            (base + ir.SELF, Constant(NONE)),
            *((base + ir.FRAME + i, a) for i, a in enumerate(arguments)),
            (mc.branch(seat), Constant(mc.routines[node.routine].entries[0])),
            (mc.branch(seat) + ir.BRANCH_FP, Constant(base)),
            (mc.branch(seat) + ir.BRANCH_STATUS, Constant(ir.READY)),
        ]
        for word, what in words:
            b.get(fx.s)
            fx.put(what)
            b.store(4 * word)
    if not fx.builder.plays_branches:
        fx.control.ret(SWITCH)
        return
    with b.borrowed(I32) as (code,):
        b.get(fx.s)
        b.call(fx.builder.function("branches"))
        b.tee(code)
        b.i32(0)
        b.op("i32.lt_s")
        b.when()
        b.get(code)
        b.op("return")
        b.end()
    fx.control.go(node.next)


def win(fx: FunctionContext, seat: ir.Expr) -> None:
    b = fx.b
    b.get(fx.s)
    b.get(fx.s)
    b.load(4 * ir.WINNERS)
    b.i32(1)
    fx.num(seat)
    b.op("i32.shl", "i32.or")
    b.store(4 * ir.WINNERS)
    over(fx)


def over(fx: FunctionContext) -> None:
    fx.b.get(fx.s)
    fx.b.i32(1)
    fx.b.store(4 * ir.STATUS)
    writes.event(fx, ENDED)
    fx.control.ret(OVER)

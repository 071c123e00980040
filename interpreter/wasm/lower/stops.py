"""Nodes at which a run may stop: decisions, chance, branches, the end."""

from __future__ import annotations

from contextlib import nullcontext
from functools import reduce
from operator import add

from dsl.domains import NONE
from interpreter import events as ev, ir
from interpreter.wasm.abi import (
    BRANCH_END,
    CHANCE,
    FAIL,
    FAULT,
    NOTHING_TO_CHOOSE,
    NUMBERS,
    OK,
    OVER,
    STOP,
    SWITCH,
)
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.nth_bit import nth_bit
from interpreter.wasm.emit.operands import STACK, Operand
from interpreter.wasm.lower import addresses, const_eval, piece_loops, writes
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value

# ---- chance


def next_number(record: Operand, counter: Operand) -> Operand:
    """The number that a counter means, as 64 bits. `record` is the stream's buffer; the group is at hand."""
    return _number_at(record, counter).load(NUMBERS).widened()


def note_total(b: Body, record: Operand, counter: Operand, total: Operand) -> None:
    """Where the number of a counter stood, that nobody reads again, stands of how many one was drawn."""
    b.write(_number_at(record, counter), total, NUMBERS)


def _number_at(record: Operand, counter: Operand) -> Operand:
    return record + ((counter & 3) << 4 | counter & 12)


def chance(fx: FunctionContext, number: int, node: ir.Chance) -> int | None:
    b = fx.b
    with b.if_(fx.driver.trial):
        fx.control.ret(OK)
    if fx.builder.config.bare:
        fx.driver.stop_at(number, CHANCE)
        return None
    b.assign(global_("outcomes"), global_("outcomes") + 1)
    if node.faces is not None:
        with fx.frames.slot(node.slot):
            fx.driver.draw_number(node, Constant(node.faces))
    elif node.most is not None:
        most = const_eval.operand(fx, node.most)
        with fx.frames.slot(node.slot):
            fx.driver.draw_number(node, most)
        fx.drop(most)
    elif node.picked is not None:
        _picked(fx, node, node.picked)
    else:
        _drawn_class(fx, node)
    return node.next


def _picked(fx: FunctionContext, node: ir.Chance, total: ir.Fold) -> None:
    """A value, each with a chance as large as its weight.

    left = random below the sum of the weights; for each value: left -= its weight, until left < 0.
    """
    b = fx.b
    assert total.body is not None
    weight = total.body
    with b.temporaries(I32, I32) as (left, found):
        fx.num(total)
        b.assign(left, STACK)
        fx.driver.draw_number(node, InLocal(left, WIDE))
        b.assign(left, STACK)
        drawn = b.block()

        def visit(value: Value, n: Value) -> None:
            with fx.reg(total.reg, value):
                if total.where is not None:
                    fx.num(total.where)
                with b.if_(STACK) if total.where is not None else nullcontext():
                    b.push(left)
                    fx.num(weight)
                    with b.if_(left.tee(STACK - STACK * n.operand).lt_s(0)):
                        b.assign(found, value.operand)
                        b.br(drawn)

        fx.each(total.source, visit, 30)
        b.end()
        fx.set_slot(node.slot, found)


def _drawn_class(fx: FunctionContext, node: ir.Chance) -> None:
    """A class, each piece of the place with equal chance.

    left = random below the number of pieces; for each class: left -= its pieces, until left < 0. Where no two
    pieces are alike, that is a bit of the set of the classes that lie there.
    """
    b = fx.b
    assert node.place is not None
    place = const_eval.operand(fx, node.place)
    held = piece_loops.lone_set(fx, place)
    if held is not None:
        if held[1] == 1:
            _drawn_bit_of_word(fx, node, held[0], fx.mc.places[place.span[0]].classes)
        else:
            _drawn_bit(fx, node, *held)
        fx.drop(place)
        return
    with b.temporaries(I32, I32, I32) as (left, at, cls):
        b.assign(at, addresses.place_address(fx, place))
        b.assign(left, fx.builder.call("count", b.state, place.operand))
        fx.driver.draw_number(node, InLocal(left, WIDE))
        b.assign(left, STACK)
        b.assign(cls, 0)
        with b.until(left.tee(left - at.load()).lt_s(0)):
            b.assign(cls, cls + 1)
            b.assign(at, at + 4)
        fx.set_slot(node.slot, cls)
    fx.drop(place)


def _drawn_bit(fx: FunctionContext, node: ir.Chance, at: Operand, words: int) -> None:
    """A class, each one of a set of so many words with equal chance."""
    b = fx.b
    with b.temporaries(I32, I32) as (first, left):
        b.assign(first, at)
        number = (first.load64(8 * i).popcnt() for i in range(words))
        b.assign(left, reduce(add, number).wrapped())
        fx.driver.draw_number(node, InLocal(left, (0, 64 * words)))
        b.assign(left, STACK)
        fx.set_slot(node.slot, fx.builder.call("select", first, left))


def _drawn_bit_of_word(fx: FunctionContext, node: ir.Chance, at: Operand, classes: int) -> None:
    """The same of a set of one word."""
    b = fx.b
    with b.temporaries(I32, I64) as (left, word):
        b.assign(left, word.tee(at.load64()).popcnt().wrapped())
        fx.driver.draw_number(node, InLocal(left, (0, classes)))
        b.assign(left, STACK)
        fx.set_slot(node.slot, nth_bit(fx.builder, b, word, left, classes))


def stop_if_any(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, both: bool) -> None:
    """Stops if there is something to choose; `both`: not only in trials."""
    b = fx.b
    if node.asks and fx.mc.cover:
        # What is offered is not looked for yet: as in the reference executor.
        push_is_asked(fx, node)
        with b.if_(STACK):
            _stop_here(fx, number, both)
    with b.temporaries(I32) as (found,):
        b.ret_if(FAULT, found.tee(fx.builder.call(f"menu {number}", b.state, 0)).lt_s(0))
        b.push(found)
        if node.asks:
            push_is_asked(fx, node)
            b.push(STACK | STACK)
        with b.if_(STACK):
            _stop_here(fx, number, both)
    nothing_to_choose(fx, number, node, both)


def push_is_asked(fx: FunctionContext, node: ir.Decide | ir.Offer) -> None:
    """Leaves whether there is a seat that decides."""
    fx.num(node.seat)
    fx.b.push(STACK.ne(NONE))


def _stop_here(fx: FunctionContext, number: int, both: bool) -> None:
    if not both:
        fx.control.ret(OK)
        return
    with fx.b.if_(fx.driver.trial):
        fx.control.ret(OK)
    fx.driver.stop_at(number, STOP)


def nothing_to_choose(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, both: bool) -> None:
    """There is nothing to choose."""
    following = node.nothing if isinstance(node, ir.Decide) else None
    following = node.passing if following is None else following
    if following is not None:
        fx.control.go(following)
    elif both:
        fx.resume(number)
        fx.driver.refuse(NOTHING_TO_CHOOSE)
    else:
        fx.control.ret(FAIL)


# ---- branches, and the end


def fork(fx: FunctionContext, number: int, node: ir.Fork) -> None:
    """Every seat gets a frame; a module that plays by itself runs them to their ends and continues."""
    b, s, mc = fx.b, fx.b.state, fx.mc
    if fx.builder.plays_branches:
        with b.if_(fx.driver.trial):
            fx.control.ret(OK)
    arguments = [const_eval.operand(fx, a) for a in node.arguments]
    b.write(s, 1, 4 * ir.FORKED)
    b.write(s, number, 4 * ir.FORK)
    b.write(s, s.load(4 * ir.FP), 4 * ir.MAIN_FP)
    if fx.builder.keeps_saved:
        b.copy(s + 4 * mc.saved, s + 4 * mc.saved_from, 4 * (mc.saved_to - mc.saved_from))
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
        for word, value in words:
            b.write(s, value.operand, 4 * word)
    if not fx.builder.plays_branches:
        fx.control.ret(SWITCH)
        return
    with b.temporaries(I32) as (code,):
        b.ret_if(code, code.tee(fx.builder.call("branches", s)).lt_s(0))
    fx.control.go(node.next)


def win(fx: FunctionContext, number: int, seat: ir.Expr) -> None:
    b = fx.b
    b.push(b.state, b.state.load(4 * ir.WINNERS), 1)
    fx.num(seat)
    b.write(STACK, STACK | STACK << STACK, 4 * ir.WINNERS)
    over(fx, number)


def finish(fx: FunctionContext, number: int, node: ir.Finish) -> None:
    """The end, with its winners and its name."""
    b = fx.b
    if node.winners is not None:
        b.push(b.state)
        fx.num(node.winners)
        b.write(STACK, STACK, 4 * ir.WINNERS)
    b.write(b.state, 2 * node.outcome + (node.winners is not None), 4 * fx.mc.ended)
    over(fx, number, node.outcome)


def over(fx: FunctionContext, number: int, outcome: int = 0) -> None:
    fx.b.write(fx.b.state, 1, 4 * ir.STATUS)
    writes.event(fx, ev.Ended, outcome, number)
    fx.control.ret(OVER)

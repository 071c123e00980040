"""Decisions that a module makes by itself, each option with equal chance."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import BROKEN_PROMISE
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Variable, select
from interpreter.wasm.lower import drawing, option_layouts, stops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.pair_moves import PairMoves
from interpreter.wasm.lower.pair_options import PairList, PairSets, pair_options
from interpreter.wasm.lower.value_options import ValueOptions
from interpreter.wasm.lower.values import WIDE, InLocal
from interpreter.wasm.option_layout import OptionPart

PartOptions = ValueOptions | PairMoves | PairSets | PairList
"""The options of one part of a decision: found, counted, drawn, carried out."""


def play_decision(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer) -> None:
    """Finds and counts the options of all parts, picks one at random, and carries it out.

    Where the options of parts are candidates, one that is drawn and cannot be carried out is taken out, and
    another is drawn: of the candidates that can be carried out each has the same chance.
    """
    b = fx.b
    parts = [_options_of(fx, part) for part in option_layouts.layout_of(fx, number).parts]
    before = None
    if any(isinstance(part, PairList) for part in parts):
        [before] = b.variables(I32)
        b.assign(before, global_("top"))
    fx.offering = True
    if fx.builder.asked_needs:
        b.assign(global_("hidden"), 0)
    for part in parts:
        part.find()
    fx.offering = False
    fx.resume(number)
    with b.temporaries(I32, I32) as (total, k):
        tried = any(part.tried for part in parts)
        if tried:
            _pick_candidate(fx, node, parts, total, k)
        else:
            _add_counts(fx, parts, total)
        if before is not None:
            b.assign(global_("top"), before)
            b.release(before)
        _leave_if_nothing(fx, number, node, total)
        if fx.builder.config.checked:
            _check_promises(fx, number)
        fx.driver.count_decision(number)
        fx.driver.refuel()
        if fx.builder.plays_branches:
            b.assign(global_("pausing"), global_("others"))
            b.assign(global_("changed"), 0)
        _count_offered(fx, total, node.passing is not None)
        if not tried:
            often_one = any(isinstance(part, ValueOptions) and part.of_hand for part in parts)
            drawing.pick_number(fx, total if node.passing is None else total + 1, k, often_one)
        if node.passing is not None:
            with b.if_(k.eq(total)):
                fx.control.go(node.passing)
        for part in parts[:-1]:
            with b.if_(k.lt_s(part.count)):
                part.take(k)
            b.assign(k, k - part.count)
        parts[-1].take(k)
    for part in parts:
        part.release()


def _options_of(fx: FunctionContext, part: OptionPart) -> PartOptions:
    pair = option_layouts.pair_of(fx, part)
    return pair_options(fx, part, pair) if pair is not None else ValueOptions(fx, part)


def _add_counts(fx: FunctionContext, parts: list[PartOptions], total: Variable) -> None:
    counts = [part.count for part in parts]
    fx.b.assign(total, sum(counts[1:], start=counts[0]))


def _pick_candidate(
    fx: FunctionContext, node: ir.Decide | ir.Offer, parts: list[PartOptions], total: Variable, k: Variable
) -> None:
    """`k` becomes the number of a candidate that can be carried out, of `total` that are left.

    Candidates that are drawn in vain are taken out, so `total` is 0 if none can be carried out. Where passing
    is drawn, `k` is `total`; whether there is anything to pass on is found out even then, unless whoever
    decides is asked all the same.
    """
    b = fx.b
    with b.temporaries(I32) as (ways,):
        looks_on = node.passing is not None and not node.asks
        b.assign(ways, int(node.passing is not None))
        picked = b.block()
        again = b.loop()
        _add_counts(fx, parts, total)
        drawing.pick_number(fx, total + ways, k)
        b.br_if(picked, total.eqz())
        if looks_on:
            with b.if_(k.eq(total)):
                b.assign(ways, 0)
                b.br(again)
        _try_candidate(fx, parts, k, picked, again)
        b.end()
        b.end()
        if looks_on:
            b.assign(k, select(k, total, ways))


def _try_candidate(
    fx: FunctionContext, parts: list[PartOptions], k: Variable, picked: Label, again: Label
) -> None:
    """Leads to `picked` if the k-th candidate can be carried out, else to `again`; on if there is none."""
    b = fx.b
    with b.temporaries(I32) as (left,):
        b.assign(left, k)
        for part in parts:
            with b.if_(left.lt_s(part.count)):
                if part.tried:
                    fx.offering = True
                    part.try_drawn(left, picked)
                    fx.offering = False
                    fx.resume(part.part.node)
                    b.br(again)
                else:
                    b.br(picked)
            b.assign(left, left - part.count)


def _leave_if_nothing(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, total: Variable) -> None:
    """Goes on without a decision if there are no options and nobody is asked."""
    b = fx.b
    b.push(total.eqz())
    if node.asks:
        fx.num(node.seat)
        b.push(STACK & STACK.eq(NONE))
    with b.if_(STACK):
        stops.nothing_to_choose(fx, number, node, both=True)


def _check_promises(fx: FunctionContext, number: int) -> None:
    """A promise that does not hold is a fault. Within `together` nothing is promised."""
    b = fx.b
    fx.control.put_back()
    with (
        b.if_(b.state.load(4 * ir.FORKED).eqz()),
        b.temporaries(I32) as (broken,),
        b.if_(broken.tee(fx.builder.call("promises", b.state))),
    ):
        fx.resume(number)
        fx.fault(BROKEN_PROMISE, InLocal(broken, WIDE))


def _count_offered(fx: FunctionContext, total: Variable, passing: bool) -> None:
    """Counts, for statistics, the options of a decision."""
    if not fx.builder.config.counts:
        return
    b, offered, widest = fx.b, global_("offered"), global_("widest")
    with b.temporaries(I32) as (n,):
        b.assign(offered, n.tee(total + int(passing)).widened() + offered)
        b.assign(widest, select(n, widest, n.gt_s(widest)))

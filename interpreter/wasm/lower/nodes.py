"""Every node of the machine to instructions."""

from __future__ import annotations

from contextlib import nullcontext
from typing import assert_never

from interpreter import ir
from interpreter.ir.effects import effect_of
from interpreter.wasm.abi import NEED_FAILS
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK
from interpreter.wasm.lower import (
    calls,
    const_eval,
    coverage,
    held_sets,
    histories,
    iteration,
    moves,
    stops,
    triggers,
    writes,
)
from interpreter.wasm.lower.context import FunctionContext


def lower_node(fx: FunctionContext, number: int, node: ir.Step) -> int | None:
    """Emits a node; the node that follows it, if it is only one."""
    if fx.builder.plays_branches and fx.undo is None and not effect_of(node).is_local:
        fx.b.assign(global_("changed"), 1)
    if isinstance(node, ir.WordNode):
        writes.lower_word_node(fx, node)
        return node.next
    if isinstance(node, ir.PieceNode | ir.SightNode):
        moves.lower_piece_node(fx, node)
        return node.next
    if isinstance(node, ir.HistoryNode):
        histories.lower_history_node(fx, node)
        return node.next
    match node:
        case ir.SetLocal(value=ir.Mask()):
            return held_sets.set_locals(fx, held_sets.masks_from(fx.mc, node))
        case ir.SetLocal():
            writes.set_local(fx, node)
        case ir.ClearLocals(first=first, last=last):
            fx.frames.clear_slots(first, last)
        case ir.Chance():
            return stops.chance(fx, number, node)
        case ir.Branch():
            return branch(fx, node)
        case ir.Precondition():
            need(fx, number, node)
        case ir.Bound():
            iteration.bound_rounds(fx, node)
        case ir.Snapshot():
            iteration.snapshot(fx, node)
        case ir.Iterate():
            iteration.iterate(fx, node)
            return None
        case ir.TakeRecord():
            histories.take(fx, node)
        case ir.SetMe(value=value):
            with fx.frames.slot(ir.ME):
                fx.num(value)
        case ir.Call():
            calls.call(fx, number, node)
        case ir.CallCell():
            calls.call_cell(fx, number, node)
        case ir.Return():
            calls.leave(fx, number)
            return None
        case ir.Commit():
            calls.commit(fx)
        case ir.Decide() | ir.Offer():
            return fx.driver.decision(number, node)
        case ir.Fork():
            stops.fork(fx, number, node)
            return None
        case ir.Sample():
            triggers.sample(fx, node)
        case ir.CheckTrigger():
            triggers.check_trigger(fx, number, node)
        case ir.NextTrigger():
            triggers.next_trigger(fx, number, node)
            return None
        case ir.Cover(point=point, outcome=outcome):
            coverage.note_run(fx, point, outcome)
        case ir.Win(seat=seat):
            stops.win(fx, number, seat)
            return None
        case ir.Finish():
            stops.finish(fx, number, node)
            return None
        case ir.End():
            stops.over(fx, number)
            return None
        case _:
            assert_never(node)
    return node.next


# ---- conditions


def branch(fx: FunctionContext, node: ir.Branch) -> int | None:
    known = const_eval.constant(fx, node.condition)
    if known is not None:
        return node.then if known else node.otherwise
    fx.num(node.condition)
    with fx.b.if_(STACK):
        fx.control.go(node.then)
        fx.b.otherwise()
        fx.control.go(node.otherwise)
    fx.b.unreachable()
    return None


def need(fx: FunctionContext, number: int, node: ir.Precondition) -> None:
    """Goes on if a condition holds; what the offer has asked without a fault is not asked again."""
    known = number in fx.builder.asked_needs
    with fx.b.if_(global_("hidden")) if known else nullcontext():
        fx.num(node.condition)
        with fx.b.if_(STACK.eqz()):
            fx.driver.refuse(NEED_FAILS)

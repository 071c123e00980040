"""Every node of the machine to instructions."""

from __future__ import annotations

from typing import assert_never

from interpreter import machine as m
from interpreter.machine.effects import effect_of
from interpreter.wasm.abi import ENTERED
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.faults import NEED_FAILS
from interpreter.wasm.lower import (
    calls,
    const_eval,
    coverage,
    iteration,
    moves,
    stops,
    transfers,
    triggers,
    writes,
)
from interpreter.wasm.lower.context import FunctionContext


def lower_node(fx: FunctionContext, number: int, node: m.Step) -> int | None:
    """Emits a node; the node that follows it, if it is only one."""
    if fx.builder.plays_branches and not effect_of(node).is_local:
        fx.b.i32(1)
        fx.b.gset(GLOBAL["changed"])
    match node:
        case m.SetLocal():
            writes.set_local(fx, node)
        case m.ClearLocals(first=first, last=last):
            fx.frames.clear_slots(first, last)
        case m.SetHead():
            writes.set_head(fx, node)
        case m.SetWord():
            writes.set_word(fx, node)
        case m.Transfer():
            transfers.transfer(fx, node)
        case m.MovePiece():
            moves.move_piece(fx, node)
        case m.MoveAll():
            moves.move_all(fx, node)
        case m.MoveSome():
            moves.move_some(fx, node)
        case m.TurnDie():
            moves.turn_die(fx, node)
        case m.Lift():
            moves.lift(fx, node)
        case m.Drop():
            moves.drop_die(fx, node)
        case m.Take():
            moves.take(fx, node)
        case m.Swap():
            moves.swap(fx, node)
        case m.Chance():
            return stops.chance(fx, number, node)
        case m.Forget():
            moves.forget(fx, node)
        case m.Show():
            moves.show(fx, node)
        case m.Branch():
            return branch(fx, node)
        case m.Need():
            need(fx, node)
        case m.Bound():
            iteration.bound_rounds(fx, node)
        case m.Snapshot():
            iteration.snapshot(fx, node)
        case m.Iterate():
            iteration.iterate(fx, node)
            return None
        case m.SetMe(value=value):
            with fx.frames.slot(m.ME):
                fx.num(value)
        case m.Call():
            calls.call(fx, number, node)
        case m.CallCell():
            calls.call_cell(fx, number, node)
        case m.Return():
            calls.leave(fx, number)
            return None
        case m.Commit():
            calls.commit(fx)
        case m.Decide() | m.Offer():
            return fx.driver.decision(number, node)
        case m.Fork():
            stops.fork(fx, number, node)
            return None
        case m.Sample():
            triggers.sample(fx, node)
        case m.CheckTrigger():
            triggers.check_trigger(fx, number, node)
        case m.NextTrigger():
            triggers.next_trigger(fx, number, node)
            return None
        case m.EnterPhase(phase=phase):
            writes.set_head(fx, m.SetHead(span=node.span, word=m.PHASE, value=m.Const(phase), next=node.next))
            writes.event(fx, ENTERED, phase)
        case m.Reset():
            writes.reset(fx, node)
        case m.Cover(point=point, outcome=outcome):
            coverage.note_run(fx, point, outcome)
        case m.Win(seat=seat):
            stops.win(fx, seat)
            return None
        case m.End():
            stops.over(fx)
            return None
        case _:
            assert_never(node)
    return node.next


# ---- conditions


def branch(fx: FunctionContext, node: m.Branch) -> int | None:
    known = const_eval.constant(fx, node.condition)
    if known is not None:
        return node.then if known else node.otherwise
    fx.num(node.condition)
    fx.b.when()
    fx.control.go(node.then)
    fx.b.otherwise()
    fx.control.go(node.otherwise)
    fx.b.end()
    fx.b.op("unreachable")
    return None


def need(fx: FunctionContext, node: m.Need) -> None:
    fx.num(node.condition)
    fx.b.op("i32.eqz")
    fx.b.when()
    fx.driver.refuse(NEED_FAILS)
    fx.b.end()

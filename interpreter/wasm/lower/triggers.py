"""Triggers: what they watch, whether they have to run, and their bindings one by one."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.visit import node_count
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, Variable
from interpreter.wasm.lower import arithmetic, calls, const_eval, loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value

Held = tuple[Operand, int]
"""The address and offset of the word that says whether a binding held."""
OnBinding = Callable[[Held, ir.Expr, tuple[Value, ...]], None]
"""Emits what is done with a binding, its condition and its values."""
UNROLLED_BINDINGS = 120
"""The most nodes of conditions that are written out for each binding."""


def each_binding(fx: FunctionContext, trigger: ir.TriggerCode, visit: OnBinding) -> None:
    """Emits `visit` for each binding of a trigger in order: a copy for each if they are few, else a loop."""
    b = fx.b
    assert trigger.condition is not None
    before = dict(fx.regs)
    if len(trigger.bindings) * node_count(trigger.condition) <= UNROLLED_BINDINGS:
        for j, binding in enumerate(trigger.bindings):
            known = tuple(Constant(v) for v in binding)
            fx.regs = before | dict(zip(trigger.regs, known, strict=True))
            visit((b.state, 4 * (trigger.held + j)), trigger.condition, known)
        fx.regs = before
        return
    tables = [fx.builder.table(x[i] for x in trigger.bindings) for i in range(len(trigger.regs))]
    with (
        loops.counting(fx, Constant(0), Constant(len(trigger.bindings) - 1)) as index,
        b.temporaries(I32) as (at,),
    ):
        b.assign(at, b.state + (index.operand << 2))
        before = dict(fx.regs)
        values = [
            _in_local(fx, index.operand.entry_of(table), [x[i] for x in trigger.bindings])
            for i, table in enumerate(tables)
        ]
        fx.regs |= dict(zip(trigger.regs, values, strict=True))
        visit((at, 4 * trigger.held), trigger.condition, tuple(values))
        fx.regs = before
        fx.drop(*values)


def _in_local(fx: FunctionContext, value: Operand, possible: list[int]) -> InLocal:
    """A value in a local of its own; it is one of some numbers."""
    (variable,) = fx.b.variables(I32)
    fx.b.assign(variable, value)
    return InLocal(variable, (min(possible), max(possible)))


def sample(fx: FunctionContext, node: ir.Sample) -> None:
    """Notes the bindings whose conditions do not hold any more; of `both`, also those that hold now."""

    def clear_if_false(held: Held, condition: ir.Expr, _: tuple[Value, ...]) -> None:
        at, offset = held
        with fx.b.if_(at.load(offset)):
            fx.num(condition)
            with fx.b.if_(STACK.eqz()):
                fx.b.write(at, 0, offset)

    def note(held: Held, condition: ir.Expr, _: tuple[Value, ...]) -> None:
        at, offset = held
        arithmetic.truth(fx, condition)
        with fx.b.temporaries(I32) as (now,):
            fx.b.assign(now, STACK)
            fx.b.write(at, now, offset)

    for number in node.triggers:
        if fx.mc.triggers[number].condition is not None:
            each_binding(fx, fx.mc.triggers[number], note if node.both else clear_if_false)


def check_trigger(fx: FunctionContext, number: int, node: ir.CheckTrigger) -> None:
    """Calls the trigger's routine if it has to run and does not run already."""
    b = fx.b
    code = fx.mc.triggers[node.trigger]
    with b.if_(b.state.load(4 * code.busy).eqz()):
        has_to_run(fx, node.trigger, code)
        with b.if_(STACK):
            b.write(b.state, 1, 4 * code.busy)
            me = const_eval.operand(fx, ir.Local(ir.ME))
            calls.push_frame(fx, number, code.routine, me, Constant(NONE), [], node.next)
            fx.drop(me)
            calls.run_routine(fx, calls.entry_node(fx, code.routine, 0), node.next)


def has_to_run(fx: FunctionContext, number: int, code: ir.TriggerCode) -> None:
    """Leaves whether pieces wait in a trigger's queue, or its condition has changed for a binding."""
    b = fx.b
    if code.condition is None:
        b.push(b.state.load(4 * code.held))
        return
    with b.temporaries(I32) as (found,):
        b.ret_if(FAULT, found.tee(fx.builder.call(f"changes {number}", b.state)).lt_s(0))
        b.push(found)


def next_trigger(fx: FunctionContext, number: int, node: ir.NextTrigger) -> None:
    """Runs the block for the next binding or piece; behind the last one the routine returns."""
    code = fx.mc.triggers[node.trigger]
    if code.condition is None:
        _next_moved(fx, node, code)
    else:
        each_binding(
            fx,
            code,
            lambda held, condition, values: _run_if_changed(fx, node, code, held, condition, values),
        )
    fx.b.write(fx.b.state, 0, 4 * code.busy)
    calls.leave(fx, number)


def _run_block(
    fx: FunctionContext, node: ir.NextTrigger, code: ir.TriggerCode, values: tuple[Value, ...]
) -> None:
    """The block runs with these values."""
    for i, value in enumerate(values):
        fx.set_slot(node.first_slot + i, value.operand)
    if code.seat >= 0:
        fx.set_slot(ir.ME, values[code.seat].operand)
    fx.control.go(node.block)


def _run_if_changed(
    fx: FunctionContext,
    node: ir.NextTrigger,
    code: ir.TriggerCode,
    held: Held,
    condition: ir.Expr,
    values: tuple[Value, ...],
) -> None:
    b, (at, offset) = fx.b, held
    with b.temporaries(I32) as (now,):
        arithmetic.truth(fx, condition)
        with b.if_(now.tee(STACK).ne(at.load(offset))):
            b.write(at, now, offset)
            with b.if_(now):
                _run_block(fx, node, code, values)


def _next_moved(fx: FunctionContext, node: ir.NextTrigger, code: ir.TriggerCode) -> None:
    """Takes the first piece out of the queue, if there is one, and runs the block for it.

    The queue is its length, then pairs of a piece and a place.
    """
    b, s = fx.b, fx.b.state
    first, second = 4 * (code.held + 1), 4 * (code.held + 3)
    with (
        b.temporaries(I32, I32, I32) as (waiting, piece, place),
        b.if_(waiting.tee(s.load(4 * code.held))),
    ):
        b.assign(piece, s.load(first))
        b.assign(place, s.load(first + 4))
        b.copy(s + first, s + second, (waiting << 3) - 8)
        b.write(s + (waiting << 3), 0, first - 8, "i64.store")
        b.write(s, waiting - 1, 4 * code.held)
        indices = [_indices(fx, place, axis) for axis in code.indices]
        _run_block(fx, node, code, (*indices, InLocal(piece, WIDE)))
        fx.drop(*indices)


def _indices(fx: FunctionContext, place: Variable, axis: str) -> InLocal:
    """The owner or the position of a place."""
    possible = [getattr(p, axis) or 0 for p in fx.mc.places]
    return _in_local(fx, place.entry_of(fx.builder.table(possible)), possible)

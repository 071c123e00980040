"""Triggers: what they watch, whether they have to run, and their bindings one by one."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.visit import node_count
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower import addresses, arithmetic, calls, const_eval, loops, options
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value

Binding = Callable[[tuple[int, int], ir.Expr, tuple[Value, ...]], None]
"""Emits what is done with a binding: address and offset of the word that says whether it held, the condition,
and the values."""


def each_binding(fx: FunctionContext, trigger: ir.TriggerCode, one: Binding) -> None:
    """Emits `one` for each binding of a trigger, with the word that says whether it held, in order."""
    b = fx.b
    assert trigger.condition is not None
    known = len(trigger.bindings) * node_count(trigger.condition) <= 120
    if known:
        for j, binding in enumerate(trigger.bindings):
            before = dict(fx.regs)
            fx.regs |= {r: Constant(v) for r, v in zip(trigger.regs, binding, strict=True)}
            one((fx.s, 4 * (trigger.held + j)), trigger.condition, tuple(Constant(v) for v in binding))
            fx.regs = before
        return
    tables = [fx.builder.table(x[i] for x in trigger.bindings) for i in range(len(trigger.regs))]
    with loops.counting(fx, Constant(0), Constant(len(trigger.bindings) - 1)) as j_, b.borrowed(I32) as (at,):
        b.get(fx.s)
        b.get(j_.local)
        b.i32(2)
        b.op("i32.shl", "i32.add")
        b.set(at)
        before = dict(fx.regs)
        values: list[Value] = []
        for i, (reg, table) in enumerate(zip(trigger.regs, tables, strict=True)):
            local = b.local()
            b.get(j_.local)
            addresses.look_up(fx, table)
            b.set(local)
            found = [x[i] for x in trigger.bindings]
            values.append(InLocal(local, (min(found), max(found))))
            fx.regs[reg] = values[-1]
        one((at, 4 * trigger.held), trigger.condition, tuple(values))
        fx.regs = before
        fx.drop(*values)


def sample(fx: FunctionContext, node: ir.Sample) -> None:
    b = fx.b
    for number in node.triggers:
        trigger = fx.mc.triggers[number]
        if trigger.condition is None:
            continue

        def one(held: tuple[int, int], condition: ir.Expr, _: tuple[Value, ...]) -> None:
            b.get(held[0])
            b.load(held[1])
            b.when()
            fx.num(condition)
            b.op("i32.eqz")
            b.when()
            b.get(held[0])
            b.i32(0)
            b.store(held[1])
            b.end()
            b.end()

        each_binding(fx, trigger, one)


def check_trigger(fx: FunctionContext, number: int, node: ir.CheckTrigger) -> None:
    b = fx.b
    code = fx.mc.triggers[node.trigger]
    b.get(fx.s)
    b.load(4 * code.busy)
    b.op("i32.eqz")
    b.when()
    has_to_run(fx, node.trigger, code)
    b.when()
    b.get(fx.s)
    b.i32(1)
    b.store(4 * code.busy)
    me = const_eval.operand(fx, ir.Local(ir.ME))
    calls.push_frame(fx, number, code.routine, me, Constant(NONE), [], node.next)
    fx.drop(me)
    calls.run_routine(fx, calls.entry_node(fx, code.routine, 0), node.next)
    b.end()
    b.end()


def has_to_run(fx: FunctionContext, number: int, code: ir.TriggerCode) -> None:
    """Leaves whether pieces wait in a trigger's queue, or its condition has changed for a binding."""
    b = fx.b
    if code.condition is None:
        b.get(fx.s)
        b.load(4 * code.held)
        return
    with b.borrowed(I32) as (found,):
        b.get(fx.s)
        b.call(fx.builder.function(f"changes {number}"))
        options.return_if_fault(fx, found)
        b.get(found)


def next_trigger(fx: FunctionContext, number: int, node: ir.NextTrigger) -> None:
    code = fx.mc.triggers[node.trigger]
    if code.condition is None:
        next_moved(fx, node, code)
    else:

        def one(held: tuple[int, int], condition: ir.Expr, values: tuple[Value, ...]) -> None:
            next_true(fx, node, code, held, condition, values)

        each_binding(fx, code, one)
    fx.b.get(fx.s)
    fx.b.i32(0)
    fx.b.store(4 * code.busy)
    calls.leave(fx, number)


def bound_to(
    fx: FunctionContext, node: ir.NextTrigger, code: ir.TriggerCode, values: tuple[Value, ...]
) -> None:
    """The block runs with these values."""
    for i, value in enumerate(values):
        with fx.frames.slot(node.first_slot + i):
            fx.put(value)
    if code.seat >= 0:
        with fx.frames.slot(ir.ME):
            fx.put(values[code.seat])
    fx.control.go(node.block)


def next_true(
    fx: FunctionContext,
    node: ir.NextTrigger,
    code: ir.TriggerCode,
    held: tuple[int, int],
    condition: ir.Expr,
    values: tuple[Value, ...],
) -> None:
    b = fx.b
    with b.borrowed(I32) as (now,):
        arithmetic.truth(fx, condition)
        b.tee(now)
        b.get(held[0])
        b.load(held[1])
        b.op("i32.ne")
        b.when()
        b.get(held[0])
        b.get(now)
        b.store(held[1])
        b.get(now)
        b.when()
        bound_to(fx, node, code, values)
        b.end()
        b.end()


def next_moved(fx: FunctionContext, node: ir.NextTrigger, code: ir.TriggerCode) -> None:
    b, mc = fx.b, fx.mc
    with b.borrowed(I32, I32, I32) as (waiting, piece, place):
        b.get(fx.s)
        b.load(4 * code.held)
        b.tee(waiting)
        b.when()
        for local, word in ((piece, 1), (place, 2)):
            b.get(fx.s)
            b.load(4 * (code.held + word))
            b.set(local)
        b.get(fx.s)
        b.i32(4 * (code.held + 1))
        b.op("i32.add")
        b.get(fx.s)
        b.i32(4 * (code.held + 3))
        b.op("i32.add")
        b.get(waiting)
        b.i32(3)
        b.op("i32.shl")
        b.i32(8)
        b.op("i32.sub")
        b.copy()
        b.get(fx.s)
        b.get(waiting)
        b.i32(3)
        b.op("i32.shl", "i32.add")
        b.i64(0)
        b.mem("i64.store", 4 * (code.held + 1) - 8)
        b.get(fx.s)
        b.get(waiting)
        b.i32(1)
        b.op("i32.sub")
        b.store(4 * code.held)
        values: list[Value] = []
        for axis in code.indices:
            local = b.local()
            found = [getattr(p, axis) or 0 for p in mc.places]
            b.get(place)
            addresses.look_up(fx, fx.builder.table(found))
            b.set(local)
            values.append(InLocal(local, (min(found), max(found))))
        values.append(InLocal(piece, WIDE))
        bound_to(fx, node, code, tuple(values))
        fx.drop(*values[:-1])
        b.end()

"""Triggers: what they watch, whether they have to run, and their bindings one by one."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.machine.visit import size as weight
from interpreter.wasm.emit.codes import FAULT
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.lower.numbers.values import WIDE, Held, Known, Value
from interpreter.wasm.lower.offers.function import Function
from interpreter.wasm.lower.steps.stops import Stops

Binding = Callable[[tuple[int, int], m.Expr, tuple[Value, ...]], None]
"""Emits what is done with a binding: address and offset of the word that says whether it held, the condition,
and the values."""


def write_changes(plan: Plan, number: int) -> None:
    """(s): whether the condition of a trigger is another than noted for any binding."""
    b = plan.body(f"changes {number}")
    f = Function(plan, b)
    f.load_frame()
    trigger = plan.machine.triggers[number]
    bad = b.block()

    def one(held: tuple[int, int], condition: m.Expr, _: tuple[Value, ...]) -> None:
        f.truth(condition)
        b.get(held[0])
        b.load(held[1])
        b.op("i32.ne")
        b.give_if(1)

    with f.faulting(bad, quiet=False):
        each_binding(f, trigger, one)
        b.give(0)
    b.end()
    b.i32(FAULT)


def each_binding(f: Function, trigger: m.TriggerCode, one: Binding) -> None:
    """Emits `one` for each binding of a trigger, with the word that says whether it held, in order."""
    b = f.b
    assert trigger.condition is not None
    known = len(trigger.bindings) * weight(trigger.condition) <= 120
    if known:
        for j, binding in enumerate(trigger.bindings):
            before = dict(f.regs)
            f.regs |= {r: Known(v) for r, v in zip(trigger.regs, binding, strict=True)}
            one((f.s, 4 * (trigger.held + j)), trigger.condition, tuple(Known(v) for v in binding))
            f.regs = before
        return
    tables = [f.plan.table(x[i] for x in trigger.bindings) for i in range(len(trigger.regs))]
    with f.counting(Known(0), Known(len(trigger.bindings) - 1)) as j_, b.borrowed(I32) as (at,):
        b.get(f.s)
        b.get(j_.local)
        b.i32(2)
        b.op("i32.shl", "i32.add")
        b.set(at)
        before = dict(f.regs)
        values: list[Value] = []
        for i, (reg, table) in enumerate(zip(trigger.regs, tables, strict=True)):
            local = b.local()
            b.get(j_.local)
            f.look_up(table)
            b.set(local)
            found = [x[i] for x in trigger.bindings]
            values.append(Held(local, (min(found), max(found))))
            f.regs[reg] = values[-1]
        one((at, 4 * trigger.held), trigger.condition, tuple(values))
        f.regs = before
        f.drop(*values)


class Triggers(Stops):
    """Adds triggers."""

    def sample(self, node: m.Sample) -> None:
        b = self.b
        for number in node.triggers:
            trigger = self.mc.triggers[number]
            if trigger.condition is None:
                continue

            def one(held: tuple[int, int], condition: m.Expr, _: tuple[Value, ...]) -> None:
                b.get(held[0])
                b.load(held[1])
                b.when()
                self.num(condition)
                b.op("i32.eqz")
                b.when()
                b.get(held[0])
                b.i32(0)
                b.store(held[1])
                b.end()
                b.end()

            each_binding(self, trigger, one)

    def check_trigger(self, number: int, node: m.CheckTrigger) -> None:
        b = self.b
        code = self.mc.triggers[node.trigger]
        b.get(self.s)
        b.load(4 * code.busy)
        b.op("i32.eqz")
        b.when()
        self._has_to_run(node.trigger, code)
        b.when()
        b.get(self.s)
        b.i32(1)
        b.store(4 * code.busy)
        me = self.held(m.Local(m.ME))
        self.push_frame(number, code.routine, me, Known(NONE), [], node.next)
        self.drop(me)
        self.run_routine(self.entry(code.routine, 0), node.next)
        b.end()
        b.end()

    def _has_to_run(self, number: int, code: m.TriggerCode) -> None:
        """Leaves whether pieces wait in a trigger's queue, or its condition has changed for a binding."""
        b = self.b
        if code.condition is None:
            b.get(self.s)
            b.load(4 * code.held)
            return
        with b.borrowed(I32) as (found,):
            b.get(self.s)
            b.call(self.plan.function(f"changes {number}"))
            self.unless_fault(found)
            b.get(found)

    def next_trigger(self, number: int, node: m.NextTrigger) -> None:
        code = self.mc.triggers[node.trigger]
        if code.condition is None:
            self._next_moved(node, code)
        else:

            def one(held: tuple[int, int], condition: m.Expr, values: tuple[Value, ...]) -> None:
                self._next_true(node, code, held, condition, values)

            each_binding(self, code, one)
        self.b.get(self.s)
        self.b.i32(0)
        self.b.store(4 * code.busy)
        self.leave(number)

    def _bound_to(self, node: m.NextTrigger, code: m.TriggerCode, values: tuple[Value, ...]) -> None:
        """The block runs with these values."""
        for i, value in enumerate(values):
            with self.slot(node.first_slot + i):
                self.put(value)
        if code.seat >= 0:
            with self.slot(m.ME):
                self.put(values[code.seat])
        self.go(node.block)

    def _next_true(
        self,
        node: m.NextTrigger,
        code: m.TriggerCode,
        held: tuple[int, int],
        condition: m.Expr,
        values: tuple[Value, ...],
    ) -> None:
        b = self.b
        with b.borrowed(I32) as (now,):
            self.truth(condition)
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
            self._bound_to(node, code, values)
            b.end()
            b.end()

    def _next_moved(self, node: m.NextTrigger, code: m.TriggerCode) -> None:
        b, mc = self.b, self.mc
        with b.borrowed(I32, I32, I32) as (waiting, piece, place):
            b.get(self.s)
            b.load(4 * code.held)
            b.tee(waiting)
            b.when()
            for local, word in ((piece, 1), (place, 2)):
                b.get(self.s)
                b.load(4 * (code.held + word))
                b.set(local)
            b.get(self.s)
            b.i32(4 * (code.held + 1))
            b.op("i32.add")
            b.get(self.s)
            b.i32(4 * (code.held + 3))
            b.op("i32.add")
            b.get(waiting)
            b.i32(3)
            b.op("i32.shl")
            b.i32(8)
            b.op("i32.sub")
            b.copy()
            b.get(self.s)
            b.get(waiting)
            b.i32(3)
            b.op("i32.shl", "i32.add")
            b.i64(0)
            b.mem("i64.store", 4 * (code.held + 1) - 8)
            b.get(self.s)
            b.get(waiting)
            b.i32(1)
            b.op("i32.sub")
            b.store(4 * code.held)
            values: list[Value] = []
            for axis in code.indices:
                local = b.local()
                found = [getattr(p, axis) or 0 for p in mc.places]
                b.get(place)
                self.look_up(self.plan.table(found))
                b.set(local)
                values.append(Held(local, (min(found), max(found))))
            values.append(Held(piece, WIDE))
            self._bound_to(node, code, tuple(values))
            self.drop(*values[:-1])
            b.end()

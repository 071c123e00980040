"""Triggers: they run when their condition has become true, or a piece has moved."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.costs import cost_of_tests
from interpreter.messages import Fault, TooManyRounds
from interpreter.reference.closures import IntFn, NodeFn
from interpreter.reference.context import RunContext
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.faults import RUNTIME_ERRORS, as_fault
from interpreter.reference.stack import CallStack


class TriggerQueue:
    """Detects what triggers wait for, and runs them after the statement that caused it."""

    def __init__(self, context: RunContext, linker: ExprLinker, stack: CallStack) -> None:
        self.context, self.stack = context, stack
        self.machine, self.registers = context.machine, context.registers
        triggers = context.machine.triggers
        self.costs = [cost_of_tests(t) for t in triggers]
        self.tests = [linker.number(t.condition) if t.condition is not None else None for t in triggers]
        self.watchers = _watchers(context.machine)

    def prime_triggers(self, s: array[int]) -> None:
        """Note which conditions hold already: triggers fire only when a condition becomes true.

        Coverage is not changed. Raises `Fault` if a condition fails to evaluate.
        """
        cover = bytes(self.context.cover)
        self.context.work = 0
        for i, trigger in enumerate(self.machine.triggers):
            test = self.tests[i]
            if test is None:
                continue
            for j, binding in enumerate(trigger.bindings):
                self._bind(trigger, binding)
                try:
                    s[trigger.held + j] = int(bool(test(s, self.registers)))
                except RUNTIME_ERRORS as error:
                    raise as_fault(error, self.machine.routines[trigger.routine].span) from None
        self.context.cover[:] = cover

    def _bind(self, trigger: ir.TriggerCode, binding: tuple[int, ...]) -> None:
        for reg, value in zip(trigger.regs, binding, strict=True):
            self.registers[reg] = value

    def moved(self, s: array[int], class_: int, number: int, source: int, to: int) -> None:
        """Queue a move for the triggers that watch one of its places."""
        for enters, place in ((True, to), (False, source)):
            for trigger in self.watchers.get((enters, place), ()):
                code = self.machine.triggers[trigger]
                for _ in range(number):
                    if s[code.held] >= code.capacity:
                        span = self.machine.routines[code.routine].span
                        raise Fault(TooManyRounds(span, code.capacity))
                    end = code.held + 1 + 2 * s[code.held]
                    s[end], s[end + 1] = to * code.classes + class_, place
                    s[code.held] += 1

    def sample(self, triggers: tuple[int, ...], following: int, both: bool) -> NodeFn:
        """The closure of a sample: it notes the conditions that have become false, with `both` also true."""
        watched = [(self.machine.triggers[i], test) for i in triggers if (test := self.tests[i]) is not None]
        e = self.registers

        cost = sum(self.costs[i] for i in triggers)

        def run(s: array[int]) -> int:
            self.context.spend(cost)
            for code, test in watched:
                for j, binding in enumerate(code.bindings):
                    if both or s[code.held + j]:
                        self._bind(code, binding)
                        s[code.held + j] = int(bool(test(s, e)))
            return following

        return run

    def check(self, number: int, trigger: int, following: int) -> NodeFn:
        """The closure of a check: it enters the routine of a trigger that fires."""
        code = self.machine.triggers[trigger]

        def run(s: array[int]) -> int:
            if s[code.busy] or not self._changes(s, trigger):
                return following
            s[code.busy] = 1
            return self.stack.enter(s, number, code.routine, [], s[s[ir.FP] + ir.ME], NONE, following)

        return run

    def _changes(self, s: array[int], trigger: int) -> bool:
        code, test, e = self.machine.triggers[trigger], self.tests[trigger], self.registers
        if test is None:
            return s[code.held] > 0
        self.context.spend(self.costs[trigger])
        for j, binding in enumerate(code.bindings):
            self._bind(code, binding)
            if bool(test(s, e)) != bool(s[code.held + j]):
                return True
        return False

    def next(self, number: int, node: ir.NextTrigger) -> NodeFn:
        """The closure that runs the block of a trigger for the next binding or move, or returns."""
        code, test = self.machine.triggers[node.trigger], self.tests[node.trigger]
        found = (
            self._next_moved(code) if test is None else self._next_true(code, test, self.costs[node.trigger])
        )
        leave = self.stack.leave(number)

        def run(s: array[int]) -> int:
            values = found(s)
            if values is None:
                s[code.busy] = 0
                return leave(s)
            fp = s[ir.FP]
            first = fp + node.first_slot
            s[first : first + len(values)] = array("i", values)
            if code.seat >= 0:
                s[fp + ir.ME] = values[code.seat]
            return node.block

        return run

    def _next_true(
        self, code: ir.TriggerCode, test: IntFn, cost: int
    ) -> Callable[[array[int]], tuple[int, ...] | None]:
        e = self.registers

        def run(s: array[int]) -> tuple[int, ...] | None:
            self.context.spend(cost)
            for j, binding in enumerate(code.bindings):
                self._bind(code, binding)
                now = bool(test(s, e))
                if now != bool(s[code.held + j]):
                    s[code.held + j] = int(now)
                    if now:
                        return binding
            return None

        return run

    def _next_moved(self, code: ir.TriggerCode) -> Callable[[array[int]], tuple[int, ...] | None]:
        places = self.machine.places

        def run(s: array[int]) -> tuple[int, ...] | None:
            waiting, first = s[code.held], code.held + 1
            if not waiting:
                return None
            piece, number = s[first], s[first + 1]
            last = first + 2 * waiting
            s[first : last - 2] = s[first + 2 : last]
            s[last - 2 : last] = array("i", [0, 0])
            s[code.held] = waiting - 1
            return (*(getattr(places[number], axis) for axis in code.indices), piece)

        return run


def _watchers(machine: ir.Machine) -> dict[tuple[bool, int], list[int]]:
    """Triggers by what they watch: whether pieces enter (or leave), and the place."""
    found: dict[tuple[bool, int], list[int]] = {}
    for i, trigger in enumerate(machine.triggers):
        for place in trigger.watched:
            found.setdefault((trigger.enters, place), []).append(i)
    return found

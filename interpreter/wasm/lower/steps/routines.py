"""Nodes that call routines, and those that leave them."""

from __future__ import annotations

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.wasm.emit.codes import OK
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower.numbers.values import Known, Value
from interpreter.wasm.lower.steps.ways import Ways


class Routines(Ways):
    """Adds calls."""

    def run_routine(self, entry: int, back: int) -> None:
        """Runs a routine whose frame is pushed; what is no return to `back` leaves this function too."""
        b = self.b
        with b.borrowed(I32) as (code,):
            b.get(self.s)
            b.i32(self.plan.leader[entry])
            b.call(self.region_function(entry))
            b.tee(code)
            b.i32(back)
            b.op("i32.ne")
            b.when()
            b.get(code)
            b.op("return")
            b.end()

    def entry(self, routine: int, given: int) -> int:
        entries = self.mc.routines[routine].entries
        return entries[given] if given < len(entries) else entries[-1]

    def call(self, number: int, node: m.Call) -> None:
        arguments = [self.held(a) for a in node.arguments]
        me = self.held(m.Local(m.ME))
        self.push_frame(number, node.routine, me, Known(NONE), arguments, node.next)
        self.run_routine(self.entry(node.routine, len(arguments)), node.next)
        self.drop(me, *arguments)

    def call_cell(self, number: int, node: m.CallCell) -> None:
        me, actor = self.held(m.Local(m.ME)), self.held(node.what.actor)

        def one(routine: int, arguments: list[Value]) -> None:
            self.push_frame(number, routine, me, actor, arguments, node.next)
            self.run_routine(self.entry(routine, len(arguments)), node.next)

        self.each_cell(node.what.cell, one)
        self.drop(me, actor)

    def leave(self, number: int) -> None:
        b = self.b
        with b.borrowed(I32, I32) as (back, caller):
            b.get(self.frame)
            b.load(4 * m.RETURN)
            b.set(back)
            b.get(self.frame)
            b.load(4 * m.CALLER)
            b.set(caller)
            self.zero(self.frame, 0, self.plan.size_at[number])
            b.get(caller)
            b.when()
            b.get(self.s)
            b.get(caller)
            b.store(4 * m.FP)
            b.end()
            b.get(back)
            b.op("return")

    def commit(self) -> None:
        """In a trial, the routine that is tried can no longer be refused."""
        b = self.b
        b.get(self.frame)
        b.load(4 * m.RETURN)
        b.i32(OK)
        b.op("i32.eq")
        b.when()
        self.give(OK)
        b.end()

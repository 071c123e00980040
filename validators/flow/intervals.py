"""Interval analysis of locals.

It is flow-insensitive: a local may have any value that a statement of its routine assigns, a counter any
value of its range. Conditions before a statement narrow the intervals there (`guards.py`).
"""

from __future__ import annotations

from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import written_slots
from interpreter.ir.intervals import WIDE, Interval, Known, Ranges
from validators.flow.graph import Flow

ROUNDS = 6
"""The most iterations before intervals that still grow are widened."""


class Intervals:
    """The intervals of one machine."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.machine = flow.machine
        self.locals: dict[tuple[int, int], Interval] = {}
        self._ranges: dict[int, Ranges] = {}
        self._solve()

    # ---- locals

    def _solve(self) -> None:
        """Iterates over all writes of locals to a fixpoint, with widening."""
        for round_ in range(ROUNDS):
            before = dict(self.locals)
            for number in self.flow.reached:
                self._written(number, self.machine.nodes[number])
            if self.locals == before:
                return
            if round_ == ROUNDS - 2:
                for key, value in self.locals.items():
                    if before.get(key) != value:
                        self.locals[key] = WIDE

    def _written(self, number: int, node: ir.Step) -> None:
        owner = self.flow.owner[number]
        match node:
            case ir.SetLocal(slot=slot, value=value):
                self._may_be(owner, slot, self.of(value, number))
            case ir.Decide(slot=slot, source=source):
                self._may_be(owner, slot, self.of_source(source, number))
            case ir.Iterate(slot=slot, snapshot=snapshot):
                self._may_be(owner, slot, self._of_snapshot(owner, snapshot))
            case ir.Chance(slot=slot, picked=ir.Fold(source=source)):
                self._may_be(owner, slot, self.of_source(source, number))
            case ir.Chance(slot=slot, faces=faces, most=most):
                self._may_be(owner, slot, self._outcome(number, faces, most))
            case (
                ir.Call(routine=routine, arguments=arguments) | ir.Fork(routine=routine, arguments=arguments)
            ):
                self._given(routine, arguments, number)
            case ir.Offer(what=several):
                for doing in several:
                    self._done(doing, number)
            case ir.CallCell(what=what):
                self._done(what, number)
            case ir.Snapshot() | ir.NextTrigger() | ir.Lift() | ir.TakeRecord() | ir.SelectRecords():
                for slots in written_slots(self.machine, node):
                    for slot in slots:
                        self._may_be(owner, slot, WIDE)
            case ir.ClearLocals() | ir.SetMe() | ir.Bound() | ir.CheckTrigger():
                return
            case _:
                silent = ir.WordNode | ir.PieceNode | ir.HistoryNode | ir.SightNode | ir.ControlNode
                if not isinstance(node, silent):
                    assert_never(node)

    def _done(self, doing: ir.Doing, number: int) -> None:
        if isinstance(doing, ir.DoRoutine):
            self._given(doing.routine, doing.arguments, number)
            return
        for routine, values in (self.machine.cells[cell] for cell in doing.cells if cell != NONE):
            for i, value in enumerate(values):
                self._may_be(routine, ir.FRAME + i, Interval(value, value))

    def _given(self, routine: int, arguments: tuple[ir.Expr, ...], number: int) -> None:
        for i, argument in enumerate(arguments):
            self._may_be(routine, ir.FRAME + i, self.of(argument, number))

    def _may_be(self, owner: int, slot: int, value: Interval) -> None:
        key = (owner, slot)
        before = self.locals.get(key)
        self.locals[key] = value if before is None else before.joined(value)

    def _of_snapshot(self, owner: int, snapshot: int) -> Interval:
        for number in self.flow.reached:
            node = self.machine.nodes[number]
            if isinstance(node, ir.Snapshot) and (self.flow.owner[number], node.slot) == (owner, snapshot):
                return self.of_source(node.source, number)
        return WIDE

    def _outcome(self, number: int, faces: int | None, most: ir.Expr | None) -> Interval:
        if faces is not None:
            return Interval(0, max(0, faces - 1))
        return Interval(0, max(0, self.of(most, number).hi)) if most is not None else WIDE

    # ---- expressions at a node

    def truth(self, e: ir.Expr, number: int) -> bool | None:
        """Whether a condition always or never holds; none if it depends."""
        return self._at(number).truth(e)

    def of(self, e: ir.Expr, number: int, known: Known | None = None) -> Interval:
        """The interval of an expression; `known` are intervals that conditions have narrowed."""
        return self._at(number).of(e, known or {})

    def of_source(self, source: ir.Source, number: int) -> Interval:
        """The interval of the items of a collection."""
        return self._at(number).of_source(source, {})

    def _at(self, number: int) -> Ranges:
        owner = self.flow.owner[number]
        if owner not in self._ranges:
            self._ranges[owner] = Ranges(self.machine, lambda slot: self._local(owner, slot))
        return self._ranges[owner]

    def _local(self, owner: int, slot: int) -> Interval:
        if slot in (ir.ME, ir.SELF):
            return Interval(0, self.machine.seats - 1)
        return self.locals.get((owner, slot), WIDE)

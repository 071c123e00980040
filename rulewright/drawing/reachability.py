"""Reachability between the stops of a machine: the successors of each stop, through calls and returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.cfg import FLOW, behind_needs, done
from interpreter.ir.visit import targets

STOPS = (ir.Decide, ir.Offer, ir.Chance, ir.Fork, ir.EnterPhase, ir.End, ir.Win, ir.Finish)


@dataclass(frozen=True, slots=True)
class At:
    """A stop of the machine: the node with this number."""

    node: int


@dataclass(frozen=True, slots=True)
class Begun:
    """A routine that was picked, with its first `given` arguments.

    If `chosen`, the first parameter after them was chosen together with the routine.
    """

    routine: int
    given: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Cells:
    """The effect of a cell that the node runs: one of several."""

    node: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Fires:
    trigger: int


Stop = At | Begun | Cells | Fires
Reached = tuple[dict[Stop, None], bool]
"""The first stops, and whether the routine can return before any of them."""


@dataclass
class Reachability:
    """Explores one machine; what cannot be reached from its start is ignored.

    `owner` has the routine of each node, or `FLOW`; `called_from` has for each routine the nodes to which it
    can return, with their owners.
    """

    machine: ir.Machine
    owner: dict[int, int] = field(default_factory=dict)
    called_from: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    _summaries: dict[int, Reached] = field(default_factory=dict)
    _cells: list[Cells] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._explore(self.machine.start, FLOW)
        for trigger in self.machine.triggers:
            self._explore(self.machine.routines[trigger.routine].entries[0], trigger.routine)
        self._summarise()

    # ---- nodes and calls

    def _explore(self, start: int, owner: int) -> None:
        todo = [(start, owner)]
        while todo:
            number, routine = todo.pop()
            if number < 0 or number in self.owner:
                continue
            self.owner[number] = routine
            todo.extend((n, routine) for n in targets(self.machine.nodes[number]))
            for called, given, back in self._calls(self.machine.nodes[number]):
                self.called_from.setdefault(called, []).append((back, routine))
                todo.append((self._entry(called, given), called))

    def _calls(self, node: ir.Step) -> Iterator[tuple[int, int, int]]:
        """The routines that a node calls: number, number of arguments, the node to which it returns."""
        match node:
            case ir.Call(routine=routine, arguments=arguments, next=back):
                yield routine, len(arguments), back
            case ir.Fork(routine=routine, next=back):
                yield routine, 0, back
            case ir.CallCell(what=what, next=back):
                yield from ((r, given, back) for r, given in done(self.machine, what))
            case ir.Offer(what=offered, next=back):
                for doing in offered:
                    yield from ((r, given, back) for r, given in done(self.machine, doing))

    def _entry(self, routine: int, given: int) -> int:
        return self.machine.routines[routine].entry(given)

    def parameter(self, routine: int, given: int) -> ir.Decide | None:
        """The parameter that is chosen together with a routine that is offered, if there is one."""
        node = self.machine.nodes[behind_needs(self.machine, self._entry(routine, given))]
        return node if isinstance(node, ir.Decide) and node.trial else None

    # ---- what comes after a stop

    def after(self, stop: Stop) -> dict[Stop, str]:
        """The stops that can come next, each with a label for the choice that leads there, if any."""
        stops: dict[Stop, str] = {}
        for start, label in self._continuations(stop):
            for target in self._onward(start, self.routine(stop)):
                stops[target] = stops.get(target, label) and label
        return stops

    def _continuations(self, stop: Stop) -> Iterator[tuple[int | Stop, str]]:
        """Where a stop leads directly: a node to continue at, or another stop; each with its label."""
        match stop:
            case At(number):
                yield from self._continuations_of(self.machine.nodes[number], number)
            case Begun(routine, given, chosen):
                parameter = self.parameter(routine, given) if chosen else None
                yield (parameter.next if parameter else self._entry(routine, given)), ""
            case Cells(number, chosen):
                yield from ((Begun(r, given, chosen), "") for r, given in self._picked(number))
            case Fires(trigger):
                node = self.machine.nodes[self._entry(self.machine.triggers[trigger].routine, 0)]
                assert isinstance(node, ir.NextTrigger)
                yield node.block, ""
            case _:
                assert_never(stop)

    def _continuations_of(self, node: ir.Step, number: int) -> Iterator[tuple[int | Stop, str]]:
        match node:
            case ir.Decide():
                yield node.next, ""
                yield from ((n, "if none") for n in (node.nothing,) if n is not None)
                yield from ((n, "pass") for n in (node.passing,) if n is not None)
            case ir.Offer():
                yield from ((self._offered(what, number), "") for what in node.what)
                yield from ((n, "pass") for n in (node.passing,) if n is not None)
            case ir.Fork(routine=routine):
                yield self._entry(routine, 0), ""
            case ir.Iterate():
                yield node.next, ""
                yield node.done, "all done"
            case ir.Chance() | ir.EnterPhase():
                yield node.next, ""

    def _offered(self, what: ir.Doing, number: int) -> Stop:
        if isinstance(what, ir.DoRoutine):
            return Begun(what.routine, len(what.arguments), True)
        return Cells(number, True)

    def _picked(self, number: int) -> list[tuple[int, int]]:
        node = self.machine.nodes[number]
        if isinstance(node, ir.CallCell):
            return done(self.machine, node.what)
        assert isinstance(node, ir.Offer)
        cells = [w for w in node.what if isinstance(w, ir.DoCell)]
        return list(dict.fromkeys(doing for what in cells for doing in done(self.machine, what)))

    def routine(self, stop: Stop) -> int:
        """The routine to which a stop belongs, or `FLOW`."""
        match stop:
            case At(number) | Cells(number, _):
                return self.owner[number]
            case Begun(routine, _, _):
                return routine
            case Fires(trigger):
                return self.machine.triggers[trigger].routine

    def _onward(self, start: int | Stop, routine: int) -> dict[Stop, None]:
        """The first stops from a node of a routine on, also after the routine has returned."""
        if not isinstance(start, int):
            return {start: None}
        stops, ends = self._reach(start)
        return {**stops, **(self._returned(routine, set()) if ends else {})}

    def _returned(self, routine: int, seen: set[int]) -> dict[Stop, None]:
        """The first stops after a routine has returned, wherever it is called."""
        stops: dict[Stop, None] = {}
        if routine in seen:
            return stops
        seen.add(routine)
        for back, caller in self.called_from.get(routine, ()):
            first, ends = self._reach(back)
            stops.update(first)
            if ends:
                stops.update(self._returned(caller, seen))
        return stops

    def _summarise(self) -> None:
        """The first stops of each routine that is called: a fixpoint, since routines can call each other."""
        calls = (
            node for node in map(self.machine.nodes.__getitem__, self.owner) if isinstance(node, ir.Call)
        )
        entries = {self._entry(routine, given) for node in calls for routine, given, _ in self._calls(node)}
        self._summaries = {entry: ({}, False) for entry in entries}
        while True:
            summaries = {entry: self._reach(entry) for entry in entries}
            if summaries == self._summaries:
                return
            self._summaries = summaries

    def _reach(self, start: int) -> Reached:
        """The first stops from a node on, within its routine and what that calls."""
        stops: dict[Stop, None] = {}
        ends = False
        todo, seen = [start], set()
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                first, onward, returns = self._step(number)
                stops.update(first)
                todo.extend(reversed(onward))
                ends |= returns
        return stops, ends

    def _step(self, number: int) -> tuple[dict[Stop, None], list[int], bool]:
        """Stops at a node or in what it calls, the nodes after it, and whether the routine returns."""
        node = self.machine.nodes[number]
        match node:
            case ir.Return():
                return {}, [], True
            case ir.Call(routine=routine, arguments=arguments, next=back):
                stops, ends = self._summaries[self._entry(routine, len(arguments))]
                return stops, [back] if ends else [], False
            case ir.CallCell(what=what, next=back):
                empty = NONE in what.cells
                return {self._cell(number): None}, [back] if empty else [], False
        if isinstance(node, STOPS) or self._begins_turn(number, node):
            return {At(number): None}, [], False
        return {}, self._certain(node), False

    def _begins_turn(self, number: int, node: ir.Step) -> bool:
        """Whether the flow continues with the next seat here."""
        return isinstance(node, ir.Iterate) and self.owner[number] == FLOW

    def _certain(self, node: ir.Step) -> list[int]:
        """The successors of a node, without the exit of a loop whose first round is certain."""
        match node:
            case ir.SetLocal(slot=slot, value=ir.Const(value=value), next=following) if value > 0:
                test = self.machine.nodes[following]
                again = ir.Op(">", ir.Local(slot), ir.Const(0))
                if isinstance(test, ir.Branch) and test.condition == again:
                    return [test.then]
            case ir.Snapshot(source=ir.Values(values=values), where=None, next=following) if values:
                loop = self.machine.nodes[following]
                if isinstance(loop, ir.Iterate) and self.owner[following] != FLOW:
                    return [loop.next]
        return targets(node)

    def _cell(self, number: int) -> Cells:
        """The stop of a node that runs a cell; nodes that can run the same effects share the first one's."""
        doings = self._picked(number)
        same = (c for c in self._cells if self._picked(c.node) == doings)
        stop = next(same, None) or Cells(number, False)
        if stop not in self._cells:
            self._cells.append(stop)
        return stop

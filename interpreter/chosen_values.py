"""What has been chosen of an action that is not complete yet: values that frames hold until they return."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from interpreter import ir
from interpreter.ir.cfg import reached, runs
from interpreter.ir.effects import written_slots
from interpreter.ir.visit import targets

Held = dict[int, int]
"""The slots of a frame that hold what was chosen, each with the number of the decision."""


@dataclass(frozen=True, slots=True)
class ChosenValue:
    """A value that was chosen at a decision and is still held.

    `branch`: the seat in whose branch, or -1. `chooser`: the seat that chose, or -1 if that is not known.
    """

    decision: int
    value: int
    branch: int
    chooser: int


class ChosenValues:
    """Finds in the states of one machine what has been chosen so far."""

    def __init__(self, machine: ir.Machine) -> None:
        self.machine = machine

    @cached_property
    def held(self) -> dict[int, Held]:
        """For each node what its frame certainly holds before it, as chosen on every way there."""
        found: dict[int, Held] = {}
        for entry in self._entries():
            self._follow(entry, found)
        return found

    @cached_property
    def _slots(self) -> dict[int, list[tuple[int, int, int]]]:
        """For each node that holds something: the slots, each with the decision and that of the chooser."""
        return {
            node: [(slot, decision, self.chooser_slot(decision)) for slot, decision in sorted(held.items())]
            for node, held in self.held.items()
            if held
        }

    @cached_property
    def decisions(self) -> tuple[int, ...]:
        """The decisions whose values may be held while something else is asked."""
        held = self.held
        return tuple(
            sorted({decision for node in self._waiting() for decision in held.get(node, {}).values()})
        )

    def _entries(self) -> Iterator[int]:
        """Where frames begin: routines only with as many given arguments as somewhere in the rules."""
        mc = self.machine
        yield mc.start
        yield from (entry.node for entry in mc.entries.values())
        called = {call for node in mc.nodes for call in runs(mc, node)}
        yield from (mc.routines[routine].entry(given) for routine, given in sorted(called))

    def _follow(self, entry: int, found: dict[int, Held]) -> None:
        todo: list[tuple[int, Held]] = [(entry, {})]
        while todo:
            number, now = todo.pop()
            known = found.get(number)
            kept = now if known is None else {s: d for s, d in known.items() if now.get(s) == d}
            if kept == known:
                continue
            found[number] = kept
            node = self.machine.nodes[number]
            gone = {slot for slots in written_slots(self.machine, node) for slot in slots}
            after = {slot: decision for slot, decision in kept.items() if slot not in gone}
            chosen = {**after, node.slot: number} if isinstance(node, ir.Decide) else after
            chosen_at = node.next if isinstance(node, ir.Decide) else None
            todo.extend((target, chosen if target == chosen_at else after) for target in targets(node))

    def _waiting(self) -> set[int]:
        """The nodes at which a frame can wait: for a choice, or for what it has called."""
        mc, found = self.machine, set[int]()
        for number in reached(mc, tuple(self._entries())):
            node = mc.nodes[number]
            if isinstance(node, ir.Decide | ir.Offer | ir.Fork):
                found.add(number)
            if isinstance(node, ir.Call | ir.CallCell | ir.Offer | ir.Fork | ir.CheckTrigger):
                found.update(targets(node))
        return found

    def chooser_slot(self, decision: int) -> int:
        """The slot of the frame that holds the seat which chooses; 0 if it is not a local."""
        seat = self.machine.node(decision, ir.Decide).seat
        return seat.slot if isinstance(seat, ir.Local) else 0

    # ---- in a state

    def of(self, s: array[int]) -> Iterator[ChosenValue]:
        """What has been chosen in the actions that are under way, the outermost first."""
        if s[ir.STATUS] or not self.decisions:
            return
        if not s[ir.FORKED]:
            yield from self._chain(s, s[ir.PC], s[ir.FP], -1)
            return
        yield from self._chain(s, s[ir.FORK], s[ir.MAIN_FP], -1)
        for seat, node in self.machine.waiting_branches(s):
            yield from self._chain(s, node, s[self.machine.branch(seat) + ir.BRANCH_FP], seat)

    def _chain(self, s: array[int], node: int, fp: int, branch: int) -> Iterator[ChosenValue]:
        found: list[ChosenValue] = []
        while node >= 0:
            held = self._slots.get(node)
            if held is not None:
                frame = [ChosenValue(d, s[fp + i], branch, s[fp + at] if at else -1) for i, d, at in held]
                found = [*frame, *found]
            node, fp = s[fp + ir.RETURN], s[fp + ir.CALLER]
        yield from found

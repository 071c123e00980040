"""Which decisions choose a piece that is moved at once to where everybody sees it."""

from __future__ import annotations

from collections.abc import Collection

from dsl import rules as r
from dsl.domains import PieceType
from interpreter import ir
from interpreter.ir.cfg import reached
from interpreter.ir.effects import accesses, place_access, written_slots
from interpreter.ir.visit import targets


def opened_decisions(rules: r.Rules, machine: ir.Machine) -> frozenset[int]:
    """The decisions whose chosen piece everybody sees before anything else is chosen, and perhaps not before.

    It is moved there on every way from the decision: so its name says nothing that the move does not.
    """
    shown = frozenset(name for name, zone in rules.zones.items() if zone.seen_by == "all")
    finder = _Finder(machine, shown)
    return frozenset(
        number
        for number, node in enumerate(machine.nodes)
        if isinstance(node, ir.Decide)
        and isinstance(node.type, PieceType)
        and not (node.secret or all(zone in shown for zone, _ in accesses(machine, node.source)))
        and finder.opens(node.next, node.slot)
    )


class _Finder:
    """Follows the ways from a decision; `zones` are those whose pieces everybody sees."""

    def __init__(self, machine: ir.Machine, zones: Collection[str]) -> None:
        self.machine = machine
        self.zones = zones
        self._known: dict[tuple[int, int], bool] = {}
        self._asking = _asking(machine)

    def opens(self, number: int, slot: int) -> bool:
        """Whether the piece in a slot of the frame is moved into sight on every way from a node.

        A way that leads back to where it has been is none.
        """
        if (number, slot) not in self._known:
            self._known[number, slot] = False
            self._known[number, slot] = self._opens(self.machine.nodes[number], slot)
        return self._known[number, slot]

    def _opens(self, node: ir.Step, slot: int) -> bool:
        if isinstance(node, ir.MovePiece) and node.piece == ir.Local(slot):
            return any(zone in self.zones for zone, _ in place_access(self.machine, node.place))
        if isinstance(node, ir.Call):
            given = [ir.FRAME + i for i, value in enumerate(node.arguments) if value == ir.Local(slot)]
            begin = self.machine.routines[node.routine].entry(len(node.arguments))
            if any(self.opens(begin, at) for at in given):
                return True
        written = any(slot in slots for slots in written_slots(self.machine, node))
        if written or isinstance(node, ir.ChoiceNode) or not self._asking.isdisjoint(_called(node)):
            return False
        following = targets(node)
        return bool(following) and all(self.opens(after, slot) for after in following)


ANY = -1
"""Stands for a routine that is known only in play."""


def _called(node: ir.Step) -> tuple[int, ...]:
    """The routines that a node runs; of a trigger also the check whether it fires."""
    match node:
        case ir.Call(routine=routine):
            return (routine,)
        case ir.CallCell() | ir.Fork() | ir.CheckTrigger():
            return (ANY,)
    return ()


def _asking(machine: ir.Machine) -> frozenset[int]:
    """The routines in which something may be chosen or drawn, themselves or in others that they run."""
    nodes = [[machine.nodes[n] for n in reached(machine, code.entries)] for code in machine.routines]
    calls = [{called for node in found for called in _called(node)} for found in nodes]
    asking = {ANY, *(i for i, found in enumerate(nodes) if any(isinstance(n, ir.ChoiceNode) for n in found))}
    while more := {i for i, called in enumerate(calls) if i not in asking and not asking.isdisjoint(called)}:
        asking |= more
    return frozenset(asking)

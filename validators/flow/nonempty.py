"""Collections over which a loop surely runs: those that are never empty."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.cfg import runs
from interpreter.ir.effects import written_slots


@dataclass(frozen=True)
class Nonempty:
    """Which collections of a machine are never empty; `owner` tells the routine of each node."""

    machine: ir.Machine
    owner: Sequence[int]
    reached: Collection[int]

    def is_some(self, number: int) -> bool:
        """Whether a node makes a snapshot of a collection that is never empty."""
        node = self.machine.nodes[number]
        return isinstance(node, ir.Snapshot) and node.where is None and self._some(node.source, number)

    def _some(self, source: ir.Source, number: int) -> bool:
        match source:
            case ir.Values(values=values) | ir.Listed(items=values):
                return bool(values)
            case ir.Between(low=ir.Const(value=low), high=ir.Const(value=high)):
                return low <= high
            case ir.Others(seats=seats):
                return seats > 1
            case ir.Filtered(
                reg=reg,
                source=ir.Listed(items=items),
                where=ir.Op(op="!=", left=ir.Reg(index=index), right=ir.Const(value=value)),
            ) if index == reg and value == NONE:
                return any(isinstance(x, ir.Local) and self._is_chosen(x.slot, number) for x in items)
        return False

    def _is_chosen(self, slot: int, number: int) -> bool:
        """Whether all that is ever written to a local of a routine is what somebody chooses: never none."""
        owner = self.owner[number]
        for other in self.reached:
            node = self.machine.nodes[other]
            own = self.owner[other] == owner and not isinstance(node, ir.Decide | ir.ClearLocals)
            if own and any(slot in slots for slots in written_slots(self.machine, node)):
                return False
            if self._is_given(node, owner, slot):
                return False
        return True

    def _is_given(self, node: ir.Step, owner: int, slot: int) -> bool:
        return any(called == owner and slot < ir.FRAME + given for called, given in runs(self.machine, node))

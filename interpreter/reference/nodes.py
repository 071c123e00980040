"""Linking of nodes: each becomes a closure that returns the number of the next node, or a code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import assert_never

from interpreter import ir
from interpreter.reference import histories
from interpreter.reference.branches import Branches
from interpreter.reference.chance import chance_stop
from interpreter.reference.closures import NodeFn
from interpreter.reference.control_nodes import ControlNodes
from interpreter.reference.decisions import Decisions
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.piece_nodes import PieceNodes
from interpreter.reference.stack import CallStack
from interpreter.reference.triggers import TriggerQueue
from interpreter.reference.variable_nodes import VariableNodes


@dataclass(frozen=True, slots=True)
class NodeLinker:
    """Links every kind of node, by the part for it."""

    linker: ExprLinker
    stack: CallStack
    variables: VariableNodes
    pieces: PieceNodes
    control: ControlNodes
    triggers: TriggerQueue
    decisions: Decisions
    branches: Branches

    def link(self, number: int, node: ir.Step) -> NodeFn:
        """The closure of one node."""
        self.linker.node = number
        if isinstance(node, ir.WordNode):
            return self.variables.link(node)
        if isinstance(node, ir.PieceNode | ir.SightNode):
            return self.pieces.link(node)
        if isinstance(node, ir.HistoryNode):
            return histories.link(self.linker.context, node, self.linker.number)
        match node:
            case ir.SetLocal():
                return self.variables.set_local(node)
            case ir.ClearLocals():
                return self.variables.clear_locals(node)
            case ir.Branch():
                return self.control.branch(node)
            case ir.Precondition():
                return self.control.need(node)
            case ir.Bound():
                return self.control.bound(node)
            case ir.Snapshot():
                return self.control.snapshot(node)
            case ir.Iterate():
                return self.control.iterate(node)
            case ir.TakeRecord(history=number):
                return histories.take(self.linker.context.machine.histories[number], node)
            case ir.SetMe():
                return self.control.set_me(node)
            case ir.Call():
                return self.control.call(number, node)
            case ir.CallCell():
                return self.control.call_cell(number, node)
            case ir.Return():
                return self.stack.leave(number)
            case ir.Commit():
                return self.control.commit(node)
            case ir.Cover():
                return self.control.cover(node)
            case ir.Win():
                return self.control.win(number, node)
            case ir.Finish():
                return self.control.finish(number, node)
            case ir.End():
                return partial(self.control.end, number)
            case ir.Sample(triggers=triggers, next=following, both=both):
                return self.triggers.sample(triggers, following, both)
            case ir.CheckTrigger(trigger=trigger, next=following):
                return self.triggers.check(number, trigger, following)
            case ir.NextTrigger():
                return self.triggers.next(number, node)
            case ir.Chance():
                return chance_stop(self.linker.context, number)
            case ir.Decide() | ir.Offer():
                return self.decisions.stop(number, node)
            case ir.Fork():
                return self.branches.fork(number, node, self.linker)
        assert_never(node)

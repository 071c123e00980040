"""Nodes as closures: each takes the state and gives the number of the next node, or a code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from interpreter import machine as m
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
    """Links every kind of node by the part that knows it."""

    linker: ExprLinker
    stack: CallStack
    variables: VariableNodes
    pieces: PieceNodes
    control: ControlNodes
    triggers: TriggerQueue
    decisions: Decisions
    branches: Branches

    def link(self, number: int, node: m.Step) -> NodeFn:
        """The closure of one node."""
        self.linker.node = number
        match node:
            case m.SetLocal():
                return self.variables.set_local(node)
            case m.ClearLocals():
                return self.variables.clear_locals(node)
            case m.SetHead():
                return self.variables.set_head(node)
            case m.SetWord():
                return self.variables.set_word(node)
            case m.Transfer():
                return self.variables.transfer(node)
            case m.Reset():
                return self.variables.reset(node)
            case m.MovePiece():
                return self.pieces.move_piece(node)
            case m.MoveAll():
                return self.pieces.move_all(node)
            case m.MoveSome():
                return self.pieces.move_some(node)
            case m.TurnDie():
                return self.pieces.turn_die(node)
            case m.Lift():
                return self.pieces.lift(node)
            case m.Drop():
                return self.pieces.drop(node)
            case m.Take():
                return self.pieces.take(node)
            case m.Swap():
                return self.pieces.swap(node)
            case m.Forget():
                return self.pieces.forget(node)
            case m.Show():
                return self.pieces.show(node)
            case m.Branch():
                return self.control.branch(node)
            case m.Need():
                return self.control.need(node)
            case m.Bound():
                return self.control.bound(node)
            case m.Snapshot():
                return self.control.snapshot(node)
            case m.Iterate():
                return self.control.iterate(node)
            case m.SetMe():
                return self.control.set_me(node)
            case m.Call():
                return self.control.call(number, node)
            case m.CallCell():
                return self.control.call_cell(number, node)
            case m.Return():
                return self.stack.leave(number)
            case m.Commit():
                return self.control.commit(node)
            case m.EnterPhase():
                return self.control.enter_phase(node)
            case m.Cover():
                return self.control.cover(node)
            case m.Win():
                return self.control.win(node)
            case m.End():
                return self.control.end
            case m.Sample(triggers=triggers, next=following):
                return self.triggers.sample(triggers, following)
            case m.CheckTrigger(trigger=trigger, next=following):
                return self.triggers.check(number, trigger, following)
            case m.NextTrigger():
                return self.triggers.next(number, node)
            case m.Chance():
                return chance_stop(self.linker.context, number)
            case m.Decide() | m.Offer():
                return self.decisions.stop(number, node)
            case m.Fork():
                return self.branches.fork(number, node, self.linker)
        assert_never(node)

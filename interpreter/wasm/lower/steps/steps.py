"""Every node of the machine to instructions."""

from __future__ import annotations

from typing import assert_never

from interpreter import machine as m
from interpreter.machine.effects import effect_of
from interpreter.wasm.emit.plan import GLOBAL
from interpreter.wasm.faults import NEED_FAILS
from interpreter.wasm.lower.changes.events import ENTERED
from interpreter.wasm.lower.steps.triggers import Triggers


class Steps(Triggers):
    """Adds the nodes one after the other."""

    def line(self, number: int) -> None:
        """A node and those that stand in line behind it."""
        while True:
            self.node = number
            following = self.one(number, self.mc.nodes[number])
            if following is None:
                return
            if self.plan.leader.get(following) is not None:
                self.go(following)
                return
            number = following

    def one(self, number: int, node: m.Step) -> int | None:
        """Emits a node; the node that follows it, if it is only one."""
        if self.plan.plays_branches and not effect_of(node).is_local:
            self.b.i32(1)
            self.b.gset(GLOBAL["changed"])
        match node:
            case m.SetLocal():
                self.set_local(node)
            case m.ClearLocals(first=first, last=last):
                self.clear_slots(first, last)
            case m.SetHead():
                self.set_head(node)
            case m.SetWord():
                self.set_word(node)
            case m.Transfer():
                self.transfer(node)
            case m.MovePiece():
                self.move_piece(node)
            case m.MoveAll():
                self.move_all(node)
            case m.MoveSome():
                self.move_some(node)
            case m.TurnDie():
                self.turn_die(node)
            case m.Lift():
                self.lift(node)
            case m.Drop():
                self.drop_die(node)
            case m.Take():
                self.take(node)
            case m.Swap():
                self.swap(node)
            case m.Chance():
                return self.chance(number, node)
            case m.Forget():
                self.forget(node)
            case m.Show():
                self.show(node)
            case m.Branch():
                return self.branch(node)
            case m.Need():
                self.need(node)
            case m.Bound():
                self.bound_rounds(node)
            case m.Snapshot():
                self.snapshot(node)
            case m.Iterate():
                self.iterate(node)
                return None
            case m.SetMe(value=value):
                with self.slot(m.ME):
                    self.num(value)
            case m.Call():
                self.call(number, node)
            case m.CallCell():
                self.call_cell(number, node)
            case m.Return():
                self.leave(number)
                return None
            case m.Commit():
                self.commit()
            case m.Decide() | m.Offer():
                return self.decision(number, node)
            case m.Fork():
                self.fork(number, node)
                return None
            case m.Sample():
                self.sample(node)
            case m.CheckTrigger():
                self.check_trigger(number, node)
            case m.NextTrigger():
                self.next_trigger(number, node)
                return None
            case m.EnterPhase(phase=phase):
                self.set_head(m.SetHead(span=node.span, word=m.PHASE, value=m.Const(phase), next=node.next))
                self.event(ENTERED, phase)
            case m.Reset():
                self.reset(node)
            case m.Cover(point=point, outcome=outcome):
                self.note_run(point, outcome)
            case m.Win(seat=seat):
                self.win(seat)
                return None
            case m.End():
                self.over()
                return None
            case _:
                assert_never(node)
        return node.next

    # ---- conditions

    def branch(self, node: m.Branch) -> int | None:
        known = self.constant(node.condition)
        if known is not None:
            return node.then if known else node.otherwise
        self.num(node.condition)
        self.b.when()
        self.go(node.then)
        self.b.otherwise()
        self.go(node.otherwise)
        self.b.end()
        self.b.op("unreachable")
        return None

    def need(self, node: m.Need) -> None:
        self.num(node.condition)
        self.b.op("i32.eqz")
        self.b.when()
        self.refuse(NEED_FAILS)
        self.b.end()

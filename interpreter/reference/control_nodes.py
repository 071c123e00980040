"""Control nodes as closures: conditions, loops, calls, the end."""

from __future__ import annotations

from array import array

from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Ended
from interpreter.ir.costs import cost_of_each
from interpreter.messages import Fault, TooManyRounds, unmet
from interpreter.reference.closures import NodeFn
from interpreter.reference.codes import FAIL, OK, OVER
from interpreter.reference.context import RunContext
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.stack import CallStack


class ControlNodes:
    """Links control nodes."""

    def __init__(self, context: RunContext, linker: ExprLinker, stack: CallStack) -> None:
        self.context, self.linker, self.stack = context, linker, stack
        self.machine, self.registers = context.machine, context.registers

    def branch(self, node: ir.Branch) -> NodeFn:
        test, e = self.linker.number(node.condition), self.registers
        then, otherwise = node.then, node.otherwise
        return lambda s: then if test(s, e) else otherwise

    def need(self, node: ir.Precondition) -> NodeFn:
        test, following, e = self.linker.number(node.condition), node.next, self.registers
        context = self.context

        def run(s: array[int]) -> int:
            if test(s, e):
                return following
            if not context.trial:
                raise unmet(node)
            context.failure, context.failed_state = (node, 0, 0), s
            return FAIL

        return run

    def cover(self, node: ir.Cover) -> NodeFn:
        context, cover = self.context, self.context.cover
        point, following, outcome = node.point, node.next, node.outcome
        tried = outcome & ~ir.RAN | (ir.TRIED if outcome & ir.RAN else 0)

        def run(s: array[int]) -> int:
            cover[point] |= tried if context.trial else outcome
            return following

        return run

    # ---- loops

    def bound(self, node: ir.Bound) -> NodeFn:
        most, slot, e = self.linker.number(node.most), node.slot, self.registers

        def run(s: array[int]) -> int:
            at = s[ir.FP] + slot
            s[at] += 1
            if s[at] > most(s, e):
                raise Fault(TooManyRounds(node.span, most(s, e)))
            return node.next

        return run

    def snapshot(self, node: ir.Snapshot) -> NodeFn:
        many = self.linker.sources.many(node.source, cost_of_each(node))
        reg, slot, e = node.reg, node.slot, self.registers
        where = self.linker.number(node.where) if node.where is not None else None
        keys = [self.linker.number(k) for k in node.keys]
        rotate = self.linker.number(node.rotate) if node.rotate is not None else None
        seats = self.machine.seats

        def run(s: array[int]) -> int:
            found = []
            for v, n in many(s, e):
                e[reg] = v
                if where is None or where(s, e):
                    found.extend([v] * n)
            if rotate is not None:
                start = rotate(s, e)
                found.sort(key=lambda v: (v - start) % seats)
            if keys:
                found = [v for _, v in sorted(((key_of(v, s), v) for v in found), key=lambda p: p[0])]
            if len(found) > node.capacity:
                raise Fault(TooManyRounds(node.span, node.capacity))
            fp = s[ir.FP] + slot
            s[fp] = len(found)
            s[fp + 1 : fp + 1 + len(found)] = array("i", found)
            return node.next

        def key_of(value: int, s: array[int]) -> list[int]:
            e[reg] = value
            return [k(s, e) for k in keys]

        return run

    def iterate(self, node: ir.Iterate) -> NodeFn:
        snapshot, position, slot = node.snapshot, node.position, node.slot

        def run(s: array[int]) -> int:
            fp = s[ir.FP]
            i = s[fp + position]
            if i >= s[fp + snapshot]:
                s[fp + position] = 0
                return node.done
            s[fp + position] = i + 1
            s[fp + slot] = s[fp + snapshot + 1 + i]
            return node.next

        return run

    # ---- routines

    def call(self, number: int, node: ir.Call) -> NodeFn:
        arguments = [self.linker.number(a) for a in node.arguments]
        enter, e, following, routine = self.stack.enter, self.registers, node.next, node.routine

        def run(s: array[int]) -> int:
            values = [a(s, e) for a in arguments]
            return enter(s, number, routine, values, s[s[ir.FP] + ir.ME], NONE, following)

        return run

    def call_cell(self, number: int, node: ir.CallCell) -> NodeFn:
        doing, enter = self.linker.doing(node.what), self.stack.enter

        def run(s: array[int]) -> int:
            found = doing(s)
            if found is None:
                return node.next
            routine, values, actor = found
            return enter(s, number, routine, values, s[s[ir.FP] + ir.ME], actor, node.next)

        return run

    def commit(self, node: ir.Commit) -> NodeFn:
        """The closure of a commit: in a trial, the routine that is tried has succeeded."""
        context, following = self.context, node.next
        return lambda s: OK if context.trial and s[s[ir.FP] + ir.RETURN] == OK else following

    def set_me(self, node: ir.SetMe) -> NodeFn:
        who, following, e = self.linker.number(node.value), node.next, self.registers

        def run(s: array[int]) -> int:
            s[s[ir.FP] + ir.ME] = who(s, e)
            return following

        return run

    # ---- the game

    def win(self, number: int, node: ir.Win) -> NodeFn:
        who, e = self.linker.number(node.seat), self.registers

        def run(s: array[int]) -> int:
            s[ir.WINNERS] |= 1 << who(s, e)
            return self.end(number, s)

        return run

    def finish(self, number: int, node: ir.Finish) -> NodeFn:
        """The closure of an end with a name, or with several winners or none."""
        who = self.linker.number(node.winners) if node.winners is not None else None
        e, ended, named = self.registers, self.context.machine.ended, 2 * node.outcome

        def run(s: array[int]) -> int:
            if who is not None:
                s[ir.WINNERS] = who(s, e)
            s[ended] = named + (who is not None)
            return self.end(number, s, node.outcome)

        return run

    def end(self, number: int, s: array[int], outcome: int = 0) -> int:
        s[ir.STATUS] = 1
        if self.context.sink is not None:
            self.context.sink.append(Ended(outcome, number))
        return OVER

"""Branches of `together`: every seat runs its own, until all have ended."""

from __future__ import annotations

from array import array

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import ir
from interpreter.events import Branched
from interpreter.executor_protocol import Waiting
from interpreter.ir.state import BRANCH, BRANCH_FP, BRANCH_PC, BRANCH_STATUS
from interpreter.reference.closures import NodeFn
from interpreter.reference.codes import BRANCH_END, CHANCE, OVER, STOP, SWITCH
from interpreter.reference.context import RunContext
from interpreter.reference.decisions import Decisions
from interpreter.reference.expressions import ExprLinker
from interpreter.reference.faults import RUNTIME_ERRORS, as_fault
from interpreter.reference.loop import Loop


class Branches:
    """Runs the branches of a fork and joins them."""

    def __init__(self, context: RunContext, loop: Loop, decisions: Decisions) -> None:
        self.context, self.loop, self.decisions = context, loop, decisions
        self.machine = context.machine

    def advance(self, s: array[int], pc: int) -> int:
        """Run to the next stop, switching between branches. Returns STOP, CHANCE or OVER."""
        code = self.loop.run(s, pc)
        while True:
            if code == OVER:
                if s[ir.FORKED]:
                    self._unfork(s)
                self._clear_stack(s)
            if code in (CHANCE, OVER):
                return code
            if not s[ir.FORKED]:
                if code == SWITCH:
                    raise InternalError("a branch without a fork")
                return code
            if code == STOP:
                self._park(s, ir.WAITING, s[ir.PC])
            elif code == BRANCH_END:
                self._park(s, ir.DONE, 0)
            seat = self._ready(s)
            if seat is not None:
                self.switch(s, seat)
                self._emit(seat)
                code = self.loop.run(s, s[self.machine.branch(seat) + BRANCH_PC])
            elif all(status == ir.DONE for status in self._statuses(s)):
                code = self.loop.run(s, self._join(s))
            else:
                s[ir.RUNNING], s[ir.FP] = 0, s[ir.MAIN_FP]
                return STOP

    def decisions_waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        """The decisions at which branches wait, seat by seat. A `Fault` leaves the state as it was."""
        found = []
        try:
            for seat, number in self.machine.waiting_branches(s):
                self.switch(s, seat)
                found.append(self.decisions.waiting(s, number, seat))
        finally:
            s[ir.RUNNING], s[ir.FP] = 0, s[ir.MAIN_FP]
        return tuple(found)

    def _emit(self, seat: int) -> None:
        if self.context.sink is not None:
            self.context.sink.append(Branched(seat))

    # ---- records

    def _statuses(self, s: array[int]) -> list[int]:
        return [s[self.machine.branch(seat) + BRANCH_STATUS] for seat in range(self.machine.seats)]

    def switch(self, s: array[int], seat: int) -> None:
        """Make the branch of a seat the running one."""
        s[ir.RUNNING] = seat + 1
        s[ir.FP] = s[self.machine.branch(seat) + BRANCH_FP]

    def resume(self, s: array[int], seat: int) -> None:
        """Make the branch of a seat the running one, after its decision."""
        self.switch(s, seat)
        s[self.machine.branch(seat) + BRANCH_STATUS] = ir.READY

    def _park(self, s: array[int], status: int, pc: int) -> None:
        """Save where the running branch has stopped."""
        at = self.machine.branch(s[ir.RUNNING] - 1)
        s[ir.PC] = 0
        s[at + BRANCH_PC], s[at + BRANCH_FP], s[at + BRANCH_STATUS] = (
            pc,
            s[ir.FP] if status == ir.WAITING else 0,
            status,
        )

    # ---- scheduling

    def _ready(self, s: array[int]) -> int | None:
        """The next seat whose branch can run: it is ready, or others have left it nothing to choose.

        The branch that has just stopped is excluded: something is offered to it.
        """
        last, statuses = s[ir.RUNNING] - 1, self._statuses(s)
        if ir.READY in statuses:
            return statuses.index(ir.READY)
        waiting = [(seat, number) for seat, number in self.machine.waiting_branches(s) if seat != last]
        return next((seat for seat, number in waiting if self._has_nothing(s, seat, number)), None)

    def _has_nothing(self, s: array[int], seat: int, number: int) -> bool:
        """Whether nothing is offered any more at the decision of a waiting branch."""
        self.switch(s, seat)
        self.context.work = 0
        try:
            return not self.decisions.is_asked(s, number)
        except RUNTIME_ERRORS as error:
            raise as_fault(error, self.machine.nodes[number].span) from None

    # ---- forking and joining

    def fork(self, number: int, node: ir.Fork, linker: ExprLinker) -> NodeFn:
        """The closure of a fork: it saves the variables and prepares a branch for each seat."""
        mc, e = self.machine, self.context.registers
        entry = mc.routines[node.routine].entries[0]
        arguments = [linker.number(a) for a in node.arguments]

        def run(s: array[int]) -> int:
            values = [a(s, e) for a in arguments]
            s[ir.FORKED], s[ir.FORK], s[ir.MAIN_FP] = 1, number, s[ir.FP]
            s[mc.saved : mc.saved + mc.saved_to - mc.saved_from] = s[mc.saved_from : mc.saved_to]
            for seat in range(mc.seats):
                self._begin(s, seat, entry, values)
            return SWITCH

        return run

    def _begin(self, s: array[int], seat: int, entry: int, values: list[int]) -> None:
        fp = self.machine.branch_stack + seat * self.machine.branch_size
        s[fp + ir.RETURN], s[fp + ir.ME], s[fp + ir.SELF] = BRANCH_END, seat, NONE
        for i, value in enumerate(values):
            s[fp + ir.FRAME + i] = value
        at = self.machine.branch(seat)
        s[at + BRANCH_PC], s[at + BRANCH_FP], s[at + BRANCH_STATUS] = entry, fp, ir.READY

    def _join(self, s: array[int]) -> int:
        """End the fork. Returns the node after it."""
        fork = self.machine.node(s[ir.FORK], ir.Fork)
        self._unfork(s)
        return fork.next

    def _unfork(self, s: array[int]) -> None:
        """Clear everything of the branches in the state."""
        mc = self.machine
        self._emit(-1)
        s[ir.FP] = s[ir.MAIN_FP]
        for word in (ir.FORKED, ir.RUNNING, ir.MAIN_FP, ir.FORK, ir.PC):
            s[word] = 0
        _clear(s, mc.branches, BRANCH * mc.seats)
        _clear(s, mc.saved, mc.saved_to - mc.saved_from)
        _clear(s, mc.branch_stack, mc.branch_size * mc.seats)

    def _clear_stack(self, s: array[int]) -> None:
        """Clear the frames when the game is over, so that equal positions are equal bytes."""
        _clear(s, self.machine.stack, self.machine.stack_size)
        s[ir.FP] = self.machine.stack


def _clear(s: array[int], first: int, size: int) -> None:
    s[first : first + size] = array("i", bytes(4 * size))

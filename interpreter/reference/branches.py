"""`together`: every seat on a branch of its own, until all have finished."""

from __future__ import annotations

from array import array

from dsl.diagnostics import InternalError
from dsl.domains import NONE
from interpreter import machine as m
from interpreter.events import Branched
from interpreter.reference.codes import BRANCH_END, CHANCE, OVER, STOP, SWITCH, Run
from interpreter.reference.decisions import Decisions
from interpreter.reference.frames import MISHAPS


class Branches(Decisions):
    """Runs the branches of a fork and joins them."""

    def advance(self, s: array[int], pc: int) -> int:
        """Runs on, through the branches of `together` where there are any; STOP, CHANCE or OVER."""
        code = self.run(s, pc)
        while True:
            if code == OVER and s[m.FORKED]:
                self._unfork(s)
            if code == OVER:
                self._rest(s)
            if code in (CHANCE, OVER):
                return code
            if not s[m.FORKED]:
                if code == SWITCH:
                    raise InternalError("a branch without a fork")
                return code
            if code == STOP:
                self._park(s, m.WAITING, s[m.PC])
            elif code == BRANCH_END:
                self._park(s, m.DONE, 0)
            seat = self._ready(s)
            if seat is None:
                if not self._all_done(s):
                    s[m.RUNNING] = 0
                    s[m.FP] = s[m.MAIN_FP]
                    return STOP
                code = self.run(s, self._join(s))
            else:
                self.switch(s, seat)
                self._tell(seat)
                code = self.run(s, s[self.machine.branches + 3 * seat])

    def _tell(self, seat: int) -> None:
        if self.sink is not None:
            self.sink.append(Branched(seat))

    def _rest(self, s: array[int]) -> None:
        """The game is over: no frame is left, so that equal positions are equal bytes."""
        mc = self.machine
        s[mc.stack : mc.stack + mc.stack_size] = array("i", bytes(4 * mc.stack_size))
        s[m.FP] = mc.stack

    def _park(self, s: array[int], status: int, pc: int) -> None:
        base = self.machine.branches + 3 * (s[m.RUNNING] - 1)
        s[m.PC] = 0
        s[base], s[base + 1], s[base + 2] = pc, s[m.FP] if status == m.WAITING else 0, status

    def _ready(self, s: array[int]) -> int | None:
        """The next seat whose branch can run: it begins, has chosen, or is left nothing to choose by others.

        The one that has just stopped has found something.
        """
        last, base = s[m.RUNNING] - 1, self.machine.branches
        statuses = [s[base + 3 * seat + 2] for seat in range(self.machine.seats)]
        if m.READY in statuses:
            return statuses.index(m.READY)
        waiting = [i for i, status in enumerate(statuses) if status == m.WAITING and i != last]
        return next((seat for seat in waiting if self._has_nothing(s, seat)), None)

    def _has_nothing(self, s: array[int], seat: int) -> bool:
        """Whether nothing is offered any more at the decision of a branch that waits."""
        self.switch(s, seat)
        self.linker.work = 0
        number = s[self.machine.branches + 3 * seat]
        try:
            return not self.is_asked(s, number)
        except MISHAPS as error:
            raise self.fault(error, self.machine.nodes[number].span) from None

    def _all_done(self, s: array[int]) -> bool:
        base = self.machine.branches
        return all(s[base + 3 * i + 2] == m.DONE for i in range(self.machine.seats))

    def switch(self, s: array[int], seat: int) -> None:
        """The branch of a seat becomes the one that runs."""
        s[m.RUNNING] = seat + 1
        s[m.FP] = s[self.machine.branches + 3 * seat + 1]

    def _join(self, s: array[int]) -> int:
        """All branches have finished; the node that follows."""
        fork = self.machine.nodes[s[m.FORK]]
        assert isinstance(fork, m.Fork)
        self._unfork(s)
        return fork.next

    def _unfork(self, s: array[int]) -> None:
        """Nothing of the branches is left in the state."""
        mc = self.machine
        self._tell(-1)
        s[m.FP] = s[m.MAIN_FP]
        for word in (m.FORKED, m.RUNNING, m.MAIN_FP, m.FORK, m.PC):
            s[word] = 0
        for first, size in (
            (mc.branches, 3 * mc.seats),
            (mc.saved, mc.saved_to - mc.saved_from),
            (mc.branch_stack, mc.branch_size * mc.seats),
        ):
            s[first : first + size] = array("i", bytes(4 * size))

    def linked_fork(self, number: int, node: m.Fork) -> Run:
        mc = self.machine
        code = mc.routines[node.routine]
        arguments = [self.linker.number(a) for a in node.arguments]

        def run(s: array[int]) -> int:
            values = [a(s, self.registers) for a in arguments]
            s[m.FORKED], s[m.FORK], s[m.MAIN_FP] = 1, number, s[m.FP]
            s[mc.saved : mc.saved + mc.saved_to - mc.saved_from] = s[mc.saved_from : mc.saved_to]
            for seat in range(mc.seats):
                base = mc.branch_stack + seat * mc.branch_size
                s[base + m.RETURN], s[base + m.ME], s[base + m.SELF] = BRANCH_END, seat, NONE
                for i, value in enumerate(values):
                    s[base + m.FRAME + i] = value
                at = mc.branches + 3 * seat
                s[at], s[at + 1], s[at + 2] = code.entries[0], base, m.READY
            return SWITCH

        return run

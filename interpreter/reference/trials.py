"""Trials: runs of a routine on a copy of the state, to find out whether something refuses it."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.messages import Fault
from interpreter.reference.closures import DoingValue
from interpreter.reference.codes import FAIL, OK
from interpreter.reference.context import RunContext
from interpreter.reference.faults import MOST_SEARCH, Searched
from interpreter.reference.loop import Loop
from interpreter.reference.stack import CallStack


class TrialRunner:
    """Runs copies of states without events. The copies are discarded.

    A fault in a trial counts as success: it is reported when the choice is made.
    """

    def __init__(self, context: RunContext, loop: Loop, stack: CallStack) -> None:
        self.context, self.loop, self.stack = context, loop, stack

    def dry_run(self, t: array[int], pc: int) -> bool:
        """Whether a run from a node reaches a stop without a failed precondition."""
        return self._run(t, pc, self.context.capture) != FAIL

    def probe(self, t: array[int], entry: int) -> int:
        """Run an offered routine to its first parameter or, without one, to its first stop."""
        return self._run(t, entry, t[ir.FP])

    def can(self, s: array[int], at: int, doing: DoingValue) -> bool:
        """Whether a target could be carried out at node `at`. Registers and failure are preserved."""
        context = self.context
        kept, failure, failed_state = list(context.registers), context.failure, context.failed_state
        routine, values, actor = doing
        t = s[:]
        entry = self.stack.enter(t, at, routine, values, s[s[ir.FP] + ir.ME], actor, OK)
        found = self.dry_run(t, entry)
        context.registers[:] = kept
        context.failure, context.failed_state = failure, failed_state
        return found

    def _run(self, t: array[int], pc: int, capture: int | None) -> int:
        context = self.context
        sink, before, work = context.sink, context.capture, context.work
        context.sink, context.capture, context.work = None, capture, 0
        context.trial += 1
        try:
            return self.loop.run(t, pc)
        except Fault:
            return OK
        finally:
            context.trial -= 1
            context.sink, context.capture = sink, before
            self._count(t)
            context.work = work

    def _count(self, t: array[int]) -> None:
        """Add the cost of a trial to its offer. Raises `Searched` above the limit."""
        context = self.context
        context.search += 1 + (len(t) >> 12) + (context.work >> 6)
        if context.search > MOST_SEARCH:
            raise Searched

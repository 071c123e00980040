"""Trials: a routine is run on a copy of the state to see whether anything refuses it."""

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
    """Runs copies of states, telling nobody. A copy is thrown away after.

    A fault does not hide a choice: it shows when the choice is made.
    """

    def __init__(self, context: RunContext, loop: Loop, stack: CallStack) -> None:
        self.context, self.loop, self.stack = context, loop, stack

    def dry_run(self, t: array[int], pc: int) -> bool:
        """Whether a run from here comes to a stop without a failed need."""
        return self._run(t, pc, self.context.capture) != FAIL

    def probe(self, t: array[int], entry: int) -> int:
        """Runs a routine that is offered to its first parameter, or, without one, to its first stop."""
        return self._run(t, entry, t[ir.FP])

    def can(self, s: array[int], at: int, doing: DoingValue) -> bool:
        """Whether something could be carried out at node `at`. Registers and failure stay as they are."""
        context = self.context
        kept, failure = list(context.registers), context.failure
        routine, values, actor = doing
        t = s[:]
        entry = self.stack.enter(t, at, routine, values, s[s[ir.FP] + ir.ME], actor, OK)
        found = self.dry_run(t, entry)
        context.registers[:] = kept
        context.failure = failure
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
        """What a trial takes from the search of its offer. Raises `Searched` when nothing is left."""
        context = self.context
        context.search += 1 + (len(t) >> 12) + (context.work >> 6)
        if context.search > MOST_SEARCH:
            raise Searched

"""The loop that runs nodes."""

from __future__ import annotations

from array import array

from interpreter.messages import Fault, RunsForEver
from interpreter.reference.closures import NodeFn
from interpreter.reference.context import RunContext
from interpreter.reference.faults import MOST_STEPS, RUNTIME_ERRORS, as_fault


class Loop:
    """Runs linked nodes. `nodes` is set when all are linked, as nodes use the loop for trials."""

    def __init__(self, context: RunContext) -> None:
        self.context = context
        self.nodes: list[NodeFn] = []

    def run(self, s: array[int], pc: int) -> int:
        """Run from node `pc` to the next stop. Returns its code. Raises `Fault`."""
        context, nodes = self.context, self.nodes
        at = pc
        if not context.trial:
            context.begin()
        try:
            for done in range(MOST_STEPS):
                if pc < 0:
                    if context.trial:
                        context.work += done
                    return pc
                at = pc
                pc = nodes[pc](s)
        except RUNTIME_ERRORS as error:
            raise as_fault(error, context.machine.nodes[at].span) from None
        context.work += MOST_STEPS
        raise Fault(RunsForEver(context.machine.nodes[at].span, MOST_STEPS))

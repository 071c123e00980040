"""The call stack: a frame in the state for each running routine."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.ir.cfg import frame_sizes
from interpreter.messages import Fault, TooDeepCalls
from interpreter.reference.closures import NodeFn


class CallStack:
    """Enters and leaves routines."""

    def __init__(self, machine: ir.Machine) -> None:
        self.machine = machine
        self._size_at = frame_sizes(machine)

    def enter(
        self,
        s: array[int],
        at: int,
        routine: int,
        values: list[int],
        me: int,
        actor: int,
        back: int,
    ) -> int:
        """Push a frame for a routine that node `at` calls. Returns the node at which it begins."""
        mc = self.machine
        code = mc.routines[routine]
        fp = s[ir.FP]
        new = fp + self._size_at[at]
        limit = mc.stack + mc.stack_size
        if s[ir.RUNNING]:
            limit = mc.branch_stack + s[ir.RUNNING] * mc.branch_size
        if new + code.size > limit:
            raise Fault(TooDeepCalls(code.span, code.name))
        s[new + ir.RETURN], s[new + ir.CALLER], s[new + ir.ME], s[new + ir.SELF] = back, fp, me, actor
        for i, value in enumerate(values):
            s[new + ir.FRAME + i] = value
        s[ir.FP] = new
        return code.entry(len(values))

    def leave(self, at: int) -> NodeFn:
        """The closure of a return, at node `at`: it clears the frame and goes back to the caller."""
        size = self._size_at[at]
        zeros = array("i", bytes(4 * size))

        def run(s: array[int]) -> int:
            fp = s[ir.FP]
            back, caller = s[fp + ir.RETURN], s[fp + ir.CALLER]
            s[fp : fp + size] = zeros
            if caller:
                s[ir.FP] = caller
            return back

        return run

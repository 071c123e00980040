"""The call stack: a frame of the state for each routine that runs."""

from __future__ import annotations

from array import array

from interpreter import machine as m
from interpreter.machine.cfg import frame_sizes
from interpreter.messages import Fault, TooDeepCalls
from interpreter.reference.closures import NodeFn


class CallStack:
    """Enters and leaves routines."""

    def __init__(self, machine: m.Machine) -> None:
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
        """A new frame on top of the one in which node `at` runs; the node where its routine begins."""
        mc = self.machine
        code = mc.routines[routine]
        fp = s[m.FP]
        new = fp + self._size_at[at]
        limit = mc.stack + mc.stack_size
        if s[m.RUNNING]:
            limit = mc.branch_stack + s[m.RUNNING] * mc.branch_size
        if new + code.size > limit:
            raise Fault(TooDeepCalls(code.span, code.name))
        s[new + m.RETURN], s[new + m.CALLER], s[new + m.ME], s[new + m.SELF] = back, fp, me, actor
        for i, value in enumerate(values):
            s[new + m.FRAME + i] = value
        s[m.FP] = new
        return code.entries[len(values)] if len(values) < len(code.entries) else code.entries[-1]

    def leave(self, at: int) -> NodeFn:
        """The end of the routine in which node `at` runs: its frame is cleared, the caller's goes on."""
        size = self._size_at[at]
        zeros = array("i", bytes(4 * size))

        def run(s: array[int]) -> int:
            fp = s[m.FP]
            back, caller = s[fp + m.RETURN], s[fp + m.CALLER]
            s[fp : fp + size] = zeros
            if caller:
                s[m.FP] = caller
            return back

        return run

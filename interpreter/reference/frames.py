"""Running nodes, and the frames that routines run in."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from dsl.domains import NONE
from dsl.source import Span
from interpreter import machine as m
from interpreter.events import Event
from interpreter.machine.cfg import frame_sizes
from interpreter.messages import (
    BadIndex,
    DividedByZero,
    Fault,
    NotThere,
    NumberTooLarge,
    PlaceFull,
    RunsForEver,
    SearchTooLong,
    TooDeepCalls,
)
from interpreter.reference import pieces
from interpreter.reference.codes import OK, Run
from interpreter.reference.linking import (
    MOST_SEARCH,
    MOST_WORK,
    Linker,
    Number,
    OutOfBounds,
    Searched,
    TooMuch,
)

MOST_STEPS = 500_000
MISHAPS = (OutOfBounds, TooMuch, Searched, pieces.Full, pieces.Missing, OverflowError, ZeroDivisionError)

Doing = Callable[["array[int]"], "tuple[int, list[int], int] | None"]
"""What is to be done in a state: routine, leading arguments, acting piece; nothing for an empty cell."""


class Frames:
    """Runs nodes from one to the next, and enters and leaves routines."""

    def __init__(self, machine: m.Machine) -> None:
        self.machine = machine
        self.registers = [0] * (machine.registers + 8)
        self.nodes: list[Run] = []
        self.trial = 0
        self.sink: list[Event] | None = None
        self.cover = bytearray(len(machine.cover))
        self.taking = False
        """A choice is carried out: the cell that it names is done, and not only offered."""
        self.component_of, self.classes_of = _components(machine)
        self.size_at = frame_sizes(machine)
        self.linker = Linker(machine, self)

    # ---- cover

    def covered(self) -> bytes:
        """What each point of cover has come to since cover was cleared."""
        return bytes(self.cover)

    def clear_cover(self) -> None:
        self.cover[:] = bytes(len(self.cover))

    def linked_cover(self, node: m.Cover) -> Run:
        cover, point, following, outcome = self.cover, node.point, node.next, node.outcome
        tried = outcome & ~m.RAN | (m.TRIED if outcome & m.RAN else 0)

        def run(s: array[int]) -> int:
            cover[point] |= tried if self.trial else outcome
            return following

        return run

    def linked_cell_cover(self, node: m.CoveredCell) -> Number:
        cover, cell = self.cover, self.linker.number(node.value)

        def run(s: array[int], e: list[int]) -> int:
            number = cell(s, e)
            if number != NONE:
                ran = (node.calls or self.taking) and not self.trial
                cover[node.first + number] |= m.RAN if ran else m.TRIED
            return number

        return run

    # ---- running

    def linked_can(self, what: m.Doing) -> Number:
        """Whether something could be carried out now; the trials answer it."""
        raise NotImplementedError

    def run(self, s: array[int], pc: int) -> int:
        """Nodes from `pc` to the next stop; its code. Raises `Fault` for what must not happen."""
        nodes = self.nodes
        at = pc
        if not self.trial:
            self.linker.work = self.linker.search = 0
        try:
            for done in range(MOST_STEPS):
                if pc < 0:
                    self.linker.work += self.trial and done
                    return pc
                at = pc
                pc = nodes[pc](s)
        except MISHAPS as error:
            raise self.fault(error, self.machine.nodes[at].span) from None
        self.linker.work += MOST_STEPS
        raise Fault(RunsForEver(self.machine.nodes[at].span, MOST_STEPS))

    def fault(self, error: Exception, span: Span) -> Fault:
        """What has gone wrong, with its place."""
        match error:
            case OutOfBounds():
                value = "none" if error.value == NONE else str(error.value)
                return Fault(BadIndex(span, value, error.lo, error.hi))
            case pieces.Full():
                return Fault(PlaceFull(span, error.place.zone, error.place.capacity))
            case pieces.Missing():
                return Fault(NotThere(span, error.place.zone))
            case TooMuch():
                return Fault(RunsForEver(span, MOST_WORK))
            case Searched():
                return Fault(SearchTooLong(span, MOST_SEARCH))
            case OverflowError():
                return Fault(NumberTooLarge(span))
        return Fault(DividedByZero(span))

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
        """A new frame on top of the running one; the node where its routine begins."""
        mc = self.machine
        code = mc.routines[routine]
        fp = s[m.FP]
        new = fp + self.size_at[at]
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

    def leave(self, s: array[int], at: int) -> int:
        fp, size = s[m.FP], self.size_at[at]
        back, caller = s[fp + m.RETURN], s[fp + m.CALLER]
        s[fp : fp + size] = array("i", bytes(4 * size))
        if caller:
            s[m.FP] = caller
        return back

    def commit(self, s: array[int], following: int) -> int:
        """In a trial, the routine that is tried can no longer be refused."""
        if self.trial and s[s[m.FP] + m.RETURN] == OK:
            return OK
        return following

    def linked_call(self, number: int, node: m.Call) -> Run:
        arguments = [self.linker.number(a) for a in node.arguments]
        e, following, routine = self.registers, node.next, node.routine

        def run(s: array[int]) -> int:
            values = [a(s, e) for a in arguments]
            return self.enter(s, number, routine, values, s[s[m.FP] + m.ME], NONE, following)

        return run

    def linked_doing(self, what: m.Doing) -> Doing:
        """What is to be done: routine, leading arguments, acting piece; nothing for an empty cell."""
        e = self.registers
        if isinstance(what, m.DoRoutine):
            arguments = [self.linker.number(a) for a in what.arguments]
            return lambda s: (what.routine, [a(s, e) for a in arguments], NONE)
        cell, actor, cells = (
            self.linker.number(what.cell),
            self.linker.number(what.actor),
            self.machine.cells,
        )

        def run(s: array[int]) -> tuple[int, list[int], int] | None:
            number = cell(s, e)
            if number == NONE:
                return None
            routine, values = cells[number]
            return routine, list(values), actor(s, e)

        return run

    def linked_cell(self, number: int, node: m.CallCell) -> Run:
        doing = self.linked_doing(node.what)

        def run(s: array[int]) -> int:
            found = doing(s)
            if found is None:
                return node.next
            routine, values, actor = found
            return self.enter(s, number, routine, values, s[s[m.FP] + m.ME], actor, node.next)

        return run


def _components(machine: m.Machine) -> tuple[list[str], list[int]]:
    names = [machine.place_components[p.zone] for p in machine.places]
    return names, [machine.component_classes[n] for n in names]

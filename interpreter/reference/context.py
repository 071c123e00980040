"""What linked code shares besides the state. It keeps nothing of a match."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.events import Event
from interpreter.reference.closures import ListFn, NodeFn
from interpreter.reference.faults import MOST_WORK, TooMuch


class RunContext:
    """The machine, the registers, the sink of events, and the running trial, if there is one."""

    __slots__ = (
        "capture",
        "caught",
        "component_of",
        "cover",
        "failed_state",
        "failure",
        "machine",
        "registers",
        "search",
        "sink",
        "taking",
        "trial",
        "work",
    )

    def __init__(self, machine: ir.Machine) -> None:
        self.machine = machine
        self.registers = [0] * (machine.registers + 8)
        self.component_of = [machine.place_components[p.zone] for p in machine.places]
        self.sink: list[Event] | None = None
        """The list to which events are appended; none in a trial."""
        self.cover = bytearray(len(machine.cover))
        self.taking = False
        """Whether a choice is being carried out: the cell that it names runs, and is not only offered."""
        self.trial = 0
        """The number of nested trials that run."""
        self.failure: tuple[ir.Step, int, int] | None = None
        """The node that refused in a trial, the number that was wanted and the number that there was."""
        self.failed_state: array[int] = array("i")
        """The state in which it refused."""
        self.capture: int | None = None
        """The frame whose first parameter stops the run."""
        self.caught = -1
        """The parameter that stopped the run."""
        self.work = 0
        """What the run has evaluated: values of collections, and parts of expressions (`ir.costs`)."""
        self.search = 0
        """What the trials of one offer have cost together."""

    def begin(self) -> None:
        """What is evaluated from here on has work and a search of its own."""
        self.work = self.search = 0

    def spend(self, work: int) -> None:
        """Adds work. Raises `TooMuch` above the limit."""
        self.work += work
        if self.work > MOST_WORK:
            raise TooMuch

    def counted(self, many: ListFn, each: int = 1, once: int = 0) -> ListFn:
        """The same collection, with its work: `each` for a value, `once` for reading it.

        It raises `TooMuch` above the limit.
        """

        def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            found = many(s, e)
            self.work += once + each * len(found)
            if self.work > MOST_WORK:
                raise TooMuch
            return found

        return run

    def charged(self, node: NodeFn, work: int) -> NodeFn:
        """The same node, which costs so much work each time. It raises `TooMuch` above the limit."""
        if not work:
            return node

        def run(s: array[int]) -> int:
            self.spend(work)
            return node(s)

        return run

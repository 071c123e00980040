"""What running code shares besides the state. Nothing of a match is in it."""

from __future__ import annotations

from array import array

from interpreter import ir
from interpreter.events import Event
from interpreter.reference.closures import ListFn
from interpreter.reference.faults import MOST_WORK, TooMuch


class RunContext:
    """The machine, the scratch registers, who listens, and the trial that is under way, if one is."""

    __slots__ = (
        "capture",
        "caught",
        "classes_of",
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
        self.classes_of = [machine.component_classes[name] for name in self.component_of]
        self.sink: list[Event] | None = None
        """Where what happens is told; nowhere in a trial."""
        self.cover = bytearray(len(machine.cover))
        self.taking = False
        """A choice is carried out: the cell that it names is done, and not only offered."""
        self.trial = 0
        """How many trials run, one within the other."""
        self.failure: tuple[ir.Step, int, int] | None = None
        """The node that refused in a trial, what was wanted and what there was."""
        self.failed_state: array[int] = array("i")
        self.capture: int | None = None
        """The frame whose first parameter stops the run."""
        self.caught = -1
        """The parameter that stopped it."""
        self.work = 0
        self.search = 0
        """What the trials of one offer have taken together."""

    def spend(self, many: ListFn) -> ListFn:
        """The same collection; what is gone through counts as work."""

        def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            found = many(s, e)
            self.work += len(found)
            if self.work > MOST_WORK:
                raise TooMuch
            return found

        return run

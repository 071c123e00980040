"""The functions of a host asked from Python, for the matches of one machine."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache

import wasmtime

from dsl import rules as r
from interpreter import ir
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.host.module import TABLE, host_module
from interpreter.wasm.host.telling import ROW
from interpreter.wasm.host.words import host_words

_HERE = threading.local()


@lru_cache(maxsize=1)
def _compiled() -> wasmtime.Module:
    return compile_module(host_module(), spare=True)


class HostFunctions:
    """Asks the functions about one machine. All games share a module, and each thread an instance of it.

    A state is copied in for each question.
    """

    def __init__(self, machine: ir.Machine, rules: r.Rules) -> None:
        self._table = array("i", host_words(machine, rules)).tobytes()
        self._state = TABLE + len(self._table)
        self._other = self._state + 4 * machine.size
        self._free = self._other + 4 * machine.size
        """Behind it all else is put: rows, and answers."""
        self._rows = 2 * len(machine.places) + sum(x.size for x in machine.variables.values())
        self._seen = self._rows - len(machine.places) + machine.size
        self._last: tuple[bytes, array[int]] = (b"", array("i"))

    def _instance(self, size: int) -> Instance:
        """The instance of this thread, with the table of the machine and room for so many bytes."""
        if not hasattr(_HERE, "instance"):
            _HERE.instance, _HERE.table = Instance(_compiled(), spare=True), None
        instance: Instance = _HERE.instance
        instance.grow(self._free + size)
        if _HERE.table is not self._table:
            instance.write(TABLE, self._table)
            _HERE.table = self._table
        return instance

    def sights(self, s: array[int]) -> array[int]:
        """Sets of viewers: for each place who sees and who counts it now, then for each word who reads it."""
        state, known = s.tobytes(), self._last
        if known[0] == state:
            return known[1]
        instance = self._about(s, 4 * self._rows)
        instance.functions["sights"](self._state, self._free)
        found = array("i", instance.read(self._free, self._rows))
        self._last = state, found
        return found

    def before(self, s: array[int], viewer: int) -> array[int] | None:
        """The state of which a viewer is told values and scores, if it is another one: see `sights`."""
        instance = self._about(s)
        if not instance.functions["before"](self._state, viewer):
            return None
        return array("i", instance.read(self._state, len(s)))

    def awaited(self, s: array[int], viewer: int, seats: int) -> int:
        """Which of the seats that are asked, as bits, a viewer is told: see `knowledge`."""
        return self._about(s).functions["awaited"](self._state, viewer, seats)

    def view(self, s: array[int], viewer: int) -> bytes:
        """What a viewer sees of a position, and nothing else: see `sights.write_view`."""
        instance = self._about(s, 4 * self._seen)
        instance.functions["view"](self._state, viewer, self._free)
        return instance.read(self._free, self._seen)

    def pool(self, s: array[int], place: int, viewer: int, classes: int) -> tuple[int, array[int]]:
        """Among which pieces one is drawn from a place, as far as a viewer may know, by class; see `pool`."""
        instance = self._about(s, 4 * classes)
        kind = instance.functions["pool"](self._state, place, viewer, self._free)
        return kind, array("i", instance.read(self._free, classes))

    def tell(self, rows: array[int], viewer: int, held: bytes) -> tuple[array[int], bytes]:
        """The rows that a viewer is told, and those that are held back from it."""
        size = 4 * len(rows) + len(held)
        told = self._free + 4 * len(rows)
        later = told + size + ROW
        instance = self._instance(3 * size + 2 * ROW)
        instance.write(self._free, rows.tobytes())
        instance.write(later, array("i", (later + ROW + len(held),)).tobytes())
        instance.write(later + ROW, held)
        end = instance.functions["tell"](self._free, told, viewer, told, later)
        last = array("i", instance.read(later, 1))[0]
        rest = instance.read(later + ROW, (last - later - ROW) // 4)
        return array("i", instance.read(told, (end - told) // 4)), rest

    def tops(self, rows: array[int], before: array[int], after: array[int]) -> array[int]:
        """The rows between two stops with what everybody newly sees on top of places."""
        instance = self._between(before, after, rows, 2 * ROW * self._rows)
        first, end = self._free, self._free + 4 * len(rows)
        last = instance.functions["tops"](self._state, self._other, first, end)
        return array("i", instance.read(first, (last - first) // 4))

    def learned(self, rows: array[int], before: array[int], after: array[int]) -> int:
        """What a seat has learned from a choice between two states: see `learning`."""
        instance = self._between(before, after, rows, 0)
        end = self._free + 4 * len(rows)
        return instance.functions["learned"](self._state, self._other, self._free, end)

    def undo(self, seats: int, own: int, learned: int, people: int, forked: int) -> int:
        """What is in the way of taking back choices, and who has to agree: see `undo`."""
        return self._instance(0).functions["undo"](seats, own, learned, people, forked)

    def branch(self, rows: array[int], before: array[int], seat: int) -> int:
        """Whether a seat may take back choices of its branch up to one: see `undo`."""
        instance = self._between(before, before, rows, 0)
        return instance.functions["own_branch"](self._state, self._free, self._free + 4 * len(rows), seat)

    def way_back(self, s: array[int], viewer: int, people: int, number: int, found: int) -> int:
        """How a viewer may take back the choices up to its own last one: see `undo`."""
        return self._about(s).functions["way_back"](self._state, viewer, people, number, found)

    def copies(self, s: array[int], place: int, class_: int) -> int:
        """How many equal pieces on a place a choice of one stands for: see `numbering`."""
        return self._about(s).functions["copies"](self._state, place, class_)

    def unseen(self, s: array[int], viewer: int, place: int, choices: int) -> int:
        """How many numbers stand for choices among hidden pieces of a place: see `numbering`."""
        return self._about(s).functions["unseen"](self._state, viewer, place, choices)

    def numbers(
        self, s: array[int], viewer: int, place: int, key: int, classes: array[int], most: int
    ) -> array[int]:
        """For which of some choices each number stands, at `most` so many: see `numbering`."""
        instance, end = self._about(s, 4 * (len(classes) + most)), self._free + 4 * len(classes)
        instance.write(self._free, classes.tobytes())
        number = instance.functions["numbers"]
        return array("i", instance.read(end, number(self._state, viewer, place, key, self._free, end, end)))

    def suppose(self, s: array[int], class_: int) -> tuple[array[int], int]:
        """A state in which all that is hidden is of one class, and how many such there are: see `sights`."""
        instance = self._about(s)
        number = instance.functions["suppose"](self._state, class_)
        return array("i", instance.read(self._state, len(s))), number

    def knows(self, s: array[int], viewer: int, known: array[int], record: array[int]) -> bool:
        """Whether a viewer knows what has to be known: see `knowledge`."""
        instance = self._about(s, 4 * (len(known) + len(record)))
        instance.write(self._free, (known + record).tobytes())
        end = self._free + 4 * len(known)
        return bool(instance.functions["knows"](self._state, viewer, self._free, end))

    def hides(self, s: array[int], viewer: int, chooser: int, marks: int, places: Sequence[int]) -> bool:
        """Whether a viewer may not read what names values on some places: see `knowledge`."""
        instance, end = self._about(s, 4 * len(places)), self._free + 4 * len(places)
        instance.write(self._free, array("i", places).tobytes())
        return bool(instance.functions["hides"](self._state, viewer, chooser, marks, self._free, end))

    def agreed(self, s: array[int], viewer: int, readers: Sequence[int], sheets: Iterable[int]) -> list[bool]:
        """Of which numbers a viewer may know the value, by those who may know it and by what it is in each
        hypothesis: see `knowledge`."""
        numbers, sheet = array("i", (*readers, *sheets)), self._free + 4 * len(readers)
        instance = self._about(s, 4 * len(numbers))
        instance.write(self._free, numbers.tobytes())
        end = self._free + 4 * len(numbers)
        instance.functions["agreed"](self._state, viewer, self._free, sheet, end)
        return [bool(known) for known in array("i", instance.read(self._free, len(readers)))]

    def _about(self, s: array[int], size: int = 0) -> Instance:
        """The instance with a state, and room for so many bytes."""
        instance = self._instance(size)
        instance.write(self._state, s.tobytes())
        return instance

    def _between(self, before: array[int], after: array[int], rows: array[int], more: int) -> Instance:
        instance = self._instance(4 * len(rows) + more)
        instance.write(self._state, before.tobytes())
        instance.write(self._other, after.tobytes())
        instance.write(self._free, rows.tobytes())
        return instance

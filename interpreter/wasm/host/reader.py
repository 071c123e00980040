"""The functions of a host asked from Python, for the matches of one machine."""

from __future__ import annotations

import threading
from array import array
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
        instance = self._instance(4 * self._rows)
        instance.write(self._state, state)
        instance.functions["sights"](self._state, self._free)
        found = array("i", instance.read(self._free, self._rows))
        self._last = state, found
        return found

    def before(self, s: array[int]) -> array[int]:
        """The state in which the running `together` began."""
        instance = self._instance(0)
        instance.write(self._state, s.tobytes())
        instance.functions["before"](self._state)
        return array("i", instance.read(self._state, len(s)))

    def view(self, s: array[int], viewer: int) -> bytes:
        """What a viewer sees of a position, and nothing else: see `sights.write_view`."""
        instance = self._instance(4 * self._seen)
        instance.write(self._state, s.tobytes())
        instance.functions["view"](self._state, viewer, self._free)
        return instance.read(self._free, self._seen)

    def pool(self, s: array[int], place: int, viewer: int, classes: int) -> tuple[int, array[int]]:
        """Among which pieces one is drawn from a place, as far as a viewer may know, by class; see `pool`."""
        instance = self._instance(4 * classes)
        instance.write(self._state, s.tobytes())
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

    def _between(self, before: array[int], after: array[int], rows: array[int], more: int) -> Instance:
        instance = self._instance(4 * len(rows) + more)
        instance.write(self._state, before.tobytes())
        instance.write(self._other, after.tobytes())
        instance.write(self._free, rows.tobytes())
        return instance

"""The fast executor: the protocol of executors over a module."""

from __future__ import annotations

import threading
from array import array
from typing import TYPE_CHECKING

from interpreter import ir
from interpreter.event_rows import EventRows
from interpreter.events import Event
from interpreter.executor_protocol import PASS, Option, Waiting, listed
from interpreter.messages import Fault
from interpreter.wasm import abi
from interpreter.wasm.abi import FAULT, RECORD
from interpreter.wasm.build_config import REFEREE
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.faults import fault
from interpreter.wasm.module import module
from interpreter.wasm.option_codec import OptionCodec

if TYPE_CHECKING:
    from interpreter.reference.executor import ReferenceExecutor as Reference


class WasmExecutor:
    """Runs one machine as WebAssembly. A state is copied in before each call and out behind it.

    `reference` answers what is asked about a position and changes nothing: which routines are offered with
    which arguments, and what lies where.
    """

    def __init__(self, machine: ir.Machine, reference: Reference) -> None:
        self.machine = machine
        self.reference = reference
        self._sinks = threading.local()
        data, self.map = module(machine, REFEREE, reference.initial_state())
        self.instance = Instance(compile_module(data))
        self.shapes = OptionCodec(machine)
        self.call = self.instance.functions
        self._rows = EventRows(machine)

    @property
    def sink(self) -> list[Event] | None:
        """The events of the running step, one list for each thread."""
        found: list[Event] | None = getattr(self._sinks, "sink", None)
        return found

    @sink.setter
    def sink(self, sink: list[Event] | None) -> None:
        self._sinks.sink = sink

    # ---- the protocol

    def initial_state(self) -> array[int]:
        return self.reference.initial_state()

    def advance(self, s: array[int], pc: int) -> int:
        with self.instance as instance:
            self._reset()
            self._in(s)
            return self._out(s, instance.functions["advance"](self.map["state"], pc))

    def choose(self, s: array[int], waiting: Waiting, option: Option) -> int:
        part, bit = (-1, 0) if option == PASS else self.shapes.bit(waiting.node, option)
        with self.instance as instance:
            self._reset()
            self._in(s)
            return self._out(s, instance.functions["choose"](self.map["state"], waiting.branch, part, bit))

    def resolve_chance(self, s: array[int], outcome: int) -> int:
        with self.instance as instance:
            self._reset()
            self._in(s)
            return self._out(s, instance.functions["happen"](self.map["state"], outcome))

    def waiting(self, s: array[int]) -> tuple[Waiting, ...]:
        if s[ir.STATUS]:
            return ()
        if not s[ir.FORKED]:
            return (self._waiting(s, s[ir.PC], 0),)
        waiting = self.machine.waiting_branches(s)
        return tuple(self._waiting(s, number, seat) for seat, number in waiting)

    def outcomes(self, s: array[int]) -> list[tuple[int, int]]:
        with self.instance:
            return self.reference.outcomes(s)

    def score(self, s: array[int], seat: int) -> list[tuple[ir.ScoreCode, int]]:
        with self.instance as instance:
            self._in(s)
            if instance.functions["account"](self.map["state"], seat) == FAULT:
                return self.reference.score(s, seat)
            row = len(self.machine.scores) + 1
            data = instance.read(self.map["accounts"] + 4 * row * seat, row)
        lines = list(zip(self.machine.scores, array("i", data), strict=False))
        return [lines[i] for i in self.machine.counts(s)]

    def check(self, s: array[int]) -> None:
        with self.instance:
            self.reference.check(s)

    def covered(self) -> bytes:
        """What is asked of the reference executor counts too."""
        mine = self.instance.read_bytes(self.map["cover"], len(self.machine.cover))
        return bytes(x | y for x, y in zip(mine, self.reference.covered(), strict=True))

    def clear_cover(self) -> None:
        self.instance.write(self.map["cover"], bytes(len(self.machine.cover)))
        self.reference.clear_cover()

    # ---- in and out

    def _reset(self) -> None:
        self.instance.set_global("event", self.map["events"])

    def _in(self, s: array[int]) -> None:
        self.instance.write(self.map["state"], s.tobytes())

    def _out(self, s: array[int], code: int) -> int:
        if code == FAULT:
            raise self._fault()
        s[:] = array("i", self.instance.read(self.map["state"], self.machine.size))
        if self.sink is not None:
            self.sink.extend(self._events())
        return code

    def _fault(self) -> Fault:
        kind, number, a, b, c = array("i", self.instance.read(self.map["record"], RECORD))
        seat = None
        if kind == abi.NOTHING_TO_CHOOSE:
            s = array("i", self.instance.read(self.map["state"], self.machine.size))
            seat = self.reference.decisions.seats[number](s, self.reference.registers)
        return fault(self.machine, kind, number, a, b, c, seat)

    # ---- decisions

    def _waiting(self, s: array[int], number: int, branch: int) -> Waiting:
        with self.instance as instance:
            self._in(s)
            state = self.map["state"]
            if instance.functions["menu"](state, branch, self.map["menu"]) == FAULT:
                raise self._fault()
            data = instance.read(self.map["menu"], 2 * self.map["menu_words"])
            seat = instance.functions["seat_at"](state, branch, 0)
            what = self._what(s, number, branch)
        options, ranges = self.shapes.options(number, data), self.shapes.ranges(number, data)
        passing = self.machine.decision(number).passing
        if ranges:
            options = listed(options, ranges, passing)
        elif passing is not None:
            options = (*options, PASS)
        return Waiting(seat, number, options, branch, what, ranges)

    def _what(
        self, s: array[int], number: int, branch: int
    ) -> tuple[tuple[int, tuple[int, ...]] | None, ...]:
        """Which routine each thing to do is, and with which arguments."""
        doings = self.reference.doings.get(number, ())
        forked = bool(s[ir.FORKED])
        if forked and doings:
            self.reference.switch(s, branch)
        found = [doing(s) for doing in doings]
        if forked:
            s[ir.RUNNING], s[ir.FP] = 0, s[ir.MAIN_FP]
        return tuple((d[0], tuple(d[1])) if d is not None else None for d in found)

    # ---- events

    def _events(self) -> list[Event]:
        first = self.map["events"]
        size = self.instance.global_value("event") - first
        return self._rows.read(array("i", self.instance.read(first, size // 4)))

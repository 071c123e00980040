"""A machine that counts what it executes while it plays by itself."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from dsl import rules as r
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.number_parts import in_parts
from interpreter.reference.executor import ReferenceExecutor as Reference
from interpreter.wasm.build_config import FAST
from interpreter.wasm.emit.marked_body import Marks
from interpreter.wasm.engine import compile_module
from interpreter.wasm.metering import Measured, measured
from interpreter.wasm.module import module
from interpreter.wasm.program import Code, Program, Rows


class ProfiledProgram:
    """The program of a configuration, with counters. It plays the same matches as without.

    Raises `ErrorsReported` if the configuration does not exist.
    """

    def __init__(
        self, rules: r.Rules, seats: int | None = None, options: Mapping[str, str | int] | None = None
    ) -> None:
        self.rules, self.marks = rules, Marks()
        self.machine: ir.Machine = compile_rules(rules, seats, options, places=self.marks)
        machine = in_parts(self.machine)
        data, layout = module(machine, FAST, Reference(self.machine).initial_state(), marks=self.marks)
        code = Code(compile_module(data), layout, self.machine.seats, self.machine.longest)
        self.program = Program(code, explain=lambda: self.machine)

    def playout(self, seed: int) -> Rows:
        """The playout of a seed; of several together, those before a fault would be played twice."""
        return self.program.rows(1, seed)

    def measured(self) -> Measured:
        """What all playouts together have executed."""
        meter = self.marks.meter
        assert meter is not None
        found = self.program.instance.read_bytes(meter.base, meter.size)
        return measured(meter, array("Q", found))

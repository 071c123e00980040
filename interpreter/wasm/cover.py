"""Playouts of a machine with cover: what each of them has executed."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.build_config import FAST
from interpreter.wasm.program import Program, Rows


class CoveredProgram:
    """A machine with cover that plays by itself, one playout after the other."""

    def __init__(self, machine: m.Machine) -> None:
        self.program = Program(machine, FAST)
        self.size = len(machine.cover)

    def playout(self, seed: int) -> tuple[Rows, bytes]:
        """The playout of a seed, with its account, and the outcomes of every point.

        The choices are those of `Program`. Promises are looked at when it has ended.
        """
        layout, instance = self.program.code.layout, self.program.instance
        instance.write(layout["cover"], bytes(self.size))
        rows = self.program.rows(1, seed)
        if rows.record is None:
            instance.functions["broken"](layout["state"])
        return rows, instance.read_bytes(layout["cover"], self.size)

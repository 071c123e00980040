"""The shapes of a machine's menus, for those who read and write them from outside."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from dsl.domains import NONE
from interpreter import machine as m
from interpreter.execution import Option
from interpreter.wasm.build_config import STEPPER
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.functions import measuring
from interpreter.wasm.lower.option_layouts import layout_of
from interpreter.wasm.option_layout import OptionLayout


class OptionCodec:
    """Which bit of a menu means which option, and which word belongs to which name."""

    def __init__(self, machine: m.Machine) -> None:
        self.machine = machine
        self.measure = measuring(ModuleBuilder(machine, STEPPER))
        self.bases = sorted((w.base, w.name) for w in machine.words.values() if w.size)
        self.layout = cache(self._layout)

    def _layout(self, number: int) -> OptionLayout:
        return layout_of(self.measure, number)

    def name_of(self, word: int) -> str:
        """The counter, mark or pointer that a word belongs to."""
        return self.bases[bisect_right(self.bases, word, key=lambda x: x[0]) - 1][1]

    def bit(self, number: int, option: Option) -> tuple[int, int]:
        """The part and bit of an option of a decision."""
        index, value = option
        part = self.layout(number).parts[index]
        return index, part.size if value == NONE else value - part.lo

    def options(self, number: int, data: bytes) -> tuple[Option, ...]:
        """The options whose bits are set in the words of a menu, in order."""
        found: list[Option] = []
        for index, part in enumerate(self.layout(number).parts):
            bits = int.from_bytes(data[8 * part.first : 8 * (part.first + part.words)], "little")
            while bits:
                low = bits & -bits
                bit = low.bit_length() - 1
                bits ^= low
                found.append((index, NONE if bit == part.size else part.lo + bit))
        return tuple(found)

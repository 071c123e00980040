"""Options to bits and to numbers of actions, and back, for the host."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cache, lru_cache

from dsl.domains import NONE
from dsl.frozen import dataclass
from interpreter import ir
from interpreter.executor_protocol import PASS, Option
from interpreter.number_ranges import NumberRange, joined
from interpreter.wasm.arguments import OPTIONS, is_pair, not_possible, shown, wrong_kind
from interpreter.wasm.build_config import STEPPER
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.functions import measuring
from interpreter.wasm.lower.option_layouts import layout_of
from interpreter.wasm.option_layout import OptionLayout

MOST_MASKS = 4_096
"""Of how many masks it is kept which options they mean."""


class OptionCodec:
    """Which bit means which option, and which word belongs to which name."""

    def __init__(self, machine: ir.Machine) -> None:
        self.machine = machine
        self.measure = measuring(ModuleBuilder(machine, STEPPER))
        self.bases = sorted((w.base, w.name) for w in machine.stores.values() if w.size)
        self.layout = cache(self._layout)
        self.options = lru_cache(MOST_MASKS)(self._options)

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

    def _options(self, number: int, data: bytes) -> tuple[Option, ...]:
        """The options whose bits are set in the words of a mask, in order."""
        options: list[Option] = []
        for index, part in enumerate(self.layout(number).parts):
            if part.ranges:
                if data[8 * part.first]:
                    options.append((index, NONE))
                continue
            bits = int.from_bytes(data[8 * part.first : 8 * (part.first + part.words)], "little")
            while bits:
                low = bits & -bits
                bit = low.bit_length() - 1
                bits ^= low
                options.append((index, NONE if bit == part.size else part.lo + bit))
        return tuple(options)

    def ranges(self, number: int, data: bytes) -> tuple[NumberRange, ...]:
        """The ranges of numbers in the words of a mask."""
        ranges: list[tuple[int, int, int, int]] = []
        for index, part in enumerate(self.layout(number).parts):
            if part.ranges:
                words = array("i", data[8 * part.first : 8 * (part.first + part.words)])
                ranges += ((index, *words[at : at + 3]) for at in range(2, 2 + 4 * words[1], 4))  # type: ignore[misc]
        return joined(ranges) if ranges else ()


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of a decision's options: part after part, and passing behind them."""

    node: int
    starts: tuple[int, ...]
    sizes: tuple[int, ...]
    lows: tuple[int, ...]
    values: tuple[int, ...]
    """How many numbers of each part stand for values; the one behind them is doing it without."""
    passing: int | None
    total: int

    def option(self, action: int) -> Option:
        """The option of a number; raises `ValueError` if the decision has no such number."""
        if action == self.passing:
            return PASS
        for part, (start, size) in enumerate(zip(self.starts, self.sizes, strict=True)):
            if start <= action < start + size:
                bit = action - start
                return part, NONE if bit == self.values[part] else self.lows[part] + bit
        what = f"the decision at node {self.node} has actions 0 to {self.total - 1}, not {action}"
        raise not_possible(what, "`masks` has what is offered")

    def action(self, option: Option) -> int:
        """The number of an option; raises `ValueError` if the decision has no such option."""
        if not is_pair(option):
            raise wrong_kind(f"{shown(option)} is not an option", OPTIONS)
        part, value = option
        if option == PASS and self.passing is not None:
            return self.passing
        if 0 <= part < len(self.starts):
            inside = 0 <= value - self.lows[part] < self.values[part]
            bit = value - self.lows[part] if inside else self.values[part]
            if (inside or value == NONE) and bit < self.sizes[part]:
                return self.starts[part] + bit
        raise not_possible(f"the decision at node {self.node} has no option {option}", OPTIONS)


def numbering(mc: ir.Machine, layout: OptionLayout) -> Numbering:
    """The numbers of options. A part that is never done without a value has no number for that."""
    node = mc.nodes[layout.node]
    starts, sizes, total = [], [], 0
    for part in layout.parts:
        plain = any(w.choice is None or w.needs for w in part.entries)
        starts.append(total)
        sizes.append(part.size + plain)
        total += sizes[-1]
    passing = total if getattr(node, "passing", None) is not None else None
    return Numbering(
        layout.node,
        tuple(starts),
        tuple(sizes),
        tuple(p.lo for p in layout.parts),
        tuple(p.size for p in layout.parts),
        passing,
        total + (passing is not None),
    )


def row_bytes(most: int) -> int:
    """Bytes of a mask's row: the last store of eight may begin at the last number."""
    return (most + 7 + 7) // 8 * 8

"""What a search thinks of a number from ranges: a part is searched, then a part of the best one.

The tree has a choice for each of 32 parts of the numbers. To a person a part is the number in it that is most
likely to be meant: an end, a quarter or a power of two of the range, or else the least.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from interpreter import ir
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Choice, Game
from interpreter.ir.number_parts import width_of
from interpreter.number_ranges import NumberRange


@dataclass(frozen=True, slots=True)
class NumbersInParts:
    """The numbers of a decision, and the parts in which they are chosen (`ir.number_parts`)."""

    game: Game
    waiting: Waiting

    def ranges(self, part: int) -> list[NumberRange]:
        """The ranges of a thing to do; none if its values are listed."""
        return [one for one in self.waiting.ranges if one.part == part]

    def choice(self, option: Option, within: Sequence[int] = ()) -> Choice:
        """The choice that stands for a part, or for a part within the one of a number."""
        part, place = option
        first, last = self._part(part, place, within)
        ranges = self.ranges(part)
        likely = [n for one in ranges for n in one.few() if first <= n <= last]
        number = min(likely, default=None)
        if number is None:
            starts = (max(one.first, first + (one.first - first) % one.step) for one in ranges)
            number = min(n for n, one in zip(starts, ranges, strict=True) if n <= last and one.has(n))
        return self._choice((part, number))

    def label(self, option: Option) -> str:
        """The label of a choice."""
        return self._choice(option).label

    def place(self, option: Option) -> int:
        """The part of the first level in which a number is."""
        first, last = self._part(option[0], 0, ())
        return (option[1] - first) // (last - first + 1)

    def _part(self, part: int, place: int, within: Sequence[int]) -> tuple[int, int]:
        ranges = self.ranges(part)
        least = min(one.first for one in ranges)
        spread = max(one.last for one in ranges) - least
        first, width = least, width_of(spread, 1)
        for level, outer in enumerate(within, 2):
            first, width = first + outer * width, width_of(spread, level)
        return first + place * width, first + (place + 1) * width - 1

    def _choice(self, option: Option) -> Choice:
        names, node = self.game.names, self.game.machine.decision(self.waiting.node)
        words = names.choice(node, option, self.waiting.what)
        return Choice(option, words, " ".join(map(names.label, words)))

    def entered(
        self, worlds: Sequence[array[int]], option: Option
    ) -> tuple[Waiting, list[array[int]]] | None:
        """The decision about a part of a part, and the worlds there; none if a part is one number."""
        found = [self._inside(world, option) for world in worlds]
        inside = [one for one in found if one is not None]
        if not inside or len(inside) < len(found):
            return None
        return inside[0][0], [state for _, state in inside]

    def _inside(self, world: array[int], option: Option) -> tuple[Waiting, array[int]] | None:
        game, state, seat = self.game.in_parts, world[:], self.waiting.seat
        asked = next(w for w in game.executor.waiting(state) if w.seat == seat)
        game.executor.choose(state, asked, option)
        inside = next((w for w in game.executor.waiting(state) if w.seat == seat), None)
        if inside is None or inside.node == self.waiting.node:
            return None
        node = game.machine.nodes[inside.node]
        return (inside, state) if isinstance(node, ir.Decide) and node.parts else None

    def places(self, option: Option) -> Iterator[int]:
        """The parts by which a number is chosen, from the first level on."""
        ranges = self.ranges(option[0])
        least = min(one.first for one in ranges)
        spread, left = max(one.last for one in ranges) - least, option[1] - least
        for level in count(1):
            width = width_of(spread, level)
            yield left // width
            left %= width
            if width == 1:
                return

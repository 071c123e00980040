"""The layout of options: which bits stand for which options.

The layout of a decision has a part for each thing to do (a plain choice has one part). A part has a bit for
each value of an interval, and behind them one for doing it without a value. Where the values are numbers that
are too many for that, a part has ranges instead: a word whose lower half says whether it is done without a
value, and whose upper half is the number of ranges, then two words for each: first and last, step and 0.
"""

from __future__ import annotations

from dsl.frozen import dataclass


@dataclass(frozen=True, slots=True)
class RoutineEntry:
    """A routine that may be done with so many arguments given: the needs before its first choice."""

    routine: int
    given: int
    needs: tuple[int, ...]
    choice: int | None
    """The decision about its first parameter, or none."""
    begin: int
    """The node behind the needs."""


@dataclass(frozen=True, slots=True)
class OptionPart:
    """One thing to do: values `lo` and up have bits 0 and up; bit `size` is for no value."""

    node: int
    index: int
    """Which of the things to do at the node it is; 0 for a plain choice."""
    lo: int
    size: int
    first: int
    """The first of its 64-bit words in the mask."""
    entries: tuple[RoutineEntry, ...]
    ranges: int = 0
    """The most ranges that it has instead of bits."""

    @property
    def words(self) -> int:
        return 1 + 2 * self.ranges if self.ranges else (self.size + 64) // 64

    @property
    def small(self) -> bool:
        return self.size < 64


@dataclass(frozen=True, slots=True)
class OptionLayout:
    node: int
    parts: tuple[OptionPart, ...]

    @property
    def words(self) -> int:
        return sum(p.words for p in self.parts)


@dataclass(frozen=True, slots=True)
class Pair:
    """The two parameters of a routine: their decisions, the needs between them, and what they can be."""

    entry: RoutineEntry
    first: int
    needs: tuple[int, ...]
    second: int
    spans: tuple[tuple[int, int], tuple[int, int]]

    @property
    def width(self) -> int:
        """How many values the second can have."""
        return self.spans[1][1] - self.spans[1][0] + 1

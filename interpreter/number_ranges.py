"""Numbers that a seat may choose from: ranges, which are never listed, and a few that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from dsl.frozen import dataclass

FEW: Final = 16
"""The numbers of a range that are all looked at by whoever looks at a few only."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The numbers from `first` to `last` in steps of `step`, for the thing to do with the index `part`.

    `last` is one of them.
    """

    part: int
    first: int
    last: int
    step: int

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return (self.last - self.first) // self.step + 1

    def has(self, number: int) -> bool:
        """Whether a number is one of them."""
        return self.first <= number <= self.last and not (number - self.first) % self.step

    def few(self) -> list[int]:
        """A few of the numbers, ascending: the ends, the quarters, and those at 1, 2, 4, 8 … steps."""
        last = self.size - 1
        if last < FEW:
            return [self.first + i * self.step for i in range(last + 1)]
        doubled = (1 << i for i in range(last.bit_length()))
        places = {0, *doubled, last // 4, last // 2, last - last // 4, last}
        return [self.first + i * self.step for i in sorted(places) if i <= last]


def joined(ranges: Iterable[tuple[int, int, int, int]]) -> tuple[NumberRange, ...]:
    """Ranges in order, without empty ones, those within others, and breaks between those that go on.

    Each is a part, a first number, a last one that need not be reached, and a step.
    """
    found: list[NumberRange] = []
    for part, first, last, step in sorted(ranges, key=lambda one: (one[0], one[1], -one[2])):
        if last < first:
            continue
        last -= (last - first) % step
        one = NumberRange(part, first, last, step if last > first else 1)
        if any(other.part == part and _is_within(one, other) for other in found):
            continue
        if found and found[-1].part == part and (longer := _longer(found[-1], one)) is not None:
            found[-1] = longer
        else:
            found.append(one)
    return tuple(found)


def _is_within(one: NumberRange, other: NumberRange) -> bool:
    return other.has(one.first) and other.has(one.last) and (one.size == 1 or not one.step % other.step)


def _longer(one: NumberRange, other: NumberRange) -> NumberRange | None:
    """Both as one range, if the second goes on where the first ends or before."""
    step = one.step if one.size > 1 else other.step
    fits = step == other.step or other.size == 1
    if fits and not (other.first - one.first) % step and other.first <= one.last + step:
        return NumberRange(one.part, one.first, max(one.last, other.last), step)
    return None


def few_options(ranges: Iterable[NumberRange]) -> Iterator[tuple[int, int]]:
    """Options that stand for ranges: the part and the number of each."""
    for one in ranges:
        yield from ((one.part, number) for number in one.few())


def spoken(ranges: Iterable[NumberRange]) -> str:
    """Ranges in words: `from 40 to 900 in steps of 20, or 950`."""
    return ", or ".join(
        f"{one.first}"
        if one.size == 1
        else f"from {one.first} to {one.last}{f' in steps of {one.step}' if one.step > 1 else ''}"
        for one in ranges
    )

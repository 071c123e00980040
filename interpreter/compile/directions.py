"""Tables of the places in each direction from each place of a board."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from dsl.domains import NONE

Steps = tuple[tuple[int, ...], ...]
"""For each place of a board the next place in each direction, or none."""


def onward(steps: Steps, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """For each place, direction and number of steps the place that is so far away, or none; flattened."""
    found: list[int] = []
    for place, direction in product(range(len(steps)), range(len(steps[0]))):
        line = (place, *_line(steps, place, direction))
        found.extend(line[n] if n < len(line) else NONE for n in numbers)
    return tuple(found)


@lru_cache(maxsize=16)
def rays(steps: Steps) -> tuple[tuple[int, ...], ...]:
    """For each place and direction all places in that direction, the nearest first."""
    return tuple(_line(steps, p, d) for p, d in product(range(len(steps)), range(len(steps[0]))))


def _line(steps: Steps, place: int, direction: int) -> tuple[int, ...]:
    found = []
    while (place := steps[place][direction]) != NONE:
        found.append(place)
    return tuple(found)

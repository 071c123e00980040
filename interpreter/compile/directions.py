"""Tables of what lies in each direction from each place of a board."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from dsl.domains import NONE

Ways = tuple[tuple[int, ...], ...]
"""For each place of a board, the next place in each direction, or none."""


def onward(ways: Ways, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """For each place and direction, the places that are so many steps away, or none."""
    found: list[int] = []
    for place, direction in product(range(len(ways)), range(len(ways[0]))):
        line = (place, *_line(ways, place, direction))
        found.extend(line[n] if n < len(line) else NONE for n in numbers)
    return tuple(found)


@lru_cache(maxsize=16)
def rays(ways: Ways) -> tuple[tuple[int, ...], ...]:
    """For each place and direction, all places that way, the nearest first."""
    return tuple(_line(ways, p, d) for p, d in product(range(len(ways)), range(len(ways[0]))))


def _line(ways: Ways, place: int, direction: int) -> tuple[int, ...]:
    found = []
    while (place := ways[place][direction]) != NONE:
        found.append(place)
    return tuple(found)

"""What pairs of matches say about two sets of rules: each measure with its interval and its verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from validators.experiments.statistics import ALPHA, Evidence, Interval, SequentialVerdict, sprt
from validators.experiments.tallies import PairTally

Unit = Literal["share", "decisions", "points"]
SPREAD = 0.1
"""The margin of lengths and totals, in standard deviations of what they were."""
FIRST_LOOK, GROWTH = 256, 1.25
"""When a sequential test looks for the first time, and how much more has been seen at each look after it."""


@dataclass(frozen=True)
class Measure:
    """Something that is measured on both sides, and how its difference is judged.

    `difference` holds at whatever look the test stopped. `margin` is the difference that would matter; a
    measure that is only `told` is not tested. `verdict` is of the new side.
    """

    name: str
    unit: Unit
    old: Evidence
    new: Evidence
    seen: Evidence
    difference: Interval
    margin: float
    verdict: SequentialVerdict
    told: bool = False


def looks(most: int) -> Iterator[int]:
    """After how many pairs the tests look, up to the most; they do not depend on what runs the pairs."""
    seen = min(FIRST_LOOK, most)
    while seen < most:
        yield seen
        seen = min(most, max(seen + FIRST_LOOK, math.ceil(seen * GROWTH)))
    yield most


def measures(tally: PairTally, seats: Sequence[str], margin: float, alpha: float = ALPHA) -> list[Measure]:
    """The shares of the win by seat and the length, each tested at its part of the level; then the totals."""
    size = len(seats)
    level = alpha / (size + 1)
    found = []
    for seat, name in enumerate(seats):
        one = [float(i == seat) for i in range(size)]
        none = [0.0] * size
        old, new = tally.share(one, none), tally.share(none, one)
        seen = tally.share([-x for x in one], one)
        found.append(_judged(f"share of {name}", "share", (old, new, seen), margin, level))
    found.append(_contrast(tally, "length", "decisions", 0, 1, level))
    for seat, name in enumerate(seats):
        measure = _contrast(tally, f"total of {name}", "points", 2 + seat, 2 + size + seat, level, told=True)
        if measure.old.variance or measure.new.variance:
            found.append(measure)
    return found


def _contrast(
    tally: PairTally, name: str, unit: Unit, before: int, after: int, level: float, told: bool = False
) -> Measure:
    width = len(tally.measures.sums)
    was = [float(i == before) for i in range(width)]
    now = [float(i == after) for i in range(width)]
    change = [b - a for a, b in zip(was, now, strict=True)]
    old, new, seen = (tally.measures.contrast(weights) for weights in (was, now, change))
    margin = SPREAD * math.sqrt(old.variance) if old.n and old.variance else 1.0
    return _judged(name, unit, (old, new, seen), margin, level, told)


def _judged(
    name: str,
    unit: Unit,
    evidence: tuple[Evidence, Evidence, Evidence],
    margin: float,
    level: float,
    told: bool = False,
) -> Measure:
    old, new, seen = evidence
    verdict = sprt(seen, margin, level) if not told else SequentialVerdict.UNDECIDED
    difference = seen.anytime(level)
    if unit == "share":
        difference = difference.within(-1.0, 1.0)
    return Measure(name, unit, old, new, seen, difference, margin, verdict, told)


def decided(found: Sequence[Measure]) -> bool:
    """Whether every test has an answer."""
    return all(m.told or m.verdict is not SequentialVerdict.UNDECIDED for m in found)


def differing(found: Sequence[Measure]) -> list[Measure]:
    """The measures that differ."""
    return [m for m in found if m.verdict in (SequentialVerdict.LOWER, SequentialVerdict.HIGHER)]

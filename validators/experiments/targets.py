"""Targets: a measure of matches, and the range in which it should lie."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from validators.experiments.statistics import Evidence
from validators.experiments.tallies import MatchTally, Moments, unit

NUMBER = r"-?\d+(?:\.\d+)?"
FORM = re.compile(rf"\s*(?:(share|total) of (\S+)|(length))\s+in\s+({NUMBER})\.\.({NUMBER})\s*")
PERCENT = 100


class NotATarget(ValueError):
    """A text that is not a target; it says why."""


Measured = Literal["share", "total", "length"]
MEASURES: dict[str, Measured] = {"share": "share", "total": "total", "length": "length"}


@dataclass(frozen=True)
class Target:
    """A measure, the seat that it is of, and its range: shares as parts of one, decisions, points."""

    measure: Measured
    seat: int
    low: float
    high: float

    def reached(self, value: float) -> bool:
        return self.low <= value <= self.high

    def distance(self, value: float) -> float:
        """How far a value is from the range."""
        return max(self.low - value, value - self.high, 0.0)

    def evidence(self, tally: MatchTally) -> Evidence:
        """What matches say of the measure."""
        match self.measure:
            case "share":
                return tally.shares[self.seat].evidence(unit(len(tally.shares)))
            case "total":
                return _of_counts(tally.scores[self.seat]).evidence()
            case "length":
                return _of_counts(tally.lengths).evidence()

    @property
    def resolution(self) -> float:
        """What one of the measure's own units is, for people: a percent, a decision, a point."""
        return 1 / PERCENT if self.measure == "share" else 1.0


def _of_counts(counts: object) -> Moments:
    assert isinstance(counts, dict)
    return Moments(
        sum(counts.values()),
        sum(value * times for value, times in counts.items()),
        sum(value * value * times for value, times in counts.items()),
    )


def read_target(text: str, seats: Sequence[str]) -> Target:
    """`share of B in 48..52`, `total of A in 30..40`, `length in 20..30`. Raises `NotATarget`."""
    found = FORM.fullmatch(text)
    if found is None:
        raise NotATarget("is not of a known form")
    kind, name, length, low, high = found.groups()
    if name is not None and name not in seats:
        raise NotATarget(f"names the seat {name}; there are {', '.join(seats)}")
    least, most = float(low), float(high)
    if least >= most:
        raise NotATarget("has a range that is empty")
    scale = PERCENT if kind == "share" else 1
    if kind == "share" and not 0 <= least < most <= PERCENT:
        raise NotATarget("asks for a share that is not in 0..100 percent")
    seat = seats.index(name) if name is not None else 0
    measure = MEASURES[length or kind]
    return Target(measure, seat, least / scale, most / scale)

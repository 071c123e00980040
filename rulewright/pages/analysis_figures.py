"""Figures of an analysis as values, and the words for their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.wording import counted
from rulewright.experiments.analysis import Analysed
from rulewright.experiments.charts import Curve, Histogram, IntervalChart
from validators.experiments.course import MILLE
from validators.experiments.findings import Effect, Kind
from validators.experiments.players import UNIFORM
from validators.experiments.statistics import Interval
from validators.experiments.tallies import Moments

PERCENT = 100
SMALL = 10
"""Parts that are less than so many percent are told with a digit behind the point."""
ONE = {"matches": "match", "pairs": "pair"}
FEW = 5
"""The fewest matches of which it is told when they are decided."""


@dataclass(frozen=True)
class Figure:
    """A picture with a heading, how to read it, and what it rests on."""

    title: str
    says: str
    basis: str
    rows: IntervalChart | None = None
    bars: tuple[Histogram, ...] = ()
    line: Curve | None = None
    across: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class PageSection:
    """Figures about one thing."""

    id: str
    title: str
    figures: tuple[Figure, ...]


# ---- words for numbers


def bounded(interval: Interval) -> Interval:
    """The interval of a part of a whole, which is from nothing to all."""
    return interval.within(0.0, 1.0)


def part_of_one(moments: Moments) -> Interval:
    """The mean of parts of a whole in thousandths, as a part of one; few equal ones are no certainty."""
    return bounded(moments.evidence(MILLE).regularized.interval())


def percent(interval: Interval, digits: int = 1, plus: bool = False) -> str:
    """An interval of parts of one in percent: `51.3 % (45.7 to 56.9)`; with `plus` as a change."""
    sign = "+" if plus else ""
    form, scaled = f"{sign}z.{digits}f", interval.scaled(PERCENT)
    return f"{scaled.estimate:{form}} % ({scaled.low:{form}} to {scaled.high:{form}})"


def part(interval: Interval) -> str:
    """An interval of parts of one in whole percent; of small parts with a digit more."""
    return percent(interval, 1 if PERCENT * interval.high < SMALL else 0)


def plain(interval: Interval, digits: int = 1, plus: bool = False) -> str:
    """An interval of numbers without a unit: `62.6 (61.9 to 63.3)`; with `plus` as a change."""
    sign = "+" if plus else ""
    form = f"{sign}z.{digits}f"
    return f"{interval.estimate:{form}} ({interval.low:{form}} to {interval.high:{form}})"


def of(number: int, what: str) -> str:
    """`1 match`, `2 matches`, `3 pairs for each row`."""
    noun, blank, rest = what.partition(" ")
    return f"{counted(number, ONE[noun])}{blank}{rest}"


def rests_on(found: Analysed, number: int, bots: Sequence[str], what: str = "matches") -> str:
    """What a figure rests on: how many matches, their seeds, the bots."""
    first = found.plan.first
    names = ", ".join(dict.fromkeys(bots))
    return f"{of(number, what)}, seeds from {first} on, {names}; 95 % intervals"


def p_text(effect: Effect) -> str:
    """The p-value of an effect."""
    return "p < 0.001" if effect.p < 0.001 else "p = 1" if effect.p > 0.9995 else f"p = {effect.p:.3f}"


def evidence(effect: Effect, plainly_played: bool = False) -> str:
    """What a finding rests on: its interval, its p-value, how many matches or pairs, and of which bots.

    The sentence says in which direction the change goes, so the interval is one of its size.
    """
    shares = effect.measure.startswith("share")
    found = effect.interval.scaled(PERCENT if shares else 1)
    low, high = (-found.high, -found.low) if found.estimate < 0 else (found.low, found.high)
    unit = " percentage points" if shares else ""
    number = of(effect.n, "matches" if effect.kind is Kind.SEAT else "pairs")
    bots = f" between {UNIFORM} bots" if plainly_played else ""
    return f"95 % interval {low:z.1f} to {high:z.1f}{unit}, {p_text(effect)}, {number}{bots}"


def flag(effect: Effect) -> str:
    """How an effect is marked: `up`, `down`, or not at all if it does not stand out."""
    if not effect.flagged:
        return ""
    return "up" if effect.interval.estimate > 0 else "down"

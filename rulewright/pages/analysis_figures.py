"""Figures of an analysis as values, and the words for their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.experiments.analysis import Analysed
from rulewright.experiments.charts import Curve, Histogram, IntervalChart
from validators.experiments.course import MILLE
from validators.experiments.findings import Effect
from validators.experiments.statistics import Interval
from validators.experiments.tallies import Moments

PERCENT = 100
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


def plain(interval: Interval, digits: int = 1, plus: bool = False) -> str:
    """An interval of numbers without a unit: `62.6 (61.9 to 63.3)`; with `plus` as a change."""
    sign = "+" if plus else ""
    form = f"{sign}z.{digits}f"
    return f"{interval.estimate:{form}} ({interval.low:{form}} to {interval.high:{form}})"


def of(number: int, what: str) -> str:
    """`1 match`, `2 matches`, `3 pairs for each row`."""
    if number == 1:
        what = what.replace("matches", "match", 1).replace("pairs", "pair", 1)
    return f"{number} {what}"


def rests_on(found: Analysed, number: int, bots: Sequence[str], what: str = "matches") -> str:
    """What a figure rests on: how many matches, their seeds, the bots."""
    first = found.plan.first
    names = ", ".join(dict.fromkeys(bots))
    return f"{of(number, what)}, seeds from {first} on, {names}; 95 % intervals"


def p_text(effect: Effect) -> str:
    """The p-value of an effect."""
    return "p < 0.001" if effect.p < 0.001 else "p = 1" if effect.p > 0.9995 else f"p = {effect.p:.3f}"


def flag(effect: Effect) -> str:
    """How an effect is marked: `up`, `down`, or not at all if it does not stand out."""
    if not effect.flagged:
        return ""
    return "up" if effect.interval.estimate > 0 else "down"

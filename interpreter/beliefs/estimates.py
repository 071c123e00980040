"""Chances with their intervals, and the statement of how exact a set of worlds is."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal, assert_never

from dsl.wording import plural

NORMAL_95 = 1.959964
"""The quantile of the normal distribution for two-sided intervals of 95 %."""
FEW = 30
"""With a smaller effective size a sample is called approximate."""

Kind = Literal["exact", "sample", "approximate"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A chance, and the interval in which it lies with 95 %; an exact one has both ends at the chance."""

    chance: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.low == self.high:
            return f"{self.chance:.1%}"
        return f"{self.chance:.1%} ({self.low:.1%} to {self.high:.1%})"


@dataclass(frozen=True, slots=True)
class Exactness:
    """How exact some worlds are.

    `exact`: they are all that fit, with their weights. `sample`: they are drawn, and worth
    `effective` independent ones. `approximate`: they are worth less than that can be said of; `why` tells.
    Everything holds for the `model` of how others choose. `within`: there would be more, but not so many
    steps allow; 0 if there are as many as were asked for.
    """

    kind: Kind
    worlds: int
    effective: float
    model: str
    why: str = ""
    within: int = 0

    def __str__(self) -> str:
        steps = plural(self.within, "step")
        few = f", as many as {steps} allow" if self.within else ""
        worlds = plural(self.worlds, "world")
        match self.kind:
            case "exact":
                fit = "the only world that fits" if self.worlds == 1 else f"all {worlds} that fit"
                return f"exact: {fit}; {self.model}"
            case "sample":
                size = f"effective size {self.effective:.0f}"
                return f"sample: {worlds} that fit{few}, {size}; {self.model}"
            case "approximate":
                return f"approximate: {worlds} that fit{few}, but {self.why}; {self.model}"
        assert_never(self.kind)


def wilson(chance: float, number: float) -> Estimate:
    """A chance estimated from so many independent draws (Wilson 1927)."""
    number, square = max(number, 1.0), NORMAL_95**2
    centre = (chance + square / (2 * number)) / (1 + square / number)
    half = NORMAL_95 * sqrt(chance * (1 - chance) / number + square / (4 * number**2)) / (1 + square / number)
    return Estimate(chance, max(0.0, min(chance, centre - half)), min(1.0, max(chance, centre + half)))

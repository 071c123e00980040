"""Intervals, tests and sequential tests, by their names in textbooks. Plain numbers in, plain numbers out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

NORMAL = NormalDist()
ALPHA = 0.05
"""The chance of a false alarm that tests allow, and what 95 % intervals leave out."""
BETA = 0.05
"""The chance that a difference as large as the margin is missed."""
ELO = 400 / math.log(10)
"""Elo per unit of log odds."""
NORMALIZED_ELO = 800 / math.log(10)
"""Normalised Elo per unit of the mean over the standard deviation of one match."""
PRIOR = 1.0
"""The squared deviation that is added to what was seen, so that a variance is never nothing."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate between two bounds."""

    estimate: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high

    def scaled(self, factor: float) -> Interval:
        """In another unit; `factor` is positive."""
        return Interval(self.estimate * factor, self.low * factor, self.high * factor)

    def within(self, low: float, high: float) -> Interval:
        """No wider than what it can be at all; the estimate is as it was seen."""
        return Interval(self.estimate, max(low, self.low), min(high, self.high))


# ---- intervals for a number of observations that was fixed before


def quantile(alpha: float = ALPHA) -> float:
    """How many standard errors a two-sided interval reaches to each side."""
    return NORMAL.inv_cdf(1 - alpha / 2)


def wilson(successes: float, trials: int, alpha: float = ALPHA) -> Interval:
    """The score interval of a proportion. Source: Wilson (1927). Shared wins may count as parts."""
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    z, p = quantile(alpha), successes / trials
    centre = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    return Interval(p, max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half)))


def normal_interval(mean: float, error: float, alpha: float = ALPHA) -> Interval:
    """The interval of an estimate by its standard error."""
    half = quantile(alpha) * error
    return Interval(mean, mean - half, mean + half)


def shares_apart(first: tuple[int, int], second: tuple[int, int], alpha: float = ALPHA) -> Interval:
    """How much larger the second share is, each as successes of trials. Source: Newcombe (1998)."""
    old, new = wilson(*first, alpha), wilson(*second, alpha)
    low = math.hypot(new.estimate - new.low, old.high - old.estimate)
    high = math.hypot(new.high - new.estimate, old.estimate - old.low)
    apart = new.estimate - old.estimate
    return Interval(apart, apart - low, apart + high)


def correlation_interval(r: float, n: int, alpha: float = ALPHA) -> Interval:
    """The interval of a correlation by Fisher's transformation. Source: Fisher (1921).

    A perfect one is taken for one that is as far from it as one observation of all: few are no certainty.
    """
    if n <= 3:
        return Interval(r, -1.0, 1.0)
    most = 1 - 1 / n
    centre, half = math.atanh(max(-most, min(most, r))), quantile(alpha) / math.sqrt(n - 3)
    return Interval(r, min(r, math.tanh(centre - half)), max(r, math.tanh(centre + half)))


def median_interval(histogram: Mapping[int, int], alpha: float = ALPHA) -> Interval:
    """The median of counted values, and its interval by the ranks between which it lies (binomial)."""
    n = sum(histogram.values())
    half = quantile(alpha) * math.sqrt(n) / 2
    ranks = (n / 2, max(0.0, n / 2 - half), min(float(n), n / 2 + half))
    middle, low, high = (quantile_of(histogram, rank / max(1, n)) for rank in ranks)
    return Interval(middle, low, high)


def quantile_of(histogram: Mapping[int, int], part: float) -> float:
    """The least counted value below or at which this part of all lies; not a number for no values."""
    wanted, seen = part * sum(histogram.values()), 0
    for value in sorted(histogram):
        seen += histogram[value]
        if seen >= wanted:
            return float(value)
    return math.nan


# ---- tests


def p_value(mean: float, error: float) -> float:
    """The two-sided p-value of an estimate if the truth is nothing."""
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return 2 * NORMAL.cdf(-abs(mean) / error)


def fisher_exact(first: tuple[int, int], second: tuple[int, int]) -> float:
    """The two-sided p-value of two shares, successes of trials, if they are one. Source: Fisher (1922)."""
    (a, n), (b, m) = first, second
    weights = {
        k: math.comb(n, k) * math.comb(m, a + b - k) for k in range(max(0, a + b - m), min(n, a + b) + 1)
    }
    return sum(weight for weight in weights.values() if weight <= weights[a]) / math.comb(n + m, a + b)


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p-value of two samples, if neither tends to be larger, by the normal approximation.

    Ties share their rank, and are corrected for. Source: Mann, Whitney (1947).
    """
    n, m = len(first), len(second)
    tied = Counter((*first, *second))
    ranks, below = {}, 0
    for value in sorted(tied):
        ranks[value] = below + (tied[value] + 1) / 2
        below += tied[value]
    if n == 0 or m == 0 or len(tied) == 1:
        return 1.0
    above = sum(ranks[value] for value in first) - n * (n + 1) / 2 - n * m / 2
    ties = sum(t**3 - t for t in tied.values()) / ((n + m) * (n + m - 1))
    error = math.sqrt(n * m / 12 * (n + m + 1 - ties))
    return min(1.0, p_value(max(0.0, abs(above) - 0.5), error))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for being many. Source: Holm (1979)."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, largest = [1.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = largest
    return corrected


def variance(squares: float, mean: float, n: int) -> float:
    """The variance of one observation, with the prior, from the sum of squares."""
    return max(0.0, squares - n * mean * mean) / max(1, n)


# ---- sequential tests


class SequentialVerdict(StrEnum):
    """What a sequential test says."""

    UNDECIDED = "undecided"
    LOWER = "lower"
    SAME = "same"
    HIGHER = "higher"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Observations so far: how many, their mean, and the variance of one."""

    n: int
    mean: float
    variance: float

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(self.variance / self.n) if self.n else math.inf

    @property
    def regular(self) -> float:
        """The variance with the prior: for observations of size one, as if one more had been off by one."""
        return (self.variance * self.n + PRIOR) / (self.n + 1)

    @property
    def regularized(self) -> Evidence:
        """The same with the regular variance: few equal observations are no certainty."""
        return Evidence(self.n, self.mean, self.regular)

    def interval(self, alpha: float = ALPHA) -> Interval:
        """For a number of observations that was fixed before."""
        return normal_interval(self.mean, self.error, alpha)

    def anytime(self, alpha: float = ALPHA, planned: int = 500) -> Interval:
        """An interval that holds at all times at once, so also when a sequential test stops.

        Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory and
        asymptotic confidence sequences" (2021), equation 4; narrowest near the planned number.
        """
        if not self.n:
            return Interval(math.nan, -math.inf, math.inf)
        log = -2 * math.log(alpha)
        rho2 = (log + math.log(log + 1)) / planned
        inner = self.n * rho2 + 1
        half = math.sqrt(self.regular * 2 * inner / (self.n**2 * rho2) * math.log(math.sqrt(inner) / alpha))
        return Interval(self.mean, self.mean - half, self.mean + half)


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The log likelihood ratios at which a test accepts its first and its second hypothesis.

    Source: Wald, "Sequential Tests of Statistical Hypotheses" (1945).
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def log_likelihood_ratio(seen: Evidence, first: float, second: float) -> float:
    """How much more the observations speak for the second mean than for the first.

    The generalised ratio for a distribution of any form, to first order, as in Fishtest. Source: Van den
    Bergh, "A Practical Introduction to the GSPRT" (2020).
    """
    return seen.n * (second - first) * (2 * seen.mean - first - second) / (2 * seen.regular)


def sprt(
    seen: Evidence, margin: float, alpha: float = ALPHA, beta: float = BETA, fewest: int = 64
) -> SequentialVerdict:
    """A two-sided test of no difference against one of the margin: two one-sided ones of half the level."""
    if seen.n < fewest:
        return SequentialVerdict.UNDECIDED
    accept, reject = wald_bounds(alpha / 2, beta)
    up, down = (log_likelihood_ratio(seen, 0.0, side) for side in (margin, -margin))
    if max(up, down) >= reject:
        return SequentialVerdict.HIGHER if up > down else SequentialVerdict.LOWER
    return SequentialVerdict.SAME if max(up, down) <= accept else SequentialVerdict.UNDECIDED


def normalized_margin(elo: float, seen: Evidence, matches: int = 2) -> float:
    """The margin of an observation's mean that so many normalised Elo mean.

    An observation is the mean result of so many matches. Source: Van den Bergh, "Normalized Elo" (2020).
    """
    return elo / NORMALIZED_ELO * math.sqrt(matches * seen.regular)


def normalized_elo(seen: Evidence, matches: int = 2) -> Interval:
    """The normalised Elo of results whose deviations from even are given."""
    scale = math.sqrt(matches * seen.regular)
    return seen.anytime().scaled(NORMALIZED_ELO / scale)


def elo(share: float) -> float:
    """The Elo difference at which the expected share of the points is this; bounded at four figures."""
    inside = min(max(share, 1e-6), 1 - 1e-6)
    return ELO * math.log(inside / (1 - inside))


# ---- ratings


@dataclass(frozen=True, slots=True)
class Rating:
    """The rating of a player, and the standard error of its difference from the mean of all."""

    elo: float
    error: float


def bradley_terry(results: Mapping[tuple[int, int], Evidence], players: int) -> list[Rating]:
    """Ratings that make the mean shares of all pairings likeliest, with their mean at nothing.

    `results` has, for i < j, the share of the points of i, an observation for each pair of matches. Errors
    are of the sandwich form, so what matches of a pair have in common counts. Source: Bradley, Terry (1952);
    White (1982).
    """
    prior = {pair: _with_a_draw(seen) for pair, seen in results.items()}
    strengths = [0.0] * players
    for _ in range(100):
        gradient, information = _likelihood(prior, strengths)
        step = _solve(information, gradient)
        strengths = [s + max(-1.0, min(1.0, d)) for s, d in zip(strengths, step, strict=True)]
        if max(map(abs, step)) < 1e-12:
            break
    _, information = _likelihood(prior, strengths)
    errors = _sandwich(prior, information)
    return [Rating(ELO * s, ELO * math.sqrt(e)) for s, e in zip(strengths, errors, strict=True)]


def _with_a_draw(seen: Evidence) -> Evidence:
    """The results with one more pair that was even, so that no rating is infinite.

    Players who have not met have that pair alone, with the variance of a coin.
    """
    if not seen.n:
        return Evidence(1, 0.5, 0.25)
    mean = (seen.mean * seen.n + 0.5) / (seen.n + 1)
    return Evidence(seen.n + 1, mean, (seen.variance * seen.n + (seen.mean - 0.5) ** 2) / (seen.n + 1))


def _likelihood(
    results: Mapping[tuple[int, int], Evidence], strengths: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """The gradient and the information of the log likelihood; a constant fixes the mean of all."""
    size = len(strengths)
    gradient = [-sum(strengths)] * size
    information = [[1.0] * size for _ in range(size)]
    for (i, j), seen in results.items():
        expected = 1 / (1 + math.exp(strengths[j] - strengths[i]))
        gradient[i] += seen.n * (seen.mean - expected)
        gradient[j] -= seen.n * (seen.mean - expected)
        weight = seen.n * expected * (1 - expected)
        for x, y, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            information[x][y] += sign * weight
    return gradient, information


def _sandwich(
    results: Mapping[tuple[int, int], Evidence], information: Sequence[Sequence[float]]
) -> list[float]:
    size = len(information)
    units = [[float(i == j) for j in range(size)] for i in range(size)]
    inverse = [_solve(information, unit) for unit in units]
    return [
        sum(seen.n * seen.regular * (inverse[k][i] - inverse[k][j]) ** 2 for (i, j), seen in results.items())
        for k in range(size)
    ]


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """The solution of linear equations by elimination with pivots."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    found = [0.0] * size
    for k in reversed(range(size)):
        found[k] = (rows[k][size] - sum(rows[k][j] * found[j] for j in range(k + 1, size))) / rows[k][k]
    return found

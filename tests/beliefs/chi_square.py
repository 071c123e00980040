"""Whether weighted worlds have their true weights: chi-square over independent filters, and Holm's method.

As the covariance of the filters is estimated, too, the statistic is Hotelling's (1931), whose distribution is
F: chi-square for very many filters.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log, log1p

import numpy as np

from interpreter.beliefs.particles import Island

LEAST = 0.001
"""The smallest probability of such a deviation that is still accepted."""


def deviation(islands: Sequence[Island], posterior: dict[bytes, float]) -> float:
    """The probability that worlds deviate that much from a distribution, or more.

    A filter estimates the chance of what was seen together with each world without bias (Del Moral 2004). So
    the mean of evidence * (share - chance) over independent filters is 0, and its Wald statistic tells how
    far it is from that. A world that cannot be makes the probability 0.
    """
    states = sorted(posterior)
    expected = np.array([posterior[state] for state in states])
    best = max(island.evidence for island in islands)
    column = {state: i for i, state in enumerate(states)}
    rows = np.zeros((len(islands), len(states)))
    for row, island in zip(rows, islands, strict=True):
        for weight, number, course in island.worlds:
            at = column.get(course.state.tobytes())
            if at is None:
                return 0.0
            row[at] += number * weight
    evidence = np.array([exp(island.evidence - best) for island in islands])
    return _wald(evidence[:, None] * (rows - expected))


def _wald(rows: np.ndarray) -> float:
    """The p-value of the hypothesis that independent rows have the mean 0."""
    mean, covariance = rows.mean(axis=0), np.atleast_2d(np.cov(rows.T)) / len(rows)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9 * max(values.max(), 1e-12)
    along = vectors.T @ mean
    if not kept.any() or values.max() < 1e-18:
        return 1.0 if np.allclose(mean, 0.0, atol=1e-9) else 0.0
    if not np.allclose(along[~kept], 0.0, atol=1e-6):
        return 0.0
    return survival(float((along[kept] ** 2 / values[kept]).sum()), int(kept.sum()), len(rows))


def survival(square: float, freedom: int, rows: int) -> float:
    """The chance that Hotelling's statistic of so many rows exceeds a value, if their mean is 0."""
    rest = rows - freedom
    return beta((rows - 1) / (rows - 1 + square), rest / 2, freedom / 2)


def beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Press et al. 2007, 6.4)."""
    if not 0.0 < x < 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta(1.0 - x, b, a)
    scale = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = found
        for term in (even, odd):
            c, d = 1.0 + term / c, 1.0 / (1.0 + term * d)
            found *= c * d
        if abs(found - before) < 1e-14 * abs(found):
            break
    return scale * found


def rejected(probabilities: Sequence[float]) -> int:
    """How many of some hypotheses Holm's method rejects, all together at the level `LEAST`."""
    number = 0
    for i, probability in enumerate(sorted(probabilities)):
        if probability > LEAST / (len(probabilities) - i):
            break
        number += 1
    return number

"""Whether weighted worlds have their true weights: chi-square over independent filters, and Holm's method."""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, gamma, sqrt

import numpy as np

from interpreter.beliefs.particles import Island

LEAST = 0.001
"""The smallest probability of such a deviation that is still accepted."""


def deviation(islands: Sequence[Island], posterior: dict[bytes, float]) -> float:
    """The probability that worlds deviate that much from a distribution, or more.

    A filter estimates the chance of what was seen together with each world without bias (Del Moral 2004). So
    the mean of evidence * (share - chance) over independent filters is 0, and its Wald statistic is
    chi-square distributed. A world that cannot be makes the probability 0.
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
    return survival(float((along[kept] ** 2 / values[kept]).sum()), int(kept.sum()))


def survival(x: float, freedom: int) -> float:
    """The chance that a chi-square variable exceeds x: the regularised incomplete gamma function, upwards."""
    half, a = x / 2, 1.0 if freedom % 2 == 0 else 0.5
    found = exp(-half) if a == 1.0 else erfc(sqrt(half))
    while a < freedom / 2:
        found += half**a * exp(-half) / gamma(a + 1)
        a += 1
    return min(1.0, found)


def rejected(probabilities: Sequence[float]) -> int:
    """How many of some hypotheses Holm's method rejects, all together at the level `LEAST`."""
    number = 0
    for i, probability in enumerate(sorted(probabilities)):
        if probability > LEAST / (len(probabilities) - i):
            break
        number += 1
    return number

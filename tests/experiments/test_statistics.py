"""Intervals and tests against values of textbooks, and their errors in many made-up experiments."""

from __future__ import annotations

import math
import random

import pytest

from validators.experiments.statistics import (
    Evidence,
    SequentialVerdict,
    bradley_terry,
    correlation_interval,
    elo,
    fisher_exact,
    holm,
    mann_whitney,
    median_interval,
    normalized_elo,
    normalized_margin,
    p_value,
    quantile_of,
    shares_apart,
    sprt,
    wald_bounds,
    wilson,
)


def evidence(values: list[float]) -> Evidence:
    mean = sum(values) / len(values)
    return Evidence(len(values), mean, sum((x - mean) ** 2 for x in values) / len(values))


def test_two_shares() -> None:
    """The interval is an example of Newcombe (1998); p-values as in scipy."""
    found = shares_apart((48, 80), (56, 70))
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)
    assert fisher_exact((8, 10), (1, 6)) == pytest.approx(0.034965, abs=1e-6)
    assert fisher_exact((1, 10), (9, 10)) == pytest.approx(0.00109333, abs=1e-8)
    assert fisher_exact((0, 0), (3, 5)) == 1


def test_two_samples() -> None:
    """p-values as in scipy, by the normal approximation with its correction for continuity."""
    assert mann_whitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]) == pytest.approx(0.0121858, abs=1e-7)
    assert mann_whitney([1, 1, 2], [1, 2, 2]) == pytest.approx(0.6192568, abs=1e-7)
    assert mann_whitney([], [1]) == mann_whitney([2, 2], [2]) == 1


def test_wilson() -> None:
    found = wilson(7, 10)
    assert (round(found.low, 4), round(found.high, 4)) == (0.3968, 0.8922)
    assert wilson(0, 20).low == 0
    assert round(wilson(0, 20).high, 4) == 0.1611
    assert wilson(5, 5).high == 1
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


def test_holm() -> None:
    """The example of four hypotheses: the smallest counts four times, the next three times."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


def test_p_values_and_correlations() -> None:
    assert p_value(1.96, 1) == pytest.approx(0.05, abs=1e-4)
    assert p_value(0, 0) == 1
    found = correlation_interval(0.5, 28)
    assert (round(found.low, 3), round(found.high, 3)) == (0.156, 0.736)


def test_medians() -> None:
    counts = {3: 1, 5: 1, 8: 1, 9: 1, 20: 1}
    assert quantile_of(counts, 0.5) == 8
    found = median_interval(dict.fromkeys(range(1, 101), 1))
    assert (found.estimate, found.low, found.high) == (50, 41, 60)


def test_wald() -> None:
    low, high = wald_bounds(0.05, 0.1)
    assert (round(low, 4), round(high, 4)) == (-2.2513, 2.8904)


def test_elo() -> None:
    assert elo(0.5) == 0
    assert elo(10 / 11) == pytest.approx(400)
    seen = Evidence(10_000, 0.05, 0.125)
    assert normalized_elo(seen).estimate == pytest.approx(0.05 / 0.5 * 800 / math.log(10), rel=1e-3)
    assert normalized_margin(normalized_elo(seen).estimate, seen) == pytest.approx(0.05)


def test_ratings_of_known_strengths() -> None:
    """Three players whose expected shares follow from strengths of 200, 0 and -200."""
    strengths = (200.0, 0.0, -200.0)
    results = {}
    for i in range(3):
        for j in range(i + 1, 3):
            share = 1 / (1 + 10 ** ((strengths[j] - strengths[i]) / 400))
            results[i, j] = Evidence(50_000, share, 0.1)
    ratings = bradley_terry(results, 3)
    assert [round(r.elo) for r in ratings] == [200, 0, -200]
    assert all(0 < r.error < 3 for r in ratings)


def test_players_who_have_not_met_have_ratings_of_great_error() -> None:
    met = bradley_terry(
        {(0, 1): Evidence(20, 0.5, 0.01), (0, 2): Evidence(0, 0.0, 0.0), (1, 2): Evidence(0, 0.0, 0.0)}, 3
    )
    assert [round(rating.elo) for rating in met] == [0, 0, 0]
    assert met[2].error > 1.5 * met[0].error


def test_one_who_never_wins_has_a_rating() -> None:
    first, second = bradley_terry({(0, 1): Evidence(20, 1.0, 0.0)}, 2)
    assert first.elo == pytest.approx(-second.elo)
    assert 200 < first.elo < 1000


def run(chance: random.Random, drift: float, most: int = 4000) -> SequentialVerdict:
    """A sequential test of differences of -1, 0 and 1, looked at after every 64."""
    values: list[float] = []
    while len(values) < most:
        for _ in range(64):
            x = chance.random()
            values.append(1.0 if x < 0.1 + drift / 2 else -1.0 if x < 0.2 else 0.0)
        found = sprt(evidence(values), 0.05)
        if found is not SequentialVerdict.UNDECIDED:
            return found
    return SequentialVerdict.UNDECIDED


def errors(runs: int) -> tuple[int, int]:
    """How many of so many runs find a difference that is not there, and how many miss one that is."""
    chance = random.Random(7)
    false = sum(run(chance, 0.0) is not SequentialVerdict.SAME for _ in range(runs))
    missed = sum(run(chance, 0.1) is not SequentialVerdict.HIGHER for _ in range(runs))
    return false, missed


def test_sequential_tests_seldom_err() -> None:
    false, missed = errors(60)
    assert false <= 6
    assert missed <= 6


@pytest.mark.long
def test_sequential_tests_err_as_often_as_they_say() -> None:
    false, missed = errors(1000)
    assert false <= 65
    assert missed <= 65


def test_nothing_that_differs_is_the_same() -> None:
    assert sprt(Evidence(400, 0.0, 0.0), 0.02) is SequentialVerdict.SAME
    assert sprt(Evidence(32, 0.0, 0.0), 0.02) is SequentialVerdict.UNDECIDED
    assert sprt(Evidence(400, -1.0, 0.0), 0.02) is SequentialVerdict.LOWER


def test_intervals_hold_at_any_time() -> None:
    """Of a hundred walks few ever leave the interval, which one that is fixed before does not achieve."""
    chance, left, fixed = random.Random(3), 0, 0
    for _ in range(100):
        total = squares = 0.0
        out = out_fixed = False
        for n in range(1, 1001):
            x = chance.gauss(0, 1)
            total, squares = total + x, squares + x * x
            if n >= 50:
                seen = Evidence(n, total / n, squares / n - (total / n) ** 2)
                out |= not seen.anytime().holds(0)
                out_fixed |= not seen.interval().holds(0)
        left, fixed = left + out, fixed + out_fixed
    assert left <= 8
    assert fixed > 15

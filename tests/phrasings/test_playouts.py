"""Playouts of all phrasings of a game are the same on average: they choose among the same choices."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from statistics import mean, variance

import pytest

from interpreter.wasm.build_config import FLAT
from interpreter.wasm.program import Program
from tests.phrasings.phrasing import Phrasing, phrasings
from tests.phrasings.test_phrasings import GAMES, read

NUMBER = 400
FAR = 5.0
"""How many standard errors two means are apart once in a million times."""
CHOSEN_IN_PARTS = {"amazons": "its three squares are chosen as two or three choices"}
"""Games whose phrasings do not choose among the same complete choices, and why."""


def rows(phrasing: Phrasing) -> tuple[list[int], list[int]]:
    """Of each playout how many decisions there are, and whether the first seat is among the winners."""
    machine = read(phrasing).machine
    found = Program(machine, FLAT).rows(NUMBER, 1)
    assert found.record is None, phrasing
    width = len(found.words) // NUMBER
    return list(found.words[0::width]), [winners & 1 for winners in found.words[2::width]]


def apart(one: list[int], two: list[int]) -> float:
    """How many standard errors the means of two samples are apart."""
    error = sqrt((variance(one) + variance(two)) / NUMBER)
    return abs(mean(one) - mean(two)) / error if error else float(mean(one) != mean(two))


@pytest.mark.parametrize("game", [game for game in GAMES if game.rstrip("/") not in CHOSEN_IN_PARTS])
def test_playouts_are_alike(game: str) -> None:
    found = {str(phrasing): rows(phrasing) for phrasing in phrasings(game.rstrip("/"))}
    for (one, (decisions, won)), (two, (others, lost)) in combinations(found.items(), 2):
        assert apart(decisions, others) < FAR, (one, mean(decisions), two, mean(others))
        assert apart(won, lost) < FAR, (one, mean(won), two, mean(lost))


@pytest.mark.parametrize("game", CHOSEN_IN_PARTS)
def test_playouts_end(game: str) -> None:
    for phrasing in phrasings(game):
        rows(phrasing)

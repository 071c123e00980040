"""All phrasings of a game are the same game: the same choices, which lead to the same positions."""

from __future__ import annotations

import random
from functools import cache

import pytest

from tests.phrasings.phrasing import LIBRARY, Phrasing, games, phrasings
from tests.phrasings.side_by_side import Compiled, Side, compiled, play, shared
from tests.wasm.lockstep import Pair
from validators.check import CheckContext
from validators.run_checks import run_checks

OWN = [str(p) for game in games() for p in phrasings(game) if p.name != LIBRARY]
"""The others are tried by the tests of the library."""
GAMES = [f"{game}/" for game in games()]
"""With a stroke, so that they are not taken for tests of the library."""
CUT_OTHERWISE = {
    "breakthrough/two_actions": "whether a piece moves or captures is chosen with it",
}
"""Phrasings in which the same moves are cut into other decisions, and how."""
IN_PARTS = {"amazons": "an amazon goes before or after its shot is chosen"}
"""Games in which some phrasings carry out a part of a turn before the rest is chosen: turns are compared."""
read = cache(compiled)


def named(text: str) -> Phrasing:
    game, _, name = text.partition("/")
    return Phrasing(game, name)


def sides(game: str, seed: int) -> list[Side]:
    made: list[Compiled] = [read(phrasing) for phrasing in phrasings(game)]
    assert len(made) > 2
    names = shared([one.machine for one in made])
    return [Side(one, names, seed, str(one.phrasing) not in CUT_OTHERWISE, game in IN_PARTS) for one in made]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_the_same(game: str) -> None:
    name = game.rstrip("/")
    every = 1000 if name in IN_PARTS else 8
    play(sides(name, 1), random.Random(1), every, 10)


@pytest.mark.parametrize("game", GAMES)
def test_whole_matches_are_the_same(game: str) -> None:
    for seed in range(2):
        assert play(sides(game.rstrip("/"), seed), random.Random(seed), 5, 400)


@pytest.mark.parametrize("phrasing", OWN)
def test_both_executors_play_it_alike(phrasing: str) -> None:
    made = read(named(phrasing))
    pair = Pair(made.rules, made.machine)
    for seed in range(2):
        pair.play(seed, most=30)


@pytest.mark.parametrize("phrasing", OWN)
def test_nothing_is_wrong(phrasing: str) -> None:
    """As `rulewright check` finds, all but what concerns words for players."""
    made = read(named(phrasing))
    assert [(f.code, f.message) for f in run_checks(CheckContext(made.rules), 60).findings] == []

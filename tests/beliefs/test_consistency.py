"""No world that is drawn contradicts what the seat was told: each is played again by the referee."""

from __future__ import annotations

import pytest

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.seat_log import SeatLog
from interpreter.game import Game
from tests.beliefs.games import EVERY, opened, played
from tests.games import game_of

LONG = {
    "roma": 2,
    "hearts": 4,
    "hedgerow": 3,
    "euchre": 4,
    "crazy_eights": 2,
    "gin_rummy": 2,
    "saltmarsh": 3,
    "phantom_tic_tac_toe": 2,
}
"""Bundled games that hide something, each in its own way, with their seats."""


def contradictions(game: Game, choices: int, seed: int, worlds: int) -> tuple[int, int]:
    """How many worlds are drawn for each viewer of a match, and how many of them contradict its log."""
    match = played(game, choices, seed)
    drawn = wrong = 0
    for seat in range(-1, match.game.machine.seats):
        log = SeatLog.of(match, seat)
        beliefs = believe(match.game, log, worlds, seed, method="sample")
        fits: dict[object, bool] = {}
        for world in beliefs.worlds:
            if world.course not in fits:
                other = match_of(beliefs, world)
                fits[world.course] = SeatLog.of(other, seat) == log and other.state == world.state
            wrong += not fits[world.course]
        drawn += len(beliefs.worlds)
    return drawn, wrong


@pytest.mark.parametrize("name", [name for name in EVERY if not name.endswith("poker")])
def test_no_world_contradicts_the_log(name: str) -> None:
    for seed in range(3):
        drawn, wrong = contradictions(opened(name), 2 + seed, seed, 32)
        assert drawn
        assert not wrong


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_no_world_of_very_many_contradicts_the_log(name: str) -> None:
    """All seven together are a million, most of them equal to others."""
    drawn = 0
    seed = 0
    while drawn < 145_000:
        found, wrong = contradictions(opened(name), 1 + seed % 8, seed, 4_000)
        drawn += found
        seed += 1
        assert not wrong, (name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_no_world_of_a_bundled_game_contradicts_the_log(name: str) -> None:
    for seed, choices in enumerate((10, 24)):
        drawn, wrong = contradictions(game_of(name, LONG[name]), choices, seed, 48)
        assert drawn
        assert not wrong, (name, seed)

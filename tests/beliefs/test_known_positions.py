"""What lies before a position that a seat knows need not be sampled: every deal begins anew."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.beliefs import particles
from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.known_positions import is_known
from interpreter.beliefs.opponents import Uniform
from interpreter.beliefs.particles import ParticleFilter
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation
from interpreter.game import Game
from interpreter.match import Match
from tests.beliefs.brute_force import InformationSet, information_sets
from tests.beliefs.chi_square import deviation, rejected
from tests.beliefs.games import TWO_DEALS, played
from tests.games import game_of


def learnt(match: Match, seat: int) -> ParticleFilter:
    found = ParticleFilter(Simulation(match.game, SeatLog.of(match, seat), Uniform()))
    found.learn(1, 2_000)
    return found


def behind(name: str, choices: int) -> list[InformationSet]:
    """Information sets behind so many choices in which something is unsure."""
    sets = (one for one in information_sets(name) if len(one.match.history) >= choices)
    return [one for one in sets if len(one.states) > 1]


def test_a_second_deal_begins_anew() -> None:
    for one in behind(TWO_DEALS, 3)[::9]:
        start = learnt(one.match, one.seat).start
        assert start is not None
        moment, course = start
        assert moment == 2
        assert is_known(one.match.game, course.state, one.seat)


def test_worlds_behind_a_known_position_have_their_weights() -> None:
    found = []
    for number, one in enumerate(behind(TWO_DEALS, 2)[::17]):
        islands = learnt(one.match, one.seat).islands(120, 13, number)
        found.append(deviation(islands, one.posterior()))
    assert len(found) > 4
    assert not rejected(found), sorted(found)[:5]


def test_a_position_in_which_something_is_hidden_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A filter that took any position to be known would give most worlds a wrong weight."""

    def careless(*_: Any) -> bool:
        return True

    monkeypatch.setattr(particles, "is_known", careless)
    found = []
    for number, one in enumerate(behind("face down", 2)[::5]):
        islands = learnt(one.match, one.seat).islands(120, 13, number)
        found.append(deviation(islands, one.posterior()))
    assert not rejected(found), "scouts that differ show that it is not known"


@pytest.mark.parametrize(
    ("name", "seats", "known"), [("kuhn_poker", 2, False), ("tic_tac_toe", 2, True), ("hearts", 4, False)]
)
def test_what_is_known_at_the_first_choice(name: str, seats: int, known: bool) -> None:
    game = game_of(name, seats)
    assert is_known(game, Match(game, 3).start().state, 0) == known


def test_the_last_card_of_all_is_known() -> None:
    """Of two cards in two hands everybody knows the other who holds one, of one card even the spectator."""
    game: Game = game_of("hearts", 4)
    for choices, known in ((61, []), (62, [0, 1]), (63, [-1, 0, 1, 2, 3])):
        match = played(game, choices, 1)
        found = [seat for seat in range(-1, 4) if is_known(game, match.state, seat)]
        assert len(found) == len(known)
        assert (-1 in found) == (-1 in known)


@pytest.mark.long
def test_late_deals_have_as_many_worlds_as_early_ones() -> None:
    match = played(game_of("hearts", 4), 400, 0)
    log = SeatLog.of(match, 0)
    beliefs = believe(match.game, log, worlds=64, steps=20_000)
    assert beliefs.exactness.effective > 15
    assert SeatLog.of(match_of(beliefs, beliefs.worlds[-1]), 0) == log

"""Positions for players that search: by their weights, and the same wherever a seat sees the same."""

from __future__ import annotations

from collections import Counter

import pytest

from interpreter import ir
from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.drawing import BelievedWorlds
from interpreter.beliefs.seat_log import SeatLog
from interpreter.match import Match
from tests.beliefs.games import EVERY, opened, played
from tests.games import game_of

WORLDS = BelievedWorlds(worlds=32)


@pytest.mark.parametrize("name", EVERY)
def test_as_many_states_as_are_asked_for_in_which_the_decision_waits(name: str) -> None:
    match = next(m for m in (played(opened(name), 1, seed) for seed in range(20)) if not m.over)
    waiting = match.waiting()[0]
    states = WORLDS.draw(match, waiting, 10, 1)
    assert len(states) == 10
    for state in states:
        found = [w for w in match.game.executor.waiting(state) if w.seat == waiting.seat]
        assert [w.node for w in found] == [waiting.node]
    assert states == WORLDS.draw(match, waiting, 10, 1)


def test_states_are_drawn_by_their_weights() -> None:
    match = played(opened("leduc_poker"), 1, 2)
    waiting = match.waiting()[0]
    exact = believe(match.game, SeatLog.of(match, waiting.seat)).worlds
    drawn = Counter(state.tobytes() for state in WORLDS.draw(match, waiting, 1_000, 3))
    for world in exact:
        assert drawn[world.state.tobytes()] == pytest.approx(1_000 * world.weight, abs=1.01)


def test_what_others_have_chosen_at_the_same_time_has_no_part() -> None:
    """In the state, they have not chosen."""
    game = opened("exchange")
    before = Match(game, 7).start()
    after = Match(game, 7).start()
    other = next(w for w in after.waiting() if w.seat == 1)
    after.take(other, other.options[0])
    assert after.state[ir.FORKED]
    states = [WORLDS.draw(match, match.waiting()[0], 12, 4) for match in (before, after)]
    assert states[0] == states[1]
    assert all(len(game.executor.waiting(state)) == 2 for state in states[0])


@pytest.mark.parametrize(("name", "choices"), [("roma", 14), ("leduc_poker", 3), ("goofspiel", 5)])
def test_worlds_that_a_seat_cannot_tell_apart_give_the_same(name: str, choices: int) -> None:
    game = game_of(name, 2)
    match = next(m for m in (played(game, choices, seed) for seed in range(9)) if not m.over)
    waiting = match.waiting()[0]
    beliefs = believe(game, SeatLog.of(match, waiting.seat), worlds=32)
    other = match_of(beliefs, beliefs.worlds[-1])
    same = next(w for w in other.waiting() if w.seat == waiting.seat)
    assert WORLDS.draw(match, waiting, 8, 5) == WORLDS.draw(other, same, 8, 5)


def test_none_are_found_for_a_match_without_history() -> None:
    match = Match(game_of("kuhn_poker", 2), keep_history=False).start()
    assert WORLDS.draw(match, match.waiting()[0], 8, 1) == []

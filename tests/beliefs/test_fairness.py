"""Beliefs follow from the log of a seat alone, and every world of them has that log."""

from __future__ import annotations

import random

import pytest

from dsl.source import Source
from interpreter import log as logs
from interpreter.beliefs.beliefs import Beliefs, believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.seat_log import SeatLog
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.replay import replay
from interpreter.sights import SPECTATOR
from tests.beliefs.games import EVERY, opened, played
from tests.games import game_of
from validators.secrecy.indistinguishable_states import IndistinguishableStates, Known, tokens_of
from validators.secrecy.visibility import Visibility

TABLES = [
    *((name, 2, 4) for name in ("kuhn_poker", "leduc_poker")),
    ("roma", 2, 12),
    ("augustus", 2, 6),
    ("bridge", 4, 12),
    ("hearts", 4, 16),
    ("goofspiel", 2, 7),
    ("gin_rummy", 2, 8),
    ("battleship", 2, 8),
    ("phantom_tic_tac_toe", 2, 6),
    ("saltmarsh", 3, 9),
]
"""Bundled games that hide something, with the number of seats and of choices."""


def printed(beliefs: Beliefs) -> bytes:
    """Everything that is drawn, as bytes."""
    worlds = [(world.state.tobytes(), world.weight, world.course) for world in beliefs.worlds]
    return repr((worlds, beliefs.exactness, beliefs.islands)).encode()


def beliefs_of(match: Match, seat: int) -> Beliefs:
    return believe(match.game, SeatLog.of(match, seat), worlds=32)


@pytest.mark.parametrize(("name", "seats", "choices"), TABLES)
def test_every_world_has_the_log_of_the_seat_and_leads_to_the_same_worlds(
    name: str, seats: int, choices: int
) -> None:
    game = game_of(name, seats)
    match = played(game, choices, seed=5)
    log = SeatLog.of(match, 0)
    beliefs = believe(game, log, worlds=32)
    assert sum(world.weight for world in beliefs.worlds) == pytest.approx(1.0)
    for world in random.Random(1).sample(beliefs.worlds, min(3, len(beliefs.worlds))):
        other = match_of(beliefs, world)
        assert SeatLog.of(other, 0) == log
        assert other.state == world.state
    assert printed(beliefs_of(other, 0)) == printed(beliefs), "a match that the seat cannot tell apart"


@pytest.mark.parametrize(("name", "seats", "choices"), TABLES)
def test_what_is_hidden_now_has_no_part(name: str, seats: int, choices: int) -> None:
    """The state is exchanged for one that the seat cannot tell apart: its log stays the same."""
    game = game_of(name, seats)
    match = played(game, choices, seed=4)
    states = IndistinguishableStates(game, Visibility(game))
    before = SeatLog.of(match, 0)
    for number in range(4):
        known = Known(tokens_of(game, match.state))
        true, match.state = match.state, states.other(match.state, 0, known, random.Random(number))
        assert SeatLog.of(match, 0) == before
        match.state = true


@pytest.mark.parametrize("name", ["leduc_poker", "exchange", "face down"])
def test_a_stored_log_gives_the_same_as_the_match(name: str) -> None:
    game = opened(name)
    match = played(game, 3, seed=8)
    text = logs.write(match, {}, ["human", "human"])
    again = replay(game, logs.read(Source("match.log", text))).match
    for seat in (SPECTATOR, 0, 1):
        assert SeatLog.of(again, seat) == SeatLog.of(match, seat)
        assert printed(beliefs_of(again, seat)) == printed(beliefs_of(match, seat))


@pytest.mark.parametrize("name", EVERY)
def test_samples_are_the_same_each_time_and_others_under_another_seed(name: str) -> None:
    match = played(opened(name), 1, seed=3)
    log = SeatLog.of(match, 1)
    first, again, other = (believe(match.game, log, 32, seed, method="sample") for seed in (1, 1, 2))
    assert printed(first) == printed(again)
    assert printed(first) != printed(other)


# ---- what is refused


def code(fault: pytest.ExceptionInfo[Fault]) -> str:
    return fault.value.diagnostic.code


def test_a_match_without_history_has_no_beliefs() -> None:
    match = Match(game_of("kuhn_poker", 2), keep_history=False).start()
    with pytest.raises(Fault) as caught:
        match.beliefs("A")
    assert code(caught) == "R239"


def test_a_position_with_something_hidden_has_no_beliefs() -> None:
    game = game_of("roma", 2)
    match = Match.from_position(game, {"hand of B": ["velites"]}, at="turn.actions", seat="A")
    with pytest.raises(Fault) as caught:
        match.beliefs("A")
    assert code(caught) == "R239"


def test_a_log_that_no_course_fits_is_refused() -> None:
    """The true world is not used instead, though it is there."""
    match = played(opened("follow suit"), 2, seed=1)
    other = played(opened("question"), 1, seed=1)
    log = SeatLog.of(match, 0)
    for method in ("enumerate or sample", "sample"):
        with pytest.raises(Fault) as caught:
            believe(other.game, log, method=method)  # type: ignore[arg-type]
        assert code(caught) == "R239"

"""Laws that every match of every bundled game keeps."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from dsl.source import Source
from interpreter import log
from interpreter.match import Match
from interpreter.messages import BrokenLog, Fault
from interpreter.replay import replay
from tests.games import game_of

GAMES = [("roma", 2, {}), ("roll_through_the_ages", 3, {}), ("roll_through_the_ages", 2, {"trading": "on"})]


def played(key: tuple, seed: int, most: int = 10_000) -> Match:
    name, seats, options = key
    match = Match(game_of(name, seats, tuple(options.items())), seed=seed).start()
    chooser = random.Random(seed)
    for _ in range(most):
        if match.over:
            break
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    return match


few = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("key", GAMES, ids=str)
@given(seed=st.integers(0, 10**9))
@few
def test_same_seed_and_choices_same_log(key: tuple, seed: int) -> None:
    a, b = played(key, seed), played(key, seed)
    assert log.write(a, key[2], []) == log.write(b, key[2], [])


@pytest.mark.parametrize("key", GAMES, ids=str)
@given(seed=st.integers(0, 10**9))
@few
def test_replay_is_the_match(key: tuple, seed: int) -> None:
    match = played(key, seed)
    verdict = replay(match.game, log.read(Source("x.log", log.write(match, key[2], []))))
    assert verdict.match.state == match.state
    assert [s.hash for s in verdict.match.steps] == [s.hash for s in match.steps]
    assert verdict.match.winners() == match.winners()


@pytest.mark.parametrize("key", GAMES, ids=str)
@given(seed=st.integers(0, 10**6), cut=st.integers(1, 60))
@few
def test_a_copied_state_goes_on_the_same_way(key: tuple, seed: int, cut: int) -> None:
    match = played(key, seed, cut)
    other = Match(match.game, seed=seed)
    other.state = match.state[:]
    chooser, again = random.Random(seed + 1), random.Random(seed + 1)
    for one, dice in ((match, chooser), (other, again)):
        while not one.over:
            waiting = dice.choice(one.waiting())
            one.take(waiting, dice.choice(waiting.options))
    assert match.state == other.state


@pytest.mark.parametrize("key", GAMES, ids=str)
@given(seed=st.integers(0, 10**6), cut=st.integers(1, 80))
@few
def test_undo_gives_the_state_before(key: tuple, seed: int, cut: int) -> None:
    match = played(key, seed, cut)
    while match.can_undo():
        before, steps = match.history[-1]
        assert match.undo()
        assert match.state == before
        assert len(match.steps) == steps


@pytest.mark.parametrize("key", GAMES, ids=str)
def test_looking_changes_nothing(key: tuple) -> None:
    match = played(key, 3, 25)
    before = match.state[:]
    for seat in range(-2, match.game.machine.seats):
        match.view(seat)
    match.decisions(), match.accounts(), match.winners()
    for decision in match.decisions():
        with pytest.raises(Fault):
            match.choose(decision.seat, "nonsense 99")
    assert match.state == before


@pytest.mark.parametrize("key", GAMES, ids=str)
def test_every_tampered_line_is_noticed(key: tuple) -> None:
    match = played(key, 11)
    lines = log.write(match, key[2], ["a", "b"]).splitlines()
    for i in range(0, len(lines), max(1, len(lines) // 25)):
        line = json.loads(lines[i])
        field = next(k for k in ("choose", "outcome", "seed", "start", "winners") if k in line)
        line[field] = "changed" if isinstance(line[field], str) else 5
        changed = [*lines[:i], json.dumps(line), *lines[i + 1 :]]
        with pytest.raises(Fault) as caught:
            log.read(Source("x.log", "\n".join(changed)))
        assert isinstance(caught.value.diagnostic, BrokenLog)


def test_a_removed_line_is_noticed() -> None:
    match = played(GAMES[0], 11)
    lines = log.write(match, {}, []).splitlines()
    with pytest.raises(Fault):
        log.read(Source("x.log", "\n".join(lines[:5] + lines[6:])))


def test_a_log_that_lies_but_fits_its_seals_is_noticed() -> None:
    """Sealed anew after a change: the hashes of the states still tell."""
    match = played(GAMES[0], 11)
    lines = [json.loads(line) for line in log.write(match, {}, []).splitlines()]
    choice = next(line for line in lines if line.get("choose") == "pass")
    choice["hash"] = "0" * 16
    for line in lines:
        del line["seal"]
    forged = "".join(log._sealed(lines))
    with pytest.raises(Fault) as caught:
        replay(match.game, log.read(Source("x.log", forged)))
    assert isinstance(caught.value.diagnostic, BrokenLog)

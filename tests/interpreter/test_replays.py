"""Logs under other rules, impossible outcomes, cut logs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from dsl.source import Source
from interpreter import log
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import BadOutcome, BrokenLog, Fault, OtherRules
from interpreter.replay import replay
from rulewright.library import open_game


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game("roll_through_the_ages", 2)


def some_match(game: Game, decisions: int = 30) -> Match:
    match = Match(game, seed=3).start()
    for _ in range(decisions):
        waiting = match.waiting()[0]
        match.take(waiting, waiting.options[-1])
    return match


def test_other_rules_are_refused_unless_unverified(game: Game) -> None:
    read = log.read(Source("x.log", log.write(some_match(game), {}, [])))
    other = replace(read, digest="0" * 64)
    with pytest.raises(Fault) as caught:
        replay(game, other)
    assert isinstance(caught.value.diagnostic, OtherRules)
    assert replay(game, other, verify=False).steps == replay(game, read).steps


def test_an_unfinished_log_goes_on_as_the_same_match(game: Game) -> None:
    match = some_match(game)
    again = replay(game, log.read(Source("x.log", log.write(match, {}, [])))).match
    for one in (match, again):
        while not one.over:
            waiting = one.waiting()[0]
            one.take(waiting, waiting.options[0])
    assert match.state == again.state


def test_a_step_in_the_middle(game: Game) -> None:
    match = some_match(game)
    read = log.read(Source("x.log", log.write(match, {}, [])))
    verdict = replay(game, read, steps=10)
    assert verdict.steps == 10 < verdict.total


def test_supplied_outcomes_are_taken_and_checked(game: Game) -> None:
    match = Match(game, outcomes={"die": ["skull", "skull", "coin"]}).start()
    assert sorted(match.view(-1).zones["cup"]) == ["coin", "skull", "skull"]  # type: ignore[arg-type]
    with pytest.raises(Fault) as caught:
        Match(game, outcomes={"die": ["seven"]}).start()
    assert isinstance(caught.value.diagnostic, BadOutcome)


def test_an_outcome_given_back_that_is_not_possible_is_drawn_anew() -> None:
    """Whoever takes back a draw may do something else that makes it impossible; the match goes on."""

    class First:
        def pick(self, stream: str, outcomes: Sequence[tuple[str, int]]) -> str:
            return outcomes[0][0]

    game = open_game("kuhn_poker", 2)
    match = Match(game, outcomes={"deck": ["king", "king"]}, chance=First()).start()
    assert [step.text for step in match.steps if step.stream] == ["king", "jack"]
    with pytest.raises(Fault):
        Match(game, outcomes={"deck": ["king", "king"]}).start()


def test_supplied_outcomes_replay(game: Game) -> None:
    match = Match(game, seed=8, outcomes={"die": ["skull", None, "coin"]}).start()
    read = log.read(Source("x.log", log.write(match, {}, [])))
    assert replay(game, read).match.hash() == match.hash()


@pytest.mark.parametrize("text", ["", "{}", "hello", "[]", '{"rulewright": 9}', "\x00\x01", "[" * 5000])
def test_what_is_no_log(text: str) -> None:
    with pytest.raises(Fault) as caught:
        log.read(Source("x.log", text))
    assert isinstance(caught.value.diagnostic, BrokenLog)

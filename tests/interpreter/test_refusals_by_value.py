"""A value alone is refused for the same reason as with the only action that is offered."""

from __future__ import annotations

import pytest

from interpreter.match import Match
from interpreter.messages import Fault, NotOffered
from tests.games import game_of


def refusal(match: Match, words: str) -> str:
    with pytest.raises(Fault) as caught:
        match.choose("B", words)
    assert isinstance(caught.value.diagnostic, NotOffered)
    return caught.value.diagnostic.why


@pytest.fixture
def match() -> Match:
    found = Match(game_of("tic_tac_toe", 2), seed=1).start()
    found.choose("A", "place b2")
    return found


def test_a_value_alone_has_the_reason_of_its_action(match: Match) -> None:
    alone = refusal(match, "b2")
    assert alone == refusal(match, "place b2")
    assert "no action" not in alone
    assert "stone at cell is A" in alone


def test_another_action_is_not_taken_for_a_value() -> None:
    match = Match(game_of("pig", 2), seed=1).start()
    match.choose("A", "hold")
    assert "no action" in refusal(match, "dance")

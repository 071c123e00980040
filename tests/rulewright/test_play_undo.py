"""`undo` at the prompt: as far as it is offered, and further if the other people at the table agree."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import open_game
from tests.rulewright.test_play import CARDS, Table, after, at, rich_hand

OPEN = {"dice of A": ["1", "4", "4"]}


def money() -> Table:
    """A has three dice and nothing to hide; both seats are people."""
    return Table(CARDS, "human,human", at(CARDS, 2, "turn.actions", OPEN, {}))


def test_several_choices_go_back_at_once() -> None:
    table = money()
    before = table.match.hash()
    screens = table.says_all("", "take_money 4", "take_money 4", "undo 2")
    assert "your last 2 choices are taken back" in screens
    assert table.match.hash() == before


def test_more_choices_than_there_were_do_not_go_back() -> None:
    table = money()
    answer = after(table.says_all("", "take_money 4", "undo 2"), "undo 2")
    assert "nothing was taken back: A has not made that many choices yet" in answer
    assert table.match.steps[-1].text == "take_money 4"


@pytest.mark.parametrize("said", ["undo 0", "undo x", "undo -1", "undo 99999999999", "undo ²"])
def test_a_number_that_is_none_is_refused(said: str) -> None:
    table = money()
    assert "how many?" in after(table.says_all("", "take_money 4", said), said)


def test_the_others_are_asked_when_something_was_learned() -> None:
    table = money()
    before = table.match.hash()
    screens = table.says_all("", "take_cards 4", "undo", "no")
    assert "A wants to take back the last choice, but a random outcome has been seen since" in screens
    assert table.match.steps[-1].stream == "deck"
    screens = table.says_all("", "undo", "yes")
    assert table.match.hash() == before
    assert "B, do you agree? yes or no: yes" in screens


def test_a_refusal_is_told_when_the_seat_is_called_again() -> None:
    screens = money().says_all("", "take_cards 4", "undo", "never", "")
    assert "nothing was taken back: a random outcome has been seen since" in screens
    assert "B does not agree" in screens
    assert screens.count("A, it is your turn.") == 2


def test_whoever_is_asked_does_not_see_the_hand_of_the_other() -> None:
    screens = money().says_all("", "take_cards 4", "undo", "no")
    between = screens.split("> undo\n")[1].split("do you agree")[0]
    assert "hand" not in between


def test_bots_cannot_agree() -> None:
    table = Table(CARDS, "human,random", rich_hand())
    answer = after(table.says_all("take_cards 4", "undo"), "undo")
    assert "B (random) cannot agree to it" in answer


def test_what_a_bot_has_chosen_since_goes_back_unasked() -> None:
    match = Match(open_game("connect_four"), seed=1).start()
    table = Table("connect_four", "human,random", match)
    before = match.hash()
    screens = table.says_all("a", "undo")
    assert "your last choice is taken back, 2 in all" in screens
    assert match.hash() == before


OPEN_GAME = {
    "game.yaml": b"""
game: coins
seats: 2
rules: [coins.rules]
counters: {coins: {of: seat, range: 0..9}}
flow:
  turn: {seat: rotates, do: [{may keep doing: [earn]}], then: {rich: last, otherwise: turn}}
  last: {score: highest}
""",
    "coins.rules": b"""
action earn
    gain 1 coins
value rich = any(seat where coins of seat > 8)
score coins = coins of me
""",
}


def coins(*written: str) -> Table:
    rules, _ = load(Folder("coins", OPEN_GAME.__getitem__))
    match = Match(Game(rules, compile_rules(rules))).start()
    for text in written:
        match.choose(match.decisions()[0].seat, text)
    return Table("coins", "human,human", match)


def test_what_others_have_chosen_since_goes_back_if_they_agree() -> None:
    table = coins("earn", "pass", "earn", "pass")
    answer = after(table.says_all("undo", "no"), "undo")
    assert "A wants to take back the last 3 choices, but B has chosen since." in answer
    assert "nothing was taken back: B has chosen since; B does not agree" in answer
    screens = table.says_all("undo", "y")
    assert "your last choice is taken back, 3 in all" in screens
    assert [s.text for s in table.match.steps if s.seat] == ["earn"]


def test_own_choices_since_those_of_others_go_back_unasked() -> None:
    table = coins("earn", "pass", "earn", "earn")
    table.says_all("undo 2")
    assert [s.text for s in table.match.steps if s.seat] == ["earn", "pass"]

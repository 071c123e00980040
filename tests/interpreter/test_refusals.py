"""A refusal names the condition that fails, its numbers and its clause."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault, NotOffered
from interpreter.position import Position
from rulewright.library import open_game


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game("roma", 2)


def standing(game: Game) -> Match:
    position = Position(game)
    position.set_pieces(position.place("hand of A"), ["forum", "templum"], False)
    position.set_pieces(position.place("slot of A at 2"), ["turris"], False)
    position.set_pieces(position.place("slot of A at 4"), ["legionarius"], False)
    position.set_pieces(position.place("dice of A"), ["2", "3", "4"], False)
    position.set_number("money of A", 3)
    match = Match(game)
    match.state = position.state
    return match.run_from(position.stand_at("turn.actions", 0))


def refusal(match: Match, words: str) -> NotOffered:
    before = match.state[:]
    with pytest.raises(Fault) as caught:
        match.choose("A", words)
    assert match.state == before
    diagnostic = caught.value.diagnostic
    assert isinstance(diagnostic, NotOffered)
    return diagnostic


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("lay forum", "needs money of me >= card.cost, but money of me is 3; card.cost is 5  §4.3"),
        ("activate 3", "needs card exists, but card is none  §4.7"),
        ("activate 2", "needs card.power exists, but card.power is none"),
        ("activate 4", "needs target exists, but target is none  §9.8"),
        ("activate 6", "it is not among the values here"),
        ("dance", "no action of this name is offered now"),
    ],
)
def test_reasons(game: Game, words: str, wanted: str) -> None:
    assert wanted in refusal(standing(game), words).why


def test_what_is_offered_is_said(game: Game) -> None:
    assert "lay templum" in refusal(standing(game), "lay forum").hint


def test_wrong_seat_and_end(game: Game) -> None:
    match = standing(game)
    with pytest.raises(Fault) as caught:
        match.choose("B", "pass")
    assert "nothing to decide" in caught.value.diagnostic.message


def test_words_that_may_mean_two_things(game: Game) -> None:
    assert "it may mean" in refusal(standing(game), "take_money").why


def small(choice: str) -> Match:
    """A match of a small game in which A has three gold and a hidden card, and makes a choice."""
    files = {
        "game.yaml": (
            "game: small\nseats: 2\nrules: [small.rules]\n"
            "types: {rank: [low, high]}\n"
            "components: {card: {kinds: rank, copies: {low: 1, high: 1}}}\n"
            "counters: {gold: {of: seat, range: 0..9, start: 3}}\n"
            "zones:\n  deck: {holds: card, start: all, seen_by: nobody, order: shuffled}\n"
            "  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}\n"
            "flow:\n  turn: {do: [deal, act], score: highest}\n"
        ),
        "small.rules": (
            "procedure deal\n    each seat in turn\n        move 1 from deck to hand of me\n\n"
            f"procedure act\n    {choice}\n    gain x gold\n\nscore gold = gold of me\n"
        ),
    }
    written = {name: text.encode() for name, text in files.items()}
    rules, _ = load(Folder("small", written.__getitem__))
    return Match(Game(rules, compile_rules(rules)), seed=1).start()


def test_the_part_of_a_condition_that_fails_is_said() -> None:
    match = small("choose x from 1..6 where x > gold of me and x is not 5")
    assert refusal(match, "2").why == "only where x > gold of me, but x is 2; gold of me is 3"
    assert refusal(match, "5").why == "only where x is not 5, but x is 5"


def test_a_condition_about_hidden_pieces_is_not_said() -> None:
    both = "any(card in hand of opponent where card.rank is low and card.rank is high)"
    match = small(f"choose x from 1..2 where x is 1 or {both}")
    assert refusal(match, "2").why == "a condition of the choice does not hold"


def test_a_local_that_may_hold_a_secret_is_not_said() -> None:
    secret = "let q = 1 if any(card in hand of opponent where card.rank is low) else 2\n    "
    match = small(secret + "choose x from 1..6 where x > q and x is 6")
    assert refusal(match, "1").why == "a condition of the choice does not hold"


def test_what_a_seat_has_chosen_itself_is_said() -> None:
    match = small("choose y from 2..3\n    choose x from 1..6 where x > y")
    match.choose("A", "2")
    assert refusal(match, "1").why == "only where x > y, but x is 1; y is 2"

"""What is chosen for a seat that stays away, as a ruleset declares it."""

from __future__ import annotations

import pytest

from dsl.declare.presets import ChosenPreset
from dsl.diagnostics import ErrorsReported
from dsl.elaborate.absent import offered_words
from dsl.load import Folder, load
from dsl.rules import Rules
from interpreter import ir
from interpreter.absent import default_choice, default_option
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from tests.games import compiled, few, rules_of, sample

GAME = """
game: demo
seats: 2
rules: [demo.rules]
types:
  flower: [rose, thorn, last]
components:
  card: {kinds: flower, count: 2}
zones:
  hand: {holds: card, of: seat, seen_by: owner}
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  table: {holds: card, seen_by: all}
counters:
  coins: {of: seat, range: 0..9, start: 9}
ABSENT
flow:
  begin: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{may do: [offer, lay]}], then: final}
  final: {score: highest}
small:
  tiny:
    components:
      card: {keep: {rose: 6}}
"""
RULES = """
procedure deal
    each seat in turn
        move 3 from deck to hand of me

action offer(bid from 1..5)
    pay bid coins

action lay(card from hand of me)
    move card to table

score coins = coins of me
"""


def rules_with(absent: str = "", small: str | None = None) -> Rules:
    game = GAME.replace("ABSENT", f"absent: {absent}" if absent else "")
    texts = {"game.yaml": game.encode(), "demo.rules": RULES.encode()}
    return load(Folder("demo", texts.__getitem__), ChosenPreset(small) if small else None)[0]


def default(absent: str, seed: int = 0) -> str:
    rules = rules_with(absent)
    match = Match(Game(rules, compile_rules(rules)), seed).start()
    seat = match.waiting()[0].seat
    choice = default_choice(match, seat)
    assert default_option(match, match.waiting()[0]) == choice.option
    match.choose("AB"[seat], choice.text)
    return choice.text


def test_what_an_action_is_done_with_is_not_passed() -> None:
    with pytest.raises(ErrorsReported, match=r"`offer\.bid` never offers `pass`"):
        rules_with("{offer.bid: pass}")


@pytest.mark.parametrize(
    ("absent", "chosen"),
    [
        ("", "pass"),
        ("{offer: offer}", "offer 1"),
        ("{offer: offer highest}", "offer 5"),
        ("{offer: offer lowest}", "offer 1"),
        ("{offer: 3}", "offer 3"),
        ("{offer: lowest}", "offer 1"),
        ("{offer: pass}", "pass"),
    ],
)
def test_the_declared_choice_is_made(absent: str, chosen: str) -> None:
    assert default(absent) == chosen


def test_the_first_preference_that_fits_is_taken() -> None:
    found = {default("{offer: [lay thorn, offer 2]}", seed) for seed in range(20)}
    assert found == {"lay thorn", "offer 2"}


def test_any_is_one_of_all() -> None:
    found = {default("{offer: offer any}", seed) for seed in range(40)}
    assert found == {f"offer {bid}" for bid in range(1, 6)}


def test_a_name_that_is_offered_is_no_order() -> None:
    """`last` is a card here."""
    found = {default("{offer: [lay last, pass]}", seed) for seed in range(20)}
    assert found == {"lay last", "pass"}


def test_a_smaller_game_may_lack_the_words() -> None:
    assert rules_with("{offer: lay thorn}", small="tiny").absent["offer"][0].words == ("lay", "thorn")


KEPT = [("roma", 2, ()), ("roll_through_the_ages", 2, ()), ("augustus", 2, ())]


@pytest.mark.parametrize("table", sample(few(), KEPT), ids=str)
def test_every_decision_and_word_is_known(table) -> None:  # type: ignore[no-untyped-def]
    """What matches offer is among the words that `absent` may name."""
    game = Game(rules_of(table[0]), machine := compiled(table))
    known = offered_words(game.ruleset)
    assert {n.name for n in machine.nodes if isinstance(n, ir.Decide | ir.Offer)} <= known.keys()
    match = Match(game, seed=1, keep_history=False).start()
    for number in range(150):
        if match.over:
            break
        decision = match.decisions()[0]
        assert all(known[decision.name].has(word) for choice in decision.choices for word in choice.words)
        match.take(decision.waiting, decision.choices[number % len(decision.choices)].option)

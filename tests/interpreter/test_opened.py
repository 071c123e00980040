"""A chosen piece is named in the story where the choice itself brings it before everybody, and only there."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.opened import opened_decisions
from interpreter.redacted_log import entries
from interpreter.sights import SPECTATOR
from tests.layout.made_up import rules_of

CARDS = "card,worth\n" + "".join(f"card_{i},{i}\n" for i in range(1, 9))
GAME = """components:
  card: {table: cards.csv, columns: {worth: 0..9}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  away: {holds: card, of: seat, seen_by: nobody, counted_by: all}
  table: {holds: card, seen_by: all}
counters:
  coins: {of: seat, range: 0..99}
flow:
  begin: {do: [deal], then: turn}
  turn: {seat: rotates, do: [{do one of: [act]}], then: turn}
  last: {score: highest}
"""
DEAL = "procedure deal\n    each seat in turn\n        move 3 from deck to hand of me\n\n"
OPEN = {
    "at once": "action act(card from hand of me)\n    move card to table\n",
    "behind a condition": "action act(card from hand of me)\n    needs coins of me < 50\n"
    "    gain card.worth coins\n    move card to table\n",
    "either way": "action act(card from hand of me)\n    if card.worth > 4\n        move card to table\n"
    "    else\n        gain 1 coins\n        move card to table\n",
    "by another routine": "action act(card from hand of me)\n    pay_for(2)\n    lay(card)\n\n"
    "procedure lay(card)\n    move card to table\n\nprocedure pay_for(worth: 0..9)\n"
    "    coins of me += worth\n",
    "in a choice of its own": "action act\n    choose card from hand of me\n    move card to table\n",
}
CLOSED = {
    "hidden away": "action act(card from hand of me)\n    move card to away of me\n",
    "perhaps": "action act(card from hand of me)\n    if card.worth > 4\n        move card to table\n"
    "    else\n        move card to away of me\n",
    "among others": "action act(card from hand of me)\n    gain card.worth coins\n"
    "    move all from hand of me to table\n",
    "later": "action act(card from hand of me)\n    choose other from hand of me where other is not card\n"
    "    move other to away of me\n    move card to table\n",
    "by another routine that asks": "action act(card from hand of me)\n    ask\n    move card to table\n\n"
    "procedure ask\n    choose other from hand of me\n    move other to away of me\n",
    "by chance": "action act(card from hand of me)\n    move 1 from deck to hand of me\n"
    "    move card to table\n",
    "secretly": "action act\n    choose card from hand of me secretly\n    move card to table\n",
}


def begun(rules: str) -> Match:
    found = rules_of(GAME, demo_rules=DEAL + rules, cards_csv=CARDS)
    return Match(Game(found, compile_rules(found)), seed=3).start()


def first_told(match: Match) -> list[str]:
    """What a spectator, the other seat and the chooser read of the first choice of a card."""
    while True:
        decision = match.decisions()[0]
        step = match.take(decision.waiting, decision.choices[-1].option)
        if "card_" in step.text:
            break
    told = [[e.text for e in entries(match, viewer) if e.text][-1] for viewer in (SPECTATOR, 1, 0)]
    assert told[2] == step.text
    return told


@pytest.mark.parametrize("how", OPEN)
def test_a_card_that_is_played_openly_is_named_to_all(how: str) -> None:
    told = first_told(begun(OPEN[how]))
    assert "?" not in "".join(told)
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize("how", CLOSED)
def test_a_card_that_not_all_see_at_once_is_not_named(how: str) -> None:
    spectator, other, _ = first_told(begun(CLOSED[how]))
    assert spectator == other
    assert "card_" not in spectator
    assert "?" in spectator


def test_routines_that_ask_each_other_are_not_silent() -> None:
    rules = (
        "action act(card from hand of me)\n    one(3)\n    move card to table\n\n"
        "procedure one(worth: 0..9) nests up to 9\n    if worth > 0\n        two(worth - 1)\n\n"
        "procedure two(worth: 0..9) nests up to 9\n    if worth > 0\n        one(worth - 1)\n    else\n"
        "        choose other from hand of me\n        move other to away of me\n"
    )
    found = rules_of(GAME, demo_rules=DEAL + rules, cards_csv=CARDS)
    machine = compile_rules(found)
    assert opened_decisions(found, machine) == frozenset()
    assert any(isinstance(node, ir.Decide) for node in machine.nodes)

"""What an action brings into sight while it is tried tells nothing: all worlds are refused alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dsl.folder import Folder
from dsl.load import load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.refusal import Refusal
from interpreter.sights import REFEREE

YAML = """game: brought
seats: 2
rules: [brought.rules]
types: {rank: [low, high]}
components:
  card: {kinds: rank, copies: {low: 6, high: 6}}
counters:
  gold: {of: seat, range: 0..9, start: 3}
  pot: {range: 0..9, start: 2}
  purse: {of: seat, range: 0..9, start: 2, seen_by: owner}
  bank: {range: 0..30, start: 20}
  coin: {of: seat, range: 0..9, start: 2, seen_by: owner, bank: bank}
  token: {of: seat, range: 0..4, start: 2, seen_by: owner, bank: bank, at_edge: clamp}
marks:
  flag: {of: seat, seen_by: owner}
zones:
  deck: {holds: card, start: all, seen_by: nobody, order: shuffled}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  shown: {holds: card, of: seat, seen_by: all}
  pile: {holds: card, order: pile, seen_by: top}
  stack: {holds: card, order: stack, seen_by: nobody, counted_by: all}
flow:
  turn: {do: [act], score: highest}
"""
RULES = """value lows(seat) = count(card in hand of seat where card.rank is low)

procedure act
    do one of try, idle

action try%s
    %s

action asks
    needs purse of opponent > 3

action idle
    gain 1 purse
    opponent gains 1 coin
    opponent gains 1 token
    pot = 1
    set flag of me
    move all from hand of me to stack
    move 1 from deck to hand of me
    if purse of opponent > 2 and flag of opponent and coin of opponent > 1 and token of opponent > 1
        gain 1 gold
    move all from shown of me to pile

score gold = gold of me
"""
BODIES = {
    "counters exchanged": "swap purse of me with purse of opponent\n    needs purse of me > 8",
    "counters exchanged, one open": "swap gold of me with purse of opponent\n    pay 9 gold",
    "marks exchanged": "swap flag of opponent with flag of me\n    needs flag of me and pot > 5",
    "hands exchanged": "swap hand of me with hand of opponent\n    needs lows(me) > 3",
    "a stack exchanged": "swap stack with pile\n    needs top(pile) is low and pot > 5",
    "all cards": "move all from hand of opponent to hand of me\n    needs lows(me) > 8",
    "all cards, on top": "move all from hand of opponent to pile\n    needs pot > 5 or top(pile) is none",
    "some cards": "move all from those(card in hand of opponent where card.rank is low) to pile\n"
    "    needs size(pile) > 3",
    "so many alike": "move up to 2 from those(card in hand of opponent where card is low) to shown of me\n"
    "    needs size(shown of me) > 8",
    "one from a stack": "move 1 from stack to shown of me\n"
    "    needs count(card in shown of me where card is low) > 8",
    "a loss to the bank": "opponent loses 3 coin\n    needs bank > 29",
    "a gain up to the edge": "opponent gains 2 token\n    needs bank > 29",
    "a trial": "needs can asks\n    needs pot > 5",
    "a trial that fails": "needs not can asks and pot > 5",
    "behind a trial": "if can asks\n        needs pot > 5                                         §2\n"
    "    needs pot > 6                                         §3",
    "a local of a trial": "let q = 1 if can asks else 2\n    needs pot > 5 + q",
    "a hidden filter": "move 2 from those(card in hand of me where card is low and purse of opponent > 3) "
    "to pile\n"
    "    needs pot > 5",
}
RANGES = {
    "a hidden end": "0..purse of opponent",
    "a hidden count": "0..lows(opponent)",
    "a hidden case": "([1, 2] if lows(opponent) > 1 else [3])",
}
WORLDS: tuple[dict[str, Any], ...] = (
    {},
    {"stack": ["high", "high"], "hand of B": ["high", "high"]},
    {"purse of B": 5, "coin of B": 5, "token of B": 4, "flag of B": True},
    {"purse of B": 0, "coin of B": 0},
)
"""What differs and A does not see."""


def game(body: str, parameters: str = "") -> Game:
    files = {"game.yaml": YAML.encode(), "brought.rules": (RULES % (parameters, body)).encode()}
    rules, _ = load(Folder("brought", files.__getitem__))
    return Game(rules, compile_rules(rules))


def refusals(played: Game, words: str, viewer: int) -> list[Refusal]:
    found = []
    for world in WORLDS:
        given = {"stack": ["low", "low"], "hand of A": ["low", "high"], "hand of B": ["low", "low"], **world}
        match = Match.from_position(played, given)
        waiting = next(each for each in match.waiting() if each.seat == 0)
        refusal = played.refusals.explain(match.state[:], waiting, words, viewer)
        parts = tuple(replace(part, span=None) for part in refusal.parts)
        found.append(replace(refusal, span=None, parts=parts))
    return found


@pytest.mark.parametrize("body", BODIES)
def test_what_comes_into_sight_tells_nothing(body: str) -> None:
    played = game(BODIES[body])
    told = refusals(played, "try", 0)
    assert told == [told[0]] * len(WORLDS)
    known = refusals(played, "try", REFEREE)
    assert known != [known[0]] * len(WORLDS), "the referee is told what differs"


@pytest.mark.parametrize("values", RANGES)
@pytest.mark.parametrize("words", ["try", "try 1", "try 3", "try 5"])
def test_what_is_not_among_hidden_values_tells_nothing(values: str, words: str) -> None:
    played = game("pay 5 pot", f"(x from {RANGES[values]})")
    told = refusals(played, words, 0)
    assert told == [told[0]] * len(WORLDS)

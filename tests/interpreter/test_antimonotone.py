"""What a part of a set already fails prunes the search, and changes nothing of what is offered."""

from __future__ import annotations

import random

import pytest

from dsl.load import Folder, load
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from tests.wasm.lockstep import Pair

YAML = """
game: melds
seats: 2
rules: [melds.rules]
types:
  suit: [reds, blues, greens]
  rank: {values: [r1, r2, r3, r4, r5], order: rising}
  face: {product: [suit, rank]}
components:
  card: {kinds: face, copies: {reds_r1: 2, reds_r2: 2, reds_r3: 1, reds_r4: 1, blues_r1: 2, blues_r2: 1,
    blues_r3: 1, blues_r5: 1, greens_r1: 1, greens_r2: 1, greens_r3: 1, greens_r4: 2}}
zones:
  stock: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  laid: {holds: card, seen_by: all}
counters: {turns: {range: 0..20}, points: {of: seat, range: 0..99}}
flow:
  deal: {do: [begin], then: turn}
  turn: {seat: rotates, do: [draw_one, {may do: [meld]}], then: {turns is 12: last, otherwise: turn}}
  last: {score: highest}
"""
RULES = """
procedure begin
    for seat
        move 5 from stock to hand of seat
procedure draw_one
    turns += 1
    move up to 1 from stock to hand of me
score points = points of me
action meld(NUMBER card from hand of me as same)
    CONDITION
    points of me += size(same)
    move all from same to laid
"""
PRUNING = {
    "all of one kind": "distinct(card.suit for card in same) is 1",
    "at most so many kinds": "distinct(card.rank for card in same) <= 2",
    "each for itself": "all(card.rank < r4 for card in same)",
    "none of them": "not any(card in same where card.suit is greens)",
    "few of a kind": "count(card in same where card.suit is reds) < 2",
    "a sum": "sum(ordinal(card.rank) for card in same) <= 7",
    "two at once": "distinct(card.suit for card in same) is 1 and all(card.rank < r5 for card in same)",
}
OTHERS = {
    "different ranks": "distinct(card.rank for card in same) is size(same)",
    "at least a sum": "sum(ordinal(card.rank) for card in same) >= 6",
    "a sum of what may fall": "sum(3 - ordinal(card.rank) for card in same) <= 1",
    "the best of all of them": "all(card.rank is max(other.rank for other in same) for card in same)",
    "one kind of some of them": "distinct(card.suit for card in same where card.rank >= r3) is 1",
    "any of them": "any(card in same where card.suit is greens)",
}
NUMBERS = ("3", "number: 2..4, number")


def game(number: str, condition: str) -> Game:
    rules = RULES.replace("NUMBER", number).replace("CONDITION", condition)
    texts = {"game.yaml": YAML, "melds.rules": rules}
    found, diagnostics = load(Folder("melds", lambda inner: texts[inner].encode()))
    assert found is not None, diagnostics
    return Game(found, compile_rules(found, 2))


def unpruned(condition: str) -> str:
    """The same condition, where the search does not look for it."""
    return f"let chosen = size(same)\n    needs chosen > 0\n    needs {condition}"


def story(played: Game, seed: int) -> list[tuple[list[str], str]]:
    """What was offered in a random match, and what was chosen."""
    match, chooser, told = Match(played, seed).start(), random.Random(seed), []
    while not match.over:
        decision = match.decisions()[0]
        choice = chooser.choice(decision.choices)
        told.append(([c.text for c in decision.choices], choice.text))
        match.choose(decision.seat, choice.text)
    return told


def early(played: Game) -> int:
    """How many preconditions stand between the decisions of a set."""
    nodes = played.machine.nodes
    inner = [
        n.next
        for n in nodes
        if isinstance(n, ir.Decide) and n.of_set is not None and n.of_set[0] < n.of_set[2]
    ]
    return sum(isinstance(nodes[number], ir.Precondition) for number in inner)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("condition", [*PRUNING.values(), *OTHERS.values()], ids=[*PRUNING, *OTHERS])
def test_the_same_is_offered_as_without_pruning(number: str, condition: str) -> None:
    one, other = game(number, f"needs {condition}"), game(number, unpruned(condition))
    assert early(other) == 0
    for seed in range(3):
        assert story(one, seed) == story(other, seed)


@pytest.mark.parametrize("condition", PRUNING.values(), ids=PRUNING)
def test_what_a_part_fails_is_asked_between_the_decisions(condition: str) -> None:
    assert early(game("3", f"needs {condition}")) > 0


@pytest.mark.parametrize("condition", OTHERS.values(), ids=OTHERS)
def test_what_more_values_may_mend_is_asked_at_the_end(condition: str) -> None:
    assert early(game("3", f"needs {condition}")) == 0


@pytest.mark.parametrize("condition", list(PRUNING.values())[:3], ids=list(PRUNING)[:3])
def test_both_executors_agree(condition: str) -> None:
    played = game(NUMBERS[1], f"needs {condition}")
    assert Pair(played.rules, played.machine).play(1, 60).choices > 0

"""What is chosen secretly while all choose at once, and laid open when all have chosen, is no leak."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from validators.check import CheckContext
from validators.checks import secret_told
from validators.secrecy.noninterference import Leak, leaks

YAML = """
game: demo
seats: 2..3
rules: [demo.rules]
types:
  kind: [crown, rose, thorn]
  area: [north, south, east]
components:
  card: {kinds: kind, count: 8}
  army: {count: 20}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  own: {holds: card, of: seat, seen_by: owner, counted_by: all}
  bid: {holds: card, of: seat, seen_by: all}
  row: {holds: card, seen_by: all, shared: first come}
  stock: {holds: army, seen_by: all, start: all, shared: first come}
  troops: {holds: army, of: seat, at: area, seen_by: all}
counters:
  points: {of: seat, range: 0..99, at_edge: clamp}
  said: {of: seat, range: 0..99, at_edge: clamp}
pointers:
  pick: {to: area, of: seat, seen_by: owner}
  open_pick: {to: area, of: seat}
flow:
  begin: {do: [deal], then: turn}
  turn: {do: [plays], then: {over: last, otherwise: turn}}
  last: {score: highest}
"""
RULES = """
procedure deal
    each seat in turn
        move 3 from deck to hand of me
    move 4 from deck to row
value over = size(hand of A) is 0 or points of A > 2
score points = points of me
procedure more
    for seat
        points of seat += 1

procedure plays"""
OPENED = {
    "a card": """
    each seat together
        choose card from hand of me secretly
        move card to bid of me
""",
    "a card in a zone that is shown": """
    each seat together
        choose card from hand of me secretly
        move card to own of me
    for seat
        show own of seat to all
        gain 1 points
    for seat
        move all from own of seat to bid of seat
""",
    "a card that is turned over behind the block": """
    each seat together
        choose card from hand of me secretly
        move card to own of me
    for seat
        move all from own of seat to bid of seat
""",
    "a card, or none": """
    each seat together
        may choose card from hand of me secretly
            move card to bid of me
    more
""",
    "a card or none, turned over behind the block": """
    each seat together
        may choose card from hand of me secretly
            move card to own of me
    for seat
        if own of seat is empty
            seat gains 2 points
        move all from own of seat to bid of seat
    more
""",
    "several cards": """
    each seat together
        choose up to 2 card from hand of me as g secretly
        move all from g to bid of me
    more
""",
    "card after card": """
    each seat together
        may keep choosing card from hand of me secretly
            move card to bid of me
    more
""",
    "a pointer that is shown": """
    each seat together
        choose area secretly
        pick of me = area
    for seat
        show pick of seat to all
        open_pick of seat = pick of seat
    more
""",
    "a pointer or none": """
    each seat together
        clear pick of me
        may choose area secretly
            pick of me = area
    for seat
        show pick of seat to all
        open_pick of seat = pick of seat
    more
""",
    "a pointer that is shown if there is one": """
    each seat together
        clear pick of me
        may choose area secretly
            pick of me = area
    for seat where pick of seat exists
        show pick of seat to all
        open_pick of seat = pick of seat
    more
""",
    "a pointer that all see": """
    each seat together
        choose area secretly
        open_pick of me = area
    more
""",
    "a number that all see": """
    each seat together
        choose number from 0..5 secretly
        said of me = number
    more
""",
    "where a piece goes": """
    each seat together
        choose area secretly
        go(area)
    more
procedure go(area)
    let there = area
    move 1 from stock to troops of me at there
""",
    "where a piece goes, once it is shown": """
    each seat together
        choose area secretly
        pick of me = area
    for seat
        show pick of seat to all
        if pick of seat exists
            move 1 from stock to troops of seat at (pick of seat)
    more
""",
    "a pointer and a card": """
    each seat together
        choose card from hand of me secretly
        move card to own of me
        choose area secretly
        pick of me = area
    for seat
        show pick of seat to all
        move all from own of seat to bid of seat
    more
""",
    "a card that is shown, shuffled in and dealt again": """
    each seat together
        choose card from hand of me secretly
        move card to own of me
    for seat
        show own of seat to all
        seat gains count(card in own of seat where card is crown) points
    move all from own + hand to deck
    for seat
        move 3 from deck to hand of seat
    more
""",
}
TOLD = {
    "a number pays": """
    each seat together
        choose number from 0..5 secretly
        gain number points
""",
    "a card pays, and stays hidden": """
    each seat together
        choose card from hand of me secretly
        if card is crown
            gain 1 points
        move card to own of me
    more
""",
    "a value pays": """
    each seat together
        choose area secretly
        if area is north
            gain 1 points
    more
""",
    "who declines is told": """
    each seat together
        may choose area secretly
            gain 1 points
    more
""",
    "who declines a card is told": """
    each seat together
        may choose card from hand of me secretly
            gain 1 points
    more
""",
    "a hand is shown, not which card was chosen": """
    each seat together
        choose card from hand of me secretly
        if card is crown
            gain 1 points
    show hand of A to all
    more
""",
    "a card that comes back before the hand is shown": """
    each seat together
        choose card from hand of me secretly
        if card is crown
            gain 1 points
        move card to own of me
    for seat
        move all from own of seat to hand of seat
    show hand of A to all
    more
""",
    "a card that stays where all see it": """
    each seat together
        choose card from row secretly
        if card is crown
            gain 1 points
    more
""",
    "a value is told before others choose": """
    each seat in turn
        choose area secretly
        open_pick of me = area
    more
""",
}


def game(rules: str, seats: int) -> Game:
    texts = {"game.yaml": YAML, "demo.rules": RULES + rules}
    found, _ = load(Folder("demo", lambda inner: texts[inner].encode()))
    return Game(found, compile_rules(found, seats))


def first_leak(rules: str, seats: int) -> Leak | None:
    made = game(rules, seats)
    seeds = 6 if seats == 2 else 3
    return next((leak for seed in range(seeds) for leak in leaks(made, seed, 24, at_table=True)), None)


@pytest.mark.parametrize("rules", OPENED.values(), ids=OPENED)
@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_laid_open_when_all_have_chosen_is_no_secret(rules: str, seats: int) -> None:
    assert first_leak(rules, seats) is None


@pytest.mark.parametrize("rules", TOLD.values(), ids=TOLD)
def test_what_only_follows_from_it_tells_it(rules: str) -> None:
    assert first_leak(rules, 2) is not None


def test_the_check_reports_none() -> None:
    context = CheckContext(game(OPENED["a card"], 2).rules)
    assert [f.message for f in secret_told.find(context)] == []

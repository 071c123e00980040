"""Small games in which every world can be counted, each with one way to hide something."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import open_game
from tests.games import game_of
from tests.wasm.lockstep import HEAD, small_rules

SUITS = """
types:
  suit: [red, blue]
  rank: {values: [one, two, three], order: rising}
  face: {product: [suit, rank]}
components:
  card: {kinds: face, count: 1}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  trick: {holds: card, of: seat, size: 1, seen_by: all}
  taken: {holds: card, seen_by: all}
"""
SUITS_FLOW = """
flow:
  deal: {do: [deal], then: trick}
  trick:
    do: [{each seat in turn: [{do one of: [play]}]}, take_trick]
    then: {hand is empty: final, otherwise: trick}
  final: {score: highest}
"""
SUITS_RULES = """
procedure deal
    each seat in turn
        move 2 from deck to hand of me
action play(card from hand of me)
    needs follows(card) or not any(x in hand of me where follows(x))
    move card to trick of me
value follows(card) = trick of opponent exists and card.suit is (trick of opponent).suit
procedure take_trick
    move all from trick to taken
score points = size(hand of me)
"""

FACE_DOWN = """
types:
  face: [sun, moon, star]
components:
  tile: {kinds: face, count: 2}
zones:
  bag: {holds: tile, order: shuffled, seen_by: count, start: all}
  row: {holds: tile, seen_by: count}
  hand: {holds: tile, of: seat, seen_by: owner, counted_by: all}
  shown: {holds: tile, of: seat, seen_by: all}
"""
FACE_DOWN_FLOW = """
flow:
  deal: {do: [deal], then: taking}
  taking: {do: [{each seat in turn: [take_one]}], then: showing}
  showing: {do: [{each seat in turn: [{may do: [show_moon]}]}], then: final}
  final: {score: highest}
"""
FACE_DOWN_RULES = """
procedure deal
    move 3 from bag to row
procedure take_one
    choose tile from row
    move tile to hand of me
action show_moon(tile from hand of me where tile is moon)
    move tile to shown of me
score points = size(shown of me)
"""

EXCHANGE = """
types:
  face: [rose, thorn]
components:
  card: {kinds: face, count: 3}
  die: {die: 1..2, count: 1}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  gift: {holds: card, of: seat, seen_by: owner, counted_by: all}
  laid: {holds: card, of: seat, seen_by: all}
  box: {holds: die, size: 1, seen_by: all, start: all}
counters:
  money: {of: seat, range: 0..9}
"""
EXCHANGE_FLOW = """
flow:
  deal: {do: [deal, exchange], then: round}
  round: {do: [earn, {each seat in turn: [{may do: [lay]}]}], then: final}
  final: {score: highest}
"""
EXCHANGE_RULES = """
procedure deal
    each seat in turn
        move 2 from deck to hand of me
procedure exchange
    each seat together
        choose card from hand of me
        move card to gift of me
    each seat in turn
        move all from gift of me to hand of opponent
procedure earn
    roll box
    for seat
        seat gains sum(die.face for die in box) money
action lay(card from hand of me)
    needs money of me >= (2 if card is rose else 1)
    pay (2 if card is rose else 1) money
    move card to laid of me
    move up to 1 from deck to hand of me
score points = size(laid of me)
"""

QUESTION = """
types:
  face: [king, queen, jack, ten]
components:
  card: {kinds: face, count: 1}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
counters:
  guesses: {of: seat, range: 0..1}
"""
QUESTION_FLOW = """
flow:
  deal: {do: [deal], then: guessing}
  guessing: {do: [{each seat in turn: [{may do: [accuse]}]}], then: final}
  final: {score: highest}
"""
QUESTION_RULES = """
procedure deal
    each seat in turn
        move 1 from deck to hand of me
action accuse
    needs any(card in hand of opponent where card is king or card is queen)
    guesses of me += 1
score points = guesses of me
"""

REFILL = """
types:
  face: [rose, thorn]
components:
  card: {kinds: face, count: 3}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all, when_empty: {refill: heap}}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  heap: {holds: card, seen_by: all}
counters:
  rounds: {range: 0..2}
"""
REFILL_FLOW = """
flow:
  deal: {do: [deal], then: round}
  round:
    do: [{each seat in turn: [draw_and_throw]}, end_round]
    then: {rounds is 2: final, otherwise: round}
  final: {score: highest}
"""
REFILL_RULES = """
procedure deal
    each seat in turn
        move 1 from deck to hand of me
procedure draw_and_throw
    move up to 1 from deck to hand of me
    choose card from hand of me
    move card to heap
procedure end_round
    rounds += 1
score points = count(card in hand of me where card is rose)
"""

DEALS = """
types:
  face: [rose, thorn]
components:
  card: {kinds: face, count: 2}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  laid: {holds: card, of: seat, seen_by: all}
counters:
  deals: {range: 0..2}
  roses: {of: seat, range: 0..2}
"""
DEALS_FLOW = """
flow:
  deal: {do: [deal, {each seat in turn: [{may do: [lay]}]}], then: {deals is 2: final, otherwise: deal}}
  final: {score: highest}
"""
DEALS_RULES = """
procedure deal
    for seat
        move all from laid of seat to deck
        move all from hand of seat to deck
    deals += 1
    each seat in turn
        move 1 from deck to hand of me
action lay(card from hand of me)
    let rose = 1 if card is rose else 0
    move card to laid of me
    roses of me += rose
score points = roses of me
"""

FOREHEAD = """
types:
  face: [sun, moon]
components:
  tile: {kinds: face, count: 3}
zones:
  bag: {holds: tile, order: shuffled, seen_by: count, start: all}
  row: {holds: tile, seen_by: count}
  hand: {holds: tile, of: seat, seen_by: others}
  heap: {holds: tile, seen_by: all}
"""
FOREHEAD_FLOW = """
flow:
  deal: {do: [deal], then: taking}
  taking: {do: [{each seat in turn: [take_two, {may do: [throw]}]}], then: final}
  final: {score: highest}
"""
FOREHEAD_RULES = """
procedure deal
    move 4 from bag to row
procedure take_two
    repeat 2 times
        choose tile from row
        move tile to hand of me
action throw(tile from hand of me)
    move tile to heap
score points = size(hand of me)
"""

CUPS = """
types:
  face: 1..3
components:
  die: {die: face, of: seat, count: 2}
zones:
  box: {holds: die, of: seat, shows: nothing, seen_by: all, start: all}
  cup: {holds: die, of: seat, seen_by: owner, counted_by: all}
counters:
  rounds: {range: 0..2}
  boasts: {of: seat, range: 0..2}
"""
CUPS_FLOW = """
flow:
  round:
    do: [throw, {each seat in turn: [{may do: [boast]}]}, lift]
    then: {rounds is 2: final, otherwise: round}
  final: {score: highest}
"""
CUPS_RULES = """
procedure throw
    each seat in turn
        move all from cup of me to box of me
        roll 2 - rounds from box of me to cup of me
action boast
    needs any(die in cup of me where die.face is 3)
    boasts of me += 1
procedure lift
    for seat
        show cup of seat to all
    rounds += 1
score points = boasts of me
"""

SEALED = """
counters:
  coins: {of: seat, range: 0..3, start: 3}
  bid: {of: seat, range: 0..3, seen_by: owner}
  rounds: {range: 0..2}
"""
SEALED_FLOW = """
flow:
  round: {do: [make_bids, pay_bids], then: {rounds is 2: final, otherwise: round}}
  final: {score: highest}
"""
SEALED_RULES = """
procedure make_bids
    each seat together
        choose number from 0..coins of me secretly
        bid of me = number
procedure pay_bids
    for seat
        show bid of seat to all
        coins of seat -= bid of seat
    rounds += 1
score points = coins of me
"""

SMALL = {
    "follow suit": (SUITS, SUITS_RULES, SUITS_FLOW),
    "face down": (FACE_DOWN, FACE_DOWN_RULES, FACE_DOWN_FLOW),
    "question": (QUESTION, QUESTION_RULES, QUESTION_FLOW),
    "exchange": (EXCHANGE, EXCHANGE_RULES, EXCHANGE_FLOW),
    "refill": (REFILL, REFILL_RULES, REFILL_FLOW),
    "forehead": (FOREHEAD, FOREHEAD_RULES, FOREHEAD_FLOW),
    "cups": (CUPS, CUPS_RULES, CUPS_FLOW),
    "sealed bids": (SEALED, SEALED_RULES, SEALED_FLOW),
}
BUNDLED = ("kuhn_poker", "leduc_poker")
EVERY = (*BUNDLED, *SMALL)
TWO_DEALS = "two deals"
"""A game in which all that was hidden is known again between two deals."""
SMALL_ROMA = "small roma"
"""Roma on two discs with ten cards of two kinds: an exchange of hidden cards, dice, a pile to choose from."""
PRESET = Path(__file__).parent / "presets" / "roma.yaml"


@cache
def opened(name: str) -> Game:
    """A small game, or a bundled one for two."""
    if name == SMALL_ROMA:
        return open_game("roma", 2, small=str(PRESET))
    if name in BUNDLED:
        return game_of(name, 2)
    yaml, rules, flow = (DEALS, DEALS_RULES, DEALS_FLOW) if name == TWO_DEALS else SMALL[name]
    made = small_rules(yaml, rules, flow, HEAD)
    return Game(made, compile_rules(made))


def played(game: Game, choices: int, seed: int) -> Match:
    """A match after so many choices at random, or at its end."""
    match, random = Match(game, seed).start(), Random(seed)
    while not match.over and len(match.history) < choices:
        waiting = random.choice(match.waiting())
        match.take(waiting, random.choice(waiting.options))
    return match

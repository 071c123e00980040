"""Boards and decks of hundreds: sets of any number of words are the same on both executors."""

from __future__ import annotations

import pytest

from dsl.rules import Rules
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT
from interpreter.wasm.emit.bit_boards import (
    MOST,
    MOST_CLASSES,
    board_bytes,
    boards,
    first_byte,
    piece_bytes,
    piece_sets,
)
from tests.wasm.batches import Rows
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.rollouts import Rollouts, reference_rows, same

BOARD = """
longest: 12
boards: {{cell: {{grid: [{side}, {side}], neighbours: all, directions: way}}}}
pointers: {{stone: {{at: cell, to: seat}}, last: {{to: cell}}}}
marks: {{burnt: {{at: cell}}}}
counters: {{points: {{of: seat, range: 0..9999}}}}
"""
STONES = """
action place(cell where stone at cell is none and not burnt at cell)
    needs last is none or cell is not last
    stone at cell = me
    last = cell
    for x in neighbours(cell)
        set burnt at x
    gain size(spread([cell], those(x in cell where stone at x is none))) points
    gain size(ray(cell, east)) points

action remove(cell where stone at cell is opponent)
    stone at cell = none

value full = count(cell where stone at cell exists) > 4

score stones = count(cell where burnt at cell) + points of me
"""
TURNS = "flow: {turn: {seat: rotates, do: [{do one of: [ACTIONS]}], then: {ENDED: fin, otherwise: turn}},"
DECK = """
longest: 40
components: {{card: {{table: cards.csv, columns: {{worth: 0..9}}}}}}
zones:
  deck: {{holds: card, order: shuffled, seen_by: count, start: all}}
  hand: {{holds: card, of: seat, seen_by: owner}}
  table: {{holds: card, of: seat, seen_by: all}}
counters: {{coins: {{of: seat, range: 0..9, start: 1}}}}
"""
CARDS = """
procedure deal
    each seat in turn
        move 20 from deck to hand of me

action play(card from hand of me where card.worth < 7)
    move card to table of me

action buy(card from hand of me)
    needs coins of me > 0
    needs card.worth > 2
    pay 1 coins
    move card to table of me
    move up to 1 from deck to hand of me

action take(card from table of opponent)
    needs not any(other in table of me where other.worth >= card.worth)
    move card to hand of me

value spent = size(table of A) + size(table of B) > 12

score worth = sum(card.worth for card in table of me) + size(hand of me)
"""


def stones(side: int) -> Rules:
    turns = TURNS.replace("ACTIONS", "place, remove").replace("ENDED", "full")
    return small_rules(BOARD.format(side=side), STONES, f"{turns} fin: {{score: highest}}}}\n")


def cards(number: int) -> Rules:
    turns = TURNS.replace("do one of: [ACTIONS]", "may do: [play, buy, take]").replace("ENDED", "spent")
    turns = turns.replace("flow: {", "flow: {first: {do: [deal], then: turn}, ")
    table = "card,worth\n" + "".join(f"c{i},{i % 10}\n" for i in range(number))
    files = {"cards.csv": table}
    return small_rules(DECK.format(), CARDS, f"{turns} fin: {{score: highest}}}}\n", **files)


RULES = {
    "449 and more places": lambda: stones(22),
    "as many places as have sets": lambda: stones(32),
    "more places than have sets": lambda: stones(33),
    "64 cards": lambda: cards(64),
    "576 cards": lambda: cards(576),
    "as many cards as have sets": lambda: cards(MOST_CLASSES),
    "more cards than have sets": lambda: cards(MOST_CLASSES + 1),
}


def agree(rules: Rules) -> None:
    """By choices, by themselves, and side by side; what is kept beside the state follows it."""
    machine = compile_rules(rules)
    assert Pair(rules, machine).play(1).over
    rows = reference_rows(rules, machine, (3, 4))
    for config in (PLAYOUT, FAST):
        same(Rollouts(machine, config), 3, rows)
    Rows(Game(rules, machine), 2, 7).play(30)
    kept = boards(machine)
    first = first_byte(machine)
    sets = piece_sets(machine, first + sum(board.bytes for board in kept.values()))
    rollouts = Rollouts(machine, FLAT)
    assert rollouts.run(5, 3) == 3
    wanted = board_bytes(kept, rollouts.state()) + piece_bytes(machine, sets, rollouts.state())
    assert rollouts.instance.read_bytes(rollouts.map["state"] + first, len(wanted)) == wanted


def test_places() -> None:
    agree(stones(24))


def test_cards() -> None:
    agree(cards(104))


@pytest.mark.parametrize("name", RULES)
def test_other_sizes(name: str) -> None:
    agree(RULES[name]())


def test_sizes_on_both_sides_of_the_limits() -> None:
    assert (MOST, MOST_CLASSES) == (32 * 32, 1024)
    assert boards(compile_rules(stones(32)))
    assert not boards(compile_rules(stones(33)))

"""Rounds that come to an end by an idiom of some game, and the same game with that taken away."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from validators.check import CheckContext, Finding
from validators.checks import endless_round, pass_for_ever
from validators.flow.cycles import begun_at, joined
from validators.flow.graph import Edge
from validators.run_checks import run_checks

HEAD = "game: demo\nseats: 2\nrules: [demo.rules]\n"
TURN = """
flow:
  turn: {seat: rotates, do: [{do one of: [ACTIONS]}], then: {over: final, otherwise: turn}}
  final: {score: none}
"""
BOARD = """
boards: {cell: {grid: [4, 4]}}
components: {man: {of: seat, count: 4}}
zones:
  board: {holds: man, at: cell, size: 1, seen_by: all}
  box: {holds: man, of: seat, seen_by: all, start: all}
"""
MOVES = """
procedure set_up
    for seat
        for cell where cell.row is (1 if seat is A else 4)
            move 1 from box of seat to board at cell
action go(man from board where man.seat is me, cell from neighbours(man.cell)
        where board at cell is empty or (board at cell).seat is not me)
    quiet += 1
    if board at cell exists
        move board at cell to taken
        quiet = 0
    FORWARD
    move man to board at cell
value over = quiet is 20
"""
QUIET = (
    HEAD
    + BOARD
    + "  taken: {holds: man, seen_by: all}\ncounters: {quiet: {range: 0..20}}\n"
    + TURN.replace("ACTIONS", "go").replace("flow:\n", "flow:\n  set_up: {do: [set_up], then: turn}\n")
)
DIGITS = HEAD + "counters: {units: {range: 0..10}, tens: {range: 0..3}}\n" + TURN.replace("ACTIONS", "tick")
TICK = """
action tick(number: 1..2)
    units += 1
    if units is 10
        units = 0
        tens += TENS
value over = tens is 3
"""
TRICKS = (
    HEAD
    + """
components: {card: {kinds: rank, count: 2}}
types: {rank: 1..4}
zones:
  deck: {holds: card, seen_by: count, order: shuffled, start: all}
  hand: {holds: card, of: seat, seen_by: owner}
  won: {holds: card, of: seat, seen_by: all}
counters: {points: {of: seat, range: 0..400}}
flow:
  deal: {do: [deal], then: trick}
  trick: {do: [play_trick], then: {hand_over: count, otherwise: trick}}
  count: {do: [count_up], then: {over: final, otherwise: deal}}
  final: {score: lowest}
"""
)
TRICK_RULES = """
procedure deal
    for seat
        move all from won of seat to deck
    for seat
        move 4 from deck to hand of seat
procedure play_trick
    each seat in turn
        choose card from hand of me
        move card to won of me
procedure count_up
    for seat
        points of seat += sum(AMOUNT for card in won of seat)
value hand_over = all(hand of seat is empty for seat)
value over = any(seat where points of seat >= 40)
score points = points of me
"""
YEAR = (
    HEAD
    + """
components: {card: {count: 20}}
zones:
  deck: {holds: card, seen_by: count, start: all}
  shown: {holds: card, seen_by: all}
counters: {coins: {of: seat, range: 0..9, start: 3, at_edge: clamp}}
flow:
  year: {do: [turn_up, {each seat in turn: [{may do: [buy]}]}], then: {over: final, otherwise: year}}
  final: {score: highest}
"""
)
BUY = """
procedure turn_up
    TURN_UP
action buy
    pay 1 coins
value over = deck is empty
score coins = coins of me
"""
GO = (
    HEAD
    + """
boards: {cell: {grid: [3, 3]}}
pointers: {stone: {at: cell, to: seat}}
counters: {passes: {range: 0..2}}
histories: {position: {of: [stone], most: 200}}
"""
    + TURN.replace("ACTIONS", "place, skip").replace("score: none", "score: highest")
)
STONES = """
action place(cell where stone at cell is none)
    stone at cell = me
    for other in neighbours(cell) where stone at other is opponent
            and not any(y in neighbours(other) where stone at y is none)
        clear stone at other
    RECORD
    passes = 0
action skip
    passes += 1
value over = passes is 2
score area = count(cell where stone at cell is me)
"""
MELDS = (
    HEAD
    + """
types: {suit: [clubs, spades], rank: 1..4, face: {product: [suit, rank]}}
components: {card: {kinds: face, count: 2}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  table: {holds: card, of: seat, seen_by: all}
  heap: {holds: card, order: pile, seen_by: all}
flow:
  deal: {do: [deal], then: turn}
  turn:
    seat: rotates
    do: [draw_cards, {may keep doing: [meld], named: melds}, throw_away]
    then: {over: final, otherwise: turn}
  final: {score: highest}
"""
)
MELD = """
procedure deal
    each seat in turn
        move 4 from deck to hand of me
procedure draw_cards
    move up to 2 from deck to hand of me
action meld(3 card from hand of me as same)
    needs distinct(card.rank for card in same) is 1
    move all from same to table of me
procedure throw_away
    choose min(1, size(hand of me)) card from hand of me as thrown
    move all from thrown to THROWN
    may choose up to 2 card from hand of me where card.rank is 2
        move card to THROWN
    else
        nothing
value over = deck is empty or any(seat where hand of seat is empty)
score laid = size(table of me)
"""


SHUFFLED = YEAR.replace("seen_by: count, start", "order: shuffled, seen_by: count, start").replace(
    "over: final", "coins of A is 9: final"
)
PILES = (
    HEAD
    + """
components: {card: {count: 20}}
zones:
  deck: {holds: card, seen_by: count, start: all}
  heap: {holds: card, seen_by: all}
counters: {quiet: {range: 0..9}}
"""
    + TURN.replace("ACTIONS", "take")
)
PILE = """
action take
    needs size(deck) >= 3
    move 3 from deck to heap
    quiet = 0
value over = size(deck) < 3
"""
STACKS = (
    HEAD
    + """
components: {cube: {count: 6}}
zones:
  left: {holds: cube, seen_by: all, start: all}
  middle: {holds: cube, seen_by: all}
  right: {holds: cube, seen_by: all}
"""
    + TURN.replace("ACTIONS", "lift, back")
)
LIFT = """
action lift(cube from left + middle)
    move cube to right
action back
    needs size(right) > 0
    move 1 from right to BACK
value over = size(right) is 6
"""


def found(game: str, rules: str) -> list[str]:
    """The codes that are found."""
    return [finding.code for finding in findings(game, rules)]


def findings(game: str, rules: str) -> list[Finding]:
    files = {"game.yaml": game, "demo.rules": rules}
    loaded, report = load(Folder("demo", lambda path: files[path].encode()))
    assert not report.has_errors, [str(d) for d in report.diagnostics]
    for seats in range(loaded.seats[0], loaded.seats[1] + 1):
        compile_rules(loaded, seats)
    said = run_checks(CheckContext(loaded), 600, checks=(endless_round.CHECK, pass_for_ever.CHECK))
    return sorted(said.findings, key=lambda finding: finding.code)


ENDING = {
    "quiet moves": (QUIET, MOVES.replace("FORWARD", "nothing")),
    "quiet moves, and captures apart from them": (
        QUIET,
        MOVES.replace("    quiet += 1\n", "").replace(
            "quiet = 0\n    FORWARD", "quiet = 0\n    else\n        quiet += 1"
        ),
    ),
    "two digits": (DIGITS, TICK.replace("TENS", "1")),
    "sums of cards": (TRICKS, TRICK_RULES.replace("AMOUNT", "card.rank")),
    "a pile runs out": (YEAR, BUY.replace("TURN_UP", "move 2 from deck to shown")),
    "up to two cards are drawn": (MELDS, MELD.replace("THROWN", "heap")),
    "so many cards are drawn": (SHUFFLED, BUY.replace("TURN_UP", "move 2 from deck to shown")),
    "so many cards are taken": (PILES, PILE),
    "positions never come again": (
        GO,
        STONES.replace("RECORD", "needs times(position) is 0\n    record position"),
    ),
}
ENDLESS = {
    "any move is progress": (
        QUIET,
        MOVES.replace("FORWARD", "if man.cell.row is 2\n        quiet = 0"),
        ["V304"],
    ),
    "tens do not rise": (DIGITS, TICK.replace("TENS", "0"), ["V304"]),
    "cards may be worth nothing": (TRICKS, TRICK_RULES.replace("AMOUNT", "0"), ["V304"]),
    "a pile comes back": (
        YEAR,
        BUY.replace("TURN_UP", "move all from shown to deck\n    move 2 from deck to shown"),
        ["V305"],
    ),
    "thrown cards are drawn again": (
        MELDS,
        MELD.replace("up to 2 from", "up to 1 from").replace("THROWN", "deck"),
        ["V304"],
    ),
    "from one of two zones, and back to one of them": (STACKS, LIFT.replace("BACK", "middle"), ["V304"]),
    "up to so many cards are drawn, and none may be left": (
        SHUFFLED,
        BUY.replace("TURN_UP", "move up to 2 from deck to shown"),
        ["V305"],
    ),
    "so many cards are taken and laid back": (
        PILES,
        PILE.replace("quiet = 0", "move 3 from heap to deck"),
        ["V304"],
    ),
    "positions come again": (GO, STONES.replace("RECORD", "nothing"), ["V304"]),
}


@pytest.mark.parametrize("name", ENDING)
def test_rounds_that_end(name: str) -> None:
    assert found(*ENDING[name]) == []


@pytest.mark.parametrize("name", ENDLESS)
def test_rounds_without_an_end(name: str) -> None:
    game, rules, codes = ENDLESS[name]
    assert found(game, rules) == codes


def test_a_cycle_that_brings_something_back_is_walked_as_a_whole() -> None:
    def walk(*nodes: int) -> tuple[Edge, ...]:
        return tuple(Edge(a, b, "on") for a, b in pairwise(nodes))

    cycle, other = walk(1, 2, 1), walk(3, 2, 3)
    assert joined(cycle, other) == walk(1, 2, 3, 2, 1)
    assert joined(other, cycle) == walk(3, 2, 1, 2, 3)
    assert joined(cycle, walk(3, 4, 3)) is None
    assert begun_at(other, 2) == walk(2, 3, 2)
    assert begun_at(other, 1) is None


def test_the_sum_that_would_prove_the_end_is_named() -> None:
    """Sums over zones are no measure: a counter beside them would be."""
    (finding,) = findings(TRICKS, TRICK_RULES.replace("AMOUNT", "0").replace("points of seat >= 40", WON))
    assert "if `sum(card.rank for card in won of seat)` were a counter" in (finding.help or "")
    (finding,) = findings(TRICKS, TRICK_RULES.replace("AMOUNT", "0"))
    assert "were a counter" not in (finding.help or "")


WON = "sum(card.rank for card in won of seat) > 90"

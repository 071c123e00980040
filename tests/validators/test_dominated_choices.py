"""Decisions with a choice that only loses, and the same decisions where something speaks for it."""

from __future__ import annotations

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from validators.check import CheckContext
from validators.checks import dominated_choice
from validators.run_checks import run_checks

CARDS = """game: demo
seats: 2
rules: [demo.rules]
types:
  height: [low, middle, high]
components:
  card: {kinds: height, count: 1}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: owner, counted_by: all}
  shown: {holds: card, of: seat, seen_by: all}
counters:
  chips: {of: seat, range: 0..20, start: 5, bank: pot}
  pot: {range: 0..20, start: 2}
  rounds: {range: 0..3}
flow:
  deal: {do: [deal], then: answer}
  answer: {seat: rotates, do: [DECISION], then: AFTER}
  fin: {score: highest}
"""
PLAIN = """game: demo
seats: 2
rules: [demo.rules]
boards: {cell: {grid: [2, 2]}}
counters:
  points: {of: seat, range: 0..9, start: 2}
  coins: {of: seat, range: 0..9, start: 2}
marks: {taken: {at: cell}}
flow:
  turn: {seat: rotates, do: [DECISION], then: fin}
  fin: {score: highest}
score points = points of me
"""
DEAL = """
procedure deal
    rounds += 1
    move all from hand + shown to deck
    each seat in turn
        move 1 from deck to hand of me
value strength(seat) = sum(ordinal(card.height) for card in shown of seat)
procedure compare
    for seat
        move all from hand of seat to shown of seat
    for seat where strength(seat) > strength(next(seat))
        seat gains pot chips
score chips = chips of me
"""
FOLD = "action fold\n    opponent gains pot chips\n"
CALL = "action call\n    pay PRICE chips\n    compare\n"
ONE_OF = "{do one of: [fold, call]}"
ROUNDS = "{rounds is 3: fin, otherwise: deal}"
POINTS = "score points = points of me\n"


def lesser(game: str, rules: str) -> list[str]:
    """What only loses in a ruleset."""
    files = {"game.yaml": game, "demo.rules": rules}
    read, _ = load(Folder("demo", lambda path: files[path].encode()))
    compile_rules(read, 2)
    found = run_checks(CheckContext(read), 600, checks=[dominated_choice.CHECK]).findings
    return [getattr(finding, "lesser", "") for finding in found]


def cards(rules: str, decision: str = ONE_OF, after: str = "fin") -> list[str]:
    return lesser(CARDS.replace("DECISION", decision).replace("AFTER", after), DEAL + rules)


def open_game(rules: str, decision: str) -> list[str]:
    return lesser(PLAIN.replace("DECISION", decision).replace(POINTS, ""), rules + POINTS)


def test_to_fold_where_calling_costs_nothing_only_loses() -> None:
    assert cards(FOLD + CALL.replace("PRICE", "0")) == ["`fold`"]


def test_to_fold_where_calling_costs_something_may_be_right() -> None:
    assert cards(FOLD + CALL.replace("PRICE", "1")) == []


def test_a_match_need_not_end_with_what_a_choice_comes_to() -> None:
    free, paid = (FOLD + CALL.replace("PRICE", price) for price in "01")
    assert cards(free, after=ROUNDS) == ["`fold`"]
    assert cards(paid, after=ROUNDS) == []


def test_to_decline_is_a_choice_as_well() -> None:
    ask = "procedure ask\n    may do call\n    else\n        opponent gains pot chips\n"
    assert cards(ask + CALL.replace("PRICE", "0"), "ask") == ["`pass`"]
    assert cards(ask + CALL.replace("PRICE", "1"), "ask") == []


def test_what_only_its_holder_knows_is_no_reason_not_to_ask() -> None:
    """Whoever holds the highest card only loses by folding, but not to ask would tell everybody."""
    held = "those(card in deck where card.height is (high if me is A else low))"
    known = DEAL.replace("move 1 from deck", f"move 1 from {held}") + FOLD
    game = CARDS.replace("DECISION", ONE_OF).replace("AFTER", "fin")
    assert lesser(game, known + CALL.replace("PRICE", "1")) == []
    assert lesser(game, known + CALL.replace("PRICE", "0")) == ["`fold`"]


def test_what_is_offered_only_to_some_hands_is_no_reason_not_to_ask() -> None:
    call = "action call\n    needs any(card in hand of me where card.height is high)\n    compare\n"
    assert cards(FOLD + call) == []


def test_a_bad_last_move_is_a_move() -> None:
    rules = "action take(cell)\n    set taken at cell\n    gain (3 if cell is a1 else 0) points\n"
    assert open_game(rules, "{do one of: [take]}") == []


def test_a_last_purchase_costs_something() -> None:
    assert open_game("action buy\n    pay 1 coins\n    gain 3 points\n", "{may do: [buy]}") == []


def test_a_gift_that_helps_the_others_as_much_may_be_declined() -> None:
    rules = "action share\n    gain 1 points\n    opponent gains 1 points\n"
    assert open_game(rules, "{may do: [share]}") == []


def test_a_gain_is_declined_only_at_the_end() -> None:
    """At the end of a match there is always something that could have been done."""
    gift = "action accept\n    gain 1 chips\n"
    assert cards(gift, "{may do: [accept]}") == []
    assert cards(gift, "{may do: [accept]}", ROUNDS) == ["`pass`"]


def test_another_decision_in_between_leaves_it_open() -> None:
    rules = "action accept\n    gain 1 points\n    choose cell\n    set taken at cell\n"
    assert open_game(rules, "{may do: [accept]}") == []

"""Conditions that are the same in every position, idioms that look like them, and winners in loops."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from validators.check import CheckContext, Finding
from validators.checks import constant_condition, first_winner_only

GAME = """
game: demo
seats: 2..3
rules: [demo.rules]
options: {long: {default: false}, goal: {range: 1..12, default: 12}}
constants: {most: 6, hand_size: {by_seats: {2: 7, 3: 6}}}
types:
  month: {values: [march, april, june, july], order: rising}
  slot: 1..4
boards:
  place: {graph: [north, south, wood, hill], links: {north: [south, wood], wood: [hill]}}
  city: {part_of: place, values: [north, south]}
  field: {part_of: place, values: [hill]}
components: {card: {kinds: month, count: 2}}
zones:
  deck: {holds: card, order: shuffled, seen_by: count, start: all}
  hand: {holds: card, of: seat, seen_by: all}
counters:
  coins: {of: seat, range: 0..6}
  debts: {range: -3..3}
  height: {at: place, range: 0..9}
  steps: {range: 0..goal}
pointers:
  now: {to: month, start: march}
  lead: {to: seat}
  at_slot: {to: slot, start: 1}
marks: {out: {of: seat}}
flow:
  only: {do: [{do one of: [act]}], score: highest}
"""
RULES = """
value standing = count(seat where not out of seat)
action act(place, city, field, slot)
    if CONDITION
        coins of me = 1
score coins = coins of me
"""
ALWAYS = {
    "coins of me >= 0": (True, "`coins of me` is 0..6"),
    "coins of me > 6": (False, "`coins of me` is 0..6"),
    "coins of me - debts < 10": (True, "`coins of me - debts` is -3..9"),
    "size(hand of me) >= 0": (True, "`size(hand of me)` is 0..8"),
    "count(seat where out of seat) > 3": (False, "is 0..3"),
    "slot in 0..5": (True, "`slot` is 1 to 4"),
    "place is place": (True, "both sides are `place`"),
    "any(x in neighbours(place) where height at x < height at x)": (False, "both sides are `height at x`"),
    "coins of me is 2 and coins of me is 3": (False, "exclude each other"),
    "coins of me < 2 or coins of me > 1": (True, "one of"),
    "now is march and now is april": (False, "exclude each other"),
    "now is not march or now is not april": (True, "one of"),
    "place is not north and place is not south and place is not wood and place is not hill": (
        False,
        "exclude",
    ),
    "out of me and coins of me > 2 and not out of me": (False, "`out of me`"),
    "coins of me > debts or not (coins of me > debts)": (True, "one of"),
    "coins of me > debts or coins of me <= debts": (True, "one of"),
    "lead is me and lead is not me": (False, "exclude each other"),
    "lead is none and lead is A": (False, "exclude each other"),
    "field in neighbours(city)": (False, "none of the values of `field`"),
}
OPEN = (
    "coins of me >= 1",
    "coins of me >= most",
    "most > 3",
    "most > 3 and long",
    "seats_playing > 2",
    "steps <= 11",
    "hand_size is 7",
    "coins of me > 1 and coins of me > 2",
    "coins of me is 2 or coins of me is 3",
    "now is march or now is april",
    "now is not march and now is not april",
    "lead is none or lead is me",
    "lead is not none or coins of me > 2",
    "place is not north and place is not south",
    "city in neighbours(place)",
    "any(x in neighbours(place) where height at x < height at place)",
    "out of me and not out of next(me)",
    "any(x in hand of me where x is march) and any(x in hand of me where x is april)",
    "any(card in deck + hand where card.seat exists or card is march)",
    "any(card in deck + hand where card.seat exists or card is not march)",
    "any(card in hand of me + deck where card.seat in seats)",
    "true",
)


def findings(condition: str) -> list[Finding]:
    files = {"game.yaml": GAME, "demo.rules": RULES.replace("CONDITION", condition)}
    loaded, report = load(Folder("demo", lambda path: files[path].encode()))
    assert not report.has_errors, [str(d) for d in report.diagnostics]
    return list(constant_condition.find(CheckContext(loaded)))


@pytest.mark.parametrize("condition", ALWAYS)
def test_what_is_always_the_same_is_found(condition: str) -> None:
    said = ALWAYS[condition]
    (found,) = findings(condition)
    assert f"is always {str(said[0]).lower()}" in found.message
    assert found.pointer.startswith("in `act`: ")
    assert said[1] in found.pointer
    assert found.span.text in condition


@pytest.mark.parametrize("condition", OPEN)
def test_what_depends_on_the_position_or_the_variant_is_not(condition: str) -> None:
    assert findings(condition) == []


# ---- winners in loops

LOOPS = {
    "a goal": "for seat where coins of seat is 6\n        seat wins",
    "a procedure": "for seat where coins of seat is 6\n        crown(seat)",
    "a count of others": "if count(seat where out of seat) is 1\n"
    "        for seat where not out of seat\n            seat wins",
}
ALONE = {
    "the last one": "if count(seat where not out of seat) is 1\n"
    "        for other in seats where not out of other\n            other wins",
    "the last one by a value": "if standing is 1 and coins of me > 2\n"
    "        for seat where not out of seat\n            seat wins",
    "the first in an order": "for seat by coins of seat\n        seat wins",
    "somebody else": "for seat where coins of seat is 6\n        me wins",
}


def winners(lines: str) -> list[str]:
    rules = "value standing = count(seat where not out of seat)\nprocedure crown(seat)\n    seat wins\n"
    rules += f"action act\n    {lines}\n"
    files = {"game.yaml": GAME, "demo.rules": rules + "score coins = coins of me\n"}
    loaded, report = load(Folder("demo", lambda path: files[path].encode()))
    assert not report.has_errors, [str(d) for d in report.diagnostics]
    return [found.span.text for found in first_winner_only.find(CheckContext(loaded))]


@pytest.mark.parametrize("lines", LOOPS.values(), ids=LOOPS)
def test_a_winner_in_a_loop_is_found(lines: str) -> None:
    assert len(winners(lines)) == 1


@pytest.mark.parametrize("lines", ALONE.values(), ids=ALONE)
def test_a_loop_over_one_seat_may_declare_it(lines: str) -> None:
    assert winners(lines) == []

"""What only the rules remember: found by where rules read it, and put aside unless a look says otherwise."""

from __future__ import annotations

import pytest

from dsl.rules import Rules
from rulewright.layout.bookkeeping import bookkeeping
from rulewright.layout.compose import scene
from tests.layout.made_up import rules_of

GAME = """boards: {field: {grid: [3, 3]}}
marks:
  spoken: {of: seat, lasts: turn}
  held: {of: seat}
  wet: {at: field}
counters:
  tries: {range: 0..9, lasts: turn}
  left: {range: 0..9, start: 9}
  bid: {range: 0..9}
  points: {of: seat, range: 0..99}
pointers:
  stone: {at: field, to: seat}
flow:
  turn:
    seat: rotates
    do: [{do one of: [speak, offer, put]}]
    then: {left is 0: final, otherwise: turn}
  final: {score: highest}
"""
CODE = """action speak
  needs not spoken of me
  needs tries < 3
  set spoken of me
  tries += 1
  left -= 1
  if held of me
    points of me += 1

action offer(n from 1..9)
  needs n > bid
  bid = n
  set held of me

action put(f from field where not wet at f)
  set wet at f
  stone at f = me

score points = points of me
"""


def game(code: str = CODE, look: str = "") -> Rules:
    files = {"demo_rules": code} | ({"look_yaml": look} if look else {})
    return rules_of(("look: look.yaml\n" if look else "") + GAME, **files)


def test_only_what_is_asked_and_never_needed_is_bookkeeping() -> None:
    assert bookkeeping(game()) == {"spoken", "tries"}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("score talk = 1 if spoken of me else 0", "spoken"),
        ("score talk = tries", "tries"),
    ],
)
def test_what_a_score_reads_is_shown(line: str, name: str) -> None:
    assert name not in bookkeeping(game(f"{CODE}\n{line}\n"))


def test_where_points_are_given_for_a_flag_it_is_shown() -> None:
    without = CODE.replace("  if held of me\n    points of me += 1\n", "  needs not held of me\n")
    assert "held" in bookkeeping(game(without))
    assert "held" not in bookkeeping(game())


def test_it_stands_aside_unless_a_look_names_it() -> None:
    drawn = scene(game(), 2).variables
    assert (drawn["spoken"].area, drawn["left"].area, drawn["wet"].area) == ("aside", "shared", "board")
    looked = scene(game(look="marks: {spoken: mark, held: {area: aside}}\n"), 2).variables
    assert (looked["spoken"].area, looked["held"].area) == ("seat", "aside")


def test_a_board_with_nothing_but_bookkeeping_is_not_drawn() -> None:
    text = GAME.replace("held: {of: seat}", "held: {of: seat}\n  gone: {of: seat, at: way}").replace(
        "grid: [3, 3]", "grid: [3, 3], directions: {way: [north, south]}"
    )
    code = CODE.replace("needs tries < 3", "needs not gone of me at north")
    assert "way" not in scene(rules_of(text, demo_rules=code), 2).boards

"""Rules that are read for several configurations have one text, so that their places can be compared."""

from __future__ import annotations

from pathlib import Path

from dsl.load import load
from rulewright.library import folder
from validators.check import CheckContext
from validators.checks.unreachable_line import find

GAME = """\
game: g
seats: 2
rules: [g.rules]
options: {width: {range: 2..3, default: 3}, rich: {default: false}}
boards: {cell: {line: width}}
counters: {points: {at: cell, range: 0..99}, rounds: {range: 0..9}}
flow:
  turn: {seat: rotates, do: [{do one of: [take]}], then: {rounds > 5: final, otherwise: turn}}
  final: {score: none}
"""
RULES = """\
action take(cell)
    gain 1 rounds
    if rich
        gain 1 points at cell
"""


def test_a_line_of_an_option_is_reached_where_another_option_sizes_the_board(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "g.rules").write_text(RULES, encoding="utf-8")
    rules, _ = load(folder(tmp_path, "g"))
    small, large = (rules.configured(2, {"width": n, "rich": 0}) for n in (2, 3))
    assert small.routines["take"].span == large.routines["take"].span == rules.routines["take"].span
    assert not list(find(CheckContext(rules)))

"""A parameter that need not be asked for when there is one value alone: it is chosen within the action."""

from __future__ import annotations

import pytest

from dsl.load import Folder, load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match

YAML = b"""game: plots
seats: 2
rules: [demo.rules]
types:
  good: [wheat, wool]
  plot: 1..3
marks:
  taken: {at: plot}
counters:
  grown: {of: seat, range: 0..9}
flow:
  turn: {seat: rotates, do: [{do one of: [plant, rest]}], then: {full: end, otherwise: turn}}
  end: {score: highest}
"""
RULES = b"""
value full = grown of A > 3
action plant(good)
    choose plot where taken at plot is false if several
    set taken at plot
    grown of me += 2 if good is wheat else 1
action rest
    grown of me += 1
score grown = grown of me
"""


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_value_that_is_chosen_within_the_action(executor: str) -> None:
    """Asked for among several, taken if it is the only one; without any the action is not offered."""
    files = {"game.yaml": YAML, "demo.rules": RULES}
    rules, report = load(Folder("plots", files.__getitem__))
    assert not list(report), [m.message for m in report]
    made = Game(rules, compile_rules(rules, 2), "wasm" if executor == "wasm" else "reference")
    for taken, asked in ((0, True), (1, True), (2, False)):
        match = Match.from_position(made, {f"taken at {plot}": True for plot in range(1, taken + 1)})
        match.choose("A", "plant wool")
        assert (match.decisions()[0].name == "plot") == asked
        if asked:
            assert not match.view(0).marks["taken at 3"]
            match.choose("A", "3")
        assert match.view(0).marks["taken at 3"]
        assert match.decisions()[0].seat == "B"
    match = Match.from_position(made, {f"taken at {plot}": True for plot in (1, 2, 3)})
    assert [choice.text for choice in match.decisions()[0].choices] == ["rest"]

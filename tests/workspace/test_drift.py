"""Places of a text in a later one, and answers by what was known before an edit."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from dsl.source import Source, Span
from dsl.workspace.drift import Drift, TouchedByEdit
from rulewright.editors.open_rulesets import OpenRuleset, OpenRulesets
from rulewright.lsp import features
from rulewright.lsp.positions import position
from tests.lsp.conftest import game as game
from tests.workspace.edited import files_of


@pytest.mark.parametrize("seed", range(40))
def test_what_lies_beside_a_change_keeps_its_text(seed: int) -> None:
    rng = random.Random(seed)
    old = "".join(rng.choices("ab \n", k=60))
    start = rng.randrange(60)
    end = rng.randrange(start, 61)
    new = old[:start] + "".join(rng.choices("ab \n", k=rng.randrange(8))) + old[end:]
    drift = Drift(Source("old", old), Source("new", new))
    for first in range(60):
        span = Span(drift.known, first, min(60, first + 3))
        try:
            moved = drift.forward(span)
        except TouchedByEdit:
            continue
        assert moved.text == span.text or first <= drift.head <= span.end
    assert old[: drift.head] == new[: drift.head]
    assert old[len(old) - drift.tail :] == new[len(new) - drift.tail :]
    assert drift.head + drift.tail <= min(len(old), len(new))


def test_a_word_that_grows_is_touched() -> None:
    drift = Drift(Source("x", "gain 1 pot\ngain 2 pot\n"), Source("x", "gain 1 pott\ngain 2 pot\n"))
    with pytest.raises(TouchedByEdit):
        drift.unchanged(9)
    assert drift.unchanged(20) == 19
    assert drift.unchanged(2) == 2


@pytest.fixture
def edited(game: Path) -> OpenRuleset:
    """A game whose latest edit was not read yet: a line more at the top of its rules."""
    ruleset = OpenRulesets().of((game / "pig.rules").as_uri())
    assert ruleset is not None
    ruleset.know(ruleset.workspace.snapshot(), 0)
    ruleset.edit("pig.rules", "value more = po\n" + files_of("pig")["pig.rules"].decode())
    return ruleset


def place(drift: Drift, text: str) -> lsp.Position:
    return position(drift.later, drift.later.text.index(text))


def test_hover_and_definition_are_answered_before_an_edit_is_read(edited: OpenRuleset) -> None:
    drift = edited.drift("pig.rules")
    assert drift is not None
    at = place(drift, "pot")
    found = features.early_hover(edited, drift, at)
    assert found is not None
    assert found.range is not None
    assert found.range.start == at
    (declared,) = features.early_definitions(edited, drift, at)
    assert declared.uri.endswith("game.yaml")
    assert edited.known < edited.version


def test_declarations_are_found_where_they_have_moved_to(edited: OpenRuleset) -> None:
    drift = edited.drift("pig.rules")
    assert drift is not None
    name = next(each for each in ("throw", "hold") if f"action {each}" in drift.later.text)
    at = position(drift.later, drift.later.text.index(f"action {name}") + 7)
    (declared,) = features.early_definitions(edited, drift, at)
    assert declared.range.start == at


def test_what_the_edit_touched_is_not_answered(edited: OpenRuleset) -> None:
    drift = edited.drift("pig.rules")
    assert drift is not None
    with pytest.raises(TouchedByEdit):
        features.early_hover(edited, drift, lsp.Position(0, 14))


def test_completion_knows_the_new_text(edited: OpenRuleset) -> None:
    drift = edited.drift("pig.rules")
    assert drift is not None
    found = features.completions(edited, drift.later, lsp.Position(0, 15))
    assert "pot" in [each.label for each in found]

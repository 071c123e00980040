"""Catalogues: every number has a meaning, entries are only added, and a foreign model is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from dsl.domains import NONE
from interpreter.wasm.batch import Batch
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.composed import Composed
from rulewright.learn.pettingzoo import env
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import Space
from rulewright.learn.tables import spaces_of
from rulewright.library import open_game
from tests.games import Table, ends, fewest, game_of, named, sample


@pytest.mark.parametrize("table", sample(ends(), fewest()), ids=named)
def test_all_that_comes_up_in_play_is_in_the_catalogue(table: Table) -> None:
    game = game_of(table[0], table[1])
    found = spaces_of(game)
    lows, highs = (np.array([c[k] for c in found.catalogue.columns[2:]]) for k in (1, 2))
    batch = Batch(game, 8, seed=3, auto_reset=True)
    for _ in range(25):
        for i in range(batch.n):
            node = found.nodes[int(batch.nodes[i])]
            keys = [node.keys[action] for action in np.flatnonzero(batch.masks[i])]
            assert len(set(keys)) == len(keys), "two actions that are offered together have one number"
            row = batch.observations[i]
            assert ((row == NONE) | (lows <= row)).all()
            assert (row <= highs).all()
        batch.step(batch.sample())


def test_numbers_have_words() -> None:
    catalogue = spaces_of(open_game("kuhn_poker")).catalogue
    assert catalogue.actions == (
        "open: bet",
        "open: pass",
        "reply_to_pass: bet",
        "reply_to_pass: pass",
        "answer_bet: bet",
        "answer_bet: pass",
    )
    assert [name for name, _, _ in catalogue.columns[:5]] == ["decision", "over", "seat", "phase", "active"]
    assert ("chips of A", 0, 4) in catalogue.columns


def test_actions_do_not_depend_on_the_seat() -> None:
    """A card is laid from one's own hand, whoever that is."""
    actions = spaces_of(open_game("roma")).catalogue.actions
    assert sum("lay nero" in action for action in actions) == len([a for a in actions if "lay sicarius" in a])
    assert not any("hand of A" in action for action in actions)


def test_a_catalogue_is_read_as_it_was_written() -> None:
    catalogue = spaces_of(open_game("leduc_poker")).catalogue
    assert SpaceCatalogue.read(catalogue.text()) == catalogue


ENDLESS = (
    '{"format": "rulewright catalogue 1", "game": "pig", "seats": 1e999, '
    '"decisions": [], "actions": [], "columns": []}'
)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "[" * 100_000, ENDLESS])
def test_what_is_no_catalogue_is_refused(text: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        SpaceCatalogue.read(text, "old.json")
    assert refused.value.diagnostic.code == "R261"


def test_an_edited_catalogue_is_refused() -> None:
    text = spaces_of(open_game("leduc_poker")).catalogue.text()
    with pytest.raises(DiagnosticError) as refused:
        SpaceCatalogue.read(text.replace("raise", "reise"))
    assert "its digest is another one" in refused.value.diagnostic.message


def test_an_extended_catalogue_keeps_every_number() -> None:
    new = spaces_of(open_game("kuhn_poker")).catalogue
    old = replace(new, actions=("open: fold", *new.actions[1:4]), columns=new.columns[3:9])
    found = old.extended(new)
    assert found.actions[: len(old.actions)] == old.actions
    assert found.columns[: len(old.columns)] == old.columns
    assert set(new.actions) <= set(found.actions)
    found.check_model("old", (len(old.decisions), len(old.actions), len(old.columns)), old.digest)


def test_a_match_under_an_extended_catalogue_is_the_same_match() -> None:
    game = open_game("kuhn_poker")
    own = spaces_of(game).catalogue
    old = replace(own, actions=("gone: away", *own.actions[::-1]), columns=own.columns[::-1])
    plain, other = (LearnMatch(Space.of(game, c)) for c in (None, old.extended(own)))
    for seed in range(5):
        seats = plain.reset(seed), other.reset(seed)
        while not plain.over:
            assert seats[0] == seats[1]
            mine = {own.actions[i] for i in plain.mask().nonzero()[0]}
            assert mine == {other.space.catalogue.actions[i] for i in other.mask().nonzero()[0]}
            row = dict(zip(other.space.catalogue.columns, other.observation().tolist(), strict=True))
            assert plain.observation().tolist() == [row[column] for column in own.columns]
            action = sorted(mine)[seed % len(mine)]
            seats = (
                plain.step(own.actions.index(action)),
                other.step(other.space.catalogue.actions.index(action)),
            )
        assert other.over
        assert plain.rewards_now().tolist() == other.rewards_now().tolist()


def test_models_of_other_rules_are_refused() -> None:
    catalogue = spaces_of(open_game("kuhn_poker")).catalogue
    changed = replace(catalogue, actions=("open: fold", *catalogue.actions[1:]))
    sizes = len(changed.decisions), len(changed.actions), len(changed.columns)
    with pytest.raises(DiagnosticError) as refused:
        catalogue.check_model("old.onnx", sizes, changed.digest)
    assert refused.value.diagnostic.code == "R260"
    assert "old.onnx does not fit kuhn_poker (2 seats)" in refused.value.diagnostic.message


def test_an_environment_refuses_the_catalogue_of_another_game() -> None:
    other = spaces_of(open_game("leduc_poker")).catalogue
    with pytest.raises(DiagnosticError) as refused:
        env("kuhn_poker", catalogue=other)
    assert refused.value.diagnostic.code == "R260"
    with pytest.raises(DiagnosticError):
        other.extended(spaces_of(open_game("kuhn_poker")).catalogue)


def test_composed_actions_are_pairs() -> None:
    catalogue = spaces_of(open_game("roma")).catalogue
    composed = Composed.of(catalogue)
    assert all(composed.action(pair) == action for action, pair in enumerate(composed.pairs))
    assert composed.action((len(composed.kinds), 0)) == -1
    assert composed.action([0.5, 1.5]) == -1
    mask = np.zeros(len(catalogue.actions), dtype=np.int8)
    mask[[3, 5]] = 1
    assert composed.mask(mask).sum() == 2

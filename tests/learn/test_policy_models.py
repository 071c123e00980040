"""A trained policy as a model of how others choose."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.beliefs.courses import match_of
from interpreter.match import Match
from rulewright.learn.model_names import model_named
from rulewright.learn.policy_bot import policy_bot
from rulewright.library import open_game
from tests.beliefs.games import played
from tests.games import game_of
from tests.learn.test_policies import written

pytest.importorskip("onnx", reason="the extra `policy` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")


def test_weights_are_the_chances_of_the_policy(tmp_path: Path) -> None:
    path = written(tmp_path / "p.onnx", "leduc_poker")
    model, bot = model_named(f"policy:{path}"), policy_bot(path)
    match = Match(open_game("leduc_poker"), 3).start()
    waiting = match.waiting()[0]
    found = dict(zip(waiting.options, model.weights(match.game, match.state, waiting), strict=True))
    assert sum(found.values()) == pytest.approx(1.0)
    taken = [bot.choose(match, waiting, seed) for seed in range(600)]
    for option, weight in found.items():
        chance = (weight - 0.1 / len(found)) / 0.9
        assert abs(taken.count(option) / 600 - chance) < 4 * np.sqrt(chance * (1 - chance) / 600) + 1e-9


def test_worlds_that_its_seat_cannot_tell_apart_get_the_same_weights(tmp_path: Path) -> None:
    model = model_named(f"policy:{written(tmp_path / 'p.onnx', 'leduc_poker')}")
    match = played(game_of("leduc_poker", 2), 2, seed=3)
    waiting = match.waiting()[0]
    beliefs = match.beliefs(waiting.seat)
    assert len(beliefs.worlds) > 1
    found = model.weights(match.game, match.state, waiting)
    for world in beliefs.worlds:
        assert model.weights(match.game, match_of(beliefs, world).state, waiting) == pytest.approx(found)


def test_what_is_believed_by_a_policy(tmp_path: Path) -> None:
    model = model_named(f"policy:{written(tmp_path / 'p.onnx', 'leduc_poker')}")
    match = played(game_of("leduc_poker", 2), 2, seed=3)
    beliefs = match.beliefs("A", model=model)
    assert "others are taken to choose as p.onnx does" in str(beliefs.exactness)
    assert sum(world.weight for world in beliefs.worlds) == pytest.approx(1.0)


def test_a_policy_of_another_game_is_refused_before_anybody_has_chosen(tmp_path: Path) -> None:
    model = model_named(f"policy:{written(tmp_path / 'p.onnx', 'kuhn_poker')}")
    match = Match(open_game("leduc_poker"), 3).start()
    with pytest.raises(DiagnosticError) as caught:
        match.beliefs("A", model=model)
    assert caught.value.diagnostic.code == "R260"


def test_a_file_that_is_written_anew_is_read_anew(tmp_path: Path) -> None:
    path = str(written(tmp_path / "p.onnx", "kuhn_poker"))
    bot = policy_bot(path)
    assert policy_bot(path) is bot
    written(tmp_path / "p.onnx", "leduc_poker")
    assert policy_bot(path).policy.catalogue.game == "leduc_poker"


def test_a_policy_of_another_game(tmp_path: Path) -> None:
    model = model_named(f"policy:{written(tmp_path / 'p.onnx', 'kuhn_poker')}")
    match = played(game_of("leduc_poker", 2), 2, seed=3)
    with pytest.raises(DiagnosticError) as caught:
        match.beliefs("A", model=model)
    assert "kuhn_poker" in caught.value.diagnostic.message or "kuhn_poker" in caught.value.diagnostic.help

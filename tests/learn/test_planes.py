"""Observations laid out for networks: planes, relative seats, and the same numbers in files of policies."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from interpreter.wasm.batch import Batch
from rulewright.learn.gymnasium import vector_env
from rulewright.learn.onnx_files import load_policy, save_policy
from rulewright.learn.page_policy import page_policy
from rulewright.learn.planes import SEAT, NetworkLayout
from rulewright.learn.tables import spaces_of
from rulewright.library import open_game


def test_a_board_becomes_planes_of_what_is_mine_and_of_others() -> None:
    game = open_game("connect_four")
    layout = NetworkLayout.of(game)
    (board,) = layout.boards
    assert board.shape == (2, 6, 7)
    assert board.planes == ("disc is me", "disc is the other")
    batch = Batch(game, 1)
    batch.step(np.array([3]))
    planes, _ = layout.parted(layout.of_batch(batch))
    mine, others = planes["cell"][0]
    assert not mine.any()
    assert np.argwhere(others).tolist() == [[0, 3]]
    batch.step(np.array([3]))
    mine, others = layout.parted(layout.of_batch(batch))[0]["cell"][0]
    assert np.argwhere(mine).tolist() == [[0, 3]]
    assert np.argwhere(others).tolist() == [[1, 3]]


@pytest.mark.parametrize("name", ["leduc_poker", "hearts", "roma", "backgammon", "chess"])
def test_numbers_lie_between_0_and_1_and_are_named_once(name: str) -> None:
    game = open_game(name)
    layout, envs = NetworkLayout.of(game), vector_env(game, 16)
    rows, info = envs.reset(seed=1)
    for _ in range(30):
        numbers = layout.of_rows(rows)
        assert numbers.min() >= 0
        assert numbers.max() <= 1
        rows, _, _, _, info = envs.step(info["action_mask"].argmax(1))
    assert len(set(layout.flat)) == len(layout.flat)
    assert layout.size == len(layout.flat) + sum(board.size for board in layout.boards)


def test_seats_are_relative_to_the_one_that_looks() -> None:
    """What seat A sees of its own stands where seat B sees what is its own."""
    game = open_game("leduc_poker")
    layout = NetworkLayout.of(game)
    names = [name for name, _, _ in spaces_of(game).catalogue.columns]
    at = sum(board.size for board in layout.boards) + layout.flat.index("chips of me")
    assert [names[layout.columns[seat, at]] for seat in (0, 1)] == ["chips of A", "chips of B"]


def test_what_one_cannot_tell_apart_looks_the_same() -> None:
    """A layout is a function of the observation, so it holds nothing that the seat does not see."""
    layout = NetworkLayout.of(open_game("kuhn_poker"))
    rows = np.zeros((2, len(spaces_of(open_game("kuhn_poker")).catalogue.columns)), dtype=np.int32)
    assert (layout.of_rows(rows)[0] == layout.of_rows(rows)[1]).all()


@pytest.mark.parametrize("name", ["connect_four", "hearts"])
def test_a_policy_over_a_layout_is_a_file_for_python_and_for_the_page(name: str, tmp_path: Path) -> None:
    game = open_game(name)
    layout, catalogue = NetworkLayout.of(game), spaces_of(game).catalogue
    rng = np.random.default_rng(1)
    shape = layout.size, len(catalogue.actions)
    weights = {"w1": rng.normal(size=shape).astype(np.float32), "b1": np.zeros(shape[1], np.float32)}
    path = tmp_path / "policy.onnx"
    save_policy(path, catalogue, layout, weights)
    envs = vector_env(game, 16)
    rows, info = envs.reset(seed=1)
    for _ in range(5):
        wanted = layout.of_rows(rows) @ weights["w1"]
        assert load_policy(str(path)).logits(rows) == pytest.approx(wanted, abs=1e-3)
        rows, _, _, _, info = envs.step(info["action_mask"].argmax(1))
    assert len(set(rows[:, SEAT].tolist())) >= 1
    assert "greedy" not in page_policy(game, str(path))
    assert page_policy(game, str(path), greedy=True)["greedy"] is True


def test_a_layout_says_what_its_numbers_are() -> None:
    layout = NetworkLayout.of(open_game("roma"))
    said = json.loads(layout.text())
    assert said["digest"] == NetworkLayout.of(open_game("roma")).digest
    assert said["boards"][0][0] == "disc"
    assert said["flat"][:2] == ["money of me", "money of the other"]
    with pytest.raises(DiagnosticError):
        NetworkLayout.of("roma")  # type: ignore[arg-type]


def test_a_catalogue_of_another_game_is_refused() -> None:
    other = spaces_of(open_game("kuhn_poker")).catalogue
    with pytest.raises(DiagnosticError, match=r"a catalogue of kuhn_poker .* does not fit chess"):
        NetworkLayout.of(open_game("chess"), other)

"""Trained policies: files, what they are refused for, and that they play."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dsl.diagnostics import DiagnosticError
from interpreter.match import Match
from rulewright.learn import onnx_files
from rulewright.learn.features import Features
from rulewright.learn.onnx_files import load_policy, save_policy
from rulewright.learn.play import LearnMatch
from rulewright.learn.policy_names import is_player, player_named
from rulewright.learn.space import Space
from rulewright.learn.tables import spaces_of
from rulewright.library import open_game
from rulewright.main import main
from tests.interpreter.test_searching_bots import pairs

onnx = pytest.importorskip("onnx", reason="the extra `policy` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")


def written(path: Path, name: str, seed: int = 1) -> str:
    """A policy with random weights."""
    catalogue = spaces_of(open_game(name)).catalogue
    features, rng = Features.of(catalogue), np.random.default_rng(seed)
    shapes = {"w1": (features.size, 8), "b1": (8,), "w2": (8, len(catalogue.actions))}
    shapes["b2"] = (len(catalogue.actions),)
    weights = {key: rng.standard_normal(shape).astype(np.float32) for key, shape in shapes.items()}
    save_policy(path, catalogue, features, weights)
    return str(path)


def test_a_file_computes_what_the_network_computes(tmp_path: Path) -> None:
    game = open_game("leduc_poker")
    catalogue = spaces_of(game).catalogue
    features, rng = Features.of(catalogue), np.random.default_rng(2)
    w1 = rng.standard_normal((features.size, 8)).astype(np.float32)
    w2 = rng.standard_normal((8, len(catalogue.actions))).astype(np.float32)
    weights = {"w1": w1, "b1": np.zeros(8, np.float32), "w2": w2, "b2": np.ones(w2.shape[1], np.float32)}
    save_policy(tmp_path / "p.onnx", catalogue, features, weights)
    play = LearnMatch(Space.of(game))
    play.reset(1)
    row = play.observation()[None]
    wanted = np.maximum(features.of_rows(row) @ w1, 0) @ w2 + 1
    policy = load_policy(str(tmp_path / "p.onnx"))
    assert np.allclose(policy.logits(row), wanted, atol=1e-4)
    assert policy.catalogue == catalogue


@pytest.mark.parametrize("name", ["connect_four", "leduc_poker", "goofspiel"])
def test_a_policy_plays_to_the_end(name: str, tmp_path: Path) -> None:
    bot = player_named(f"policy:{written(tmp_path / 'p.onnx', name)}")
    match = Match(open_game(name), seed=3).start()
    for _ in range(30):
        if match.over:
            break
        waiting = match.waiting()[0]
        option = bot.choose(match, waiting, 5)
        assert option == bot.choose(match, waiting, 5)
        assert option in waiting.options
        match.take(waiting, option)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "hearts"])
def test_a_policy_knows_no_more_than_its_seat(name: str, tmp_path: Path) -> None:
    bot = player_named(f"policy:{written(tmp_path / 'p.onnx', name)}")
    number = 0
    for match, other, seat in pairs(name, 8):
        chosen = []
        for one in (match, other):
            waiting = next(w for w in one.waiting() if w.seat == seat)
            decision = one.game.decision(waiting)
            option = bot.choose(one, waiting, 7)
            chosen.append(next(c.text for c in decision.choices if c.option == option))
        assert chosen[0] == chosen[1]
        number += 1
    assert number


def test_a_policy_of_another_game_is_refused(tmp_path: Path) -> None:
    bot = player_named(f"policy:{written(tmp_path / 'p.onnx', 'kuhn_poker')}")
    match = Match(open_game("leduc_poker"), seed=1).start()
    with pytest.raises(DiagnosticError) as refused:
        bot.choose(match, match.waiting()[0], 1)
    assert refused.value.diagnostic.code == "R260"
    assert "does not fit leduc_poker" in refused.value.diagnostic.message


def test_what_is_no_policy_is_refused(tmp_path: Path) -> None:
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"no model")
    with pytest.raises(DiagnosticError) as refused:
        load_policy(str(bad))
    assert (refused.value.diagnostic.code, refused.value.diagnostic.message) == (
        "R266",
        f"`{bad}` is not a policy: it is not an ONNX file",
    )
    path = written(tmp_path / "p.onnx", "kuhn_poker")
    model = onnx.load(path)
    del model.metadata_props[:]
    onnx.save(model, str(bad))
    with pytest.raises(DiagnosticError) as refused:
        load_policy(str(bad))
    assert "its metadata has no `rulewright_catalogue`" in refused.value.diagnostic.message
    with pytest.raises(DiagnosticError) as refused:
        load_policy(str(tmp_path / "none.onnx"))
    assert refused.value.diagnostic.code == "D001"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (np.full((1, 9), np.nan), "not finite numbers"),
        (np.full((1, 9), -np.inf), "not finite numbers"),
        (np.zeros((1, 8)), "has to be of shape (n, 9)"),
        (None, "has to be float32 of shape (n, "),
    ],
)
def test_numbers_that_are_no_logits_are_refused(given: np.ndarray | None, says: str) -> None:
    class Session:
        def run(self, *_: object) -> list[np.ndarray]:
            if given is None:
                raise RuntimeError
            return [given]

    play = LearnMatch(Space.of(open_game("tic_tac_toe", executor="wasm")))
    play.reset(1)
    policy = onnx_files.OnnxPolicy("p.onnx", Session(), play.space.catalogue)
    with pytest.raises(DiagnosticError) as refused:
        policy.act(play.observation()[None], play.mask()[None], np.random.default_rng(1))
    assert refused.value.diagnostic.code == "R266"
    assert says in refused.value.diagnostic.message


def test_names_of_policies() -> None:
    assert is_player("policy:a.onnx")
    assert is_player("search:50")
    assert not is_player("policy:")
    assert not is_player("policy")


def test_policies_at_the_terminal_and_in_the_arena(tmp_path: Path) -> None:
    policy = f"policy:{written(tmp_path / 'p.onnx', 'tic_tac_toe')}"
    run = CliRunner().invoke(main, ["play", "tic_tac_toe", "--seats", f"{policy},random", "--seed", "3"])
    assert run.exit_code == 0, run.output
    assert "this match is not kept" in run.output
    words = ["arena", "--game", "tic_tac_toe", "--bots", f"{policy},random", "-n", "4"]
    run = CliRunner().invoke(main, words)
    assert run.exit_code == 0, run.output
    assert "pairs" in run.output
    run = CliRunner().invoke(main, ["play", "connect_four", "--seats", f"{policy},random", "--seed", "3"])
    assert "error[R260]" in run.output
    run = CliRunner().invoke(main, ["simulate", "tic_tac_toe", "--seats", f"{policy},random", "-n", "3"])
    assert run.exit_code == 0, run.output
    words = ["simulate", "connect_four", "--seats", f"{policy},random", "-n", "3", "--jobs", "2"]
    run = CliRunner().invoke(main, words)
    assert "error[R260]" in run.output
    assert "built in" not in run.output


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = written(tmp_path / "p.onnx", "kuhn_poker")
    monkeypatch.setattr(onnx_files, "library", lambda name: None)
    with pytest.raises(DiagnosticError) as refused:
        load_policy(path)
    assert refused.value.diagnostic.code == "R264"

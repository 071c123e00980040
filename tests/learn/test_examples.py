"""The examples do what they say, in small."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_cfr_plus() -> None:
    pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
    from examples.cfr_plus import solve

    iterations, found, values = solve("kuhn_poker", 0.01, 100)
    assert found < 0.01
    assert iterations <= 100
    assert values[0] == pytest.approx(-1 / 18, abs=0.01)


def test_the_policy_gradient_learns() -> None:
    pytest.importorskip("gymnasium", reason="the extra `gymnasium` is not installed")
    from examples.policy_gradient import Learner, share_of_wins

    learner = Learner("tic_tac_toe", None, 64, 32, 1)
    for _ in range(25):
        learner.learn(600, 0.005, 0.01)
    assert share_of_wins(learner, "tic_tac_toe", None, 200) > 0.7


def test_a_network_learns_what_search_thinks() -> None:
    from examples.policy_gradient import Network
    from examples.self_play import searched, train
    from rulewright.learn.features import Features
    from rulewright.learn.space import Space
    from rulewright.library import open_game

    space = Space.of(open_game("tic_tac_toe", executor="wasm"))
    features = Features.of(space.catalogue)
    rows, masks, visits = map(np.stack, searched(space, 1, 50))
    network = Network.fresh(features.size, 32, space.actions, np.random.default_rng(0))
    x = features.of_rows(rows)
    before = train(network, x, masks, visits, 1)
    assert train(network, x, masks, visits, 60) < before


def test_a_proven_choice_is_learned_whole() -> None:
    from examples.self_play import searched
    from rulewright.learn.space import Space
    from rulewright.library import open_game

    _, _, wanted = searched(Space.of(open_game("tic_tac_toe", executor="wasm")), 1, 400)
    assert (wanted[-1] == 1).sum() == 1
    assert 0 < wanted[0].max() < 1


def run(monkeypatch: pytest.MonkeyPatch, module: ModuleType, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", [module.__name__, *arguments])
    module.main()


def policy_gradient() -> ModuleType:
    for name in ("gymnasium", "onnx", "onnxruntime"):
        pytest.importorskip(name)
    from examples import policy_gradient

    return policy_gradient


def test_ctrl_c_keeps_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = policy_gradient()
    from rulewright.learn.onnx_files import load_policy

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module.Learner, "learn", interrupted)
    into = tmp_path / "policy.onnx"
    run(monkeypatch, module, "tic_tac_toe", "--into", str(into))
    assert load_policy(str(into)).catalogue.game == "tic_tac_toe"
    assert "stopped: what was learned until now is kept" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tic_tak_toe"], "unknown game or ruleset `tic_tak_toe` (did you mean `tic_tac_toe`?)"),
        (["pig", "--seats", "9"], "pig is played by 2 to 4, not by 9"),
        (["tic_tac_toe", "--into", "nowhere/policy.onnx"], "--into: there is no folder `nowhere`"),
        (["tic_tac_toe", "--into", "."], "--into: `.` is a folder, and has to be a file"),
    ],
)
def test_what_stands_in_the_way_is_said_before_anything_is_learned(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    module = policy_gradient()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, module, *arguments)
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


def test_a_training_that_diverged_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = policy_gradient()

    def diverged(learner: Any, *_: object) -> int:
        learner.network.weights["w1"][0] = np.nan
        return 1

    monkeypatch.setattr(module.Learner, "learn", diverged)
    monkeypatch.setattr(module, "share_of_wins", lambda *_: 0.5)
    with pytest.raises(SystemExit, match="are not finite"):
        run(monkeypatch, module, "tic_tac_toe", "--updates", "1", "--into", str(tmp_path / "policy.onnx"))


BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "learning.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=range(len(BLOCKS)))
def test_the_page_of_the_documentation(code: str) -> None:
    for name in ("pettingzoo", "gymnasium", "pyspiel"):
        if f"import {name}" in code:
            pytest.importorskip(name)
    exec(compile(code, "docs/learning.md", "exec"), {})

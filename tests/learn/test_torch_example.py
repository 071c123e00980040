"""The example of PPO learns, computes advantages as defined, and writes what the arena takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from rulewright.main import main

torch = pytest.importorskip("torch", reason="torch is not installed; docs/learning.md says how")
pytest.importorskip("gymnasium", reason="the extra `gymnasium` is not installed")


def small() -> object:
    from examples.policy_gradient_torch import Setting

    return Setting(matches=64, steps=32, hidden=32, rate=0.003)


def test_it_learns_and_its_policy_plays_in_the_arena(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")
    from examples.policy_gradient_torch import Learner, share_of_wins
    from rulewright.learn.onnx_files import load_policy, save_policy

    torch.manual_seed(1)
    learner = Learner("tic_tac_toe", None, small(), "cpu", 1)
    for _ in range(20):
        learner.learn()
    assert share_of_wins(learner, 200) > 0.7
    into = tmp_path / "p.onnx"
    save_policy(into, learner.envs.catalogue, learner.agent.features, learner.agent.weights())
    rows, masks = learner.rows, np.ones_like(learner.info["action_mask"])
    with torch.no_grad():
        wanted = learner.agent.logits(learner.tensor(rows), learner.tensor(masks)).numpy()
    assert np.allclose(load_policy(str(into)).logits(rows), wanted, atol=1e-3)
    words = ["arena", "--game", "tic_tac_toe", "--bots", f"policy:{into},random", "-n", "10"]
    run = CliRunner().invoke(main, words)
    assert run.exit_code == 0, run.output
    assert "10 pairs" in run.output


def test_tensors_on_the_processor_are_the_arrays_of_the_environment() -> None:
    from examples.policy_gradient_torch import Learner

    learner = Learner("kuhn_poker", None, small(), "cpu", 1)
    for array in (learner.rows, learner.info["action_mask"]):
        assert learner.tensor(array).data_ptr() == array.__array_interface__["data"][0]


def test_advantages_follow_the_choices_of_each_seat() -> None:
    """One match: seat 0, then 1, then 0 choose, and the match ends; then seat 1 begins another one."""
    from examples.policy_gradient_torch import Choices, Setting

    steps = 4
    values = torch.tensor([[0.1], [0.2], [0.3], [0.4]])
    rewards = torch.zeros(steps, 1, 2)
    rewards[2, 0] = torch.tensor([1.0, -1.0])
    nothing = torch.zeros(steps, 1)
    played = Choices(
        *(nothing, nothing, nothing, nothing, values),
        torch.tensor([[0], [1], [0], [1]]),
        rewards,
        torch.tensor([[False], [False], [True], [False]]),
        torch.ones(steps, 1, dtype=torch.bool),
    )
    setting = Setting(gamma=0.9, gae_lambda=0.8)
    found, which = played.advantages(torch.tensor([0]), torch.tensor([0.5]), setting)
    last = 1.0 - 0.3
    assert found[2, 0] == pytest.approx(last)
    assert found[1, 0] == pytest.approx(-1.0 - 0.2)
    assert found[0, 0] == pytest.approx(0.9 * 0.3 - 0.1 + 0.9 * 0.8 * last)
    assert which[:, 0].tolist() == [True, True, True, False], "of the last, the next choice is not known"


def test_baselines_are_trained_once_and_compared_in_pairs(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")
    from examples.train_baselines import compared, trained

    runs = [trained(tmp_path, "nim", seen, seed, 2) for seed in (1, 2) for seen in ("planes", "rows")]
    assert all(run.choices == [0, 8192, 16384] for run in runs)
    assert [trained(tmp_path, "nim", "rows", 2, 2)] == runs[-1:], "what is there is read"
    *_, row = compared(tmp_path, runs, 1)
    _, game, *cells = (cell.strip() for cell in row.split("|"))
    assert game == "nim"
    first, second = (np.mean([run.early for run in runs if run.seen == seen]) for seen in ("planes", "rows"))
    assert cells[:2] == [f"{first:.3f}", f"{second:.3f}"]
    assert cells[2].startswith(f"{first - second:+.3f} ± ")


def test_an_interval_is_that_of_student() -> None:
    from examples.train_baselines import interval

    middle, wide = interval([0.1, 0.2, 0.3])
    assert middle == pytest.approx(0.2)
    assert wide == pytest.approx(4.30 * 0.1 / 3**0.5)

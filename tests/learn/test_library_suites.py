"""What the libraries try environments with, beside their suites: benchmarks, vectors, playthroughs."""

from __future__ import annotations

import random
import sys
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from rulewright.learn import gymnasium as gym_envs, pettingzoo as zoo_envs
from rulewright.library import open_game
from tests.games import Table, ends, fewest, named, sample

gymnasium = pytest.importorskip("gymnasium")
pettingzoo_test = pytest.importorskip("pettingzoo.test")
pytestmark = pytest.mark.usefixtures("no_warnings")

QUICK = {"connect_four", "kuhn_poker", "leduc_poker", "pig", "tic_tac_toe"}
OFTEN = [table for table in fewest() if table[0] in QUICK]


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_the_benchmark_of_pettingzoo(
    table: Table, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its clock goes on by a tenth of a second each time that it is looked at, so it ends."""
    clock = count(0, 0.1)
    module = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    game = open_game(*table[:2], executor="wasm")
    pettingzoo_test.performance_benchmark(zoo_envs.env(game, mask_in="observation"))
    printed = capsys.readouterr().out
    rates = [float(line.split()[0]) for line in printed.splitlines() if line.endswith("per second")]
    assert len(rates) == 2
    assert min(rates) > 0
    assert "Finished performance benchmark" in printed


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_vectors_of_gymnasium_take_ours(table: Table) -> None:
    """Its own vectors of single matches, and its wrappers around ours."""
    name, seats, _ = table
    kind = {"game": name, "seats": seats, "illegal": "lose"}
    envs = gymnasium.make_vec(gym_envs.ENV_ID, 2, vectorization_mode="sync", **kind)
    first, info = envs.reset(seed=3)
    again, _ = envs.reset(seed=3)
    assert (first == again).all()
    for _ in range(10):
        actions = [int(mask.argmax()) for mask in info["action_mask"]]
        seen, _, _, _, info = envs.step(np.array(actions))
        assert envs.observation_space.contains(seen)
    envs.close()
    ours = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gym_envs.vector_env(open_game(name, seats, executor="wasm"), 4)
    )
    _, info = ours.reset(seed=3)
    lengths = []
    for _ in range(60):
        _, _, _, _, info = ours.step(info["action_mask"].argmax(1))
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert all(length > 0 for length in lengths)


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_the_simulations_of_openspiel(table: Table) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
    from open_spiel.python.tests.games_sim_test import GamesSimTest

    import rulewright.learn.openspiel

    assert rulewright.learn.openspiel
    random.seed(3)
    np.random.seed(3)
    name, seats, _ = table
    GamesSimTest().sim_game(pyspiel.load_game(f"python_rulewright(game={name},seats={seats})"))


@pytest.mark.parametrize("table", sample(ends(), OFTEN), ids=named)
def test_a_playthrough_is_the_same_again(table: Table) -> None:
    pytest.importorskip("pyspiel", reason="the extra `openspiel` is not installed")
    from open_spiel.python.algorithms import generate_playthrough

    import rulewright.learn.openspiel

    assert rulewright.learn.openspiel
    name, seats, _ = table
    game = f"python_rulewright(game={name},seats={seats})"
    first, second = (generate_playthrough.playthrough(game, None, seed=7) for _ in range(2))
    assert first == second
    assert "IsTerminal() = True" in first

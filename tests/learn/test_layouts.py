"""Observations laid out for networks, in every adapter: the numbers that the layout makes of the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.learn import gymnasium as gym_envs, pettingzoo as zoo_envs
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.opponents import UniformPolicy
from rulewright.learn.planes import NetworkLayout
from rulewright.learn.space import Mask, Numbers, Row
from rulewright.library import open_game

gymnasium = pytest.importorskip("gymnasium")
pettingzoo_test = pytest.importorskip("pettingzoo.test")
pytestmark = pytest.mark.usefixtures("no_warnings")

GAMES = ["connect_four", "leduc_poker", "liars_dice", "texas_holdem", "goofspiel"]
"""Boards, numbers, more than two seats, numbers chosen in parts, seats that choose together."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seat", [None, 1])
def test_many_matches_are_laid_out(name: str, seat: int | None) -> None:
    game = open_game(name, executor="wasm")
    plain, laid = (gym_envs.vector_env(game, 8, seat=seat, layout=x) for x in ("columns", "network"))
    layout = NetworkLayout.of(game)
    assert plain.layout is None
    assert laid.layout is not None
    assert laid.layout.digest == layout.digest
    assert laid.single_observation_space.shape == (layout.size,)
    rng, ended = np.random.default_rng(1), 0
    rows: Any
    rows, info = plain.reset(seed=3)
    numbers, same = laid.reset(seed=3)
    for _ in range(150):
        assert numbers.dtype == np.float32
        assert laid.observation_space.contains(numbers)
        assert (numbers == layout.of_rows(rows)).all()
        assert (info["action_mask"] == same["action_mask"]).all()
        actions = (info["action_mask"] * rng.random(info["action_mask"].shape)).argmax(1)
        rows, _, over, _, info = plain.step(actions)
        numbers, _, also, _, same = laid.step(actions)
        assert (over == also).all()
        if over.any():
            ended += 1
            assert laid.observation_space.contains(same["final_obs"])
            assert (same["final_obs"][over] == layout.of_rows(info["final_obs"][over])).all()
            assert not same["final_obs"][~over].any()
    assert ended


@pytest.mark.parametrize("name", GAMES)
def test_one_seat_sees_a_layout(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    made = gymnasium.make(gym_envs.ENV_ID, game=name, seat="rotate", illegal="lose", layout="network")
    check_env(made.unwrapped)
    game = open_game(name, executor="wasm")
    plain, laid = (gym_envs.env(game, layout=x) for x in ("columns", "network"))
    layout, ended = NetworkLayout.of(game), False
    row: Any
    row, info = plain.reset(seed=2)
    numbers, _ = laid.reset(seed=2)
    for _ in range(100):
        assert laid.observation_space.contains(numbers)
        assert (numbers == layout.of_rows(row[None])[0]).all()
        if ended:
            break
        action = int(info["action_mask"].argmax())
        row, _, ended, _, info = plain.step(action)
        numbers = laid.step(action)[0]


@pytest.mark.parametrize("name", GAMES)
def test_layouts_pass_the_suite_of_pettingzoo(name: str) -> None:
    game = open_game(name, executor="wasm")
    pettingzoo_test.api_test(zoo_envs.env(game, layout="network"), num_cycles=10)
    pettingzoo_test.parallel_api_test(zoo_envs.parallel_env(game, layout="network"), num_cycles=10)


@pytest.mark.parametrize("mask_in", ["info", "observation"])
@pytest.mark.parametrize("name", GAMES)
def test_agents_see_a_layout(name: str, mask_in: zoo_envs.MaskIn) -> None:
    game = open_game(name, executor="wasm")
    layout = NetworkLayout.of(game)
    plain, laid = (zoo_envs.env(game, layout=x, mask_in=mask_in) for x in ("columns", "network"))
    plain.reset(seed=2)
    laid.reset(seed=2)
    for _, agent in zip(range(60), plain.agent_iter(), strict=False):
        for each in plain.possible_agents:
            row, numbers = plain.observe(each), laid.observe(each)
            assert laid.observation_space(each).contains(numbers)
            if mask_in == "observation":
                assert (row.pop("action_mask") == numbers.pop("action_mask")).all()
                row, numbers = row["observation"], numbers["observation"]
            assert (numbers == layout.of_rows(row[None])[0]).all()
        ended = plain.terminations[agent]
        action = None if ended else int(plain.play.mask().argmax())
        plain.step(action)
        laid.step(action)


@pytest.mark.parametrize("name", GAMES)
def test_agents_side_by_side_see_a_layout(name: str) -> None:
    game = open_game(name, executor="wasm")
    layout = NetworkLayout.of(game)
    plain, laid = (zoo_envs.parallel_env(game, layout=x) for x in ("columns", "network"))
    seen, _ = plain.reset(seed=2)
    same, _ = laid.reset(seed=2)
    for _ in range(40):
        for agent in plain.possible_agents:
            row, numbers = seen[agent]["observation"], same[agent]["observation"]
            assert laid.observation_space(agent).contains(same[agent])
            assert (numbers == layout.of_rows(row[None])[0]).all()
        if not plain.agents:
            break
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in plain.agents}
        seen, *_ = plain.step(actions)
        same, *_ = laid.step(actions)


def test_a_layout_that_there_is_not() -> None:
    with pytest.raises(DiagnosticError, match="`layout` cannot be 'flat'"):
        gym_envs.vector_env("kuhn_poker", 2, layout="flat")


def test_opponents_see_columns() -> None:
    """A policy brings its own layout, so it plays whatever the learner sees."""
    game = open_game("connect_four", executor="wasm")
    shapes = []

    class Looking(UniformPolicy):
        def act(self, observations: Row, masks: Mask, rng: np.random.Generator) -> Numbers:
            shapes.append((observations.shape[1], observations.dtype))
            return super().act(observations, masks, rng)

    many = gym_envs.vector_env(game, 4, seat=1, opponents=Looking(), layout="network")
    many.reset(seed=1)
    one = gym_envs.env(game, seat=1, opponents=Looking(), layout="network")
    one.reset(seed=1)
    assert set(shapes) == {(len(many.catalogue.columns), np.dtype(np.int32))}


def test_a_layout_follows_an_extended_catalogue() -> None:
    """What is observed stands elsewhere in the catalogue, and the numbers are the same."""
    game = open_game("kuhn_poker", executor="wasm")
    own = gym_envs.vector_env(game, 4, layout="network")
    old = own.catalogue
    columns = (*old.columns[:3], ("new", 0, 1), *old.columns[3:])
    mixed = SpaceCatalogue(old.game, old.seats, old.decisions, old.actions, columns)
    first, _ = own.reset(seed=1)
    again, _ = gym_envs.vector_env(game, 4, layout="network", catalogue=mixed).reset(seed=1)
    assert (first == again).all()


def test_numbers_of_wide_columns_lie_in_the_space() -> None:
    """The least value of a column may be none that 32-bit floats have."""
    layout = NetworkLayout(
        "wide",
        1,
        (),
        ("number",),
        np.array([[3]]),
        np.array([[-100_000_001]], dtype=np.float32),
        np.array([1 / 200_000_002], dtype=np.float32),
    )
    rows = np.array([[1, 0, 0, value] for value in (-100_000_001, 100_000_001)], dtype=np.int32)
    numbers = layout.of_rows(rows)
    assert numbers.min() == 0
    assert numbers.max() == 1

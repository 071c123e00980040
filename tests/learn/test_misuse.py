"""Environments are used in ways that are wrong: each is told so, and the environment works on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dsl.diagnostics import DiagnosticError
from rulewright import Batch, open_game
from rulewright.learn import gymnasium as gym_envs, pettingzoo as zoo_envs
from rulewright.learn.arrays import exchangeable
from rulewright.learn.features import Features
from rulewright.learn.onnx_files import metadata_of, save_policy
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import Space
from rulewright.learn.tables import spaces_of

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

NOTHING = np.zeros(2, dtype=np.int64)
MAKERS: list[Callable[..., Any]] = [
    zoo_envs.env,
    zoo_envs.parallel_env,
    gym_envs.env,
    lambda game, **settings: gym_envs.vector_env(game, 2, **settings),
]


def code(act: Callable[[], object]) -> str:
    with pytest.raises(DiagnosticError) as caught:
        act()
    return caught.value.diagnostic.code


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("catalogue", ["abc", 3, {}])
def test_what_is_no_catalogue(make: Callable[..., Any], catalogue: object) -> None:
    assert code(lambda: make("pig", catalogue=catalogue)) == "R265"
    other = spaces_of(open_game("kuhn_poker")).catalogue
    assert code(lambda: make("pig", catalogue=other)) == "R260"


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "settings",
    [{"reward": None}, {"reward": []}, {"illegal": None}, {"seats": "x"}, {"options": "x"}],
)
def test_settings_of_another_kind(make: Callable[..., Any], settings: dict[str, object]) -> None:
    assert code(lambda: make("pig", **settings)) == "R265"


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("game", [None, 3, ["pig"]])
def test_what_is_no_game(make: Callable[..., Any], game: object) -> None:
    assert code(lambda: make(game)) == "R265"


@pytest.mark.parametrize("seat", [np.array([0, 1]), np.array(["rotate"]), [0], 1.0, "x", 10**30, -1])
def test_seats_that_there_are_not(seat: Any) -> None:
    assert code(lambda: gym_envs.env("pig", seat=seat)) == "R265"
    assert code(lambda: gym_envs.vector_env("pig", 2, seat=seat)) == "R265"
    assert code(lambda: gym_envs.env("pig").reset(seed=1, options={"seat": seat})) == "R265"


def test_a_learner_sits_somewhere_and_a_vector_does_not_rotate() -> None:
    assert code(lambda: gym_envs.env("pig", seat=None)) == "R265"
    assert code(lambda: gym_envs.vector_env("pig", 2, seat="rotate")) == "R265"
    assert code(lambda: gym_envs.env("pig").reset(seed=1, options={"seat": "rotate"})) == "R265"


@pytest.mark.parametrize("final_obs", [np.array([0, 1]), "no", None, [0], 1])
def test_what_a_vector_keeps_is_yes_or_no(final_obs: Any) -> None:
    assert code(lambda: gym_envs.vector_env("pig", 2, final_obs=final_obs)) == "R265"
    assert code(lambda: gym_envs.vector_env("pig", 2, copy=final_obs)) == "R265"


def test_opponents_of_a_vector_without_a_seat_are_refused() -> None:
    assert code(lambda: gym_envs.vector_env("pig", 2, opponents="search:30")) == "R265"


@pytest.mark.parametrize("seed", [-1, "x", 1.5, [1]])
def test_seeds_of_a_vector(seed: Any) -> None:
    assert code(lambda: gym_envs.vector_env("pig", 2, seed=seed)) == "R265"


def test_numbers_of_numpy_are_numbers_of_a_vector() -> None:
    env = gym_envs.vector_env("pig", np.int64(2), seat=np.int64(1), seed=np.array(3))  # type: ignore[arg-type]
    observations, _ = env.reset(seed=1)
    assert len(observations) == 2


@pytest.mark.parametrize("number", [0, -1, "x", 1.5, None])
def test_numbers_of_matches(number: Any) -> None:
    assert code(lambda: gym_envs.vector_env("pig", number)) == "R265"


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", ["x", -1, 1.5, [1]])
def test_seeds(make: Callable[..., Any], seed: object) -> None:
    env = make("pig")
    assert code(lambda: env.reset(seed=seed)) == "R265"
    env.reset(seed=np.int64(3))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "options",
    [
        *(3, "x", [1], {"seed": 2}, {"outcome": {}}, {"chances": None}),
        *({"outcomes": {"die": "6"}}, {"outcomes": {"die": 3}}, {"outcomes": {"die": None}}),
        *({"seeds": {"die": "x"}}, {"outcomes": {3: ["6"]}}),
        *({"seeds": np.array([0, 1])}, {"outcomes": np.array([0, 1])}, {"seeds": 0}),
    ],
)
def test_options_of_a_reset(make: Callable[..., Any], options: object) -> None:
    env = make("pig")
    assert code(lambda: env.reset(seed=1, options=options)) == "R265"
    env.reset(seed=1, options={"whatever": 1})


def test_a_vector_does_not_control_chance() -> None:
    env = gym_envs.vector_env("pig", 2)
    assert code(lambda: env.reset(options={"outcomes": {"die": ["6"]}})) == "R265"


@pytest.mark.parametrize(
    ("actions", "wanted"),
    [
        *(([1, 2], "R263"), (None, "R263"), ("abc", "R263"), ({"nobody": 3}, "R265")),
        *(({"player_0": "a", "player_1": 7}, "R262"), ({"player_0": 1.5, "player_1": 7}, "R262")),
        *(({"player_0": None, "player_1": 7}, "R262"), ({"player_0": [3], "player_1": 7}, "R262")),
        *(({"player_0": 3, "player_1": 3}, "R262"), ({"player_0": 10**30, "player_1": 7}, "R262")),
    ],
)
def test_actions_of_agents(actions: Any, wanted: str) -> None:
    env = zoo_envs.parallel_env("connect_four")
    env.reset(seed=1)
    assert code(lambda: env.step(actions)) == wanted
    observations, *_ = env.step({"player_0": np.int64(3), "player_1": 7})
    assert observations["player_1"]["action_mask"].sum() == 7


@pytest.mark.parametrize("agent", ["nobody", 0, None, ["player_0"]])
def test_agents_that_there_are_not(agent: Any) -> None:
    for make in MAKERS[:2]:
        env = make("pig")
        env.reset(seed=1)
        assert code(lambda env=env: env.action_space(agent)) == "R265"
        assert code(lambda env=env: env.observation_space(agent)) == "R265"
    aec = zoo_envs.env("pig")
    aec.reset(seed=1)
    assert code(lambda: aec.observe(agent)) == "R265"


@pytest.mark.parametrize("make", MAKERS[:3])
def test_ways_to_render(make: Callable[..., Any]) -> None:
    assert code(lambda: make("pig", render_mode="human")) == "R265"
    env = make("pig", render_mode="ansi")
    env.reset(seed=1)
    assert "throw" in env.render()


def test_a_closed_vector_says_so() -> None:
    env = gym_envs.vector_env("pig", 2)
    env.reset(seed=1)
    env.close()
    assert code(lambda: env.step(NOTHING)) == "R263"
    assert code(lambda: env.reset(seed=1)) == "R263"
    env.close()


def test_an_environment_is_reset_in_the_middle_of_a_match() -> None:
    for make in MAKERS[:3]:
        env, other = make("leduc_poker"), make("leduc_poker")
        env.reset(seed=1)
        for _ in range(2):
            step(env)
        env.reset(seed=5)
        other.reset(seed=5)
        for _ in range(3):
            assert seen(env) == seen(other)
            step(env)
            step(other)


def step(env: Any) -> None:
    """The first action that is offered, in any environment."""
    if hasattr(env, "agent_iter"):
        _, _, ended, _, info = env.last()
        env.step(None if ended else int(info["action_mask"].argmax()))
    elif hasattr(env, "asked"):
        env.step({f"player_{seat}": int(mask.argmax()) for seat, mask in env.asked.items()})
    elif not env.play.over:
        env.step(int(env.play.mask().argmax()))


def seen(env: Any) -> list[int]:
    found: list[int] = env.play.observation().tolist()
    return found


@pytest.mark.parametrize("which", [[1, 0, 1, 0], "abcd", np.ones(4), np.ones(3, bool), None])
def test_which_matches_of_a_batch_go_on(which: Any) -> None:
    batch = Batch(open_game("pig"), 4)
    with pytest.raises(ValueError, match="array of booleans"):
        batch.step_some(batch.sample().copy(), which)
    batch.step_some([0, 0, 0, 0], [True, False, True, True])
    assert batch.codes.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("given", [None, "x", 1.5, -1, [], {}, np.zeros((2, 3))])
def test_functions_for_learners_refuse_what_they_cannot_take(given: Any, tmp_path: Path) -> None:
    catalogue = spaces_of(open_game("pig")).catalogue
    features = Features.of(catalogue)
    acts: list[Callable[[], object]] = [
        *(lambda: catalogue.extended(given), lambda: catalogue.includes(given), lambda: Space.of(given)),
        *(lambda: spaces_of(given), lambda: Features.of(given), lambda: features.of_rows(given)),
        *(lambda: exchangeable(given), lambda: metadata_of(given)),
        lambda: save_policy(tmp_path / "x.onnx", given, features, {}),
        lambda: save_policy(tmp_path / "x.onnx", catalogue, given, {}),
    ]
    for act in acts:
        assert code(act) in {"R260", "R264", "R265"}
    play = LearnMatch(Space.of(open_game("pig")))
    play.reset(1)
    assert code(lambda: play.step(given)) == "R262"
    play.step(int(play.mask().argmax()))

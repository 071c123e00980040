"""Policies that others have trained: what does not fit is refused with its reason, and nothing breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dsl.diagnostics import DiagnosticError
from rulewright.learn import gymnasium as gym_envs, pettingzoo as zoo_envs
from rulewright.learn.catalogue import Column, SpaceCatalogue
from rulewright.learn.features import Features
from rulewright.learn.onnx_files import load_policy, metadata_of, save_policy
from rulewright.learn.page_policy import page_policy
from rulewright.learn.play import LearnMatch
from rulewright.learn.space import Space
from rulewright.learn.tables import spaces_of
from rulewright.library import open_game
from rulewright.main import main

onnx = pytest.importorskip("onnx", reason="the extra `policy` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")

FLOAT = onnx.TensorProto.FLOAT
GAME = "tic_tac_toe"
Shape = Sequence[int | str] | None


def catalogue() -> SpaceCatalogue:
    return spaces_of(open_game(GAME, executor="wasm")).catalogue


WIDTH, ACTIONS = len(catalogue().columns), len(catalogue().actions)


def foreign(
    path: Path,
    *,
    seen: Shape = ("n", WIDTH),
    logits: Shape = ("n", ACTIONS),
    kinds: tuple[int, int] = (FLOAT, FLOAT),
    weights: np.ndarray | None = None,
    operator: str = "MatMul",
    **settings: Any,
) -> str:
    """A model that somebody else has written: the observation times some weights."""
    helper = onnx.helper
    found = np.ones((WIDTH, ACTIONS), np.float32) if weights is None else weights
    nodes = [
        helper.make_node("Cast", ["observation"], ["x"], to=FLOAT),
        helper.make_node(operator, ["x", "w"], ["y"]),
        helper.make_node("Cast", ["y"], ["logits"], to=kinds[1]),
    ]
    graph = helper.make_graph(
        nodes,
        "foreign",
        [helper.make_tensor_value_info("observation", kinds[0], seen)],
        [helper.make_tensor_value_info("logits", kinds[1], logits)],
        [onnx.numpy_helper.from_array(found, "w"), *settings.get("more", ())],
    )
    opset = helper.make_opsetid("", settings.get("opset", 17))
    model = helper.make_model(graph, opset_imports=[opset], ir_version=settings.get("ir", 9))
    helper.set_model_props(model, metadata_of(settings.get("catalogue", catalogue())))
    path.write_bytes(model.SerializeToString())
    return str(path)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"operator": "Frobnicate"}, "onnxruntime cannot run it: This is an invalid model"),
        ({"opset": 99}, "onnxruntime cannot run it: ONNX Runtime only"),
        ({"ir": 99}, "onnxruntime cannot run it: Unsupported model IR version: 99"),
        ({"seen": (4, WIDTH), "logits": (4, ACTIONS)}, "`observation` always has 4 rows"),
        ({"seen": ("a", "n", WIDTH), "logits": ("a", "n", ACTIONS)}, f"has to be of shape (n, {WIDTH})"),
        ({"seen": ("n", WIDTH - 1)}, "onnxruntime cannot run it"),
        ({"kinds": (onnx.TensorProto.DOUBLE, FLOAT)}, "32-bit floats, and is of double"),
        ({"kinds": (FLOAT, onnx.TensorProto.INT64)}, "32-bit floats, and is of int64"),
        ({"weights": np.ones((WIDTH, 10), np.float32), "logits": ("n", 10)}, "and is of (n, 10)"),
    ],
)
def test_what_is_wrong_with_a_model_is_said(
    changes: Mapping[str, Any], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DiagnosticError) as refused:
        load_policy(foreign(tmp_path / "p.onnx", **changes))
    found = refused.value.diagnostic
    assert found.code == "R266"
    assert says in found.message
    assert "ONNX file" not in found.message
    assert capfd.readouterr().err == ""


def test_the_library_prints_no_warnings(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    unused = onnx.numpy_helper.from_array(np.ones(3, np.float32), "unused")
    policy = load_policy(foreign(tmp_path / "p.onnx", more=[unused]))
    assert policy.logits(np.zeros((2, WIDTH), np.int32)).shape == (2, ACTIONS)
    assert capfd.readouterr().err == ""


def test_a_model_of_one_row_plays_and_is_put_into_a_page(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).standard_normal((WIDTH, ACTIONS)).astype(np.float32)
    one = load_policy(foreign(tmp_path / "1.onnx", seen=(1, WIDTH), logits=(1, ACTIONS), weights=weights))
    many = load_policy(foreign(tmp_path / "n.onnx", weights=weights))
    rows = np.arange(3 * WIDTH, dtype=np.int32).reshape(3, WIDTH)
    assert np.allclose(one.logits(rows), many.logits(rows), atol=1e-3)
    layer = {"w1": np.ones((Features.of(catalogue()).size, ACTIONS)), "b1": np.zeros(ACTIONS)}
    save_policy(tmp_path / "s.onnx", catalogue(), Features.of(catalogue()), layer)
    model = onnx.load(tmp_path / "s.onnx")
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.shape.dim[0].dim_value = 1
    onnx.save(model, tmp_path / "s.onnx")
    assert page_policy(open_game(GAME, executor="wasm"), str(tmp_path / "s.onnx"))["actions"] == ACTIONS


# ---- weights


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"w1": np.full((38, 8), np.nan)}, "`w1` cannot be written as a policy: 304 of its 304 numbers"),
        ({"b2": np.full(ACTIONS, np.inf)}, "`b2` cannot be written as a policy: 9 of its 9 numbers"),
        ({"b1": np.full(8, 1e300)}, "are not finite"),
        ({"w1": np.zeros((8, 38))}, "it has the shape (8, 38), and has to have (38, 38)"),
        ({"b1": np.zeros((8, 1))}, "it has the shape (8, 1), and has to have (8,)"),
        ({"w2": np.zeros((8, 10))}, "it has the shape (8, 10), and has to have (8, 9)"),
        ({"w1": np.float32(3)}, "it has 0 dimensions, and has to have 2"),
        ({"w1": np.array(["a"])}, "not of numbers"),
        ({"b1": None}, "`b1` cannot be written as a policy: it is missing"),
        ({"w1": None}, "`w1` cannot be written as a policy: it is missing"),
    ],
)
def test_weights_that_are_no_network_are_not_written(
    changes: Mapping[str, np.ndarray | None], says: str, tmp_path: Path
) -> None:
    weights: dict[str, np.ndarray | None] = {"w1": np.zeros((38, 8)), "b1": np.zeros(8)}
    weights |= {"w2": np.zeros((8, ACTIONS)), "b2": np.zeros(ACTIONS), **changes}
    given = {name: found for name, found in weights.items() if found is not None}
    with pytest.raises(DiagnosticError) as refused:
        save_policy(tmp_path / "p.onnx", catalogue(), Features.of(catalogue()), given)
    assert refused.value.diagnostic.code == "R242"
    assert says in refused.value.diagnostic.message
    assert not (tmp_path / "p.onnx").exists()


def test_features_of_another_game_are_refused(tmp_path: Path) -> None:
    features = Features.of(spaces_of(open_game("connect_four", executor="wasm")).catalogue)
    layer = {"w1": np.zeros((features.size, ACTIONS)), "b1": np.zeros(ACTIONS)}
    with pytest.raises(DiagnosticError) as refused:
        save_policy(tmp_path / "p.onnx", catalogue(), features, layer)
    assert refused.value.diagnostic.code == "R242"
    assert f"the catalogue has {WIDTH} columns" in refused.value.diagnostic.message


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_networks_of_several_layers_are_written(layers: int, tmp_path: Path) -> None:
    features, rng = Features.of(catalogue()), np.random.default_rng(1)
    sizes = [features.size, *[8] * (layers - 1), ACTIONS]
    weights = {}
    for i, (inputs, outputs) in enumerate(pairwise(sizes), 1):
        weights[f"w{i}"] = rng.standard_normal((inputs, outputs)).astype(np.float32)
        weights[f"b{i}"] = rng.standard_normal(outputs).astype(np.float32)
    save_policy(tmp_path / "p.onnx", catalogue(), features, weights)
    rows = np.tile(Space.of(open_game(GAME, executor="wasm")).lows, (2, 1))
    wanted = features.of_rows(rows)
    for i in range(1, layers + 1):
        wanted = wanted @ weights[f"w{i}"] + weights[f"b{i}"]
        wanted = np.maximum(wanted, 0) if i < layers else wanted
    assert np.allclose(load_policy(str(tmp_path / "p.onnx")).logits(rows), wanted, atol=1e-4)


# ---- models of rules that have changed, and policies that break in play


def test_a_model_of_older_rules_plays_with_what_is_still_there(tmp_path: Path) -> None:
    own = catalogue()
    name, low, high = own.columns[-1]
    columns: tuple[Column, ...] = (*own.columns[:-1], (name, low, high + 1))
    path = foreign(tmp_path / "p.onnx", catalogue=replace(own, columns=columns))
    play = LearnMatch(Space.of(open_game(GAME, executor="wasm"), load_policy(path).catalogue.extended(own)))
    assert len(play.space.catalogue.columns) == len(own.columns) + 1
    run = CliRunner().invoke(main, ["simulate", GAME, "--seats", f"policy:{path},random", "-n", "2"])
    assert run.exit_code == 0, run.output


def test_a_model_for_other_seats_is_refused(tmp_path: Path) -> None:
    own = spaces_of(open_game("pig", 3, executor="wasm")).catalogue
    layer = {"w1": np.zeros((Features.of(own).size, len(own.actions))), "b1": np.zeros(len(own.actions))}
    save_policy(tmp_path / "p.onnx", own, Features.of(own), layer)
    words = ["simulate", "pig", "--seats", f"policy:{tmp_path / 'p.onnx'},random", "-n", "1"]
    run = CliRunner().invoke(main, words)
    assert "error[R260]" in run.output
    assert "does not fit pig (2 seats): it was trained for pig (3 seats)" in run.output
    lines = run.output.splitlines()
    shown, marked = lines[3].removeprefix(" 1 |"), lines[4].removeprefix("   |")
    assert shown[marked.index("^") : marked.rindex("^") + 1] == f"policy:{tmp_path / 'p.onnx'}"


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("make", [gym_envs.env, partial(gym_envs.vector_env, number=3)])
def test_a_file_is_an_opponent_in_its_own_game_only(
    make: Callable[..., Any], by_name: bool, tmp_path: Path
) -> None:
    path = foreign(tmp_path / "p.onnx")
    opponent = f"policy:{path}" if by_name else load_policy(path)
    env = make(GAME, seat=0, opponents=opponent)
    _, info = env.reset(seed=1)
    action = info["action_mask"].argmax(-1)
    env.step(action)
    with pytest.raises(DiagnosticError, match=f"connect_four .*: it was trained for {GAME}") as refused:
        make("connect_four", seat=0, opponents=opponent)
    assert refused.value.diagnostic.code == "R260"


def test_an_opponent_that_numbers_otherwise_is_refused(tmp_path: Path) -> None:
    own = catalogue()
    turned = replace(own, actions=own.actions[::-1])
    with pytest.raises(DiagnosticError, match="its catalogue has the digest") as refused:
        gym_envs.env(GAME, opponents=load_policy(foreign(tmp_path / "p.onnx")), catalogue=turned)
    assert refused.value.diagnostic.code == "R260"


def test_an_environment_works_on_when_an_opponent_breaks(tmp_path: Path) -> None:
    nothing = np.full((WIDTH, ACTIONS), np.nan, np.float32)
    broken = load_policy(foreign(tmp_path / "p.onnx", weights=nothing))
    env = gym_envs.env(GAME, seat=0, opponents=broken)
    for _ in range(2):
        _, info = env.reset(seed=1)
        with pytest.raises(DiagnosticError) as refused:
            env.step(int(info["action_mask"].argmax()))
        assert refused.value.diagnostic.code == "R266"
    envs = gym_envs.vector_env(GAME, 3, seat=0, opponents=broken)
    _, info = envs.reset(seed=1)
    with pytest.raises(DiagnosticError):
        envs.step(info["action_mask"].argmax(1))
    seen, info = envs.reset(seed=1)
    assert (info["seat"] == 0).all()
    assert envs.observation_space.contains(seen)


def test_an_environment_begins_anew_in_mid_match() -> None:
    env = zoo_envs.env("leduc_poker")
    courses = []
    for _ in range(2):
        env.reset(seed=4)
        seen = [env.last()[0].tolist()]
        for _ in range(2):
            env.step(int(env.last()[4]["action_mask"].argmax()))
            seen.append(env.last()[0].tolist())
        courses.append(seen)
    assert courses[0] == courses[1]
    with pytest.raises(DiagnosticError):
        env.step(10**6)
    env.reset(seed=4)
    assert env.last()[0].tolist() == courses[0][0]


# ---- names


@pytest.mark.parametrize("name", ["policy", "policy:", "my.onnx"])
def test_whoever_means_a_policy_is_told_how_to_name_it(name: str) -> None:
    run = CliRunner().invoke(main, ["play", GAME, "--seats", f"{name},random"])
    assert "a trained policy is named by its file: `policy:FILE.onnx`" in run.output
    run = CliRunner().invoke(main, ["simulate", GAME, "--seats", f"{name},random", "-n", "1"])
    assert "a trained policy is named by its file: `policy:FILE.onnx`" in run.output


@pytest.mark.parametrize("command", ["play", "simulate", "arena", "dataset", "analyse", "compare", "tune"])
def test_help_names_policies(command: str) -> None:
    assert "policy:FILE" in CliRunner().invoke(main, [command, "--help"]).output

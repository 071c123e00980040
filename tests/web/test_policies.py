"""A trained policy in a page: what it sees, what its chances are and what it chooses, as in Python."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dsl.diagnostics import DiagnosticError
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match
from rulewright.bundling.game_file import hash_of
from rulewright.bundling.scripts import POLICY, SINGLE, script
from rulewright.learn.features import Features
from rulewright.learn.network import OPERATORS, NetworkProgram, NetworkStep, network_program
from rulewright.learn.onnx_files import OnnxPolicy, load_policy, metadata_of, save_policy
from rulewright.learn.page_policy import page_policy
from rulewright.learn.play import LearnMatch
from rulewright.learn.policy_bot import PolicyBot
from rulewright.learn.space import Space
from rulewright.learn.tables import spaces_of
from rulewright.main import main
from rulewright.presentation.description import describe
from rulewright.presentation.host_tables import host_tables
from tests.games import Table
from tests.web.in_node import run_in_node
from tests.web.recording import fast

onnx = pytest.importorskip("onnx", reason="the extra `policy` is not installed")
pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")

COMPARE = """
import { comparePolicies } from "./tests/web/policies.js";
console.log(JSON.stringify(await comparePolicies(given)));
"""
COMPUTE = """
import { computed } from "./tests/web/policies.js";
console.log(JSON.stringify(given.map(computed)));
"""
GENERALITY = Path(__file__).parent.parent / "generality"
EACH: list[Table] = [("connect_four", 2, ()), ("roll_through_the_ages", 2, ()), ("amazons", 2, ())]
"""One choice, dice and tables, choices of three parts."""
HIDING: list[Table] = [
    ("roma", 2, ()),
    ("leduc_poker", 2, ()),
    ("goofspiel", 2, ()),
    ("gin_rummy", 2, ()),
    (str(GENERALITY / "purses"), 3, ()),
]
"""Hidden hands, choices made together, words that not everybody sees."""


MANY_NUMBERS: Table = ("texas_holdem", 2, (("stack", "1000000"), ("hands", "4")))
"""Numbers that are chosen in parts of parts."""


class Drawn:
    """A generator that draws what it is told, in order."""

    def __init__(self, numbers: list[float]) -> None:
        self.numbers = iter(numbers)

    def random(self, shape: tuple[int, ...]) -> np.ndarray:
        return np.full(shape, next(self.numbers))


def saved(table: Table, path: Path, old: bool = False) -> OnnxPolicy:
    """A policy with random weights; an old one knows neither the last action nor the last column."""
    catalogue, rng = spaces_of(fast(table)).catalogue, np.random.default_rng(5)
    if old:
        catalogue = replace(catalogue, actions=catalogue.actions[1:], columns=catalogue.columns[:-1])
    features, actions = Features.of(catalogue), len(catalogue.actions)
    shapes = {"w1": (features.size, 16), "b1": (16,), "w2": (16, actions), "b2": (actions,)}
    weights = {name: rng.standard_normal(shape).astype(np.float32) / 4 for name, shape in shapes.items()}
    save_policy(path, catalogue, features, weights)
    return load_policy(str(path))


def recorded(table: Table, policy: OnnxPolicy, seed: int, most: int) -> dict[str, Any]:
    game, random = fast(table), Random(seed)
    play = LearnMatch(Space.of(game, policy.catalogue.extended(spaces_of(game).catalogue)))
    match, asked = Match(game, seed=seed).start(), []
    while not match.over and len(asked) < most:
        waiting = random.choice(match.waiting())
        play.reset(seed, match)
        play.ask(waiting.seat)
        row, mask, drawn = play.observation(), play.mask(), [random.random() for _ in range(8)]
        action = int(policy.act(row[None], mask[None], Drawn(drawn))[0])  # type: ignore[arg-type]
        option = PolicyBot(policy).draw(play, match, waiting, Drawn(drawn))  # type: ignore[arg-type]
        words = random.choice(match.offered_to(waiting.seat)[0].choices).text
        offered = mask.nonzero()[0]
        asked.append(
            {
                "seat": waiting.seat,
                "observation": row.tolist(),
                "offered": offered.tolist(),
                "odds": chances(policy, row, offered),
                "drawn": drawn,
                "action": action,
                "words": words,
                **({"chosen": in_words(match, waiting, option)} if waiting.ranges else {}),
            }
        )
        match.choose(game.names.seat(waiting.seat), words)
    return {"seed": str(seed), "asked": asked}


def in_words(match: Match, waiting: Waiting, option: Option) -> str:
    names, node = match.game.names, match.game.machine.decision(waiting.node)
    return " ".join(names.choice(node, option, waiting.what))


def chances(policy: OnnxPolicy, row: np.ndarray, offered: np.ndarray) -> list[float]:
    """The chances of what is offered; what the policy does not know has none, unless it knows nothing."""
    known = offered < len(policy.catalogue.actions)
    if not known.any():
        return (np.ones(len(offered)) / len(offered)).tolist()
    logits = policy.logits(row[None])[0].astype(np.float64)
    odds = np.zeros(len(offered))
    odds[known] = np.exp(logits[offered[known]] - logits[offered[known]].max())
    return (odds / odds.sum()).tolist()


def compared(table: Table, folder: Path, old: bool = False) -> dict[str, Any]:
    game, file = fast(table), folder / "policy.onnx"
    policy = saved(table, file, old)
    data, tables = host_tables(game, observes=True)
    tables["policy"] = page_policy(game, str(file))
    given = {"description": describe(game), "tables": tables, "module": base64.b64encode(data).decode()}
    matches = [recorded(table, policy, seed, 40) for seed in (1, 2)]
    report = run_in_node(COMPARE, folder, {**given, "matches": matches})
    assert report["wrong"] == []
    assert report["compared"] >= 4 * sum(len(match["asked"]) for match in matches) > 20
    return report


@pytest.mark.each_game
@pytest.mark.parametrize("table", EACH, ids=str)
def test_a_policy_in_a_page_is_the_policy_in_python(table: Table, tmp_path: Path) -> None:
    compared(table, tmp_path)


@pytest.mark.parametrize("table", HIDING, ids=str)
def test_so_is_one_that_does_not_see_everything(table: Table, tmp_path: Path) -> None:
    compared(table, tmp_path)


def test_so_is_one_that_chooses_numbers_in_parts(tmp_path: Path) -> None:
    compared(MANY_NUMBERS, tmp_path)


@pytest.mark.parametrize("table", [("leduc_poker", 2, ()), ("goofspiel", 2, ())], ids=str)
def test_so_is_one_of_an_older_catalogue(table: Table, tmp_path: Path) -> None:
    compared(table, tmp_path, old=True)


# ---- networks


def one_step(operator: str, inputs: int, settings: dict[str, float], seed: int) -> NetworkProgram:
    """A program of one operator over an observation of six numbers and constants."""
    rng = np.random.default_rng(seed)
    square = operator in ("MatMul", "Gemm")
    shapes = [(6, 6) if square and i == 1 else (1, 6) for i in range(inputs)]
    constants = {i: rng.normal(size=shapes[i]).astype(np.float32) for i in range(1, inputs)}
    if operator == "Gather":
        constants[1] = np.array([[3, 0, 3, 5]], dtype=np.float32)
    if operator == "Clip":
        constants |= {1: np.float32([[-0.5]]), 2: np.float32([[0.7]])}
    given = (0, 0) if operator == "Concat" else tuple(range(inputs))
    step = NetworkStep(operator, given, inputs, settings)
    return NetworkProgram(constants, (step,), inputs)


CASES: dict[str, tuple[int, dict[str, float]]] = {
    **dict.fromkeys(OPERATORS, (1, {})),
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Equal", "MatMul", "Gather", "Concat"), (2, {})),
    **dict.fromkeys(("Where", "Clip"), (3, {})),
    "Gemm": (3, {"alpha": 0.5, "beta": 2.0, "transB": 1.0}),
    "LeakyRelu": (1, {"alpha": 0.1}),
    "Elu": (1, {"alpha": 1.5}),
    "LayerNormalization": (3, {"epsilon": 1e-3}),
}


def test_every_operator_means_the_same_in_both(tmp_path: Path) -> None:
    rows = [[0.0, 1.0, -1.0, 2.5, 0.25, -3.0], [1.0, 1.0, 1.0, 1.0, 1.0, 2.0]]
    programs = {name: one_step(name, *case, seed=3) for name, case in CASES.items()}
    given = [{"network": program.as_json(), "rows": rows} for program in programs.values()]
    found = run_in_node(COMPUTE, tmp_path, given)
    for (name, program), each in zip(programs.items(), found, strict=True):
        wanted = program.run(np.array(rows, dtype=np.float32))
        both = np.array([[np.nan if x is None else x for x in row] for row in each])
        if name == "Sqrt":  # of negative numbers: none in JSON
            wanted = np.where(np.isfinite(wanted), wanted, np.nan)
        finite = np.where(np.isfinite(wanted), wanted, np.nan)
        assert np.allclose(both, finite, atol=1e-5, equal_nan=True), name


Change = Callable[[Any], None]


def two_layers(change: Change | None = None) -> bytes:
    """A network in the way of other libraries: constants as nodes, a transposed product, a normalisation."""
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    rng = np.random.default_rng(1)
    catalogue = spaces_of(fast(("tic_tac_toe", 2, ()))).catalogue
    columns, actions = len(catalogue.columns), len(catalogue.actions)
    weights = {
        "w1": rng.normal(size=(8, columns)).astype(np.float32),
        "b1": rng.normal(size=8).astype(np.float32),
        "s": np.ones(8, np.float32),
        "w2": rng.normal(size=(8, actions)).astype(np.float32),
    }
    ten = numpy_helper.from_array(np.array(10, np.float32))
    nodes = [
        helper.make_node("Flatten", ["observation"], ["flat"]),
        helper.make_node("Constant", [], ["ten"], value=ten),
        helper.make_node("Div", ["flat", "ten"], ["near"]),
        helper.make_node("Gemm", ["near", "w1", "b1"], ["one"], transB=1),
        helper.make_node("LayerNormalization", ["one", "s", "b1"], ["two"]),
        helper.make_node("Tanh", ["two"], ["three"]),
        helper.make_node("MatMul", ["three", "w2"], ["four"]),
        helper.make_node("LogSoftmax", ["four"], ["logits"]),
    ]
    kind = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "net",
        [helper.make_tensor_value_info("observation", kind, ["n", columns])],
        [helper.make_tensor_value_info("logits", kind, ["n", actions])],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, {"rulewright_catalogue": catalogue.text()})
    if change is not None:
        change(model)
    written: bytes = model.SerializeToString()
    return written


def test_a_network_of_another_library_is_read(tmp_path: Path) -> None:
    (tmp_path / "p.onnx").write_bytes(two_layers())
    policy = load_policy(str(tmp_path / "p.onnx"))
    program = network_program("p.onnx", two_layers())
    rows = np.random.default_rng(2).integers(0, 3, (5, len(policy.catalogue.columns)))
    assert np.allclose(program.run(rows.astype(np.float32)), policy.logits(rows), atol=1e-5)
    found = page_policy(fast(("tic_tac_toe", 2, ())), str(tmp_path / "p.onnx"))
    assert found["network"]["steps"][0][0] == "Flatten"


def renamed(number: int, operator: str) -> Change:
    def change(model: Any) -> None:
        model.graph.node[number].op_type = operator

    return change


def with_setting(number: int, name: str, value: int) -> Change:
    def change(model: Any) -> None:
        model.graph.node[number].attribute.append(onnx.helper.make_attribute(name, value))

    return change


def doubled(model: Any) -> None:
    values = onnx.numpy_helper.to_array(model.graph.initializer[2]).astype(np.float64)
    model.graph.initializer[2].CopyFrom(onnx.numpy_helper.from_array(values, "s"))


def heavier(model: Any) -> None:
    large = np.zeros((1, 1 << 22), np.float32)
    model.graph.initializer.append(onnx.numpy_helper.from_array(large, "large"))


def deeper(model: Any) -> None:
    values = np.zeros((1, 1, 8), np.float32)
    model.graph.initializer[1].CopyFrom(onnx.numpy_helper.from_array(values, "b1"))


def unread(model: Any) -> None:
    del model.graph.node[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (renamed(5, "Erf"), "its operator `Erf` is none that a page computes"),
        (with_setting(7, "axis", 0), "its operator `LogSoftmax` has `axis` 0, which no page computes"),
        (with_setting(3, "transA", 1), "its operator `Gemm` has `transA` 1, which no page computes"),
        (with_setting(5, "speed", 1), "its operator `Tanh` has `speed`, which no page knows"),
        (doubled, "its constant `s` is of double"),
        (deeper, "its constant `b1` has 3 dimensions"),
        (heavier, "its weights have 16,778,"),
        (unread, "its operator `Div` reads `flat`, which nothing computes before"),
    ],
)
def test_what_no_page_computes_is_refused(change: Change, why: str) -> None:
    with pytest.raises(DiagnosticError) as refused:
        network_program("p.onnx", two_layers(change))
    assert refused.value.diagnostic.code == "R241"
    assert why in refused.value.diagnostic.message


def test_a_network_that_comes_out_otherwise_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.onnx").write_bytes(two_layers())
    monkeypatch.setitem(OPERATORS, "Tanh", lambda x, _: x[0])
    with pytest.raises(DiagnosticError) as refused:
        page_policy(fast(("tic_tac_toe", 2, ())), str(tmp_path / "p.onnx"))
    assert "the page would compute other logits" in refused.value.diagnostic.message


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_logits_that_are_no_numbers_are_refused(number: float, tmp_path: Path) -> None:
    def change(model: Any) -> None:
        last = model.graph.initializer[3]
        values = onnx.numpy_helper.to_array(last).copy()
        values[:, 0] = number
        last.CopyFrom(onnx.numpy_helper.from_array(values, last.name))

    (tmp_path / "p.onnx").write_bytes(two_layers(change))
    with pytest.raises(DiagnosticError) as refused:
        page_policy(fast(("tic_tac_toe", 2, ())), str(tmp_path / "p.onnx"))
    assert refused.value.diagnostic.code == "R241"
    assert "its `logits` are not finite numbers" in refused.value.diagnostic.message


# ---- the command


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, ["export", *words])
    return found.exit_code, found.output


def test_a_file_with_a_policy(tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    saved(("kuhn_poker", 2, ()), tmp_path / "p.onnx")
    code, output = run("kuhn_poker", "--policy", str(tmp_path / "p.onnx"), "--into", str(file))
    assert code == 0, output
    text = file.read_bytes().decode("utf-16")
    assert hash_of(script(POLICY)) in text
    assert hash_of(script(SINGLE)) not in text


@pytest.mark.parametrize(("game", "code"), [("leduc_poker", "R260"), ("no_such_game", "D062")])
def test_a_policy_that_does_not_fit_is_refused(game: str, code: str, tmp_path: Path) -> None:
    saved(("kuhn_poker", 2, ()), tmp_path / "p.onnx")
    result, output = run(game, "--policy", str(tmp_path / "p.onnx"), "--into", str(tmp_path / "game.html"))
    assert result != 0
    assert f"error[{code}]" in output
    assert not (tmp_path / "game.html").exists()


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    for name, code in (("nothing.onnx", "D001"), (".", "D001")):
        path = str(tmp_path / name)
        result, output = run("kuhn_poker", "--policy", path, "--into", str(tmp_path / "game.html"))
        assert (result, f"error[{code}]" in output) == (2, True), output


def test_a_network_of_torch_is_put_into_a_page(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; docs/learning.md says how")
    game, path = fast(("connect_four", 2, ())), str(tmp_path / "p.onnx")
    catalogue, nn = spaces_of(game).catalogue, torch.nn
    columns, actions = len(catalogue.columns), len(catalogue.actions)
    layers = [nn.Linear(columns, 64), nn.LayerNorm(64), nn.Tanh(), nn.Linear(64, 64), nn.ReLU()]
    layers += [nn.Dropout(0.1), nn.Linear(64, 64), nn.ELU(), nn.Linear(64, 64), nn.LeakyReLU(0.2)]
    model = nn.Sequential(*layers, nn.Linear(64, actions)).eval()
    names = {"input_names": ["observation"], "output_names": ["logits"], "dynamo": False}
    axes = {"observation": {0: "n"}, "logits": {0: "n"}}
    torch.onnx.export(model, (torch.zeros(2, columns),), path, dynamic_axes=axes, **names)
    found = onnx.load(path)
    onnx.helper.set_model_props(found, metadata_of(catalogue))
    onnx.save(found, path)
    assert "LayerNormalization" in [step[0] for step in page_policy(game, path)["network"]["steps"]]

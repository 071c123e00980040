"""Datasets: what is in the rows, that they can be written again, and what is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import rulewright
from rulewright.experiments.bots import check_bot
from rulewright.learn.arrays import exchangeable
from rulewright.learn.catalogue import SpaceCatalogue
from rulewright.learn.dataset import from_match, played
from rulewright.learn.opponents import player_of
from rulewright.learn.planes import NetworkLayout
from rulewright.learn.space import Space
from rulewright.main import main
from validators.experiments import players


def policy_writer() -> Callable[..., str]:
    """Writes a policy with random weights; without its libraries a test is left out."""
    pytest.importorskip("onnx", reason="the extra `policy` is not installed")
    pytest.importorskip("onnxruntime", reason="the extra `policy` is not installed")
    from tests.learn.test_policies import written

    return written


def parquet_module() -> Any:
    """The library of tables: these tests are left out without it, but not where all services are there."""
    if os.environ.get("RULEWRIGHT_SERVICES") == "required":
        return import_module("pyarrow.parquet")
    return pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: `make services`")


def test_rows_are_what_was_seen_offered_and_chosen() -> None:
    space = Space.of(rulewright.open_game("leduc_poker", executor="wasm"))
    found = played(space, [player_of("random")] * 2, ["random"] * 2, 5)
    assert [row.step for row in found.rows] == list(range(len(found.rows)))
    assert all(row.action in row.offered for row in found.rows)
    assert sum(found.totals) == 0
    assert sorted(found.rewards) in ([-1.0, 1.0], [0.0, 0.0])


def test_a_saved_match_gives_the_same_rows_as_playing_it() -> None:
    game = rulewright.open_game("roma", executor="wasm")
    space = Space.of(game)
    bot = rulewright.bot_named("random")
    match = rulewright.Match(game, seed=4).start()
    while not match.over:
        waiting = match.waiting()[0]
        match.take(waiting, bot.choose(match, waiting, 1))
    found = from_match(space, match, "m.log", ["random"] * 2)
    assert len(found.rows) == len(match.history)
    assert all(row.action in row.offered for row in found.rows)
    assert [seat for seat, won in zip("AB", found.won, strict=True) if won] == match.winners()


@pytest.mark.parquet
def test_the_command_writes_a_table_and_its_datasheet(tmp_path: Path) -> None:
    parquet = parquet_module()
    into = tmp_path / "kuhn.parquet"
    words = ["dataset", "kuhn_poker", "-n", "20", "--seed", "3", "--into", str(into)]
    run = CliRunner().invoke(main, words)
    assert run.exit_code == 0, run.output
    table = parquet.read_table(into)
    assert len(set(table["match"].to_pylist())) == 20
    catalogue = SpaceCatalogue.read(table.schema.metadata[b"catalogue"].decode())
    for row in table.to_pylist():
        assert row["words"] == catalogue.actions[row["action"]]
        assert row["action"] in row["offered"]
        assert len(row["observation"]) == len(catalogue.columns)
    layout = NetworkLayout.of(rulewright.open_game("kuhn_poker"))
    assert table.schema.metadata[b"layout"].decode() == layout.text()
    assert table.schema.metadata[b"layout_digest"].decode() == layout.digest
    numbers = layout.of_rows(np.array(table["observation"].to_pylist()))
    assert numbers.shape == (len(table), layout.size)
    sheet = Path(f"{into}.md").read_text("utf-8")
    assert layout.digest in sheet
    assert "20 matches" in sheet
    assert catalogue.digest in sheet
    first = into.read_bytes()
    assert CliRunner().invoke(main, words).exit_code == 0
    assert into.read_bytes() == first


@pytest.mark.parquet
def test_trained_policies_play_for_a_table(tmp_path: Path) -> None:
    parquet = parquet_module()
    written = policy_writer()
    policy, into = f"policy:{written(tmp_path / 'p.onnx', 'kuhn_poker')}", tmp_path / "policy.parquet"
    words = ["dataset", "kuhn_poker", "-n", "3", "--bots", f"{policy},random", "--into", str(into)]
    run = CliRunner().invoke(main, words)
    assert run.exit_code == 0, run.output
    assert set(parquet.read_table(into)["player"].to_pylist()) == {policy, "random"}


def test_a_trained_policy_has_a_name_before_any_experiment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written = policy_writer()
    monkeypatch.setattr(players, "_further", {})
    check_bot(f"policy:{written(tmp_path / 'p.onnx', 'kuhn_poker')}")


@pytest.mark.parquet
def test_logs_become_a_table(tmp_path: Path) -> None:
    parquet = parquet_module()
    logs = tmp_path / "logs"
    logs.mkdir()
    for seed in ("1", "2"):
        log = str(logs / f"{seed}.log")
        words = ["play", "kuhn_poker", "--seats", "random,random", "--seed", seed, "--log", log]
        CliRunner().invoke(main, words)
    into = tmp_path / "logs.parquet"
    run = CliRunner().invoke(main, ["dataset", "kuhn_poker", "--logs", str(logs), "--into", str(into)])
    assert run.exit_code == 0, run.output
    assert set(parquet.read_table(into)["match"].to_pylist()) == {"1.log", "2.log"}


@pytest.mark.parquet
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["kuhn_poker", "--logs", "."], "error[C540]"),
        (["kuhn_poker", "--bots", "random,random,random"], "error[C491]"),
        (["kuhn_poker", "--bots", "wise"], "error[R250]"),
        (["kuhn", "-n", "1"], "error[D062]"),
        (["kuhn_poker", "-n", "0"], "0 is not in the range"),
    ],
)
def test_what_cannot_be_written(words: list[str], says: str, tmp_path: Path) -> None:
    parquet_module()
    if "." in words:
        words = [str(tmp_path) if word == "." else word for word in words]
    run = CliRunner().invoke(main, ["dataset", *words, "--into", str(tmp_path / "x.parquet")])
    assert run.exit_code != 0
    assert says in run.output
    assert not (tmp_path / "x.parquet").exists()


@pytest.mark.parquet
def test_a_place_where_nothing_can_be_written_is_refused_before_play(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parquet_module()
    monkeypatch.setattr("rulewright.learn.dataset.played", lambda *_: pytest.fail("it plays"))
    for into in (tmp_path, tmp_path / "missing" / "x.parquet"):
        run = CliRunner().invoke(main, ["dataset", "kuhn_poker", "-n", "1", "--into", str(into)])
        assert run.exit_code == 2
        assert "error[C401]" in run.output


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rulewright.learn.dataset.library", lambda name: None)
    run = CliRunner().invoke(main, ["dataset", "kuhn_poker", "--into", str(tmp_path / "x.parquet")])
    assert "error[R264]" in run.output


def test_arrays_are_handed_on_without_a_copy() -> None:
    batch = rulewright.Batch(rulewright.open_game("leduc_poker"), 8)
    found = exchangeable(batch)
    tensors = {name: np.from_dlpack(array) for name, array in found.items() if name != "mask_rows"}
    for _ in range(20):
        batch.step(batch.sample())
        for name, tensor in tensors.items():
            assert (tensor == getattr(batch, name)).all()
    assert np.shares_memory(tensors["observations"], batch.observations)

"""`rulewright explore`: what it prints, writes and exits with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright.main import main
from validators.explore import search

RULES = """action act
    roll die
    number += die.face
value over = number is 3
score points = number
never number is 2
"""
GAME = """game: demo
seats: 2
rules: [demo.rules]
counters: {number: {range: 0..5}}
components: {die: {die: 1..2}}
flow:
  turn: {seat: rotates, do: [{do one of: [act], named: act}], then: {over: final, otherwise: turn}}
  final: {score: highest}
small: {tiny: {counters: {number: {start: 1}}}}
"""


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "game.yaml").write_text(GAME)
    (folder / "demo.rules").write_text(RULES)
    return folder


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["explore", *map(str, words)])


def test_findings_are_shown_with_the_way_to_them(demo: Path) -> None:
    found = run(demo)
    assert found.exit_code == 1
    assert "error[R211]: `never number is 2` no longer holds" in found.output
    assert "the shortest path to it, 2 moves: A act · die: 2" in found.output
    assert "exhaustive: every reachable position was explored" in found.output


@pytest.mark.parametrize("small", [None, "tiny", "file"])
def test_the_log_replays(demo: Path, small: str | None) -> None:
    log = demo / "found.log"
    if small == "file":
        (demo / "tiny.yaml").write_text("counters: {number: {start: 1}}\n")
        small = str(demo / "tiny.yaml")
    found = run(demo, "--log", log, *(("--small", small) if small else ()))
    assert found.exit_code == 1
    words = ["replay", str(log), "--game", str(demo), "--step", "2"]
    words += ["--small", small] if small and small.endswith(".yaml") else []
    again = CliRunner().invoke(main, words)
    assert again.exit_code == 0, again.output
    assert "number: 2" in again.output


def test_for_programs(demo: Path) -> None:
    found = json.loads(run(demo, "--json").output)
    assert found["exhaustive"] is True
    assert next((x["code"], x["path"]) for x in found["findings"]) == ("R211", ["A act", "die: 2"])


def test_a_game_without_findings_exits_with_0() -> None:
    found = run("kuhn_poker")
    assert found.exit_code == 0
    assert "58 positions, 30 ends" in found.output


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--depth", 0), "C411"),
        (("--states", -1), "C411"),
        (("--seconds", 0), "C411"),
        (("--playouts", 0), "C411"),
        (("--small", "tinny"), "D064"),
        (("--small", "no/such.yaml"), "D001"),
    ],
)
def test_bad_words_give_one_mistake(demo: Path, words: tuple[object, ...], code: str) -> None:
    found = run(demo, *words)
    assert found.exit_code in (1, 2)
    assert found.output.count("error[") == 1
    assert f"error[{code}]" in found.output


def test_a_bad_file_is_refused_where_it_is_wrong(demo: Path) -> None:
    (demo / "bad.yaml").write_text("counters: {nunber: {start: 1}}\n")
    found = run(demo, "--small", demo / "bad.yaml")
    assert "error[D030]: unknown name `nunber`" in found.output
    assert "did you mean `number`?" in found.output


def test_an_interrupt_shows_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = search.Search._look

    def interrupted(self: search.Search, position: bytes) -> None:
        if self.found.graph.looked_at == 20:
            raise KeyboardInterrupt
        looked(self, position)

    monkeypatch.setattr(search.Search, "_look", interrupted)
    found = run("tic_tac_toe", "--no-symmetry")
    assert found.exit_code == 130
    assert "not exhaustive: interrupted" in found.output


def test_playouts_prove_nothing() -> None:
    found = run("kuhn_poker", "--playouts", 20)
    assert found.exit_code == 0
    assert "this proves nothing" in found.output


def test_why_something_was_not_seen_is_said() -> None:
    """The whole game was looked at, and a fault keeps a seat from winning."""
    case = Path(__file__).parent.parent / "diagnostics" / "check" / "V307-empty-range"
    result = run(case)
    assert result.exit_code == 1
    assert (
        "not seen, which proves nothing because some paths stop at a fault:\n  a win of seat B"
        in result.output
    )

"""Seats that have names of their own: in rules, scenarios, matches and logs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from rulewright.main import main

GAME = """
game: race
seats: {count: 2, names: [white, black]}
rules: [race.rules]
counters:
  steps: {of: seat, range: 0..9}
flow:
  run:
    do: [{each seat in turn: [{do one of: [walk, leap]}]}]
    then: {any(seat where steps of seat >= 4): final, otherwise: run}
  final: {score: highest}
"""
RULES = """
action walk
    gain 1 steps
action leap
    needs steps of me is 0 and me is white
    gain 2 steps
score progress = steps of me
"""
SCENARIOS = """
- scenario: only white leaps
  when:
    - white: leap
    - refused: {black: leap}
    - black: walk
  then:
    steps of white: 2
    steps of black: 1
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "scenarios").mkdir()
    for name, text in (("game.yaml", GAME), ("race.rules", RULES), ("scenarios/race.yaml", SCENARIOS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(*words: str) -> str:
    result = CliRunner().invoke(main, words)
    return result.output + (result.stderr if result.stderr_bytes else "")


def test_scenarios_call_them_by_their_names(game: Path) -> None:
    assert "1 scenario, all hold" in run("test", str(game))
    other = SCENARIOS.replace("black: walk", "B: walk")
    (game / "scenarios" / "race.yaml").write_text(other, encoding="utf-8")
    assert "start a line with a seat, `white` or `black`, or" in run("test", str(game))


def test_matches_and_logs_call_them_by_their_names(game: Path) -> None:
    log = str(game / "x.log")
    assert "white: " in run("play", str(game), "--seed", "1", "--log", log)
    assert "unknown seat `A`" in run("replay", log, "--game", str(game), "--seat", "A")
    for seat in ("white", "Black", "spectator"):
        assert "fits it" in run("replay", log, "--game", str(game), "--seat", seat)

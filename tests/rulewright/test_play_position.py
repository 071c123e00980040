"""`rulewright play --position`: matches that begin from a position in a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright.main import main

POSITION = """
seats: 2
options: {mercator_cap: 3}
at: turn
seat: B
set:
  money of B: 9
  hand of B: [forum]
"""


def run(*words: str) -> Result:
    """A command without a terminal."""
    return CliRunner().invoke(main, words)


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "position.yaml"
    path.write_text(POSITION)
    return path


def test_a_match_begins_there_and_its_log_is_replayed(position: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    played = run("play", "roma", "--position", str(position), "--seed", "3", "--log", str(log))
    assert played.exit_code == 0, played.output
    told = run("replay", str(log))
    assert told.exit_code == 0, told.output
    assert "begun from a position, at turn, turn of B" in told.output
    assert "  hand of B: forum" in told.output
    assert "mercator_cap=3" in told.output


def test_a_seat_is_not_told_what_was_set(position: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    run("play", "roma", "--position", str(position), "--seed", "3", "--log", str(log))
    told = run("replay", str(log), "--seat", "A", "--step", "0")
    assert "begun from a position" in told.output
    assert "hand of B: forum" not in told.output


def test_options_of_the_command_come_first(position: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    run("play", "roma", "--position", str(position), "--option", "mercator_cap=2", "--log", str(log))
    assert "mercator_cap=2" in run("replay", str(log)).output


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (POSITION.replace("hand of B", "hand of Z"), "R236", 8),
        (POSITION.replace("[forum]", "[farum]"), "R236", 8),
        (POSITION.replace("at: turn", "at: tun"), "R236", 2),
        (POSITION.replace("set:", "sets:"), "D009", 6),
        (POSITION.replace("seats: 2", "seats: two"), "D011", 2),
        (POSITION.replace("seats: 2", "seats: 7"), "C420", 0),
        ("- a list\n", "D011", 1),
    ],
)
def test_what_is_wrong_with_it_is_said_at_its_place(text: str, code: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "position.yaml"
    path.write_text(text)
    result = run("play", "roma", "--position", str(path))
    assert result.exit_code in (1, 2)
    assert f"error[{code}]" in result.stderr
    assert not line or f"position.yaml:{line}:" in result.stderr


def test_it_begins_a_new_match(position: Path) -> None:
    for words in (("--resume", "match.log"), ("--companion",)):
        result = run("play", "roma", "--position", str(position), *words)
        assert result.exit_code == 2
        assert "--position begins a new match" in result.stderr


def test_a_missing_file_is_told() -> None:
    result = run("play", "roma", "--position", "nowhere.yaml")
    assert result.exit_code == 2
    assert "error[D001]" in result.stderr


# ---- playouts and explorations

ENDGAME = "at: turn\nseat: A\nset: {stone at a1: A, stone at b2: B, stone at c3: A, stone at a3: B}\n"


@pytest.fixture
def endgame(tmp_path: Path) -> Path:
    path = tmp_path / "endgame.yaml"
    path.write_text(ENDGAME)
    return path


def test_playouts_begin_there_on_both_executors(endgame: Path) -> None:
    results = [
        json.loads(run("simulate", "tic_tac_toe", "--position", str(endgame), "--json", *words).output)
        for words in ((), ("--executor", "reference"), ("--checked",))
    ]
    assert all(result["decisions"]["max"] == 5 for result in results)
    assert results[0]["wins"] == results[1]["wins"] == results[2]["wins"]


def test_the_log_of_a_playout_from_a_position_is_replayed(endgame: Path, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    run("simulate", "tic_tac_toe", "-n", "2", "--position", str(endgame), "--log", str(log))
    told = run("replay", str(log))
    assert told.exit_code == 0, told.output
    assert "begun from a position, at turn, turn of A" in told.output


def test_an_exploration_begins_there(endgame: Path) -> None:
    whole, part = (
        json.loads(run("explore", "tic_tac_toe", "--json", *words).output)
        for words in ((), ("--position", str(endgame)))
    )
    assert part["exhaustive"]
    assert part["depth"] == 5
    assert 1 < part["positions"] < whole["positions"]

"""`rulewright play`: mistakes on the command line, and saves that are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright.main import main

ROOT = Path(__file__).resolve().parents[2]
CARDS, DICE = "roma", "roll_through_the_ages"


def run(*words: str) -> Result:
    """The command without a terminal."""
    return CliRunner().invoke(main, ["play", *words])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((CARDS[:-1],), "D062", "unknown game"),
        ((CARDS, "--players", "3"), "C420", "is played by 2, not by 3"),
        ((CARDS, "--players", "0"), "C420", "not by 0"),
        ((CARDS, "--seats", "human"), "C420", "not by 1"),
        ((CARDS, "--seats", "human,robot"), "C420", "unknown kind of player `robot`"),
        ((CARDS, "--seats", "human,"), "C420", "empty seat in the list"),
        ((CARDS, "--seats", "9" * 30), "C420", "unknown kind of player"),
        ((CARDS, "--seats", "2", "--players", "3"), "C420", "`--seats` has 2 seats"),
        ((CARDS, "--option", "trading=on"), "D061", "no option `trading`"),
        ((DICE, "--option", "trading=maybe"), "D061", "cannot be `maybe`"),
        ((DICE, "--option", "trading"), "C404", "is not of the form `NAME=VALUE`"),
        ((CARDS, "--log", "/no/such/folder/x"), "C401", "cannot be written"),
        ((CARDS, "--log", "pyproject.toml"), "C401", "is not a log"),
        ((CARDS, "--resume", "/no/such/file"), "D001", "cannot be read"),
        ((CARDS, "--resume", "pyproject.toml"), "R221", "not a line of a log"),
        ((CARDS, "--resume", "/"), "D001", "cannot be read"),
    ],
)
def test_a_mistake_is_one_diagnostic(
    words: tuple[str, ...], code: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = run(*words)
    assert result.exit_code in (1, 2)
    assert result.stderr.count("error[") == 1
    assert f"error[{code}]" in result.stderr
    assert message in result.stderr
    assert result.stdout == ""


def test_what_the_file_says_cannot_be_said_again() -> None:
    result = run(CARDS, "--resume", "x", "--seed", "1")
    assert result.exit_code == 2
    assert "--resume takes" in result.stderr


@pytest.mark.parametrize(
    ("old", "new"),
    [('"seat": "A"', '"seat": "B"'), ('"seed": 5', '"seed": 6'), ('"hash": "', '"hash": "0'), ("{", "[")],
)
def test_a_tampered_save_is_refused(old: str, new: str, tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    run(CARDS, "--seed", "5", "--log", str(log))
    log.write_text(log.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    result = run(CARDS, "--resume", str(log))
    assert result.exit_code == 1
    assert "error[R221]" in result.stderr


def test_a_save_of_another_game_or_with_other_seats_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    run(CARDS, "--seed", "5", "--log", str(log))
    for words in ((DICE, "--resume", str(log)), (CARDS, "--resume", str(log), "--seats", "human")):
        result = run(*words)
        assert result.exit_code == 1
        assert "error[C421]" in result.stderr


def test_a_log_without_players_asks_for_them(tmp_path: Path) -> None:
    log = tmp_path / "match.log"
    CliRunner().invoke(main, ["simulate", CARDS, "-n", "1", "--log", str(log)])
    result = run(CARDS, "--resume", str(log))
    assert result.exit_code == 1
    assert "the players in this log are not named" in result.stderr
    assert "name 2 of human" in result.stderr

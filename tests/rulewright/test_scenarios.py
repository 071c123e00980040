"""`rulewright test`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.library import bundled
from tests.games import EACH_TIME, sample


@pytest.mark.parametrize(
    "words", sample([(), ("-k", "§2.1", *EACH_TIME)], [("-k", "§2.1", *EACH_TIME)]), ids=len
)
def test_all_bundled_games(run, words: tuple[str, ...]) -> None:
    """All scenarios of all games, or those of one clause, which these games have."""
    result = run("test", *words)
    games = words[2:] or bundled()
    assert result.exit_code == 0
    for name in games:
        assert f"{name}: " in result.output
    assert result.output.count("all hold") == len(games)


@pytest.mark.parametrize(("text", "number"), [("", 3), ("GOAL", 1), ("§2.3", 1), ("turns.yaml", 3)])
def test_filter_by_name_clause_or_file(run, game: Path, text: str, number: int) -> None:
    found = json.loads(run("test", "dice", "-k", text, "--json").output)
    assert len(found) == number
    assert all(entry["holds"] for entry in found)


def test_failures_for_programs(run, game: Path) -> None:
    file = game / "scenarios" / "turns.yaml"
    file.write_text(file.read_text().replace("active: B", "active: A", 1).replace("winner: B", "winner: A"))
    result = run("test", "dice", "--json")
    assert result.exit_code == 1
    first, second, third = json.loads(result.stdout)
    assert second["holds"]
    (difference,) = first["differences"]
    assert (difference["what"], difference["wanted"], difference["found"]) == ("active", "A", "B")
    assert third["mistakes"][0]["code"] == "C410"


def test_a_file_with_a_forbidden_character_does_not_hide_the_others(run, game: Path) -> None:
    (game / "scenarios" / "bell.yaml").write_text("- scenario: ring\x07\n")
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "error[D070]" in result.output
    assert "dice/scenarios/bell.yaml:1:17" in result.output
    assert "dice: 1 of 4 scenarios failed" in result.output


def test_a_scenario_that_cannot_be_set_up(run, game: Path) -> None:
    file = game / "scenarios" / "turns.yaml"
    file.write_text(file.read_text().replace("at: turn.throwing", "at: turn.nowhere"))
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "error[R223]: unknown step" in result.output
    assert "dice: 1 of 3 scenarios failed\n" in result.output


def test_a_scenario_file_that_is_none(run, game: Path) -> None:
    (game / "scenarios" / "turns.yaml").write_text("scenario: x\n")
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "a scenario file must be a list" in result.output


def test_a_scenario_file_with_nothing_in_it_yet(run, game: Path) -> None:
    (game / "scenarios" / "later.yaml").write_text("# none yet\n")
    result = run("test", "dice")
    assert result.exit_code == 0
    assert "dice: 3 scenarios, all hold" in result.output


def test_a_ruleset_without_scenarios(run, game: Path) -> None:
    (game / "scenarios" / "turns.yaml").unlink()
    result = run("test", "dice")
    assert result.exit_code == 2
    assert "no scenario to run" in result.output
    assert "write one in the folder `scenarios`" in result.output


def test_a_ruleset_with_mistakes(run, game: Path) -> None:
    (game / "dice.rules").write_text("nonsense")
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "error[D0" in result.output


def test_doubts_fail_only_if_asked_to(run, game: Path) -> None:
    file = game / "scenarios" / "turns.yaml"
    file.write_text(file.read_text().replace(", because: game over", ""))
    plain = run("test", "dice")
    assert plain.exit_code == 0
    assert "warning[V602]" in plain.output
    assert "dice: 3 scenarios, all hold, 1 with warnings" in plain.output
    assert run("test", "dice", "--strict").exit_code == 1
    (doubt,) = json.loads(run("test", "dice", "-k", "goal", "--json").output)[0]["warnings"]
    assert doubt["code"] == "V602"


def test_falsifying_counts_what_it_tries(run, game: Path) -> None:
    result = run("test", "dice", "--falsify")
    assert result.exit_code == 0
    assert "10 assertions, made false in 16 ways" in result.output


def test_one_faulty_scenario_hides_no_other(run, game: Path) -> None:
    file = game / "scenarios" / "turns.yaml"
    file.write_text(file.read_text() + "\n- scenario: broken\n  whne: []\n")
    result = run("test", "dice")
    assert result.exit_code == 1
    assert "dice: broken" in result.output
    assert "dice: 1 of 4 scenarios failed" in result.output


def test_the_words_of_a_game(run, game: Path) -> None:
    result = run("words", "dice")
    assert result.exit_code == 0
    for line in ("turn.throwing", "points of SEAT: 0..99", "die: 1, 2, 3, 4, 5, 6", "- A: throw"):
        assert line in result.output
    sections = json.loads(run("words", "dice", "--json").output)
    assert [section["key"] for section in sections][:2] == ["at, step, phase", "options"]
    assert all(entry["form"] and entry["example"] for section in sections for entry in section["entries"])

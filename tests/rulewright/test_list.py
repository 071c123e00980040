"""`rulewright list`."""

from __future__ import annotations

import json
from pathlib import Path

from rulewright.library import bundled


def test_all_bundled_games_are_listed(run) -> None:
    result = run("list")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines() if line and line[0] != " "] == list(
        bundled()
    )


def test_a_game_with_its_options(run, game: Path) -> None:
    result = run("list", "dice")
    assert result.output == "dice  Dice, 2 to 4 seats\n  goal: 10..60, default 30  §3.1\n"


def test_rulings_show_their_readings_and_the_chosen_one(run, game: Path) -> None:
    add_ruling(game)
    output = run("list", "dice").output
    assert "  one_thrown (ruling)  §2.3\n" in output
    assert "   * pot: only the pot is lost\n" in output
    assert "     all: everything is lost\n" in output
    assert "     because it is kinder\n" in output


def test_for_programs(run, game: Path) -> None:
    add_ruling(game)
    (found,) = json.loads(run("list", "dice", "--json").output)
    assert found["name"] == "dice"
    assert found["seats"] == {"fewest": 2, "most": 4, "numbers": [2, 3, 4]}
    goal, ruling = found["options"]
    assert goal == {"name": "goal", "kind": "option", "default": "30", "clauses": ["§3.1"], "range": [10, 60]}
    assert ruling["values"] == ["pot", "all"]
    assert ruling["default"] == "pot"
    assert ruling["why"] == "it is kinder"


def test_every_listed_default_can_be_set(run) -> None:
    for found in json.loads(run("list", "--json").output):
        pairs = [word for o in found["options"] for word in ("--option", f"{o['name']}={o['default']}")]
        words = ("simulate", found["name"], "-n", "1", "--executor", "wasm")
        assert run(*words, *pairs).exit_code == 0


def test_a_broken_ruleset_does_not_hide_the_others(run, game: Path) -> None:
    (game / "game.yaml").write_text("game: [")
    result = run("list", bundled()[0], "dice")
    assert result.exit_code == 1
    assert result.stdout.startswith(bundled()[0])
    assert "error[D005]" in result.stderr


def test_where_nothing_fits_that_is_said(run) -> None:
    assert run("list", "chess", "kalah", "--search", "nowhere").stdout == "none of the 2 games fits\n"
    assert json.loads(run("list", "chess", "--search", "nowhere", "--json").stdout) == []


def add_ruling(game: Path) -> None:
    file = game / "game.yaml"
    ruling = (
        "rulings:\n  one_thrown:\n    clause: §2.3\n    readings: {pot: only the pot is lost, "
        "all: everything is lost}\n    chosen: pot\n    why: it is kinder\n\nflow:"
    )
    file.write_text(file.read_text().replace("\nflow:", f"\n{ruling}"))

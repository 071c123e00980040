"""`rulewright new`: what it makes works at once."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from rulewright.editors.schemas import KINDS


def paths(folder: Path) -> set[str]:
    return {str(p.relative_to(folder).as_posix()) for p in folder.rglob("*") if p.is_file()}


def test_every_kind_of_file_is_made(game: Path) -> None:
    assert paths(game) == {
        "README.md",
        "SOURCES.md",
        "dice.rules",
        "game.yaml",
        "labels/en.yaml",
        "look.yaml",
        "rulebook.yaml",
        "scenarios/turns.yaml",
    } | {f"schemas/{kind}.json" for kind in KINDS}


def test_the_template_is_package_data() -> None:
    assert files("rulewright").joinpath("template", "game.yaml").is_file()


@pytest.mark.parametrize(
    "words",
    [
        ("check", "dice", "--strict"),
        ("test", "dice"),
        ("simulate", "dice", "-n", "50", "--checked"),
        ("simulate", "dice", "-n", "10", "--seats", "4", "--option", "goal=60", "--checked"),
        ("graph", "dice", "--level", "machine"),
        ("list", "dice"),
    ],
)
def test_it_works_at_once(run, game: Path, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 0, result.output


def test_the_template_is_nowhere_left(game: Path) -> None:
    for path in game.rglob("*"):
        assert "my_game" not in path.name
        assert path.is_dir() or "my_game" not in path.read_text(encoding="utf-8")
        assert path.is_dir() or "My game" not in path.read_text(encoding="utf-8")


def test_every_clause_is_rendered(game: Path) -> None:
    """The example cites all clauses of its own rulebook."""
    clauses = {
        line.split(":")[0].strip()
        for line in (game / "rulebook.yaml").read_text().splitlines()
        if "  §" in line
    }
    cited = (game / "game.yaml").read_text() + (game / "dice.rules").read_text()
    assert clauses
    assert all(clause in cited for clause in clauses)


def test_nothing_is_overwritten(run, game: Path) -> None:
    before = {p: (game / p).read_bytes() for p in paths(game)}
    assert run("new", "dice").exit_code == 2
    assert before == {p: (game / p).read_bytes() for p in paths(game)}


def test_a_file_in_the_way(run, tmp_path: Path) -> None:
    (tmp_path / "dice").write_text("mine")
    assert run("new", "dice").exit_code == 2
    assert (tmp_path / "dice").read_text() == "mine"


def test_elsewhere(run, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    assert run("new", "dice", "--into", "games").exit_code == 0
    assert run("check", "games/dice").exit_code == 0


@pytest.mark.parametrize("name", ["Dice", "my-game", "3d", "a b", "../x", "x/y", "_x", "würfel", ""])
def test_names_that_cannot_be(run, tmp_path: Path, name: str) -> None:
    result = run("new", name)
    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("würfel", "for example `wurfel`"),
        ("x/y", "give the folder apart: `rulewright new y --into x`"),
        ("/tmp/My Game/", "give the folder apart: `rulewright new my_game --into /tmp`"),
        ("../x", "give the folder apart: `rulewright new x --into ..`"),
    ],
)
def test_a_name_is_suggested_that_can_be(run, name: str, help: str) -> None:
    assert help in run("new", name).output

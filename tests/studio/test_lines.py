"""What lines are about: why an action is not offered now, clauses, and lines that are not as committed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulewright.library import find
from rulewright.studio.line_changes import changed_lines
from rulewright.studio.tasks import TASKS
from tests.studio.rulesets import ruleset, scenarios_of
from tests.studio.talk import Talk, talking

RULES = "pig.rules"


def line_of(game: Path, text: str) -> int:
    lines = (game / RULES).read_text("utf-8").split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


# ---- why not


def refusals(game: Path, line: int, *choices: str) -> Any:
    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={"empty_hold": "refused"}, seed=7)
        for words in choices:
            await page.choose(words)
        return await page.ask("refusals", path=RULES, line=line)

    return talking(game, act)


def test_the_need_that_refuses_is_named_with_its_values(game: Path) -> None:
    line = line_of(game, "needs pot")
    found = refusals(game, line)
    assert found["action"] == "hold"
    (seat,) = found["seats"]
    assert (seat["seat"], seat["offered"]) == ("A", 0)
    (refusal,) = seat["refusals"]
    assert refusal["here"]
    assert refusal["place"].startswith(f"pig/{RULES}:{line}:")
    assert "0" in refusal["text"]


def test_the_first_values_that_are_refused_are_named(tmp_path: Path) -> None:
    game = Path(shutil.copytree(find("othello"), tmp_path / "othello"))
    path = "othello.rules"
    lines = (game / path).read_text("utf-8").split("\n")
    line = next(number for number, text in enumerate(lines, 1) if text.startswith("action place"))

    async def act(page: Talk) -> Any:
        await page.ask("begin", seats=2, options={}, seed=7)
        return await page.ask("refusals", path=path, line=line)

    (seat,) = talking(game, act)["seats"]
    assert seat["offered"] == 4
    line_refused, occupied = seat["refusals"]
    assert line_refused["text"].startswith("only where there is a direction where you outflank a line")
    assert line_refused["first"] == ["a1", "b1", "c1", "d1"]
    assert line_refused["values"] == 56
    assert occupied["text"].startswith("only where there is no disc on the cell")
    assert occupied["first"] == ["d4", "e4", "d5", "e5"]


def test_what_is_offered_is_said_to_be(game: Path) -> None:
    line = line_of(game, "action throw")
    (seat,) = refusals(game, line)["seats"]
    assert (seat["offered"], seat["refusals"]) == (1, [])


def test_a_line_outside_of_actions_refuses_nothing(game: Path) -> None:
    assert refusals(game, 1) == {"action": None, "asked": [], "seats": []}


def test_a_match_under_other_rules_is_not_explained(game: Path) -> None:
    async def act(page: Talk) -> Any:
        await page.edit(RULES, "roll die", "roll dye")
        return await page.ask("refusals", path=RULES, line=1)

    assert talking(game, act) is None


# ---- clauses


def test_each_clause_says_what_renders_and_asserts_it(game: Path) -> None:
    own = ruleset(game)
    parts = TASKS["follow"](ruleset=own, before=None, tests=scenarios_of(game), root=str(game))
    rows = next(part["trace"] for part in parts if "trace" in part)
    row = next(one for one in rows if one["id"] == "§2.4")
    assert f"pig/{RULES}" in {site["file"] for site in row["sites"]}
    assert row["executed"]
    assert row["asserted"]
    assert row["file"] == "pig/rulebook.yaml"
    assert not row["missing"]


# ---- lines that are not as committed


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("a\nb\n", "a\nb\n", []),
        ("a\nc", "a\nb\nc", [("added", 2, 2, [])]),
        ("a\nb\nc", "a\nc", [("removed", 2, 1, ["b"])]),
        ("a\nb\nc", "a\nx\nc", [("changed", 2, 2, ["b"])]),
        ("", "a", [("changed", 1, 1, [""])]),
        ("a\nb\nc\nd\ne", "x\nb\nc\nd\ny\nz", [("changed", 1, 1, ["a"]), ("changed", 5, 6, ["e"])]),
    ],
)
def test_lines_are_compared(old: str, new: str, found: list[tuple[Any, ...]]) -> None:
    changes = changed_lines(old, new)
    assert [(one["kind"], one["first"], one["last"], one["old"]) for one in changes] == found


def commit(game: Path) -> None:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], cwd=game, check=True)


def test_changes_of_lines_are_told_by_file(game: Path) -> None:
    commit(game)
    now = ruleset(game, {RULES: ("gain pot points", "gain pot + 1 points")})
    tests = {**scenarios_of(game), "scenarios/new.yaml": "# new"}
    parts = TASKS["follow"](ruleset=now, before=None, tests=tests, root=str(game))
    found = next(part["edits"] for part in parts if "edits" in part)
    assert set(found) == {RULES, "scenarios/new.yaml"}
    (change,) = found[RULES]
    assert change["first"] == change["last"] == line_of(game, "gain pot + 1 points")
    assert change["old"][0].startswith("    gain pot points")


@pytest.mark.parametrize(
    ("path", "was", "why"),
    [
        (RULES, ("gain pot points", "gain pott points"), "the committed rules have mistakes"),
        ("game.yaml", ("game: pig", "game: [pig"), ""),
    ],
)
def test_lines_are_compared_with_rules_that_cannot_be_read(
    game: Path, path: str, was: tuple[str, str], why: str
) -> None:
    """What the changes mean is not known then, and why is said."""
    right, wrong = was
    text = (game / path).read_text("utf-8")
    (game / path).write_text(text.replace(right, wrong, 1), "utf-8")
    commit(game)
    now = ruleset(game, {path: (wrong, right)})
    parts = TASKS["follow"](ruleset=now, before=None, tests=scenarios_of(game), root=str(game))
    found = next(part for part in parts if "edits" in part)
    assert set(found["changes"]) == {"why"}
    assert why in found["changes"]["why"]
    (change,) = found["edits"][path]
    assert change["kind"] == "changed"
    assert wrong in change["old"][0]

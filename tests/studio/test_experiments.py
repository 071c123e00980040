"""What many matches show in the studio, of bots and of people, and how another version differs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.matches.playtests import Happening, PlaytestRecord, written
from rulewright.studio import experiments, playing
from rulewright.studio.loading import loaded
from tests.studio.rulesets import ruleset
from tests.studio.talk import Talk, talking
from tests.studio.test_tasks import carried_out

GIT = ("git", "-c", "user.name=t", "-c", "user.email=t@example.org")
RULES = "pig.rules"


async def all_of(page: Talk, method: str, told: str, **given: Any) -> dict[str, Any]:
    """Everything that is told when something is asked for, put together, to its end."""
    since = len(page.told)
    page.tell(method, **given)
    await page.until(lambda one: one.get("method") == told and bool(one["params"].get("done")), since)
    whole: dict[str, Any] = {}
    for one in page.told[since:]:
        if one.get("method") == told:
            whole |= one["params"]
    return whole


# ---- matches of bots


def test_an_analysis_finds_what_a_number_does_with_its_line(game: Path) -> None:
    given = {"ruleset": ruleset(game), "seats": 2, "options": {}, "command": "rulewright analyse pig"}
    parts = list(experiments.analysed(**given, bots="random", number=60))
    found = parts[-1]
    assert found["matches"] == 60
    assert found["part"] == ""
    assert found["part_number"] == found["parts"]
    shorter = next(one for one in found["shown"] if "goal = 90" in one["text"])
    assert "decisions shorter" in shorter["text"]
    assert line_at(game, shorter["place"]).startswith("goal:")
    throw = next(one for one in found["choices"] if one["name"] == "throw")
    assert line_at(game, throw["place"]).startswith("action throw")
    assert 0 < throw["taken"] < throw["offered"]
    assert "<html" in found["page"]
    assert "rulewright analyse pig" in found["page"]
    assert [part["matches"] for part in parts] == sorted(part["matches"] for part in parts)


def line_at(game: Path, place: str) -> str:
    """The text of the line at `pig/FILE:LINE:COLUMN`."""
    file, line, _ = place.rsplit(":", 2)
    return (game / file.partition("/")[2]).read_text("utf-8").splitlines()[int(line) - 1].strip()


def test_a_session_analyses_unsaved_rules_and_bounds_what_is_asked(game: Path) -> None:
    async def act(page: Talk) -> None:
        refused = await page.ask("analyse", bots="random", number=9)
        assert refused["refused"]["message"] == "`number` is from 10 to 100000, and not 9"
        failed = await all_of(page, "analyse", "analysed", bots="nobody", number=10)
        assert "nobody" in failed["failed"]
        await page.edit(RULES, "points of seat >= goal)", "points of seat >= 0)")
        found = await all_of(page, "analyse", "analysed", bots="random", number=10)
        assert found["matches"] == 10
        assert {name: value for name, value, _ in found["headlines"]}["decisions, median"] == "1"

    talking(game, act)


def test_an_analysis_can_be_stopped(game: Path) -> None:
    async def act(page: Talk) -> bool:
        page.tell("analyse", bots="hard", number=100_000)
        worker = page.session.asked["analysed"]
        await page.ask("stop", what="simulated")
        while not worker.is_busy:
            await page.ask("stop", what="simulated")
        await page.ask("stop", what="analysed")
        return worker.is_busy

    assert not talking(game, act)


# ---- matches of people


def test_records_of_playtests_lead_to_the_clause_that_confuses(game: Path, tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    own = ruleset(game)
    for number in range(3):
        happened = (
            Happening("refused", 0, "hold", ("§2.4",), "pot > 0"),
            Happening("time", 0, "throw", seconds=4.0),
            Happening("mark", 1, "throw", entry=3, text="what now?"),
        )
        record = PlaytestRecord("pig", own.digest, 2, "", (0,), 5.0, (0, 1), ("Fun?",), happened)
        (records / f"playtest-{number}.jsonl").write_text(written(record), "utf-8")
    (records / "playtest-odd.jsonl").write_text("{", "utf-8")
    found = carried_out("playtests", ruleset=own, records=str(records))
    first = found["all"]["clauses"][0]
    assert (first["clause"], first["matches"]) == ("§2.4", 3)
    assert "§2.4" in line_at(game, first["place"])
    assert found["all"]["actions"][0]["place"].startswith("pig/pig.rules:")
    assert found["versions"] == [{"rules": own.digest, "matches": 3, "present": True}]
    assert found["first"][0].startswith("most refused or asked about: §2.4")
    assert [one[:5] for one in found["unread"]] == ["C475:"]
    with pytest.raises(DiagnosticError, match="there is no such folder"):
        carried_out("playtests", ruleset=own, records=str(tmp_path / "nowhere"))


# ---- another version


def test_versions_differ_from_what_is_saved_committed_or_elsewhere(game: Path, tmp_path: Path) -> None:
    elsewhere = Path(shutil.copytree(game, tmp_path / "older"))
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"], ["tag", "v1"]):
        subprocess.run([*GIT, *words], cwd=game, check=True)
    rules = game / RULES
    now = ruleset(game, {RULES: ("pot += die.face", "pot += 3 * die.face")})
    rules.write_text(rules.read_text("utf-8").replace("3 * die.face", "2 * die.face"), "utf-8")
    lines = {}
    for old in ("", "@v1", str(elsewhere), f"{game}@HEAD"):
        found = carried_out("differ", ruleset=now, root=str(game), old=old)["changes"]
        (change,) = found["changes"]
        lines[old] = [(edit["sign"], edit["text"]) for edit in change["lines"]]
    assert ("-", "pot += 2 * die.face") in lines[""]
    assert ("-", "pot += die.face") in lines["@v1"] == lines[str(elsewhere)]
    for wrong, why in (("@nothing", "nothing"), ("no-such-game", "no-such-game"), ("@--help", "--help")):
        found = carried_out("differ", ruleset=now, root=str(game), old=wrong)["changes"]
        assert why in found["why"], found


def test_matches_of_two_versions_show_what_differs(game: Path) -> None:
    old = Path(shutil.copytree(game, game.parent / "older"))
    now = ruleset(game, {RULES: ("points of seat >= goal)", "points of seat >= 10)")})
    asked = {"root": str(game), "old": str(old), "bots": "random", "pairs": 400, "margin": 2}
    found = carried_out("compare", ruleset=now, **asked)
    length = next(one for one in found["measures"] if one["unit"] == "decisions")
    assert length["high"] < 0
    assert "length lower" in found["said"]
    assert 0 < found["pairs"] <= 400
    same = carried_out("compare", ruleset=ruleset(game), **{**asked, "old": ""})
    assert same["said"] == "Both have the same rules."


# ---- what bots cost


def test_stronger_bots_cost_more(game: Path) -> None:
    own = ruleset(game)
    log = playing.begun(loaded(own)[0], 2, {}, 1).log()
    costs = carried_out("costs", ruleset=own, seats=2, options={}, log=log)["costs"]
    assert costs["random"] == 0 < costs["easy"] < costs["medium"] < costs["hard"]
    assert costs["hard"] == pytest.approx(200 * costs["easy"])

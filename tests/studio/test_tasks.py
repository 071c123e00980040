"""What worker processes do, as functions: scenarios, changes, numbers, checks, a search for a line."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dsl.source import Source
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.log import read
from interpreter.replay import replay
from rulewright.studio.fork_server import ForkServer, Spawner, TaskStarter, task_starter
from rulewright.studio.graph import drawn
from rulewright.studio.loading import frozen, loaded
from rulewright.studio.numbers import number_edit
from rulewright.studio.rpc import RpcError
from rulewright.studio.scenarios import earlier_points
from rulewright.studio.tasks import TASKS
from rulewright.studio.worker import Superseded, Worker, Workshop
from tests.studio.rulesets import ruleset, scenarios_of

RULES = "pig.rules"


def carried_out(task: str, **given: Any) -> dict[str, Any]:
    """Everything that a task finds."""
    found: dict[str, Any] = {}
    for part in TASKS[task](**given):
        found |= part
    return found


# ---- what follows an edit


def test_scenarios_that_run_what_was_edited_come_first(game: Path) -> None:
    before = ruleset(game)
    now = ruleset(game, {RULES: ("gain pot points", "gain pot + 1 points")})
    found = carried_out("follow", ruleset=now, before=before, tests=scenarios_of(game), root=str(game))
    results = found["scenarios"]["results"]
    concerned = [one for one in results if one["concerns"]]
    assert 0 < len(concerned) < len(results)
    failing = [one for one in results if not one["holds"]]
    assert failing
    assert all(one["concerns"] for one in failing)
    assert "wanted" in failing[0]["failed"][0]["text"]


def test_scenarios_that_read_an_edited_value_are_concerned(game: Path) -> None:
    before = ruleset(game)
    now = ruleset(game, {RULES: ("points of seat >= goal)", "points of seat > goal)")})
    found = carried_out("follow", ruleset=now, before=before, tests=scenarios_of(game), root=str(game))
    failing = [one for one in found["scenarios"]["results"] if not one["holds"]]
    assert failing
    assert all(one["concerns"] for one in failing)


def test_lines_know_the_scenarios_that_run_them(game: Path) -> None:
    found = carried_out(
        "follow", ruleset=ruleset(game), before=None, tests=scenarios_of(game), root=str(game)
    )
    scenarios = found["scenarios"]
    line = (game / RULES).read_text("utf-8").split("\n").index("    gain pot points") + 1
    running = scenarios["lines"][f"pig/{RULES}:{line}"]
    assert 0 < len(running) < len(scenarios["results"])
    assert not scenarios["edited"]


def test_scenarios_that_ran_what_is_edited_are_told_first(game: Path) -> None:
    before, tests, root = ruleset(game), scenarios_of(game), str(game)
    first = carried_out("follow", ruleset=before, before=before, tests=tests, root=root)
    now = ruleset(game, {RULES: ("gain pot points", "gain pot + 1 points")})
    parts = list(TASKS["follow"](ruleset=now, before=before, tests=tests, root=root, past=first["memory"]))
    told = [part["scenarios"] for part in parts if "scenarios" in part]
    first, likely, last = told[0], told[1], told[-1]
    assert last["left"] == 0 < likely["left"] < first["left"] == len(last["results"]) - 1
    assert first["results"][0] in likely["results"]
    assert [one for one in last["results"] if one["concerns"]] == likely["results"]


def test_a_scenario_that_is_new_is_told_first(game: Path) -> None:
    before, tests, root = ruleset(game), scenarios_of(game), str(game)
    past = carried_out("follow", ruleset=before, before=before, tests=tests, root=root)["memory"]
    now = ruleset(game, {RULES: ("gain pot points", "gain pot + 1 points")})
    tests["scenarios/z.yaml"] = "- scenario: New\n  given: {seats: 2}\n  then: {phase: turn}\n"
    parts = list(TASKS["follow"](ruleset=now, before=before, tests=tests, root=root, past=past))
    first = next(part["scenarios"] for part in parts[1:] if "scenarios" in part)
    assert first["left"]
    assert "New" in [one["name"] for one in first["results"]]


@pytest.mark.parametrize(
    ("old", "new", "numbers", "before"),
    [
        ("abcd", "abcd", {1}, {1}),
        ("abcd", "abxcd", {3}, {2}),
        ("abcd", "axcd", {0, 1}, {0, 1}),
        ("abcd", "abd", {2}, {3}),
        ("abcd", "axd", {1}, {1, 2}),
        ("aab", "aaab", {3}, {2}),
        ("", "ab", {0}, set()),
    ],
)
def test_points_are_followed_back(old: str, new: str, numbers: set[int], before: set[int]) -> None:
    keys = [tuple(f"statement {one} {one}" for one in points) for points in (old, new)]
    assert earlier_points(*keys, frozenset(numbers)) == before


def test_a_point_that_is_new_was_its_definition() -> None:
    old = ("routine hold ", "statement hold b", "routine roll ")
    new = ("routine hold ", "statement hold a", "statement hold b", "routine roll ")
    assert earlier_points(old, new, frozenset({1})) == {0, 1}


def test_checks_of_default_options_come_first(game: Path) -> None:
    parts = list(TASKS["check"](ruleset=ruleset(game), seconds=30, plays=False))
    assert [part["more"] > 0 for part in parts] == [True, False]
    assert parts[0]["checks"] < parts[1]["checks"]
    codes = [[one["code"] for one in part["findings"]] for part in parts]
    assert set(codes[0]) <= set(codes[1])


def test_a_scenario_that_cannot_be_read_does_not_hide_others(game: Path) -> None:
    tests = {"scenarios/a.yaml": "- scenario: Broken\n  when:\n    - Z: fly\n", **scenarios_of(game)}
    found = carried_out("follow", ruleset=ruleset(game), before=None, tests=tests, root=str(game))
    results = found["scenarios"]["results"]
    assert len(results) == 19
    (broken,) = [one for one in results if not one["holds"]]
    assert broken["path"] == "scenarios/a.yaml"
    assert broken["failed"]


def test_changes_are_those_since_the_last_commit(game: Path) -> None:
    alone = carried_out("follow", ruleset=ruleset(game), before=None, tests={}, root=str(game))
    assert "git" in alone["changes"]["why"]
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *words], cwd=game, check=True)
    same = carried_out("follow", ruleset=ruleset(game), before=None, tests={}, root=str(game))
    assert same["changes"]["same"]
    now = ruleset(game, {RULES: ("gain pot points", "gain pot + 1 points")})
    found = carried_out("follow", ruleset=now, before=None, tests={}, root=str(game))["changes"]
    (change,) = found["changes"]
    assert (change["kind"], change["name"], change["verb"]) == ("action", "hold", "changed")
    assert found["clauses"] == ["§2.4"]
    assert change["new"]["file"] == f"pig/{RULES}"


def test_each_line_belongs_to_the_phases_that_run_it(game: Path) -> None:
    found = drawn(loaded(ruleset(game))[0])
    assert '<g data-node="phase_turn">' in found["svg"]
    line = (game / RULES).read_text("utf-8").split("\n").index("    roll die") + 1
    (span,) = [s for s in found["spans"] if s["file"].endswith(RULES) and s["first"] <= line <= s["last"]]
    assert span["nodes"] == ["phase_turn"]


# ---- a search for a line


@pytest.mark.parametrize("text", ["        set ended", "    gain pot points", "score points = points of me"])
def test_a_match_comes_to_a_line(game: Path, text: str) -> None:
    own = ruleset(game)
    lines = (game / RULES).read_text("utf-8").split("\n")
    line = next(number for number, one in enumerate(lines, 1) if one.startswith(text))
    found = carried_out(
        "reach", ruleset=own, seats=2, options={"goal": "20"}, path=RULES, line=line, seconds=20, log=None
    )
    log = read(Source("log", found["log"]))
    rules, _ = loaded(own)
    game_ = Game(rules, compile_rules(rules, 2, {"goal": "20"}))
    assert replay(game_, log).match.steps
    assert found["tried"] >= 1


def test_a_search_goes_on_from_the_match_that_is_there(game: Path) -> None:
    own = ruleset(game)
    first = carried_out("reach", ruleset=own, seats=2, options={}, path=RULES, line=9, seconds=20, log=None)[
        "log"
    ]
    line = (game / RULES).read_text("utf-8").split("\n").index("    gain pot points") + 1
    found = carried_out(
        "reach", ruleset=own, seats=2, options={}, path=RULES, line=line, seconds=20, log=first
    )
    start = [entry.text for entry in read(Source("a", first)).entries]
    assert [entry.text for entry in read(Source("b", found["log"])).entries][: len(start)] == start


def test_a_line_on_which_nothing_is_run_is_not_looked_for(game: Path) -> None:
    found = carried_out(
        "reach", ruleset=ruleset(game), seats=2, options={}, path=RULES, line=1, seconds=20, log=None
    )
    assert found["log"] is None
    assert "nothing is run" in found["why"]


def test_a_line_that_random_play_does_not_reach_is_said(game: Path) -> None:
    own = ruleset(
        game, {RULES: ("        set ended", "        if pot > 9\n            set ended\n        set ended")}
    )
    line = (game / RULES).read_text("utf-8").split("\n").index("            set ended") + 1
    found = carried_out("reach", ruleset=own, seats=2, options={}, path=RULES, line=line, seconds=2, log=None)
    assert found["log"] is None
    assert "random play did not come to this line" in found["why"]


# ---- numbers


def test_cells_of_tables_are_numbers(game: Path) -> None:
    (game / "prices.csv").write_text("good,price,weight\nsalt,3,1\nsilk,9,x\n", "utf-8")
    own = frozen("pig", "d", {**dict(ruleset(game).files), "prices.csv": (game / "prices.csv").read_bytes()})
    found = carried_out("numbers", ruleset=own, seats=2, options={})["numbers"]
    cells = {one["name"]: (one["value"], one["place"]["path"]) for one in found if one["kind"] == "cell"}
    assert cells == {
        "salt.price": (3, "prices.csv"),
        "salt.weight": (1, "prices.csv"),
        "silk.price": (9, "prices.csv"),
    }


def test_a_number_is_written_where_it_stands(game: Path) -> None:
    text = (game / "game.yaml").read_text("utf-8").replace("title: Pig", "title: \U0001f437 Pig")
    tables = "tables:\n  bonus: {over: 0..2, gives: 0..9, rows: [1, 5, 3]}\n"
    tables += "constants: {twice: 2, more: twice + 1}\n"
    (game / "game.yaml").write_text(text + tables, "utf-8")
    own = ruleset(game)
    rules, _ = loaded(own)
    for name, value, after in (
        ("bonus.1", 8, "rows: [1, 8, 3]"),
        ("twice", 4, "twice: 4, more: twice + 1"),
    ):
        (edit,) = number_edit(own, rules, 2, name, value)
        units = (text + tables).encode("utf-16-le")
        changed = units[: 2 * edit["start"]] + edit["text"].encode("utf-16-le") + units[2 * edit["end"] :]
        assert after in changed.decode("utf-16-le")
    with pytest.raises(RpcError, match="`more` is not a plain number"):
        number_edit(own, rules, 2, "more", 4)


def test_numbers_are_compared_in_pairs_and_break_scenarios(game: Path) -> None:
    text = (game / "game.yaml").read_text("utf-8")
    (game / "game.yaml").write_text(f"{text}\nconstants:\n  bonus: 0\n", "utf-8")
    own = ruleset(game, {RULES: ("gain pot points", "gain pot + bonus points")})
    names = [number["name"] for number in carried_out("numbers", ruleset=own, seats=2, options={})["numbers"]]
    assert names == ["goal", "bonus"]
    parts = list(
        TASKS["simulate"](
            ruleset=own, tests=scenarios_of(game), seats=2, options={}, name="bonus", value=3, pairs=256
        )
    )
    assert [part["pairs"] for part in parts] == [64, 64, 256]
    assert "broken" not in parts[0]
    assert parts[1]["broken"]
    assert parts[1]["broken"] == parts[-1]["broken"]
    measures = {one["name"]: one for one in parts[-1]["measures"]}
    length = measures["length"]
    assert length["low"] < length["difference"] < length["high"] < 0


def test_a_fault_of_another_number_is_placed_in_the_files_of_the_game(game: Path) -> None:
    text = (game / "game.yaml").read_text("utf-8")
    (game / "game.yaml").write_text(f"{text}\nconstants:\n  bonus: 0\n", "utf-8")
    own = ruleset(game, {RULES: ("gain pot points", "gain pot + bonus points")})
    first = next(
        TASKS["simulate"](ruleset=own, tests={}, seats=2, options={}, name="bonus", value=999, pairs=64)
    )
    assert first["faults"]
    assert all("(pig/pig.rules:" in fault for fault in first["faults"])


# ---- checks


def test_checks_say_where_and_how_to_get_there(game: Path) -> None:
    own = ruleset(game, {"game.yaml": ("pot: {range: 0..999", "pot: {range: 0..3")})
    found = carried_out("check", ruleset=own, seconds=30, plays=True)
    faults = [one for one in found["findings"] if one["match"]]
    assert faults
    seats, seed = (int(part) for part in faults[0]["match"].replace("seats, seed", "").split())
    log = carried_out("fault", ruleset=own, seats=seats, seed=seed)["log"]
    assert read(Source("log", log)).entries


def test_what_an_exploration_finds_can_be_opened(tmp_path: Path) -> None:
    game = Path(shutil.copytree(Path("rulesets/tic_tac_toe").resolve(), tmp_path / "tic_tac_toe"))
    text = (game / "tic_tac_toe.rules").read_text("utf-8")
    (game / "tic_tac_toe.rules").write_text(
        f"{text}\nnever count(cell where stone at cell is A) > 1\n", "utf-8"
    )
    own = ruleset(game)
    found = carried_out("explore", ruleset=own, seats=2, options={}, seconds=60)
    broken = next(one for one in found["findings"] if one.get("log"))
    assert len(broken["words"]) == 3
    rules, _ = loaded(own)
    assert (
        len(replay(Game(rules, compile_rules(rules, 2)), read(Source("log", broken["log"]))).match.history)
        == 3
    )


# ---- processes


async def running(worker: Worker) -> None:
    """Wait until a task of a worker is carried out."""
    while not worker.is_busy:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("starter", [task_starter, Spawner])
def test_a_task_that_nobody_waits_for_is_ended(game: Path, starter: Callable[[], TaskStarter]) -> None:
    own = ruleset(game)
    given = {"ruleset": own, "seats": 2, "options": {}, "seconds": 600.0}

    async def work() -> tuple[bool, list[dict[str, Any]]]:
        workshop = Workshop(starter())
        worker, told = Worker(workshop), list[dict[str, Any]]()
        first = asyncio.create_task(worker.run("explore", given, told.append))
        await running(worker)
        pipe = worker._running.pipe if worker._running else None
        await worker.run("numbers", {"ruleset": own, "seats": 2, "options": {}}, told.append)
        assert pipe is not None
        try:
            await first
        except Superseded:
            return pipe.poll(10), told
        finally:
            worker.stop()
            workshop.close()
        return False, told

    ended, told = asyncio.run(work())
    assert ended
    assert [set(part) for part in told] == [{"numbers"}, {"done"}]


def test_a_process_that_forks_and_has_ended_is_started_again(game: Path) -> None:
    given = {"ruleset": ruleset(game), "seats": 2, "options": {}}

    async def work() -> list[dict[str, Any]]:
        server = ForkServer()
        workshop, told = Workshop(server), list[dict[str, Any]]()
        worker = Worker(workshop)
        await worker.run("numbers", given, told.append)
        assert server._process is not None
        server._process.kill()
        server._process.join(10)
        await worker.run("numbers", given, told.append)
        workshop.close()
        return told

    assert [set(part) for part in asyncio.run(work())] == [{"numbers"}, {"done"}] * 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted by /proc")
def test_the_process_that_forks_has_one_thread(game: Path) -> None:
    given = {"ruleset": ruleset(game), "seats": 2, "options": {}, "seconds": 5.0}

    async def work() -> int:
        server = ForkServer()
        workshop = Workshop(server)
        await Worker(workshop).run("explore", given, lambda _: None)
        assert server._process is not None
        threads = len(os.listdir(f"/proc/{server._process.pid}/task"))
        workshop.close()
        return threads

    assert asyncio.run(work()) == 1

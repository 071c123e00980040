"""What `analyse --logs` says of records of playtests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright.experiments.playtests import actions_of
from rulewright.library import read_rules
from rulewright.main import main
from rulewright.matches.playtests import Happening, PlaytestRecord, written

Run = Callable[..., Result]
OLD = "0" * 64
PRESENT = read_rules("checkers")[0].digest


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(main, words, prog_name="rulewright")


def record(i: int, confused: bool, rules: str = PRESENT, game: str = "checkers") -> PlaytestRecord:
    """A match in which, if players are confused, captures are refused, asked about and thought long about."""
    happened = [Happening("time", 0, "go", seconds=3.0 + i % 4) for _ in range(10)]
    happened += [Happening("time", 0, "jump", seconds=(45.0 if confused else 4.0) + i % 5) for _ in range(3)]
    happened += [Happening("refused", 0, clauses=("§2.1",), condition="there is empty")] * (i % 3 == 0)
    if confused:
        happened += [
            Happening("refused", 0, clauses=("§2.2",), condition="a man jumps"),
            Happening("why", 0, clauses=("§2.2",), condition="a man jumps"),
            Happening("undo", 0, "jump"),
            Happening("hint", 0, "jump"),
            Happening("mark", 0, "jump", entry=i, text=f"why must I? {i}"),
        ]
    answers = (Happening("answer", 0, question=0, text=str(i)), Happening("answer", 0, question=1, text="so"))
    questions = ("How old are you?", "How was it?")
    return PlaytestRecord(game, rules, 2, "", (0,), 12.5, (0,), questions, (*happened, *answers))


def keep(folder: Path, *records: PlaytestRecord) -> None:
    folder.mkdir(exist_ok=True)
    start = len(list(folder.iterdir()))
    for i, one in enumerate(records, start):
        (folder / f"playtest-m{i:02}.jsonl").write_text(written(one), encoding="utf-8")


def test_what_confuses_is_found_first(run: Run, tmp_path: Path) -> None:
    keep(tmp_path / "tests", *(record(i, confused=i >= 4) for i in range(20)))
    (tmp_path / "tests" / "other.log").write_text("nothing of the kind")
    result = run("analyse", "checkers", "--logs", "tests")
    assert result.exit_code == 0, result.output
    first, clause, action = result.output.splitlines()[:3]
    assert first == f"Checkers: 20 matches of rules {PRESENT[:8]} (the present ones)"
    assert clause.startswith("most refused or asked about: §2.2 ")
    assert clause.endswith(": 16 refusals, 16 questions of 16 players in 16 of 20 matches (80%)")
    assert action == "longest thought about: `jump` (§2.2), median 46.5 s of 60 choices"
    assert "m05, rules" in result.output
    assert "after `jump` (§2.2): “why must I? 5”" in result.output
    assert "20 numbers, median 9.5" in result.output
    assert "12.5 minutes, 20 of 40 seats agreed" in result.output


def test_records_for_programs(run: Run, tmp_path: Path) -> None:
    keep(tmp_path / "tests", *(record(i, confused=i >= 4) for i in range(8)))
    found = json.loads(run("analyse", "checkers", "--logs", "tests", "--json").output)
    assert found["unread"] == []
    assert list(found["versions"]) == [PRESENT]
    assert found["all"] == found["versions"][PRESENT]
    clause = found["all"]["clauses"][0]
    assert (clause["clause"], clause["refused"], clause["asked"], clause["matches"]) == ("§2.2", 4, 4, 4)
    assert clause["share"]["low"] < clause["share"]["estimate"] == 0.5 < clause["share"]["high"]
    assert clause["conditions"] == {"a man jumps": 8}
    jump, go = found["all"]["actions"]
    assert (jump["action"], jump["undone"], jump["hints"], jump["times"]) == ("jump", 4, 4, 24)
    assert (go["action"], go["median"], go["ninetieth"]) == ("go", 4.5, 6.0)
    assert found["all"]["answers"][1] == {
        "question": "How was it?",
        "numbers": 0,
        "median": None,
        "texts": ["so"] * 8,
    }
    assert found["all"]["marks"][0]["clauses"] == ["§2.2"]


def test_what_cannot_be_read_is_said_once_and_the_rest_is_told(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    keep(folder, *(record(i, confused=True) for i in range(3)), record(3, True, game="hearts"))
    text = (folder / "playtest-m01.jsonl").read_text()
    (folder / "playtest-m01.jsonl").write_text(text[:-9])
    (folder / "playtest-x.jsonl").write_bytes(b"\xff\x00")
    (folder / "playtest-y.jsonl").mkdir()
    (folder / "playtest-z.jsonl").symlink_to(folder / "playtest-m00.jsonl")
    result = run("analyse", "checkers", "--logs", "tests")
    assert result.exit_code == 1
    assert "Checkers: 2 matches" in result.output
    assert result.output.count("error[C475]") == 5
    last = len(text.splitlines())
    assert (
        f"`tests/playtest-m01.jsonl` is no record of a playtest that can be read: line {last} "
        in result.output
    )
    assert "`tests/playtest-m03.jsonl` is no record of a playtest that can be read: it is of" in result.output
    found = json.loads(CliRunner().invoke(main, ["analyse", "checkers", "--logs", "tests", "--json"]).stdout)
    assert [one["code"] for one in found["unread"]] == ["C475"] * 5


def test_no_records_and_no_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder, why in (("empty", "it has no record"), ("nowhere", "there is no such folder")):
        result = run("analyse", "checkers", "--logs", folder)
        assert result.exit_code != 0
        assert f"error[C475]: `{folder}` is no record of a playtest that can be read: {why}" in result.output


def test_records_are_not_played(run: Run, tmp_path: Path) -> None:
    keep(tmp_path / "tests", record(1, confused=False))
    result = run("analyse", "checkers", "--logs", "tests", "-n", "20")
    assert result.exit_code == 2
    assert "-n: nothing is played with --logs" in result.output


def test_two_versions_are_compared(run: Run, tmp_path: Path) -> None:
    keep(
        tmp_path / "tests", *(record(i, True, OLD) for i in range(10)), *(record(i, False) for i in range(10))
    )
    shown = run("analyse", "checkers", "--logs", "tests").output
    assert f"from rules 00000000 to {PRESENT[:8]}: 10 and 10 matches\nthese are few (below 30)" in shown
    assert "  fell: held up at §2.2 A jump: 2.0 to 0.0 times a match, of 10 and 10, p = " in shown
    assert f"\nrules {PRESENT[:8]} (the present ones): most refused or asked about: §2.1 " in shown
    assert "  fell: seconds of thought about `jump`: median 47.0 to 6.0, of 10 and 10, p = " in shown
    found = json.loads(run("analyse", "checkers", "--logs", "tests", "--json").output)
    assert list(found["versions"]) == [OLD, PRESENT]
    (comparison,) = found["comparisons"]
    fallen = {(one["what"], one["name"]) for one in comparison["changes"] if one["verdict"] == "fell"}
    assert fallen == {("clause", "§2.2"), ("time", "jump"), ("undo", "jump"), ("hint", "jump")}
    assert not any(one["verdict"] == "rose" for one in comparison["changes"])


def test_equal_versions_do_not_differ(run: Run, tmp_path: Path) -> None:
    keep(tmp_path / "tests", *(record(i % 30, True, rules) for i in range(30) for rules in (OLD, PRESENT)))
    shown = run("analyse", "checkers", "--logs", "tests").output
    assert "30 and 30 matches\n  nothing is shown to differ" in shown


def test_values_chosen_by_themselves_go_by_their_decision() -> None:
    actions = actions_of(read_rules("hearts")[0])
    assert actions.name("spades_queen") == "card"
    assert actions.said_by("card") == ("§2.2", "§2.3")
    assert actions.name("play") == "play"
    assert actions.name("unknown") == "unknown"

"""`rulewright mutate`: what it finds in a small game whose mutants are known, and what it says."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dsl.diagnostics import REGISTER
from interpreter.game import ExecutorKind
from rulewright.library import find
from rulewright.main import main
from rulewright.processes.interrupts import INTERRUPTED
from validators.mutate.running import MutantVerdict, MutationRunner

STALL = Path(__file__).parent / "stall"
UNKILLED = [
    ("action buy", "dropped-needs", "needs apples of me < 3", "nothing", "survived"),
    ("action buy", "wrong-seat", "me", "opponent", "survived"),
    ("action buy", "swapped-comparison", "<", "<=", "equivalent"),
    ("action buy", "off-by-one", "3", "4", "survived"),
    ("action buy", "off-by-one", "3", "2", "survived"),
    ("phase turn do", "may-for-must", "do one of", "may do", "survived"),
]
"""What the scenarios do not notice, found by hand: nobody comes to three apples, and nobody passes."""


@pytest.fixture
def stall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(STALL, tmp_path / "stall"))


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["mutate", *words], prog_name="rulewright")


def found(*words: str) -> dict[str, Any]:
    return json.loads(run("stall", "--json", *words).output)


def named(found: dict[str, Any], *outcomes: str) -> list[tuple[str, ...]]:
    keys = ("in", "operator", "old", "new", "outcome")
    return [tuple(m[key] for key in keys) for m in found["mutants"] if m["outcome"] in outcomes]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


# ---- what it finds


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_what_is_not_noticed(stall: Path, executor: ExecutorKind) -> None:
    all_ = found("--executor", executor)
    assert named(all_, "survived", "equivalent") == UNKILLED
    assert len(all_["mutants"]) == 42
    assert all_["score"] == round(100 * 36 / 41, 2)
    assert all_["complete"] is True


def test_survivors_alone(stall: Path) -> None:
    all_, alone = found(), found("--survivors")
    assert named(alone, "survived") == named(all_, "survived")
    assert len(alone["mutants"]) == len(named(all_, "survived", "unreached"))
    assert alone["score"] == all_["score"]


def test_who_notices(stall: Path) -> None:
    by = {(m["in"], m["operator"], m["new"]): m["by"] for m in found("--executor", "reference")["mutants"]}
    assert by["action buy", "wrong-verb", "lose"] is not None
    assert by["action pick", "dropped-statement", "nothing"].startswith("Who cannot buy")
    assert by["phase final score", "wrong-extreme", "lowest"] == "Two apples end the game"


def test_two_processes_find_the_same(stall: Path) -> None:
    words = ("--executor", "reference", "--operator", "off-by-one", "--operator", "wrong-verb")
    one, two = found(*words), found(*words, "--jobs", "2")
    assert len(one["mutants"]) > 4
    assert one["mutants"] == two["mutants"]


@pytest.mark.parametrize("executor", ["reference", "wasm"])
def test_a_mutant_that_runs_for_ever_is_noticed(stall: Path, executor: ExecutorKind) -> None:
    change(stall / "game.yaml", "otherwise: turn}\n", "otherwise: night}\n  night: {then: turn}\n")
    all_ = found("--operator", "wrong-phase", "--executor", executor)
    assert named(all_, "timed out") == [("phase night then", "wrong-phase", "turn", "night", "timed out")]
    assert all_["score"] == 100


def test_where_no_scenario_comes(stall: Path) -> None:
    change(stall / "scenarios" / "all.yaml", "    - A: pick\n  then: {coins of A: 2, coins of B: 3}", "")
    words = ("--clause", "§3", "--operator", "wrong-verb", "--operator", "dropped-step")
    assert named(found(*words), "not reached", "survived") == [
        ("action pick", "wrong-verb", "gain", "lose", "not reached"),
    ]
    result = run("stall", *words)
    assert "warning[T340]: no scenario comes here to notice `lose` in place of `gain`" in result.output
    assert "  1 survived, 1 of them unreached by scenarios\n" in result.output


def test_no_game_and_the_same_machine_do_not_count(stall: Path) -> None:
    rules = stall / "stall.rules"
    rules.write_text(
        rules.read_text() + "\nvalue spare = 1 if 1 > 2 and finished else 0\nscore more = spare\n"
    )
    all_ = found("--executor", "reference", "--operator", "off-by-one")
    assert ("value spare", "off-by-one", "1", "2", "same") in named(all_, "same")
    counted = [m for m in all_["mutants"] if m["outcome"] in ("killed", "survived")]
    killed = [m for m in counted if m["outcome"] == "killed"]
    assert all_["score"] == round(100 * len(killed) / len(counted), 2)


# ---- which ones


def test_a_clause(stall: Path) -> None:
    assert {tuple(m["clauses"]) for m in found("--clause", "§2.1")["mutants"]} == {("§2.1",)}


def test_an_operator_and_a_sample(stall: Path) -> None:
    one = found("--operator", "off-by-one", "--sample", "3", "--seed", "4")
    assert [m["operator"] for m in one["mutants"]] == ["off-by-one"] * 3
    assert one["mutants"] == found("--operator", "off-by-one", "--sample", "3", "--seed", "4")["mutants"]
    assert one["mutants"] != found("--operator", "off-by-one", "--sample", "3", "--seed", "5")["mutants"]


# ---- what it says


def test_the_whole_of_it(stall: Path) -> None:
    result = run("stall", "--clause", "§2.1", "--operator", "dropped-needs", "--operator", "wrong-seat")
    assert result.exit_code == 1
    assert result.output.rsplit(" s\n", 1)[0].rstrip("0123456789") == dedent(
        """\
           0/2    §2.1 Full

        §2.1 Full
        warning[T340]: no scenario notices `nothing` in place of `needs apples of me < 3`
          --> stall/stall.rules:2:5
           |
         2 |     needs apples of me < 3                                           §2.1
           |     ^^^^^^^^^^^^^^^^^^^^^^ dropped-needs in `action buy`
          help: write a scenario that fails, or give the reason why it makes no difference in `mutants.yaml`

        warning[T340]: no scenario notices `opponent` in place of `me`
          --> stall/stall.rules:2:21
           |
         2 |     needs apples of me < 3                                           §2.1
           |                     ^^ wrong-seat in `action buy`
          help: write a scenario that fails, or give the reason why it makes no difference in `mutants.yaml`

        Stall: 2 mutants in """
    )
    assert result.output.endswith("\nscore 0.0 of 100, less than 90\n")


def test_only_the_survivors(stall: Path) -> None:
    result = run("stall", "--clause", "§2.1", "--survivors")
    assert result.output.startswith("§2.1 Full\nwarning[T340]")


def test_the_score_decides(stall: Path) -> None:
    assert run("stall", "--score", "88").exit_code == 1
    assert run("stall", "--score", "87.8").exit_code == 0


def test_an_interrupt_shows_what_was_judged(stall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = MutationRunner.judge
    judged: Iterator[int] = iter(range(5))

    def until_five(runner: MutationRunner, *mutant: Any) -> MutantVerdict:
        if next(judged, None) is None:
            raise KeyboardInterrupt
        return judge(runner, *mutant)

    monkeypatch.setattr(MutationRunner, "judge", until_five)
    result = run("stall", "--executor", "reference")
    assert result.exit_code == INTERRUPTED
    assert "interrupted: partial results follow" in result.output
    assert "Stall: 5 mutants in" in result.output


def test_nothing_judged_has_no_score(stall: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(runner: MutationRunner, *mutant: Any) -> MutantVerdict:
        raise KeyboardInterrupt

    monkeypatch.setattr(MutationRunner, "judge", at_once)
    assert run("stall").output.endswith("\nno score: no mutant that counts was judged\n")


# ---- what is wrong

ENTRY = "- {in: action buy, operator: off-by-one, old: 3, new: 4, why: nobody gets there}\n"
WRONG = {
    "T341": (
        "- in: action bye\n  operator: off-by-one\n  why: it is so\n",
        """\
        error[T341]: no mutant of `action bye` matches this entry
          --> stall/mutants.yaml:1:3
           |
         1 | - in: action bye
           |   ^^^^^^^^^^^^^^
          help: did you mean `action buy`?
        """,
    ),
    "T342": (
        "- in: action pick\n  operator: dropped-statement\n  why: it is so\n",
        """\
        error[T342]: needless entry: `Who cannot buy can pick` detects it
          --> stall/mutants.yaml:1:3
           |
         1 | - in: action pick
           |   ^^^^^^^^^^^^^^^
          --> stall/stall.rules:7:5
           |
         7 |     gain 1 coins
           |     ^^^^^^^^^^^^ the mutant
          help: remove the entry; if it matches several mutants, choose one with `nth`
        """,
    ),
}


@pytest.mark.parametrize("code", WRONG)
def test_entries_that_are_wrong(stall: Path, code: str) -> None:
    text, expected = WRONG[code]
    (stall / "mutants.yaml").write_text(text)
    result = run("stall", "--clause", "§3", "--survivors", "--score", "0")
    assert result.exit_code == 1
    assert dedent(expected) in result.output


REFUSED = {
    "T343": (
        ("stall", "--clause", "§2.2"),
        """\
        error[T343]: nothing to mutate at `§2.2`
          --> command line:1:34
           |
         1 | rulewright mutate stall --clause '§2.2'
           |                                  ^^^^^^
          help: did you mean `§2.1` or `§2`?
        """,
    ),
    "T344": (
        ("stall",),
        """\
        error[T344]: `An apple costs two coins` fails in the unchanged ruleset
          --> stall/scenarios/all.yaml:1:13
           |
         1 | - scenario: An apple costs two coins
           |             ^^^^^^^^^^^^^^^^^^^^^^^^
          help: correct it first: `rulewright test` shows what fails
        """,
    ),
}


@pytest.mark.parametrize("code", REFUSED)
def test_refused(stall: Path, code: str) -> None:
    if code == "T344":
        change(stall / "scenarios" / "all.yaml", "coins of A: 3", "coins of A: 4")
    words, expected = REFUSED[code]
    result = run(*words)
    assert result.output == dedent(expected)
    assert result.exit_code in (1, 2)


def test_every_code_is_shown() -> None:
    codes = {code for code in REGISTER if "T340" <= code <= "T349"}
    assert codes == {"T340", *WRONG, *REFUSED}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("in: action buy\n", "a list"),
        ("- {operator: off-by-one, why: so}\n", "lacks `in`"),
        ("- {in: action buy, why: so}\n", "lacks `operator`"),
        ("- {in: action buy, operator: off-by-two, why: so}\n", "did you mean `off-by-one`?"),
        ("- {in: action buy, operator: off-by-one}\n", "lacks `why`"),
        ("- {in: action buy, operator: off-by-one, why: ''}\n", "a reason"),
        ("- {in: action buy, operator: off-by-one, nth: 0, why: so}\n", "a number from 1 on"),
        ("- {in: action buy, operator: off-by-one, nth: two, why: so}\n", "a whole number"),
        ("- {in: action buy, operator: off-by-one, wy: so}\n", "did you mean `why`?"),
        ("- [1, 2]\n", "a mapping"),
        ("- in: [\n", "missing value"),
    ],
)
def test_malformed_entries(stall: Path, text: str, wanted: str) -> None:
    (stall / "mutants.yaml").write_text(text)
    result = run("stall")
    assert result.exit_code == 1
    assert wanted in result.output


@pytest.mark.parametrize(
    "words",
    [
        ("stall", "--operator", "off-by-two"),
        ("stall", "--sample", "0"),
        ("stall", "--score", "101"),
        ("stall", "--jobs", "0"),
        ("nowhere",),
    ],
)
def test_wrong_usage(stall: Path, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


def test_without_scenarios(stall: Path) -> None:
    shutil.rmtree(stall / "scenarios")
    result = run("stall")
    assert result.exit_code == 2
    assert "nothing to mutate: there are no scenarios" in result.output


def test_one_of_several_is_meant(stall: Path) -> None:
    entry = "- {in: action buy, operator: off-by-one, old: 3, %swhy: nobody gets there}\n"
    (stall / "mutants.yaml").write_text(entry % "")
    assert len(named(found("--executor", "reference"), "equivalent")) == 2
    (stall / "mutants.yaml").write_text(entry % "nth: 2, ")
    assert [m[3] for m in named(found("--executor", "reference"), "equivalent")] == ["2"]


def test_the_beginning_of_a_header_fits(stall: Path) -> None:
    entry = "- {in: %s, operator: may-for-must, why: nobody passes}\n"
    for header in ("phase turn", "phase turn do"):
        (stall / "mutants.yaml").write_text(entry % header)
        assert len(named(found("--executor", "reference"), "equivalent")) == 1
    (stall / "mutants.yaml").write_text(entry % "phase tur")
    assert [m["code"] for m in found("--executor", "reference")["findings"]] == ["T341"]


def test_a_question_that_faults_is_a_mistake_of_the_scenario(stall: Path) -> None:
    change(stall / "scenarios" / "all.yaml", "active: B}", "active: B, coins of A div (coins of A - 3): 1}")
    result = CliRunner().invoke(main, ["test", "stall"])
    assert result.exit_code == 1
    assert "error[R213]" in result.output
    assert "stall/scenarios/all.yaml:8" in result.output


def test_what_only_a_dropped_step_would_use_has_no_stream(tmp_path: Path) -> None:
    game = Path(shutil.copytree(find("pig"), tmp_path / "pig"))
    (game / "scenarios" / "end.yaml").unlink()
    result = CliRunner().invoke(main, ["mutate", str(game), "--operator", "dropped-step", "--score", "0"])
    assert result.exit_code == 0, result.output

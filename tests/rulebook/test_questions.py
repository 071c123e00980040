"""Questions that scenarios answer: the same by the same seed, of each kind, and the answers are true."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from dsl import rules as r
from rulewright.i18n.messages import Messages
from rulewright.library import bundled_folder
from rulewright.rulebook.configured import lexicon_of
from rulewright.rulebook.questions import Question, answers_text, questions_of, questions_text
from rulewright.scenario_tests import Collected, collect
from tests.rulewright.conftest import Run, run as run


@cache
def collected(game: str) -> Collected:
    found = Collected()
    collect(found, game, "reference", False)
    return found


def asked(game: str, number: int = 20, seed: int = 1) -> tuple[r.Rules, list[Question]]:
    found = collected(game)
    rules = found.cases[0].runner.rules
    return rules, questions_of(lexicon_of(game, rules, None), [c.scenario for c in found.cases], number, seed)


@pytest.mark.parametrize("game", ["roma", "trajan"])
def test_there_are_questions_of_each_kind_one_of_a_scenario(game: str) -> None:
    rules, found = asked(game)
    assert len(found) == 20
    assert {q.kind for q in found} == {"may", "may not", "then", "score"}
    assert len({q.scenario for q in found}) == 20
    assert {c for q in found for c in q.clauses} <= rules.clauses.keys()


def test_a_seed_chooses_the_questions() -> None:
    assert asked("roma")[1] == asked("roma")[1]
    assert asked("roma")[1] != asked("roma", seed=2)[1]


def test_what_may_not_be_done_is_refused_where_the_scenario_refuses_it() -> None:
    _, found = asked("roma", 99)
    refused = next(q for q in found if q.scenario == "Legionarius with nothing opposite is not activated")
    assert refused.asked == "May A now choose this: activate with: 2?"
    assert refused.answer == "no"
    assert "§R12" in refused.clauses
    assert "A’s cards on the table, 2: Legionarius" in refused.given


def test_answers_stand_apart(run: Run, tmp_path: Path) -> None:
    rules, found = asked("roma", 8)
    result = run("questions", "roma", "-n", "8", "--answers", "answers.md")
    assert result.exit_code == 0
    assert result.stdout.rstrip() == questions_text(rules.title, found, Messages("en", "book")).rstrip()
    assert (tmp_path / "answers.md").read_text(encoding="utf-8") == answers_text(
        rules, found, Messages("en", "book")
    )
    assert found[0].scenario not in result.stdout


def test_questions_in_another_language(run: Run, tmp_path: Path) -> None:
    result = run("questions", "roma", "-n", "12", "--language", "ro", "--answers", "answers.md")
    assert result.exit_code == 0
    assert "Poate A să aleagă acum aceasta: " in result.stdout
    assert "Este rândul lui A" in result.stdout
    assert not {"May", "What", "turn", "score", "nothing"} & set(result.stdout.split())
    answers = (tmp_path / "answers.md").read_text(encoding="utf-8")
    assert "**da**" in answers
    assert "**yes**" not in answers


def test_chance_before_the_first_choice_is_told() -> None:
    """What is rolled before may be asked for: else nobody knows which dice there are."""
    _, found = asked("roma", 99, seed=41)
    paid = next(q for q in found if q.scenario.startswith("The second player pays for his gaps"))
    assert paid.asked == "May A now choose this: take money with: 5?"
    assert paid.happens[0].startswith("Chance brings, in this order, ")


def test_a_game_without_scenarios_asks_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(
        "game: x\nseats: 2\nrules: [x.rules]\n"
        "flow: {play: {do: [act], then: final}, final: {score: highest}}\n"
    )
    (tmp_path / "x.rules").write_text("procedure act\n    nothing\nscore none_yet = 0\n")
    assert run("questions", str(tmp_path)).exit_code == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\xff", "error[D002]: `hex/scenarios/a.yaml` is not UTF-8 text"),
        (b"- scenario: x\n  then: {asked: A}\n", "no scenario of ./hex makes a question"),
        (b"[]\n", "./hex has no scenarios"),
    ],
)
def test_a_game_of_which_nothing_can_be_asked(
    content: bytes, expected: str, run: Run, tmp_path: Path
) -> None:
    shutil.copytree(bundled_folder() / "hex", tmp_path / "hex")
    shutil.rmtree(tmp_path / "hex/scenarios")
    (tmp_path / "hex/scenarios").mkdir()
    (tmp_path / "hex/scenarios/a.yaml").write_bytes(content)
    result = run("questions", "./hex")
    assert result.exit_code != 0
    assert expected in result.output


def test_answers_replace_no_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "answers.md").touch()
    result = run("questions", "hex", "--answers", "answers.md")
    assert "error[C480]: `answers.md` already exists" in result.output
    assert "help: choose another name\n" in result.output

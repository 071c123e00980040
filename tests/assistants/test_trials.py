"""Games that are written from a page: what programs reply, what is found, what hidden scenarios hold."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.conftest import Golden
from tools.assistant_trial import (
    CLEAN,
    Score,
    Trial,
    asking,
    attempt,
    files_of,
    findings,
    prompt,
    recorded,
    replaying,
    score,
)

GAMES = sorted((Path(__file__).parent / "games").iterdir())
SCENARIO = re.compile(r"^- scenario: (.+)$", re.M)
TRIAL = Trial(next(folder for folder in GAMES if folder.name == "caravan"))


@pytest.fixture(params=GAMES, ids=lambda folder: folder.name)
def trial(request: pytest.FixtureRequest) -> Trial:
    return Trial(request.param)


def test_a_trial_has_a_page_with_an_example_and_twenty_other_scenarios(trial: Trial) -> None:
    hidden = SCENARIO.findall(trial.scenarios)
    assert len(hidden) == len(set(hidden)) == 20
    shown = SCENARIO.findall(trial.example)
    assert shown
    assert not {*shown} & {*hidden}
    assert 20 < len(trial.page.splitlines()) < 80


def test_the_program_is_not_told_the_hidden_scenarios(trial: Trial) -> None:
    told = prompt(trial, trial.reference, "", 1)
    assert trial.page in told
    assert not [name for name in SCENARIO.findall(trial.scenarios) if f"scenario: {name}" in told]


def test_the_reference_holds_all_scenarios(trial: Trial) -> None:
    assert score(trial, trial.reference) == Score(20, 20)


def test_nothing_is_found_in_the_reference(trial: Trial) -> None:
    assert findings(trial, trial.reference) == CLEAN


def test_the_recorded_replies_lead_to_what_was_found(trial: Trial, golden: Golden) -> None:
    replies = recorded(trial)
    outcome = attempt(trial, replaying(replies), len(replies))
    assert len(outcome.rounds) == len(replies)
    for number, made in enumerate(outcome.rounds, 1):
        golden(trial.folder / "exchange" / f"{number}-findings.txt", f"{made.findings}\n")
    golden(trial.folder / "exchange" / "score.txt", str(outcome.score))


@pytest.mark.parametrize(
    "reply",
    [
        "Here it is:\n\n```game.yaml\ngame: x\n```\n",
        "```yaml game.yaml\ngame: x\n```",
        "**game.yaml**\n```yaml\ngame: x\n```",
        "### `./game.yaml`\n\n~~~\ngame: x\n~~~\n",
    ],
)
def test_files_are_named_in_the_usual_ways(reply: str) -> None:
    assert files_of(reply) == {"game.yaml": "game: x\n"}


def test_a_block_without_a_name_is_no_file() -> None:
    assert files_of("```yaml\ngame: x\n```\n") == {}


def test_no_file_leaves_the_folder() -> None:
    found = findings(TRIAL, {"game.yaml": "game: x\n", "../../x.yaml": "x: 1\n"})
    assert "../../x.yaml" in found


def test_a_command_is_asked_until_nothing_is_found_or_no_reply_is_left(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    program = f"import sys; open({str(asked)!r}, 'a').write(sys.stdin.read()); print('I cannot.')"
    outcome = attempt(TRIAL, asking(shlex.join([sys.executable, "-c", program])), 2)
    assert [made.reply for made in outcome.rounds] == ["I cannot.\n", "I cannot.\n"]
    assert (outcome.clean, outcome.score.held, outcome.score.number) == (False, 0, 20)
    told = asked.read_text("utf-8")
    assert "Replies left: 2" in told
    assert "There is no `game.yaml`" in told.partition("Replies left: 2")[2]


def test_questions_are_answered_and_a_rule_that_is_wrong_fails_scenarios() -> None:
    rules = TRIAL.reference["caravan.rules"].replace("score saffron = 2 *", "score saffron = 3 *")
    replies = (
        "```ask\nexplain D050\nread_docs language-choices Together\nfly away\n```\n",
        *(f"```{path}\n{text}```\n" for path, text in {**TRIAL.reference, "caravan.rules": rules}.items()),
    )
    outcome = attempt(TRIAL, replaying((replies[0], "".join(replies[1:]))), 2)
    first, last = (made.findings for made in outcome.rounds)
    assert "## explain D050\n" in first
    assert "Every seat runs the block on its own branch" in first
    assert "ask with `explain`" in first
    assert last == CLEAN
    assert "Saffron is worth two each" in outcome.score.failed
    assert 0 < outcome.score.held < 20

"""The log of a match that its rules have not ended says what has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.source import Source
from interpreter import log
from interpreter.early_end import EarlyEnd, plain, read_end
from interpreter.messages import Fault
from rulewright.main import main
from rulewright.serve.matches.clocks import ClockRule
from rulewright.serve.matches.service import MatchService
from tests.serve.playing import DICE, HUMAN, play, served, table

FORFEIT = ClockRule("move", 60)


def exported(folder: Path, how: str) -> str:
    """The log of a match of some choices that was ended."""
    found: list[str] = []

    async def act(service: MatchService) -> None:
        match = (await service.create(table(DICE, HUMAN, HUMAN, clock=FORFEIT))).id
        live = await play(service, match, 3)
        match how:
            case "clock":
                await service.scheduler.expire(live.id, service.now() + 60_001)
            case "resignation":
                await service.resign(live.id, 0, "r")
            case "agreement":
                asked = await service.propose(live.id, 0, "p", "abandon", {})
                await service.answer(live.id, 1, "a", asked.proposal or 0, True)
        found.append(await service.export(live.id))

    served(str(folder / "matches.db"), act)
    return found[0]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("clock", r"won by [AB]: the time of [AB] has run out"),
        ("resignation", r"won by B: A has given up"),
        ("agreement", r"ended by agreement, without a result"),
    ],
)
def test_a_log_says_what_has_ended_its_match(how: str, said: str, tmp_path: Path) -> None:
    text = exported(tmp_path, how)
    saved = log.read(Source("log", text))
    assert saved.ended is not None
    assert (saved.ended.by, saved.complete) == (how, False)
    (tmp_path / "match.log").write_text(text)
    replayed = CliRunner().invoke(main, ["replay", str(tmp_path / "match.log")])
    assert replayed.exit_code == 0, replayed.output
    assert re.fullmatch(said, replayed.output.splitlines()[-1])
    assert "not over" not in replayed.output
    there = CliRunner().invoke(main, ["replay", str(tmp_path / "match.log"), "--step", "1"])
    assert "the match is not over" in there.output
    as_json = CliRunner().invoke(main, ["replay", str(tmp_path / "match.log"), "--json"])
    assert json.loads(as_json.output)["ended"]["by"] == how


def test_a_log_that_goes_on_was_not_ended(tmp_path: Path) -> None:
    text = exported(tmp_path, "clock")
    shorter = "".join(text.splitlines(keepends=True)[:-1])
    assert log.read(Source("log", shorter)).ended is None


@pytest.mark.parametrize(
    "wrong",
    [
        None, {}, {"by": "rules", "winners": [], "steps": 1}, {"by": "clock", "winners": ["A"]},
        {"by": "clock", "winners": ["A"], "steps": 1, "more": 1}, {"by": "clock", "winners": [1], "steps": 1},
        {"by": "clock", "winners": "A", "steps": 1}, {"by": "clock", "winners": [], "steps": True},
        {"by": "clock", "winners": [], "steps": 1, "seat": 7}, {"by": ["clock"], "winners": [], "steps": 1},
    ],
)  # fmt: skip
def test_what_is_no_end(wrong: object) -> None:
    with pytest.raises(ValueError, match="no end"):
        read_end(wrong)
    head = {"rulewright": 1, "game": DICE, "rules": "", "seats": 2, "options": {}, "seed": 1, "players": []}
    with pytest.raises(Fault, match="ended"):
        log.read(Source("log", json.dumps(head | {"ended": wrong})), trusted=True)


def test_an_end_is_read_as_it_was_written() -> None:
    for end in (EarlyEnd("clock", "A", ("B",), 7), EarlyEnd("agreement", None, (), 0)):
        assert read_end(json.loads(json.dumps(plain(end)))) == end

"""Ctrl-C while games are checked or tested: what was finished is shown."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from rulewright.commands import check as check_command
from rulewright.main import main
from rulewright.processes.interrupts import INTERRUPTED
from validators import run_checks as running
from validators.check import Check, CheckContext, Finding
from validators.scenarios.running import ScenarioRunner


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, prog_name="rulewright")


def test_games_that_were_checked_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = check_command.checked

    def second_is_interrupted(name: str, *rest: object) -> object:
        if name == "nim":
            raise KeyboardInterrupt
        return checked(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(check_command, "checked", second_is_interrupted)
    result = run("check", "tic_tac_toe", "nim", "pig", "--fast", "--strict")
    assert result.exit_code == INTERRUPTED
    assert "checked tic_tac_toe: no mistakes" in result.stdout
    assert result.stderr == "interrupted: nim, pig not checked\n"


def test_findings_of_the_checks_before_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    find = running._find

    def third_is_interrupted(check: Check, subject: CheckContext) -> tuple[list[Finding], bool | None]:
        if check.code == "V303":
            raise KeyboardInterrupt
        return find(check, subject)

    monkeypatch.setattr(running, "_find", third_is_interrupted)
    result = run("check", "tic_tac_toe", "pig", "--fast")
    assert result.exit_code == INTERRUPTED
    assert "tic_tac_toe: interrupted before V303, V304" in result.stdout
    assert "checked tic_tac_toe: nothing found, and not all was checked" in result.stdout
    assert result.stderr == "interrupted: pig not checked\n"


def test_scenarios_that_were_run_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    carried_out, left = ScenarioRunner.run, iter([True, True])

    def third_is_interrupted(self: ScenarioRunner, scenario: object) -> object:
        if not next(left, False):
            raise KeyboardInterrupt
        return carried_out(self, scenario)  # type: ignore[arg-type]

    monkeypatch.setattr(ScenarioRunner, "run", third_is_interrupted)
    result = run("test", "tic_tac_toe")
    assert result.exit_code == INTERRUPTED
    assert "tic_tac_toe: 2 scenarios, all hold" in result.stdout
    assert result.stderr.startswith("interrupted: 2 of ")

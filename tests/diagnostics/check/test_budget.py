"""Checks keep to their time, and say what they had none for."""

from __future__ import annotations

from itertools import chain, repeat

import pytest

from dsl.rules import Rules
from tests.games import rules_of
from tests.wasm.lockstep import small_rules
from validators import witness
from validators.check import CheckContext
from validators.checks import CHECKS, absent_seats
from validators.run_checks import run_checks

FLOW = (
    "flow: {turn: {seat: rotates, do: [{do one of: [go, back]}], then: {far: final, otherwise: turn}}, "
    "final: {score: highest}}\n"
)


def endless() -> Rules:
    """A random match of this game hardly ever ends."""
    yaml = "longest: 1000000000\ncounters: {steps: {range: 0..100}}\n"
    rules = (
        "action go\n    steps += 1\n\naction back\n    needs steps > 0\n    steps = 0\n\n"
        "value far = steps >= 100\nscore points = steps\n"
    )
    return small_rules(yaml, rules, FLOW)


def test_a_match_that_does_not_end_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absent_seats, "LONGEST", 1000)
    found = run_checks(CheckContext(endless()), seconds=600)
    assert not found.left
    assert "V308" not in {finding.code for finding in found.findings}


def test_no_time_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a check must do is done however late it is."""
    monkeypatch.setattr(witness, "LONGEST", 1000)
    found = run_checks(CheckContext(endless()), seconds=0)
    assert found.left == [check.code for check in CHECKS if not check.least]
    assert sorted(found.done) == sorted(check.code for check in CHECKS if check.least)


@pytest.mark.parametrize(("enough", "matches"), [(1, 1), (100_000, witness.FEWEST)])
def test_matches_are_played_however_late_it_is(
    enough: int, matches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that is late plays until it has seen enough decisions, and at least one match."""
    monkeypatch.setattr(witness, "ENOUGH", enough)
    subject = CheckContext(rules_of("pig"), until=0.0)
    found = witness.played(subject)
    assert found.complete
    assert found.matches in range(matches * len(subject.machines), 2 * matches * len(subject.machines))


def test_a_check_is_left_in_its_middle() -> None:
    """Every check begins in time, and has none when it compiles a machine."""
    times = chain([-1e9], repeat(-2e9))
    found = run_checks(CheckContext(endless()), seconds=0, clock=lambda: next(times))
    assert "V301" in found.left
    assert "V321" in found.done

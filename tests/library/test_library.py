"""Each game of the library, tried every time: it is clean, its scenarios hold, both executors play it alike.

All other tests try these games in the long mode only.
"""

from __future__ import annotations

import pytest

from dsl.diagnostics import Severity
from rulewright.library import find, scenario_sources
from tests.games import LIBRARY, compiled, game_of, lines_of, loaded, rules_of, seats_of
from tests.wasm.batches import Rows
from tests.wasm.lockstep import Pair
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import ScenarioRunner

pytestmark = pytest.mark.each_game
LONGEST = {"chess": 190, "texas_holdem": 171, "hearts": 95}
SOME = 7
"""One of so many scenarios is performed."""
CHOICES = 12
SMALL = {"go": (("lines", "9"),)}
"""Boards on which the reference executor takes seconds for one list of options are tried smaller."""


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_is_whole(name: str) -> None:
    """No error, no warning; clauses, labels and sources; each rule marked with a clause that there is."""
    rules, report, _ = loaded(name)
    assert [m.message for m in report if m.severity in (Severity.ERROR, Severity.WARNING)] == []
    assert (find(name) / "SOURCES.md").is_file()
    assert rules.clauses
    assert (find(name) / "labels" / "en.yaml").is_file()
    for routine in rules.routines.values():
        assert set(routine.clauses) <= set(rules.clauses)


@pytest.mark.parametrize("name", LONGEST)
def test_is_short(name: str) -> None:
    assert lines_of(name) <= LONGEST[name]


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_scenarios_hold(name: str) -> None:
    """Some of them, on the fast executor, and all rules of the rulebook are shown by one."""
    rules, _, questions = loaded(name)
    found = [s for source in scenario_sources(find(name)) for s in read_scenarios(source, rules)]
    runner = ScenarioRunner(rules, questions, executor="wasm")
    results = [runner.run(scenario) for scenario in found[::SOME]]
    assert results
    assert [r.scenario.name for r in results if not r.holds] == []
    shown = {clause for s in found if s.asserts for clause in s.cites}
    assert {c.id for c in rules.clauses.values() if c.kind == "rule"} <= shown


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_executors_agree(name: str) -> None:
    """The beginning of a match, choice by choice, with its events, views and score sheets."""
    table = (name, seats_of(name)[0], SMALL.get(name, ()))
    played = Pair(rules_of(name), compiled(table)).play(7, CHOICES)
    assert not played.faulted, played.diagnostic.message
    played.same_looks()


@pytest.mark.parametrize("name", sorted(LIBRARY))
def test_batches_agree(name: str) -> None:
    """Batches keep frames in locals: at each stop their states are those of the reference executor."""
    Rows(game_of(name, seats_of(name)[0], SMALL.get(name, ())), 2, 7).play(CHOICES)

"""Every scenario of every bundled ruleset holds."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from rulewright.library import bundled, find, scenario_sources
from tests.games import loaded, sample
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import ScenarioRunner
from validators.scenarios.scenario import Scenario


@cache
def runner(game: str) -> ScenarioRunner:
    rules, _, questions = loaded(game)
    return ScenarioRunner(rules, questions)


def all_scenarios() -> list[tuple[str, Scenario]]:
    return [
        (game, scenario)
        for game in bundled()
        for source in scenario_sources(find(game))
        for scenario in read_scenarios(source, runner(game).rules)
    ]


SCENARIOS = all_scenarios()


def scenarios_of(game: str) -> list[Scenario]:
    return [scenario for name, scenario in SCENARIOS if name == game]


@pytest.mark.parametrize(
    ("game", "scenario"), SCENARIOS, ids=[f"{game}: {scenario.name}" for game, scenario in SCENARIOS]
)
def test_scenario_holds(game: str, scenario: Scenario) -> None:
    result = runner(game).run(scenario)
    assert result.diagnostic is None, result.diagnostic.message if result.diagnostic else ""
    assert not result.differences, [f"{d.what}: {d.found}, not {d.wanted}" for d in result.differences]


@pytest.mark.parametrize("every", sample([12, 1], [12]))
@pytest.mark.parametrize("game", bundled())
def test_scenarios_hold_on_the_fast_executor(game: str, every: int) -> None:
    """One of so many: the fast executor is held against the other elsewhere."""
    fast = replace(runner(game), tables={}, executor="wasm")
    results = [fast.run(scenario) for scenario in scenarios_of(game)[::every]]
    assert [r.scenario.name for r in results if r.diagnostic is not None or r.differences] == []


def shown(game: str) -> set[str]:
    """The clauses that scenarios of a game cite and assert something about."""
    return {clause for g, s in SCENARIOS if g == game and s.asserts for clause in s.cites}


@pytest.mark.parametrize("game", bundled())
def test_every_rule_is_shown(game: str) -> None:
    rules = [c.id for c in runner(game).rules.clauses.values() if c.kind == "rule"]
    assert rules
    assert [clause for clause in rules if clause not in shown(game)] == []


@pytest.mark.parametrize("game", bundled())
def test_there_are_as_many_scenarios_as_rules(game: str) -> None:
    rules = [c for c in runner(game).rules.clauses.values() if c.kind == "rule"]
    assert sum(g == game for g, _ in SCENARIOS) >= len(rules)


@pytest.mark.parametrize("game", bundled())
def test_names_are_unique(game: str) -> None:
    names = [s.name for g, s in SCENARIOS if g == game]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("every", sample([6, 1], [6]))
@pytest.mark.parametrize("game", bundled())
def test_none_holds_by_accident(game: str, every: int) -> None:
    """Each assertion is made false, one at a time: none of them holds then, and none is doubtful as it is."""
    false = replace(runner(game), falsify=True)
    results = [false.run(scenario) for scenario in scenarios_of(game)[::every]]
    assert sum(result.changes for result in results) > sum(result.asserted for result in results)
    assert [f"{r.scenario.name}: {d.code} {d.message}" for r in results for d in r.doubts] == []

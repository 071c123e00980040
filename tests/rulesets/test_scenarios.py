"""Every scenario of every bundled ruleset holds."""

from __future__ import annotations

from functools import cache

import pytest

from dsl.load import load_for_questions
from rulewright.library import bundled, find, folder, scenario_sources
from validators.scenarios import Scenario, Theatre, read_scenarios


@cache
def theatre(game: str) -> Theatre:
    rules, _, questions = load_for_questions(folder(find(game)))
    return Theatre(rules, questions)


def all_scenarios() -> list[tuple[str, Scenario]]:
    return [
        (game, scenario)
        for game in bundled()
        for source in scenario_sources(find(game))
        for scenario in read_scenarios(source, theatre(game).rules)
    ]


SCENARIOS = all_scenarios()


@pytest.mark.parametrize(
    ("game", "scenario"), SCENARIOS, ids=[f"{game}: {scenario.name}" for game, scenario in SCENARIOS]
)
def test_scenario_holds(game: str, scenario: Scenario) -> None:
    result = theatre(game).run(scenario)
    assert result.mistake is None, result.mistake.message if result.mistake else ""
    assert not result.differences, [f"{d.what}: {d.found}, not {d.wanted}" for d in result.differences]


@pytest.mark.parametrize("game", bundled())
def test_there_are_scenarios(game: str) -> None:
    assert sum(g == game for g, _ in SCENARIOS) >= 50


@pytest.mark.parametrize("game", bundled())
def test_names_are_unique(game: str) -> None:
    names = [s.name for g, s in SCENARIOS if g == game]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("game", bundled())
def test_a_wrong_expectation_is_noticed(game: str) -> None:
    """The runner can fail: a scenario whose expectation is turned round does not hold."""
    from dataclasses import replace

    from dsl.document import Scalar
    from dsl.source import NOWHERE

    plain = next(s for g, s in SCENARIOS if g == game and s.then)
    wrong = replace(plain, then=((Scalar("over", NOWHERE), Scalar("maybe", NOWHERE)),))
    assert not theatre(game).run(wrong).holds

"""Bundled games whose clauses are located in a text: each sentence is claimed, and the trace finds nothing.

The texts belong to their publishers and are not here; what can be said without them is tested.
"""

from __future__ import annotations

import pytest

from rulewright.library import bundled, find, scenario_sources
from tests.games import loaded, sample
from validators.scenarios.reading import read_scenarios
from validators.trace.executed import watch
from validators.trace.trace import trace

PLAYOUTS = [1, 60]
"""One is for one number of seats; a machine for each number takes longest."""
GAMES = {game: loaded(game) for game in bundled()}
LOCATED = [game for game, (rules, _, _) in GAMES.items() if rules.texts]


def test_some_games_are_located() -> None:
    assert {"roma", "roll_through_the_ages"} <= set(LOCATED)


@pytest.mark.parametrize("game", LOCATED)
def test_every_sentence_is_claimed(game: str) -> None:
    rules = GAMES[game][0]
    for text in rules.texts.values():
        claimed = {number for clause in rules.clauses.values() for number in clause.at.get(text.name, ())}
        assert claimed == set(range(1, len(text.fingerprints) + 1))


@pytest.mark.parametrize("game", LOCATED)
def test_every_clause_but_rulings_is_located(game: str) -> None:
    rules = GAMES[game][0]
    located = {clause.id: clause.kind != "ruling" for clause in rules.clauses.values()}
    assert {clause.id: bool(clause.at) for clause in rules.clauses.values()} == located


@pytest.mark.parametrize("playouts", sample(PLAYOUTS, [1]))
@pytest.mark.parametrize("game", LOCATED)
def test_the_trace_finds_nothing(game: str, playouts: int) -> None:
    rules, _, questions = GAMES[game]
    scenarios = [one for source in scenario_sources(find(game)) for one in read_scenarios(source, rules)]
    found = trace(rules, watch(rules, questions, scenarios, playouts))
    assert [(diagnostic.code, diagnostic.span.place) for diagnostic in found.findings] == []

"""What is promised of every bundled ruleset: it is clean, it is short, it plays."""

from __future__ import annotations

import random

import pytest

from dsl.diagnostics import Severity
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import bundled
from tests.games import (
    Table,
    ends,
    game_of,
    lines_of,
    loaded,
    mixed,
    named,
    rules_of,
    sample,
    seats_of,
    switched,
    tables,
)

LONGEST = {"roma": 300, "roll_through_the_ages": 330, "trajan": 561, "augustus": 300, "constantinopolis": 540}
ENOUGH = 250
"""So many decisions show enough of a game. Long matches are fewer, but at least one is played."""


KEPT = [*ends(), *mixed(ranges=True)]
SWITCHED = [(name, seats, options) for name, _, options in switched(ranges=True) for seats in seats_of(name)]


def playout(game: Game, seed: int, checked: bool = True) -> Match:
    match = Match(game, seed=seed, checked=checked, keep_history=False).start()
    chooser = random.Random(seed)
    while not match.over:
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    return match


@pytest.mark.parametrize("name", bundled())
def test_is_clean(name: str) -> None:
    _, report, _ = loaded(name)
    assert [m.message for m in report if m.severity in (Severity.ERROR, Severity.WARNING)] == []


@pytest.mark.parametrize("name", LONGEST)
def test_is_short(name: str) -> None:
    assert lines_of(name) <= LONGEST[name]


@pytest.mark.parametrize("table", sample(dict.fromkeys([*tables(), *KEPT, *SWITCHED]), KEPT), ids=named)
def test_playouts_end(table: Table) -> None:
    """No error, every piece conserved, every promise kept, and somebody has won."""
    game, options = game_of(*table), table[2]
    decisions = 0
    for seed in range(3 if options else 12):
        match = playout(game, seed)
        assert match.winners()
        decisions += sum(step.seat is not None for step in match.steps)
        if decisions >= (ENOUGH // 3 if options else ENOUGH):
            break


@pytest.mark.long
@pytest.mark.parametrize("table", tables(), ids=named)
def test_ten_thousand_playouts(table: Table) -> None:
    for seed in range(10_000):
        playout(game_of(*table), seed)


@pytest.mark.parametrize("name", bundled())
def test_every_clause_mark_is_a_clause(name: str) -> None:
    rules = rules_of(name)
    assert rules.clauses
    for routine in rules.routines.values():
        assert set(routine.clauses) <= set(rules.clauses)

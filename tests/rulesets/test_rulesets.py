"""What is promised of every bundled ruleset: it is clean, it is short, it plays."""

from __future__ import annotations

import random
import re

import pytest

from dsl import rules as r
from dsl.diagnostics import Severity
from dsl.domains import Int
from interpreter.match import Game, Match
from rulewright.library import bundled, find
from tests.games import ends, game_of, loaded, rules_of, seatings

LONGEST = {"roma": 300, "roll_through_the_ages": 330, "trajan": 560, "augustus": 300, "constantinopolis": 540}
ENOUGH = 3000
"""So many decisions show enough of a game. Long matches are fewer, but at least one is played."""


def configurations() -> list[tuple[str, int, dict[str, str]]]:
    found: list[tuple[str, int, dict[str, str]]] = [(game, seats, {}) for game, seats in seatings()]
    for game, seats, _ in ends():
        found.extend((game, seats, {name: value}) for name, value in switched(rules_of(game)))
    return found


def switched(rules: r.Rules) -> list[tuple[str, str]]:
    """Each option and ruling with every value that is not the default, of a range the two ends."""
    return [(o.name, v) for o in rules.options.values() for v in others(o)]


def others(option: r.Option) -> list[str]:
    if isinstance(option.type, Int):
        return [str(n) for n in (option.type.lo, option.type.hi) if n != option.default]
    return [value for i, value in enumerate(option.values) if i != option.default]


CONFIGURATIONS = configurations()


def playout(game: Game, seed: int, checked: bool = True) -> Match:
    match = Match(game, seed=seed, checked=checked, keep_history=False).start()
    chooser = random.Random(seed)
    while not match.over:
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    return match


@pytest.mark.parametrize("name", bundled())
def test_is_clean(name: str) -> None:
    _, report = loaded(name)
    assert [m.message for m in report if m.severity in (Severity.ERROR, Severity.WARNING)] == []


@pytest.mark.parametrize("name", LONGEST)
def test_is_short(name: str) -> None:
    """`game.yaml` and `.rules`, without blank lines and comments."""
    path = find(name)
    texts = [(path / "game.yaml").read_text(), *(p.read_text() for p in path.glob("*.rules"))]
    lines = [re.sub(r"#.*", "", line).strip() for text in texts for line in text.splitlines()]
    assert len([line for line in lines if line]) <= LONGEST[name]


@pytest.mark.parametrize(("name", "seats", "options"), CONFIGURATIONS, ids=str)
def test_playouts_end(name: str, seats: int, options: dict[str, str]) -> None:
    """No error, every piece conserved, every promise kept, and somebody has won."""
    game = game_of(name, seats, tuple(options.items()))
    decisions = 0
    for seed in range(3 if options else 12):
        match = playout(game, seed)
        assert match.winners()
        decisions += sum(step.seat is not None for step in match.steps)
        if decisions >= (ENOUGH // 6 if options else ENOUGH):
            break


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats", "options"), [c for c in CONFIGURATIONS if not c[2]], ids=str)
def test_ten_thousand_playouts(name: str, seats: int, options: dict[str, str]) -> None:
    game = game_of(name, seats, tuple(options.items()))
    for seed in range(10_000):
        playout(game, seed)


@pytest.mark.parametrize("name", bundled())
def test_every_clause_mark_is_a_clause(name: str) -> None:
    rules = rules_of(name)
    assert rules.clauses
    for routine in rules.routines.values():
        assert set(routine.clauses) <= set(rules.clauses)

"""Both executors mean the same: the same seed and choices, the same match."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from dsl.load import load
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from rulewright.library import folder
from tests.games import Table, ends, mixed, named, sample, seated, switched, tables
from tests.wasm.lockstep import Lockstep, Pair

TESTS = Path(__file__).parent.parent
GENERALITY = sorted(p.parent for p in (TESTS / "generality").glob("*/game.yaml"))
FAULTS = [
    path
    for path in sorted(p.parent for p in (TESTS / "diagnostics" / "runtime").glob("*/game.yaml"))
    if not path.name.startswith("R227")
]
"""Rulesets that come to a fault. A search without end is left out: one executor tells of it where the match
stops for the choice, the other when it is asked for the choices; `tests/bounds` holds both to R227."""


@cache
def pair(table: Table) -> Pair:
    return Pair(*seated(table))


def play(game: Pair, decisions: int, first: int = 0, most: int = 6) -> None:
    """Some playouts, until they have come to so many decisions."""
    for seed in range(first, first + most):
        played = game.play(seed, decisions)
        assert not played.faulted, played.diagnostic.message
        played.same_looks()
        decisions -= played.choices
        if decisions <= 0:
            return


@pytest.mark.parametrize("table", sample(tables(), ends()), ids=named)
def test_bundled_games(table: Table) -> None:
    play(pair(table), 80)


@pytest.mark.parametrize("table", ends(), ids=named)
def test_every_look_at_every_stop(table: Table) -> None:
    """Views, decisions with their words, accounts: at each of the first stops of a match."""
    both, pick = pair(table).lockstep(99).start(), Choosing(99).below
    for _ in range(12):
        if both.over:
            break
        both.same_looks()
        both.same_account()
        one = (waiting := both.waiting())[pick(len(waiting))]
        both.take(one, one.options[pick(len(one.options))])


@pytest.mark.parametrize("table", sample([*mixed(), *switched()], mixed()), ids=named)
def test_options(table: Table) -> None:
    play(Pair(*seated(table)), 40, first=7, most=2)


@pytest.mark.long
@pytest.mark.parametrize("table", tables(), ids=named)
def test_thousand_games(table: Table) -> None:
    for seed in range(1000):
        played = pair(table).play(seed)
        assert not played.faulted
        played.same_looks()


@pytest.mark.long
@pytest.mark.parametrize("table", switched(), ids=named)
def test_twenty_games_of_every_option(table: Table) -> None:
    game = Pair(*seated(table))
    for seed in range(20):
        assert not game.play(seed).faulted


# ---- other rulesets of the tests


@pytest.mark.parametrize("path", GENERALITY, ids=lambda p: p.name)
def test_generality(path: Path) -> None:
    rules, _ = load(folder(path))
    for seats in range(rules.seats[0], rules.seats[1] + 1):
        play(Pair(rules, compile_rules(rules, seats)), 120, most=3)


@pytest.mark.parametrize("path", FAULTS, ids=lambda p: p.name)
def test_faults(path: Path) -> None:
    """The first thing offered is chosen until the run stops: on both with the same mistake."""
    rules, _ = load(folder(path, path.name))
    both = Pair(rules, compile_rules(rules)).play(most=100, below=lambda n: 0)
    code = path.name.split("-")[0]
    if code == "R211":
        for match in both.matches:
            match.checked = True
        both.start()
    assert both.code == code


@pytest.mark.parametrize("path", FAULTS, ids=lambda p: p.name)
def test_faults_by_chance(path: Path) -> None:
    rules, _ = load(folder(path, path.name))
    game = Pair(rules, compile_rules(rules))
    for seed in range(2):
        game.play(seed, 60)


# ---- drawn matches

few = settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
many = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
DRAWN = [("roma", 2, ()), ("roll_through_the_ages", 3, (("trading", "on"),)), ("backgammon", 2, ())]


def drawn(table: Table, seed: int, choices: list[int]) -> Lockstep:
    both = pair(table).lockstep(seed).start()
    for number in choices:
        if both.over or both.faulted:
            break
        waiting = both.waiting()
        one = waiting[number % len(waiting)]
        both.take(one, one.options[number // len(waiting) % len(one.options)])
    both.same_looks()
    both.same_account()
    return both


SEEDS, CHOICES = st.integers(0, 2**64 - 1), st.lists(st.integers(0, 999), min_size=1, max_size=80)


@pytest.mark.parametrize("table", DRAWN, ids=named)
@given(seed=SEEDS, choices=CHOICES)
@few
def test_drawn_matches(table: Table, seed: int, choices: list[int]) -> None:
    drawn(table, seed, choices)


@pytest.mark.long
@pytest.mark.parametrize("table", tables(), ids=named)
@given(seed=SEEDS, choices=CHOICES)
@many
def test_many_drawn_matches(table: Table, seed: int, choices: list[int]) -> None:
    drawn(table, seed, choices)

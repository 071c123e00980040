"""Modules that play on by themselves come to what the reference executor comes to by the same choices."""

from __future__ import annotations

from functools import cache
from math import sqrt
from pathlib import Path
from statistics import mean, variance

import pytest

from dsl.load import load
from dsl.rules import Rules
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from interpreter.executor_protocol import Option, Waiting
from interpreter.game import Game
from interpreter.match import Match
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT, BuildConfig
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower import option_layouts
from interpreter.wasm.lower.functions import measuring
from interpreter.wasm.lower.option_layouts import layout_of
from rulewright.library import folder
from tests.games import Table, compiled, ends, fewest, named, sample, seated, smaller, switched, tables
from tests.wasm.rollouts import FIRST, Code, Rollouts, Row, left, lower, reference_row, same

CONFIGS = [PLAYOUT, FAST]
TESTS = Path(__file__).parent.parent
OTHERS = sorted(
    p.parent for folder in ("generality", "diagnostics/runtime") for p in (TESTS / folder).glob("*/game.yaml")
)


def rows_of(rules: Rules, machine: ir.Machine, first: int, decisions: int, most: int = 12) -> list[Row]:
    """Playouts by the reference executor, at least one, until they have come to so many decisions."""
    found: list[Row] = []
    while len(found) < most and sum(row.decisions for row in found) < decisions:
        row = reference_row(rules, machine, first + len(found))
        assert row is not None
        found.append(row)
    return found


@cache
def code(table: Table, config: BuildConfig) -> Code:
    return lower(compiled(table), config)


def rollouts(table: Table, config: BuildConfig) -> Rollouts:
    """With a memory of its own; the module is compiled once for all tests."""
    return Rollouts(compiled(table), config, code(table, config))


@cache
def sampled(table: Table) -> list[Row]:
    return rows_of(*seated(table), FIRST, 80)


@pytest.mark.parametrize("table", sample(tables(), fewest()), ids=named)
def test_bundled_games(table: Table) -> None:
    same(rollouts(table, FAST), FIRST, sampled(table))


@pytest.mark.parametrize("table", sample(tables(), fewest()), ids=named)
def test_bundled_games_counted(table: Table) -> None:
    same(rollouts(table, PLAYOUT), FIRST, sampled(table))


@pytest.mark.parametrize("table", sample(ends(), smaller(fewest())), ids=named)
def test_flavours_come_to_the_same(table: Table) -> None:
    """Many more playouts, held against each other instead of against the reference executor."""
    machine = compiled(table)
    found = [rollouts(table, config) for config in CONFIGS]
    rows = [r.rows(5, 200) for r in found]
    assert all(r == rows[0] for r in rows)
    assert all(left(machine, r.state()) == left(machine, found[0].state()) for r in found)


@pytest.mark.long
@pytest.mark.parametrize("config", CONFIGS, ids=lambda f: f.name)
@pytest.mark.parametrize("table", tables(), ids=named)
def test_thousand_playouts(table: Table, config: BuildConfig) -> None:
    rules, machine = seated(table)
    same(Rollouts(machine, config), 10_000, rows_of(rules, machine, 10_000, 1 << 40, 1000))


@pytest.mark.long
@pytest.mark.parametrize("table", switched(), ids=named)
def test_options(table: Table) -> None:
    rules, machine = seated(table)
    rows = rows_of(rules, machine, 77, 3000, 20)
    for config in CONFIGS:
        same(Rollouts(machine, config), 77, rows)


@pytest.mark.parametrize("each", sample(["fewest", "all"], ["fewest"]))
@pytest.mark.parametrize("path", OTHERS, ids=lambda p: p.name)
def test_other_rulesets(path: Path, each: str) -> None:
    """Those of other families, and those that fault: with the same mistake."""
    rules, _ = load(folder(path, path.name))
    for seats in range(rules.seats[0], rules.seats[each == "all"] + 1):
        machine = compile_rules(rules, seats)
        rows = rows_of(rules, machine, FIRST, 60, 1 if "R2" in path.name else 3)
        for config in CONFIGS:
            same(Rollouts(machine, config), FIRST, rows)


PAIRS = ("breakthrough", "nine_mens_morris")
"""Games whose turns are two choices, a piece and where it goes, of which the configuration FLAT makes one."""
MOVES = ("breakthrough",)
"""Those of which the places behind a piece are found for all pieces at once, link by link."""


def has_pairs(machine: ir.Machine) -> bool:
    """Whether the configuration FLAT makes one choice of two parameters of an action."""
    fx = measuring(ModuleBuilder(machine, FLAT))
    parts = [part for number in fx.builder.decisions for part in layout_of(fx, number).parts]
    return any(option_layouts.pair_of(fx, part) is not None for part in parts)


@pytest.mark.parametrize("table", sample(ends(), smaller(fewest())), ids=named)
def test_complete_choices_of_one_parameter(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no two choices are made as one, FLAT plays by the same chances, though not the same matches.

    Games of which it makes two choices one are played so too, without a fault, and compared without that.
    """
    machine = compiled(table)
    if has_pairs(machine):
        assert len(Rollouts(machine, FLAT).rows(9, 200)) == 200
        monkeypatch.setattr(option_layouts, "pair_of", lambda fx, part: None)
    flat, fast = Rollouts(machine, FLAT).rows(9, 200), rollouts(table, FAST).rows(1009, 200)
    for column in (0, 3):
        one, other = ([row[column] for row in rows] for rows in (flat, fast))
        apart = sqrt((variance(one) + variance(other)) / len(one))
        assert abs(mean(one) - mean(other)) <= 5 * apart


def complete(match: Match) -> list[list[tuple[Waiting, Option]]]:
    """Every complete choice at a stop: one option, or an option and what follows from it in the same turn."""
    (one,) = match.waiting()
    found: list[list[tuple[Waiting, Option]]] = []
    for option in one.options:
        after = Match(match.game, keep_history=False)
        after.state = match.state[:]
        after.take(one, option)
        second = after.waiting()[0] if not after.over else None
        node = match.game.machine.nodes[second.node] if second is not None else None
        if second is not None and isinstance(node, ir.Decide) and node.trial:
            found.extend([(one, option), (second, other)] for other in second.options)
        else:
            found.append([(one, option)])
    return found


def length_and_end(choice: list[tuple[Waiting, Option]]) -> tuple[int, int]:
    """By how much the second place of a choice is behind the first, and the second place."""
    (_, (_, first)), (_, (_, second)) = choice
    assert first is not None
    assert second is not None
    return second - first, second


@pytest.mark.parametrize("name", PAIRS)
def test_complete_choices_of_two_parameters(name: str) -> None:
    rules, machine = seated((name, 2, ()))
    flat = Rollouts(machine, FLAT)
    for seed in (3, FIRST):
        match, below = (
            Match(Game(rules, machine), seed=seed, keep_history=False).start(),
            Choosing(seed).below,
        )
        while not match.over:
            choices = complete(match)
            if name in MOVES:
                choices.sort(key=length_and_end)
            for waiting, option in choices[below(len(choices))]:
                match.take(waiting, option)
        assert flat.run(seed, 1) == 1
        assert (
            left(machine, flat.state())[ir.DECISIONS + 1 :] == left(machine, match.state)[ir.DECISIONS + 1 :]
        )

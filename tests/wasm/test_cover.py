"""Machines with cover play as those without, and both executors note the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.load import load
from dsl.rules import Rules
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.match import Match
from interpreter.wasm.program import CoveredProgram, Program
from rulewright.library import bundled, find, folder, scenario_sources
from tests.games import Table, ends, fewest, loaded, named, sample, seated, smaller, switched, tables
from tests.wasm.generated import FLOW, Maker
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.test_lowering import LOWERING, Case
from validators.coverage import perform
from validators.scenarios.reading import read_scenarios
from validators.scenarios.running import ScenarioRunner

GENERALITY = sorted(p.parent for p in (Path(__file__).parent.parent / "generality").glob("*/game.yaml"))


def told(machine: ir.Machine, one: bytes, two: bytes) -> list[str]:
    """Where two executors have noted different things."""
    return [
        f"{point.kind} {point.span.place}: {x} {y}"
        for point, x, y in zip(machine.cover, one, two, strict=True)
        if x != y
    ]


def played(rules: Rules, machine: ir.Machine, seed: int) -> tuple[int, bytes]:
    """The choices of a playout by the reference executor, and what it has executed."""
    match = Match(Game(rules, machine).in_parts, seed=seed, keep_history=False)
    match.start()
    below = Choosing(seed).below
    while not match.over:
        waiting = match.waiting()
        one = waiting[below(len(waiting))]
        match.take(one, one.options[below(len(one.options))])
    match.accounts()
    match.game.executor.check(match.state)
    return match.state[ir.DECISIONS], match.game.executor.covered()


def same_playouts(rules: Rules, plain: ir.Machine, seeds: int = 1, all_seeds: int = 10) -> None:
    machine = compile_rules(rules, plain.seats, _words(rules, plain), cover=True)
    covered, bare = CoveredProgram(machine), Program(plain)
    found = [covered.playout(seed) for seed in range(all_seeds)]
    assert [list(rows.words) for rows, _ in found] == [
        list(bare.rows(1, seed).words) for seed in range(all_seeds)
    ]
    for seed, (rows, outcomes) in enumerate(found[:seeds]):
        decisions, noted = played(rules, machine, seed)
        assert decisions == rows.words[0]
        assert not told(machine, noted, outcomes)
        assert any(noted)


def _words(rules: Rules, machine: ir.Machine) -> dict[str, str | int]:
    options = rules.options
    return {
        name: options[name].text(value) if options[name].values else value
        for name, value in machine.options.items()
    }


@pytest.mark.parametrize("table", sample(ends(), smaller(fewest())), ids=named)
def test_bundled_games(table: Table) -> None:
    same_playouts(*seated(table))


@pytest.mark.long
@pytest.mark.parametrize("table", [*tables(), *switched()], ids=named)
def test_bundled_games_often(table: Table) -> None:
    same_playouts(*seated(table), seeds=20, all_seeds=100)


@pytest.mark.parametrize("path", GENERALITY, ids=lambda p: p.name)
def test_generality(path: Path) -> None:
    rules, _ = load(folder(path, path.name))
    same_playouts(rules, compile_rules(rules, rules.seats[1]))


@pytest.mark.parametrize("every", sample([80, 5], [80]))
@pytest.mark.parametrize("name", bundled())
def test_scenarios(name: str, every: int) -> None:
    """Some of them: they hold as without cover, and execute the same on both executors."""
    rules, _, questions = loaded(name)
    plain = ScenarioRunner(rules, questions)
    runners = [ScenarioRunner(rules, questions, executor=x, cover=True) for x in ("reference", "wasm")]
    scenarios = [s for source in scenario_sources(find(name)) for s in read_scenarios(source, rules)]
    for scenario in scenarios[::every]:
        one, two = (perform(runner, scenario) for runner in runners)
        assert one.result == two.result == plain.run(scenario)
        game = runners[0].game(scenario)
        assert not told(game.machine, one.outcomes, two.outcomes), scenario.name
        assert one.ran


def in_step(rules: Rules, seed: int, most: int) -> None:
    """A playout of some choices in step, and all that both executors note of it."""
    pair = Pair(rules, compile_rules(rules, cover=True))
    both = pair.play(seed, most)
    if not both.faulted:
        assert not told(pair.machine, *(game.executor.covered() for game in pair.games))


@pytest.mark.parametrize("case", LOWERING[::4], ids=lambda c: c.name)
def test_forms(case: Case) -> None:
    in_step(case.ruleset()[0], 1, 20)


@pytest.mark.long
@pytest.mark.parametrize("case", LOWERING, ids=lambda c: c.name)
def test_all_forms(case: Case) -> None:
    for seed in range(10):
        in_step(case.ruleset()[0], seed, 40)


@pytest.mark.parametrize("seed", [2, 5])
def test_random_rulesets(seed: int) -> None:
    yaml, text = Maker(seed).ruleset()
    in_step(small_rules(yaml, text, FLOW), seed, 8)


WHOLE = """
action act
    if any(i in those(j in 0..4 where odd(j)) where i > 0)
        gain 1 points
    if all(below(i) for i in 0..4)
        gain 2 points
    if 1 in those(i in 0..4 where even(i))
        gain 3 points
    if count(i in those(j in 0..4 where late(j)) while i < 1) > 0
        gain 4 points

value odd(n: 0..4)
    n < 3 when n < 4
    otherwise false
value below(n: 0..4)
    false when n < 4
    otherwise false
value even(n: 0..4)
    true when n < 4
    otherwise false
value late(n: 0..4)
    true when n < 4
    otherwise false
"""


def test_collections_are_gone_through_as_far() -> None:
    """The last case of each value is that of the last of five: all is decided before, and it is not noted."""
    rules = small_rules("longest: 60\ncounters: {points: {of: seat, range: 0..1000}}\n", WHOLE)
    pair = Pair(rules, compile_rules(rules, cover=True))
    pair.play(1, 2)
    one, two = (game.executor.covered() for game in pair.games)
    assert not told(pair.machine, one, two)
    cases = [bits for point, bits in zip(pair.machine.cover, one, strict=True) if point.kind == "case"]
    assert cases == [ir.RAN | ir.HELD, 0] * 4

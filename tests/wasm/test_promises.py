"""Promises that a module tests by itself are broken where the reference executor finds them broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dsl.load import Folder, load
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.wasm.build_config import CHECKED
from interpreter.wasm.cache import CacheEntry, Facts
from interpreter.wasm.program import lowered
from rulewright.commands.simulate import FailedPlayout, StandalonePlayer, run_playouts
from tests.games import compiled, rules_of

GAME = """
game: demo
seats: 2
rules: [demo.rules]
types: {number: 1..3}
components: {stone: {count: 12}}
zones:
  heap: {holds: stone, seen_by: all, start: all}
  taken: {holds: stone, of: seat, seen_by: all}
counters:
  moves: {range: 0..40}
  bids: {of: seat, range: 0..3, shared: first come}
flow:
  bid: {do: [bid], then: turn}
  turn: {seat: rotates, do: [{do one of: [take, wait]}], then: {over: final, otherwise: turn}}
  final: {score: highest}
"""
RULES = """
procedure bid
    each seat together
        choose number
        bids of me = number
action take(number where size(heap) >= number)
    move number from heap to taken of me
    moves += 1
action wait
    moves += 1
    if moves > 30
        A wins
value over = heap is empty
score stones = size(taken of me)
always PROMISE
"""
PROMISES = {
    "of a counter": "moves < 9",
    "of a zone": "size(taken of A) < 7",
    "at the end": "heap is not empty",
    "of all together": "sum(bids of seat for seat) < 6",
    "that fails": "12 div size(heap) > 0",
    "that holds": "size(taken of A) + size(taken of B) + size(heap) is 12",
}


def seeds(failed: list[FailedPlayout]) -> list[tuple[int, str, str]]:
    return [(one.seed, one.fault.diagnostic.code, one.fault.diagnostic.message) for one in failed]


def players(game: Game) -> tuple[Game, StandalonePlayer]:
    machine = game.machine
    seats = tuple(game.names.seat(i) for i in range(machine.seats))
    facts = Facts("demo", machine.name, machine.digest, seats)
    return game, StandalonePlayer(CacheEntry(facts, lowered(machine, CHECKED)), 1, lambda: game)


@pytest.mark.parametrize("name", PROMISES)
def test_both_executors_find_the_same(name: str) -> None:
    files = {"game.yaml": GAME, "demo.rules": RULES.replace("PROMISE", PROMISES[name])}
    rules, _ = load(Folder("demo", lambda path: files[path].encode()))
    step_by_step, alone = players(Game(rules, compile_rules(rules, 2)))
    expected, found = (run_playouts(player, 60, 5, checked=True) for player in (step_by_step, alone))
    assert seeds(found[1]) == seeds(expected[1])
    assert bool(found[1]) is (name != "that holds")
    assert found[0].decisions == expected[0].decisions
    assert found[0].scores == expected[0].scores
    assert found[0].asked == expected[0].asked


@pytest.mark.parametrize("name", ["leduc_poker", "roma"])
def test_lost_pieces_are_found(name: str) -> None:
    """With one piece more than there is, the first stop of each match is one at which a piece is lost."""
    rules, machine = rules_of(name), compiled((name, 2, ()))
    component = next(iter(machine.totals))
    more: ir.Machine = replace(machine, totals={**machine.totals, component: machine.totals[component] + 1})
    step_by_step, alone = players(Game(rules, more))
    expected, found = (run_playouts(player, 3, 0, checked=True) for player in (step_by_step, alone))
    assert seeds(found[1]) == seeds(expected[1])
    assert [code for _, code, _ in seeds(found[1])] == ["R212"] * 3
    assert not found[0].decisions

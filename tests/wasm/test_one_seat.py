"""A game for one: what is `of: seat` is one word there, and is reached by an index all the same."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT, BuildConfig
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import FIRST, Rollouts, reference_row, same

YAML = """
game: small
seats: 1
rules: [small.rules]
types: {ware: [wood], place: [here, there]}
counters:
  points: {of: seat, range: -50..50}
  stock: {at: ware, range: 0..50}
  rounds: {range: 0..9}
marks: {busy: {of: seat}}
pointers: {stands: {of: seat, to: place}}
flow:
  turn: {seat: rotates, do: [{do one of: [work, rest]}, reckon], then: {rounds is 9: final, otherwise: turn}}
  final: {score: highest}
"""
RULES = """
action work
    stock at wood += 1
    set busy of me
    stands of me = there
action rest
    stands of me = here
procedure reckon
    rounds += 1
    for ware
        stock at ware += 1
    for seat
        let here_or_there = stands of seat
        if busy of seat and here_or_there is there
            points of seat -= 3
        else
            seat gains 1 points
        clear busy of seat
score points = points of me + stock at wood
"""


@pytest.mark.parametrize("config", [PLAYOUT, FAST], ids=["playout", "fast"])
def test_whole_games_come_to_what_the_reference_comes_to(config: BuildConfig) -> None:
    rules = small_rules(YAML, RULES, flow="", head="")
    machine = compile_rules(rules, 1)
    rows = [row for i in range(6) if (row := reference_row(rules, machine, FIRST + i)) is not None]
    assert {row.totals for row in rows} - {(0,)}
    same(Rollouts(machine, config), FIRST, rows)

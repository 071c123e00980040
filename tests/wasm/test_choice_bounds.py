"""What is chosen from a collection that names a pointer or a local is numbered by its type."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.reference.executor import ReferenceExecutor
from interpreter.wasm.batch import Batch
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.module import module
from tests.wasm.batches import Rows
from tests.wasm.lockstep import Pair, small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
longest: 60
boards: {cell: {grid: [3, 4], directions: way}, port: {part_of: cell, values: [b1, c3, a2]}}
pointers: {last: {to: cell, start: b2}, own: {of: seat, to: seat}, stone: {at: cell, to: seat}}
counters: {num: {at: cell, range: 0..9, at_edge: clamp}}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act]}], then: turn}
  fin: {score: highest}
"""
BODIES = {
    "a parameter": "    choose there from neighbours(cell) + [cell]\n",
    "a pointer": "    choose there from [last]\n    last = cell\n",
    "either": "    choose there from neighbours(last) + [cell] if any\n        last = there\n",
    "a local": "    let walk = cell\n    if step(cell, north) exists\n        walk = step(cell, north)\n"
    "    choose there from [walk, last]\n    last = there\n",
    "several": "    may keep choosing there from [cell, last] where num at there < 5\n"
    "        num at there += 4\n",
    "a seat": "    choose other from [me, next(me)]\n    own of me = other\n",
    "an argument": "    choose port from port where port is not last\n    choose there from [port, cell]\n",
}


@pytest.mark.parametrize("name", BODIES)
def test_values_are_numbered_by_their_type(name: str) -> None:
    rules = small_rules(YAML, f"action act(cell)\n    num at cell += 1\n{BODIES[name]}", FLOW)
    machine = compile_rules(rules)
    choices = [node for node in machine.nodes if isinstance(node, ir.Decide)]
    assert {node.bounds for node in choices} <= {(0, 11), (0, 1)}
    for config in (PLAYOUT, FAST):
        data, _ = module(machine, config, ReferenceExecutor(machine).initial_state())
        assert len(data) < 1 << 18
    Pair(rules, machine).play(3, 20)
    row = reference_row(rules, machine, 3)
    assert row is not None
    same(Rollouts(machine, PLAYOUT), 3, [row])
    game = Game(rules, machine)
    assert Batch(game, 1).masks.shape[1] <= 13
    Rows(game, 3, 1).play(12)

"""Loops that only look for something are conditions in playouts, and come to the same as the loops."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.search_loops import loops_as_conditions
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [4, 4], directions: way}}
pointers: {disc: {at: cell, to: seat}}
counters: {points: {of: seat, range: 0..99, at_edge: clamp}, turns: {range: 0..16}}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act]}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action act(cell where disc at cell is none)
    disc at cell = me
{0}
procedure tick
    turns += 1

value over = turns is 16
value row(cell, way) = count(x in ray(cell, way) while disc at x is me)
score s = points of me
"""
LOOKS = {
    "one test": "    for way\n        if row(cell, way) >= 2\n            me wins\n",
    "the other way round": (
        "    for way\n        if row(cell, way) < 2\n            nothing\n        else\n            me wins\n"
    ),
    "a condition of its own": (
        "    for way where way in [north, east]\n        if row(cell, way) >= 2\n            me wins\n"
    ),
    "lists of places": (
        "    for x in cell where x.row in [1, 2] and x.column is 2\n"
        "        if disc at x is me\n            me wins\n"
    ),
    "names of its own": (
        "    for way\n        let ahead = row(cell, way)\n        let behind = row(cell, opposite(way))\n"
        "        if ahead + behind >= 2\n            me wins\n"
    ),
    "one test after another": (
        "    for way\n        if step(cell, way) exists\n            let n = row(cell, way)\n"
        "            if n > 1\n                me wins\n"
    ),
}
DOES_MORE = {
    "it writes": "    for way\n        if row(cell, way) >= 2\n            gain 1 points\n",
    "what is found is read": (
        "    for way\n        if row(cell, way) >= 2\n            gain row(cell, way) points\n"
        "            me wins\n"
    ),
    "it does something first": (
        "    for way\n        gain 1 points\n        if row(cell, way) >= 2\n            me wins\n"
    ),
}


def loops(machine: ir.Machine) -> int:
    return sum(isinstance(node, ir.Snapshot) for node in machine.nodes)


@pytest.mark.parametrize("what", [*LOOKS, *DOES_MORE])
def test_a_loop_comes_to_the_same(what: str) -> None:
    rules = small_rules(YAML, RULES.format((LOOKS | DOES_MORE)[what]), FLOW)
    machine = compile_rules(rules)
    assert loops(machine) == 1
    assert loops(loops_as_conditions(machine)) == (what in DOES_MORE)
    for seed in range(3):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])

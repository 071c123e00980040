"""Triggers of which a write changes few bindings are calls in playouts, and come to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.trigger_calls import triggers_as_calls
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT
from interpreter.wasm.program import Program
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [3, 3], neighbours: orthogonal, directions: way}}
pointers: {disc: {at: cell, to: seat}}
marks: {lit: {at: cell}, done: {at: cell}}
counters:
  points: {of: seat, range: 0..99, at_edge: clamp}
  placed: {of: seat, range: 0..30}
  turns: {range: 0..16}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act]}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action act(cell)
    if lit at cell
        clear lit at cell
    else
        set lit at cell
    placed of me += 1
    disc at cell = me
{0}
procedure tick
    turns += 1

value over = turns is 16
score s = points of me
"""
CALLED = {
    "there is one binding": "when count(x in cell where lit at x) >= 4\n    gain 1 points\n",
    "a few words around": "when all(lit at x for x in neighbours(cell))\n    gain 1 points\n",
    "its own binding is used": (
        "when lit at cell and any(x in neighbours(cell) where not lit at x)\n"
        "    points of active += 2 if cell.row is 2 else 1\n    set done at cell\n"
    ),
    "a seat acts": "when placed of seat mod 4 is 1\n    gain 2 points\n",
    "two words that depend on each other": (
        "when lit at cell and step(cell, north) exists and disc at step(cell, north) is A\n"
        "    gain 1 points\n"
    ),
    "two triggers": (
        "when all(lit at x for x in neighbours(cell))\n    gain 1 points\n"
        "when lit at cell\n    placed of A = 3\n"
    ),
    "a block with names of its own": (
        "when lit at cell and disc at cell is B\n"
        "    let n = count(x in cell where lit at x)\n    for x in neighbours(cell)\n        set done at x\n"
        "    points of active += n\n"
    ),
}
CHECKED = {
    "each word changes most": (
        "when count(x in cell where x is not cell and lit at x) >= 5\n    gain 1 points\n"
    ),
    "the block goes on": (
        "when lit at cell and any(x in neighbours(cell) where lit at x)\n"
        "    for x in neighbours(cell)\n        clear lit at x\n"
    ),
    "the turn is read": "when lit at cell and active is A\n    gain 1 points\n",
    "one sets off the other": (
        "when lit at cell\n    placed of active += 1\nwhen placed of seat mod 3 is 2\n    gain 1 points\n"
    ),
}


def checks(machine: ir.Machine) -> int:
    return sum(isinstance(node, ir.CheckTrigger) for node in machine.nodes)


@pytest.mark.parametrize("what", [*CALLED, *CHECKED])
def test_a_trigger_comes_to_the_same(what: str) -> None:
    rules = small_rules(YAML, RULES.format((CALLED | CHECKED)[what]), FLOW)
    machine = compile_rules(rules)
    assert checks(machine)
    left = checks(triggers_as_calls(machine))
    assert bool(left) == (what in CHECKED)
    for seed in range(4):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])
    assert Program(machine, FLAT).playouts(20).decisions > 0

"""What is asked of all before a value is a beginning, and comes to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.beginnings import as_beginnings
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [5, 4], directions: way}}
pointers: {disc: {at: cell, to: seat}}
counters: {points: {of: seat, range: 0..999, at_edge: clamp}, turns: {range: 0..18}}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act, stay]}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action act(cell where disc at cell is none)
    disc at cell = me
    if any(way where any(last in cell where {0}))
        gain 3 points
    points of me += count(x in cell where sees(x))

action stay
    gain 1 points

procedure tick
    turns += 1

value before(x: cell, last: cell, way) = those(y in ray(x, way) while y is not last)
value sees(x: cell) = disc at x is none and any(way where any(last in ray(x, way) where {1}))
value over = turns is 18
score s = points of me
"""
THERE = "last in ray(cell, way) and "
CONDITIONS = {
    "two of one's own": (
        "disc at last is me and all(disc at y is opponent for y in before({x}, last, way))"
        " and before({x}, last, way) is not empty"
    ),
    "up to the first": "all(disc at y is none for y in before({x}, last, way)) and disc at last exists",
    "as long as": "disc at last is none and all(disc at y is none for y in before({x}, last, way))",
    "one of two": (
        "disc at last is me and all(disc at y is me or disc at y is none for y in before({x}, last, way))"
    ),
}
OTHERS = {
    "from the other end": "all(disc at y is none for y in before(last, {x}, way)) and disc at last is me",
    "what the value says": "all(disc at y is none or y.row is last.row for y in before({x}, last, way))",
}


def until(machine: ir.Machine) -> int:
    """Beginnings that end where something is asked of a place, not before a known one."""
    return sum(
        isinstance(part, ir.Prefix) and any(isinstance(x, ir.Load) for x in walk(part.where))
        for node in machine.nodes
        for part in walk(node)
    )


@pytest.mark.parametrize("what", [*CONDITIONS, *OTHERS])
def test_beginnings_come_to_the_same(what: str) -> None:
    asked = (CONDITIONS | OTHERS)[what]
    first, second = THERE + asked.replace("{x}", "cell"), asked.replace("{x}", "x")
    rules = small_rules(YAML, RULES.replace("{0}", first).replace("{1}", second), FLOW)
    machine = compile_rules(rules)
    assert (until(as_beginnings(machine)) > until(machine)) == (what in CONDITIONS)
    for seed in range(4):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])

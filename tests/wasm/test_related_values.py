"""What tables relate to another value is gone through by links, and comes to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.related_values import related_as_links
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [3, 3], directions: way}}
types: {line: {table: t.csv, columns: {first: cell, second: cell}}}
pointers: {stone: {at: cell, to: seat}}
counters: {points: {of: seat, range: 0..99, at_edge: clamp}, turns: {range: 0..12}}
"""
CSV = "line,first,second\none,a1,b2\ntwo,a2,c3\nthree,b1,c1\nfour,a3,b3\nfive,c2,b2\nsix,a1,c3\n"
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act]}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action act(cell)
    stone at cell = me
    {0}

procedure tick
    turns += 1

value over = turns is 12
score s = points of me
"""
LINKED = {
    "any": "if any(line where line.first is cell and stone at line.second is me)\n        gain 1 points",
    "count": "points of me += count(line where line.second is cell and stone at line.first exists)",
    "one side or the other": (
        "points of me += count(line where cell in [line.first, line.second] and stone at line.first is me)"
    ),
    "behind another part": (
        "points of me += sum(x.row for x in cell where stone at x is me and x.column is cell.column)"
    ),
}
AS_BEFORE = {
    "most are related": "points of me += count(x in cell where x.row + cell.row > 2 and stone at x is me)",
    "a number that is not known": (
        "points of me += count(x in cell where x.row is points of me mod 3 and stone at x is me)"
    ),
}


def links(machine: ir.Machine) -> int:
    return sum(isinstance(part, ir.Linked) for node in machine.nodes for part in walk(node))


@pytest.mark.parametrize("what", [*LINKED, *AS_BEFORE])
def test_related_values_come_to_the_same(what: str) -> None:
    rules = small_rules(YAML, RULES.replace("{0}", (LINKED | AS_BEFORE)[what]), FLOW, **{"t.csv": CSV})
    machine = compile_rules(rules)
    assert (links(related_as_links(machine)) > links(machine)) == (what in LINKED)
    for seed in range(4):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])

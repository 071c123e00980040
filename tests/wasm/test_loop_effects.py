"""Needs behind loops that count effects, and loops that write sets: they come to the same in playouts."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.early_needs import needs_before_loops
from interpreter.ir.set_writes import loops_as_writes
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [4, 4], directions: way}}
pointers: {disc: {at: cell, to: seat}, last: {to: cell}}
marks: {seen: {at: cell}, ready: {of: seat, at: cell}}
counters: {points: {of: seat, range: 0..99, at_edge: clamp}, turns: {range: 0..40}}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [act], otherwise: []}, tick], then: {over: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action act(cell)
{0}
procedure tick
    turns += 1
    if turns mod 7 is 3
        clear all seen
        for x in cell where disc at x is me and x.row < 3
            clear disc at x

value over = turns is 40
value beside(cell, seat) = count(x in neighbours(cell) where disc at x is seat)
score s = points of me + count(x in cell where disc at x is me)
"""
FIRST = "    needs disc at cell is none\n    let turned = 0\n"
COUNTED = {
    "a counter": (
        "    for x in neighbours(cell) where disc at x is not me\n        disc at x = me\n        turned += 1\n"
        "    needs turned > 0\n    disc at cell = me\n"
    ),
    "a test in the loop": (
        "    for x in neighbours(cell)\n        if disc at x is none or beside(x, me) > 1\n"
        "            disc at x = me\n            turned += 1\n    needs turned is not 0\n    disc at cell = me\n"
    ),
    "a loop in a loop": (
        "    for way\n        let row = those(x in ray(cell, way) while disc at x is not me)\n"
        "        if size(row) > 1\n            for x in row\n                disc at x = me\n"
        "                turned += 2\n    needs turned >= 1\n    disc at cell = me\n"
    ),
}
NOT_COUNTED = {
    "an effect that is not counted": (
        "    for x in neighbours(cell) where disc at x is not me\n        disc at x = me\n"
        "        if x.row > 2\n            turned += 1\n    needs turned > 0\n    disc at cell = me\n"
    ),
    "more than one effect": (
        "    for x in neighbours(cell) where disc at x is not me\n        disc at x = me\n        turned += 1\n"
        "    needs turned > 1\n    disc at cell = me\n"
    ),
    "a need that asks for more": (
        "    for x in neighbours(cell) where disc at x is not me\n        disc at x = me\n        turned += 1\n"
        "    needs turned > 0\n    needs beside(cell, me) < 3\n    disc at cell = me\n"
    ),
}
WRITES = {
    "all places": "    clear all seen\n    for x in cell\n        set seen at x\n    disc at cell = me\n",
    "some places": "    for x in cell where x.row is cell.row\n        disc at x = opponent\n    disc at cell = me\n",
    "a collection": (
        "    let row = those(x in ray(cell, north) while disc at x is none)\n    disc at cell = me\n"
        "    for x in row\n        disc at x = me\n"
    ),
    "a test of its own place": (
        "    for x in cell\n        if disc at x is opponent and x.row is cell.row\n            clear disc at x\n"
        "    disc at cell = me\n"
    ),
    "a row of a seat": (
        "    disc at cell = me\n    for x in cell where disc at x is me\n        set ready of me at x\n"
        "    if count(x in cell where ready of me at x) > 5\n        gain 1 points\n"
        "        for x in cell where x.row is 1\n            clear ready of me at x\n"
    ),
}
ONE_AFTER_ANOTHER = {
    "other places are read": (
        "    disc at cell = me\n    for x in cell\n        if beside(x, me) > 1\n            disc at x = me\n"
    ),
    "the value is the place": "    disc at cell = me\n    for x in cell where disc at x is me\n        last = x\n",
}


def plays_the_same(text: str) -> ir.Machine:
    rules = small_rules(YAML, RULES.format(text), FLOW)
    machine = compile_rules(rules)
    for seed in range(4):
        row = reference_row(rules, machine, seed, 200)
        assert row is not None
        for config in (PLAYOUT, FAST):
            same(Rollouts(machine, config), seed, [row])
    return machine


@pytest.mark.parametrize("what", [*COUNTED, *NOT_COUNTED])
def test_a_need_behind_a_loop(what: str) -> None:
    machine = plays_the_same(FIRST + (COUNTED | NOT_COUNTED)[what])
    before, after = (
        sum(isinstance(node, ir.Precondition) for node in mc.nodes)
        for mc in (machine, needs_before_loops(machine))
    )
    assert (after > before) == (what in COUNTED)


@pytest.mark.parametrize("what", [*WRITES, *ONE_AFTER_ANOTHER])
def test_a_loop_that_writes(what: str) -> None:
    machine = plays_the_same("    needs disc at cell is none\n" + (WRITES | ONE_AFTER_ANOTHER)[what])
    others = plays_the_same("    needs disc at cell is none\n    disc at cell = me\n")
    assert (written(machine) > written(others)) == (what in WRITES)


def written(machine: ir.Machine) -> int:
    found = loops_as_writes(machine, {"disc", "seen", "ready"})
    return sum(isinstance(node, ir.SetWords) for node in found.nodes)

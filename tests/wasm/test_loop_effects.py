"""Needs behind loops that count effects, and loops that write sets: they come to the same in playouts."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.early_needs import needs_before_loops
from interpreter.ir.set_writes import loops_as_writes
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import TURNS_AND_TICKS, small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same

YAML = """
boards: {cell: {grid: [4, 4], directions: way}}
pointers: {disc: {at: cell, to: seat}, last: {to: cell}}
marks: {seen: {at: cell}, ready: {of: seat, at: cell}}
counters: {points: {of: seat, range: 0..99, at_edge: clamp}, turns: {range: 0..40}}
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
    "a counter": """
    for x in neighbours(cell) where disc at x is not me
        disc at x = me
        turned += 1
    needs turned > 0
    disc at cell = me
""",
    "a test in the loop": """
    for x in neighbours(cell)
        if disc at x is none or beside(x, me) > 1
            disc at x = me
            turned += 1
    needs turned is not 0
    disc at cell = me
""",
    "a loop in a loop": """
    for way
        let row = those(x in ray(cell, way) while disc at x is not me)
        if size(row) > 1
            for x in row
                disc at x = me
                turned += 2
    needs turned >= 1
    disc at cell = me
""",
}
NOT_COUNTED = {
    "an effect that is not counted": """
    for x in neighbours(cell) where disc at x is not me
        disc at x = me
        if x.row > 2
            turned += 1
    needs turned > 0
    disc at cell = me
""",
    "more than one effect": """
    for x in neighbours(cell) where disc at x is not me
        disc at x = me
        turned += 1
    needs turned > 1
    disc at cell = me
""",
    "a need that asks for more": """
    for x in neighbours(cell) where disc at x is not me
        disc at x = me
        turned += 1
    needs turned > 0
    needs beside(cell, me) < 3
    disc at cell = me
""",
}
WRITES = {
    "all places": """
    clear all seen
    for x in cell
        set seen at x
    disc at cell = me
""",
    "some places": """
    for x in cell where x.row is cell.row
        disc at x = opponent
    disc at cell = me
""",
    "a collection": """
    let row = those(x in ray(cell, north) while disc at x is none)
    disc at cell = me
    for x in row
        disc at x = me
""",
    "a test of its own place": """
    for x in cell
        if disc at x is opponent and x.row is cell.row
            clear disc at x
    disc at cell = me
""",
    "a row of a seat": """
    disc at cell = me
    for x in cell where disc at x is me
        set ready of me at x
    if count(x in cell where ready of me at x) > 5
        gain 1 points
        for x in cell where x.row is 1
            clear ready of me at x
""",
}
ONE_AFTER_ANOTHER = {
    "other places are read": """
    disc at cell = me
    for x in cell
        if beside(x, me) > 1
            disc at x = me
""",
    "the value is the place": """
    disc at cell = me
    for x in cell where disc at x is me
        last = x
""",
}


def plays_the_same(text: str) -> ir.Machine:
    rules = small_rules(YAML, RULES.format(text), TURNS_AND_TICKS)
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

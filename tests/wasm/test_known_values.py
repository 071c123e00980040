"""Conditions that use what those before them say, and are asked in another order, come to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.known_values import with_known_values
from interpreter.ir.visit import walk
from tests.wasm.lockstep import TURNS_AND_TICKS, small_rules
from tests.wasm.rollouts import plays_the_same

YAML = """
boards: {cell: {grid: [7, 7], directions: way}}
pointers: {disc: {at: cell, to: seat}, owner: {at: cell, to: seat}}
marks: {wet: {at: cell}}
counters: {turns: {range: 0..60}, points: {of: seat, range: 0..999, at_edge: clamp}}
"""
RULES = """
action act(cell where disc at cell is none)
    disc at cell = me
    if turns mod 3 is 0
        owner at cell = opponent
        set wet at cell
    {0}
        gain 1 points

procedure tick
    turns += 1
    if turns mod 7 is 0
        for x in cell where x.column is turns mod 5 + 1
            clear disc at x
            clear wet at x

value alike(cell) = spread([cell], those(x in cell where disc at x exists and disc at x is disc at cell))
value own(cell) = spread([cell], those(x in cell where disc at cell exists and disc at cell is disc at x))
value breaths(cell)
    let group = alike(cell)
    count(x in cell where disc at x is none and any(y in neighbours(x) where y in group))
value wide(cell)
    let group = alike(cell)
    size(group) > 2 and any(x in cell where any(y in neighbours(x) where y in group))
value over = turns is 50
score s = points of me
"""
CASES = {
    "a word that has a value": "if any(x in cell where disc at x is me and size(alike(x)) > 2)",
    "for each neighbour": "if any(x in neighbours(cell) where disc at x is opponent and size(alike(x)) is 2)",
    "one that is none": "if any(x in cell where disc at x is none and size(own(x)) > 3)",
    "one that another is compared with": "if any(x in cell where disc at x is me and (owner at x exists "
    "and owner at x is disc at x))",
    "one of several": "if any(x in cell where (disc at x is me or wet at x) and size(own(x)) > 3)",
    "not one": "if any(x in cell where not disc at x is me and size(own(x)) > 3)",
    "behind a choice": "if any(x in cell where (size(alike(x)) > 2 if disc at x is me else wet at x))",
    "a number that is counted for some": "points of me += count(x in cell where disc at x is opponent and "
    "size(alike(x)) > 1)\n    if wet at cell",
    "a sum": "points of me += sum(size(alike(x)) for x in cell where disc at x is me)\n    if wet at cell",
    "none around a set": "if any(x in neighbours(cell) where disc at x is opponent and breaths(x) is 0)",
    "any around a set": "if breaths(cell) > 0 and any(x in neighbours(cell) where disc at x is me)",
    "at least one around a set": "if breaths(cell) >= 1",
    "two around a set": "if breaths(cell) >= 2",
    "around a set that is read twice": "if wide(cell)",
    "quick behind slow": "if any(x in cell where size(own(x)) > 3) and turns > 9 and wet at cell",
    "quick where slow faults": "if any(x in cell where 7 div (x.row - 7) is 1) and turns > 9",
    "slow that might fault": "if any(x in cell where 7 div (turns - 12) is 1) and turns > 29",
}


@pytest.mark.parametrize("case", CASES)
def test_conditions(case: str) -> None:
    rules = small_rules(YAML, RULES.format(CASES[case]), TURNS_AND_TICKS)
    plays_the_same(rules, compile_rules(rules))


def spreads(case: str) -> list[ir.Spread]:
    machine = compile_rules(small_rules(YAML, RULES.format(CASES[case]), TURNS_AND_TICKS))
    return [
        part
        for node in with_known_values(machine).nodes
        for part in walk(node)
        if isinstance(part, ir.Spread)
    ]


def test_a_group_is_that_of_a_seat() -> None:
    for case in ("a word that has a value", "for each neighbour"):
        for found in spreads(case):
            assert isinstance(found.through, ir.Filtered)
            assert isinstance(found.through.where, ir.Op)
            assert found.through.where.op == "=="
            assert not isinstance(found.through.where.right, ir.Load)


def test_a_set_that_is_searched_once_is_not_kept() -> None:
    case = CASES["none around a set"]
    machine = compile_rules(small_rules(YAML, RULES.format(case), TURNS_AND_TICKS))
    found = with_known_values(machine)
    assert any(isinstance(part, ir.Mask) for node in machine.nodes for part in walk(node))
    assert not any(isinstance(part, ir.Mask | ir.Bits) for node in found.nodes for part in walk(node))

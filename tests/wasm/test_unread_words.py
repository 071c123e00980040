"""Pointers and marks of which only sets are read have no words in playouts; what happens is the same."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST
from tests.wasm.lockstep import TURNS_AND_TICKS, small_rules
from tests.wasm.rollouts import lower, plays_the_same

YAML = """
boards: {{cell: {{grid: [{0}, 5], directions: way}}}}
pointers: {{disc: {{at: cell, to: seat}}, owner: {{at: cell, to: seat}}}}
marks: {{wet: {{at: cell{1}}}, own: {{of: seat, at: cell}}}}
counters: {{turns: {{range: 0..60}}, points: {{of: seat, range: 0..999, at_edge: clamp}}}}
"""
RULES = """
action act(cell)
    needs disc at cell is none
    disc at cell = me
    {0}
    for x in cell where disc at x is me and any(y in neighbours(x) where disc at y is none)
        set wet at x
    for x in cell where wet at x
        set own of me at x
    for x in cell where wet at x
        owner at x = me
    points of me += count(x in cell where wet at x and own of opponent at x)
    needs count(x in cell where owner at x is me and wet at x) < 9

procedure tick
    turns += 1
    if turns mod 7 is 0
        clear all owner
        for x in cell where x.column is turns mod 5 + 1
            clear disc at x
        for x in cell where disc at x is none
            clear own of me at x

value over = turns is 50
score s = points of me
"""
CASES = {
    "sets only": ("clear all wet", {"wet", "own", "owner"}),
    "a mark of one place": (
        "clear all wet\n    if wet at cell or own of opponent at cell\n        gain 1 points",
        {"wet", "own", "owner"},
    ),
    "a mark that is changed at one place": (
        "clear all wet\n    set wet at cell\n    clear own of opponent at cell",
        {"wet", "own", "owner"},
    ),
    "a pointer of one place": (
        "clear all wet\n    if owner at cell is opponent\n        gain 1 points",
        {"wet", "own"},
    ),
}


@pytest.mark.parametrize("rows", [5, 14])
@pytest.mark.parametrize("case", CASES)
def test_words_that_nothing_reads_are_not_there(case: str, rows: int) -> None:
    text, missing = CASES[case]
    rules = small_rules(YAML.format(rows, ""), RULES.format(text), TURNS_AND_TICKS)
    machine = compile_rules(rules)
    _, places = lower(machine, FAST)
    assert {name for name in missing if f"sets of {name}" in places} == missing
    assert not ({"wet", "own", "owner", "disc"} - missing) & {
        name.removeprefix("sets of ") for name in places
    }
    plays_the_same(rules, machine)


def test_working_memory_is_given_up_as_a_set() -> None:
    rules = small_rules(YAML.format(5, ", lasts: moment"), RULES.format("clear all own"), TURNS_AND_TICKS)
    machine = compile_rules(rules)
    assert "sets of wet" in lower(machine, FAST)[1]
    plays_the_same(rules, machine)


def test_words_that_are_recorded_are_there() -> None:
    yaml = YAML.format(5, "") + "histories: {seen: {of: [owner, wet], most: 60}}\n"
    rules = small_rules(yaml, RULES.format("clear all wet\n    needs times(seen) < 3") + "", TURNS_AND_TICKS)
    machine = compile_rules(rules)
    assert not {"sets of wet", "sets of owner"} & lower(machine, FAST)[1].keys()

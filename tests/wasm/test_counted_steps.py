"""Numbers by cases that ask places one after another are counts of them, and come to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.counted_steps import steps_as_counts
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same
from tests.wasm.test_beginnings import FLOW, YAML

RULES = """
action act(cell where disc at cell is none)
    disc at cell = me
    for way
        if run(cell, way) + run(cell, opposite(way)) >= 4
            gain 3 points
    gain run(cell, north) points

action stay
    gain 1 points

procedure tick
    turns += 1

value own(cell, way, n: 1..3)
    let x = step(cell, way, n)
    x exists and disc at x is me
value run(cell, way)
"""
END = """
value over = turns is 18
score s = points of me
"""
COUNTS = {
    "the longest first": """
    4 when own(cell, way, 1) and own(cell, way, 2) and own(cell, way, 3)
    3 when own(cell, way, 1) and own(cell, way, 2)
    2 when own(cell, way, 1)
    otherwise 1
""",
    "the shortest first": """
    0 when not own(cell, way, 1)
    1 when not own(cell, way, 2)
    2 when not own(cell, way, 3)
    otherwise 3
""",
    "both": """
    3 when own(cell, way, 1) and own(cell, way, 2)
    1 when not own(cell, way, 1)
    otherwise 2
""",
    "in another order": """
    3 when own(cell, way, 2) and own(cell, way, 1)
    2 when own(cell, way, 2)
    otherwise 1
""",
}
OTHERS = {
    "two at once": """
    3 when own(cell, way, 1) and own(cell, way, 2)
    otherwise 1
""",
    "another way": """
    3 when own(cell, way, 1) and own(cell, opposite(way), 1)
    2 when own(cell, way, 1)
    otherwise 1
""",
    "another number": """
    4 when own(cell, way, 1) and own(cell, way, 2)
    2 when own(cell, way, 1)
    otherwise 1
""",
}


def sizes(machine: ir.Machine) -> int:
    return sum(isinstance(x, ir.Size) for node in machine.nodes for x in walk(node))


@pytest.mark.parametrize("what", [*COUNTS, *OTHERS])
def test_cases_come_to_the_same(what: str) -> None:
    rules = small_rules(YAML, RULES + (COUNTS | OTHERS)[what].lstrip("\n") + END, FLOW)
    machine = compile_rules(rules)
    assert (sizes(steps_as_counts(machine)) > sizes(machine)) == (what in COUNTS)
    modules = [Rollouts(machine, config) for config in (PLAYOUT, FAST)]
    for seed in range(3):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for module in modules:
            same(module, seed, [row])

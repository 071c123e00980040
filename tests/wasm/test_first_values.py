"""What is asked of a value and the first of a collection is a beginning, and comes to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.first_values import firsts_as_beginnings
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same
from tests.wasm.test_beginnings import FLOW, YAML

RULES = """
action act(cell where disc at cell is none and any(x in cell where x.row is 2 and seen(cell, x)))
    disc at cell = me
    gain count(x in cell where seen(cell, x)) points

action stay
    gain 1 points

procedure tick
    turns += 1

value distance(x: cell, y: cell) = max(x.row - y.row, y.row - x.row, x.column - y.column, y.column - x.column)
value between(here: cell, there: cell, way) = those(y in ray(here, way) while y is not there)
value sees(here: cell, way, x: cell)
    let stop = first(y in ray(here, way) where disc at y exists)
    {asked}
value seen(here: cell, x: cell) = any(way where sees(here, way, x))
value over = turns is 18
score s = points of me
"""
SEEN = "x in ray(here, way) and "
CONDITIONS = {
    "before it": SEEN + "(stop is none or distance(here, x) < distance(here, stop))",
    "up to it": SEEN + "x is not here and (stop is none or distance(here, x) <= distance(here, stop))",
    "itself": SEEN + "stop exists and stop is x",
    "all but that": SEEN + "(stop is none or stop is not x)",
    "not before it": SEEN + "stop exists and not x in between(here, stop, way)",
    "behind it": SEEN + "stop exists and distance(here, stop) < distance(here, x)",
    "by cases": SEEN + "(true if stop is none else x in between(here, stop, way))",
}
OTHERS = {
    "asked before": "(stop is none or distance(here, x) < distance(here, stop)) and x in ray(here, way)",
    "another measure": SEEN + "(stop is none or x.row < stop.row)",
    "what lies there": SEEN
    + "stop exists and disc at stop is me and distance(here, x) < distance(here, stop)",
    "anywhere": "stop is none or distance(here, x) < distance(here, stop)",
}


def firsts(machine: ir.Machine) -> int:
    """How many first values are looked for."""
    return sum(isinstance(x, ir.Best) for node in machine.nodes for x in walk(node))


@pytest.mark.parametrize("what", [*CONDITIONS, *OTHERS])
def test_what_is_asked_of_first_values_comes_to_the_same(what: str) -> None:
    rules = small_rules(YAML, RULES.replace("{asked}", (CONDITIONS | OTHERS)[what]), FLOW)
    machine = compile_rules(rules)
    assert firsts(machine)
    assert (firsts(firsts_as_beginnings(machine)) == 0) == (what in CONDITIONS)
    modules = [Rollouts(machine, config) for config in (PLAYOUT, FAST)]
    for seed in range(2):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for module in modules:
            same(module, seed, [row])

"""Collections that are joined and differ in one number are asked number by number, and come to the same."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.joined_rays import joined_as_searches
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same
from tests.wasm.test_beginnings import FLOW, YAML

RULES = """
action act(cell where disc at cell is none, other from {around})
    disc at cell = me
    if other in {around}
        disc at other = me
    gain count(x in cell where {asked}) points

action stay
    gain 1 points

procedure tick
    turns += 1

value path(here: cell, way) = those(x in ray(here, way) while free(x))
value some(here: cell) = path(here, north) + path(here, east) + path(here, south)
value rows(here: cell) = ray(here, west) + those(x in ray(here, east) where free(x)) + ray(here, south)
value free(cell) = disc at cell is none
value over = turns is 18
score s = points of me
"""
SEARCHES = {
    "there is something": "some(x) is not empty",
    "there is nothing": "size(some(x)) is 0",
    "it lies there": "cell in some(x)",
    "it does not": "x is not cell and not x in some(cell)",
}
OTHERS = {"how many there are": "size(some(x)) > 2", "what differs": "cell in rows(x)"}


def joined(machine: ir.Machine) -> int:
    return sum(isinstance(x, ir.Joined) for node in machine.nodes for x in walk(node))


@pytest.mark.parametrize("what", [*SEARCHES, *OTHERS])
def test_joined_collections_come_to_the_same(what: str) -> None:
    around = "rows(cell)" if what == "what differs" else "some(cell)"
    asked = (SEARCHES | OTHERS)[what]
    rules = small_rules(YAML, RULES.replace("{around}", around).replace("{asked}", asked), FLOW)
    machine = compile_rules(rules)
    assert joined(machine)
    assert (joined(joined_as_searches(machine)) == 0) == (what in SEARCHES)
    modules = [Rollouts(machine, config) for config in (PLAYOUT, FAST)]
    for seed in range(2):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for module in modules:
            same(module, seed, [row])

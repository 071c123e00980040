"""What no set answers is asked of the values of a set one by one, until one of them settles it."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.lower import folds
from tests.wasm.lockstep import UNTIL_FULL, small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_rows, same

YAML = """
boards: {cell: {grid: [5, 5], directions: way, neighbours: all}}
pointers: {stone: {at: cell, to: seat}}
counters: {points: {of: seat, range: 0..1000}}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    let men = those(x in cell where stone at x is me)
    if CONDITION
        gain 1 points
value group(cell, seat) = spread([cell], those(x in cell where stone at x is seat))
value full = count(cell where stone at cell exists) > 14
score gained = points of me
"""
ASKED = (
    "all(size(spread([x], men)) is size(men) for x in men)",
    "any(x in men where size(spread([x], men)) > 3)",
    "any(x in cell where stone at x is opponent and size(group(x, opponent)) is 2)",
    "not any(x in cell where x.row > 2 and stone at x exists and size(group(x, me)) mod 3 is 1)",
)


@pytest.mark.parametrize("condition", ASKED)
def test_values_are_asked_until_one_settles_it(condition: str) -> None:
    rules = small_rules(YAML, RULES.replace("CONDITION", condition), UNTIL_FULL)
    machine = compile_rules(rules)
    rows = reference_rows(rules, machine, range(4))
    for config in (PLAYOUT, FAST):
        with patch.object(folds, "_push_any_asked", wraps=folds._push_any_asked) as asked:
            code = lower(machine, config)
        assert asked.call_count
        same(Rollouts(machine, config, code), 0, rows)

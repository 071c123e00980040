"""The first of a list and what follows it: as the end of a set it is the one that comes first."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import FAST, PLAYOUT
from interpreter.wasm.lower import best_values
from tests.wasm.lockstep import UNTIL_FULL, small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_rows, same

YAML = """
boards: {{cell: {{grid: [{0}, {0}], directions: way, neighbours: all}}}}
pointers: {{stone: {{at: cell, to: seat}}, last: {{to: cell, start: c3}}}}
counters: {{points: {{of: seat, range: 0..1000}}}}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    let found = {found}
    if found exists
        gain found.row + 3 * found.column points
    last = cell
value full = count(cell where stone at cell exists) > 16
score gained = points of me
"""


def ends(size: int, source: str, asked: str) -> int:
    """The same of the first of a collection."""
    return ends_of(size, f"first(x in {source} where stone at x is {asked})")


def ends_of(size: int, found: str) -> int:
    """How many sets are looked at for their ends, where playouts are those of the reference executor."""
    rules = small_rules(YAML.format(size), RULES.format(found=found), UNTIL_FULL)
    machine = compile_rules(rules)
    rows = reference_rows(rules, machine, range(3))
    for config in (PLAYOUT, FAST):
        with patch.object(best_values, "_push_end", wraps=best_values._push_end) as push:
            code = lower(machine, config)
        same(Rollouts(machine, config, code), 0, rows)
    return push.call_count


@pytest.mark.parametrize("size", [5, 9])
@pytest.mark.parametrize("asked", ["me", "opponent", "none"])
@pytest.mark.parametrize(
    "source",
    [
        "[cell] + ray(cell, north)",
        "[last] + ray(last, west)",
        "[a1, cell] + ray(cell, east)",
        "[cell, cell] + ray(cell, southwest)",
    ],
)
def test_what_goes_one_way(size: int, asked: str, source: str) -> None:
    assert ends(size, source, asked)


@pytest.mark.parametrize(
    "source",
    [
        "ray(cell, north) + [cell]",
        "[last] + ray(cell, north)",
        "ray(cell, south) + ray(cell, north)",
        "[e5, cell] + ray(cell, east)",
        "neighbours(cell) + [cell]",
    ],
)
def test_what_goes_there_and_back(source: str) -> None:
    assert not ends(5, source, "me")


STONES = "(x in cell where stone at x is me by {})"


@pytest.mark.parametrize("size", [5, 9])
@pytest.mark.parametrize(
    "found",
    [
        "lowest" + STONES.format("x.row, x.column"),
        "lowest" + STONES.format("x.row"),
        "lowest" + STONES.format("-x.row, -x.column"),
        "highest" + STONES.format("x.row, x.column"),
        "highest" + STONES.format("-x.row, -x.column"),
    ],
)
def test_the_best_is_an_end_where_keys_go_one_way(size: int, found: str) -> None:
    assert ends_of(size, found)


@pytest.mark.parametrize(
    "found",
    [
        "lowest" + STONES.format("x.column, x.row"),
        "lowest" + STONES.format("-x.row"),
        "highest" + STONES.format("x.row"),
        "lowest" + STONES.format("x.row, points of me"),
    ],
)
def test_the_best_is_looked_for_where_keys_go_back(found: str) -> None:
    assert not ends_of(5, found)

"""Counts of the same that are added up are one count of what they go through, joined."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.joined_counts import counts_together
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT
from interpreter.wasm.lower import folds
from tests.wasm.lockstep import UNTIL_FULL, small_rules
from tests.wasm.rollouts import Rollouts, reference_rows, same

YAML = """
boards: {cell: {grid: [5, 5], directions: way, neighbours: all}}
pointers: {stone: {at: cell, to: seat}, last: {to: cell, start: c3}}
counters: {points: {of: seat, range: 0..10000}}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    for way
        gain COUNTS points
        if step(cell, way) exists
            last = cell
value named(cell, way)
    let before = count(x in ray(cell, way) where stone at x exists)
    let behind = count(x in ray(cell, opposite(way)) where stone at x exists)
    2 + before + behind
value beyond(cell, way) = count(x in ray(cell, way) where stone at x exists)
value full = count(cell where stone at cell exists) > 16
score gained = points of me
"""


def counts(machine: ir.Machine) -> int:
    return sum(isinstance(x, ir.Fold) and x.kind == "count" for node in machine.nodes for x in walk(node))


def ray(way: str, where: str = "stone at x is me", name: str = "x") -> str:
    return f"count({name} in ray(cell, {way}) where {where})"


ONE = {
    "two rays": f"{ray('north')} + {ray('south')}",
    "a number before": f"1 + {ray('way')} + {ray('opposite(way)')}",
    "a number behind": f"{ray('way')} + 2 + {ray('next(way)')}",
    "other names": f"{ray('east')} + {ray('west', 'stone at y is me', 'y')}",
    "twice the same": f"{ray('way')} + {ray('way')}",
    "overlapping": f"{ray('way')} + count(x in neighbours(cell) where stone at x is me)",
    "a list": f"{ray('way')} + count(x in [cell, last, a1] where stone at x is me)",
    "calls": "1 + beyond(cell, way) + beyond(cell, opposite(way))",
    "names": "named(cell, way)",
    "three": f"{ray('north')} + {ray('south')} + {ray('east')}",
}
SEVERAL = {
    "other conditions": f"{ray('north')} + {ray('south', 'stone at x is opponent')}",
    "a product between": f"{ray('north')} + 2 * {ray('south')}",
}


def agree(counted: str) -> tuple[int, int]:
    """The counts before and after, where playouts are those of the reference executor."""
    rules = small_rules(YAML, RULES.replace("COUNTS", counted), UNTIL_FULL)
    machine = compile_rules(rules)
    rows = reference_rows(rules, machine, range(3))
    for config in (PLAYOUT, FAST, FLAT):
        same(Rollouts(machine, config), 0, rows)
    return counts(machine), counts(counts_together(machine))


@pytest.mark.parametrize("name", ONE)
def test_counts_of_the_same(name: str) -> None:
    before, after = agree(ONE[name])
    assert after == before - (2 if name == "three" else 1)


@pytest.mark.parametrize("name", SEVERAL)
def test_other_counts(name: str) -> None:
    before, after = agree(SEVERAL[name])
    assert after == before


@pytest.mark.parametrize("name", ["two rays", "twice the same"])
def test_a_row_of_a_table_only_where_nothing_stands_twice(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, row_of_parts = [], folds._row_of_parts

    def noted(*arguments):  # type: ignore[no-untyped-def]
        rows.append(row_of_parts(*arguments))
        return rows[-1]

    monkeypatch.setattr(folds, "_row_of_parts", noted)
    agree(ONE[name])
    assert rows
    assert all((row is not None) == (name == "two rays") for row in rows)

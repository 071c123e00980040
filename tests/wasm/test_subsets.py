"""Rows of known places, and places that are looked up: found as sets, they are those found one by one."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.ir.expressions import Const, Local, Op, Pick, Reg
from interpreter.ir.picked_values import over_picked
from interpreter.wasm.build_config import FAST, FLAT, PLAYOUT
from interpreter.wasm.lower import bitset_subsets
from interpreter.wasm.lower.bitset_subsets import Subsets
from interpreter.wasm.lower.context import FunctionContext
from tests.wasm.lockstep import UNTIL_FULL, small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_row, same

YAML = """
boards: {{cell: {{grid: {0}}}}}
types:
  row:
    columns: {{first: cell, second: cell, third: cell}}
    rows:
      r1: {{first: a1, second: b1, third: c1}}
      r2: {{first: a1, second: a2, third: a3}}
      r3: {{first: c1, second: b2, third: a3}}
      r4: {{first: c3, second: b3, third: c3}}
      r5: {{first: b1, second: b2, third: b3}}
pointers: {{stone: {{at: cell, to: seat}}, own: {{of: seat, at: cell, to: seat}}}}
marks: {{burnt: {{at: cell}}}}
counters: {{points: {{of: seat, range: 0..1000}}}}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    own of me at cell = me
    if me is A or cell.row mod 3 is 0
        set burnt at cell
    if {0}
        gain 1 points
value full = all(stone at cell exists for cell)
score gained = points of me
"""
GRIDS = ["[3, 3]", "[5, 5]", "[8, 8]", "[9, 9]"]
ROWS = {
    "one of the rows": "any(row where stone at row.first is me and stone at row.second is me"
    " and stone at row.third is me)",
    "rows of a mark": "any(row where burnt at row.first and burnt at row.second)",
    "rows of a seat's own": "any(row where own of me at row.first is me and own of me at row.third is me)",
}
LINKED = {
    "rows through a place": "any(row where stone at row.first is me and stone at row.second is me"
    " and stone at row.third is me and cell in [row.first, row.second, row.third])",
    "rows that begin in a place": "any(row where row.first is cell and stone at row.second is opponent"
    " and stone at row.third is opponent)",
}
"""Rows that a place leads to: few are left, and each is asked by itself."""
OTHERS = {
    "different things": "any(row where stone at row.first is me and stone at row.second is opponent)",
    "one place": "any(row where stone at row.first is me)",
    "all that is looked up": "all(stone at row.first exists for row)",
    "any that is looked up": "any(row where stone at row.third is me and row.third is not cell)",
    "not burnt": "any(row where not burnt at row.first and not burnt at row.second)",
}


def sets_in(rules_text: str, grid: str, monkeypatch: pytest.MonkeyPatch) -> list[Subsets]:
    """Compares a playout with that of the reference executor; the sets that were looked for in it."""
    found: list[Subsets] = []
    push = bitset_subsets.push_subsets

    def note(fx: FunctionContext, one: Subsets) -> None:
        found.append(one)
        push(fx, one)

    monkeypatch.setattr(bitset_subsets, "push_subsets", note)
    rules = small_rules(YAML.format(grid), RULES.format(rules_text), UNTIL_FULL)
    machine = compile_rules(rules)
    row = reference_row(rules, machine, 5)
    assert row is not None
    assert row.diagnostic is None
    for config in (PLAYOUT, FAST):
        same(Rollouts(machine, config, lower(machine, config)), 5, [row])
    assert lower(machine, FLAT)
    return found


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", ROWS)
def test_rows_are_those_found_one_by_one(name: str, grid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sets_in(ROWS[name], grid, monkeypatch)


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("name", LINKED)
def test_rows_that_a_place_leads_to(name: str, grid: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not sets_in(LINKED[name], grid, monkeypatch)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not sets_in(OTHERS[name], "[5, 5]", monkeypatch)


def test_what_is_looked_up() -> None:
    top = Pick((7, 9, 7), Reg(4), 1)
    assert over_picked(Op("==", top, Local(2)), 4, (1, 2, 3)) == (Op("==", Reg(4), Local(2)), (7, 9))
    assert over_picked(Op("and", top, Op("<", top, Const(8))), 4, (2,)) is not None
    assert over_picked(Op("==", top, Reg(4)), 4, (1, 2, 3)) is None
    assert over_picked(Op("==", top, Pick((1, 2, 3), Reg(4), 1)), 4, (1, 2, 3)) is None
    assert over_picked(Op("==", top, Local(2)), 4, (1, 2, 3, 4)) is None
    assert over_picked(Const(1), 4, (1,)) is None

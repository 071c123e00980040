"""Bit boards that a playout keeps in locals: what it leaves, and what others read meanwhile, is the same."""

from __future__ import annotations

import pytest

from interpreter.compile.program import compile_rules
from interpreter.wasm.build_config import CHECKED, FAST, PLAYOUT
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.control import small_boards
from interpreter.wasm.runtime import playouts
from rulewright.library import read_rules
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, lower, reference_row, reference_rows, same

YAML = """
boards: {cell: {grid: [4, 5], neighbours: all}}
pointers: {stone: {at: cell, to: seat}, far: {of: seat, at: cell, to: cell}}
marks: {burnt: {at: cell}}
counters: {points: {of: seat, range: 0..1000}}
"""
FLOW = """
flow:
  turn: {seat: rotates, do: [{do one of: [place, jump]}], then: {full: fin, otherwise: turn}}
  fin: {score: highest}
"""
RULES = """
action place(cell where stone at cell is none)
    stone at cell = me
    if cell.row mod 2 is 0
        set burnt at cell
    gain count(x in cell where stone at x is me and not burnt at x) points
action jump(cell where stone at cell is me, there: cell where stone at there is none)
    clear stone at cell
    stone at there = opponent
    clear burnt at cell
    needs count(x in neighbours(there) where stone at x is opponent) >= 2
    needs burnt at there or any(x in cell where stone at x is opponent and burnt at x)
value full = count(cell where stone at cell is none) < 6
score gained = points of me
never points of A > 900
eventually full
"""


@pytest.mark.parametrize("config", [PLAYOUT, FAST, CHECKED])
@pytest.mark.parametrize("fewest", [0, 100])
def test_what_is_kept_is_put_back(config, fewest: int, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore
    monkeypatch.setattr(playouts, "FEWEST_CHOSEN", fewest)
    rules = small_rules(YAML, RULES, FLOW)
    machine = compile_rules(rules)
    assert small_boards(ModuleBuilder(machine, config)) == {"stone", "burnt"}
    rows = reference_rows(rules, machine, range(4))
    same(Rollouts(machine, config, lower(machine, config)), 0, rows)


@pytest.mark.parametrize("name", ["breakthrough", "connect_four", "dots_and_boxes", "tic_tac_toe"])
def test_games_of_small_boards(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playouts, "FEWEST_CHOSEN", 0)
    rules, _ = read_rules(name)
    machine = compile_rules(rules, 2, {})
    row = reference_row(rules, machine, 9)
    assert row is not None
    same(Rollouts(machine, PLAYOUT, lower(machine, PLAYOUT)), 9, [row])


def test_a_board_that_is_reset_stays_where_it_is() -> None:
    yaml = YAML.replace("burnt: {at: cell}", "burnt: {at: cell, lasts: turn}")
    machine = compile_rules(small_rules(yaml, RULES, FLOW))
    assert small_boards(ModuleBuilder(machine, FAST)) == {"stone"}

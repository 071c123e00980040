"""Bit boards of counters that are only set: they follow writes, and conditions read them."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.ir.set_writes import loops_as_writes
from interpreter.wasm.emit.bit_boards import boards
from interpreter.wasm.module import rewritten
from rulewright.library import bundled, read_rules
from tests.wasm.batches import Rows
from tests.wasm.lockstep import small_rules
from tests.wasm.test_zone_boards import agree

YAML = """
longest: 200
boards: {cell: {grid: [4, 5], neighbours: all, directions: way}}
counters:
  stone: {at: cell, range: 0..2}
  group: {at: cell, range: 0..40}
  height: {of: seat, at: cell, range: -3..3, start: -1}
  heat: {at: cell, range: 0..5}
  wide: {at: cell, range: 0..9000}
  turns: {range: 0..40}
  points: {of: seat, range: 0..5000}
"""
FLOW = """
flow:
  turn:
    seat: rotates
    do: [{do one of: [place, lift, level, warm], otherwise: [wait]}, go_on]
    then: {done: fin, otherwise: turn}
  fin: {score: highest}
"""
RULES = """
action place(cell where stone at cell is 0)
    stone at cell = mine
    group at cell = turns
    for x in neighbours(cell) where stone at x is mine and group at x is not turns
        join(group at x)
    needs size(those(x in cell where group at x is turns)) < 9
    gain size(those(x in cell where group at x is group at cell and stone at x is not 0)) points
action lift(cell where stone at cell is 3 - mine)
    needs any(x in neighbours(cell) where stone at x is mine and group at x > group at cell)
    for x in cell where group at x is group at cell
        stone at x = 0
    for x in those(y in ray(cell, north) while stone at y is mine)
        stone at x = 1
action level(cell where height of me at cell is not height of opponent at cell)
    needs turns mod 5 is 2
    height of me at cell = height of opponent at cell
    height of opponent at cell = turns mod 7 - 3
    if count(x in cell where height of me at x is height of opponent at x) > 18
        gain 2 points
action warm(cell where heat at cell < 3)
    needs turns mod 4 is 1
    heat at cell += 1
    wide at cell = turns
    gain count(x in cell where heat at x is heat at cell) points
procedure join(number: 0..40)
    for x in cell where group at x is number
        group at x = turns
procedure wait
    gain 1 points
procedure go_on
    turns += 1
value mine = 1 if me is A else 2
value done = turns >= 40
score gained = points of me
"""


def test_boards_follow_counters_that_are_only_set() -> None:
    """Of what is added to, or has too many values, none is kept."""
    rules = small_rules(YAML, RULES, FLOW)
    machine = compile_rules(rules)
    kept = {name: (board.rows, board.size, board.values) for name, board in boards(machine).items()}
    assert kept == {"stone": (1, 20, 4), "group": (1, 20, 42), "height": (2, 20, 8)}
    writes = loops_as_writes(machine, boards(machine)).nodes
    assert {"stone", "group"} <= {node.name for node in writes if isinstance(node, ir.SetWords)}
    agree(rules)
    Rows(Game(rules, machine), 2, 7).play(12)


@pytest.mark.parametrize("name", bundled())
def test_what_is_kept_follows_from_a_machine_before_it_is_rewritten(name: str) -> None:
    """States from outside are completed by the machine as it was compiled."""
    machine = compile_rules(read_rules(name)[0])
    assert boards(rewritten(machine)) == boards(machine)

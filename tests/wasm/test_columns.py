"""Words side by side as sets, loops that are written out: what becomes of them, and batches of such rules."""

from __future__ import annotations

import pytest

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from interpreter.ir.cfg import predecessors
from interpreter.ir.constant_loops import constant_loop
from interpreter.wasm.build_config import STEPPER
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.bitset_select import settable
from interpreter.wasm.lower.column_tests import column_test
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import measuring
from interpreter.wasm.lower.playout_cfg import resume_points
from interpreter.wasm.lower.values import Range
from tests.wasm.batches import Rows
from tests.wasm.lockstep import small_rules
from tests.wasm.test_lowering import LOWERING, Case

NAMES = (
    "Numbers side by side with known ones added",
    "Sums that are compared with nothing",
    "Loops over a few known values",
    "Sums of numbers side by side",
)
CELLS = Range(0, 21)
COLUMNS = """\
boards: {cell: {grid: [3, 7], directions: way}}
counters:
  num: {at: cell, range: -9..9}
  held: {at: cell, range: 0..50}
"""


def case(name: str) -> Case:
    return next(x for x in LOWERING if x.name == name)


@pytest.mark.parametrize("name", NAMES)
def test_batches(name: str) -> None:
    """Step by step with the reference executor, all words of the states."""
    rules, machine = case(name).ruleset()
    Rows(Game(rules, machine), 6, 3).play(60)


def asked(condition: str) -> tuple[FunctionContext, ir.Decide]:
    """A choice of a cell under a condition, and a function of a batch that looks for its values."""
    machine = compile_rules(
        small_rules(COLUMNS, f"action act(cell where {condition})\n    held at cell += 1\n")
    )
    choice = next(n for n in machine.nodes if isinstance(n, ir.Decide))
    return measuring(ModuleBuilder(machine, STEPPER)), choice


@pytest.mark.parametrize(
    "condition",
    [
        "cell.column + num at cell > 6",
        "num at cell + cell.column > 6",
        "num at cell - cell.column <= held at a1",
        "held at a1 < cell.column + num at cell",
        "num at cell in -2..3",
        "num at cell in [4, 2, 3]",
        "(num at cell in 0..1 if cell.column <= 3 else held at cell is 0)",
    ],
)
def test_a_condition_that_is_a_set(condition: str) -> None:
    fx, choice = asked(condition)
    assert choice.where is not None
    assert settable(fx, choice.where, choice.reg, CELLS)


@pytest.mark.parametrize(
    "condition",
    [
        "num at cell in [2, 4]",  # one comparison does not tell
        "num at cell + held at cell > 6",  # two words
        "num at cell + cell.column > held at cell",  # the other side is not the same for all
    ],
)
def test_a_condition_that_is_no_test_of_a_column(condition: str) -> None:
    fx, choice = asked(condition)
    assert choice.where is not None
    assert column_test(fx, choice.where, choice.reg, CELLS) is None


def loops(body: str) -> list[bool]:
    """Whether each loop of an action, in the order of the machine, is written out."""
    rules = "action act(cell)\n" + body
    machine = compile_rules(small_rules(COLUMNS, rules))
    before = predecessors(machine)
    begun = [i for i, n in enumerate(machine.nodes) if isinstance(n, ir.Snapshot)]
    found = resume_points(builder := ModuleBuilder(machine, STEPPER), measuring(builder))
    assert found is not None
    written = [constant_loop(machine, before, i) is not None for i in begun]
    assert sorted(found.paths.written_out) == [i for i, yes in zip(begun, written, strict=True) if yes]
    return written


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ("    for n in 1..3\n        held at cell += n\n", True),
        ("    for n in 1..3\n        held at cell += n\n        num at cell = n\n", True),
        ("    for n in 1..3 where n > num at cell\n        held at cell += n\n", False),
        ("    for n in 1..num at cell\n        held at cell += n\n", False),
        ("    for n in 1..3\n        if num at cell > n\n            held at cell += n\n", False),
        ("    for n in 1..3\n        let m = n * num at cell\n        held at cell += m\n", False),
        (
            "    for x in cell\n        held at x = sum(num at y + 1 for y in cell where y.row is x.row)\n",
            False,
        ),
    ],
)
def test_which_loops_are_written_out(body: str, written: bool) -> None:
    assert loops(body) == [written]


def test_a_fault_in_a_loop_that_is_written_out() -> None:
    """The second round of three leaves the range: the same node, the same numbers."""
    rules = "action act(n: 0..20)\n    for m in [1, 2, 3]\n        held at a1 += n * m\n"
    made = small_rules(COLUMNS, rules)
    Rows(Game(made, compile_rules(made)), 8, 1).play(12)

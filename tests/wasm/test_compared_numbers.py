"""Comparisons of one number with known ones are one comparison, and come to the same."""

from __future__ import annotations

from itertools import product

import pytest

from dsl.domains import NONE
from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.compared_numbers import joined, numbers_compared_once
from interpreter.ir.fold import calculate
from interpreter.ir.operators import NEGATED, Comparison
from interpreter.ir.visit import walk
from interpreter.wasm.build_config import FAST, PLAYOUT
from tests.wasm.lockstep import small_rules
from tests.wasm.rollouts import Rollouts, reference_row, same
from tests.wasm.test_beginnings import FLOW, YAML

RULES = """
action act(cell where disc at cell is none)
    disc at cell = me
    for way
        let ahead = count(x in ray(cell, way) while disc at x is me)
        let behind = count(x in ray(cell, opposite(way)) while disc at x is me)
        let both = ahead + behind
        if both is 2 or both > 2
            gain 3 points
    gain count(x in cell where disc at x exists and disc at x is not me) points
    gain count(x in cell where disc at x is not opponent and disc at x exists) points
    gain count(x in cell where not (disc at x is none or disc at x is A)) points
    gain count(x in cell where enough(count(y in ray(x, north) where disc at y is none))) points

action stay
    gain 1 points

procedure tick
    turns += 1

value enough(n: 0..9) = n >= 1 and n is not 1
value over = turns is 18
score s = points of me
"""


def connectives(machine: ir.Machine) -> int:
    return sum(isinstance(x, ir.Op) and x.op in ("and", "or") for node in machine.nodes for x in walk(node))


def test_comparisons_come_to_the_same() -> None:
    rules = small_rules(YAML, RULES, FLOW)
    machine = compile_rules(rules)
    assert connectives(machine) >= 5
    assert not connectives(numbers_compared_once(machine))
    modules = [Rollouts(machine, config) for config in (PLAYOUT, FAST)]
    for seed in range(3):
        row = reference_row(rules, machine, seed, 100)
        assert row is not None
        for module in modules:
            same(module, seed, [row])


@pytest.mark.parametrize(("one", "other"), list(product(NEGATED, NEGATED)))
def test_what_is_joined_holds_for_the_same_numbers(one: Comparison, other: Comparison) -> None:
    number = ir.Reg(0)
    for op, c, d in product(("and", "or"), (3,), (1, 2, 3, 4, 5)):
        first, second = ir.Op(one, number, ir.Const(c)), ir.Op(other, number, ir.Const(d))
        found = joined(ir.Op(op, first, second))
        assert isinstance(found, ir.Op)
        if found.op in ("and", "or"):
            continue
        assert isinstance(found.right, ir.Const)
        for v in range(-2, 9):
            expected = calculate(op, calculate(one, v, c), calculate(other, v, d))
            assert calculate(found.op, v, found.right.value) == expected


def test_what_is_none_is_not_joined() -> None:
    none, more = ir.Op("==", ir.Reg(0), ir.Const(NONE)), ir.Op(">", ir.Reg(0), ir.Const(5))
    both = ir.Op("or", none, more)
    assert joined(both) is both

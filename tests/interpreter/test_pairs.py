"""Values that come in pairs, of which a condition asks the same: one of the two is enough."""

from __future__ import annotations

from typing import Literal

import pytest

from interpreter import ir
from interpreter.ir.pairs import one_of_each_pair

OPPOSITE = (2, 3, 0, 1)
LINKS = ((1,), (2, 3), (), (0,))


def partner(value: ir.Expr, table: tuple[int, ...] = OPPOSITE) -> ir.Expr:
    return ir.Pick(table, value, 0)


def length(value: ir.Expr, reg: int) -> ir.Expr:
    """How many places of a row a seat holds."""
    held = ir.Op("==", ir.Load(ir.Address(9, (ir.Term(ir.Reg(reg), 0, 3, 1, False),))), ir.Local(2))
    return ir.Size(ir.Prefix(reg, ir.Linked(LINKS, value, 0), held, False))


def total(left: ir.Expr, right: ir.Expr, op: Literal["+", "-"] = "+") -> ir.Expr:
    return ir.Op(">=", ir.Op(op, left, right), ir.Const(2))


VALUE = ir.Reg(0)
BY_LET = ir.Let(1, partner(VALUE), length(ir.Reg(1), 2))


@pytest.mark.parametrize(
    "condition",
    [
        total(length(VALUE, 1), length(partner(VALUE), 1)),
        total(length(VALUE, 1), BY_LET),
        ir.Let(1, VALUE, total(length(partner(ir.Reg(1)), 2), length(ir.Reg(1), 2))),
        ir.Op("==", length(VALUE, 1), length(partner(VALUE), 1)),
    ],
    ids=["sum", "other names", "a name for both", "equality"],
)
def test_one_of_two_is_enough(condition: ir.Expr) -> None:
    assert one_of_each_pair(condition, 0, (0, 1, 2, 3)) == (0, 1)


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        (total(length(VALUE, 1), length(partner(VALUE), 1), "-"), (0, 1, 2, 3)),
        (total(length(VALUE, 1), length(VALUE, 1)), (0, 1, 2, 3)),
        (total(length(VALUE, 1), partner(VALUE)), (0, 1, 2, 3)),
        (total(length(VALUE, 1), length(partner(VALUE, (1, 2, 3, 0)), 1)), (0, 1, 2, 3)),
        (total(length(VALUE, 1), length(partner(VALUE, (0, 1, 2, 3)), 1)), (0, 1, 2, 3)),
        (total(length(VALUE, 1), length(partner(VALUE), 1)), (0, 1, 2)),
        (ir.Op("and", length(VALUE, 1), length(partner(VALUE), 1)), (0, 1, 2, 3)),
    ],
    ids=["difference", "no partner", "unlike", "no pairs", "its own partner", "not all", "in order"],
)
def test_both_are_asked(condition: ir.Expr, values: tuple[int, ...]) -> None:
    assert one_of_each_pair(condition, 0, values) is None

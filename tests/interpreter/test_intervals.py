"""Intervals hold what expressions come to."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from interpreter import ir
from interpreter.compile.program import compile_rules
from interpreter.ir.fold import calculate, operation
from interpreter.ir.intervals import HIGHEST, LOWEST, Interval, Ranges
from rulewright.library import read_rules

OPERATORS = ("+", "-", "*", "div", "mod", "<", "<=", ">", ">=", "==", "!=", "and", "or", "min", "max")
NUMBERS = st.integers(-40, 40)
SLOTS = st.tuples(NUMBERS, NUMBERS).map(sorted)


@pytest.fixture(scope="module")
def machine() -> ir.Machine:
    return compile_rules(read_rules("pig")[0])


@given(op=st.sampled_from(OPERATORS), left=SLOTS, right=SLOTS, data=st.data())
def test_an_operation_stays_within_its_interval(
    machine: ir.Machine, op: str, left: list[int], right: list[int], data: st.DataObject
) -> None:
    ends = {8: Interval(*left), 9: Interval(*right)}
    found = Ranges(machine, ends.__getitem__).of(ir.Op(op, ir.Local(8), ir.Local(9)), {})  # type: ignore[arg-type]
    a, b = data.draw(st.integers(*left)), data.draw(st.integers(*right))
    if op not in ("div", "mod") or b:
        assert found.within(LOWEST, HIGHEST)
        assert found.lo <= calculate(op, a, b) <= found.hi


@given(st.sampled_from(OPERATORS), NUMBERS, NUMBERS)
def test_what_is_known_is_worked_out(op: str, a: int, b: int) -> None:
    made = operation(op, ir.Const(a), ir.Const(b))
    if op in ("and", "or"):
        assert isinstance(made, ir.Const)
        assert bool(made.value) == bool(calculate(op, a, b))
    elif op in ("div", "mod") and not b:
        assert made == ir.Op(op, ir.Const(a), ir.Const(b))  # type: ignore[arg-type]
    else:
        assert made == ir.Const(calculate(op, a, b))

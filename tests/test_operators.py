"""Operators are closed sets: every table has an entry for each, and what is none of them is refused."""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from typing import Any, get_args

import pytest

from dsl import operators as written
from dsl.domains import IntType, arithmetic
from dsl.rules.fold import EVALUATED, evaluate
from interpreter.ir import operators as lowered
from interpreter.ir.fold import CALCULATED, calculate
from interpreter.ir.intervals import Interval, compared
from interpreter.wasm.lower.arithmetic import COMPARISONS

NUMBERS = range(-3, 4)


def members(union: Any) -> set[str]:
    """The words of a union of literals."""
    parts = get_args(union)
    return {word for part in parts for word in (members(part) if get_args(part) else {part})}


@pytest.mark.parametrize(
    ("table", "union"),
    [
        (written.NEGATED, written.Comparison),
        (written.MIRRORED, written.Comparison),
        (EVALUATED, written.Arithmetic | written.Comparison),
        (lowered.NEGATED, lowered.Comparison),
        (lowered.MIRRORED, lowered.Comparison),
        (COMPARISONS, lowered.Comparison),
        (CALCULATED, lowered.Operator),
    ],
)
def test_tables_are_total(table: Collection[str], union: Any) -> None:
    assert set(table) == members(union)


@pytest.mark.parametrize("op", sorted(members(written.Comparison)))
def test_negations_and_mirror_images(op: Any) -> None:
    for a, b in product(NUMBERS, repeat=2):
        assert evaluate(written.NEGATED[op], a, b) == 1 - (evaluate(op, a, b) or 0)
        assert evaluate(written.MIRRORED[op], b, a) == evaluate(op, a, b)


@pytest.mark.parametrize("op", sorted(members(written.Arithmetic)))
def test_the_range_of_an_operator_holds_every_result(op: Any) -> None:
    for a, b, c, d in product((-3, 0, 2), repeat=4):
        left, right = range(min(a, b), max(a, b) + 1), range(min(c, d), max(c, d) + 1)
        found = arithmetic(op, IntType(left[0], left[-1]), IntType(right[0], right[-1]))
        results = [evaluate(op, x, y) for x, y in product(left, right)]
        assert all(found.lo <= result <= found.hi for result in results if result is not None)


@pytest.mark.parametrize("op", sorted(members(lowered.Operator)))
def test_every_operator_is_evaluated(op: Any) -> None:
    assert isinstance(calculate(op, 5, 3), int)


@pytest.mark.parametrize("op", ["plus", "divup", "", "=="])
def test_what_is_no_operator_is_refused(op: Any) -> None:
    """It does not fall through to the last one of them."""
    with pytest.raises(AssertionError):
        arithmetic(op, IntType(0, 9), IntType(5, 5))
    with pytest.raises((AssertionError, KeyError)):
        evaluate(op, 1, 2)


def test_order_of_ranges() -> None:
    assert compared("<", Interval(0, 1), Interval(2, 3)) is True
    assert compared(">=", Interval(0, 1), Interval(2, 3)) is False
    assert compared("<=", Interval(0, 2), Interval(2, 3)) is True
    assert compared(">", Interval(0, 3), Interval(2, 3)) is None

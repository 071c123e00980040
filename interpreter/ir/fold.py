"""Constant folding: evaluation of operators, and constructors that simplify."""

from __future__ import annotations

import operator
from collections.abc import Callable

from dsl.operators import RESULTS, is_division
from interpreter.ir.expressions import Const, Contains, Expr, If, Not, Op, Pick, Size, Source, Values
from interpreter.ir.operators import Comparison, Operator


def operation(op: Operator, left: Expr, right: Expr) -> Expr:
    """An operator, folded if its operands are constant or neutral."""
    if op == "and":
        if isinstance(left, Const):
            return right if left.value else left
        if isinstance(right, Const) and right.value:
            return left
    if op == "or":
        if isinstance(left, Const):
            return left if left.value else right
        if isinstance(right, Const) and not right.value:
            return left
    by_zero = is_division(op) and right == Const(0)
    if isinstance(left, Const) and isinstance(right, Const) and not by_zero:
        value = calculate(op, left.value, right.value)
        return Const(value) if -(1 << 31) <= value < 1 << 31 else Op(op, left, right)
    if op in ("+", "-") and right == Const(0):
        return left
    if op == "+" and left == Const(0):
        return right
    return Op(op, left, right)


CALCULATED: dict[Operator, Callable[[int, int], int]] = {
    **dict(RESULTS.items()),
    "==": operator.eq,
    "!=": operator.ne,
    "min": min,
    "max": max,
    "and": lambda a, b: bool(a) and bool(b),
    "or": lambda a, b: bool(a) or bool(b),
}
"""The result of each operator; of a comparison, whether it holds. Division raises `ZeroDivisionError`."""


def calculate(op: Operator, a: int, b: int) -> int:
    """The result of an operator. Raises `ZeroDivisionError`."""
    return int(CALCULATED[op](a, b))


def asks_for_any(op: Comparison, value: int) -> bool:
    """Whether a comparison of a count with a value asks only whether the count is above 0, as `>= 1` does."""
    at_none, at_one, at_most = (calculate(op, count, value) for count in (0, 1, (1 << 31) - 1))
    return at_none != at_one == at_most


def negation(operand: Expr) -> Expr:
    if isinstance(operand, Const):
        return Const(int(not operand.value))
    return Not(operand)


def choice(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    if isinstance(condition, Const):
        return then if condition.value else otherwise
    return If(condition, then, otherwise)


def pick(table: tuple[int, ...], index: Expr, lo: int) -> Expr:
    if isinstance(index, Const) and 0 <= index.value - lo < len(table):
        return Const(table[index.value - lo])
    return Pick(table, index, lo)


# ---- collections


def contains(item: Expr, source: Source) -> Expr:
    if isinstance(item, Const) and isinstance(source, Values):
        return Const(int(item.value in source.values))
    return Contains(item, source)


def size(source: Source) -> Expr:
    return Const(len(source.values)) if isinstance(source, Values) else Size(source)


# ---- conditions


def both(left: Expr | None, right: Expr) -> Expr:
    """Two conditions joined by `and`, or the second if there is no first one."""
    return right if left is None else Op("and", left, right)


def conjuncts(e: Expr) -> list[Expr]:
    """The parts of a condition that are joined by `and`."""
    if isinstance(e, Op) and e.op == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]


def all_conjuncts(e: Expr) -> list[Expr]:
    """What a condition joins by `and`, or by cases of which all but one say no."""
    match e:
        case Op(op="and", left=left, right=right):
            return [*all_conjuncts(left), *all_conjuncts(right)]
        case If(condition=condition, then=Const(value=0), otherwise=rest):
            return [*all_conjuncts(negation(condition)), *all_conjuncts(rest)]
        case If(condition=condition, then=rest, otherwise=Const(value=0)):
            return [*all_conjuncts(condition), *all_conjuncts(rest)]
        case Not(operand=Not(operand=inner)):
            return all_conjuncts(inner)
        case Not(operand=Op(op="or", left=left, right=right)):
            return [*all_conjuncts(negation(left)), *all_conjuncts(negation(right))]
    return [e]

"""The form of conditions that sets can be made of. Nothing is emitted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import all_conjuncts, both, calculate, conjuncts
from interpreter.wasm.lower import columns
from interpreter.wasm.lower.context import FunctionContext

SMALL = 1 << 20
"""Numbers whose sums are far from the greatest one."""
FEW = 64
"""Pairs of what two numbers can be, of which it is worked out what they come to."""
OPPOSITE: dict[str, Any] = {"and": "or", "or": "and", "==": "!=", "!=": "=="}


def normal_form(fx: FunctionContext, e: ir.Expr, reg: int) -> ir.Expr:
    """A condition in a form that sets can be made of; the same object for the same condition."""
    name = ("normal form", id(e), reg)
    found = fx.builder.relations.get(name)
    if found is None:
        found = fx.builder.relations[name] = (e, _normal_form(fx, e, reg))
    form: ir.Expr = found[1]
    return form


def _normal_form(fx: FunctionContext, e: ir.Expr, reg: int) -> ir.Expr:
    """A condition in a form that sets can be made of.

    A comparison of one of two things is one of two comparisons, if which one is known for all values; one of
    two conditions, of which one is known, is `and` or `or`; between two numbers is both; `not` goes inside.
    What is known of the register for itself comes to one side of an equality. What is asked of a piece on a
    place of size 1 is asked of the word that says what lies there.
    """
    if isinstance(e, ir.Not) and isinstance(e.operand, ir.Op) and e.operand.op in OPPOSITE:
        inner = e.operand
        if inner.op in ("and", "or"):
            return ir.Op(OPPOSITE[inner.op], ir.Not(inner.left), ir.Not(inner.right))
        return ir.Op(OPPOSITE[inner.op], inner.left, inner.right)
    if isinstance(e, ir.Not) and isinstance(e.operand, ir.Not):
        return normal_form(fx, e.operand.operand, reg)
    if isinstance(e, ir.Contains) and isinstance(e.source, ir.Between) and fx.reads(e.item, reg):
        low, high = e.source.low, e.source.high
        if not (fx.reads(low, reg) or fx.reads(high, reg)):
            return ir.Op("and", ir.Op(">=", e.item, low), ir.Op("<=", e.item, high))
    if isinstance(e, ir.If) and fx.reads(e.condition, reg):
        if e.then == ir.Const(0):
            return ir.Op("and", ir.Not(e.condition), e.otherwise)
        if e.otherwise == ir.Const(0):
            return ir.Op("and", e.condition, e.then)
    if isinstance(e, ir.Op) and e.op == "and":
        parts = all_conjuncts(e)
        joined = with_beginnings(fx, parts)
        return e if joined is parts else reduce(both, joined)
    if (sought := sought_by(e)) is not None:
        return normal_form(fx, sought, reg)
    if isinstance(e, ir.Op) and e.op in ("==", "!="):
        e = _known_on_one_side(fx, columns.of_word(fx, e), reg)
    if isinstance(e, ir.Op) and isinstance(e.left, ir.If) and not fx.reads(e.left.condition, reg):
        then, otherwise = replace(e, left=e.left.then), replace(e, left=e.left.otherwise)
        return ir.If(e.left.condition, then, otherwise)
    return e


def with_beginnings(fx: FunctionContext, parts: list[ir.Expr]) -> list[ir.Expr]:
    """`y in S until not P` for `y in S` and `all(P(x) for x in (S while x is not y))`, or the same object."""
    for i, part in enumerate(parts):
        if not isinstance(part, ir.Contains) or not isinstance(part.source, ir.Linked):
            continue
        if not fx.builder.links(part.source.links).distinct:
            continue
        for k, other in enumerate(parts):
            failing = _failing_before(other, part.item, part.source)
            if failing is not None:
                rest = [x for n, x in enumerate(parts) if n not in (i, k)]
                return with_beginnings(fx, [*rest, ir.Contains(part.item, failing)])
    return parts


def _failing_before(e: ir.Expr, item: ir.Expr, source: ir.Linked) -> ir.Prefix | None:
    """The beginning of a collection up to what fails, if a condition says that nothing before does."""
    match e:
        case ir.Fold(kind="all", reg=reg, source=ir.Prefix() as prefix, where=None, body=body) if body:
            failing: ir.Expr = ir.Not(body)
        case ir.Not(operand=ir.Fold(kind="any", reg=reg, source=ir.Prefix() as prefix, where=where)) if where:
            failing = where
        case _:
            return None
    here = ir.Reg(prefix.reg)
    before = prefix.where in (ir.Op("!=", here, item), ir.Op("!=", item, here)) and not prefix.until
    return ir.Prefix(reg, source, failing, until=True) if before and prefix.source == source else None


def sought_by(e: ir.Expr) -> ir.Expr | None:
    """`any(x in …)` for `first(x in …) exists`, and its negation for the opposite."""
    match e:
        case ir.Op(op="==" | "!=" as op, left=ir.Best(keys=()) as best, right=ir.Const(value=value)):
            if value == NONE:
                found = ir.Fold("any", best.reg, best.source, best.where, None)
                return found if op == "!=" else ir.Not(found)
    return None


def _known_on_one_side(fx: FunctionContext, e: ir.Op, reg: int) -> ir.Op:
    """`row(x) is row(y(x)) + n` as `row(x) - row(y(x)) is n`, where no sum can be too large."""
    match e:
        case ir.Op(left=left, right=ir.Op(op="+", left=known, right=rest)):
            if _is_table(left, reg) and _is_table(known, reg) and fx.reads(known, reg) and _is_small(rest):
                return ir.Op(e.op, ir.Op("-", left, known), rest)
    return e


def _is_table(e: ir.Expr, reg: int) -> bool:
    """Whether an expression is found in tables by a register alone, which has small numbers."""
    match e:
        case ir.Pick(table=table, index=index):
            return max(map(abs, table)) < SMALL and (index == ir.Reg(reg) or _is_table(index, reg))
    return False


def _is_small(e: ir.Expr) -> bool:
    """Whether an expression is one of some small numbers."""
    values = few_values(e)
    return values is not None and max(map(abs, values)) < SMALL


def few_values(e: ir.Expr) -> frozenset[int] | None:
    """What an expression can be, where it is one of some numbers."""
    match e:
        case ir.Const(value=value):
            return frozenset((value,))
        case ir.If(then=then, otherwise=otherwise):
            one, other = few_values(then), few_values(otherwise)
            return None if one is None or other is None else one | other
        case ir.Pick(table=table):
            return frozenset(table)
        case ir.Op(op="+" | "-" | "*" as op, left=left, right=right):
            first, second = few_values(left), few_values(right)
            if first is None or second is None or len(first) * len(second) > FEW:
                return None
            return frozenset(calculate(op, a, b) for a in first for b in second)
    return None


def loads_in(fx: FunctionContext, e: ir.Expr | None) -> tuple[ir.Load, ...]:
    """The loads in an expression, the collections of folds left out."""
    name = ("loads", id(e))
    found = fx.builder.relations.get(name)
    if found is None:
        found = fx.builder.relations[name] = (e, tuple(_loads_in(e)))
    loads: tuple[ir.Load, ...] = found[1]
    return loads


def _loads_in(node: Any) -> Iterator[ir.Load]:
    match node:
        case ir.Load():
            yield node
        case ir.Op(left=left, right=right):
            yield from _loads_in(left)
            yield from _loads_in(right)
        case ir.Not(operand=operand):
            yield from _loads_in(operand)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            for part in (condition, then, otherwise):
                yield from _loads_in(part)
        case ir.Let(value=value, body=body):
            yield from _loads_in(value)
            yield from _loads_in(body)
        case ir.Fold(where=where, body=body):
            yield from _loads_in(where)
            yield from _loads_in(body)


def normal_conjuncts(fx: FunctionContext, e: ir.Expr, reg: int) -> list[ir.Expr]:
    """What a condition joins by `and` once it is in the form that sets can be made of."""
    e = normal_form(fx, e, reg)
    if isinstance(e, ir.Op) and e.op == "and":
        return [*normal_conjuncts(fx, e.left, reg), *normal_conjuncts(fx, e.right, reg)]
    return [e]


def guarded(fx: FunctionContext, e: ir.Expr, reg: int) -> tuple[ir.Expr | None, ir.Expr | None]:
    """A condition as one that does not read the register and stands first, and the rest."""
    parts = conjuncts(e)
    guard: ir.Expr | None = None
    while parts and not fx.reads(parts[0], reg):
        guard = both(guard, parts.pop(0))
    rest: ir.Expr | None = None
    for part in parts:
        rest = both(rest, part)
    return guard, rest

"""Lowering of values with their modifiers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl import rules as r
from interpreter import ir
from interpreter.compile.lowers import LowersExpressions
from interpreter.ir.fold import choice, operation
from interpreter.ir.kept_sets import without_kept


def modified(lower: LowersExpressions, value: r.Value) -> ir.Expr:
    """A value in terms of its parameters: its cases, then the first `to` that holds, then every `by`."""
    result = _cases(lower, value)
    tos = [x for x in value.modifiers if x.mode == "to"]
    for modifier in reversed(tos):
        with _as_modifier(lower, value, modifier):
            result = choice(_condition(lower, modifier), _amount(lower, modifier), result)
    for modifier in value.modifiers:
        if modifier.mode == "by":
            with _as_modifier(lower, value, modifier):
                amount = choice(_condition(lower, modifier), _amount(lower, modifier), ir.Const(0))
                result = operation("+", result, amount)
    return result


def _cases(lower: LowersExpressions, value: r.Value) -> ir.Expr:
    """The first case of a value that holds, with its locals around it."""
    before, before_env = lower.reg, dict(lower.env)
    lets: list[tuple[int, ir.Expr]] = []
    for let in value.lets:
        words = tuple(lower.covered(let, word) for word in lower.words(let.value))
        lower.bind_once(let.var, words, lets)
    result = lower.covered(value.cases[-1], lower.expr(value.cases[-1].value))
    for case in reversed(value.cases[:-1]):
        assert case.condition is not None
        result = choice(
            lower.asked(case, case.condition), lower.covered(case, lower.expr(case.value)), result
        )
    lower.reg, lower.env = before, before_env
    return within_lets(lets, result)


def _condition(lower: LowersExpressions, modifier: r.Modifier) -> ir.Expr:
    return ir.Const(1) if modifier.condition is None else lower.asked(modifier, modifier.condition)


def _amount(lower: LowersExpressions, modifier: r.Modifier) -> ir.Expr:
    return lower.covered(modifier, lower.expr(modifier.amount))


@contextmanager
def _as_modifier(lower: LowersExpressions, value: r.Value, modifier: r.Modifier) -> Iterator[None]:
    """Bind the parameters of a modifier to those of its value for a while."""
    before = dict(lower.env)
    for own, theirs in zip(modifier.parameters, value.parameters, strict=False):
        lower.env[own] = lower.env[theirs]
    try:
        yield
    finally:
        lower.env = before


def within_lets(lets: list[tuple[int, ir.Expr]], body: ir.Expr) -> ir.Expr:
    """An expression within the registers that it reads, the first one outermost."""
    kept, body = without_kept(lets, body)
    for reg, value in reversed(kept):
        body = ir.Let(reg, value, body)
    return body

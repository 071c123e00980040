"""Constant folding of typed rules, of one node at a time, whose operands are already folded."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from dsl import rules as r
from dsl.domains import FLAG, IntType
from dsl.operators import RESULTS, Arithmetic, Comparison, is_division

EVALUATED: Mapping[Arithmetic | Comparison, Callable[[int, int], int]] = {
    **dict(RESULTS.items()),
    "is": operator.eq,
    "is not": operator.ne,
}


def evaluate(op: Arithmetic | Comparison, left: int, right: int) -> int | None:
    """The result of an arithmetic operator or a comparison; none for a division by zero."""
    if is_division(op) and right == 0:
        return None
    return int(EVALUATED[op](left, right))


def simplify(node: Any) -> Any:
    """The result of a node with constant operands; any other node unchanged."""
    match node:
        case r.Cmp(op=op, left=r.Const(value=a), right=r.Const(value=b)):
            return _flag(node, bool(evaluate(op, a, b)))
        case r.Neg(operand=r.Const(value=value)):
            return _flag(node, not value)
        case (
            r.Both(op=op, left=r.Const(value=value), right=other)
            | r.Both(op=op, left=other, right=r.Const(value=value))
        ):
            return other if bool(value) is (op == "and") else _flag(node, bool(value))
        case r.Cond(condition=r.Const(value=value), then=then, otherwise=otherwise):
            return then if value else otherwise
        case r.Either(condition=r.Const(value=value), then=then, otherwise=otherwise):
            return then if value else otherwise
        case r.Arith(op=op, left=r.Const(value=a), right=r.Const(value=b)):
            number = evaluate(op, a, b)
            return node if number is None else r.Const(IntType(number, number), node.span, number)
        case r.Binder(where=r.Const(value=1)):
            return replace(node, where=None)
        case r.Extreme(items=items) if len(items) > 1:
            return _extreme(node, items)
    return node


def _flag(node: r.Typed, value: bool) -> r.Const:
    return r.Const(FLAG, node.span, int(value))


def _extreme(node: r.Extreme, items: tuple[r.Expr, ...]) -> r.Expr:
    """Without constants that never decide the result: `min(n, 36)` is `n` where `n` is at most 10."""
    ranges = [x.type for x in items if not isinstance(x, r.Const) and isinstance(x.type, IntType)]
    kept = tuple(x for x in items if not _is_redundant(node.kind, x, ranges))
    return kept[0] if len(kept) == 1 else replace(node, items=kept)


def _is_redundant(kind: str, item: r.Expr, ranges: list[IntType]) -> bool:
    """Whether a constant never decides the result, because another item is always at least as extreme."""
    if not isinstance(item, r.Const):
        return False
    if kind == "min":
        return any(item.value >= x.hi for x in ranges)
    return any(item.value <= x.lo for x in ranges)

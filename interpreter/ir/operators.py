"""The operators of expressions of the machine: a closed set, which rules, folding and lowering know whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, TypeGuard

from dsl.operators import Arithmetic, Connective, Ordering

Comparison: TypeAlias = Ordering | Literal["==", "!="]
"""Of two numbers; the result is 0 or 1."""
Bound: TypeAlias = Literal["min", "max"]
"""The smaller or the larger of two numbers."""
Operator: TypeAlias = Arithmetic | Comparison | Connective | Bound

NEGATED: Mapping[Comparison, Comparison] = {
    "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==",
}  # fmt: skip
"""`a NEGATED[op] b` is `not (a op b)`."""
MIRRORED: Mapping[Comparison, Comparison] = {
    "<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!=",
}  # fmt: skip
"""`b MIRRORED[op] a` is `a op b`."""


def is_comparison(op: Operator) -> TypeGuard[Comparison]:
    """Whether an operator compares two numbers."""
    return op in NEGATED

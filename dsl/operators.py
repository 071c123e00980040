"""The operators of the language, as they are written: closed sets, each with its tables.

Whatever distinguishes the operators of a set ends in `assert_never`, and a table has an entry for each: one
that is new and left out anywhere is an error of types, or fails `tests/test_operators.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, TypeGuard, get_args

Division: TypeAlias = Literal["div", "mod"]
"""By a number that is not 0. `div` rounds down, and the result of `mod` has the sign of its divisor."""
Arithmetic: TypeAlias = Literal["+", "-", "*"] | Division
"""Of two numbers."""
Ordering: TypeAlias = Literal["<", ">", "<=", ">="]
"""Of two values of a type that has an order."""
Comparison: TypeAlias = Literal["is", "is not"] | Ordering
"""Of two values of a type."""
Connective: TypeAlias = Literal["and", "or"]
"""Of two conditions; the second one is not asked where the first one decides."""
Assignment: TypeAlias = Literal["=", "+=", "-="]
"""Of a new value, or of a number that is added or taken away."""
Folding: TypeAlias = Literal["sum", "all", "distinct", "min", "max"]
"""Of the values that an expression has for each value of a collection."""
Picking: TypeAlias = Literal["lowest", "highest", "first"]
"""Of one value of a collection: by keys, or the first there is."""
RoutineKind: TypeAlias = Literal["action", "effect", "procedure"]
"""What can be defined that does something: offered, named by cells, or called."""

NEGATED: Mapping[Comparison, Comparison] = {
    "is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
"""`a NEGATED[op] b` is `not (a op b)`."""
MIRRORED: Mapping[Comparison, Comparison] = {
    "is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
}  # fmt: skip
"""`b MIRRORED[op] a` is `a op b`."""

RESULTS: Mapping[Arithmetic | Ordering, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The results for two numbers; of an order, whether it holds. Division raises `ZeroDivisionError`."""


def is_division(op: str) -> TypeGuard[Division]:
    """Whether an operator has no result if its second operand is 0."""
    return op in get_args(Division)


def is_ordering(op: Comparison) -> TypeGuard[Ordering]:
    """Whether a comparison needs an order."""
    return op not in ("is", "is not")

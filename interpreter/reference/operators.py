"""Operators as closures."""

from __future__ import annotations

from typing import Final, assert_never

from interpreter import ir
from interpreter.reference.closures import IntFn

LARGE: Final = 1 << 31
"""All numbers are signed 32-bit words, intermediate results too."""


def too_large() -> int:
    raise OverflowError


def operation(node: ir.Op, a: IntFn, b: IntFn) -> IntFn:
    """The closure of an operator, given its linked operands."""
    match node.op:
        case "+":
            return lambda s, e: v if -LARGE <= (v := a(s, e) + b(s, e)) < LARGE else too_large()
        case "-":
            return lambda s, e: v if -LARGE <= (v := a(s, e) - b(s, e)) < LARGE else too_large()
        case "*":
            return lambda s, e: v if -LARGE <= (v := a(s, e) * b(s, e)) < LARGE else too_large()
        case "div":
            return lambda s, e: a(s, e) // b(s, e)
        case "mod":
            return lambda s, e: a(s, e) % b(s, e)
        case "<":
            return lambda s, e: int(a(s, e) < b(s, e))
        case "<=":
            return lambda s, e: int(a(s, e) <= b(s, e))
        case ">":
            return lambda s, e: int(a(s, e) > b(s, e))
        case ">=":
            return lambda s, e: int(a(s, e) >= b(s, e))
        case "==":
            return lambda s, e: int(a(s, e) == b(s, e))
        case "!=":
            return lambda s, e: int(a(s, e) != b(s, e))
        case "and":
            return lambda s, e: int(bool(a(s, e) and b(s, e)))
        case "or":
            return lambda s, e: int(bool(a(s, e) or b(s, e)))
        case "min":
            return lambda s, e: min(a(s, e), b(s, e))
        case "max":
            return lambda s, e: max(a(s, e), b(s, e))
    assert_never(node.op)

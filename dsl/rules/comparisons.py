"""Comparison operators as they are written, their negations and mirror images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

WrittenComparison: TypeAlias = Literal["is", "is not", "<", ">", "<=", ">="]

NEGATED: Mapping[str, WrittenComparison] = {
    "is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
"""`a NEGATED[op] b` is `not (a op b)`."""
MIRRORED: Mapping[str, WrittenComparison] = {
    "is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<=",
}  # fmt: skip
"""`b MIRRORED[op] a` is `a op b`."""

"""Comparisons of two numbers: which one holds where another does not, and which with the sides exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

Comparison: TypeAlias = Literal["<", "<=", ">", ">=", "==", "!="]

NEGATED: Mapping[str, Comparison] = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
"""`a NEGATED[op] b` is `not (a op b)`."""
MIRRORED: Mapping[str, Comparison] = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
"""`b MIRRORED[op] a` is `a op b`."""

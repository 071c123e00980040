"""The recursion limit of Python that passes over rules need."""

from __future__ import annotations

import sys

DEEPEST = 20_000
"""Frames of Python: some dozens for each level of an expression, and for each call in a chain."""


def make_room() -> None:
    """Raise the recursion limit. The limits on rules keep recursion far below it."""
    if sys.getrecursionlimit() < DEEPEST:
        sys.setrecursionlimit(DEEPEST)

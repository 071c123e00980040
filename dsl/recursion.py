"""Room for recursion that follows what an author has written, as deep as the language allows."""

from __future__ import annotations

import sys

DEEPEST = 20_000
"""Frames of Python: some dozens for each level of an expression, and as many for each call in a chain."""


def make_room() -> None:
    """Recursion may go that deep from here on; the bounds on rules keep it far above."""
    if sys.getrecursionlimit() < DEEPEST:
        sys.setrecursionlimit(DEEPEST)

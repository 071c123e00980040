"""Room for recursion that follows what an author has written, however deep that is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEEPEST = 40_000
"""Frames of Python. A chain of some thousand routines that call each other needs several for each."""


@contextmanager
def deep() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)

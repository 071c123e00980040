"""Long work on the event loop, in slices: others have a turn in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager
from typing import TypeVar

from rulewright.serve.fair_share import Turns

T = TypeVar("T")
SLICE = 0.01
"""Seconds after which others have a turn."""


async def in_slices(
    work: Generator[None, None, T], running: Callable[[], AbstractContextManager[None]], turns: Turns
) -> T:
    """What work returns that pauses after each step. `running` bounds each slice; `turns` says when the next
    one may begin.

    Raises what the work raises, and `DiagnosticError` if a slice takes too long.
    """
    while True:
        end = time.perf_counter() + SLICE
        with running():
            try:
                next(work)
                while time.perf_counter() < end:
                    next(work)
            except StopIteration as stop:
                found: T = stop.value
                return found
        await asyncio.sleep(0)
        await turns.step()

"""A bound on the time that rules may take: a ruleset of a stranger must not stop the server."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.serve.messages import NotNow

MOST_SECONDS = 2.0
"""Processor seconds of the process for one action. The slowest of a bundled game takes a hundredth of it."""


@contextmanager
def bounded(seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Do something that changes nothing until it is done. Raises `DiagnosticError` if it takes longer.

    It is bounded in the main thread alone, where the loop of a server runs.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise DiagnosticError(NotNow(NOWHERE, "the rules take too long", "nothing has been changed"))

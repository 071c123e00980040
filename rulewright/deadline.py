"""Time limits for work on untrusted folders, by an alarm of the system."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rulewright.callbacks import in_callback

RETRY = 0.01
"""Seconds until the alarm is repeated if it could not raise."""


class TimeIsUp(BaseException):
    """The time limit has been reached. A `BaseException`, so that no handler of errors catches it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises `TimeIsUp` in its body after so many seconds of wall-clock time.

    There is no limit outside the main thread, on a system without alarms, or if an alarm is already set.
    """
    if not _has_alarms() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), RETRY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _has_alarms() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _raise(_: int, frame: FrameType | None) -> None:
    if frame is None or in_callback(frame):
        return
    signal.setitimer(signal.ITIMER_REAL, 0)
    raise TimeIsUp

"""Time limits for work on untrusted folders, by an alarm of the system."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rulewright.processes.callbacks import in_callback

LONGEST = 1e9
"""The most seconds until an alarm; a system refuses what its clock cannot count."""
RETRY = 0.01
"""Seconds until the alarm is repeated if it could not raise."""


class TimeIsUp(BaseException):
    """The time limit has been reached. A `BaseException`, so that no handler of errors catches it."""


@contextmanager
def at_most_busy(seconds: float) -> Iterator[None]:
    """Raises `TimeIsUp` in its body after so many seconds in which the main thread has had the processor.

    There is no limit outside the main thread, on a system without alarms, or if an alarm is already set.
    """
    if not _has_alarms() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    until = time.thread_time() + seconds

    # Alarms by processor time count that of all threads, and too little of it on a busy computer. An alarm by
    # the clock comes too early, and is repeated.
    def ring(_: int, frame: FrameType | None) -> None:
        if time.thread_time() >= until and frame is not None and not in_callback(frame):
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, min(max(seconds, 1e-6), LONGEST), RETRY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _has_alarms() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

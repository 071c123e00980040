"""A time after which work is given up, wherever it stands: for folders that nobody vouches for."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

AGAIN = 0.01
"""Seconds until the alarm is tried again where nothing could be raised."""
UNHEARD = frozenset({"weakref", "_weakrefset", __name__})
"""Modules whose callbacks Python calls by itself: what they raise is printed, and then forgotten. Ours may
be at work in one of them when the alarm is tried again."""


class TimeIsUp(BaseException):
    """The time is over. Nothing that handles errors takes it for one of its own."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises `TimeIsUp` in what runs inside, after so many seconds of the clock on the wall.

    An alarm of the system does it, which reaches the main thread alone. Elsewhere, and where a system has no
    alarms or somebody else has set one, what runs inside has no limit.
    """
    if not _alarms() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _alarms() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _raise(_: int, frame: FrameType | None) -> None:
    if frame is None or frame.f_globals.get("__name__") in UNHEARD or frame.f_code.co_name == "__del__":
        return
    signal.setitimer(signal.ITIMER_REAL, 0)
    raise TimeIsUp

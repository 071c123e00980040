"""Ctrl-C while the fast executor runs, which Python would handle only after the call has returned.

The signal handler writes each signal to a pipe. A thread reads it, gives short calls the time to end, and
stops those that still run. Python's own handler raises `KeyboardInterrupt` when the call has returned.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import lru_cache
from time import sleep
from typing import Any

GRACE = 0.15
"""Seconds in which a call may end by itself; a batch that is stopped within a step is lost."""


def listen() -> bool:
    """Lets Ctrl-C stop the fast executor. Returns False if somebody else already watches signals."""
    return threading.current_thread() is threading.main_thread() and _start()


@lru_cache(maxsize=1)
def _start() -> bool:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        os.close(reader)
        os.close(writer)
        return False
    threading.Thread(target=_watch, args=(reader,), daemon=True, name="interrupts").start()
    os.register_at_fork(after_in_child=_detach)
    return True


def _detach() -> None:
    """For forked children, which have the pipe of the parent but no thread that reads it."""
    signal.set_wakeup_fd(-1)


def _watch(reader: int) -> None:
    while byte := os.read(reader, 1):
        if byte[0] == signal.SIGINT:
            stop_what_runs()


def stop_what_runs() -> None:
    """Stops the running calls of the fast executor that do not end within the grace period."""
    engine: Any = sys.modules.get("interpreter.wasm.engine")
    if engine is None:
        return
    running = engine.running()
    sleep(GRACE)
    for instance, use in running:
        instance.stop(use)

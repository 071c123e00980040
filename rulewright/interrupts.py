"""Ctrl-C while the fast executor runs: Python would notice it only when the call has returned.

The system's handler of signals writes each one into a pipe at once. A thread reads it, gives a short call the
time to end by itself, and stops whatever then still runs. Python's own handler raises `KeyboardInterrupt` as
soon as the call has returned.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from functools import lru_cache
from time import sleep
from typing import Any

PATIENCE = 0.15
"""Seconds that a call may take to end by itself; a batch that is stopped in a step is lost."""


def listen() -> bool:
    """Ctrl-C stops the fast executor from here on; not if somebody else hears signals already."""
    return threading.current_thread() is threading.main_thread() and _begin()


@lru_cache(maxsize=1)
def _begin() -> bool:
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    before = signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before, warn_on_full_buffer=False)
        os.close(ear)
        os.close(mouth)
        return False
    threading.Thread(target=_heed, args=(ear,), daemon=True, name="interrupts").start()
    os.register_at_fork(after_in_child=_forget)
    return True


def _forget() -> None:
    """A child has the pipe of its parent and no thread that reads it."""
    signal.set_wakeup_fd(-1)


def _heed(ear: int) -> None:
    while heard := os.read(ear, 1):
        if heard[0] == signal.SIGINT:
            stop_what_runs()


def stop_what_runs() -> None:
    """Stops every call of the fast executor, if it is there, that does not end by itself in a moment."""
    engine: Any = sys.modules.get("interpreter.wasm.engine")
    if engine is None:
        return
    waiting = engine.running()
    sleep(PATIENCE)
    for instance, use in waiting:
        instance.stop(use)

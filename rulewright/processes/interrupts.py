"""Ctrl-C is answered at any time: by `KeyboardInterrupt`, and by an end of what the fast executor runs.

Python would handle it only after a call of the fast executor has returned. So the signal handler writes each
signal to a pipe. A thread reads it, gives short calls the time to end, and stops those that still run.

Python drops what is raised in a finalizer, and an exception while a process starts would leave it without
anybody who knows it. There our handler raises nothing; it is called again later.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from queue import SimpleQueue
from time import sleep
from types import FrameType
from typing import Any

from rulewright.processes.callbacks import in_callback

INTERRUPTED = 130
"""The exit code of a command that was interrupted."""
GRACE = 0.15
"""Seconds in which a call may end by itself; a batch that is stopped within a step is lost."""
RETRY = 0.01
"""Seconds until an interrupt that came in a finalizer is repeated."""


class _Postponed:
    """Interrupts that could not be answered at once. Only the main thread changes the numbers."""

    def __init__(self) -> None:
        self.blocks = 0
        self.waiting = False
        self.again: SimpleQueue[None] = SimpleQueue()

    def handle(self, _: int, frame: FrameType | None) -> None:
        """The handler of the signal."""
        if self.blocks:
            self.waiting = True
        elif in_callback(frame):
            self.again.put(None)
        else:
            raise KeyboardInterrupt


_POSTPONED = _Postponed()


@contextmanager
def postponed() -> Iterator[None]:
    """Raises `KeyboardInterrupt` at the end of its body for an interrupt that came in it."""
    _POSTPONED.blocks += 1
    try:
        yield
    finally:
        _POSTPONED.blocks -= 1
    if _POSTPONED.waiting and not _POSTPONED.blocks:
        _POSTPONED.waiting = False
        raise KeyboardInterrupt


def listen() -> bool:
    """Lets Ctrl-C stop the fast executor. Returns False if somebody else already watches signals."""
    return threading.current_thread() is threading.main_thread() and _start()


@contextmanager
def ended_like_interrupts() -> Iterator[None]:
    """In its body a request to end, as time limits of shells and queues send it, does what Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    own = os.getpid()

    def ended(number: int, _: FrameType | None) -> None:
        if os.getpid() == own:
            signal.raise_signal(signal.SIGINT)
            return
        signal.signal(number, signal.SIG_DFL)  # a forked worker ends at once
        signal.raise_signal(number)

    before = signal.signal(signal.SIGTERM, ended)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def answered() -> Iterator[None]:
    """Has our handler answer interrupts in its body, which is a whole command; after it they end the process.

    What was started with interrupts switched off, as shells do in the background, continues without them.
    """
    listen()
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    threading.Thread(target=_repeat, daemon=True, name="repeated interrupts").start()
    signal.signal(signal.SIGINT, _POSTPONED.handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


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


def _repeat() -> None:
    while True:
        _POSTPONED.again.get()
        sleep(RETRY)
        if hasattr(signal, "pthread_kill"):
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            signal.raise_signal(signal.SIGINT)


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

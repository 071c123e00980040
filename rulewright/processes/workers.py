"""Parallel work in processes that Ctrl-C ends at once."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from importlib import import_module
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

from rulewright.processes.interrupts import postponed

AHEAD = 3
"""How much work for each worker waits for it, so that it has always something to do."""
PATIENCE = 1.0
"""Seconds that abandoned work may still take before its process is killed."""
WorkItem = TypeVar("WorkItem")
Result = TypeVar("Result")


def in_processes(
    jobs: int,
    begin: Callable[..., None],
    given: tuple[Any, ...],
    work: Callable[[WorkItem], Result],
    items: Sequence[WorkItem],
    part: int = 1,
) -> Iterator[Result]:
    """Yields `work(item)` for each item, in order, computed by `jobs` processes.

    Each process is initialised by `begin(*given)` and takes `part` items at a time. If the consumer stops
    early or is interrupted, the processes are killed; they ignore interrupts themselves. They end if this
    process ends, however it does.
    """
    with process_pool(jobs, begin, given) as pool:
        yield from pool.results(work, items, part)


class WorkerPool:
    """Processes that wait for work."""

    def __init__(self, start: Callable[[], ProcessPoolExecutor]) -> None:
        self._start = start
        self._pool = start()
        self._abandoned: Sequence[Future[Any]] = ()

    def close(self) -> None:
        """What is still carried out is not wanted any more."""
        _kill(self._pool)
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _free(self) -> None:
        """Replaces processes that are still at work that nobody waits for, such as a long match."""
        if self._abandoned and wait(self._abandoned, PATIENCE).not_done:
            self.close()
            self._pool = self._start()
        self._abandoned = ()

    def results(
        self, work: Callable[[WorkItem], Result], items: Sequence[WorkItem], part: int = 1
    ) -> Iterator[Result]:
        """Yields `work(item)` for each item, in order."""
        with postponed(), interrupts_blocked():
            parts = [items[i : i + part] for i in range(0, len(items), part)]
            futures = [self._pool.submit(_each, work, items) for items in parts]
        for future in futures:
            yield from future.result()

    def stream(
        self,
        work: Callable[[WorkItem], Result],
        items: Iterable[WorkItem],
        ahead: int,
        left: Callable[[], float],
    ) -> Iterator[Result]:
        """Yields `work(item)` for each item, in order; at most `ahead` items are taken before their turn.

        It ends early when there are no seconds left. It does not wait for work in progress; if that
        continues for long, its process is killed and another one takes the next work.
        """
        self._free()
        waiting: deque[Future[Result]] = deque()
        following = iter(items)
        try:
            while True:
                while len(waiting) < ahead and left() > 0 and (item := next(following, None)) is not None:
                    with postponed(), interrupts_blocked():
                        waiting.append(self._pool.submit(work, item))
                if not waiting:
                    return
                seconds = left()
                yield waiting[0].result(None if seconds == math.inf else max(0.0, seconds))
                waiting.popleft()
        except TimeoutError:
            return
        finally:
            self._abandoned = [future for future in waiting if not future.cancel()]


@contextmanager
def process_pool(jobs: int, begin: Callable[..., None], given: tuple[Any, ...]) -> Iterator[WorkerPool]:
    """So many processes, each initialised by `begin(*given)`. They are killed when the body is left.

    `in_processes` says what else holds of them.
    """

    def start() -> ProcessPoolExecutor:
        with postponed():
            return ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (begin, given))

    pool = WorkerPool(start)
    try:
        yield pool
    finally:
        pool.close()


def _begin(begin: Callable[..., None], given: tuple[Any, ...]) -> None:
    threading.Thread(target=end_with_parent, daemon=True, name="parent").start()
    begin(*given)


def end_with_parent() -> None:
    """Wait until the parent of this process ends, and end it too.

    A process waits for more to do as long as anybody could send it something, also its siblings.
    """
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _each(work: Callable[[WorkItem], Result], items: Sequence[WorkItem]) -> list[Result]:
    return [work(item) for item in items]


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Blocks Ctrl-C within its body, so that processes started there ignore it."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is not None:
        import_module("multiprocessing.resource_tracker").ensure_running()  # its start would end the block
    before = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask is not None else None
    try:
        yield
    finally:
        if mask is not None:
            mask(signal.SIG_SETMASK, before)


def _kill(pool: ProcessPoolExecutor) -> None:
    """Kills the processes of a pool at once, for which pools have no method before Python 3.14."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()

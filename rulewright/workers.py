"""Parallel work in processes that Ctrl-C ends at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

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
    early or is interrupted, the processes are killed; they ignore interrupts themselves.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), begin, given)
    try:
        with _interrupts_blocked():
            parts = [items[i : i + part] for i in range(0, len(items), part)]
            futures = [pool.submit(_each, work, items) for items in parts]
        for future in futures:
            yield from future.result()
    except BaseException:
        _kill(pool)
        raise
    finally:
        pool.shutdown(wait=True)


def _each(work: Callable[[WorkItem], Result], items: Sequence[WorkItem]) -> list[Result]:
    return [work(item) for item in items]


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Blocks Ctrl-C within its body, so that processes started there ignore it."""
    mask = getattr(signal, "pthread_sigmask", None)
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

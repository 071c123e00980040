"""Work that several processes share, and that Ctrl-C ends at once."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

WorkItem = TypeVar("WorkItem")
Made = TypeVar("Made")


def in_processes(
    jobs: int,
    begin: Callable[..., None],
    given: tuple[Any, ...],
    work: Callable[[WorkItem], Made],
    items: Sequence[WorkItem],
    part: int = 1,
) -> Iterator[Made]:
    """What `work` makes of each item, in their order, in `jobs` processes that each `begin` with `given`.

    They are given `part` items at a time. Whoever stops in the middle, or is interrupted, ends them: an
    interrupt is for the process that started them, and what they were at is lost.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), begin, given)
    try:
        with _deaf():
            parts = [items[i : i + part] for i in range(0, len(items), part)]
            made = [pool.submit(_each, work, one) for one in parts]
        for found in made:
            yield from found.result()
    except BaseException:
        _end(pool)
        raise
    finally:
        pool.shutdown(wait=True)


def _each(work: Callable[[WorkItem], Made], items: Sequence[WorkItem]) -> list[Made]:
    return [work(item) for item in items]


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started here do not hear Ctrl-C; whoever starts them hears it afterwards."""
    mask = getattr(signal, "pthread_sigmask", None)
    before = mask(signal.SIG_BLOCK, {signal.SIGINT}) if mask is not None else None
    try:
        yield
    finally:
        if mask is not None:
            mask(signal.SIG_SETMASK, before)


def _end(pool: ProcessPoolExecutor) -> None:
    """Before Python 3.14 a pool has no word for it; waiting for the work to end is no answer to Ctrl-C."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()

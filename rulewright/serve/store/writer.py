"""Writing by threads: jobs are carried out in transactions, and are done only after the commit."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from rulewright.serve.store.storage import Conflict, StoreFailed

T = TypeVar("T")
MOST_JOBS = 200
"""The most jobs of one transaction."""


@dataclass(eq=False)
class Job:
    """Something to be written, and what is told after its commit."""

    act: Callable[[Connection], Any]
    committed: Callable[[], None] | None = None
    future: Future[Any] = field(default_factory=Future)
    result: Any = None


class Writer:
    """Threads that carry out jobs.

    With `grouped`, a thread puts all jobs that wait into one transaction, so that they share its commit; a
    job that raises `Conflict` is rolled back alone. `check` raises `StoreFailed` where what was committed
    would be lost; it is called before each transaction and behind it.
    """

    def __init__(
        self,
        engine: Engine,
        threads: int = 1,
        grouped: bool = True,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self.engine = engine
        self.check = check
        self.most = MOST_JOBS if grouped else 1
        self._jobs: queue.Queue[Job | None] = queue.Queue()
        self._closed = False
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._work, name=f"writer-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, act: Callable[[Connection], T], committed: Callable[[], None] | None = None
    ) -> Future[T]:
        """Carry out a job. Its future is done after the commit, and after `committed` was called."""
        job = Job(act, committed)
        with self._lock:
            if self._closed:
                job.future.set_exception(StoreFailed("the store is closed"))
            else:
                self._jobs.put(job)
        return job.future

    def close(self) -> None:
        """Carry out the jobs that wait, and end the threads."""
        with self._lock:
            if not self._closed:
                self._closed = True
                for _ in self._threads:
                    self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    # ---- on the threads

    def _work(self) -> None:
        while (first := self._jobs.get()) is not None:
            jobs, last = [first], False
            while len(jobs) < self.most and not last:
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                if job is None:
                    last = True
                else:
                    jobs.append(job)
            # One that was given up before it began is not begun; later it cannot be given up any more.
            self._write([job for job in jobs if job.future.set_running_or_notify_cancel()])
            if last:
                return

    def _write(self, jobs: Sequence[Job]) -> None:
        """Carry out jobs in one transaction; if that fails, each in one of its own."""
        if not jobs:
            return
        try:
            self.check()
            done, refused = self._transaction(jobs)
        except Exception as error:
            if len(jobs) > 1:
                for job in jobs:
                    self._write([job])
                return
            failed = StoreFailed(str(error))
            failed.__cause__ = error
            jobs[0].future.set_exception(failed)
            return
        try:
            self.check()
        except StoreFailed as lost:
            for job in jobs:
                job.future.set_exception(lost)
            return
        for job in done:
            if job.committed is not None:
                job.committed()
            job.future.set_result(job.result)
        for job, conflict in refused:
            job.future.set_exception(conflict)

    def _transaction(self, jobs: Sequence[Job]) -> tuple[list[Job], list[tuple[Job, Conflict]]]:
        if len(jobs) == 1:
            return self._alone(jobs[0])
        done: list[Job] = []
        refused: list[tuple[Job, Conflict]] = []
        with self.engine.begin() as connection:
            for job in jobs:
                try:
                    with connection.begin_nested():
                        job.result = job.act(connection)
                    done.append(job)
                except Conflict as conflict:
                    refused.append((job, conflict))
        return done, refused

    def _alone(self, job: Job) -> tuple[list[Job], list[tuple[Job, Conflict]]]:
        """A transaction of one job, which needs no savepoint."""
        try:
            with self.engine.begin() as connection:
                job.result = job.act(connection)
        except Conflict as conflict:
            return [], [(job, conflict)]
        return [job], []


def guarded(act: Callable[[], T]) -> T:
    """Read from the store. Raises `StoreFailed` if the database fails."""
    try:
        return act()
    except SQLAlchemyError as error:
        raise StoreFailed(str(error)) from error

"""What works for a session beside it. What nobody waits for any more is ended, not asked to stop.

A worker carries out one task at a time, by its name in `tasks.TASKS`. A task tells what it has found so far
as often as it likes; together that is its result.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from rulewright.studio.fork_server import DONE, FAILED, RunningTask, TaskStarter, task_starter
from rulewright.studio.rpc import Json, refused

WAITING = 16
"""The most threads that begin tasks and wait for what they find."""


class Superseded(Exception):
    """A task was ended because another one is wanted instead."""


@dataclass(eq=False)
class Workshop:
    """What the workers of a session share: what begins their tasks, and threads that wait for them."""

    starter: TaskStarter = field(default_factory=task_starter)
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(WAITING, "tasks"))

    def close(self) -> None:
        """No more tasks. Those that are carried out end with their workers."""
        self.starter.close()
        self.threads.shutdown(wait=False, cancel_futures=True)


@dataclass(eq=False)
class Worker:
    """Carries out one task at a time; a new task ends the one before."""

    workshop: Workshop
    _running: RunningTask | None = None
    _number: int = 0

    @property
    def is_busy(self) -> bool:
        """Whether a task is carried out."""
        return self._running is not None

    async def run(self, task: str, given: Json, told: Callable[[Json], None]) -> None:
        """Carry out a task; `told` hears what it has found. Returns when it is done.

        Raises `Superseded` if another task was wanted meanwhile, `RpcError` if it fails.
        """
        self.stop()
        number, loop, threads = self._number, asyncio.get_running_loop(), self.workshop.threads
        try:
            running = await loop.run_in_executor(threads, self.workshop.starter.begin, task, given)
            if number != self._number:
                running.end()
                raise Superseded
            self._running = running
            while True:
                kind, found = await loop.run_in_executor(threads, running.pipe.recv)
                if number != self._number:
                    raise Superseded
                if kind == FAILED:
                    raise refused("mistake", found)
                told(found)
                if kind == DONE:
                    return
        except (EOFError, OSError):
            if number != self._number:
                raise Superseded from None
            raise refused("ended", "the process that worked on it has ended") from None
        finally:
            if number == self._number:
                self._running = None

    def stop(self) -> None:
        """Nobody waits for the task any more: end it."""
        self._number += 1
        running, self._running = self._running, None
        if running is not None:
            with suppress(OSError):
                running.end()

"""Processes that work for a session. What nobody waits for any more is killed, not asked to stop.

A worker carries out one task at a time, by its name in `tasks.TASKS`. A task tells what it has found so far
as often as it likes; together that is its result.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from typing import Any

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.messages import Fault
from rulewright.studio.rpc import Json, refused
from rulewright.studio.tasks import TASKS
from rulewright.workers import end_with_parent

READY, PART, DONE, FAILED = "ready", "part", "done", "failed"


class Superseded(Exception):
    """A task was killed because another one is wanted instead."""


@dataclass(eq=False)
class Worker:
    """A process that carries out one task at a time; a new task kills the one before.

    A process that has not begun its task yet is not killed: it takes the new one instead.
    """

    _process: BaseProcess | None = None
    _pipe: Pipe | None = None
    _ready: asyncio.Task[object] | None = None
    _busy: bool = False
    """Whether a task was sent that is not done."""
    _number: int = 0

    async def run(self, task: str, given: Json, told: Callable[[Json], None]) -> None:
        """Carry out a task; `told` hears what it has found. Returns when it is done.

        Raises `Superseded` if another task was wanted meanwhile, `RpcError` if it fails.
        """
        self.stop()
        number, pipe = self._number, self._started()
        try:
            assert self._ready is not None
            await asyncio.shield(self._ready)
            self._check(number)
            self._busy = True
            await asyncio.to_thread(pipe.send, (task, given))
            while True:
                kind, found = await asyncio.to_thread(pipe.recv)
                self._check(number)
                if kind == FAILED:
                    raise refused("mistake", found)
                told(found)
                if kind == DONE:
                    return
        except (EOFError, OSError):
            if number != self._number:
                raise Superseded from None
            self.kill()
            raise refused("ended", "the process that worked on it has ended") from None
        finally:
            if number == self._number:
                self._busy = False

    def _check(self, number: int) -> None:
        if number != self._number:
            raise Superseded

    def _started(self) -> Pipe:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            self._ready = asyncio.get_running_loop().create_task(asyncio.to_thread(self._pipe.recv))
            self._ready.add_done_callback(_looked_at)
        return self._pipe

    def stop(self) -> None:
        """Nobody waits for the task any more: kill it if it is carried out."""
        self._number += 1
        if self._busy:
            self.kill()

    def kill(self) -> None:
        """Kill the process, with what it does."""
        self._number += 1
        process, self._process, self._pipe, self._busy = self._process, None, None, False
        if process is not None:
            process.kill()
            process.join(5)


def _looked_at(task: asyncio.Task[object]) -> None:
    """A process that was killed before it was ready is no mistake."""
    if not task.cancelled():
        task.exception()


def _work(pipe: Pipe) -> None:
    """Carry out tasks until the parent ends or closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True, name="parent").start()
    with suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            task, given = pipe.recv()
            _carry_out(pipe, task, given)


def _carry_out(pipe: Pipe, task: str, given: dict[str, Any]) -> None:
    try:
        for found in TASKS[task](**given):
            pipe.send((PART, found))
    except ErrorsReported as stop:
        pipe.send((FAILED, next(iter(stop.report)).message))
    except (DiagnosticError, Fault) as error:
        pipe.send((FAILED, error.diagnostic.message))
    else:
        pipe.send((DONE, {"done": True}))

"""A process that has everything imported and the rules read, and forks a process for each task.

It has one thread, so that forking it is safe; the studio itself, which has several, is never forked. What
nobody waits for any more is ended by closing its pipe. Where there is no fork, each task has a process that
begins from nothing.
"""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any, NoReturn, Protocol

from dsl.diagnostics import DiagnosticError, ErrorsReported
from interpreter.messages import Fault
from rulewright.processes.workers import end_with_parent, interrupts_blocked
from rulewright.studio.loading import FrozenRuleset, loaded
from rulewright.studio.rpc import Json
from rulewright.studio.tasks import TASKS

PART, DONE, FAILED = "part", "done", "failed"
FORKS = hasattr(os, "fork")
COLLECTED = 16
"""After how many tasks the process that forks clears up."""
YOUNG = 100_000
"""How many objects a task makes before it searches for garbage: it ends soon, and its memory with it."""
GENTLE = 5
"""By how much tasks give way to what the page waits for."""


@dataclass(frozen=True)
class RunningTask:
    """A task that is carried out, and the pipe on which it tells what it finds."""

    pipe: Pipe
    end: Callable[[], None]
    """End it, with what it does; whoever reads the pipe reads its end."""


class TaskStarter(Protocol):
    """What begins tasks, from any thread."""

    def begin(self, task: str, given: Json) -> RunningTask:
        """Begin a task by its name in `tasks.TASKS`. Raises `OSError` if there is no process for it."""
        ...

    def close(self) -> None: ...


def task_starter() -> TaskStarter:
    """The quickest way to begin tasks that this system has."""
    return ForkServer() if FORKS else Spawner()


@dataclass(eq=False)
class ForkServer:
    """The process that forks. It is started with the first task, and again if it has ended."""

    _process: BaseProcess | None = None
    _control: Pipe | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def begin(self, task: str, given: Json) -> RunningTask:
        with self._lock:
            control = self._started()
            ours, theirs = get_context("spawn").Pipe()
            with theirs:
                control.send((task, given))
                send_handle(control, theirs.fileno(), None)
        return RunningTask(ours, lambda: _hang_up(ours))

    def _started(self) -> Pipe:
        if self._closed:
            raise ConnectionAbortedError("the studio is closed")
        if self._control is None or self._process is None or not self._process.is_alive():
            context = get_context("spawn")
            self._control, theirs = context.Pipe()
            process = context.Process(target=serve, args=(theirs,), daemon=True)
            with interrupts_blocked():
                process.start()
            theirs.close()
            self._process = process
            if self._closed:  # meanwhile
                process.kill()
                raise ConnectionAbortedError("the studio is closed")
        return self._control

    def close(self) -> None:
        """End it; tasks end with their own pipes."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
            process.join(5)


def _hang_up(pipe: Pipe) -> None:
    """End what is said on a pipe, on both sides, also while another thread reads it."""
    with suppress(OSError), socket.fromfd(pipe.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.shutdown(socket.SHUT_RDWR)


@dataclass(eq=False)
class Spawner:
    """A new process for each task."""

    def begin(self, task: str, given: Json) -> RunningTask:
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_spawned, args=(theirs, task, given), daemon=True)
        with interrupts_blocked():
            process.start()
        theirs.close()
        return RunningTask(ours, process.kill)

    def close(self) -> None:
        """Nothing waits."""


# ---- in the process that forks


def serve(control: Pipe) -> None:
    """Fork a process for each task, until the studio ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _import_ahead()
    number = 0
    with suppress(EOFError, OSError):
        while True:
            task, given = control.recv()
            pipe = Pipe(recv_handle(control))
            _read_ahead(given)
            if os.fork() == 0:
                control.close()
                _forked(pipe, task, given)
            pipe.close()
            number += 1
            if number % COLLECTED == 0:
                gc.unfreeze()
                gc.collect()


def _import_ahead() -> None:
    """Import what tasks import later. Libraries of numbers would begin threads, which no fork has."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if find_spec("numpy") is not None:
        import_module("rulewright.experiments.sides")
        import_module("rulewright.experiments.running")
        import_module("validators.experiments.comparing")


def _read_ahead(given: Json) -> None:
    """Read the rulesets of a task, so that those of later tasks are read already.

    What is wrong with them the task says, which reads them too.
    """
    gc.disable()
    for one in given.values():
        if isinstance(one, FrozenRuleset):
            with suppress(Exception):
                loaded(one)
    gc.freeze()


def _forked(pipe: Pipe, task: str, given: dict[str, Any]) -> NoReturn:
    """Carry out a task in a process of its own."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        gc.enable()
        gc.set_threshold(YOUNG)
        os.nice(GENTLE)
        threading.Thread(target=_end_with, args=(pipe,), daemon=True, name="pipe").start()
        carry_out(pipe, task, given)
    finally:
        os._exit(0)


def _end_with(pipe: Pipe) -> NoReturn:
    """Wait until nobody reads a pipe any more, and end this process; nothing is ever sent to it."""
    with suppress(EOFError, OSError):
        pipe.poll(None)
    os._exit(1)


def _spawned(pipe: Pipe, task: str, given: dict[str, Any]) -> None:
    """Carry out the only task of a process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True, name="parent").start()
    carry_out(pipe, task, given)


def carry_out(pipe: Pipe, task: str, given: dict[str, Any]) -> None:
    """Tell what a task finds as it finds it, and that it is done or why it fails."""
    with suppress(BrokenPipeError):
        try:
            for found in TASKS[task](**given):
                pipe.send((PART, found))
        except ErrorsReported as stop:
            pipe.send((FAILED, stop.report.first.message))
        except (DiagnosticError, Fault) as error:
            pipe.send((FAILED, error.diagnostic.message))
        else:
            pipe.send((DONE, {"done": True}))

"""Ctrl-C is answered whenever it comes: while processes start, in finalizers, during imports, at the end."""

from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
import weakref
from _thread import interrupt_main
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from multiprocessing.popen_spawn_posix import Popen
from pathlib import Path
from time import sleep

import pytest

from rulewright.processes.interrupts import INTERRUPTED, answered, postponed
from rulewright.processes.workers import in_processes

ROOT = Path(__file__).resolve().parents[2]


def interrupt() -> None:
    """As a signal does that came to another thread: some are blocked in this one."""
    interrupt_main(signal.SIGINT)


@pytest.fixture
def listening() -> Iterator[None]:
    """Interrupts are answered as in a command, even where the tests run without any."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with answered():
        yield
    signal.signal(signal.SIGINT, before)


def wait(after: Callable[[], object]) -> None:
    after()
    sleep(60)
    pytest.fail("the interrupt was lost")


# ---- at bad moments


@pytest.mark.parametrize("number", [1, 2])
def test_no_process_is_left_that_was_just_starting(
    number: int, listening: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []
    launch = Popen._launch

    def interrupted(self: Popen, process: object) -> None:
        launch(self, process)
        started.append(self.pid)
        if len(started) == number:
            interrupt()

    monkeypatch.setattr(Popen, "_launch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(in_processes(2, operator.abs, (1,), operator.abs, range(9)))
    assert started
    assert active_children() == []
    for pid in started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_an_interrupt_is_postponed_and_not_lost(listening: None) -> None:
    passed: list[str] = []

    def work() -> None:
        with postponed():
            with postponed():
                interrupt()
                passed.append("inner")
            passed.append("outer")
        passed.append("end")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert passed == ["inner", "outer"]
    with postponed():
        pass


class Interrupting:
    """Interrupts when it is gone."""

    def __del__(self) -> None:
        interrupt()


def test_an_interrupt_in_a_finalizer_is_repeated(listening: None) -> None:
    with pytest.raises(KeyboardInterrupt):
        wait(Interrupting)


def test_an_interrupt_in_a_callback_of_a_weak_reference_is_repeated(listening: None) -> None:
    watched = {Watched()}
    for one in watched:
        weakref.finalize(one, interrupt)
    del one
    with pytest.raises(KeyboardInterrupt):
        wait(watched.clear)


class Watched:
    """What weak references can be made to."""


# ---- the whole command


def ended(script: str) -> tuple[int, str]:
    """The exit status of a script, and what it and all its processes print."""
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return run.returncode, run.stdout


LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
IMPORTING = """
import sys
from rulewright.__main__ import run
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
run()
"""
LEAVING = """
import atexit, sys
from rulewright.__main__ import run
atexit.register(signal.raise_signal, signal.SIGINT)
sys.argv = ["rulewright", "--version"]
run()
"""
KILLED = """
import operator, os
from rulewright.processes.workers import in_processes
if __name__ == "__main__":
    results = in_processes(2, operator.abs, (1,), operator.abs, range(9))
    next(results)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_interrupted_import_ends_the_command() -> None:
    assert ended(LISTENING + IMPORTING) == (INTERRUPTED, "")


def test_an_interrupt_after_the_command_says_nothing() -> None:
    status, output = ended(LISTENING + LEAVING)
    assert status == -signal.SIGINT
    assert output.startswith("rulewright, version")
    assert output.count("\n") == 1


def test_interrupts_that_were_switched_off_stay_so() -> None:
    switched_off = LISTENING.replace("default_int_handler", "SIG_IGN")
    status, output = ended(switched_off + LEAVING)
    assert status == 0
    assert output.count("\n") == 1


def test_processes_end_with_whoever_started_them() -> None:
    """Without waiting for it, the output would never end."""
    status, _ = ended(LISTENING + KILLED)
    assert status == -signal.SIGKILL

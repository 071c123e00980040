"""A ruleset of a stranger takes no more than a moment of the server."""

from __future__ import annotations

import time
from threading import Thread

import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.serve.matches.bounded import bounded


def spin(seconds: float) -> None:
    """Keep the processor busy."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_what_takes_too_long_is_stopped() -> None:
    begun = time.process_time()
    with pytest.raises(DiagnosticError, match="too long"), bounded(0.05):
        spin(5)
    assert time.process_time() - begun < 1


def test_nothing_is_stopped_afterwards() -> None:
    with bounded(0.05):
        pass
    spin(0.15)


def test_another_thread_is_left_alone() -> None:
    done: list[bool] = []

    def work() -> None:
        with bounded(0.01):
            spin(0.05)
        done.append(True)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]

"""How much time rules may take, and that threads and what comes later are left alone."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from threading import Thread

import pytest

from dsl.diagnostics import DiagnosticError
from rulewright.processes.deadline import TimeIsUp, at_most_busy
from rulewright.serve.matches import allowance as bounds
from rulewright.serve.matches.allowance import Allowance, sendable
from tests.serve.test_storage import MATCH


def spin(seconds: float) -> None:
    """Keep the processor busy."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


class Hours:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests are in a hurry."""
    monkeypatch.setattr(bounds, "MOST_SECONDS", 0.2)
    monkeypatch.setattr(bounds, "STRANGERS_SECONDS", 0.05)


def strangers(clock: Hours) -> Allowance:
    return Allowance(lambda source: source == MATCH.source, clock)


def test_what_takes_too_long_is_stopped() -> None:
    begun = time.process_time()
    with pytest.raises(DiagnosticError, match="too long") as refused, Allowance().running(MATCH):
        spin(5)
    assert refused.value.diagnostic.code == "C461"
    assert time.process_time() - begun < 1


def test_no_handler_of_errors_catches_it() -> None:
    def stubborn() -> None:
        with suppress(Exception):
            spin(5)
        spin(5)

    with pytest.raises(DiagnosticError, match="too long"), Allowance().running(MATCH):
        stubborn()


def test_nothing_is_stopped_afterwards() -> None:
    with Allowance().running(MATCH):
        pass
    spin(0.3)


def test_a_piece_within_another_has_no_time_of_its_own() -> None:
    allowance = Allowance()

    def pieces() -> None:
        for _ in range(100):
            with allowance.running(MATCH):
                spin(0.05)

    with pytest.raises(DiagnosticError, match="too long"), allowance.running(MATCH):
        pieces()
    with allowance.running(MATCH):
        pass


def test_another_thread_is_left_alone() -> None:
    done: list[bool] = []

    def work() -> None:
        with at_most_busy(0.01):
            spin(0.05)
        done.append(True)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


def test_the_time_of_other_threads_does_not_count() -> None:
    ended = False

    def work() -> None:
        while not ended:
            spin(0.001)

    thread = Thread(target=work)
    thread.start()
    try:
        with at_most_busy(0.2):
            spin(0.15)
        with pytest.raises(TimeIsUp), at_most_busy(0.05):
            spin(5)
    finally:
        ended = True
        thread.join()


def test_rules_of_a_stranger_rest_after_a_piece_that_was_too_long() -> None:
    clock = Hours()
    allowance = strangers(clock)
    with pytest.raises(DiagnosticError), allowance.running(MATCH):
        spin(5)
    with pytest.raises(DiagnosticError, match="too long"), allowance.running(MATCH):
        raise AssertionError("it runs")
    assert allowance.wait(MATCH) == bounds.REST
    for other in (replace(MATCH, digest="another"), replace(MATCH, source="bundled")):
        assert allowance.wait(other) == 0
        with allowance.running(other):
            pass
    clock.now += bounds.REST + 1
    with allowance.running(MATCH):
        pass


def test_strangers_have_a_share_of_the_time() -> None:
    clock = Hours()
    allowance = strangers(clock)
    pieces = 0
    while allowance.wait(MATCH) == 0:
        with allowance.running(replace(MATCH, digest=f"{pieces}")):
            spin(0.02)
        pieces += 1
        assert pieces < 1000
    assert pieces >= bounds.MOST_SAVED / 0.03
    with pytest.raises(DiagnosticError, match="share"), allowance.running(MATCH):
        raise AssertionError("it runs")
    with allowance.running(replace(MATCH, source="bundled")):
        pass
    clock.now += allowance.wait(MATCH) + 0.1
    with allowance.running(MATCH):
        pass


def test_a_view_has_a_size() -> None:
    assert sendable("x") == "x"
    with pytest.raises(DiagnosticError, match="megabyte"):
        sendable("x" * (bounds.LARGEST_VIEW + 1))

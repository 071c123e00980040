"""Work that is not waited for does not keep processes from what comes after it."""

from __future__ import annotations

import time

import pytest

from rulewright.experiments.time_limit import TimeLimit
from rulewright.processes import workers
from rulewright.processes.workers import process_pool


def _begin() -> None:
    pass


def test_a_process_at_work_that_nobody_waits_for_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", 0.05)
    with process_pool(1, _begin, ()) as pool:
        assert list(pool.stream(abs, [-1, -2], 3, TimeLimit.within(60).left)) == [1, 2]
        assert not list(pool.stream(time.sleep, [3_600, 3_600], 3, TimeLimit.within(0.2).left))
        assert list(pool.stream(abs, [-3], 3, TimeLimit.within(60).left)) == [3]


def test_a_process_that_is_soon_done_is_kept() -> None:
    with process_pool(1, _begin, ()) as pool:
        assert list(pool.stream(abs, [-1], 3, TimeLimit.within(60).left)) == [1]
        before = pool._pool
        assert not list(pool.stream(time.sleep, [0.3], 3, TimeLimit.within(0.1).left))
        assert list(pool.stream(abs, [-3], 3, TimeLimit.within(60).left)) == [3]
        assert pool._pool is before

"""Measuring side by side: short slices of every task in turn, so that a moody machine treats all alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter

FEWEST_RUNS = 5


@dataclass(frozen=True)
class Pace:
    """How many slices of each task are timed, and how many seconds one is meant to last."""

    runs: int = 7
    seconds: float = 0.25


@dataclass
class Task:
    """Something that is done `number` times at a call and says how many units came of it; its rates."""

    name: str
    run: Callable[[int], float]
    number: int = 1
    rates: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Units a second: the median of the timed slices."""
        return median(self.rates)


def interleave(tasks: Sequence[Task], pace: Pace) -> None:
    """Fits each task to the length of a slice, which warms it up, then times them in turns."""
    for task in tasks:
        _fit(task, pace.seconds)
        task.run(task.number)
    for turn in range(pace.runs):
        for task in _rotated(tasks, turn):
            task.rates.append(_timed(task)[0])


def ratio(left: Task, right: Task) -> float:
    """How many times as fast `left` is: the median over slices that ran next to each other."""
    return median(a / b for a, b in zip(left.rates, right.rates, strict=True))


def _fit(task: Task, seconds: float) -> None:
    """Doubles the number until a slice takes a quarter of its time, then scales it.

    The first call tells nothing: whoever compiles when first asked does it then.
    """
    task.run(task.number)
    while (elapsed := _timed(task)[1]) < seconds / 4:
        task.number *= 2
    task.number = max(1, round(task.number * seconds / elapsed))


def _timed(task: Task) -> tuple[float, float]:
    """Units a second, and the seconds."""
    began = perf_counter()
    units = task.run(task.number)
    elapsed = perf_counter() - began
    return units / elapsed, elapsed


def _rotated(tasks: Sequence[Task], turn: int) -> list[Task]:
    first = turn % max(1, len(tasks))
    return [*tasks[first:], *tasks[:first]]


@contextmanager
def one_core() -> Iterator[None]:
    """Everything inside runs on one core, whatever threads it starts; where the system can do that."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)

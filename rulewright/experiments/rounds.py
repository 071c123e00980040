"""Several jobs carried out side by side: whole, or in rounds that grow until the time is up."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.experiments.running import JobRunner, parts
from rulewright.experiments.time_limit import UNLIMITED, TimeLimit
from validators.experiments.jobs import BLOCK, Job
from validators.experiments.players import UNIFORM
from validators.experiments.tallies import Tally

MOMENT = 1.0
"""Seconds that one part of a job should take where time is limited."""
FIRST_UNIFORM = 16
"""The matches of uniform bots in the first round, which tells how long they take."""


def carried_out(
    where: JobRunner, jobs: Sequence[Job], bots: Sequence[str], limit: TimeLimit = UNLIMITED
) -> Iterator[tuple[int, Tally]]:
    """The number of a job with the tally of its next seeds, again and again; all tallies of a job add up.

    Without a limit each job is played to its end before the next. With one they take turns: each round is the
    next seeds of all of them, so that all have had about as many when the time is up.
    """
    uniform = set(bots) <= {UNIFORM}
    pace = _Pace(where.workers, uniform)
    numbers: deque[tuple[int, int]] = deque()

    def planned() -> Iterator[Job]:
        rounds = _rounds(jobs, pace, limit) if limit.limited else _whole(jobs, where.workers, uniform)
        for number, part in rounds:
            numbers.append((number, len(part.seeds)))
            yield part

    for tally in where.results(planned(), limit):
        number, size = numbers.popleft()
        pace.finished += size
        yield number, tally


@dataclass
class _Pace:
    """How fast matches end: what came back since it was begun."""

    workers: int
    uniform: bool
    begun: float = field(default_factory=time.monotonic)
    finished: int = 0

    @property
    def rate(self) -> float:
        """Matches of one worker in a second; 0 as long as nothing is known."""
        return self.finished / max(1e-3, time.monotonic() - self.begun) / self.workers

    def size(self) -> int:
        """How many matches one part has."""
        if not self.finished:
            return FIRST_UNIFORM if self.uniform else 1
        return max(1, min(16 * BLOCK, int(MOMENT * self.rate)))


def _whole(jobs: Sequence[Job], workers: int, uniform: bool) -> Iterator[tuple[int, Job]]:
    return ((number, part) for number, job in enumerate(jobs) for part in parts(job, workers, uniform))


def _rounds(jobs: Sequence[Job], pace: _Pace, limit: TimeLimit) -> Iterator[tuple[int, Job]]:
    played, most = 0, max((len(job.seeds) for job in jobs), default=0)
    while played < most:
        fits = int(pace.rate * pace.workers * max(0.0, limit.left()) / len(jobs))
        if pace.finished and not fits:
            return
        size = min(pace.size(), most - played, fits) if pace.finished else min(pace.size(), most)
        for number, job in enumerate(jobs):
            left = len(job.seeds) - played
            if left > 0:
                yield number, job.part(played, min(size, left))
        played += size

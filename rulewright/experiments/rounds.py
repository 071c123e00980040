"""Several jobs carried out side by side: whole, or in rounds that grow until the time is up."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence

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
    where: JobRunner,
    jobs: Sequence[Job],
    bots: Sequence[str],
    limit: TimeLimit = UNLIMITED,
    first_limit: TimeLimit | None = None,
) -> Iterator[tuple[int, Tally]]:
    """The number of a job with the tally of its next seeds, again and again; all tallies of a job add up.

    Without a limit each job is played to its end before the next. With one they take turns: each round is the
    next seeds of all of them, so that all have had about as many when the time is up. `first_limit` is how
    long the first result is waited for, if that is longer: workers compile the game before it.
    """
    uniform = set(bots) <= {UNIFORM}
    pace = _Pace(where.workers, uniform)
    numbers: deque[tuple[int, int]] = deque()

    def planned() -> Iterator[Job]:
        rounds = _rounds(jobs, pace, limit) if limit.limited else _whole(jobs, where.workers, uniform)
        for number, part in rounds:
            numbers.append((number, len(part.seeds)))
            yield part

    until = TimeLimit((first_limit or limit).end)
    for tally in where.results(planned(), until):
        until.end = limit.end
        number, size = numbers.popleft()
        pace.ended(size)
        yield number, tally


class _Pace:
    """How fast matches end, by what came back last: the first results wait for what is compiled."""

    def __init__(self, workers: int, uniform: bool) -> None:
        self.workers = workers
        self.last: deque[tuple[float, int]] = deque(maxlen=2 * workers + 2)
        self.largest = FIRST_UNIFORM if uniform else 1

    def ended(self, number: int) -> None:
        """So many matches came back."""
        self.last.append((time.monotonic(), number))

    @property
    def rate(self) -> float | None:
        """Matches of all workers in a second; none as long as too little is known."""
        if len(self.last) <= self.workers:
            return None
        seconds = self.last[-1][0] - self.last[0][0]
        return sum(number for _, number in list(self.last)[1:]) / max(1e-3, seconds)

    def size(self) -> int:
        """How many matches a part of the next round has: at most twice as many as one had before."""
        rate = self.rate
        if rate is not None:
            self.largest = max(1, min(16 * BLOCK, 2 * self.largest, int(MOMENT * rate / self.workers)))
        return self.largest


def _whole(jobs: Sequence[Job], workers: int, uniform: bool) -> Iterator[tuple[int, Job]]:
    return ((number, part) for number, job in enumerate(jobs) for part in parts(job, workers, uniform))


def _rounds(jobs: Sequence[Job], pace: _Pace, limit: TimeLimit) -> Iterator[tuple[int, Job]]:
    played, most = 0, max((len(job.seeds) for job in jobs), default=0)
    while played < most:
        size, rate = min(pace.size(), most - played), pace.rate
        if rate is not None:
            size = min(size, int(rate * max(0.0, limit.left()) / len(jobs)))
        if size < 1:
            return
        for number, job in enumerate(jobs):
            left = len(job.seeds) - played
            if left > 0:
                yield number, job.part(played, min(size, left))
        played += size

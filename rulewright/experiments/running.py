"""Where jobs run: here, in processes, or on the machines of a cluster. The results are the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import takewhile
from typing import Protocol

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from interpreter.messages import Aborted, NoMemory, StoppedRun
from rulewright.experiments.rulesets import Ruleset, RulesetGames, needed
from rulewright.experiments.time_limit import UNLIMITED, TimeLimit
from rulewright.messages import NoCluster
from rulewright.processes.messages import MemoryShort, WorkerLost
from rulewright.processes.workers import AHEAD, WorkerPool, process_pool
from validators.experiments.jobs import BLOCK, Job
from validators.experiments.players import UNIFORM
from validators.experiments.tallies import Tally

PARTS_PER_WORKER = 4
"""Into how many parts for each worker a job is split, so that none waits long for the last."""

SEARCHED = 8
"""The most matches of bots that search in one part, so that there is soon something to see."""


class JobRunner(Protocol):
    """Carries out jobs about the rulesets that it was told. `workers` is how many it carries out at once."""

    @property
    def workers(self) -> int: ...

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        """Further rulesets."""
        ...

    def results(self, jobs: Iterable[Job], limit: TimeLimit = UNLIMITED) -> Iterator[Tally]:
        """The tally of each job, in order; the jobs are taken one by one. It ends early at the limit."""
        ...


LOST = (WorkerLost, MemoryShort, NoCluster, NoMemory)
"""Mistakes for which no job can go on, whatever it is about."""


def answered(results: Iterator[Tally]) -> Iterator[Tally]:
    """The results; what ends workers is raised as a `DiagnosticError` with one of `LOST`."""
    try:
        yield from results
    except BrokenProcessPool:
        raise DiagnosticError(WorkerLost(NOWHERE)) from None
    except MemoryError:
        raise DiagnosticError(MemoryShort(NOWHERE)) from None
    except Aborted as error:
        if isinstance(error.diagnostic, StoppedRun):
            raise KeyboardInterrupt from None
        raise DiagnosticError(error.diagnostic) from None


class LocalRunner:
    """Runs jobs in this process."""

    workers = 1

    def __init__(self) -> None:
        self.games = RulesetGames([])

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        self.games.learn(rulesets)

    def results(self, jobs: Iterable[Job], limit: TimeLimit = UNLIMITED) -> Iterator[Tally]:
        """A job that is being carried out at the limit is finished."""
        return answered(job.run(self.games) for job in takewhile(lambda _: limit.left() > 0, jobs))


Work = tuple[tuple[Ruleset, ...], Job]
"""A job with the rulesets that it names, for a process that may not know them."""


class ProcessRunner:
    """Runs jobs in processes of this machine."""

    def __init__(self, pool: WorkerPool, workers: int) -> None:
        self.pool, self.workers = pool, workers
        self.rulesets: dict[str, Ruleset] = {}

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        self.rulesets.update((ruleset.digest, ruleset) for ruleset in rulesets)

    def results(self, jobs: Iterable[Job], limit: TimeLimit = UNLIMITED) -> Iterator[Tally]:
        work = ((needed(self.rulesets, job), job) for job in jobs)
        return answered(self.pool.stream(_run, work, AHEAD * self.workers, limit.left))


_games = RulesetGames([])
"""The games of a worker process."""


def _begin() -> None:
    pass


def _run(work: Work) -> Tally:
    rulesets, job = work
    _games.learn(rulesets)
    return job.run(_games)


@contextmanager
def runner(
    rulesets: Sequence[Ruleset], workers: int, cluster: str | None = None, apart: bool = False
) -> Iterator[JobRunner]:
    """What runs jobs about some rulesets, until its body is left.

    `cluster` is the address of a Ray cluster. With `apart` even a single worker is a process of its own,
    which need not be waited for. Raises `DiagnosticError` if there is no cluster.
    """
    with _runner(workers, cluster, apart) as jobs:
        jobs.learn(rulesets)
        yield jobs


@contextmanager
def _runner(workers: int, cluster: str | None, apart: bool) -> Iterator[JobRunner]:
    if cluster is not None:
        from rulewright.experiments.cluster import cluster_runner

        with cluster_runner(cluster) as joined:
            yield joined
    elif workers == 1 and not apart:
        yield LocalRunner()
    else:
        with process_pool(workers, _begin, ()) as pool:
            yield ProcessRunner(pool, workers)


def parts(job: Job, workers: int, uniform: bool) -> list[Job]:
    """A job in parts. Uniform bots play fast side by side, so that parts of theirs are not small."""
    number = len(job.seeds)
    size = max(BLOCK if uniform else 1, -(-number // (PARTS_PER_WORKER * workers)))
    size = min(size, 16 * BLOCK if uniform else SEARCHED)
    return [job.part(i, min(size, number - i)) for i in range(0, number, size)]


def run_parts(jobs: JobRunner, job: Job, bots: Sequence[str]) -> Iterator[tuple[int, Tally]]:
    """A job in parts, in order: how many seeds each has, and its tally."""
    split = parts(job, jobs.workers, set(bots) <= {UNIFORM})
    for part, tally in zip(split, jobs.results(split), strict=True):
        yield len(part.seeds), tally

"""Where jobs run: here, in processes, or on the machines of a cluster. The results are the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from rulewright.experiments.rulesets import Ruleset, RulesetGames, needed
from rulewright.workers import WorkerPool, process_pool
from validators.experiments.jobs import BLOCK, Job
from validators.experiments.players import UNIFORM
from validators.experiments.tallies import Tally

PARTS_PER_WORKER = 4
"""Into how many parts for each worker a job is split, so that none waits long for the last."""


class JobRunner(Protocol):
    """Carries out jobs about the rulesets that it was told. `workers` is how many it carries out at once."""

    @property
    def workers(self) -> int: ...

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        """Further rulesets."""
        ...

    def results(self, jobs: Sequence[Job]) -> Iterator[Tally]:
        """The tally of each job, in order."""
        ...


class LocalRunner:
    """Runs jobs in this process."""

    workers = 1

    def __init__(self) -> None:
        self.games = RulesetGames([])

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        self.games.learn(rulesets)

    def results(self, jobs: Sequence[Job]) -> Iterator[Tally]:
        return (job.run(self.games) for job in jobs)


Work = tuple[tuple[Ruleset, ...], Job]
"""A job with the rulesets that it names, for a process that may not know them."""


class ProcessRunner:
    """Runs jobs in processes of this machine."""

    def __init__(self, pool: WorkerPool, workers: int) -> None:
        self.pool, self.workers = pool, workers
        self.rulesets: dict[str, Ruleset] = {}

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        self.rulesets.update((ruleset.digest, ruleset) for ruleset in rulesets)

    def results(self, jobs: Sequence[Job]) -> Iterator[Tally]:
        return self.pool.results(_run, [(needed(self.rulesets, job), job) for job in jobs])


_games = RulesetGames([])
"""The games of a worker process."""


def _begin() -> None:
    pass


def _run(work: Work) -> Tally:
    rulesets, job = work
    _games.learn(rulesets)
    return job.run(_games)


@contextmanager
def runner(rulesets: Sequence[Ruleset], workers: int, cluster: str | None = None) -> Iterator[JobRunner]:
    """What runs jobs about some rulesets, until its body is left.

    `cluster` is the address of a Ray cluster. Raises `DiagnosticError` if there is none.
    """
    with _runner(workers, cluster) as found:
        found.learn(rulesets)
        yield found


@contextmanager
def _runner(workers: int, cluster: str | None) -> Iterator[JobRunner]:
    if cluster is not None:
        from rulewright.experiments.cluster import cluster_runner

        with cluster_runner(cluster) as joined:
            yield joined
    elif workers == 1:
        yield LocalRunner()
    else:
        with process_pool(workers, _begin, ()) as pool:
            yield ProcessRunner(pool, workers)


def parts(job: Job, workers: int, uniform: bool) -> list[Job]:
    """A job in parts. Uniform bots play fast side by side, so that parts of theirs are not small."""
    number = len(job.seeds)
    size = max(BLOCK if uniform else 1, -(-number // (PARTS_PER_WORKER * workers)))
    if uniform:
        size = min(size, 16 * BLOCK)
    return [job.part(i, min(size, number - i)) for i in range(0, number, size)]


def run_jobs(
    where: JobRunner, jobs: Sequence[Job], bots: Sequence[str], done: Callable[[int], None] = lambda _: None
) -> Iterator[Tally]:
    """The tally of each job, in order; each is split into parts. `done` is told of matches as they end."""
    uniform = set(bots) <= {UNIFORM}
    split = [parts(job, where.workers, uniform) for job in jobs]
    results = where.results([part for some in split for part in some])
    for some in split:
        found: Tally | None = None
        for part in some:
            tally = next(results)
            found = tally if found is None else found + tally
            done(len(part.seeds))
        assert found is not None
        yield found

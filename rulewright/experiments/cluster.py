"""Jobs on the machines of a Ray cluster. A job whose worker is lost is run again, to the same result."""

from __future__ import annotations

import io
import logging
import socket
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.experiments.rulesets import Ruleset, RulesetGames, needed
from rulewright.experiments.time_limit import UNLIMITED, TimeLimit
from rulewright.messages import NoCluster
from rulewright.processes.interrupts import postponed
from rulewright.processes.messages import MemoryShort
from rulewright.processes.workers import AHEAD
from validators.experiments.jobs import Job
from validators.experiments.tallies import Tally

ANSWER_LIMIT = 10.0
"""Seconds in which a cluster has to answer."""
RETRIES = 5
"""How often a job is run again whose worker was lost."""


class ClusterRunner:
    """Runs jobs as tasks of a cluster that this process has joined."""

    def __init__(self, address: str) -> None:
        import ray

        self.address, self._ray = address, ray
        self.rulesets: dict[str, Ruleset] = {}
        self.task: Any = ray.remote(max_retries=RETRIES)(run)

    def learn(self, rulesets: Sequence[Ruleset]) -> None:
        self.rulesets.update((ruleset.digest, ruleset) for ruleset in rulesets)

    @property
    def workers(self) -> int:
        """The processors of the cluster."""
        resources: Any = self._ray
        return max(1, int(resources.cluster_resources().get("CPU", 1)))

    def results(self, jobs: Iterable[Job], limit: TimeLimit = UNLIMITED) -> Iterator[Tally]:
        """Raises `DiagnosticError` with `NoCluster` if the cluster is lost."""
        waiting: deque[Any] = deque()
        following = iter(jobs)
        ahead = AHEAD * self.workers
        while True:
            while len(waiting) < ahead and limit.left() > 0 and (job := next(following, None)) is not None:
                waiting.append(self.task.remote(needed(self.rulesets, job), job))
            if not waiting:
                return
            seconds = limit.left()
            try:
                yield self._ray.get(waiting[0], timeout=max(0.0, seconds) if limit.limited else None)
            except self._ray.exceptions.GetTimeoutError:
                for one in waiting:
                    self._ray.cancel(one, force=True)
                return
            except self._ray.exceptions.OutOfMemoryError:
                raise DiagnosticError(MemoryShort(NOWHERE)) from None
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except (self._ray.exceptions.RayError, ConnectionError) as error:
                why = f"a job was lost ({type(error).__name__})"
                raise DiagnosticError(NoCluster(NOWHERE, self.address, why)) from None
            waiting.popleft()


_games = RulesetGames([])
"""The games that a process of a cluster has compiled."""


def run(rulesets: tuple[Ruleset, ...], job: Job) -> Tally:
    """The task."""
    from rulewright.experiments import cluster

    cluster._games.learn(rulesets)
    return job.run(cluster._games)


def _knock(address: str) -> None:
    """Raises `OSError` or `ValueError` if nobody answers there; Ray would end the process after a minute."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit():
        raise ValueError("an address is a machine and a port")
    socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_LIMIT).close()


@contextmanager
def cluster_runner(address: str) -> Iterator[ClusterRunner]:
    """Joins a cluster until the body is left. Raises `DiagnosticError` with `NoCluster`.

    Ray tells on the standard output what becomes of its workers; results belong there alone.
    """
    import ray

    with redirect_stdout(io.StringIO()):
        yield from _joined(ray, address)


def _joined(ray: Any, address: str) -> Iterator[ClusterRunner]:
    try:
        _knock(address)
        with postponed():
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DiagnosticError(NoCluster(NOWHERE, address, why)) from None
    try:
        yield ClusterRunner(address)
    finally:
        ray.shutdown()

"""Jobs on the machines of a Ray cluster. A job whose worker is lost is run again, to the same result."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.experiments.rulesets import Ruleset, RulesetGames, needed
from rulewright.interrupts import postponed
from rulewright.messages import NoCluster
from validators.experiments.jobs import Job
from validators.experiments.tallies import Tally

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

    def results(self, jobs: Sequence[Job]) -> Iterator[Tally]:
        """Raises `DiagnosticError` with `NoCluster` if the cluster is lost."""
        waiting = [self.task.remote(needed(self.rulesets, job), job) for job in jobs]
        for one in waiting:
            try:
                yield self._ray.get(one)
            except self._ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except (self._ray.exceptions.RayError, ConnectionError) as error:
                why = f"a job was lost ({type(error).__name__})"
                raise DiagnosticError(NoCluster(NOWHERE, self.address, why)) from None


_games = RulesetGames([])
"""The games that a process of a cluster has compiled."""


def run(rulesets: tuple[Ruleset, ...], job: Job) -> Tally:
    """The task."""
    from rulewright.experiments import cluster

    cluster._games.learn(rulesets)
    return job.run(cluster._games)


@contextmanager
def cluster_runner(address: str) -> Iterator[ClusterRunner]:
    """Joins a cluster until the body is left. Raises `DiagnosticError` with `NoCluster`."""
    import ray

    try:
        with postponed():
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DiagnosticError(NoCluster(NOWHERE, address, why)) from None
    try:
        yield ClusterRunner(address)
    finally:
        ray.shutdown()

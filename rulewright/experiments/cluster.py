"""Jobs on the machines of a Ray cluster. A job whose worker is lost is run again, to the same result."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import ray

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE
from rulewright.experiments.rulesets import Ruleset, RulesetGames
from rulewright.interrupts import postponed
from rulewright.messages import NoCluster
from validators.experiments.jobs import Job
from validators.experiments.tallies import Tally

RETRIES = 5
"""How often a job is run again whose worker was lost."""


class ClusterRunner:
    """Runs jobs as tasks of a cluster that this process has joined."""

    def __init__(self, rulesets: Sequence[Ruleset], address: str) -> None:
        self.address = address
        self.rulesets: Any = ray.put(tuple(rulesets))
        self.task: Any = ray.remote(max_retries=RETRIES)(run)

    @property
    def workers(self) -> int:
        """The processors of the cluster."""
        return max(1, int(ray.cluster_resources().get("CPU", 1)))

    def results(self, jobs: Sequence[Job]) -> Iterator[Tally]:
        """Raises `DiagnosticError` with `NoCluster` if the cluster is lost."""
        waiting = [self.task.remote(self.rulesets, job) for job in jobs]
        for one in waiting:
            try:
                yield ray.get(one)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from None
            except (ray.exceptions.RayError, ConnectionError) as error:
                why = f"a job was lost ({type(error).__name__})"
                raise DiagnosticError(NoCluster(NOWHERE, self.address, why)) from None


def run(rulesets: tuple[Ruleset, ...], job: Job) -> Tally:
    """The task. Each process of a cluster keeps the games that it has compiled."""
    return job.run(_games(rulesets))


@cache
def _games(rulesets: tuple[Ruleset, ...]) -> RulesetGames:
    return RulesetGames(rulesets)


@contextmanager
def cluster_runner(rulesets: Sequence[Ruleset], address: str) -> Iterator[ClusterRunner]:
    """Joins a cluster until the body is left. Raises `DiagnosticError` with `NoCluster`."""
    try:
        with postponed():
            ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DiagnosticError(NoCluster(NOWHERE, address, why)) from None
    try:
        yield ClusterRunner(rulesets, address)
    finally:
        ray.shutdown()

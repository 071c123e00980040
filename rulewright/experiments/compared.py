"""A comparison carried out: rounds of pairs until every sequential test has an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, DiagnosticError
from rulewright.experiments.running import JobRunner, run_jobs
from validators.experiments.comparing import Measure, decided, looks, measures
from validators.experiments.jobs import PairJob
from validators.experiments.tallies import PairTally


@dataclass(frozen=True)
class ComparisonPlan:
    """Which pairs are played at most, and what is looked at."""

    job: PairJob
    """All pairs up to the bound."""
    seats: tuple[str, ...]
    margin: float
    """The difference of shares of the win that matters."""


@dataclass(frozen=True)
class Compared:
    """What the pairs came to. `interrupted`: somebody has stopped it; the pairs of whole rounds count."""

    plan: ComparisonPlan
    tally: PairTally
    played: int
    interrupted: bool = False
    failure: Diagnostic | None = None
    """What has ended it before its time."""

    @property
    def measures(self) -> list[Measure]:
        return measures(self.tally, self.plan.seats, self.plan.margin)


def carry_out(
    where: JobRunner, plan: ComparisonPlan, done: Callable[[int], None] = lambda _: None
) -> Compared:
    """Plays pairs until all tests are decided or the bound is reached. Ctrl-C ends it with what there is."""
    tally, played = PairTally(), 0
    bots = (*plan.job.old.bots, *plan.job.new.bots)
    try:
        for look in looks(plan.job.number):
            (found,) = run_jobs(where, [plan.job.part(played, look - played)], bots, done)
            assert isinstance(found, PairTally)
            tally, played = tally + found, look
            if tally.pairs and decided(measures(tally, plan.seats, plan.margin)):
                break
    except KeyboardInterrupt:
        return Compared(plan, tally, played, interrupted=True)
    except DiagnosticError as error:
        return Compared(plan, tally, played, failure=error.diagnostic)
    return Compared(plan, tally, played)

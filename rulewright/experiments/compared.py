"""A comparison carried out: rounds of pairs until every sequential test has an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dsl.diagnostics import Diagnostic, DiagnosticError
from rulewright.experiments.running import JobRunner, run_parts
from validators.experiments.comparing import Measure, decided, looks, measures
from validators.experiments.jobs import PairJob
from validators.experiments.statistics import SequentialVerdict
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
    """What the pairs came to. `interrupted`: somebody has stopped it.

    `tested` are the pairs of whole rounds, of which the tests know; if play ended early, `tally` may have
    some more, which count for all numbers.
    """

    plan: ComparisonPlan
    tally: PairTally
    played: int
    tested: PairTally
    interrupted: bool = False
    failure: Diagnostic | None = None
    """What has ended it before its time."""

    @property
    def measures(self) -> list[Measure]:
        plan = self.plan
        found = measures(self.tally, plan.seats, plan.margin)
        if self.tested == self.tally:
            return found
        tests = measures(self.tested, plan.seats, plan.margin) if self.tested.pairs else []
        verdicts = {measure.name: measure.verdict for measure in tests}
        return [replace(m, verdict=verdicts.get(m.name, SequentialVerdict.UNDECIDED)) for m in found]


def carry_out(
    where: JobRunner,
    plan: ComparisonPlan,
    done: Callable[[int], None] = lambda _: None,
    seen: Callable[[Compared], None] = lambda _: None,
) -> Compared:
    """Plays pairs until all tests are decided or the bound is reached. Ctrl-C ends it with what there is.

    `done` is told how many pairs more were played, `seen` what they all come to.
    """
    tally = tested = PairTally()
    played = 0
    bots = (*plan.job.old.bots, *plan.job.new.bots)
    try:
        for look in looks(plan.job.number):
            for number, found in run_parts(where, plan.job.part(played, look - played), bots):
                assert isinstance(found, PairTally)
                tally, played = tally + found, played + number
                done(number)
                seen(Compared(plan, tally, played, tested))
            tested = tally
            if tally.pairs and decided(measures(tally, plan.seats, plan.margin)):
                break
    except KeyboardInterrupt:
        return Compared(plan, tally, played, tested, interrupted=True)
    except DiagnosticError as error:
        return Compared(plan, tally, played, tested, failure=error.diagnostic)
    return Compared(plan, tally, played, tested)

"""An arena: each two bots meet in pairs of matches with swapped seats, until it is known who is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from dsl.diagnostics import Diagnostic, DiagnosticError
from rulewright.experiments.running import JobRunner, run_parts
from validators.experiments.comparing import looks
from validators.experiments.jobs import PairJob, Side, Variant
from validators.experiments.statistics import (
    Evidence,
    Interval,
    Rating,
    SequentialVerdict,
    bradley_terry,
    normalized_elo,
    normalized_margin,
    sprt,
)
from validators.experiments.tallies import PairTally

Meeting = tuple[int, int]
"""Two bots by number, the lower one first."""


@dataclass(frozen=True)
class ArenaPlan:
    """The bots, and how many pairs each two of them play at most.

    `margin` is the difference in normalised Elo that matters, `alpha` the chance of a false alarm in one of
    all meetings.
    """

    variant: Variant
    bots: tuple[str, ...]
    first: int
    number: int
    margin: float
    alpha: float

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        return tuple(combinations(range(len(self.bots)), 2))

    @property
    def level(self) -> float:
        """The part of the level that each meeting has."""
        return self.alpha / len(self.meetings)

    def job(self, meeting: Meeting, first: int, number: int) -> PairJob:
        names = self.bots[meeting[0]], self.bots[meeting[1]]
        return meeting_job(self.variant, names, self.first + first, number)


def meeting_job(variant: Variant, bots: tuple[str, str], first: int, number: int) -> PairJob:
    """Pairs of two bots, who sit by turns and swap their seats."""
    lineups = (tuple(bots[(seat + swapped) % 2] for seat in range(variant.seats)) for swapped in (0, 1))
    old, new = (Side(variant, lineup) for lineup in lineups)
    return PairJob(old, new, first, number)


@dataclass(frozen=True)
class Met:
    """What two bots came to against each other: a tally of pairs, and how many were played.

    `tested` are those of whole rounds, of which the test knows, if the last round has not ended.
    """

    tally: PairTally = field(default_factory=PairTally)
    played: int = 0
    tested: PairTally | None = None

    def score(self, number: int) -> Evidence:
        """The share of the points of the first of them, each pair an observation; with so many seats."""
        return _score(self.tally, number)

    def verdict(self, plan: ArenaPlan) -> SequentialVerdict:
        """Whether the first is the better one."""
        tested = self.tested if self.tested is not None else self.tally
        seen = centred(_score(tested, plan.variant.seats))
        if not seen.n:
            return SequentialVerdict.UNDECIDED
        return sprt(seen, normalized_margin(plan.margin, seen), plan.level)

    def elo(self, plan: ArenaPlan) -> Interval:
        """Normalised Elo of the first, with an interval that holds at any stop."""
        return normalized_elo(centred(self.score(plan.variant.seats)))

    def pentanomial(self, plan: ArenaPlan) -> dict[float, int]:
        """How often the first had how many points of a pair."""
        seats = range(plan.variant.seats)
        old, new = ([float((seat + swapped) % 2 == 0) for seat in seats] for swapped in (False, True))
        return self.tally.distribution(old, new)


def _score(tally: PairTally, number: int) -> Evidence:
    seats = range(number)
    old, new = ([0.5 * ((seat + swapped) % 2 == 0) for seat in seats] for swapped in (False, True))
    return tally.share(old, new, drawn=True)


def centred(seen: Evidence) -> Evidence:
    """A share of the points as a deviation from even."""
    return Evidence(seen.n, seen.mean - 0.5, seen.variance)


@dataclass(frozen=True)
class ArenaResult:
    """All meetings as they stand. `interrupted`: somebody has stopped them."""

    plan: ArenaPlan
    met: Mapping[Meeting, Met]
    interrupted: bool = False
    failure: Diagnostic | None = None
    """What has ended it before its time."""

    @property
    def ratings(self) -> list[Rating]:
        scores = {meeting: met.score(self.plan.variant.seats) for meeting, met in self.met.items()}
        return bradley_terry(scores, len(self.plan.bots))


def hold(where: JobRunner, plan: ArenaPlan, done: Callable[[int], None] = lambda _: None) -> ArenaResult:
    """Rounds in which all meetings that are not decided go on. Ctrl-C ends it with what there is."""
    met = {meeting: Met() for meeting in plan.meetings}
    try:
        for look in looks(plan.number):
            left = [m for m in plan.meetings if met[m].verdict(plan) is SequentialVerdict.UNDECIDED]
            if not left:
                break
            for meeting in left:
                for now in _more(where, plan, meeting, met[meeting], look):
                    done(now.played - met[meeting].played)
                    met[meeting] = now
    except KeyboardInterrupt:
        return ArenaResult(plan, met, interrupted=True)
    except DiagnosticError as error:
        return ArenaResult(plan, met, failure=error.diagnostic)
    return ArenaResult(plan, met)


def _more(where: JobRunner, plan: ArenaPlan, meeting: Meeting, before: Met, look: int) -> Iterator[Met]:
    """The meeting as it stands after each further part of a round."""
    job = plan.job(meeting, before.played, look - before.played)
    met = before
    for number, found in run_parts(where, job, job.old.bots):
        assert isinstance(found, PairTally)
        met = Met(met.tally + found, met.played + number, before.tally)
        yield met if met.played < look else replace(met, tested=None)


def faults_of(found: Sequence[Met]) -> PairTally:
    """All faults of some meetings as one tally."""
    whole = PairTally()
    for met in found:
        whole += PairTally(faults=met.tally.faults)
    return whole

"""The page of `arena`: ratings of bots with their intervals, and the meetings that they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.experiments.arena import ArenaPlan, ArenaResult, Meeting, Met, faults_of
from rulewright.experiments.arena_text import best_first, verdict
from rulewright.experiments.charts import Row, interval_chart
from rulewright.experiments.comparison_text import ended_early
from rulewright.pages.analysis_figures import of, plain
from rulewright.pages.rendering import render
from validators.experiments.statistics import normal_interval

MOST_SEEDS = 12
"""How many seeds of a fault are shown."""


@dataclass(frozen=True)
class MeetingRow:
    """What two bots came to against each other, in words; `share` and `elo` are those of the first."""

    first: str
    second: str
    pairs: int
    share: str
    elo: str
    verdict: str


def page(found: ArenaResult, title: str, command: str) -> str:
    """The page, without external resources. Raises `DiagnosticError` if no pages can be rendered."""
    plan = found.plan
    played = sum(met.played for met in found.met.values())
    return render(
        "leaderboard.html",
        title=f"{title}: leaderboard",
        plan=plan,
        options=" ".join(f"{name}={value}" for name, value in plan.variant.options),
        state=ended_early(found, played),
        ratings=interval_chart(_ratings(found), 0.0),
        meetings=[_meeting(plan, meeting, met) for meeting, met in found.met.items()],
        faults=list(_faults(found)),
        command=command,
    )


def _ratings(found: ArenaResult) -> Iterator[Row]:
    for i in best_first(found.ratings):
        rating = found.ratings[i]
        interval = normal_interval(rating.elo, rating.error)
        pairs = sum(met.tally.pairs for meeting, met in found.met.items() if i in meeting)
        yield Row(found.plan.bots[i], interval, plain(interval, 0, plus=True), of(pairs, "pairs"))


def _meeting(plan: ArenaPlan, meeting: Meeting, met: Met) -> MeetingRow:
    first, second = (plan.bots[i] for i in meeting)
    seen = met.score(plan.variant.seats)
    if not seen.n:
        return MeetingRow(first, second, 0, "", "", "not played")
    elo = plain(met.elo(plan), 0, plus=True)
    return MeetingRow(first, second, seen.n, f"{100 * seen.mean:.1f} %", elo, verdict(plan, meeting, met))


def _faults(found: ArenaResult) -> Iterator[tuple[str, str]]:
    """The text of each fault, and the seeds of its pairs."""
    for text, fault in sorted(faults_of(list(found.met.values())).faults.items()):
        seeds = sorted(fault.seeds)
        yield text, ", ".join(map(str, seeds[:MOST_SEEDS])) + (", …" if len(seeds) > MOST_SEEDS else "")

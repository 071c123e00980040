"""Execution: which sites random playouts and scenarios reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dsl import rules as r
from dsl.load import Questions
from interpreter import ir
from interpreter.compile.program import compile_rules
from validators.coverage import perform
from validators.scenarios.running import Result, ScenarioRunner
from validators.scenarios.scenario import Scenario
from validators.trace.sites import RuleSite


@dataclass(frozen=True, slots=True)
class Watched:
    """Playouts and scenarios of a game, and what each of them executed.

    `playouts` has for each the numbers of the points that it executed; `faults` counts those with a fault.
    `points` are the coverage points, the same for every configuration.
    """

    points: tuple[ir.CoveragePoint, ...]
    playouts: tuple[frozenset[int], ...]
    faults: int
    scenarios: tuple[tuple[Scenario, Result, frozenset[int]], ...]

    def played(self, points: frozenset[int]) -> int:
        """In how many playouts at least one of some points was executed."""
        return sum(not points.isdisjoint(one) for one in self.playouts)

    def performed(self, points: frozenset[int]) -> tuple[Scenario, ...]:
        """The scenarios that hold and execute at least one of some points."""
        return tuple(s for s, result, ran in self.scenarios if result.holds and not points.isdisjoint(ran))


def watch(
    rules: r.Rules,
    questions: Questions,
    scenarios: Sequence[Scenario],
    playouts: int,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> Watched:
    """Runs random playouts, divided evenly among the numbers of seats, and every scenario.

    Playouts run on the fast executor with the default options, scenarios on the reference executor. `tick`
    is called after each scenario, and after the playouts of each number of seats.
    """
    runner = ScenarioRunner(rules, questions, cover=True)
    performed = []
    for scenario in scenarios:
        one = perform(runner, scenario)
        performed.append((scenario, one.result, one.ran))
        tick()
    played, faults = [], 0
    counts = rules.seat_counts
    for seats, share in zip(counts, _shares(playouts, len(counts)), strict=True):
        ran, broken = _playouts(rules, seats, share, seed) if share else ([], 0)
        played += ran
        faults += broken
        tick()
    return Watched(compile_rules(rules, cover=True).cover, tuple(played), faults, tuple(performed))


def _shares(number: int, parts: int) -> list[int]:
    return [number // parts + (n < number % parts) for n in range(parts)]


def _playouts(rules: r.Rules, seats: int, number: int, seed: int) -> tuple[list[frozenset[int]], int]:
    from interpreter.wasm.program import CoveredProgram

    program = CoveredProgram(compile_rules(rules, seats, cover=True))
    found, faults = [], 0
    for n in range(number):
        rows, outcomes = program.playout(seed + n)
        faults += rows.record is not None
        found.append(frozenset(i for i, bits in enumerate(outcomes) if bits & ir.RAN))
    return found, faults


# ---- sites and points


def points_of(
    points: tuple[ir.CoveragePoint, ...], found: Iterable[RuleSite]
) -> dict[RuleSite, frozenset[int]]:
    """The points of each site: those that begin inside it. Most declarations have none."""
    starts: dict[tuple[str, int], list[int]] = {}
    for number, point in enumerate(points):
        if point.kind != "cell":
            line = point.span.line
            starts.setdefault((point.span.source.name, line), []).append(number)
    return {site: frozenset(_inside(points, site, starts)) for site in found}


def _inside(
    points: tuple[ir.CoveragePoint, ...], site: RuleSite, starts: dict[tuple[str, int], list[int]]
) -> Iterable[int]:
    name = site.span.source.name
    first, last = (
        site.span.source.position(x)[0] for x in (site.span.start, max(site.span.start, site.span.end - 1))
    )
    for line in range(first, last + 1):
        for number in starts.get((name, line), ()):
            if site.span.start <= points[number].span.start < max(site.span.end, site.span.start + 1):
                yield number

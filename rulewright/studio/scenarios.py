"""Scenarios while rules are edited: which of them run what was edited, and which do not hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.diagnostics import Diagnostic, ErrorsReported
from dsl.load import Questions
from dsl.rules import Rules
from dsl.source import Source, Span
from interpreter import ir
from interpreter.compile.program import compile_rules
from rulewright.studio.rpc import Json
from validators.coverage import Performed, concerned, perform
from validators.diff.compare import Comparison, compare
from validators.diff.log_replay.attribution import Attribution
from validators.scenarios.reading import Faulty, ScenarioFile, read_file
from validators.scenarios.running import Result, ScenarioRunner
from validators.scenarios.scenario import Scenario

SHOWN_LINES = 4_000
"""The most lines for which the scenarios that run them are told."""


@dataclass(frozen=True)
class Edited:
    """What was edited between two versions: the points that it concerns, and its comparison."""

    points: frozenset[int]
    unknown: bool
    """Whether something was edited of which no point is known: then each scenario may be concerned."""


def run_scenarios(rules: Rules, questions: Questions, tests: Mapping[str, str], old: Rules | None) -> Json:
    """The result of each scenario. With the rules as they were before, it says which run what was edited."""
    points = _points(rules)
    edited = edited_points(points, compare(old, rules)) if old is not None else Edited(frozenset(), False)
    runner = ScenarioRunner(rules, questions, cover=True)
    results: list[Json] = []
    lines: dict[str, set[int]] = {}
    for path, text in sorted(tests.items()):
        source = Source(f"{rules.name}/{path}", text)
        file = read_file(source, rules)
        for scenario in file.scenarios:
            done = perform(runner, scenario)
            for place in _ran(points, done):
                lines.setdefault(place, set()).add(len(results))
            results.append(_result(scenario, path, done.result, _concerns(done, edited)))
        results += [_faulty(one, path) for one in file.faulty]
    shown = dict(list(lines.items())[:SHOWN_LINES])
    return {
        "results": results,
        "edited": old is not None,
        "lines": {place: sorted(numbers) for place, numbers in shown.items()},
    }


def _points(rules: Rules) -> tuple[ir.CoveragePoint, ...]:
    try:
        return compile_rules(rules, cover=True).cover
    except ErrorsReported:
        return ()


def edited_points(points: tuple[ir.CoveragePoint, ...], comparison: Comparison) -> Edited:
    """The points that the changes between two versions concern: their own lines, and what reads them."""
    attribution = Attribution(comparison)
    found = {number for number, point in enumerate(points) if attribution.line("new", point.span)}
    unknown = False
    for change in comparison.changes:
        spans = [edit.span for edit in change.edits if edit.sign == "+"]
        spans += [change.new] if change.new is not None and not spans else []
        for span in spans:
            inside = concerned(points, span)
            if inside is not None:
                found |= inside
        named = any(attribution.named(change.name)) or bool(spans)
        unknown = unknown or not named
    return Edited(frozenset(found), unknown)


def _concerns(done: Performed, edited: Edited) -> bool:
    return edited.unknown or not edited.points.isdisjoint(done.reached)


def _ran(points: tuple[ir.CoveragePoint, ...], done: Performed) -> Iterator[str]:
    """The lines that a scenario runs, `file:line`."""
    for number in done.ran:
        span = points[number].span
        yield f"{span.source.name}:{span.source.position(span.start)[0]}"


def _result(scenario: Scenario, path: str, result: Result, concerns: bool) -> Json:
    failed = [
        {"text": f"{d.what}: wanted {d.wanted}, found {d.found}", "hint": d.hint, "line": _line(d.span)}
        for d in result.differences
    ]
    if result.diagnostic is not None:
        failed.append(_said(result.diagnostic))
    return {
        "name": scenario.name,
        "path": path,
        "line": _line(scenario.span),
        "cites": list(scenario.cites),
        "holds": result.holds,
        "concerns": concerns,
        "failed": failed,
        "doubts": [doubt.message for doubt in result.doubts],
    }


def result_of(runner: ScenarioRunner, file: ScenarioFile) -> Json:
    """The result of the only scenario of a file."""
    if file.faulty:
        return _faulty(file.faulty[0], "")
    (scenario,) = file.scenarios
    return _result(scenario, "", runner.run(scenario), False)


def _faulty(faulty: Faulty, path: str) -> Json:
    """A scenario that cannot be read."""
    return {
        "name": faulty.name or "a scenario without a name",
        "path": path,
        "line": _line(faulty.diagnostics[0].span),
        "cites": [],
        "holds": False,
        "concerns": True,
        "failed": [_said(diagnostic) for diagnostic in faulty.diagnostics],
        "doubts": [],
    }


def _said(diagnostic: Diagnostic) -> Json:
    return {"text": diagnostic.message, "hint": diagnostic.help, "line": _line(diagnostic.span)}


def _line(span: Span) -> int:
    return span.source.position(span.start)[0] if span.source.text else 1

"""The process beside the server that plays: scenarios, and which rules they execute. It can be killed.

It reads one request as JSON from standard input, and writes one answer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.pieces import pieces
from dsl.source import Source, Span
from rulewright.editors.open_rulesets import (
    MUTANTS,
    Coverage,
    MutantShown,
    NamedScenario,
    OpenRuleset,
    open_ruleset,
)
from rulewright.scenario_tests import diagnostics_of
from validators.mutate.equivalents import excused, read_equivalents
from validators.mutate.messages import Survived
from validators.mutate.mutant import Mutant
from validators.mutate.running import MutantVerdict, MutationRunner, Outcome
from validators.scenarios.reading import ScenarioFile, read_file
from validators.scenarios.running import ScenarioRunner
from validators.scenarios.scenario import Scenario
from validators.trace.executed import points_of, watch
from validators.trace.sites import RuleSite
from validators.trace.trace import Traced, trace

MATCHES = 100
"""The random matches in which it is counted what is played."""
MOST_SECONDS = 120.0
"""Of the processor, for mistakes put into the rules."""


@dataclass(frozen=True)
class WorkerRequest:
    """What is asked: to `run` scenarios, to `trace` or to `mutate`; of which ruleset, with which
    unsaved texts.

    `files` are the scenario files to read, by path in the folder; `name` is that of one scenario.
    """

    root: str
    texts: dict[str, str]
    what: str
    files: list[str]
    name: str | None = None


@dataclass
class ScenarioOutcome:
    """Of one scenario: whether it holds, and where and why not, as offsets of its file."""

    file: str
    name: str
    holds: bool
    why: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class WorkerAnswer:
    """What came out, or why nothing did."""

    outcomes: list[ScenarioOutcome] = field(default_factory=list)
    coverage: list[Coverage] = field(default_factory=list)
    mutants: list[MutantShown] = field(default_factory=list)
    mistake: str = ""


def answer(request: WorkerRequest) -> WorkerAnswer:
    """The answer to a request."""
    ruleset = open_ruleset(Path(request.root))
    ruleset.workspace.texts.update(request.texts)
    reader = ruleset.workspace.folder()
    try:
        rules, _, questions = load_for_questions(reader)
    except DiagnosticError as failed:
        return WorkerAnswer(mistake=failed.diagnostic.message)
    except ErrorsReported as failed:
        return WorkerAnswer(mistake=_first(failed))
    read = {path: read_file(source, rules) for path in request.files if (source := _source(reader, path))}
    wanted = [
        (path, one)
        for path, found in read.items()
        for one in found.scenarios
        if request.name in (None, one.name)
    ]
    if request.what == "mutate":
        return _mutants(ruleset, reader, list(read))
    if request.what == "trace":
        watched = watch(rules, questions, [one for _, one in wanted], MATCHES)
        return WorkerAnswer(coverage=_coverage(ruleset, trace(rules, watched)))
    runner = ScenarioRunner(rules, questions)
    outcomes = [_outcome(runner, path, one) for path, one in wanted]
    return WorkerAnswer([*outcomes, *_unreadable(read, request.name)])


def _first(failed: ErrorsReported) -> str:
    first = failed.report.first
    return f"{first.span.place}: {first.message}"


def _source(reader: Folder, path: str) -> Source | None:
    try:
        return reader.source(path)
    except DiagnosticError:
        return None


# ---- scenarios


def _outcome(runner: ScenarioRunner, path: str, scenario: Scenario) -> ScenarioOutcome:
    result = runner.run(scenario)
    return ScenarioOutcome(
        path, scenario.name, result.holds, [_why(scenario, each) for each in diagnostics_of(result)]
    )


def _unreadable(read: dict[str, ScenarioFile], name: str | None) -> list[ScenarioOutcome]:
    """The scenarios with mistakes in their form, which the findings show."""
    return [
        ScenarioOutcome(path, one.name, False)
        for path, found in read.items()
        for one in found.faulty
        if name in (None, one.name)
    ]


def _why(scenario: Scenario, found: Diagnostic) -> dict[str, Any]:
    """A reason as JSON, at its place in the file of the scenario, or else at the name of the scenario."""
    span = found.span if found.span.source is scenario.span.source else scenario.span
    return {
        "start": span.start,
        "end": span.end,
        "code": found.code,
        "message": found.message,
        "help": found.help,
    }


# ---- coverage


def _coverage(ruleset: OpenRuleset, found: Traced) -> list[Coverage]:
    """Of each definition with a place in a rules file, and of each clause."""
    prefix = f"{ruleset.workspace.name}/"
    points, matches = points_of(found.watched.points, found.sites), len(found.watched.playouts)
    covered = []
    sources = dict.fromkeys(site.span.source for site in found.sites if site.kind == "line")
    for source in sources:
        for piece in pieces(source):
            sites = [site for site in found.sites if _within(piece.span, site.span)]
            executed = {id(one) for site in sites for one in found.seen_by[site]}
            marks = {mark for site in sites for mark in site.clauses}
            rows = [row for row in found.rows if row.clause.id in marks]
            asserting = {id(one): one for row in rows for one in row.asserted_by if id(one) in executed}
            path = source.name.removeprefix(prefix)
            named = [_named(prefix, one) for one in asserting.values()]
            counts = len(sites), len(executed), named, _played(found, points, sites)
            covered.append(Coverage(path, piece.span.start, "", *counts, matches))
    for row in found.rows:
        named = [_named(prefix, one) for one in row.asserted_by]
        counts = len(row.sites), len(row.seen_by), named, _played(found, points, row.sites)
        covered.append(Coverage("", 0, row.clause.id, *counts, matches))
    return covered


def _named(prefix: str, scenario: Scenario) -> NamedScenario:
    span = scenario.span
    return NamedScenario(span.source.name.removeprefix(prefix), scenario.name, span.start, span.end)


def _played(found: Traced, points: dict[RuleSite, frozenset[int]], places: Iterable[RuleSite]) -> int | None:
    """In how many of the random matches at least one of some places was played."""
    wanted = frozenset[int]().union(*(points[site] for site in places))
    return found.watched.played(wanted) if wanted else None


def _within(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start < outer.end


# ---- mistakes put into the rules


def _mutants(ruleset: OpenRuleset, reader: Folder, files: list[str]) -> WorkerAnswer:
    """Whether the scenarios notice small mistakes in the rules: all of them, or those that there is time for,
    in an order by chance."""
    texts = tuple(reader.source(path) for path in files)
    try:
        runner = MutationRunner(ruleset.workspace.name, dict(reader.files), texts, "wasm")
    except ErrorsReported as failed:
        return WorkerAnswer(mistake=_first(failed))
    failing = [one.result.scenario.name for one in runner.performed if not one.result.holds]
    if failing or not runner.scenarios:
        why = f"the scenario `{failing[0]}` does not hold" if failing else "there are no scenarios"
        return WorkerAnswer(mistake=why)
    entries = read_equivalents(reader.source(MUTANTS)) if MUTANTS in ruleset.workspace.list_tests() else ()
    excuses = excused(entries, runner.mutants)
    numbers = [number for number in range(len(runner.mutants)) if number not in excuses]
    Random(0).shuffle(numbers)
    found, began = [], process_time()
    for number in numbers:
        if process_time() - began > MOST_SECONDS:
            break
        verdict = runner.judge(runner.mutants[number])
        if verdict.noticed or verdict.survived:
            found.append(_mutant(runner.mutants[number], verdict))
    return WorkerAnswer(mutants=found)


def _mutant(mutant: Mutant, verdict: MutantVerdict) -> MutantShown:
    span, noticed = mutant.span, verdict.noticed
    does = "comes here to notice" if verdict.outcome is Outcome.UNREACHED else "notices"
    said = Survived(span, mutant.says, f"{mutant.operator} in `{mutant.header}`", does)
    return MutantShown(
        mutant.path, span.start, span.end, list(mutant.clauses), noticed, said.message, said.help
    )


def main() -> None:
    request = WorkerRequest(**json.load(sys.stdin))
    print(json.dumps(asdict(answer(request))))


if __name__ == "__main__":
    main()

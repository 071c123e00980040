"""The process beside the server that plays: scenarios, and which rules they execute. It can be killed.

It reads one request as JSON from standard input, and writes one answer.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dsl.diagnostics import Diagnostic, DiagnosticError, ErrorsReported
from dsl.folder import Folder
from dsl.load import load_for_questions
from dsl.pieces import pieces
from dsl.source import Source, Span
from rulewright.commands.test import diagnostics_of
from rulewright.lsp.rulesets import Coverage, OpenRuleset, open_ruleset
from validators.scenarios.reading import ScenarioFile, read_file
from validators.scenarios.running import ScenarioRunner
from validators.scenarios.scenario import Scenario
from validators.trace.executed import watch
from validators.trace.trace import Traced, trace


@dataclass(frozen=True)
class WorkerRequest:
    """What is asked: to `run` scenarios, or to `trace`; of which ruleset, with which unsaved texts.

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
        first = failed.report.errors[0]
        return WorkerAnswer(mistake=f"{first.span.place}: {first.message}")
    read = {path: read_file(source, rules) for path in request.files if (source := _source(reader, path))}
    wanted = [
        (path, one)
        for path, found in read.items()
        for one in found.scenarios
        if request.name in (None, one.name)
    ]
    if request.what == "trace":
        watched = watch(rules, questions, [one for _, one in wanted], 0)
        return WorkerAnswer(coverage=_coverage(ruleset, trace(rules, watched)))
    runner = ScenarioRunner(rules, questions)
    outcomes = [_outcome(runner, path, one) for path, one in wanted]
    return WorkerAnswer([*outcomes, *_unreadable(read, request.name)])


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
    covered = []
    sources = dict.fromkeys(site.span.source for site in found.sites if site.kind == "line")
    for source in sources:
        for piece in pieces(source):
            sites = [site for site in found.sites if _within(piece.span, site.span)]
            executed = {id(one) for site in sites for one in found.seen_by[site]}
            marks = {mark for site in sites for mark in site.clauses}
            rows = [row for row in found.rows if row.clause.id in marks]
            asserted = {id(one) for row in rows for one in row.asserted_by} & executed
            path = source.name.removeprefix(prefix)
            covered.append(Coverage(path, piece.span.start, "", len(sites), len(executed), len(asserted)))
    for row in found.rows:
        counts = len(row.sites), len(row.seen_by), len(row.asserted_by)
        covered.append(Coverage("", 0, row.clause.id, *counts))
    return covered


def _within(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.start <= inner.start < outer.end


def main() -> None:
    request = WorkerRequest(**json.load(sys.stdin))
    print(json.dumps(asdict(answer(request))))


if __name__ == "__main__":
    main()

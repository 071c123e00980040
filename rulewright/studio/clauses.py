"""The clauses of the rulebook while rules are edited: what renders, executes and asserts each."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.rules import Rules
from dsl.source import Span
from rulewright.studio.rpc import Json
from validators.scenarios.scenario import Scenario
from validators.trace.clause_row import ClauseRow
from validators.trace.executed import Watched
from validators.trace.sites import RuleSite
from validators.trace.trace import trace

MOST_PLACES = 60
"""The most lines and scenarios that are told of one clause."""


def traced(rules: Rules, watched: Watched) -> list[Json]:
    """Each clause with what is asked of it, what is missing, and the places where that is met."""
    return [_row(row) for row in trace(rules, watched).rows]


def _row(row: ClauseRow) -> Json:
    return {
        "id": row.clause.id,
        "kind": row.clause.kind,
        "text": row.clause.says or row.clause.heading,
        **_place(row.clause.span),
        "asked": list(row.asked),
        "missing": list(row.missing),
        "sites": [_site(site) for site in row.sites[:MOST_PLACES]],
        "stands": row.stands,
        "executed": len(row.seen_by),
        "asserted": _scenarios(row.asserted_by),
        "failing": _scenarios(row.failing),
    }


def _site(site: RuleSite) -> Json:
    source = site.span.source
    return {"file": source.name, "line": site.line, "text": source.line(site.line).strip()}


def _scenarios(scenarios: Iterable[Scenario]) -> list[Json]:
    return [{"name": one.name, **_place(one.span)} for one in list(scenarios)[:MOST_PLACES]]


def _place(span: Span) -> Json:
    return {"file": span.source.name, "line": span.line}

"""Findings about clauses, the lines that render them, and the scenarios that assert them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dsl import rules as r
from dsl.diagnostics import Diagnostic, Label
from validators.trace.messages import (
    CitedTwice,
    NeedlessReason,
    NotAsserted,
    NotExecuted,
    NotRendered,
    RendersNothing,
)
from validators.trace.sites import RuleSite

if TYPE_CHECKING:
    from validators.scenarios.scenario import Scenario
    from validators.trace.clause_row import ClauseRow

MOST_PLACES = 3
CITED = {"line": "`§...` at its end, or at the header above it", "declaration": "`clause: §...` within it"}
"""How something cites clauses."""


def rule_findings(
    rules: r.Rules, rows: Sequence[ClauseRow], found: Sequence[RuleSite]
) -> tuple[Diagnostic, ...]:
    """Clauses with unmet duties, needless reasons, lines that render nothing or the same clause twice."""
    return (
        *(diagnostic for row in rows for diagnostic in _row(row)),
        *_rendering_nothing(found),
        *_cited_twice(found),
    )


def _row(row: ClauseRow) -> Iterator[Diagnostic]:
    """One finding for the first unmet duty: what is not rendered cannot be executed."""
    missing = row.missing
    if "rendered" in missing:
        yield NotRendered(row.clause.span, row.clause.id)
    elif "executed" in missing:
        labels = tuple(Label(s.span.first_line(), "renders it") for s in row.sites[:MOST_PLACES])
        yield NotExecuted(row.clause.span, row.clause.id, labels)
    elif "asserted" in missing:
        yield NotAsserted(row.clause.span, row.clause.id, _but(row))
    for duty in row.clause.excluded:
        if row.holds(duty) and len(row.clause.excluded) == 1:
            yield NeedlessReason(row.clause.span, row.clause.id, f"it is {duty}")


def _but(row: ClauseRow) -> str:
    """Why the scenarios that cite a clause do not assert it."""
    if not row.cited_by:
        return ""
    if row.failing:
        verb = _verb(row.failing, "does", "do")
        return f": {_scenarios(row.failing, 'cites', 'cite')} it, but {verb} not hold"
    return (
        f": {_scenarios(row.cited_by, 'cites', 'cite')} it, "
        f"but never {_verb(row.cited_by, 'reaches', 'reach')} its lines"
    )


def _scenarios(found: Sequence[Scenario], one: str, many: str) -> str:
    return f"`{found[0].name}` {one}" if len(found) == 1 else f"{len(found)} scenarios {many}"


def _verb(found: Sequence[Scenario], one: str, many: str) -> str:
    return one if len(found) == 1 else many


def _rendering_nothing(found: Sequence[RuleSite]) -> Iterator[Diagnostic]:
    """A finding for each line; for a definition without clauses only one, at its header."""
    reported: set[tuple[str, int] | str] = set()
    for site in found:
        if site.clauses or not _could_cite(site):
            continue
        key = site.name if site.kind == "line" else site.place
        if key not in reported:
            reported.add(key)
            yield RendersNothing(site.span.first_line(), site.kind, CITED[site.kind])


def _could_cite(site: RuleSite) -> bool:
    """Whether it is written as a declaration: not the type of seats, rows or readings."""
    match site.node:
        case r.TypeDecl(name=name):
            return name != "seat" and " " not in name
        case r.Constant(values=values):
            return len(set(values.values())) > 1
        case _:
            return True


def _cited_twice(found: Sequence[RuleSite]) -> Iterator[Diagnostic]:
    reported: set[tuple[str, int, str]] = set()
    for site in found:
        for mark in dict.fromkeys(site.marks):
            key = (site.span.source.name, site.span.start, mark)
            if site.marks.count(mark) > 1 and key not in reported:
                reported.add(key)
                yield CitedTwice(site.span.first_line(), mark)

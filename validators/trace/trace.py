"""The trace: each clause with the lines that render it, and the play and scenarios that reach them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl import rules as r
from dsl.diagnostics import Diagnostic
from validators.scenarios.scenario import Scenario
from validators.trace.accounts import Account, text_findings
from validators.trace.clause_row import ClauseRow
from validators.trace.executed import Watched, points_of
from validators.trace.numbers import Grounds, brief_findings, number_findings
from validators.trace.rendered import rule_findings
from validators.trace.sites import RuleSite, rendering, sites
from validators.trace.summaries import summary_findings


@dataclass(frozen=True, slots=True)
class Traced:
    """A trace. `played`: in how many playouts each site was executed; none if it has no points."""

    rules: r.Rules
    rows: tuple[ClauseRow, ...]
    sites: tuple[RuleSite, ...]
    played: dict[RuleSite, int | None]
    seen_by: dict[RuleSite, tuple[Scenario, ...]]
    watched: Watched
    accounts: tuple[Account, ...]
    findings: tuple[Diagnostic, ...]

    def tally(self, kind: str, duty: r.Duty) -> tuple[int, int, int]:
        """How many clauses of a kind meet a duty, are excluded from it, and exist."""
        rows = [row for row in self.rows if row.clause.kind == kind]
        excluded = [row for row in rows if duty in row.clause.excluded and not row.holds(duty)]
        return sum(row.holds(duty) for row in rows), len(excluded), len(rows)


def trace(rules: r.Rules, watched: Watched, accounts: Sequence[Account] = ()) -> Traced:
    """The trace of a game, with all findings."""
    found = sites(rules)
    points = points_of(watched.points, found)
    rendered = rendering(found)
    rows = tuple(_row(clause, rendered, points, watched) for clause in rules.clauses.values())
    findings = (
        *(diagnostic for account in accounts for diagnostic in text_findings(rules, account)),
        *rule_findings(rules, rows, found),
        *brief_findings(rules, found),
        *summary_findings(rules, rendered),
        *number_findings(
            accounts, Grounds(rules, rendered, {row.clause.id: row.asserted_by for row in rows})
        ),
    )
    return Traced(
        rules,
        rows,
        found,
        {site: watched.played(points[site]) if points[site] else None for site in found},
        {site: watched.performed(points[site]) for site in found},
        watched,
        tuple(accounts),
        findings,
    )


def _row(
    clause: r.Clause,
    rendered: dict[str, tuple[RuleSite, ...]],
    points: dict[RuleSite, frozenset[int]],
    watched: Watched,
) -> ClauseRow:
    lines = rendered.get(clause.id, ())
    whole = frozenset[int]().union(*(points[site] for site in lines))
    looked = frozenset(n for n in whole if watched.points[n].kind != "invariant")
    cited = tuple(s for s, _, _ in watched.scenarios if clause.id in s.cites)
    seen = watched.performed(whole)
    come = {id(s) for s in seen}
    held = {id(s) for s, result, _ in watched.scenarios if result.holds}
    asserted = tuple(s for s in cited if id(s) in held and (not looked or id(s) in come))
    failing = tuple(s for s in cited if id(s) not in held)
    return ClauseRow(
        clause, lines, bool(lines) and not whole, watched.played(whole), seen, cited, asserted, failing
    )

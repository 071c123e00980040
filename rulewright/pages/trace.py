"""The page of `trace`: clauses, rules and scenarios side by side, coloured by their state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from dsl import rules as r
from dsl.wording import counted
from rulewright.pages.rendering import render
from validators.scenarios.scenario import Scenario
from validators.trace.accounts import Account
from validators.trace.clause_row import ASKED, ClauseRow
from validators.trace.sentences import Sentence
from validators.trace.sites import RuleSite
from validators.trace.trace import Traced

MOST_SCENARIOS = 8


def page(found: Traced) -> str:
    """The page, without external resources; it contains the sentences of the texts, if there are any.

    Raises `DiagnosticError` if no pages can be rendered.
    """
    return render(
        "trace.html",
        title=f"{found.rules.title}: rulebook and rules",
        found=found,
        asked=ASKED,
        most=MOST_SCENARIOS,
        playouts=counted(len(found.watched.playouts), "playout"),
        files=list(_files(found)),
        tallies=partial(_tallies, found),
        sentence_state=partial(_sentence_state, found),
        row_state=_row_state,
        whereabouts=_whereabouts,
        each_once=_each_once,
        citing=_citing,
    )


def _tallies(found: Traced, kind: str) -> list[tuple[str, tuple[int, int, int]]]:
    """For each duty of a kind of clauses its tally, unless no clause has the duty."""
    tallies = [(duty, found.tally(kind, duty)) for duty in ASKED[kind]]
    return [(duty, tally) for duty, tally in tallies if tally[2]]


def _sentence_state(found: Traced, account: Account, one: Sentence, marks: Collection[str]) -> str:
    if one.number in account.alignment.changed.values():
        return "changed"
    if not marks:
        return "free"
    kinds = {clause.kind for clause in found.rules.clauses.values() if clause.id in marks}
    return "flavour" if kinds == {"flavour"} else ""


def _row_state(row: ClauseRow) -> str:
    asked = ASKED[row.clause.kind]
    if row.missing:
        return "lacks"
    if not asked:
        return "nothing"
    return "excluded" if set(asked) - set(row.asked) else "holds"


def _whereabouts(clause: r.Clause) -> str:
    return " ".join(part for part in (clause.section, f"p. {clause.page}" if clause.page else "") if part)


def _each_once(sites: Iterable[RuleSite]) -> Iterable[RuleSite]:
    """The sites, one for each beginning."""
    return {(site.place, site.span.start): site for site in sites}.values()


def _citing(row: ClauseRow) -> list[tuple[Scenario, bool]]:
    """The scenarios of a clause, those that assert it first."""
    asserting = {id(scenario) for scenario in row.asserted_by}
    others = [scenario for scenario in row.cited_by if id(scenario) not in asserting]
    return [*((s, True) for s in row.asserted_by), *((s, False) for s in others)]


# ---- rules, line by line


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the rules, its state, and the number of playouts that executed it."""

    text: str
    state: str = ""
    count: str = ""


def _files(found: Traced) -> Iterator[tuple[str, list[Line]]]:
    files: dict[str, list[RuleSite]] = {}
    for site in found.sites:
        if site.kind == "line":
            files.setdefault(site.span.source.name, []).append(site)
    for name, sites in files.items():
        yield name, _lines(found, sites)


def _lines(found: Traced, sites: Sequence[RuleSite]) -> list[Line]:
    by_line: dict[int, RuleSite] = {}
    for site in sites:
        if site.line not in by_line or found.played[by_line[site.line]] is None:
            by_line[site.line] = site
    source = sites[0].span.source
    return [_line(found, source.line(n), by_line.get(n)) for n in range(1, len(source.lines) + 1)]


def _line(found: Traced, text: str, site: RuleSite | None) -> Line:
    if site is None:
        return Line(text)
    played = found.played[site]
    state = "" if played is None else "ran" if played else "seen" if found.seen_by[site] else "never"
    bare = "" if site.clauses else " bare"
    return Line(text, state + bare, "" if played is None else str(played))

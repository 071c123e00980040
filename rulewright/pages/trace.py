"""A page that shows clauses, rules and scenarios side by side, coloured by what is known of them."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dsl.source import Source
from rulewright.pages.style import STYLE
from rulewright.terminal import counted
from validators.scenarios.scenario import Scenario
from validators.trace.accounts import Account
from validators.trace.sites import Site
from validators.trace.trace import ASKED, Row, Traced

MOST_SCENARIOS = 8
OWN = """
main { max-width: 100rem; }
.tally { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; }
.tally div { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .9rem; min-width: 13rem; }
.tally b { display: block; text-transform: capitalize; } meter { width: 100%; }
nav { position: sticky; top: 0; background: #fff; padding: .5rem 0; border-bottom: 1px solid var(--line);
  z-index: 1; display: flex; flex-wrap: wrap; gap: 1rem; }
.row { display: grid; grid-template-columns: 4fr 5fr 3fr; gap: 1rem; border: 1px solid var(--line);
  border-left: 5px solid var(--line); border-radius: 6px; padding: .5rem .8rem; margin: .5rem 0; }
.row > div { min-width: 0; } .row:target { background: #fffbe6; }
.holds { border-left-color: var(--good); } .lacks { border-left-color: var(--error); }
.excluded { border-left-color: var(--bad); } .nothing { opacity: .75; }
.row h3 { margin: 0; } .row p { margin: .15rem 0; } .row ul { margin: .2rem 0; padding-left: 1.1rem; }
.row pre { margin: .1rem 0; white-space: pre-wrap; } .place { color: var(--faint); font-size: .82rem; }
.kind { font-weight: 400; color: var(--faint); font-size: .85rem; }
.missing { color: var(--error); font-weight: 600; } .good { color: var(--good); } .why { color: var(--bad); }
blockquote { margin: .25rem 0; padding-left: .6rem; border-left: 3px solid var(--line); color: var(--faint);
  font-size: .88rem; }
.source { border-collapse: collapse; width: 100%; font: 13px/1.45 ui-monospace, monospace; }
.source td { border: 0; padding: 0 .6rem; vertical-align: top; white-space: pre-wrap; }
.source td.n { text-align: right; color: var(--faint); white-space: nowrap; width: 1%; }
.source tr.ran td.n:nth-child(2) { background: #dafbe1; }
.source tr.never td.n:nth-child(2) { background: #ffebe9; }
.source tr.seen td.n:nth-child(2) { background: #fff8c5; }
.source tr.bare td:last-child { background: #ffebe9; }
.strip { display: flex; flex-wrap: wrap; gap: 2px; } .strip a { font: 11px ui-monospace, monospace;
  padding: .1rem .25rem; border-radius: 3px; background: #dafbe1; color: inherit; text-decoration: none; }
.strip a.flavour { background: var(--soft); } .strip a.free { background: #ffebe9; font-weight: 700; }
.strip a.changed { background: #fff8c5; }
#only:checked ~ section .row:not(.lacks) { display: none; }
@media (max-width: 60rem) { .row { grid-template-columns: 1fr; } }
"""


def page(found: Traced) -> str:
    """The whole page, with everything in it that it needs. With texts, it holds their sentences."""
    title = escape(f"{found.rules.title}: rulebook and rules")
    parts = [_head(found), _filter(), *(_texts(account, found) for account in found.accounts)]
    parts += [_clauses(found), _sources(found), _findings(found)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}{OWN}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _head(found: Traced) -> str:
    verdict = "everything is accounted for" if not found.findings else f"{len(found.findings)} to look at"
    state = "bad" if found.findings else "good"
    played = (
        f"{counted(len(found.watched.playouts), 'playout')} · "
        f"{counted(len(found.watched.scenarios), 'scenario')} · {counted(len(found.rows), 'clause')}"
    )
    tallies = "".join(_tally(found, kind) for kind in ASKED if ASKED[kind])
    return (
        f"<header><h1>{escape(found.rules.title)}</h1>"
        f"<p class='{state}'>{verdict}</p><p>{played}</p></header>"
        f"<div class='tally'>{tallies}</div>"
    )


def _tally(found: Traced, kind: str) -> str:
    meters = []
    for duty in ASKED[kind]:
        done, excluded, total = found.tally(kind, duty)
        if not total:
            return ""
        more = f" + {excluded} excluded" if excluded else ""
        share = f"<meter min='0' max='{total}' value='{done + excluded}'></meter>"
        meters.append(f"<span>{done} of {total} {duty}{more}</span>{share}")
    return f"<div><b>{kind}s</b>{'<br>'.join(meters)}</div>"


def _filter() -> str:
    return (
        "<input type='checkbox' id='only'><label for='only'> only clauses that lack something</label>"
        "<nav><a href='#clauses'>Clauses</a><a href='#rules'>Rules</a><a href='#findings'>Findings</a></nav>"
    )


# ---- sentences


def _texts(account: Account, found: Traced) -> str:
    kinds = {clause.id: clause.kind for clause in found.rules.clauses.values()}
    changed = set(account.alignment.changed.values())
    cells = []
    for one in account.sentences:
        marks = account.claims.of_sentence(one.number)
        flavour = bool(marks) and all(kinds[mark] == "flavour" for mark in marks)
        state = "changed" if one.number in changed else "free" if not marks else "flavour" if flavour else ""
        link = f" href='#{escape(marks[0])}'" if marks else ""
        title = escape(f"{one.text} ({', '.join(marks) or 'unclaimed'})", quote=True)
        cells.append(f'<a class="{state}"{link} title="{title}">{one.number}</a>')
    said = f"{account.claimed} of {len(account.sentences)} sentences are claimed by a clause."
    return (
        f"<section><h2>Text {escape(account.text.name)}</h2><p>{said} Grey: flavour; yellow: changed; red: "
        f"unclaimed.</p><div class='strip'>{''.join(cells)}</div></section>"
    )


# ---- clauses


def _clauses(found: Traced) -> str:
    rows = "".join(_row(found, row) for row in found.rows)
    return f"<section id='clauses'><h2>Clauses, rules, scenarios</h2>{rows}</section>"


def _row(found: Traced, row: Row) -> str:
    cells = (_clause(found, row), _lines(found, row), _scenarios(row))
    inside = "".join(f"<div>{cell}</div>" for cell in cells)
    return f"<div class='row {_state(row)}' id='{escape(row.clause.id)}'>{inside}</div>"


def _state(row: Row) -> str:
    asked = ASKED[row.clause.kind]
    if row.missing:
        return "lacks"
    if not asked:
        return "nothing"
    return "excluded" if set(asked) - set(row.asked) else "holds"


def _clause(found: Traced, row: Row) -> str:
    clause = row.clause
    where = " ".join(part for part in (clause.section, f"p. {clause.page}" if clause.page else "") if part)
    lacks = f"<p class='missing'>not {', not '.join(row.missing)}</p>" if row.missing else ""
    reasons = "".join(
        f"<p class='why'>need not be {duty}: {escape(why)}</p>" for duty, why in clause.excluded.items()
    )
    quotes = "".join(
        f"<blockquote>{escape(account.text.name)} {one.number}: {escape(one.text)}</blockquote>"
        for account in found.accounts
        for one in account.of(clause.id)
    )
    kind = " · ".join(escape(part) for part in (clause.kind, where) if part)
    return (
        f"<h3>{escape(clause.id)} {escape(clause.heading)} <span class='kind'>{kind}</span></h3>"
        f"<p>{escape(clause.says)}</p>{quotes}{lacks}{reasons}"
    )


def _lines(found: Traced, row: Row) -> str:
    if not row.sites:
        return "<p class='place'>no line</p>" if ASKED[row.clause.kind] else ""
    total = f"<p class='good'>{_reached(found, row)}</p>"
    return total + "".join(_site(found, site) for site in _each_once(row.sites))


def _each_once(sites: Iterable[Site]) -> Iterable[Site]:
    """Sites that begin in the same place once."""
    return {(site.place, site.span.start): site for site in sites}.values()


def _reached(found: Traced, row: Row) -> str:
    if row.stands:
        return "always in force"
    playouts = counted(len(found.watched.playouts), "playout")
    return f"in {row.played} of {playouts}, in {counted(len(row.seen_by), 'scenario')}"


def _site(found: Traced, site: Site) -> str:
    name = site.place.rpartition("/")[2]
    line = escape(_written(site.span.source, site.line))
    return f"<span class='place'>{escape(name)} · {_count(found, site)}</span><pre>{line}</pre>"


def _written(source: Source, line: int) -> str:
    return source.line(line).strip()


def _count(found: Traced, site: Site) -> str:
    played = found.played[site]
    return "in force" if played is None else counted(played, "playout")


def _scenarios(row: Row) -> str:
    asserting = {id(scenario) for scenario in row.asserted_by}
    others = [scenario for scenario in row.cited_by if id(scenario) not in asserting]
    shown = [f"<li class='good'>{_scenario(s)}</li>" for s in row.asserted_by]
    shown += [f"<li class='missing'>{_scenario(s)}: cites it, never reaches it</li>" for s in others]
    if not shown:
        return "<p class='place'>no scenario</p>" if "asserted" in ASKED[row.clause.kind] else ""
    first, rest = shown[:MOST_SCENARIOS], shown[MOST_SCENARIOS:]
    more = f"<details><summary>{len(rest)} more</summary><ul>{''.join(rest)}</ul></details>" if rest else ""
    return f"<ul>{''.join(first)}</ul>{more}"


def _scenario(scenario: Scenario) -> str:
    return f"<span title='{escape(scenario.span.place, quote=True)}'>{escape(scenario.name)}</span>"


# ---- rules, line by line


def _sources(found: Traced) -> str:
    files: dict[str, list[Site]] = {}
    for site in found.sites:
        if site.kind == "line":
            files.setdefault(site.span.source.name, []).append(site)
    parts = [f"<h3>{escape(name)}</h3>{_source(found, sites)}" for name, sites in files.items()]
    legend = "Left: the line; in how many playouts it was executed. Red: in none. Yellow: only in scenarios."
    return f"<section id='rules'><h2>Rules, line by line</h2><p>{legend}</p>{''.join(parts)}</section>"


def _source(found: Traced, sites: list[Site]) -> str:
    by_line: dict[int, Site] = {}
    for site in sites:
        if site.line not in by_line or found.played[by_line[site.line]] is None:
            by_line[site.line] = site
    source = sites[0].span.source
    rows = [_source_row(found, n, source.line(n), by_line.get(n)) for n in range(1, len(source.lines) + 1)]
    return f"<table class='source'>{''.join(rows)}</table>"


def _source_row(found: Traced, number: int, text: str, site: Site | None) -> str:
    played = found.played[site] if site is not None else None
    state, count = "", ""
    if site is not None and played is not None:
        state = "ran" if played else "seen" if found.seen_by[site] else "never"
        count = str(played)
    if site is not None and not site.clauses:
        state += " bare"
    cells = f"<td class='n'>{number}</td><td class='n'>{count}</td><td>{_linked(text)}</td>"
    return f"<tr class='{state}'>{cells}</tr>"


def _linked(text: str) -> str:
    """A line whose clause marks lead to their clauses."""
    parts = [
        f"<a href='#{escape(word)}'>{escape(word)}</a>" if word.startswith("§") else escape(word)
        for word in text.split(" ")
    ]
    return " ".join(parts)


def _findings(found: Traced) -> str:
    items = "".join(
        f"<li><b>{m.code}</b> {escape(m.message)} <span class='place'>{escape(m.span.place)}</span></li>"
        for m in found.findings
    )
    listed = f"<ul>{items}</ul>" if items else "<p>None.</p>"
    return f"<section id='findings'><h2>Findings</h2>{listed}</section>"

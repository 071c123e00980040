"""A page for one game: what the checks have said of it, its phases, boards and tables."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from html import escape
from itertools import product

from dsl.diagnostics import Label, Mistake
from dsl.rules import Rules, Table
from interpreter import machine as m
from interpreter.compile.program import compile_rules
from interpreter.words import Names
from rulewright.drawing.machine import machine_diagram
from rulewright.drawing.phases import phase_diagram
from rulewright.drawing.svg import svg
from rulewright.pages.boards import board_svg, facts
from rulewright.pages.style import STYLE
from rulewright.terminal import counted
from validators.boards import is_board
from validators.checks import CHECKS
from validators.examine import Examined
from validators.findings import Finding
from validators.flow.graph import Flow
from validators.flow.writes import Judged, judged

MOST_CELLS = 120
"""The most cells of a table that are shown."""


def page(name: str, rules: Rules | None, mistakes: Sequence[Mistake], examined: Examined) -> str:
    """The whole page, with everything in it that it needs."""
    title = rules.title if rules is not None else name
    parts = [_head(title, rules, mistakes, examined), _findings(mistakes, examined)]
    if rules is not None:
        machine = compile_rules(rules)
        parts += [_checks(examined), _ranges(machine), _flow(rules, machine)]
        parts += [_boards(rules), _tables(rules, machine)]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _head(title: str, rules: Rules | None, mistakes: Sequence[Mistake], examined: Examined) -> str:
    number = len(mistakes) + len(examined.findings)
    verdict = "nothing found" if not number else f"{number} to look at"
    if examined.allowed:
        verdict += f", {counted(len(examined.allowed), 'finding')} allowed"
    about = ""
    if rules is not None:
        low, high = rules.seats
        seats = f"{low}" if low == high else f"{low} to {high}"
        parts = (
            f"{seats} seats",
            counted(len(rules.options), "option"),
            counted(len(rules.clauses), "clause"),
        )
        about = " · ".join(parts)
    if examined.left:
        verdict += ", but not all was checked"
    state = "bad" if number or examined.left else "good"
    return f'<header><h1>{escape(title)}</h1><p class="{state}">{verdict}</p><p>{about}</p></header>'


# ---- findings


def _findings(mistakes: Sequence[Mistake], examined: Examined) -> str:
    cards = [_card(m) for m in (*mistakes, *examined.findings)]
    cards += [_card(finding, why) for finding, why in examined.allowed]
    return f"<section><h2>Findings</h2>{''.join(cards) or '<p>None.</p>'}</section>"


def _card(mistake: Mistake, why: str = "") -> str:
    state = "allowed" if why else str(mistake.severity)
    reason = f"<p><b>allowed:</b> {escape(why)}</p>" if why else ""
    help_ = f"<p><b>help:</b> {_code(mistake.help)}</p>" if mistake.help else ""
    hops = mistake.hops if isinstance(mistake, Finding) else mistake.others
    way = "".join(f"<li>{_place(hop)}</li>" for hop in hops)
    return (
        f'<article class="{state}"><h3><span>{mistake.code}</span> {_code(mistake.message)}</h3>'
        f"{_place(Label(mistake.span, mistake.pointer))}"
        f"{f'<ol>{way}</ol>' if way else ''}{help_}{reason}</article>"
    )


def _place(label: Label) -> str:
    """The line of a place with its part marked, and what is said of it."""
    span, source = label.span, label.span.source
    if not source.text:
        return f"<p>{escape(source.name)} {escape(label.text)}</p>"
    number, column = source.position(span.start)
    line = source.line(number)
    end = min(len(line), column - 1 + max(1, span.end - span.start))
    marked = (
        escape(line[: column - 1]) + f"<mark>{escape(line[column - 1 : end])}</mark>" + escape(line[end:])
    )
    note = f"<em>{_code(label.text)}</em>" if label.text else ""
    return f"<figure><figcaption>{escape(span.place)} {note}</figcaption><pre>{marked}</pre></figure>"


def _code(text: str) -> str:
    """Text whose parts in backquotes are code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


# ---- checks


def _checks(examined: Examined) -> str:
    rows = "".join(_row(check.code, check.finding, examined) for check in CHECKS)
    return (
        "<section><h2>Checks</h2><table><thead><tr><th>code</th><th>what is looked for</th><th>found</th>"
        f"<th>allowed</th></tr></thead><tbody>{rows}</tbody></table></section>"
    )


def _row(code: str, finding: type[Finding], examined: Examined) -> str:
    first = inspect.cleandoc(finding.__doc__ or "").split("\n\n")[0]
    found = sum(f.code == code for f in examined.findings)
    allowed = sum(f.code == code for f, _ in examined.allowed)
    state = str(found) if code in examined.done else "no time" if code in examined.left else "not asked"
    return (
        f"<tr><td>{code}</td><td>{_code(' '.join(first.split()))}</td><td>{state}</td><td>{allowed}</td></tr>"
    )


# ---- ranges


def _ranges(machine: m.Machine) -> str:
    """Where a number might leave its range, as far as it cannot be shown that it does not."""
    flow = Flow(machine)
    found = list(judged(flow))
    if not found:
        return ""
    proved = sum(one.verdict == "proved" for one in found)
    rows = "".join(_open(flow, one) for one in found if one.verdict != "proved")
    said = f"Shown to keep its number in range: {proved} of {counted(len(found), 'statement')}."
    table = (
        "<table><thead><tr><th>statement</th><th>number</th><th>may become</th><th>range</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
    return f"<section><h2>Ranges</h2><p>{said}</p>{table if rows else ''}</section>"


def _open(flow: Flow, one: Judged) -> str:
    span = flow.span(one.number)
    line = span.source.line(span.source.position(span.start)[0]).strip() if span.source.text else ""
    lo, hi = (_end(x) for x in (one.values.lo, one.values.hi))
    return (
        f"<tr><td>{escape(span.place)} <code>{escape(line.split('  ')[0])}</code></td>"
        f"<td>{escape(one.name)}</td><td>{lo} to {hi}</td><td>{one.lo} to {one.hi}</td></tr>"
    )


def _end(value: int) -> str:
    return "anything" if abs(value) > 1 << 30 else str(value)


# ---- the game


def _flow(rules: Rules, machine: m.Machine) -> str:
    drawn = svg(machine_diagram(rules, machine))
    return (
        f'<section><h2>Phases</h2><div class="drawing">{svg(phase_diagram(rules))}</div>'
        f"<details><summary>The machine for {rules.seats[0]} seats</summary>"
        f'<div class="drawing">{drawn}</div></details></section>'
    )


def _boards(rules: Rules) -> str:
    boards = [decl for decl in rules.types.values() if is_board(decl)]
    if not boards:
        return ""
    parts = []
    for decl in boards:
        known, drawn = facts(decl, rules.seats[1]), board_svg(decl, rules.seats[1])
        said = (
            f"{known.places} places, {known.links} links, {counted(known.parts, 'part')}; "
            f"from {known.fewest} to {known.most} neighbours; "
            f"the farthest places are {known.diameter} steps apart"
        )
        parts.append(f"<h3>{escape(decl.name)}</h3><p>{said}.</p><div class='drawing'>{drawn}</div>")
    return f"<section><h2>Boards</h2>{''.join(parts)}</section>"


def _tables(rules: Rules, machine: m.Machine) -> str:
    names = Names(rules, machine)
    parts = [_table(names, table) for table in rules.tables.values()]
    return f"<section><h2>Tables</h2>{''.join(parts)}</section>" if parts else ""


def _table(names: Names, table: Table) -> str:
    """Keys and cells; the last key goes across."""
    *down, across = (range(lo, hi + 1) for lo, hi in table.over)
    kinds, size, rows = table.over_types, len(across), list(product(*down))
    shown = rows[: max(1, MOST_CELLS // size)]
    lines = []
    for i, keys in enumerate(shown):
        heads = "".join(f"<th>{escape(names.value(k, v))}</th>" for k, v in zip(kinds, keys, strict=False))
        values = table.values[i * size : (i + 1) * size]
        cells = "".join(f"<td>{escape(names.value(table.type, v))}</td>" for v in values)
        lines.append(f"<tr>{heads}{cells}</tr>")
    head = "<th></th>" * len(down) + "".join(f"<th>{escape(names.value(kinds[-1], v))}</th>" for v in across)
    order = f" ({table.order})" if table.order else ""
    left = f"<p>… and {counted(len(rows) - len(shown), 'row')} more</p>" if len(shown) < len(rows) else ""
    return (
        f"<h3>{escape(table.name)}{order}</h3><div class='drawing'><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>{left}"
    )

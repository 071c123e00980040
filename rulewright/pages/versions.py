"""A page for two versions of a ruleset: what changed, by chapter, and what becomes of saved matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from rulewright.pages.style import STYLE
from rulewright.terminal import counted
from rulewright.versions.logs import Judged
from rulewright.versions.matches import WORDS, blamed, cause, example
from validators.diff.changes import SECTIONS, Change, FactChange, LineEdit
from validators.diff.compare import Comparison
from validators.diff.log_replay.verdicts import KINDS

MORE_STYLE = """
article.changed, article.renamed { border-left-color: var(--bad); }
article.added { border-left-color: var(--good); } article.removed { border-left-color: var(--error); }
article h3 { margin: .5rem 0 .3rem; } h3 a, .marks a { color: var(--faint); text-decoration: none; }
.marks { float: right; font: .85rem ui-monospace, monospace; } .marks a:hover { text-decoration: underline; }
del { background: #ffebe9; text-decoration: none; } ins { background: #dafbe1; text-decoration: none; }
pre del, pre ins { display: block; } pre .marks { float: right; color: var(--faint); }
dl { margin: .3rem 0; display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; }
dt { color: var(--faint); } dd { margin: 0; } nav a { margin-right: .8rem; }
"""


def page(comparison: Comparison, names: tuple[str, str], judged: Sequence[Judged] | None) -> str:
    """The whole page, with everything in it that it needs."""
    title = f"{comparison.new.title}: {names[0]} and {names[1]}"
    chapters = [_chapter(comparison.changes, section) for section in SECTIONS]
    parts = [_head(comparison, names), *chapters, _clauses(comparison)]
    if judged is not None:
        parts.append(_matches(judged))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}{MORE_STYLE}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _head(comparison: Comparison, names: tuple[str, str]) -> str:
    verbs = Counter[str](change.verb for change in comparison.changes)
    told = ", ".join(f"{number} {verb}" for verb, number in verbs.items()) or "no change in meaning"
    state = "good" if comparison.same else "bad"
    links = "".join(
        f'<a href="#{section}">{escape(title)}</a>'
        for section, title in SECTIONS.items()
        if any(change.section == section for change in comparison.changes)
    )
    return (
        f"<header><h1>{escape(comparison.new.title)}</h1><p>{escape(names[0])} → {escape(names[1])}</p>"
        f'<p class="{state}">{told}</p><nav>{links}</nav></header>'
    )


# ---- changes


def _chapter(changes: Sequence[Change], section: str) -> str:
    found = [_change(change) for change in changes if change.section == section]
    if not found:
        return ""
    return f'<section id="{section}"><h2>{escape(SECTIONS[section])}</h2>{"".join(found)}</section>'


def _change(change: Change) -> str:
    was = f" <small>once {escape(change.was)}</small>" if change.was else ""
    facts = "".join(map(_fact, change.facts))
    lines = "".join(map(_edit, change.edits))
    return (
        f'<article class="{change.verb}"><h3>{_marks(change.clauses)}<span>{change.verb}</span> '
        f"{escape(change.noun)} <b>{escape(change.name)}</b>{was}</h3>"
        f"{f'<dl>{facts}</dl>' if facts else ''}{f'<pre>{lines}</pre>' if lines else ''}</article>"
    )


def _marks(clauses: Sequence[str]) -> str:
    links = " ".join(f'<a href="#{escape(c)}">{escape(c)}</a>' for c in clauses)
    return f'<span class="marks">{links}</span>' if links else ""


def _fact(fact: FactChange) -> str:
    arrow = " → " if fact.old and fact.new and not fact.parts else " "
    old = f"<del>{escape(fact.old)}</del>{arrow}" if fact.old else ""
    new = f"<ins>{escape(fact.new)}</ins>" if fact.new else ""
    return f"<dt>{escape(fact.what)}</dt><dd>{old}{new}</dd>"


def _edit(edit: LineEdit) -> str:
    tag = "del" if edit.sign == "-" else "ins"
    text = f"{edit.sign} {'    ' * edit.depth}{edit.text}"
    return f"<{tag}>{_marks(edit.clauses)}{escape(text)}</{tag}>"


# ---- clauses


def _clauses(comparison: Comparison) -> str:
    """Every clause that is touched, with links to nothing but itself: its own words, and what cites it."""
    rows = "".join(_clause(comparison, mark) for mark in comparison.clauses())
    if not rows:
        return ""
    head = "<thead><tr><th>clause</th><th>says</th><th>what has changed</th></tr></thead>"
    return f"<section><h2>By clause</h2><table>{head}<tbody>{rows}</tbody></table></section>"


def _clause(comparison: Comparison, mark: str) -> str:
    clause = comparison.new.clauses.get(mark) or comparison.old.clauses.get(mark)
    said = f"<b>{escape(clause.heading)}</b> {escape(clause.says)}" if clause is not None else ""
    parts = (change.of_clause(mark) for change in comparison.changes)
    changed = ", ".join(f"{p.noun} {p.name}" for p in parts if p is not None)
    return f'<tr id="{escape(mark)}"><td>{escape(mark)}</td><td>{said}</td><td>{escape(changed)}</td></tr>'


# ---- matches


def _matches(judged: Sequence[Judged]) -> str:
    counts = Counter(one.kind for one in judged)
    told = ", ".join(f"{counts[kind]} {WORDS[kind][1]}" for kind in KINDS if counts[kind])
    rows = "".join(_match(one) for one in judged if one.kind != "unaffected")
    head = "<thead><tr><th>match</th><th>verdict</th><th>where</th><th>clauses</th></tr></thead>"
    table = f"<table>{head}<tbody>{rows}</tbody></table>" if rows else ""
    return (
        f"<section><h2>Saved matches</h2><p>{counted(len(judged), 'log')}: {told}.</p>"
        f'<div class="drawing">{table}</div></section>'
    )


def _match(one: Judged) -> str:
    found = cause(one)
    text = example(one).removeprefix(one.log).lstrip(",: ")
    place = f"<br><small>{escape(blamed(one)[0])}</small>" if found.place or found.changes else ""
    return (
        f"<tr><td>{escape(one.log)}</td><td>{WORDS[one.kind][0]}</td><td>{escape(text)}{place}</td>"
        f"<td>{escape(' '.join(found.clauses))}</td></tr>"
    )

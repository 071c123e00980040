"""A book as one page for browsers, with everything in it that it needs."""

from __future__ import annotations

from html import escape
from typing import assert_never

from rulewright.drawing.svg import svg
from rulewright.pages.boards import board_svg
from rulewright.pages.style import RULEBOOK
from rulewright.prose import document as d
from rulewright.prose.clauses import clause_id


def html(book: d.Book) -> str:
    """The whole page."""
    title = escape(book.title)
    lead = "".join(f"<p>{_text(t)}</p>" for t in book.lead)
    links = "".join(f'<li><a href="#{s.id}">{escape(d.plain(s.title))}</a></li>' for s in book.sections)
    body = "".join(_section(s, 2) for s in book.sections)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{RULEBOOK}</style></head><body>'
        f'<header><h1>{title}</h1>{lead}</header><div class="page"><nav><ul>{links}</ul></nav>'
        f"<main>{body}</main></div></body></html>\n"
    )


def _section(section: d.Section, level: int) -> str:
    tag = f"h{min(level, 6)}"
    inner = "".join(_block(b, level) for b in section.blocks)
    title = f"<{tag}>{_text(section.title)}{_marks(section.clauses)}</{tag}>"
    return f'<section id="{section.id}">{title}{inner}</section>'


def _block(block: d.Block, level: int) -> str:
    match block:
        case d.Section():
            return _section(block, level + 1)
        case d.Paragraph(text=text, clauses=clauses, quiet=quiet):
            return f"<p{' class=quiet' if quiet else ''}>{_text(text)}{_marks(clauses)}</p>"
        case d.Steps(steps=steps, ordered=ordered):
            return _steps(steps, ordered)
        case d.Table():
            return _table(block)
        case d.Chart(diagram=diagram):
            return f'<div class="drawing chart">{svg(diagram)}</div>'
        case d.Board(decl=decl, seats=seats, names=names, text=text, clauses=clauses):
            drawn = board_svg(decl, seats, names)
            return f'<p>{_text(text)}{_marks(clauses)}</p><div class="drawing">{drawn}</div>'
    assert_never(block)


def _steps(steps: tuple[d.Step, ...], ordered: bool) -> str:
    tag = "ol" if ordered else "ul"
    items = "".join(
        f"<li>{_text(s.text)}{_marks(s.clauses)}{_steps(s.parts, s.ordered) if s.parts else ''}</li>"
        for s in steps
    )
    return f"<{tag}>{items}</{tag}>"


def _table(table: d.Table) -> str:
    head = "".join(f"<th>{_text(h)}</th>" for h in table.head)
    rows = []
    for row in table.rows:
        id = f' id="{row.id}"' if row.id else ""
        cells = "".join(f"<td>{_text(c.text)}{_marks(c.clauses)}</td>" for c in row.cells)
        rows.append(f"<tr{id}>{cells}</tr>")
    body = "".join(rows)
    return f'<div class="table"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _text(text: str) -> str:
    linked = d.LINK.sub(r'<a href="#\1">\2</a>', escape(d.tidied(text), quote=False))
    return linked.replace(d.STRONG, "<strong>").replace(d.WEAK, "</strong>")


def _marks(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    links = " ".join(f'<a href="#{clause_id(c)}">{escape(c)}</a>' for c in clauses)
    return f' <small class="marks">{links}</small>'

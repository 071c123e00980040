"""A book as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import assert_never

from rulewright.rulebook import document as d
from rulewright.sentences.text import LINK, STRONG, WEAK, Step, tidied

ESCAPED = re.compile(r"([\\`*_\[\]<>|])")


def markdown(book: d.Book) -> str:
    """The whole text. What is linked to has an anchor, so that links work wherever it is read."""
    sections = d.in_text(book.sections)
    linked = {id for text in d.all_texts(sections) for id, _ in LINK.findall(text)}
    lines = [f"# {_text(book.title)}", ""]
    for text in book.lead:
        lines += [_text(text), ""]
    for section in sections:
        lines += _section(section, 2, linked)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: d.Section, level: int, linked: Set[str]) -> list[str]:
    told = [line for block in section.blocks for line in _block(block, level, linked)]
    if section.bare:
        (first, *rest), inline = told, f'<a id="{section.id}"></a>' if section.id in linked else ""
        return [f"{inline}{first}", *rest]
    mark = "#" * min(level, 6)
    anchor = [f'<a id="{section.id}"></a>', ""] if section.id in linked else []
    return [*anchor, f"{mark} {_text(section.title)}{_marks(section.clauses)}", "", *told]


def _block(block: d.DocumentBlock, level: int, linked: Set[str]) -> list[str]:
    match block:
        case d.Section():
            return _section(block, level + 1, linked)
        case d.Paragraph(text=text, clauses=clauses, quiet=quiet):
            said = _text(text)
            return [f"{f'*{said}*' if quiet else said}{_marks(clauses)}", ""]
        case d.Steps(steps=steps, ordered=ordered):
            return [*_steps(steps, ordered, 0), ""]
        case d.Table():
            return [*_table(block, linked), ""]
        case d.Chart() | d.Illustration():
            return []
        case d.Board(text=text, clauses=clauses):
            return [f"{_text(text)}{_marks(clauses)}", ""]
    assert_never(block)


def _steps(steps: tuple[Step, ...], ordered: bool, depth: int) -> Iterator[str]:
    for i, step in enumerate(steps, 1):
        mark = f"{i}." if ordered else "*"
        yield f"{'   ' * depth}{mark} {_text(step.text)}{_marks(step.clauses)}"
        yield from _steps(step.parts, step.ordered, depth + 1)


def _table(table: d.Table, linked: Set[str]) -> Iterator[str]:
    yield f"| {' | '.join(_text(h) for h in table.head)} |"
    yield f"|{'---|' * len(table.head)}"
    for row in table.rows:
        anchor = "".join(f'<a id="{id}"></a>' for id in (row.id, *row.others) if id in linked)
        cells = [f"{_text(c.text)}{_marks(c.clauses)}" for c in row.cells]
        yield f"| {anchor}{' | '.join(cells)} |"


def _text(text: str) -> str:
    escaped = ESCAPED.sub(r"\\\1", tidied(text))
    linked = LINK.sub(r"[\2](#\1)", escaped)
    return linked.replace(STRONG, "**").replace(WEAK, "**")


def _marks(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    return f" <sub>{' '.join(clauses)}</sub>"

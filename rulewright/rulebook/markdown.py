"""A book as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from rulewright.drawing.mermaid import mermaid
from rulewright.rulebook import document as d
from rulewright.rulebook.clauses import clause_id
from rulewright.sentences.text import LINK, STRONG, WEAK, Step, tidied

ESCAPED = re.compile(r"([\\`*_\[\]<>|])")


def markdown(book: d.Book) -> str:
    """The whole text. Sections have anchors, so that links work wherever it is read."""
    lines = [f"# {_text(book.title)}", ""]
    for text in book.lead:
        lines += [_text(text), ""]
    lines += [*_contents(book), ""]
    for section in book.sections:
        lines += _section(section, 2)
    return "\n".join(lines).rstrip() + "\n"


def _contents(book: d.Book) -> Iterator[str]:
    for section in book.sections:
        yield f"* [{_text(section.title)}](#{section.id})"


def _section(section: d.Section, level: int) -> list[str]:
    mark = "#" * min(level, 6)
    lines = [f'<a id="{section.id}"></a>', "", f"{mark} {_text(section.title)}{_marks(section.clauses)}", ""]
    for block in section.blocks:
        lines += _block(block, level)
    return lines


def _block(block: d.DocumentBlock, level: int) -> list[str]:
    match block:
        case d.Section():
            return _section(block, level + 1)
        case d.Paragraph(text=text, clauses=clauses, quiet=quiet):
            said = _text(text)
            return [f"{f'*{said}*' if quiet else said}{_marks(clauses)}", ""]
        case d.Steps(steps=steps, ordered=ordered):
            return [*_steps(steps, ordered, 0), ""]
        case d.Table():
            return [*_table(block), ""]
        case d.Chart(diagram=diagram):
            return ["```mermaid", mermaid(diagram).rstrip(), "```", ""]
        case d.Illustration():
            return []
        case d.Board(text=text, clauses=clauses):
            return [f"{_text(text)}{_marks(clauses)}", ""]
    assert_never(block)


def _steps(steps: tuple[Step, ...], ordered: bool, depth: int) -> Iterator[str]:
    for i, step in enumerate(steps, 1):
        mark = f"{i}." if ordered else "*"
        yield f"{'   ' * depth}{mark} {_text(step.text)}{_marks(step.clauses)}"
        yield from _steps(step.parts, step.ordered, depth + 1)


def _table(table: d.Table) -> Iterator[str]:
    yield f"| {' | '.join(_text(h) for h in table.head)} |"
    yield f"|{'---|' * len(table.head)}"
    for row in table.rows:
        anchor = "".join(f'<a id="{id}"></a>' for id in (row.id, *row.others) if id)
        cells = [f"{_text(c.text)}{_marks(c.clauses)}" for c in row.cells]
        yield f"| {anchor}{' | '.join(cells)} |"


def _text(text: str) -> str:
    escaped = ESCAPED.sub(r"\\\1", tidied(text))
    linked = LINK.sub(r"[\2](#\1)", escaped)
    return linked.replace(STRONG, "**").replace(WEAK, "**")


def _marks(clauses: tuple[str, ...]) -> str:
    if not clauses:
        return ""
    return f" <sub>{' '.join(f'[{c}](#{clause_id(c)})' for c in clauses)}</sub>"

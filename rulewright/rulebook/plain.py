"""A book as plain text, for places that show neither links nor marks of style."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from rulewright.rulebook import document as d
from rulewright.sentences.text import LINK, STRONG, WEAK, Step, tidied


def plain(book: d.Book) -> str:
    """The whole text. Sections are numbered, `1.2 Set-up`; what has only diagrams is left out."""
    parts = [_text(book.title), *map(_text, book.lead), *_blocks(d.in_text(book.sections), "")]
    return "\n\n".join(parts) + "\n"


def _blocks(blocks: Iterable[d.DocumentBlock], number: str) -> Iterator[str]:
    """The parts of a section with a number, `2.`, that say something."""
    within = 0
    for block in blocks:
        if isinstance(block, d.Section):
            said = [*_blocks(block.blocks, f"{number}{within + 1}.")]
            if said:
                within += 1
                yield f"{number}{within} {_text(block.title)}"
                yield from said
        elif text := _block(block):
            yield text


def _block(block: d.Paragraph | d.Steps | d.Table | d.Chart | d.Illustration | d.Board) -> str:
    match block:
        case d.Paragraph(text=text) | d.Board(text=text):
            return _text(text)
        case d.Steps(steps=steps, ordered=ordered):
            return "\n".join(_steps(steps, ordered, ""))
        case d.Table(head=head, rows=rows):
            names = [_text(name) for name in head]
            return "\n".join("; ".join(_cells(names, row)) for row in rows)
        case d.Chart() | d.Illustration():
            return ""
    assert_never(block)


def _cells(names: list[str], row: d.DocumentRow) -> Iterator[str]:
    """What a row says: its first cell as it is, each other one behind the name of its column."""
    for i, (name, cell) in enumerate(zip(names, row.cells, strict=False)):
        if said := _text(cell.text):
            yield f"{name}: {said}" if i and name else said


def _steps(steps: tuple[Step, ...], ordered: bool, before: str) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        yield f"{before}{f'{number}.' if ordered else '-'} {_text(step.text)}"
        yield from _steps(step.parts, step.ordered, f"{before}   ")


def _text(text: str) -> str:
    return LINK.sub(r"\2", tidied(text)).replace(STRONG, "").replace(WEAK, "")

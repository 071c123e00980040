"""What a book is made of: sections, and in them paragraphs, steps, tables and drawings.

Nothing here says how it will look. A text is a `str` in which links are marked by three characters for
private use, so that sentences can be put together like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dsl.rules import TypeDecl
from rulewright.drawing.diagram import Diagram

OPEN, BETWEEN, CLOSE, STRONG, WEAK = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
LINK = re.compile(f"{OPEN}([^{BETWEEN}]*){BETWEEN}([^{CLOSE}]*){CLOSE}")


def link(target: str, text: str) -> str:
    """A text that leads to the section with the id `target`."""
    return f"{OPEN}{target}{BETWEEN}{text}{CLOSE}"


def slug(kind: str, name: str) -> str:
    """The id of a place in the book: `do-take-money`."""
    return "".join(c if c.isalnum() else "-" for c in f"{kind}-{name}")


def strong(text: str) -> str:
    """A text that stands out."""
    return f"{STRONG}{text}{WEAK}"


def tidied(text: str) -> str:
    """A text with the apostrophes of print."""
    return text.replace("'", "’")


def plain(text: str) -> str:
    """A text without its links and marks."""
    return LINK.sub(r"\2", text).replace(STRONG, "").replace(WEAK, "")


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence, or with `parts` the beginning of one: `If …:`.

    With `ordered` the parts are done one after the other; otherwise they stand side by side. What is
    `guarded` begins with when or for whom it is done, and does not go into another sentence.
    """

    text: str
    clauses: tuple[str, ...] = ()
    parts: tuple[Step, ...] = ()
    ordered: bool = True
    guarded: bool = False


def merge_clauses(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    """Both without duplicates."""
    return tuple(dict.fromkeys((*first, *second)))


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    clauses: tuple[str, ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    steps: tuple[Step, ...]
    ordered: bool = True


def bullets(steps: Iterable[Step]) -> Steps:
    """Steps that stand side by side, without numbers."""
    return Steps(tuple(steps), ordered=False)


@dataclass(frozen=True, slots=True)
class DocumentCell:
    text: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """`id` makes a row a place that can be led to."""

    cells: tuple[DocumentCell, ...]
    id: str = ""


def row(*cells: DocumentCell | str, id: str = "") -> DocumentRow:
    """A row; a cell that cites nothing may be given as its text."""
    return DocumentRow(tuple(DocumentCell(c) if isinstance(c, str) else c for c in cells), id)


@dataclass(frozen=True, slots=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[DocumentRow, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    diagram: Diagram


@dataclass(frozen=True, slots=True)
class Board:
    """A board to be drawn, with what is said of it where nothing can be drawn.

    `names` are those of the board and of its values, in their order.
    """

    decl: TypeDecl
    seats: int
    names: tuple[str, ...]
    text: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: tuple[DocumentBlock, ...]
    clauses: tuple[str, ...] = ()


DocumentBlock = Paragraph | Steps | Table | Chart | Board | Section


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rulebook. `where` says for each clause in which sections it is told."""

    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    where: dict[str, tuple[str, ...]] = field(default_factory=dict)


# ---- where clauses are told


def told(sections: tuple[Section, ...]) -> dict[str, tuple[str, ...]]:
    """For each clause the ids of the sections that tell it, each once, in order."""
    found: dict[str, dict[str, None]] = {}
    for section in sections:
        for id, clause in _told(section):
            found.setdefault(clause, {})[id] = None
    return {clause: tuple(ids) for clause, ids in found.items()}


def _told(section: Section) -> Iterator[tuple[str, str]]:
    yield from ((section.id, clause) for clause in section.clauses)
    for block in section.blocks:
        match block:
            case Section():
                yield from _told(block)
            case Paragraph(clauses=clauses) | Board(clauses=clauses):
                yield from ((section.id, clause) for clause in clauses)
            case Steps(steps=steps):
                yield from ((section.id, clause) for step in steps for clause in cited(step))
            case Table(rows=rows):
                yield from _told_in_rows(section.id, rows)
            case Chart():
                pass


def _told_in_rows(id: str, rows: tuple[DocumentRow, ...]) -> Iterator[tuple[str, str]]:
    for row in rows:
        yield from ((row.id or id, clause) for cell in row.cells for clause in cell.clauses)


def cited(step: Step) -> Iterator[str]:
    """The clauses of a step and of its parts."""
    yield from step.clauses
    for part in step.parts:
        yield from cited(part)


def flowing(steps: tuple[Step, ...]) -> str:
    """Steps as a text without numbers, for where there is no room for a list."""
    return " ".join(_flowing(step) for step in steps)


def _flowing(step: Step) -> str:
    if not step.parts:
        return step.text
    inner = (_flowing(part).removesuffix(".") for part in step.parts)
    return f"{step.text} {'; '.join(text[:1].lower() + text[1:] for text in inner)}."

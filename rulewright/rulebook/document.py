"""The document model of a book: sections of paragraphs, steps, tables and drawings, without any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import assert_never

from rulewright.drawing.diagram import Diagram
from rulewright.layout.scene import BoardScene
from rulewright.sentences.text import Step, cited


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; what is `told` is the summary of a clause."""

    text: str
    clauses: tuple[str, ...] = ()
    quiet: bool = False
    told: bool = False


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
    """A row with an `id` can be linked to; one that stands for several things has `others` too."""

    cells: tuple[DocumentCell, ...]
    id: str = ""
    others: tuple[str, ...] = ()


def row(*cells: DocumentCell | str, id: str = "") -> DocumentRow:
    """A row; a cell that cites nothing may be given as its text."""
    return DocumentRow(tuple(DocumentCell(c) if isinstance(c, str) else c for c in cells), id)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads. The column with the number `effects` says what pieces do.

    What is `aside` is for pages and paper, as an index is: in a text marks can be searched for.
    """

    head: tuple[str, ...]
    rows: tuple[DocumentRow, ...]
    effects: int | None = None
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A diagram, for pages and paper."""

    diagram: Diagram


@dataclass(frozen=True, slots=True)
class Illustration:
    """A drawing as SVG, for pages and paper."""

    svg: str


@dataclass(frozen=True, slots=True)
class Board:
    """A board with a text, and its picture: all boards in it, what their places are called, colours of seats.

    Of boards that share a picture, the first one has it; the others have none in theirs.
    """

    title: str
    picture: Mapping[str, BoardScene]
    names: Mapping[str, tuple[str, ...]]
    colours: tuple[str, ...]
    text: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the book with a heading; one that is `bare` is a sentence that needs none.

    What is `aside` is for pages and paper: it shows rules that are told elsewhere.
    """

    id: str
    title: str
    blocks: tuple[DocumentBlock, ...]
    clauses: tuple[str, ...] = ()
    bare: bool = False
    aside: bool = False


DocumentBlock = Paragraph | Steps | Table | Chart | Board | Illustration | Section


@dataclass(frozen=True, slots=True)
class Book:
    """A whole rulebook. `where` has for each clause the ids of the sections that cite it."""

    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]
    where: dict[str, tuple[str, ...]] = field(default_factory=dict)


def all_sections(sections: Iterable[Section]) -> Iterator[Section]:
    """Sections, each followed by those within it."""
    for section in sections:
        yield section
        yield from all_sections(block for block in section.blocks if isinstance(block, Section))


def all_texts(blocks: Iterable[DocumentBlock]) -> Iterator[str]:
    """The texts of sections and all that they hold."""
    for block in blocks:
        match block:
            case Section(title=title, blocks=inner):
                yield title
                yield from all_texts(inner)
            case Paragraph(text=text) | Board(text=text):
                yield text
            case Steps(steps=steps):
                yield from (text for step in steps for text in _texts(step))
            case Table(head=head, rows=rows):
                yield from head
                yield from (cell.text for row in rows for cell in row.cells)
            case Chart() | Illustration():
                pass
            case _:
                assert_never(block)


def _texts(step: Step) -> Iterator[str]:
    yield step.text
    for part in step.parts:
        yield from _texts(part)


def in_text(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sections without what is for pages and paper, and without those that have nothing else."""
    kept = ((section, _in_text(section.blocks)) for section in sections if not section.aside)
    return tuple(replace(section, blocks=blocks) for section, blocks in kept if blocks or not section.blocks)


def _in_text(blocks: Iterable[DocumentBlock]) -> tuple[DocumentBlock, ...]:
    told: list[DocumentBlock] = []
    for block in blocks:
        match block:
            case Section():
                told += in_text((block,))
            case Chart() | Illustration() | Table(aside=True):
                pass
            case _:
                told.append(block)
    return tuple(told)


# ---- clauses


def marked_once(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sections whose headings have only the marks that stand at none of their sentences; so have steps."""
    return tuple(_marked_once(section) for section in sections)


def _marked_once(section: Section) -> Section:
    blocks = tuple(map(_marked_once_in, section.blocks))
    own = Section("", "", tuple(block for block in blocks if not isinstance(block, Section)))
    return replace(section, blocks=blocks, clauses=_without(section.clauses, (c for _, c in _citations(own))))


def _marked_once_in(block: DocumentBlock) -> DocumentBlock:
    match block:
        case Section():
            return _marked_once(block)
        case Steps(steps=steps):
            return replace(block, steps=tuple(map(_step_marked_once, steps)))
    return block


def _step_marked_once(step: Step) -> Step:
    parts = tuple(map(_step_marked_once, step.parts))
    return replace(
        step, parts=parts, clauses=_without(step.clauses, (c for part in parts for c in cited(part)))
    )


def without_marks(section: Section, known: Set[str]) -> Section:
    """A section without the marks of clauses that are `known` from elsewhere."""
    return replace(
        section,
        blocks=tuple(_without_marks(block, known) for block in section.blocks),
        clauses=_without(section.clauses, known),
    )


def _without_marks(block: DocumentBlock, known: Set[str]) -> DocumentBlock:
    match block:
        case Section():
            return without_marks(block, known)
        case Paragraph(clauses=clauses) | Board(clauses=clauses):
            return replace(block, clauses=_without(clauses, known))
        case Steps(steps=steps):
            return replace(block, steps=tuple(_step_without(step, known) for step in steps))
    return block


def _step_without(step: Step, known: Set[str]) -> Step:
    parts = tuple(_step_without(part, known) for part in step.parts)
    return replace(step, parts=parts, clauses=_without(step.clauses, known))


def _without(clauses: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple(clause for clause in clauses if clause not in known)


DECLARED = ("components", "set-up")
"""Sections whose sentences only tell what there is."""


def in_sentences(sections: Iterable[Section]) -> set[str]:
    """The clauses at sentences, cells and definitions: not at what is declared, and at headings of tables."""
    found: set[str] = set()
    for section in all_sections(sections):
        tables = [block for block in section.blocks if isinstance(block, Table)]
        if not tables and section.id not in DECLARED:
            found.update(section.clauses)
        told = tables if section.id in DECLARED else section.blocks
        own = Section("", "", tuple(block for block in told if not isinstance(block, Section)))
        found.update(clause for _, clause in _citations(own))
    return found


def sections_by_clause(sections: tuple[Section, ...]) -> dict[str, tuple[str, ...]]:
    """For each clause the ids of the sections and rows that cite it, each once, in order."""
    ids: dict[str, dict[str, None]] = {}
    for section in sections:
        for id, clause in _citations(section):
            ids.setdefault(clause, {})[id] = None
    return {clause: tuple(citing) for clause, citing in ids.items()}


def _citations(section: Section) -> Iterator[tuple[str, str]]:
    yield from ((section.id, clause) for clause in section.clauses)
    for block in section.blocks:
        match block:
            case Section():
                yield from _citations(block)
            case Paragraph(clauses=clauses) | Board(clauses=clauses):
                yield from ((section.id, clause) for clause in clauses)
            case Steps(steps=steps):
                yield from ((section.id, clause) for step in steps for clause in cited(step))
            case Table(rows=rows):
                for row in rows:
                    yield from ((row.id or section.id, c) for cell in row.cells for c in cell.clauses)
            case Chart() | Illustration():
                pass
            case _:
                assert_never(block)

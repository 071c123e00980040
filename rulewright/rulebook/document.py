"""The document model of a book: sections of paragraphs, steps, tables and drawings, without any format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from rulewright.drawing.diagram import Diagram
from rulewright.layout.scene import BoardScene
from rulewright.sentences.text import Step, cited


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
    """A row with an `id` can be linked to; one that stands for several things has `others` too."""

    cells: tuple[DocumentCell, ...]
    id: str = ""
    others: tuple[str, ...] = ()


def row(*cells: DocumentCell | str, id: str = "") -> DocumentRow:
    """A row; a cell that cites nothing may be given as its text."""
    return DocumentRow(tuple(DocumentCell(c) if isinstance(c, str) else c for c in cells), id)


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads. The column with the number `effects` says what pieces do."""

    head: tuple[str, ...]
    rows: tuple[DocumentRow, ...]
    effects: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    diagram: Diagram


@dataclass(frozen=True, slots=True)
class Illustration:
    """A drawing for screens, as SVG; other forms leave it out."""

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
    id: str
    title: str
    blocks: tuple[DocumentBlock, ...]
    clauses: tuple[str, ...] = ()


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


# ---- clauses


def marked_once(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sections without the marks of a single sentence that stand at its heading too."""
    return tuple(_marked_once(section) for section in sections)


def _marked_once(section: Section) -> Section:
    told = [block for block in section.blocks if not isinstance(block, Section)]
    alone = len(told) == 1
    blocks: list[DocumentBlock] = []
    for block in section.blocks:
        match block:
            case Section():
                blocks.append(_marked_once(block))
            case Paragraph(clauses=clauses) if alone:
                blocks.append(replace(block, clauses=_others(clauses, section)))
            case Steps(steps=(step,)) if alone and not step.parts:
                rest = replace(step, clauses=_others(step.clauses, section))
                blocks.append(replace(block, steps=(rest,)))
            case _:
                blocks.append(block)
    return replace(section, blocks=tuple(blocks))


def _others(clauses: tuple[str, ...], section: Section) -> tuple[str, ...]:
    return tuple(clause for clause in clauses if clause not in section.clauses)


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

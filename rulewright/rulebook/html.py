"""A book as an HTML page, without external resources."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal, assert_never

from rulewright.drawing.svg import svg
from rulewright.layout.board_svg import pictures_svg
from rulewright.pages.rendering import render, trusted
from rulewright.rulebook.clauses import clause_id
from rulewright.rulebook.document import (
    Board,
    Book,
    Chart,
    DocumentBlock,
    Illustration,
    Paragraph,
    Section,
    Steps,
    Table,
)
from rulewright.sentences.text import LINK, STRONG, WEAK, plain, tidied

if TYPE_CHECKING:
    from markupsafe import Markup


def html(book: Book) -> str:
    """The page. Raises `DiagnosticError` if no pages can be rendered."""
    return render(
        "rulebook.html",
        title=book.title,
        book=book,
        kind=_kind,
        text=_text,
        plain=plain,
        clause_id=clause_id,
        chart=lambda diagram: trusted(svg(diagram)),
        drawing=_drawing,
        trusted=trusted,
    )


def _kind(
    block: DocumentBlock,
) -> Literal["section", "paragraph", "steps", "table", "chart", "picture", "board"]:
    """Which case of the template writes a block."""
    match block:
        case Section():
            return "section"
        case Paragraph():
            return "paragraph"
        case Steps():
            return "steps"
        case Table():
            return "table"
        case Chart():
            return "chart"
        case Illustration():
            return "picture"
        case Board():
            return "board"
    assert_never(block)


def _drawing(board: Board) -> Markup:
    return trusted(pictures_svg(board.picture, board.title, lambda of, i: board.names[of][i], board.colours))


def _text(text: str) -> Markup:
    """A text as HTML, with its links and emphasis."""
    linked = LINK.sub(r'<a href="#\1">\2</a>', escape(tidied(text)))
    return trusted(linked.replace(STRONG, "<strong>").replace(WEAK, "</strong>"))

"""The generated rulebook on paper, and a summary of it for each player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never
from urllib.parse import quote

from rulewright.layout.board_svg import extent
from rulewright.printing.board_pages import BoardPicture
from rulewright.printing.canvas import Canvas, size_of
from rulewright.printing.flowing import FAINT, Flow, Grid, draw_table
from rulewright.rulebook import document as d
from rulewright.sentences.text import LINK, Step, link, plain, strong

LARGEST_DRAWING = 0.6
"""A drawing of a board is at most so high, in the height of a page."""
HEADING = 20.0
"""The room of a heading in mm, which is on the page of a picture below it."""
GLANCE = "glance"
SUMMARY = ("short", GLANCE, "scoring")
"""The sections of a summary."""
AID_SIZES, COLUMNS = (7.5, 7.0, 6.5, 6.0), 2
"""The sizes of the text of a summary, the largest that fits on a page, and how many columns it has."""


def draw_rulebook(canvas: Canvas, book: d.Book) -> None:
    """The whole rulebook, with links within it and an outline for readers."""
    flow = Flow(canvas, foot=book.title)
    flow.need(flow.bottom)
    for one, *others in _ids(book.sections):
        flow.links[one] = canvas.pdf.add_link()
        flow.links |= dict.fromkeys(others, flow.links[one])
    flow.heading(book.title, 0)
    for text in book.lead:
        flow.paragraph(text, ink=FAINT)
    flow.gap(3)
    for section in book.sections:
        flow.paragraph(link(section.id, section.title), indent=4)
    canvas.pdf.start_section(book.title, 0)
    for section in book.sections:
        _section(flow, section, 1)


def _ids(sections: Sequence[d.Section]) -> Iterator[tuple[str, ...]]:
    """The ids of each section and row that can be linked to."""
    for section in sections:
        yield (section.id,)
        for block in section.blocks:
            match block:
                case d.Section():
                    yield from _ids((block,))
                case d.Table(rows=rows):
                    yield from ((row.id, *row.others) for row in rows if row.id)
                case d.Paragraph() | d.Steps() | d.Chart() | d.Board() | d.Illustration():
                    pass
                case _:
                    assert_never(block)


def _section(flow: Flow, section: d.Section, level: int) -> None:
    if section.blocks and isinstance(section.blocks[0], d.Illustration):
        _, high, scale = _fitting(flow, section.blocks[0].svg)
        flow.need(high * scale + HEADING)
    flow.anchor(section.id)
    if not section.bare:
        flow.heading(section.title, level, section.clauses)
    if level < 3 and not section.bare:
        flow.canvas.pdf.start_section(plain(section.title), level, strict=False)
    for block in section.blocks:
        _block(flow, block, level)


def _block(flow: Flow, block: d.DocumentBlock, level: int) -> None:
    match block:
        case d.Section():
            _section(flow, block, level + 1)
        case d.Paragraph(text=text, clauses=clauses, quiet=quiet):
            flow.paragraph(text, clauses, ink=FAINT if quiet else "#0b0d10")
        case d.Steps(steps=steps, ordered=ordered):
            flow.steps(steps, ordered)
        case d.Table(head=head, rows=rows):
            draw_table(flow, Grid(head, [(row.id, row.cells) for row in rows]))
        case d.Board(text=text, clauses=clauses):
            flow.paragraph(text, clauses)
            _drawing(flow, block)
        case d.Illustration(svg=svg):
            _illustration(flow, svg)
        case d.Chart():
            pass  # a chart of phases is for screens, as it is wider than a page
        case _:
            assert_never(block)


def _drawing(flow: Flow, board: d.Board) -> None:
    """The picture of a board, as wide as the text."""
    if not board.picture:
        return
    first = next(iter(board.picture.values()))
    high = flow.canvas.page[1] * LARGEST_DRAWING
    left, top, width, height = extent(list(board.picture.values()))
    scale = min(flow.width / width, high / height, 12.0 / max(first.size, 1.0))
    flow.need(height * scale)
    corner = flow.left + (flow.width - width * scale) / 2 - left * scale, flow.y - top * scale
    for name, scene in board.picture.items():
        BoardPicture(flow.canvas, scene, corner, scale).draw(board.names[name], board.colours, None)
    flow.y += height * scale
    flow.gap(2)


def _illustration(flow: Flow, svg: str) -> None:
    """A picture of pieces or of the prepared table, as wide as the text."""
    wide, high, scale = _fitting(flow, svg)
    flow.need(high * scale)
    corner = flow.left + (flow.width - wide * scale) / 2, flow.y
    flow.canvas.picture((*corner, wide * scale, high * scale), f"data:image/svg+xml,{quote(svg)}")
    flow.y += high * scale
    flow.gap(2)


def _fitting(flow: Flow, svg: str) -> tuple[float, float, float]:
    """The width and height of a picture in its unit, and the mm of that unit with which it fits."""
    wide, high = size_of(svg.encode())
    return wide, high, min(flow.width / wide, flow.canvas.page[1] * LARGEST_DRAWING / high)


# ---- the summary


def draw_summaries(canvas: Canvas, book: d.Book, seats: int) -> int:
    """A summary for each seat: the game in short, a turn at a glance and what counts.

    Returns how many pages one has: one, unless letters that can be read are too large for that.
    """
    told = [section for section in book.sections if section.id in SUMMARY]
    if not told:
        return 0
    size, pages = _largest(canvas, book, told)
    for _ in range(seats):
        canvas.add_page(leaf=True)
        _draw_summary(canvas, book, told, size)
    return pages


def _largest(canvas: Canvas, book: d.Book, told: Sequence[d.Section]) -> tuple[float, int]:
    """The largest size at which a summary is one page, else the smallest, and how many pages it has."""
    trial = Canvas(canvas.page, "", both_sides=False)
    size, pages = AID_SIZES[-1], 0
    for size in AID_SIZES:
        before = trial.pdf.pages_count
        trial.add_page()
        _draw_summary(trial, book, told, size)
        pages = trial.pdf.pages_count - before
        if pages == 1:
            break
    return size, pages


def _draw_summary(canvas: Canvas, book: d.Book, told: Sequence[d.Section], size: float) -> None:
    """A summary that begins on the page there is."""
    flow = Flow(canvas, size, COLUMNS, foot=book.title)
    flow.begin()
    flow.heading(book.title, 1)
    for section in told:
        _summary(flow, section, 2)


def _summary(flow: Flow, section: d.Section, level: int) -> None:
    """A section in short: its steps and paragraphs, and what can be chosen, without clauses and the rest."""
    flow.heading(section.title, level)
    for block in section.blocks:
        match block:
            case d.Paragraph(text=text, quiet=quiet):
                flow.paragraph(plain(text), ink=FAINT if quiet else "#0b0d10")
            case d.Steps(steps=steps, ordered=ordered):
                flow.steps([_short(step) for step in steps], ordered)
            case d.Table(rows=rows) if section.id == GLANCE:
                flow.steps([_choice(row) for row in rows], ordered=False)
            case d.Section() | d.Table() | d.Chart() | d.Board() | d.Illustration():
                pass
            case _:
                assert_never(block)


def _choice(row: d.DocumentRow) -> Step:
    """An action that may be chosen: when, its name, and what it is in short."""
    when, name, text = (plain(cell.text) for cell in row.cells)
    return Step(f"{f'{when}: ' if when else ''}{strong(name)}{f'. {text}' if text else ''}")


def _short(step: Step) -> Step:
    """A step without marks and links."""
    return Step(LINK.sub(r"\2", step.text), (), tuple(map(_short, step.parts)), step.ordered)

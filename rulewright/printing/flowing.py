"""Running text on pages: headings, paragraphs, lists and tables in columns, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.layout.colours import INK
from rulewright.layout.letters import MM
from rulewright.printing.canvas import Canvas
from rulewright.printing.fitting import LINE
from rulewright.rulebook.document import DocumentCell
from rulewright.sentences.text import LINK, STRONG, WEAK, Step, tidied

EDGES = 15.0
"""The white edge of a page of text."""
GUTTER, INDENT = 8.0, 5.0
PAD = 1.2
"""Around the text of a cell of a table."""
FAINT, RULE, SHADE = "#59636e", "#b6bdc5", "#eef1f4"
MARKS = 0.78
"""The size of the marks of clauses, in that of the text."""
LEAST_CELL = 12.0
"""A column of a table is no narrower, in mm, as long as there is room."""


@dataclass(frozen=True, slots=True)
class Run:
    """A word, or the end of one, in one style; `glued`: it follows without a blank. `target` is a link."""

    text: str
    strong: bool = False
    mark: bool = False
    target: str = ""
    glued: bool = False


Line = tuple[tuple[float, Run], ...]
"""Runs with their distances from the left."""


def runs_of(text: str, clauses: Sequence[str] = (), *, strong: bool = False) -> list[Run]:
    """A text of a book as runs, with its links and emphasis, and the marks of its clauses after it."""
    found: list[Run] = []
    bold, at = strong, 0
    for match in LINK.finditer(text):
        for start, words, target in ((at, text[at : match.start()], ""), (match.start(), match[2], match[1])):
            more, bold = _words(words, bold, strong, target, text[:start])
            found += more
        at = match.end()
    more, _ = _words(text[at:], bold, strong, "", text[:at])
    return found + more + [Run(clause, mark=True) for clause in clauses]


def _words(text: str, bold: bool, always: bool, target: str, before: str) -> tuple[list[Run], bool]:
    """The words of a part of a text, and whether it ends in bold; `before` is what it follows."""
    found: list[Run] = []
    before = before.rstrip(STRONG + WEAK)
    glued = bool(before) and not before[-1].isspace()
    word = ""

    def end() -> None:
        nonlocal word, glued
        if word:
            found.append(Run(tidied(word), bold, False, target, glued))
            word, glued = "", True

    for letter in text:
        if letter in (STRONG, WEAK):
            end()
            bold = letter == STRONG or always
        elif letter.isspace():
            end()
            glued = False
        else:
            word += letter
    end()
    return found, bold


def _last_word(line: Sequence[tuple[float, Run]]) -> list[tuple[float, Run]]:
    """The runs that what is glued to a line takes along to the next; none if they are the whole line."""
    first = max(i for i, (_, run) in enumerate(line) if i == 0 or not run.glued)
    return list(line[first:]) if first else []


class Flow:
    """Text that goes down columns and pages. `size` is that of the text, in points."""

    def __init__(self, canvas: Canvas, size: float = 9.5, columns: int = 1, foot: str = "") -> None:
        self.canvas, self.size, self.columns, self.foot = canvas, size, columns, foot
        self.links: dict[str, int] = {}
        width, height = canvas.page
        self.width = (width - 2 * EDGES - (columns - 1) * GUTTER) / columns
        self.bottom = height - EDGES
        self.column, self.y = columns, self.bottom
        self.begun = False

    @property
    def left(self) -> float:
        return EDGES + self.column * (self.width + GUTTER)

    @property
    def is_at_top(self) -> bool:
        return self.y <= EDGES

    def need(self, height: float) -> None:
        """Goes on in the next column or page if there is less room than that here."""
        if self.y + height <= self.bottom or self.is_at_top:
            return
        self.column, self.y = self.column + 1, EDGES
        if self.column >= self.columns:
            self.column = 0
            self.canvas.add_page(leaf=not self.begun)
            self.begun = True
            self._footer()

    def begin(self) -> None:
        """Begins at the top of the page that there is."""
        self.column, self.y, self.begun = 0, EDGES, True
        self._footer()

    def _footer(self) -> None:
        if self.foot:
            y = self.canvas.page[1] - EDGES / 2
            self.canvas.line_of_text(EDGES, y, self.foot, 7.5, FAINT)
            number = str(self.canvas.pdf.page_no())
            self.canvas.line_of_text(self.canvas.page[0] - EDGES, y, number, 7.5, FAINT, "right")

    def gap(self, height: float) -> None:
        if not self.is_at_top:
            self.y += height

    # ---- parts of a text

    def heading(self, text: str, level: int, clauses: Sequence[str] = ()) -> None:
        """A title; it is never the last line of a page."""
        size = self.size * max(1.0, (2.0, 1.5, 1.25, 1.08)[min(level, 3)])
        self.gap(size * MM * (1.1 if level < 3 else 0.6))
        self.need(size * MM * LINE + 3 * self.size * MM * LINE)
        self._lines(runs_of(text, clauses, strong=True), size, 0)
        self.y += size * MM * 0.25

    def anchor(self, id: str) -> None:
        """What links to `id` leads here."""
        if id in self.links:
            self.need(3 * self.size * MM * LINE)
            self.canvas.pdf.set_link(self.links[id], y=max(self.y - 2, 0))

    def paragraph(
        self, text: str, clauses: Sequence[str] = (), *, indent: float = 0, mark: str = "", ink: str = INK
    ) -> None:
        """A paragraph; `mark` is what stands before it: a number or a bullet."""
        self.need(self.size * MM * LINE)
        if mark:
            y = self.y + self.size * MM * LINE / 2
            self.canvas.line_of_text(self.left + indent - 1.2, y, mark, self.size, ink, "right")
        self._lines(runs_of(text, clauses), self.size, indent, ink)
        self.y += self.size * MM * 0.3

    def steps(self, steps: Sequence[Step], ordered: bool, depth: int = 1, deepest: int = 9) -> None:
        for i, step in enumerate(steps, 1):
            mark = f"{i}." if ordered else "•"
            self.paragraph(step.text, step.clauses, indent=INDENT * depth, mark=mark)
            if depth < deepest:
                self.steps(step.parts, step.ordered, depth + 1, deepest)

    def _lines(self, runs: Sequence[Run], size: float, indent: float, ink: str = INK) -> None:
        for line in self.broken(runs, self.width - indent, size):
            self.need(size * MM * LINE)
            self.draw(line, self.left + indent, self.y, size, ink)
            self.y += size * MM * LINE

    # ---- lines

    def broken(self, runs: Sequence[Run], width: float, size: float) -> list[Line]:
        """Runs in lines of a width."""
        lines: list[list[tuple[float, Run]]] = [[]]
        x = 0.0
        for run in self._short(runs, width, size):
            blank = 0.0 if run.glued or not lines[-1] else self.canvas.measure(" ", size)
            wide = self._width(run, size)
            if lines[-1] and x + blank + wide > width:
                word = _last_word(lines[-1]) if run.glued else []
                start = word[0][0] if word else x
                if x - start + wide > width:
                    word, start = [], x
                del lines[-1][len(lines[-1]) - len(word) :]
                lines.append([(at - start, part) for at, part in word])
                x, blank = x - start, 0.0
            lines[-1].append((x + blank, run))
            x += blank + wide
        return [tuple(line) for line in lines if line]

    def _short(self, runs: Sequence[Run], width: float, size: float) -> Iterator[Run]:
        """Runs, those that are wider than a line in parts."""
        for run in runs:
            if self._width(run, size) <= width:
                yield run
                continue
            part, glued = "", run.glued
            for letter in run.text:
                if part and self._width(Run(part + letter, run.strong, run.mark), size) > width:
                    yield Run(part, run.strong, run.mark, run.target, glued)
                    part, glued = "", True
                part += letter
            yield Run(part, run.strong, run.mark, run.target, glued)

    def _width(self, run: Run, size: float) -> float:
        return self.canvas.measure(run.text, size * (MARKS if run.mark else 1), run.strong)

    def draw(self, line: Line, x: float, y: float, size: float, ink: str = INK) -> None:
        """A line with its upper edge at `y`."""
        high = size * MM * LINE
        for shift, run in line:
            large = size * (MARKS if run.mark else 1)
            self.canvas.line_of_text(
                x + shift, y + high / 2, run.text, large, FAINT if run.mark else ink, bold=run.strong
            )
            if run.target in self.links:
                self.canvas.pdf.link(x + shift, y, self._width(run, size), high, self.links[run.target])


# ---- tables


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its head, and rows of cells, each row with the id by which it is linked."""

    head: Sequence[str]
    rows: Sequence[tuple[str, Sequence[DocumentCell]]]


def draw_table(flow: Flow, grid: Grid) -> None:
    """A table as wide as its column; its head stands on each page again."""
    size = flow.size * 0.9
    widths = _widths(flow, grid, size)
    head = [
        flow.broken(runs_of(text, strong=True), wide - 2 * PAD, size)
        for text, wide in zip(grid.head, widths, strict=True)
    ]
    cells = [
        (
            id,
            [
                flow.broken(runs_of(c.text, c.clauses), wide - 2 * PAD, size)
                for c, wide in zip(row, widths, strict=True)
            ],
        )
        for id, row in grid.rows
    ]
    high = size * MM * LINE
    first = max((max(map(len, row), default=1) for _, row in cells[:1]), default=1)
    flow.need((max(map(len, head), default=0) + min(first, 6)) * high + 4 * PAD)
    _draw_row(flow, head, widths, size, shaded=True)
    for id, row in cells:
        place = flow.column, flow.canvas.pdf.page_no()
        flow.need(min(max(map(len, row), default=1), 12) * high + 2 * PAD)
        if (flow.column, flow.canvas.pdf.page_no()) != place:
            _draw_row(flow, head, widths, size, shaded=True)
        if id in flow.links:
            flow.canvas.pdf.set_link(flow.links[id], y=flow.y)
        _draw_row(flow, row, widths, size)
    flow.gap(2.0)


def _widths(flow: Flow, grid: Grid, size: float) -> list[float]:
    """The widths of the columns: what their texts need, less where that is too much."""
    columns = len(grid.head)
    texts = [[grid.head[i], *(row[i].text for _, row in grid.rows)] for i in range(columns)]
    whole = [max(_natural(flow, text, size) for text in some) + 2 * PAD for some in texts]
    if sum(whole) <= flow.width:
        return whole
    least = [
        min(wide, max(LEAST_CELL, _longest_word(flow, some, size) + 2 * PAD))
        for wide, some in zip(whole, texts, strict=True)
    ]
    if sum(least) >= flow.width:
        return [wide * flow.width / sum(least) for wide in least]
    spare = [wide - low for wide, low in zip(whole, least, strict=True)]
    share = (flow.width - sum(least)) / sum(spare)
    return [low + share * more for low, more in zip(least, spare, strict=True)]


def _natural(flow: Flow, text: str, size: float) -> float:
    return flow.canvas.measure(" ".join(run.text for run in runs_of(text)), size, True)


def _longest_word(flow: Flow, texts: Sequence[str], size: float) -> float:
    return max(
        (flow.canvas.measure(r.text, size, True) for text in texts for r in runs_of(text)), default=0.0
    )


def _draw_row(
    flow: Flow, cells: Sequence[Sequence[Line]], widths: Sequence[float], size: float, *, shaded: bool = False
) -> None:
    """A row; one that is higher than a page continues on the next."""
    high = size * MM * LINE
    left_over = [list(lines) for lines in cells]
    while True:
        room = max(1, int((flow.bottom - flow.y - 2 * PAD) / high))
        now, left_over = [lines[:room] for lines in left_over], [lines[room:] for lines in left_over]
        height = max(max(map(len, now), default=1), 1) * high + 2 * PAD
        if shaded:
            flow.canvas.rectangle((flow.left, flow.y, sum(widths), height), SHADE, None)
        x = flow.left
        for lines, wide in zip(now, widths, strict=True):
            for i, line in enumerate(lines):
                flow.draw(line, x + PAD, flow.y + PAD + i * high, size)
            x += wide
        flow.y += height
        flow.canvas.line([(flow.left, flow.y), (flow.left + sum(widths), flow.y)], RULE)
        if not any(left_over):
            return
        flow.need(flow.bottom)

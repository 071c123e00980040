"""Tables as text: CSV files, and their rows and cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.diagnostics import DiagnosticError
from dsl.document import Scalar
from dsl.domains import LARGEST
from dsl.messages.shapes import BadTable
from dsl.source import Source, Span
from dsl.wording import plural

SEPARATOR = "a table is text: a line of titles, then a line for each row, with cells separated by `,`"
OTHER_SEPARATORS = {";": "`;`", "\t": "tabs"}


@dataclass(frozen=True)
class Sheet:
    """A table as text: the titles of its columns, and rows of cells.

    The first column has the names of the rows. `lined`: each row is one line of text.
    """

    titles: tuple[Scalar, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    span: Span
    lined: bool = False

    def index(self, title: str) -> int | None:
        return next((i for i, t in enumerate(self.titles) if t.text == title), None)

    def column(self, index: int) -> list[Scalar]:
        return [row[index] for row in self.rows]


def sheet_of_csv(source: Source) -> Sheet:
    """A table as text. Empty rows and columns, which spreadsheets leave, are skipped."""
    titles, *rows = lines_of_csv(source)
    _distinct(titles, "the column")
    _named(rows)
    _distinct(tuple(row[0] for row in rows), "the row")
    if len(rows) > LARGEST:
        raise DiagnosticError(BadTable(rows[LARGEST][0].span, f"a table has at most {LARGEST} rows"))
    return Sheet(titles, tuple(rows), source.beginning, lined=True)


def lines_of_csv(source: Source) -> list[tuple[Scalar, ...]]:
    """The titles and rows of a table in which several rows may begin alike; all have as many cells."""
    lines = list(cells_of_csv(source))
    if lines:
        _separated_by_commas(lines[0])
    if len(lines) < 2:
        raise DiagnosticError(BadTable(source.beginning, "the table has no rows", SEPARATOR))
    for row in lines[1:]:
        _as_many(row, lines[0])
    return _without_empty_columns(lines)


def cells_of_csv(source: Source) -> Iterator[tuple[Scalar, ...]]:
    """The cells of each line that is neither blank nor a comment, which a spreadsheet may have quoted."""
    for number in range(1, len(source.lines) + 1):
        line = source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        span = source.span_of_line(number)
        try:
            cells = next(csv.reader(io.StringIO(line), strict=True))
        except csv.Error:
            hint = 'a cell cannot span lines; a `"` inside quotes is written twice'
            raise DiagnosticError(BadTable(span, "unclosed quote", hint)) from None
        if any(cell.strip() for cell in cells) and not cells[0].startswith("#"):
            yield tuple(_places(source, span, cells))


def _separated_by_commas(titles: tuple[Scalar, ...]) -> None:
    for separator, shown in OTHER_SEPARATORS.items():
        if len(titles) == 1 and separator in titles[0].text:
            hint = "separate the cells with `,`; spreadsheets can export CSV with commas"
            raise DiagnosticError(
                BadTable(titles[0].span, f"the cells of this table are separated by {shown}", hint)
            )


def _without_empty_columns(lines: list[tuple[Scalar, ...]]) -> list[tuple[Scalar, ...]]:
    filled = [i for i in range(len(lines[0])) if i == 0 or any(line[i].text for line in lines)]
    return [tuple(line[i] for i in filled) for line in lines]


def _named(rows: list[tuple[Scalar, ...]]) -> None:
    for row in rows:
        if not row[0].text:
            span = row[0].span.to(row[-1].span)
            raise DiagnosticError(BadTable(span, "this row has no name", "the first column names the rows"))


def _places(source: Source, line: Span, cells: list[str]) -> Iterator[Scalar]:
    at = line.start
    for cell in cells:
        text = cell.strip()
        start = max(source.text.find(text, at, line.end), at)
        yield Scalar(text, Span(source, start, max(start + len(text), start + 1)))
        at = start + len(text)


def _distinct(names: tuple[Scalar, ...], what: str) -> None:
    seen: dict[str, Span] = {}
    for name in names:
        if name.text in seen:
            why = f"{what} `{name.text}` is listed twice"
            raise DiagnosticError(BadTable(name.span, why, "keep one of the two", seen[name.text]))
        seen[name.text] = name.span


def _as_many(row: tuple[Scalar, ...], titles: tuple[Scalar, ...]) -> None:
    if len(row) == len(titles):
        return
    why = f"this row has {plural(len(row), 'cell')} for {plural(len(titles), 'column')}"
    hint = "leave a cell empty between two commas; quote a cell with a comma in it"
    span = row[0].span.to(row[-1].span)
    raise DiagnosticError(BadTable(span, why, hint))

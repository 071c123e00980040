"""Separated text to rows of cells, each with its place; and cells by the names that spreadsheets give."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dsl.diagnostics import DiagnosticError
from dsl.messages.shapes import BadTable
from dsl.source import Source, Span

SEPARATORS = (",", ";", "\t", "|")
"""What may stand between cells; of those that fit as well, the first one counts."""
DECLARED = re.compile(r"sep=(.)[ \t]*(?:\n|\Z)")
"""The line by which spreadsheets say what separates cells; it is no row."""
SAMPLED = 20
"""The rows by which the separator is told."""
KEPT = 64
"""Tables whose cells are kept."""
QUOTED = re.compile(r'"((?:[^"]|"")*+)"')
COMMENT = re.compile(r"[ \t]*#(?![,;\t|])[^\n]*")


@dataclass(frozen=True, slots=True)
class TextCell:
    """The text of a cell without the blanks around it, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row of cells; `number` counts from 1 as spreadsheets do, empty rows and comments too."""

    number: int
    start: int
    cells: tuple[TextCell, ...]
    comment: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it has nothing to read: no text, or a comment, which a spreadsheet may have quoted."""
        quoted_comment = self.cells and self.cells[0].text.startswith("#") and self.cells[0].text != "#"
        return self.comment or bool(quoted_comment) or not any(cell.text for cell in self.cells)


@lru_cache(maxsize=KEPT)
def rows_of(source: Source) -> tuple[TextRow, ...]:
    """All rows of a table as text. Raises `DiagnosticError` at a quote that is not closed."""
    separator, start = separator_of(source.text)
    return tuple(_rows(source, separator, start))


def separator_of(text: str) -> tuple[str, int]:
    """What separates the cells of a text, and where its first row begins."""
    declared = DECLARED.match(text)
    if declared is not None:
        return declared[1], declared.end()
    counts = {separator: _counts(text, separator) for separator in SEPARATORS}
    return max(SEPARATORS, key=lambda separator: _regularity(counts[separator])), 0


def _counts(text: str, separator: str) -> list[int]:
    """How often a separator stands outside of quotes in each of the first rows that are not empty."""
    source = Source("", text)
    found = []
    try:
        for row in _rows(source, separator, 0):
            if not row.is_empty:
                found.append(len(row.cells) - 1)
            if len(found) == SAMPLED:
                break
    except DiagnosticError:
        pass
    return found


def _regularity(counts: list[int]) -> tuple[int, bool]:
    """How many rows have as many separators as most of those that have some; whether the first row has."""
    common = Counter(count for count in counts if count).most_common(1)
    return (common[0][1], counts[0] > 0) if common else (0, False)


def _rows(source: Source, separator: str, start: int) -> Iterator[TextRow]:
    text, at, number = source.text, start, 0
    plain = re.compile(f"[^{re.escape(separator)}\n]*")
    while at < len(text):
        number += 1
        comment = COMMENT.match(text, at)
        if comment is not None:
            yield TextRow(number, at, (), comment=True)
            at = comment.end() + 1
            continue
        begun, cells = at, []
        while True:
            cell, at = _cell(source, plain, separator, at)
            cells.append(cell)
            if text[at : at + 1] != separator:
                break
            at += 1
        yield TextRow(number, begun, tuple(cells))
        at += 1


def _cell(source: Source, plain: re.Pattern[str], separator: str, at: int) -> tuple[TextCell, int]:
    """The cell that begins at an offset, and where it ends. Raises `DiagnosticError` at an unclosed quote."""
    text = source.text
    if text[at : at + 1] != '"':
        found = plain.match(text, at)
        assert found is not None
        return _trimmed(found[0], found.start()), found.end()
    quoted = QUOTED.match(text, at)
    if quoted is None or text[quoted.end() : quoted.end() + 1] not in ("", "\n", separator):
        hint = 'close it with `"`; a `"` inside quotes is written twice'
        raise DiagnosticError(BadTable(Span(source, at, at + 1).first_line(), "unclosed quote", hint))
    cell = _trimmed(quoted[1], quoted.start(1))
    return TextCell(cell.text.replace('""', '"'), cell.start, cell.end), quoted.end()


def _trimmed(text: str, start: int) -> TextCell:
    inner = text.strip()
    first = start + (len(text) - len(text.lstrip()) if inner else 0)
    return TextCell(inner, first, first + max(1, len(inner)))


# ---- names of cells


def cell_name(row: int, column: int) -> str:
    """The name of a cell, by its row from 1 and its column from 0: `B7`, `AA12`."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def cell_at(span: Span) -> str:
    """The name of the cell in which a span begins; empty if it lies in no table, or in none that is read."""
    if not is_table(span.source.name):
        return ""
    try:
        rows = rows_of(span.source)
    except DiagnosticError:
        return ""
    at = bisect_right(rows, span.start, key=lambda row: row.start) - 1
    if at < 0 or rows[at].comment:
        return ""
    column = bisect_right(rows[at].cells, span.start, key=lambda cell: cell.start) - 1
    return cell_name(rows[at].number, max(0, column))


# ---- files of tables

TEXTS, WORKBOOKS = (".csv", ".tsv"), (".xlsx", ".xlsm", ".ods")
"""The ends of the names of tables: as text, and as workbooks."""


def table_path(path: str) -> tuple[str, str]:
    """The file of a table and its sheet, which stands behind a `#`: `cards.xlsx#Cards`; else an empty one."""
    file, mark, sheet = path.partition("#")
    return (file, sheet) if mark and file.lower().endswith((*TEXTS, *WORKBOOKS)) else (path, "")


def is_table(path: str) -> bool:
    """Whether a path is that of a table, perhaps with its sheet."""
    return table_path(path)[0].lower().endswith((*TEXTS, *WORKBOOKS))


def is_workbook(path: str) -> bool:
    """Whether a path is that of a table in a workbook."""
    return table_path(path)[0].lower().endswith(WORKBOOKS)

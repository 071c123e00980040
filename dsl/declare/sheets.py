"""Tables as text: their header, and their rows and cells, as spreadsheets leave them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from dsl.declare.nodes import WORD
from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.document import Mapping as DocumentMapping, Node, Scalar
from dsl.domains import LARGEST
from dsl.messages.shapes import BadTable
from dsl.sheets.delimited import TextRow, cell_at, rows_of
from dsl.sheets.names import normal_form
from dsl.sheets.totals import is_total
from dsl.source import Source, Span
from dsl.wording import plural, quoted, shortened

LINES = "a table has a line of titles, then a line for each row"
RULES = "-=*_~–—•>"
"""With these begin lines between the rows of a table: `--- Second age ---`."""
FURTHEST_HEADER = 50
"""The rows among which the header is looked for."""
FAILED = re.compile(r"#(REF|NAME\?|VALUE|DIV/0|N/A|NUM|NULL|FORMULA|SPILL|CALC)!?|Err:\d{3}")
"""What spreadsheets write for a formula that fails; `#FORMULA!` for one that was saved without its value."""
Fail = Callable[[Diagnostic], None]


@dataclass(frozen=True)
class Titles:
    """What is said of the header of a table.

    `wanted` are the titles of the declared columns, `headers` those columns by what stands in the header
    instead, `names` the header above the names of rows, by default the first.
    """

    wanted: frozenset[str] = frozenset()
    headers: Mapping[str, str] = field(default_factory=dict)
    names: Scalar | None = None

    def read(self, text: str) -> str:
        """The title that a header stands for: itself, or the column with its normal form."""
        if text in self.headers or text in self.wanted:
            return self.headers.get(text, text)
        return self._by_form.get(normal_form(text), text)

    @cached_property
    def _by_form(self) -> dict[str, str]:
        """The columns by the normal forms of their names, and of what stands in the header instead."""
        forms = {normal_form(name): name for name in sorted(self.wanted)}
        forms |= {normal_form(header): column for header, column in self.headers.items()}
        return {form: column for form, column in forms.items() if form}


ANY = Titles()


def titles_of(declaration: Node) -> Titles:
    """What a declaration says of the header, as far as it is well formed."""
    columns, headers, names = (
        declaration.get(key) if isinstance(declaration, DocumentMapping) else None
        for key in ("columns", "headers", "names")
    )
    wanted = (key.text for key, _ in columns.pairs) if isinstance(columns, DocumentMapping) else ()
    pairs = headers.pairs if isinstance(headers, DocumentMapping) else ()
    given = {key.text: node.text for key, node in pairs if isinstance(node, Scalar)}
    return Titles(frozenset(wanted), given, names if isinstance(names, Scalar) else None)


@dataclass(frozen=True)
class Sheet:
    """A table as text: the titles of its columns, and rows of cells.

    The first column has the names of the rows. `lined`: each row is one line of text. A title is that of the
    column which it stands for.
    """

    titles: tuple[Scalar, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    span: Span
    lined: bool = False

    def index(self, title: str) -> int | None:
        return next((i for i, t in enumerate(self.titles) if t.text == title), None)

    def column(self, index: int) -> list[Scalar]:
        return [row[index] for row in self.rows]


def sheet_of_csv(source: Source, titles: Titles = ANY, fail: Fail | None = None) -> Sheet:
    """A table as text. Empty rows and columns, which spreadsheets leave, are skipped, and so are lines above
    the header and notes below the table.

    Raises `DiagnosticError` with the first mistake, after `fail` was called with all others.
    """
    found: list[Diagnostic] = []
    head, *rows = lines_of_csv(source, titles, found)
    found += [*repeated(head, "the column"), *_nameless(rows), *_failed(rows)]
    if len(rows) > LARGEST:
        found.append(BadTable(rows[LARGEST][0].span, f"a table has at most {LARGEST} rows"))
    for other in found[1:]:
        if fail is not None:
            fail(other)
    if found:
        raise DiagnosticError(found[0])
    return Sheet(head, tuple(rows), source.beginning, lined=True)


def lines_of_csv(
    source: Source, titles: Titles = ANY, found: list[Diagnostic] | None = None
) -> list[tuple[Scalar, ...]]:
    """The titles and rows of a table in which several rows may begin alike; all have as many cells.

    Mistakes of rows go to `found`; without it the first one is raised, as `DiagnosticError`.
    """
    filled = [row for row in rows_of(source) if not row.is_empty]
    filled = filled[_header(filled, titles) :]
    if len(filled) < 2:
        raise DiagnosticError(BadTable(source.beginning, "the table has no rows", LINES))
    read = [replace(cell, text=titles.read(cell.text)) for cell in _cells(source, filled[0])]
    head = tuple(read[: max((i + 1 for i, cell in enumerate(read) if cell.text), default=0)]) or tuple(read)
    lines = [head]
    mistakes: list[Diagnostic] = []
    for row in _without_total(list(_without_notes(filled, len(head)))):
        cells = tuple(_cells(source, row))
        if len(cells) < len(head) or any(cell.text for cell in cells[len(head) :]):
            mistakes.append(_not_as_many(cells, head))
        else:
            lines.append(cells[: len(head)])
    if mistakes and found is None:
        raise DiagnosticError(mistakes[0])
    (found if found is not None else mistakes).extend(mistakes)
    return _names_first(_without_empty_columns(lines), titles)


def cells_of_csv(source: Source) -> Iterator[tuple[Scalar, ...]]:
    """The cells of each line that is neither empty nor a comment."""
    return (tuple(_cells(source, row)) for row in rows_of(source) if not row.is_empty)


def _cells(source: Source, row: TextRow) -> Iterator[Scalar]:
    return (Scalar(cell.text, Span(source, cell.start, cell.end)) for cell in row.cells)


# ---- the header, and what is none of the table


def _header(rows: list[TextRow], titles: Titles) -> int:
    """The first row with as many of the declared columns as any has; the first row of all if none has one."""
    wanted = titles.wanted | ({titles.names.text} if titles.names is not None else set())
    scores = [len({titles.read(cell.text) for cell in row.cells} & wanted) for row in rows[:FURTHEST_HEADER]]
    return scores.index(max(scores)) if any(scores) else 0


def _without_notes(rows: list[TextRow], columns: int) -> Iterator[TextRow]:
    """The rows below the first, without notes: a single cell that is no word, and stands below an empty row
    or begins with a sign of `RULES`."""
    apart = False
    for above, row in pairwise(rows):
        apart = apart or row.number > above.number + 1
        texts = [cell.text for cell in row.cells if cell.text]
        note = len(texts) == 1 and columns > 1 and not WORD.fullmatch(texts[0]) and not texts[0].isdigit()
        if not (note and (apart or texts[0][0] in RULES)):
            apart = False
            yield row


def _without_total(rows: list[TextRow]) -> list[TextRow]:
    """The rows without a line of totals at the end."""
    texts = [[cell.text for cell in row.cells] for row in rows]
    return rows[:-1] if len(rows) > 1 and is_total(texts[-1], texts[:-1]) else rows


def _without_empty_columns(lines: list[tuple[Scalar, ...]]) -> list[tuple[Scalar, ...]]:
    filled = [i for i in range(len(lines[0])) if any(line[i].text for line in lines)]
    return [tuple(line[i] for i in filled) for line in lines]


def _names_first(lines: list[tuple[Scalar, ...]], titles: Titles) -> list[tuple[Scalar, ...]]:
    """The lines with the names of the rows in front. Raises `DiagnosticError` if there are none."""
    if titles.names is None:
        return lines
    wanted = titles.names.text
    at = next((i for i, t in enumerate(lines[0]) if normal_form(t.text) == normal_form(wanted)), None)
    if at is None:
        hint = f"its titles are {quoted([shortened(t.text) for t in lines[0]], 'and')}"
        raise DiagnosticError(BadTable(titles.names.span, f"the table has no column `{wanted}`", hint))
    return [(line[at], *line[:at], *line[at + 1 :]) for line in lines]


# ---- mistakes


def _nameless(rows: list[tuple[Scalar, ...]]) -> Iterator[Diagnostic]:
    for row in rows:
        if not row[0].text:
            span = row[0].span.to(row[-1].span)
            hint = "the first column names the rows; begin a line that is none with `#`"
            yield BadTable(span, "this row has no name", hint)


def _failed(rows: list[tuple[Scalar, ...]]) -> Iterator[Diagnostic]:
    """The cells whose formula has no value."""
    for row in rows:
        for cell in row:
            if cell.text[:1] in ("#", "E") and FAILED.fullmatch(cell.text):
                why = f"`{cell.text}`: a formula without a value"
                hint = "correct the formula, and save the file in a spreadsheet, which saves the values"
                yield BadTable(cell.span, why, hint)


def repeated(names: tuple[Scalar, ...], what: str) -> Iterator[Diagnostic]:
    """A mistake for each name that comes again, perhaps as another one is read like it."""
    seen: dict[str, Scalar] = {}
    for name in names:
        first = seen.setdefault(name.text, name)
        if first is not name:
            why, hint = f"{what} `{name.text}` is listed twice", "keep one of the two"
            if {cell_text(first.span), cell_text(name.span)} != {name.text}:
                why = f"{what} `{cell_text(name.span)}` is `{name.text}`, as is `{cell_text(first.span)}`"
                hint = "give one of the two another name"
            yield BadTable(name.span, why, hint, first.span)


def cell_text(span: Span) -> str:
    """What stands in a cell."""
    return shortened(" ".join(span.text.split()))


def _not_as_many(row: tuple[Scalar, ...], titles: tuple[Scalar, ...]) -> Diagnostic:
    why = f"this row has {plural(len(row), 'cell')} for {plural(len(titles), 'column')}"
    beyond = next((cell for cell in row[len(titles) :] if cell.text), None)
    hint = "leave a cell empty between two separators; quote a cell with a separator in it"
    if beyond is not None and (name := cell_at(beyond.span)):
        hint = (
            f"cell `{name}` is beyond the last title: give it a title, or quote a cell with a separator in it"
        )
    return BadTable(row[0].span.to(row[-1].span), why, hint)

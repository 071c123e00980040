"""Tables of rows: a CSV file or a mapping, its columns and its cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from dsl.declare.enumerations import enumeration, value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, is_range, mapping, word
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG, LARGEST, NONE, EffectType, EnumType, IntType, Type
from dsl.messages.shapes import BadCell, BadTable
from dsl.numbers import whole
from dsl.rules import Column, Row, TypeDecl
from dsl.source import Source, Span
from dsl.wording import plural, quoted, shortened

S = TypeVar("S")
T = TypeVar("T")

MARKS = "clause"
"""The column with the clause marks of each row, unless the game declares a column of this name."""
MOST_WRONG = 5
"""The most wrong cells of one column that are reported: further ones are usually wrong in the same way."""


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


def read_rows(reader: MappingReader) -> tuple[tuple[Scalar, ...], dict[str, Column]]:
    """Row names and columns of a declaration with `table` or `rows`, and `columns`.

    A column `clause` that is not declared has clause marks: its rows are added to the symbol table. Raises
    `DiagnosticError` if the table is malformed or a cell does not fit its column; all columns are read and
    their errors reported before.
    """
    specs = reader.pairs("columns")
    inline = reader.get("rows")
    if inline is not None:
        sheet = _sheet_of_mapping(reader, inline, specs)
    else:
        sheet = sheet_of_csv(reader.symbols.open(reader.word("table")))
    used = {0}
    columns = _each(reader.symbols, specs, lambda pair: _column(reader, *pair, sheet, used))
    _cite_rows(reader, sheet, used)
    _report_undeclared(reader, sheet, used)
    return tuple(sheet.column(0)), {column.name: column for column in columns}


def _cite_rows(reader: MappingReader, sheet: Sheet, used: set[int]) -> None:
    """Add the rows with clause marks to the symbol table."""
    index = sheet.index(MARKS)
    if index is None or index in used:
        return
    used.add(index)
    for row in sheet.rows:
        marks = reader.symbols.clause_marks(row[index]) if row[index].text else ()
        if marks:
            parts = (whole(part) for cell in row for part in cell.text.split())
            numbers = tuple(n for n in parts if n is not None)
            span = row[0].span.to(row[-1].span) if sheet.lined else row[0].span
            reader.symbols.rows.append(Row(reader.where, row[0].text, span, marks, numbers))


def _report_undeclared(reader: MappingReader, sheet: Sheet, used: set[int]) -> None:
    for i, title in enumerate(sheet.titles):
        if i not in used:
            hint = f"add it to `columns` of {reader.where}"
            reader.symbols.fail(BadTable(title.span, f"column `{title.text}` is not declared", hint))


# ---- rows as a mapping


def _sheet_of_mapping(reader: MappingReader, node: Node, specs: tuple[tuple[Scalar, Node], ...]) -> Sheet:
    """`rows: {smith: {cost: 3}, guard: {cost: 2}}`. A cell that a row omits is empty."""
    titles = [title for key, spec in specs for title in _titles(reader.symbols, key, spec)]
    titles += [MARKS] if MARKS not in titles else []
    rows = []
    for name, value in mapping(node, reader.of("rows")).pairs:
        row = keys(reader.symbols, value, f"row `{shortened(name.text)}`", titles)
        cells = (row.get(title) or Scalar("", name.span) for title in titles)
        rows.append((name, *(word(cell, f"a cell of row `{name.text}`") for cell in cells)))
    if not rows:
        raise DiagnosticError(
            BadTable(node.span, f"{reader.where} has no rows", "write `{name: {column: cell}}`")
        )
    first = Scalar("", node.span)
    return Sheet((first, *(Scalar(t, node.span) for t in titles)), tuple(rows), node.span)


def _titles(symbols: SymbolTable, key: Scalar, spec: Node) -> list[str]:
    """The titles of a declared column: its name, or for a group one title for each value of a type."""
    if not isinstance(spec, Mapping):
        return [key.text]
    group = entry(symbols, spec, f"column `{key.text}`", GROUP)
    decl = symbols.type_named(group.word("each"))
    return [f"{key.text}_{decl.names[value - decl.lo]}" for value in sorted(decl.members)]


# ---- rows as CSV

SEPARATOR = "a table is text: a line of titles, then a line for each row, with cells separated by `,`"
OTHER_SEPARATORS = {";": "`;`", "\t": "tabs"}


def sheet_of_csv(source: Source) -> Sheet:
    """A table as text. Empty rows and columns, which spreadsheets leave, are skipped."""
    lines = list(_csv_lines(source))
    if lines:
        _separated_by_commas(lines[0])
    if len(lines) < 2:
        raise DiagnosticError(BadTable(source.beginning, "the table has no rows", SEPARATOR))
    for row in lines[1:]:
        _as_many(row, lines[0])
    titles, *rows = _without_empty_columns(lines)
    _distinct(titles, "the column")
    _named(rows)
    _distinct(tuple(row[0] for row in rows), "the row")
    if len(rows) > LARGEST:
        raise DiagnosticError(BadTable(rows[LARGEST][0].span, f"a table has at most {LARGEST} rows"))
    return Sheet(titles, tuple(rows), source.beginning, lined=True)


def _csv_lines(source: Source) -> Iterator[tuple[Scalar, ...]]:
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


# ---- columns

GROUP = ("each", "range")


def _column(reader: MappingReader, key: Scalar, spec: Node, sheet: Sheet, used: set[int]) -> Column:
    if isinstance(spec, Mapping):
        return _group(reader.symbols, key, spec, sheet, used)
    index = _position(key, key.text, sheet, used)
    if isinstance(spec, Sequence) and key.text not in reader.symbols.types:
        _declare_values(reader, key, spec)
    kind, read = _type_of_cells(reader.symbols, key, spec)
    return Column(key.text, kind, tuple(_each(reader.symbols, sheet.column(index), read, MOST_WRONG)))


def _position(key: Scalar, title: str, sheet: Sheet, used: set[int]) -> int:
    index = sheet.index(title)
    if index is None:
        hint = did_you_mean(title, (t.text for t in sheet.titles[1:])) or _known(sheet)
        head = sheet.titles[0].span.to(sheet.titles[-1].span)
        why = f"missing column `{title}`"
        raise DiagnosticError(BadTable(head, why, hint, key.span, "its columns are declared here"))
    used.add(index)
    return index


def _known(sheet: Sheet) -> str:
    titles = [shortened(t.text) for t in sheet.titles[1:]]
    return f"its columns are {quoted(titles, 'and')}" if titles else "it has no columns but the names"


def _group(symbols: SymbolTable, key: Scalar, spec: Mapping, sheet: Sheet, used: set[int]) -> Column:
    """`{each: colour, range: 0..2}`: a column of the table for each value of a type, `wants_blue`, ...

    Values outside a part of a type have no column; they get the lowest number, which no rule can read.
    """
    group = entry(symbols, spec, f"column `{key.text}`", GROUP)
    decl = symbols.type_named(group.word("each"))
    low, high = interval(group.needed("range"), group.of("range"))
    columns = [[low] * len(sheet.rows) for _ in decl.names]
    for value in sorted(decl.members):
        number = value - decl.lo
        title = f"{key.text}_{decl.names[number]}"
        cells = sheet.column(_position(key, title, sheet, used))
        read = partial(_number, column=title, low=low, high=high)
        columns[number] = _each(symbols, cells, read, MOST_WRONG)
    return Column(key.text, IntType(low, high), (), decl.name, tuple(zip(*columns, strict=True)))


def _declare_values(reader: MappingReader, key: Scalar, spec: Sequence) -> None:
    """Declare the type of a column that lists its values; it cites the clauses of the table."""
    reader.symbols.declare(key.text, "a type", key.span)
    decl = enumeration(reader.symbols, key, spec)
    reader.symbols.types[key.text] = replace(decl, clauses=reader.marks())


def _type_of_cells(symbols: SymbolTable, key: Scalar, spec: Node) -> tuple[Type, Callable[[Scalar], int]]:
    """The type that a column declares, and the reader of its cells."""
    if isinstance(spec, Sequence):
        decl = symbols.types[key.text]
        return EnumType(decl.name), partial(_value, decl, key.text, False)
    scalar = word(spec, f"column `{key.text}`")
    if is_range(scalar.text):
        low, high = interval(scalar, f"column `{key.text}`")
        return IntType(low, high), partial(_number, column=key.text, low=low, high=high)
    optional = scalar.text.endswith(" or none")
    text = scalar.text.removesuffix(" or none").strip()
    if text == "flag":
        return FLAG, partial(_flag, key.text)
    if text == "effect":
        return EffectType(optional), lambda cell: effect_cell(symbols, cell, key.text, optional)
    decl = symbols.type_named(Scalar(text, scalar.span))
    return EnumType(decl.name, optional), partial(_value, decl, key.text, optional)


# ---- cells


def _each(
    symbols: SymbolTable, items: Iterable[S], read: Callable[[S], T], most: int | None = None
) -> list[T]:
    """The results for all items. Raises the first `DiagnosticError` after reporting `most` of them."""
    results: list[T] = []
    errors: list[DiagnosticError] = []
    for item in items:
        try:
            results.append(read(item))
        except DiagnosticError as failed:
            errors.append(failed)
    for error in errors[:most]:
        symbols.fail(error.diagnostic)
    if errors:
        raise errors[0]
    return results


def _value(decl: TypeDecl, column: str, optional: bool, cell: Scalar) -> int:
    return NONE if optional and cell.text in ("", "none") else value_of(decl, cell, column)


def _number(cell: Scalar, column: str, low: int, high: int) -> int:
    value = whole(cell.text or "0")
    if value is None:
        raise DiagnosticError(BadCell(cell.span, shortened(cell.text), column, "expected a whole number"))
    if not low <= value <= high:
        shown = shortened(cell.text) or "(empty)"
        raise DiagnosticError(BadCell(cell.span, shown, column, f"not in {low}..{high}"))
    return value


def _flag(column: str, cell: Scalar) -> int:
    text = cell.text.lower()  # spreadsheets write TRUE
    if text not in ("", "true", "false", "0", "1"):
        raise DiagnosticError(BadCell(cell.span, shortened(cell.text), column, "expected `true` or `false`"))
    return int(text in ("true", "1"))


def effect_cell(symbols: SymbolTable, cell: Scalar, column: str, optional: bool) -> int:
    """The number of an effect cell, which is a name and arguments, separated by blanks."""
    parts = tuple(cell.text.split())
    if not parts or parts == ("none",):
        if optional:
            return NONE
        shown = cell.text or "(empty)"
        raise DiagnosticError(
            BadCell(cell.span, shown, column, "expected an effect", "or declare `effect or none`")
        )
    spec = (parts[0], parts[1:])
    symbols.cell_places.setdefault(spec, (cell.span, column))
    return symbols.cells.setdefault(spec, len(symbols.cells))

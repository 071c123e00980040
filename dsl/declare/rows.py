"""Tables of rows: a CSV file or a mapping, its columns, and what stands in their cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

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

MARKS = "clause"
"""The column that holds the marks of each row, unless the game declares it as its own."""
MOST = 5
"""So many wrong cells of one column are told; where there are more, they are wrong in the same way."""


@dataclass(frozen=True)
class Sheet:
    """A table as text: the titles of its columns and rows of cells, each with its place.

    The first column holds the names of the rows. `lined`: each row is one line of text.
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

    A column `clause` that is not declared holds clause marks: those rows are kept in the world. Raises
    `DiagnosticError` if the table has no proper shape or a cell does not fit its column; all columns are
    looked at before, so that a table can be mended at one go.
    """
    declared = reader.get("columns")
    specs = mapping(declared, reader.of("columns")).pairs if declared is not None else ()
    inline = reader.get("rows")
    if inline is not None:
        sheet = _sheet_of_mapping(reader, inline, specs)
    else:
        sheet = sheet_of_csv(reader.symbols.open(reader.word("table")))
    columns: dict[str, Column] = {}
    used = {0}
    wrong: DiagnosticError | None = None
    for key, spec in specs:
        try:
            columns[key.text] = _column(reader, key, spec, sheet, used)
        except DiagnosticError as failed:
            reader.symbols.fail(failed.diagnostic)
            wrong = wrong or failed
    if wrong is not None:
        raise wrong
    _cite_rows(reader, sheet, used)
    _all_declared(reader, sheet, used)
    return tuple(sheet.column(0)), columns


def _cite_rows(reader: MappingReader, sheet: Sheet, used: set[int]) -> None:
    """Rows that say which clauses they render."""
    index = sheet.index(MARKS)
    if index is None or index in used:
        return
    used.add(index)
    for row in sheet.rows:
        marks = reader.symbols.clause_marks(row[index]) if row[index].text else ()
        if marks:
            words = (whole(part) for cell in row for part in cell.text.split())
            numbers = tuple(n for n in words if n is not None)
            span = row[0].span.to(row[-1].span) if sheet.lined else row[0].span
            reader.symbols.rows.append(Row(reader.where, row[0].text, span, marks, numbers))


def _all_declared(reader: MappingReader, sheet: Sheet, used: set[int]) -> None:
    for i, title in enumerate(sheet.titles):
        if i not in used:
            hint = f"add it to `columns` of {reader.where}"
            reader.symbols.fail(BadTable(title.span, f"column `{title.text}` is not declared", hint))


# ---- rows as a mapping


def _sheet_of_mapping(reader: MappingReader, node: Node, specs: tuple[tuple[Scalar, Node], ...]) -> Sheet:
    """`rows: {smith: {cost: 3}, guard: {cost: 2}}`. A column that a row leaves out is empty there."""
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
    """The titles of the columns that a declared column takes: one, or one for each value of a type."""
    if not isinstance(spec, Mapping):
        return [key.text]
    group = entry(symbols, spec, f"column `{key.text}`", GROUP)
    decl = symbols.type_named(group.word("each"))
    return [f"{key.text}_{decl.names[value - decl.lo]}" for value in sorted(decl.members)]


# ---- rows as CSV

SEPARATOR = "a table is text: a line of titles, then a line for each row, with cells separated by `,`"
OTHER_SEPARATORS = {";": "`;`", "\t": "tabs"}


def sheet_of_csv(source: Source) -> Sheet:
    """A table as text. Rows and columns of empty cells, which spreadsheets leave, are passed over."""
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
    """The cells of each line that is neither blank nor a comment, also if a spreadsheet has quoted it."""
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
            raise DiagnosticError(
                BadTable(
                    name.span, f"{what} `{name.text}` is listed twice", "keep one of the two", seen[name.text]
                )
            )
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
    kind, values = _typed(reader.symbols, key, spec, sheet.column(index))
    return Column(key.text, kind, tuple(values))


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
    """`{each: colour, range: 0..2}`: one column of the table per value of a type, `wants_blue`, ...

    Of a part of a type only its own values have a column; the others hold the least, and cannot be asked for.
    """
    group = entry(symbols, spec, f"column `{key.text}`", GROUP)
    decl = symbols.type_named(group.word("each"))
    low, high = interval(group.needed("range"), group.of("range"))
    columns = [[low] * len(sheet.rows) for _ in decl.names]
    for value in sorted(decl.members):
        number = value - decl.lo
        title = f"{key.text}_{decl.names[number]}"
        cells = sheet.column(_position(key, title, sheet, used))
        columns[number] = _each(symbols, cells, partial(_number, column=title, low=low, high=high))
    return Column(key.text, IntType(low, high), (), decl.name, tuple(zip(*columns, strict=True)))


def _declare_values(reader: MappingReader, key: Scalar, spec: Sequence) -> None:
    """The values that a column lists are a type of its name; it renders what the table renders."""
    reader.symbols.declare(key.text, "a type", key.span)
    decl = enumeration(reader.symbols, key, spec)
    reader.symbols.types[key.text] = replace(decl, clauses=reader.marks())


def _typed(symbols: SymbolTable, key: Scalar, spec: Node, cells: list[Scalar]) -> tuple[Type, list[int]]:
    """The type that a column declares, and its cells' values."""
    if isinstance(spec, Sequence):
        decl = symbols.types[key.text]
        return EnumType(decl.name), _each(symbols, cells, partial(_value, decl, key.text))
    scalar = word(spec, f"column `{key.text}`")
    if is_range(scalar.text):
        low, high = interval(scalar, f"column `{key.text}`")
        return IntType(low, high), _each(
            symbols, cells, partial(_number, column=key.text, low=low, high=high)
        )
    optional = scalar.text.endswith(" or none")
    text = scalar.text.removesuffix(" or none").strip()
    if text == "flag":
        return FLAG, _each(symbols, cells, partial(_flag, key.text))
    if text == "effect":
        return EffectType(optional), _each(
            symbols, cells, lambda cell: effect_cell(symbols, cell, key.text, optional)
        )
    decl = symbols.type_named(Scalar(text, scalar.span))
    read = partial(_value, decl, key.text)
    return EnumType(decl.name, optional), _each(
        symbols, cells, partial(_optional, read) if optional else read
    )


# ---- cells


def _each(symbols: SymbolTable, cells: list[Scalar], read: Callable[[Scalar], int]) -> list[int]:
    """The values of a column.

    Reports what is wrong, a few cells at most, and raises the first `DiagnosticError`.
    """
    values: list[int] = []
    wrong: list[DiagnosticError] = []
    for cell in cells:
        try:
            values.append(read(cell))
        except DiagnosticError as failed:
            wrong.append(failed)
    for told in wrong[:MOST]:
        symbols.fail(told.diagnostic)
    if wrong:
        raise wrong[0]
    return values


def _value(decl: TypeDecl, column: str, cell: Scalar) -> int:
    return value_of(decl, cell, column)


def _optional(read: Callable[[Scalar], int], cell: Scalar) -> int:
    return NONE if cell.text in ("", "none") else read(cell)


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
    """The number of an effect cell: its name and its arguments, with blanks between."""
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

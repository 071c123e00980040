"""Tables of rows: a CSV file or a mapping, its columns, and what stands in their cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dsl.declare.entry import Entry, entry
from dsl.declare.enumerations import enumeration, value_of
from dsl.declare.nodes import interval, is_range, mapping, whole, word
from dsl.declare.world import World, keys
from dsl.diagnostics import Failed, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG, LARGEST, NONE, Cell, Elem, Int, Type
from dsl.messages.shapes import BadCell, BadTable
from dsl.rules import Column, Row
from dsl.source import Source, Span
from dsl.wording import plural, quoted, shortened

MARKS = "clause"
"""The column that holds the marks of each row, unless the game declares it as its own."""


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


def read_rows(found: Entry) -> tuple[tuple[Scalar, ...], dict[str, Column]]:
    """Row names and columns of a declaration with `table` or `rows`, and `columns`.

    A column `clause` that is not declared holds clause marks: those rows are kept in the world. Raises
    `Failed` if the table has no proper shape or a cell does not fit its column.
    """
    declared = found.get("columns")
    specs = mapping(declared, found.of("columns")).pairs if declared is not None else ()
    inline = found.get("rows")
    if inline is not None:
        sheet = _sheet_of_mapping(found, inline, specs)
    else:
        sheet = sheet_of_csv(found.world.open(found.word("table")))
    columns: dict[str, Column] = {}
    used = {0}
    for key, spec in specs:
        columns[key.text] = _column(found, key, spec, sheet, used)
    _cite_rows(found, sheet, used)
    _all_declared(found, sheet, used)
    return tuple(sheet.column(0)), columns


def _cite_rows(found: Entry, sheet: Sheet, used: set[int]) -> None:
    """Rows that say which clauses they render."""
    index = sheet.index(MARKS)
    if index is None or index in used:
        return
    used.add(index)
    for row in sheet.rows:
        marks = found.world.clause_marks(row[index]) if row[index].text else ()
        if marks:
            words = (whole(part) for cell in row for part in cell.text.split())
            numbers = tuple(n for n in words if n is not None)
            span = row[0].span.to(row[-1].span) if sheet.lined else row[0].span
            found.world.rows.append(Row(found.where, row[0].text, span, marks, numbers))


def _all_declared(found: Entry, sheet: Sheet, used: set[int]) -> None:
    for i, title in enumerate(sheet.titles):
        if i not in used:
            hint = f"add it to `columns` of {found.where}"
            found.world.fail(BadTable(title.span, f"column `{title.text}` is not declared", hint))


# ---- rows as a mapping


def _sheet_of_mapping(found: Entry, node: Node, specs: tuple[tuple[Scalar, Node], ...]) -> Sheet:
    """`rows: {smith: {cost: 3}, guard: {cost: 2}}`. A column that a row leaves out is empty there."""
    titles = [title for key, spec in specs for title in _titles(found.world, key, spec)]
    titles += [MARKS] if MARKS not in titles else []
    rows = []
    for name, value in mapping(node, found.of("rows")).pairs:
        row = keys(found.world, value, f"row `{shortened(name.text)}`", titles)
        cells = (row.get(title) or Scalar("", name.span) for title in titles)
        rows.append((name, *(word(cell, f"a cell of row `{name.text}`") for cell in cells)))
    if not rows:
        raise Failed(BadTable(node.span, f"{found.where} has no rows", "write `{name: {column: cell}}`"))
    first = Scalar("", node.span)
    return Sheet((first, *(Scalar(t, node.span) for t in titles)), tuple(rows), node.span)


def _titles(world: World, key: Scalar, spec: Node) -> list[str]:
    """The titles of the columns that a declared column takes: one, or one for each value of a type."""
    if not isinstance(spec, Mapping):
        return [key.text]
    group = entry(world, spec, f"column `{key.text}`", GROUP)
    decl = world.type_named(group.word("each"))
    return [f"{key.text}_{decl.names[value - decl.lo]}" for value in sorted(decl.members)]


# ---- rows as CSV

SEPARATOR = "a table is text with a line of titles and one line for each row, cells separated by `,`"


def sheet_of_csv(source: Source) -> Sheet:
    lines = list(_csv_lines(source))
    if len(lines) < 2:
        raise Failed(BadTable(source.beginning, "the table has no rows", SEPARATOR))
    titles, *rows = lines
    _distinct(titles, "the column")
    for row in rows:
        _as_many(row, titles)
    _distinct(tuple(row[0] for row in rows), "the row")
    if len(rows) > LARGEST:
        raise Failed(BadTable(rows[LARGEST][0].span, f"a table has at most {LARGEST} rows"))
    return Sheet(titles, tuple(rows), source.beginning, lined=True)


def _csv_lines(source: Source) -> Iterator[tuple[Scalar, ...]]:
    """The cells of each line that is neither blank nor a comment."""
    for number in range(1, len(source.lines) + 1):
        line = source.line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        span = source.span_of_line(number)
        try:
            cells = next(csv.reader(io.StringIO(line), strict=True))
        except csv.Error:
            hint = 'a cell cannot go on in the next line; a `"` inside quotes is written twice'
            raise Failed(BadTable(span, "a quote is not closed in this line", hint)) from None
        yield tuple(_places(source, span, cells))


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
            raise Failed(
                BadTable(name.span, f"{what} `{name.text}` stands here twice", "keep one", seen[name.text])
            )
        seen[name.text] = name.span


def _as_many(row: tuple[Scalar, ...], titles: tuple[Scalar, ...]) -> None:
    if len(row) == len(titles):
        return
    why = f"this row has {plural(len(row), 'cell')}, but there are {plural(len(titles), 'column')}"
    hint = "leave a cell empty between two commas; quote a cell with a comma in it"
    if len(row) == 1 and ";" in row[0].text:
        hint = "separate the cells with `,`"
    span = row[0].span.to(row[-1].span)
    raise Failed(BadTable(span, why, hint))


# ---- columns

GROUP = ("each", "range")


def _column(found: Entry, key: Scalar, spec: Node, sheet: Sheet, used: set[int]) -> Column:
    if isinstance(spec, Mapping):
        return _group(found.world, key, spec, sheet, used)
    index = _position(key, key.text, sheet, used)
    if isinstance(spec, Sequence) and key.text not in found.world.types:
        _declare_values(found, key, spec)
    kind, values = _typed(found.world, key, spec, sheet.column(index))
    return Column(key.text, kind, tuple(values))


def _position(key: Scalar, title: str, sheet: Sheet, used: set[int]) -> int:
    index = sheet.index(title)
    if index is None:
        hint = did_you_mean(title, (t.text for t in sheet.titles[1:])) or _known(sheet)
        raise Failed(BadTable(key.span, f"the table has no column `{title}`", hint))
    used.add(index)
    return index


def _known(sheet: Sheet) -> str:
    titles = [shortened(t.text) for t in sheet.titles[1:]]
    if len(sheet.titles) == 1 and ";" in sheet.titles[0].text:
        return "separate the cells with `,`"
    return f"its columns are {quoted(titles, 'and')}" if titles else "it has no columns but the names"


def _group(world: World, key: Scalar, spec: Mapping, sheet: Sheet, used: set[int]) -> Column:
    """`{each: colour, range: 0..2}`: one column of the table per value of a type, `wants_blue`, ...

    Of a part of a type only its own values have a column; the others hold the least, and cannot be asked for.
    """
    group = entry(world, spec, f"column `{key.text}`", GROUP)
    decl = world.type_named(group.word("each"))
    low, high = interval(group.needed("range"), group.of("range"))
    columns = [[low] * len(sheet.rows) for _ in decl.names]
    for value in sorted(decl.members):
        number = value - decl.lo
        index = _position(key, f"{key.text}_{decl.names[number]}", sheet, used)
        columns[number] = [_number(cell, key, low, high) for cell in sheet.column(index)]
    return Column(key.text, Int(low, high), (), decl.name, tuple(zip(*columns, strict=True)))


def _declare_values(found: Entry, key: Scalar, spec: Sequence) -> None:
    """The values that a column lists are a type of its name; it renders what the table renders."""
    found.world.declare(key.text, "a type", key.span)
    decl = enumeration(found.world, key, spec)
    found.world.types[key.text] = replace(decl, clauses=found.marks())


def _typed(world: World, key: Scalar, spec: Node, cells: list[Scalar]) -> tuple[Type, list[int]]:
    """The type that a column declares, and its cells' values."""
    if isinstance(spec, Sequence):
        decl = world.types[key.text]
        return Elem(decl.name), [value_of(decl, cell, key.text) for cell in cells]
    scalar = word(spec, f"column `{key.text}`")
    if is_range(scalar.text):
        low, high = interval(scalar, f"column `{key.text}`")
        return Int(low, high), [_number(cell, key, low, high) for cell in cells]
    optional = scalar.text.endswith(" or none")
    text = scalar.text.removesuffix(" or none").strip()
    if text == "flag":
        return FLAG, [_flag(cell, key) for cell in cells]
    if text == "effect":
        return Cell(optional), [effect_cell(world, cell, key.text, optional) for cell in cells]
    decl = world.type_named(Scalar(text, scalar.span))
    return Elem(decl.name, optional), [
        NONE if optional and cell.text in ("", "none") else value_of(decl, cell, key.text) for cell in cells
    ]


# ---- cells


def _number(cell: Scalar, key: Scalar, low: int, high: int) -> int:
    value = whole(cell.text or "0")
    if value is None:
        raise Failed(BadCell(cell.span, shortened(cell.text), key.text, "a whole number is wanted"))
    if not low <= value <= high:
        shown = shortened(cell.text) or "(empty)"
        raise Failed(BadCell(cell.span, shown, key.text, f"it is not in {low}..{high}"))
    return value


def _flag(cell: Scalar, key: Scalar) -> int:
    if cell.text not in ("", "true", "false", "0", "1"):
        raise Failed(BadCell(cell.span, shortened(cell.text), key.text, "`true` or `false` is wanted"))
    return int(cell.text in ("true", "1"))


def effect_cell(world: World, cell: Scalar, column: str, optional: bool) -> int:
    """The number of an effect cell: its name and its arguments, with blanks between."""
    parts = tuple(cell.text.split())
    if not parts or parts == ("none",):
        if optional:
            return NONE
        shown = cell.text or "(empty)"
        raise Failed(BadCell(cell.span, shown, column, "an effect is wanted", "or declare `effect or none`"))
    spec = (parts[0], parts[1:])
    world.cell_places.setdefault(spec, (cell.span, column))
    return world.cells.setdefault(spec, len(world.cells))

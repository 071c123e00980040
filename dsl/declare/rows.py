"""Tables of rows: a CSV file or a mapping, its columns and its cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from dsl.declare.enumerations import enumeration, named_values, value_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import LONGEST_WORD, WORD, bounded, interval, is_range, mapping, word
from dsl.declare.row_texts import read_text_column, text_column, words_of_rows
from dsl.declare.sheets import Sheet, Titles, sheet_of_csv
from dsl.declare.symbol_table import SymbolTable, keys
from dsl.diagnostics import Diagnostic, DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import FLAG, NONE, EffectType, EnumType, IntType, Type
from dsl.messages.names import NameTaken
from dsl.messages.shapes import BadCell, BadTable, MissingKey
from dsl.numbers import whole
from dsl.rules import Column, Row, TypeDecl
from dsl.sheets.names import flag_in, normal_form, number_in
from dsl.wording import quoted, shortened

S = TypeVar("S")
T = TypeVar("T")

MARKS = "clause"
"""The column with the clause marks of each row, unless the game declares a column of this name."""
OTHERS = "others"
"""The word for all columns that are not declared, in `ignored`."""
SHEET_KEYS = ("names", "headers", "ignored")
"""The keys that say how the header of a table is read."""
MOST_WRONG = 20
"""The most wrong cells of one column that are reported: further ones are usually wrong in the same way."""


def read_rows(
    reader: MappingReader, name: Scalar, forward: str, lo: int = 0
) -> tuple[tuple[Scalar, ...], dict[str, Column]]:
    """Row names and columns of a declaration with `table` or `rows`, and `columns`.

    A column may refer to the rows themselves: their type, `forward`, is known by its names while the columns
    are read. A column `clause` that is not declared has clause marks: its rows are added to the symbol table.
    Raises `DiagnosticError` if the table is malformed or a cell does not fit its column; all columns are read
    and their errors reported before.
    """
    inline = reader.get("rows")
    if inline is not None:
        rows = tuple(key for key, _ in mapping(inline, reader.of("rows")).pairs)
        _announce(reader.symbols, name, forward, rows, lo)
        sheet = _sheet_of_mapping(reader, inline, reader.pairs("columns"))
    else:
        sheet = words_of_rows(reader.symbols, _sheet_of_file(reader))
        rows = tuple(sheet.column(0))
        _announce(reader.symbols, name, forward, rows, lo)
    return rows, _columns(reader, sheet, name.text)


def _sheet_of_file(reader: MappingReader) -> Sheet:
    """The table that a declaration names. Raises `DiagnosticError`; further mistakes of it are reported."""
    symbols = reader.symbols
    wanted = frozenset(t for key, spec in reader.pairs("columns") for t in _known_titles(symbols, key, spec))
    headers = {key.text: word(node, reader.of("headers")).text for key, node in reader.pairs("headers")}
    for key, node in reader.pairs("headers"):
        if headers[key.text] not in wanted:
            where = f" of {reader.where}"
            raise symbols.unknown(word(node, reader.of("headers")), "column", wanted, where=where)
    names = reader.word("names") if reader.has("names") else None
    return sheet_of_csv(symbols.open(reader.word("table")), Titles(wanted, headers, names), symbols.fail)


def _announce(symbols: SymbolTable, name: Scalar, forward: str, rows: tuple[Scalar, ...], lo: int) -> None:
    decl = named_values(name, rows, symbols.reserved)
    members = tuple(range(lo, lo + len(rows)))
    symbols.forward[name.text] = replace(decl, name=forward, lo=lo, members=members)


def read_columns(reader: MappingReader, decl: TypeDecl) -> dict[str, Column]:
    """The columns of values that are known already, from `table` or `rows`. Not each needs a row.

    A value without a row has empty cells. Raises `DiagnosticError` as `read_rows`.
    """
    if reader.only_one(("table", "rows")) is None:
        if reader.has("columns"):
            hint = "name a CSV file, or write `rows: {place: {column: cell}}`"
            raise DiagnosticError(MissingKey(reader.span, reader.where, "`table` or `rows`", hint))
        return {}
    reader.symbols.forward[decl.name] = decl
    for key, _ in reader.pairs("columns"):
        if key.text in decl.columns:
            raise DiagnosticError(NameTaken(key.span, key.text, "a column of every such board", decl.span))
    inline = reader.get("rows")
    if inline is not None:
        sheet = _sheet_of_mapping(reader, inline, reader.pairs("columns"))
    else:
        sheet = _sheet_of_file(reader)
    written = {value_of(decl, row[0]): row for row in sheet.rows}
    blank = tuple(_Blank("", title.span) for title in sheet.titles[1:])
    rows = tuple(
        written.get(decl.lo + i) or (_Blank(name, sheet.span), *blank) for i, name in enumerate(decl.names)
    )
    return _columns(reader, replace(sheet, rows=rows), decl.name)


class _Blank(Scalar):
    """A cell of a value that has no row."""


def _columns(reader: MappingReader, sheet: Sheet, owner: str) -> dict[str, Column]:
    used = {0}
    for key, _ in reader.pairs("columns"):
        bounded(key.text, key.span, "this name", LONGEST_WORD)
    texts = {key: text_column(reader.symbols, key, spec) for key, spec in reader.pairs("columns")}
    for key, text in texts.items():
        if text is not None:
            cells = sheet.column(_position(key, key.text, sheet, used))
            read_text_column(reader.symbols, owner, key, text, sheet, cells)
    specs = [(key, spec) for key, spec in reader.pairs("columns") if texts[key] is None]
    columns = _each(reader.symbols, specs, lambda pair: _column(reader, *pair, sheet, used))
    _cite_rows(reader, sheet, used)
    _report_undeclared(reader, sheet, used)
    return {column.name: column for column in columns}


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
    node = reader.get("ignored")
    if isinstance(node, Scalar) and node.text == OTHERS:
        return
    ignored = reader.words("ignored") if node is not None else ()
    texts, forms = {each.text for each in ignored}, {normal_form(each.text) for each in ignored} - {""}
    for i, title in enumerate(sheet.titles):
        form = normal_form(title.text)
        kept = i in used or title.text in texts or form in forms
        if not kept and any(row[i].text for row in sheet.rows):
            name = "it" if WORD.fullmatch(title.text) else f"`{form}`" if form else "a name in `headers`"
            hint = f"add {name} to `columns` of {reader.where}, or the title to `ignored`"
            said = shortened(title.text)
            why = f"column `{said}` is not declared" if said else "this column has cells and no title"
            reader.symbols.fail(BadTable(title.span, why, hint))


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


def _known_titles(symbols: SymbolTable, key: Scalar, spec: Node) -> list[str]:
    """The titles of a declared column, as far as they are known before the rows are."""
    try:
        return _titles(symbols, key, spec)
    except DiagnosticError:
        return [key.text]


def _titles(symbols: SymbolTable, key: Scalar, spec: Node) -> list[str]:
    """The titles of a declared column: its name, or for a group one title for each value of a type."""
    if not isinstance(spec, Mapping):
        return [key.text]
    group = entry(symbols, spec, f"column `{key.text}`", GROUP)
    decl = symbols.values_named(group.word("each"))
    return [f"{key.text}_{decl.names[value - decl.lo]}" for value in sorted(decl.members)]


# ---- columns

GROUP = ("each", "range")


def _column(reader: MappingReader, key: Scalar, spec: Node, sheet: Sheet, used: set[int]) -> Column:
    if isinstance(spec, Mapping):
        return _group(reader.symbols, key, spec, sheet, used)
    index = _position(key, key.text, sheet, used)
    if isinstance(spec, Sequence) and key.text not in reader.symbols.types:
        _declare_values(reader, key, spec)
    kind, read = _type_of_cells(reader.symbols, key, spec)
    _check_missing(sheet, key, index, read)
    return Column(key.text, kind, _cells(reader.symbols, kind, sheet.column(index), read))


def _check_missing(sheet: Sheet, key: Scalar, index: int, read: Callable[[Scalar], int]) -> None:
    """Raises `DiagnosticError` if a value has no row, and the cells of a column cannot be empty."""
    for row in sheet.rows:
        if isinstance(row[index], _Blank):
            try:
                read(row[index])
            except DiagnosticError:
                hint = f"a cell of `{key.text}` cannot be empty, so each place needs a row"
                raise DiagnosticError(BadTable(sheet.span, f"no row for `{row[0].text}`", hint)) from None


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
    titles = [shortened(t.text) for t in sheet.titles[1:] if t.text]
    if not titles:
        return "it has no columns but the names"
    return (
        f"its columns are {quoted(titles, 'and')}; `headers: {{{titles[0]}: NAME}}` gives one its name here"
    )


def _group(symbols: SymbolTable, key: Scalar, spec: Mapping, sheet: Sheet, used: set[int]) -> Column:
    """`{each: colour, range: 0..2}`: a column of the table for each value of a type, `wants_blue`, ...

    Values outside a part of a type have no column; they get the lowest number, which no rule can read.
    """
    group = entry(symbols, spec, f"column `{key.text}`", GROUP)
    decl = symbols.values_named(group.word("each"))
    low, high = interval(group.needed("range"), group.of("range"))
    columns = [[low] * len(sheet.rows) for _ in decl.names]
    for value in sorted(decl.members):
        number = value - decl.lo
        title = f"{key.text}_{decl.names[number]}"
        cells = sheet.column(_position(key, title, sheet, used))
        read = partial(_number, column=title, low=low, high=high)
        columns[number] = list(_cells(symbols, IntType(low, high), cells, read))
    return Column(key.text, IntType(low, high, key.text), (), decl.name, tuple(zip(*columns, strict=True)))


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
        return IntType(low, high, key.text), partial(_number, column=key.text, low=low, high=high)
    optional = scalar.text.endswith(" or none")
    text = scalar.text.removesuffix(" or none").strip()
    if text == "flag":
        return FLAG, partial(_flag, key.text)
    if text == "effect":
        return EffectType(optional), lambda cell: effect_cell(symbols, cell, key.text, optional)
    decl = symbols.values_named(Scalar(text, scalar.span))
    return EnumType(decl.name, optional), partial(_value, decl, key.text, optional)


# ---- cells


def _cells(
    symbols: SymbolTable, kind: Type, cells: Iterable[Scalar], read: Callable[[Scalar], int]
) -> tuple[int, ...]:
    """The numbers of cells. Wrong ones are reported, and count as the lowest number of the column."""
    wrong = 0
    found = []
    for cell in cells:
        try:
            found.append(read(cell))
        except DiagnosticError as failed:
            wrong += 1
            if wrong <= MOST_WRONG:
                symbols.fail(failed.diagnostic)
            found.append(_lowest(symbols, kind))
    return tuple(found)


def _lowest(symbols: SymbolTable, kind: Type) -> int:
    match kind:
        case IntType(low, _):
            return low
        case EnumType(name) if name in symbols.types:
            return symbols.types[name].lo
        case EffectType():
            return NONE
    return 0


def _each(symbols: SymbolTable, items: Iterable[S], read: Callable[[S], T]) -> list[T]:
    """The results for all items. Raises the first `DiagnosticError` after reporting all of them."""
    results: list[T] = []
    errors: list[Diagnostic] = []
    for item in items:
        try:
            results.append(read(item))
        except DiagnosticError as failed:
            errors.append(failed.diagnostic)
    for error in errors:
        symbols.fail(error)
    if errors:
        raise DiagnosticError(errors[0])
    return results


def _value(decl: TypeDecl, column: str, optional: bool, cell: Scalar) -> int:
    return NONE if optional and cell.text in ("", "none") else value_of(decl, cell, column)


def _number(cell: Scalar, column: str, low: int, high: int) -> int:
    value = number_in(cell.text or "0")
    if value is None:
        why, hint = "expected a whole number", f"write a number within {low}..{high}, without a fraction"
        raise DiagnosticError(BadCell(cell.span, shortened(cell.text), column, why, hint))
    if not low <= value <= high:
        shown, hint = shortened(cell.text) or "(empty)", f"correct the cell, or widen the range of `{column}`"
        raise DiagnosticError(BadCell(cell.span, shown, column, f"not in {low}..{high}", hint))
    return value


def _flag(column: str, cell: Scalar) -> int:
    found = flag_in(cell.text)
    if found is None:
        why, hint = "expected `true` or `false`", "`x`, `yes` and `1` are true; an empty cell is false"
        raise DiagnosticError(BadCell(cell.span, shortened(cell.text), column, why, hint))
    return int(found)


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

"""Cells of tables that hold numbers: what they are called, and where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeGuard

from dsl import document
from dsl.declare.sheets import Titles, lines_of_csv
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar, Sequence
from dsl.domains import EnumType, IntType, Type
from dsl.rules import Rules, Table
from dsl.sheets.delimited import is_table
from dsl.sheets.encodings import text_of
from dsl.sheets.names import word_for
from dsl.sheets.workbooks import is_archive
from dsl.source import Source, Span

GAME = "game.yaml"
WITH_ROWS = ("types", "boards", "components")
"""Sections of `game.yaml` whose declarations may have rows with columns."""
PLAIN = re.compile(r"-?\d+")
Bounds = tuple[int, int]


@dataclass(frozen=True)
class CellPlace:
    """Where a number stands: characters of a file, and the line. `table` is the file or the declaration whose
    rows it belongs to; empty for a constant."""

    path: str
    start: int
    end: int
    line: int
    table: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell with a number. `bounds` are those that its table declares."""

    name: str
    value: int
    place: CellPlace
    bounds: Bounds | None = None


def source_of(path: str, data: bytes) -> Source:
    """A file of a ruleset that was read."""
    text = text_of(data) if is_table(path) else data.decode("utf-8-sig")
    return Source(path, text.replace("\r\n", "\n"))


def cells(files: Mapping[str, bytes], rules: Rules) -> Iterator[Cell]:
    """The cells with numbers of a ruleset's files, and of the tables in its `game.yaml`."""
    for path, data in files.items():
        if is_table(path) and not is_archive(data):
            yield from _of_csv(path, source_of(path, data), rules)
    game = _game(files)
    for section in WITH_ROWS:
        for owner, node in _pairs(_entry(game, section)):
            yield from _of_rows(owner.text, _entry(node, "rows"), rules)
    for name, node in _pairs(_entry(game, "tables")):
        table = rules.tables.get(name.text)
        if table is not None and isinstance(table.type, IntType):
            yield from _of_table(table, rules, _entry(node, "rows"))


def constant_place(files: Mapping[str, bytes], name: str) -> CellPlace | None:
    """Where a constant is declared as a plain number in `game.yaml`; none if it is not."""
    node = _entry(_entry(_game(files), "constants"), name)
    return _place(GAME, node.span, "") if _is_number(node) else None


def _game(files: Mapping[str, bytes]) -> Node:
    return document.read(source_of(GAME, files[GAME]))


def _of_csv(path: str, source: Source, rules: Rules) -> Iterator[Cell]:
    """Each is called by its row, which is the first cell, and its column."""
    columns = [each.columns for each in rules.types.values()]
    columns += [each.columns for each in rules.components.values()]
    known = Titles(frozenset(column for each in columns for column in each))
    try:
        titles, *rows = lines_of_csv(source, known, [])
    except DiagnosticError:
        return
    texts = {column for columns in rules.text_columns.values() for column in columns}
    for row in rows:
        name = word_for(row[0].text)
        for title, cell in list(zip(titles, row, strict=True))[1:]:
            if _is_number(cell) and title.text not in texts:
                yield _cell(f"{name}.{title.text}", path, path, cell, _of_column(rules, name, title.text))


def _of_rows(owner: str, rows: Node | None, rules: Rules) -> Iterator[Cell]:
    """`{smith: {cost: 3}}`: each is called by its row and column, as in a file."""
    for row, columns in _pairs(rows):
        for column, cell in _pairs(columns):
            if _is_number(cell):
                bounds = _of_column(rules, row.text, column.text)
                yield _cell(f"{row.text}.{column.text}", GAME, owner, cell, bounds)


def _of_column(rules: Rules, row: str, column: str) -> Bounds | None:
    """The range that is declared for the numbers of a column, if only one has such a row."""
    declared = ((each.names, each.columns) for each in rules.types.values())
    pieces = ((each.classes, each.columns) for each in rules.components.values())
    found = {
        columns[column].type
        for names, columns in chain(declared, pieces)
        if row in names and column in columns
    }
    match list(found):
        case [IntType(lo, hi)]:
            return lo, hi
    return None


def _of_table(table: Table, rules: Rules, rows: Node | None) -> Iterator[Cell]:
    """Each is called by the table and its keys, as they are written, or as a list has them in order."""
    keys = [_keys(rules, type_) for type_ in table.over_types]

    def below(node: Node | None, name: str, rest: list[list[str]]) -> Iterator[Cell]:
        if not rest:
            if _is_number(node):
                bounds = (table.type.lo, table.type.hi) if isinstance(table.type, IntType) else None
                yield _cell(name, GAME, table.name, node, bounds)
            return
        pairs = ((key.text, value) for key, value in _pairs(node))
        listed = zip(rest[0], node.items, strict=False) if isinstance(node, Sequence) else ()
        for key, value in chain(pairs, listed):
            yield from below(value, f"{name}.{key}", rest[1:])

    yield from below(rows, table.name, keys)


def _keys(rules: Rules, type_: Type) -> list[str]:
    """The values of a key of a table in order."""
    match type_:
        case IntType(lo, hi):
            return [str(value) for value in range(lo, hi + 1)]
        case EnumType(name):
            decl = rules.types[name]
            return [decl.label(value) for value in decl.members]
    return []


# ---- nodes


def _entry(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, document.Mapping) else None


def _pairs(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.pairs if isinstance(node, document.Mapping) else ()


def _is_number(node: Node | None) -> TypeGuard[Scalar]:
    return isinstance(node, Scalar) and not node.quoted and PLAIN.fullmatch(node.text) is not None


def _cell(name: str, path: str, table: str, node: Scalar, bounds: Bounds | None = None) -> Cell:
    return Cell(name, int(node.text), _place(path, node.span, table), bounds)


def _place(path: str, span: Span, table: str) -> CellPlace:
    return CellPlace(path, span.start, span.end, span.line, table)

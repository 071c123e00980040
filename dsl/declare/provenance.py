"""Where rows of tables come from, if not from the published game; `provenance` of `game.yaml`."""

from __future__ import annotations

from functools import partial

from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import line
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar, Sequence
from dsl.messages.shapes import WrongShape
from dsl.rules import Provenance, RowStatus

KEYS = ("of", "rows", "status", "why")
NEEDED = ("of", "status", "why")


def read_provenance(symbols: SymbolTable, node: Node) -> tuple[Provenance, ...]:
    """`provenance: [{of: tile, rows: [mill], status: reconstructed, why: no page shows it}]`."""
    if not isinstance(node, Sequence):
        raise DiagnosticError(WrongShape(node.span, "`provenance`", "a list", "one entry for each table"))
    return tuple(symbols.attempt_all(partial(_provenance, symbols), node.items))


def _provenance(symbols: SymbolTable, node: Node) -> Provenance:
    reader = entry(symbols, node, "an entry of `provenance`", KEYS)
    of, why = reader.word("of"), line(reader.needed("why"), reader.of("why"))
    if not why.text.strip():
        raise reader.wrong("why", "a reason")
    names, total = _rows(symbols, of)
    reader.needed("status")
    status = RowStatus(reader.one_of("status", tuple(RowStatus)) or "")
    return Provenance(of.text, status, _chosen(reader, names), total, why.text, of.span)


def _rows(symbols: SymbolTable, of: Scalar) -> tuple[tuple[str, ...], int]:
    """The names of the rows of a declaration, if they have names, and how many rows it has."""
    if of.text in symbols.tables:
        return (), len(symbols.tables[of.text].values)
    if of.text in symbols.components:
        classes = symbols.components[of.text].classes
        return classes, len(classes)
    if of.text in symbols.types and of.text not in ("seat", "team"):
        names = symbols.types[of.text].names
        return names, len(names)
    known = {*symbols.types, *symbols.components, *symbols.tables} - {"seat", "team"}
    raise symbols.unknown(of, "type, board, component or table", known)


def _chosen(reader: MappingReader, names: tuple[str, ...]) -> tuple[str, ...]:
    """The rows that are named, or all."""
    if not reader.has("rows"):
        return names
    rows: list[str] = []
    for row in reader.words("rows"):
        if row.text not in names:
            raise reader.symbols.unknown(row, "row", names)
        if row.text in rows:
            raise DiagnosticError(WrongShape(row.span, reader.of("rows"), "different rows"))
        rows.append(row.text)
    if not rows:
        raise reader.wrong("rows", "some rows", "without `rows` all are meant")
    return tuple(rows)

"""Types: `types` of `game.yaml`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.enumerations import enumeration, named_values, numbers, without
from dsl.declare.mapping_reader import entry
from dsl.declare.nodes import interval, is_range
from dsl.declare.rows import read_rows
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.rules import TypeDecl


def declare_type(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`[red, blue]`, `1..6`, `{values: [red, blue], clause: §1.2}`, or a table of rows and its columns."""
    symbols.declare(name.text, "a type", name.span)
    symbols.types[name.text] = _type(symbols, name, node)


def _type(symbols: SymbolTable, name: Scalar, node: Node) -> TypeDecl:
    if not isinstance(node, Mapping):
        return _listed(symbols, name, node)
    if node.get("values") is None:
        return _table(symbols, name, node)
    reader = entry(symbols, node, f"type `{name.text}`", ("values", "clause"))
    return replace(_listed(symbols, name, reader.needed("values")), clauses=reader.marks())


def _listed(symbols: SymbolTable, name: Scalar, node: Node) -> TypeDecl:
    """A list of values, or a range of numbers."""
    if isinstance(node, Sequence):
        return enumeration(symbols, name, node)
    if not isinstance(node, Scalar) or not is_range(node.text):
        hint = "write `[red, blue]`, `1..6` or `{table: FILE, columns: {...}}`"
        raise DiagnosticError(
            WrongShape(node.span, f"type `{name.text}`", "a list, a range or a table", hint)
        )
    return numbers(name, *interval(node, f"type `{name.text}`"), node.span)


def _table(symbols: SymbolTable, name: Scalar, node: Node) -> TypeDecl:
    reader = entry(symbols, node, f"type `{name.text}`", ("table", "rows", "columns", "without", "clause"))
    if reader.only_one(("table", "rows")) is None:
        hint = "name a CSV file, or write `rows: {name: {column: cell}}`"
        raise DiagnosticError(MissingKey(reader.span, reader.where, "`table` or `rows`", hint))
    names, columns = read_rows(reader)
    decl = replace(named_values(name, names, symbols.reserved), columns=columns, clauses=reader.marks())
    gone = reader.get("without")
    return replace(decl, without=without(decl, gone, symbols.seats)) if gone is not None else decl

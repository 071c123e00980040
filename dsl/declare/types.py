"""Types: `types` of `game.yaml`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.boards import SHAPES
from dsl.declare.enumerations import enumeration, left_out, named_values, numbers
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, is_range
from dsl.declare.products import declared_product
from dsl.declare.rows import SHEET_KEYS, read_rows
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import HIGHEST_WRITTEN
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.numbers import whole
from dsl.rules import TypeDecl

PRODUCT = ("product", "order", "clause")
LISTED = ("values", "order", "clause")
TABLED = ("table", "rows", "columns", *SHEET_KEYS, "without", "order", "clause")
ORDERS = ("rising",)


def declare_type(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`[red, blue]`, `1..6`, `{values: [red, blue], clause: §1.2}`, a table of rows, or a product."""
    symbols.declare(name.text, "a type", name.span)
    symbols.types[name.text] = _type(symbols, name, node)


def _type(symbols: SymbolTable, name: Scalar, node: Node) -> TypeDecl:
    if not isinstance(node, Mapping):
        return _listed(symbols, name, node)
    where = f"type `{name.text}`"
    if node.get("product") is not None:
        reader = entry(symbols, node, where, PRODUCT)
        decl = declared_product(reader, name)
    elif node.get("values") is not None:
        reader = entry(symbols, node, where, LISTED)
        decl = _listed(symbols, name, reader.needed("values"))
    else:
        reader, decl = _table(symbols, name, node)
    ordered = decl.ordered or reader.one_of("order", ORDERS) is not None
    return replace(decl, clauses=reader.marks(), ordered=ordered)


def _listed(symbols: SymbolTable, name: Scalar, node: Node) -> TypeDecl:
    """A list of values, or a range of numbers."""
    if isinstance(node, Sequence):
        return _numerals(enumeration(symbols, name, node))
    if not isinstance(node, Scalar) or not is_range(node.text):
        hint = "write `[red, blue]`, `1..6` or `{table: FILE, columns: {...}}`"
        raise DiagnosticError(
            WrongShape(node.span, f"type `{name.text}`", "a list, a range or a table", hint)
        )
    return numbers(name, *interval(node, f"type `{name.text}`"), node.span)


def _numerals(decl: TypeDecl) -> TypeDecl:
    """A list of numerals: its values are numbers, too, and in order if they rise."""
    found = tuple(whole(name) for name in decl.names)
    values = tuple(value for value in found if value is not None and value <= HIGHEST_WRITTEN)
    if len(values) < len(found):
        return decl
    return replace(decl, numerals=values, ordered=values == tuple(sorted(values)))


def _table(symbols: SymbolTable, name: Scalar, node: Mapping) -> tuple[MappingReader, TypeDecl]:
    where = f"type `{name.text}`"
    shape = next((key.text for key, _ in node.pairs if key.text in SHAPES), None)
    if shape is not None:
        hint = f"what has `{shape}` is a board: declare it under `boards`"
        raise DiagnosticError(MissingKey(node.span.first_line(), where, "`table` or `rows`", hint))
    reader = entry(symbols, node, where, TABLED)
    if reader.only_one(("table", "rows")) is None:
        hint = "name a CSV file, or write `rows: {name: {column: cell}}`"
        raise DiagnosticError(MissingKey(reader.span, reader.where, "`table` or `rows`", hint))
    names, columns = read_rows(reader, name, name.text)
    decl = replace(named_values(name, names, symbols.reserved), columns=columns)
    gone = reader.get("without")
    return reader, left_out(symbols, decl, gone) if gone is not None else decl

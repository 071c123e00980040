"""Products of types: each value of one with each value of the others, as `face: {product: [suit, rank]}`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import word
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import LARGEST, EnumType
from dsl.messages.names import NameTaken, ReservedWord
from dsl.messages.shapes import WrongProduct
from dsl.rules import Column, TypeDecl
from dsl.source import Span

Parts = tuple[tuple[str, TypeDecl], ...]
"""The types of a product by the names of their columns."""

SEVERAL = "list two types or more: `[suit, rank]`"


def declared_product(reader: MappingReader, name: Scalar) -> TypeDecl:
    """`{product: [suit, rank]}` or `{product: {from_city: city, to_city: city}}`.

    Its values are called `hearts_ace`. Raises `DiagnosticError`.
    """
    node = reader.needed("product")
    parts = read_parts(reader.symbols, node, reader.where)
    decl = product_type(reader.symbols, name.text, parts, name.span, ("", "_", ""))
    seen: set[str] = set()
    for value in decl.names:
        if value in seen:
            raise DiagnosticError(NameTaken(node.span.first_line(), value, "a value of this type", node.span))
        if value in reader.symbols.reserved:
            raise DiagnosticError(ReservedWord(node.span.first_line(), value))
        seen.add(value)
    return decl


def pair_type(symbols: SymbolTable, node: Node, where: str) -> str:
    """The name of the type of several indices, `at: [slot, colour]`, which no rule can name."""
    parts = read_parts(symbols, node, where)
    named = isinstance(node, Mapping)
    shown = ", ".join(f"{column}: {decl.name}" if named else column for column, decl in parts)
    name = f"({shown})"
    if name not in symbols.types:
        symbols.types[name] = product_type(symbols, name, parts, node.span, ("(", ", ", ")"))
    return name


def read_parts(symbols: SymbolTable, node: Node, where: str) -> Parts:
    """The types that a list or mapping names. Raises `DiagnosticError`."""
    if isinstance(node, Mapping):
        pairs = [(key, word(value, f"`{key.text}` of {where}")) for key, value in node.pairs]
    elif isinstance(node, Sequence):
        pairs = [(found, found) for found in (word(item, f"an item of {where}") for item in node.items)]
    else:
        raise DiagnosticError(
            WrongProduct(node.span, where, "one name", "list two types or more: `[suit, rank]`")
        )
    if len(pairs) < 2:
        raise DiagnosticError(WrongProduct(node.span.first_line(), where, "fewer than two types", SEVERAL))
    parts = tuple((_column_name(symbols, key), symbols.type_named(value)) for key, value in pairs)
    _check_parts(node, where, [key for key, _ in pairs], parts)
    return parts


def _column_name(symbols: SymbolTable, key: Scalar) -> str:
    if key.text != "seat":
        symbols.usable(key.text, key.span)
    return key.text


def _check_parts(node: Node, where: str, keys: list[Scalar], parts: Parts) -> None:
    for i, (column, decl) in enumerate(parts):
        if column in [other for other, _ in parts[:i]]:
            hint = f"name them: `{{first: {decl.name}, second: {decl.name}}}`"
            raise DiagnosticError(WrongProduct(keys[i].span, where, f"`{column}` twice", hint))
        if len(decl.members) < decl.size:
            hint = f"use `{decl.base}`, and leave values out with `where`"
            raise DiagnosticError(WrongProduct(keys[i].span, where, f"`{decl.name}`, a part of a type", hint))
    size = prod(decl.size for _, decl in parts)
    if size > LARGEST:
        hint = f"a type has at most {LARGEST} values"
        hint += "; of two indices one can stand under `of`" if where.startswith("`at`") else ""
        raise DiagnosticError(WrongProduct(node.span.first_line(), where, f"{size} values", hint))


def product_type(
    symbols: SymbolTable, name: str, parts: Parts, span: Span, marks: tuple[str, str, str]
) -> TypeDecl:
    """A type with a value for each combination, the last part fastest; `marks` are around and between."""
    rows = list(product(*(range(decl.lo, decl.hi + 1) for _, decl in parts)))
    before, between, after = marks
    names = tuple(
        before + between.join(decl.label(v) for (_, decl), v in zip(parts, row, strict=True)) + after
        for row in rows
    )
    columns = dict(_columns(parts, rows))
    gone = {seats: _gone(parts, rows, seats) for seats in symbols.seat_counts}
    return TypeDecl(
        name,
        0,
        names,
        False,
        tuple(range(len(names))),
        columns,
        span,
        without={seats: values for seats, values in gone.items() if values},
        parts=tuple((column, decl.name) for column, decl in parts),
    )


def _columns(parts: Parts, rows: list[tuple[int, ...]]) -> Iterable[tuple[str, Column]]:
    for i, (column, decl) in enumerate(parts):
        yield column, Column(column, EnumType(decl.name), tuple(row[i] for row in rows))


def _gone(parts: Parts, rows: list[tuple[int, ...]], seats: int) -> tuple[int, ...]:
    """The values of which a part is absent with a number of seats."""
    gone = [
        frozenset(range(seats, decl.size) if decl.name == "seat" else decl.without.get(seats, ()))
        for _, decl in parts
    ]
    return tuple(i for i, row in enumerate(rows) if any(v in out for v, out in zip(row, gone, strict=True)))

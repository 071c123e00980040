"""Boards: types whose values are places with neighbours; `boards` of `game.yaml`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from dsl.declare.board_display import read_display
from dsl.declare.directions import compass, declare_directions
from dsl.declare.edges import declare_around, edges_of
from dsl.declare.enumerations import enumeration, named_values, numbers
from dsl.declare.lattices import lattice, open_sides
from dsl.declare.links import neighbour_steps, read_links
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, is_range, mapping, number, word, words
from dsl.declare.parts import named_part, part, part_of
from dsl.declare.rows import SHEET_KEYS, read_columns, read_rows
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages.names import UnknownName
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.numbers import whole
from dsl.rules import Shape, TypeDecl
from dsl.wording import quoted

SHAPES = ("line", "ring", "grid", "hex", "graph")
ROWS = ("table", "rows", "columns", *SHEET_KEYS)
KEYS = {
    "line": ("part_of", *ROWS, "links", "drawn"),
    "ring": ("part_of", *ROWS, "links", "drawn"),
    "grid": ("without", "neighbours", "directions", "borders", "corners", "edges", *ROWS, "links", "drawn"),
    "hex": ("without", "directions", "borders", "corners", "edges", *ROWS, "links", "drawn"),
    "graph": ("part_of", *ROWS, "links", "edges", "drawn"),
    "edges_of": ("ends", *ROWS),
    "values": ("part_of",),
}
"""The keys of each shape, besides the shape itself."""


def declare_board(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{line: 6}`, `{ring: [a, b, c]}`, `{grid: [4, 5]}`, `{hex: [11, 11]}`, `{graph: ..., links: ...}`."""
    symbols.declare(name.text, "a board", name.span)
    where = f"board `{name.text}`"
    shape = MappingReader(symbols, mapping(node, where), where).only_one((*SHAPES, "edges_of", "values"))
    if shape is None:
        hint = f"choose one of {quoted(SHAPES, 'and')}"
        raise DiagnosticError(MissingKey(node.span.first_line(), where, "a shape", hint))
    reader = entry(symbols, node, where, (shape, *KEYS[shape], "clause"))
    if shape == "values":
        symbols.types[name.text] = replace(part_of(reader, name), clauses=reader.marks())
        return
    if shape == "edges_of":
        edges_of(reader, name)
        return
    kind = cast(Shape, shape)
    decl = replace(_places(reader, name, kind), clauses=reader.marks(), shape=kind)
    decl = replace(decl, directions=_directions(reader, decl))
    if not reader.has("part_of") and not _is_file(reader, kind):
        decl = replace(decl, columns={**decl.columns, **read_columns(reader, decl)})
    drawn = read_display(reader, decl)
    decl = replace(decl, links=read_links(reader, decl, kind), drawn=drawn)
    symbols.types[name.text] = decl
    _borders(reader, decl)
    declare_around(reader, decl)


def edged(node: Node) -> set[str]:
    """The board whose edges a board consists of."""
    found = node.get("edges_of") if isinstance(node, Mapping) else None
    return {found.text} if isinstance(found, Scalar) else set()


def also_declared(node: Node) -> Iterator[str]:
    """The other types that a board declares: its directions, borders, corners and edges."""
    if not isinstance(node, Mapping):
        return
    for key in ("directions", "borders"):
        found = node.get(key)
        if isinstance(found, Scalar):
            yield found.text
        elif isinstance(found, Mapping):
            yield from (name.text for name, _ in found.pairs)
    for key in ("corners", "edges"):
        found = node.get(key)
        name = found.get("name") if isinstance(found, Mapping) else found
        if isinstance(name, Scalar):
            yield name.text


# ---- places


def _is_file(reader: MappingReader, shape: Shape) -> bool:
    """Whether the shape names a file with the places and their columns."""
    node = reader.needed(shape)
    return isinstance(node, Scalar) and whole(node.text) is None and not is_range(node.text)


def _places(reader: MappingReader, name: Scalar, shape: Shape) -> TypeDecl:
    node = reader.needed(shape)
    if shape in ("grid", "hex"):
        return lattice(reader, name, shape)
    if reader.has("part_of"):
        return part(reader, name, node)
    if isinstance(node, Sequence):
        return enumeration(reader.symbols, name, node)
    if isinstance(node, Mapping):
        hint = "write `graph: [a, b]`, and their neighbours in `links: {a: [b]}`" if shape == "graph" else ""
        wanted = "a list of places, how many there are, or a table"
        raise DiagnosticError(WrongShape(node.span, reader.of(shape), wanted, hint))
    scalar = word(node, reader.of(shape))
    if whole(scalar.text) is not None:
        return numbers(name, 1, number(scalar, reader.of(shape)), scalar.span)
    if is_range(scalar.text):
        return numbers(name, *interval(scalar, reader.of(shape)), scalar.span)
    pairs = (*reader.mapping.pairs, (Scalar("table", scalar.span), scalar))
    names, columns = read_rows(
        MappingReader(reader.symbols, Mapping(pairs, reader.mapping.span), reader.where), name, name.text
    )
    return replace(named_values(name, names, reader.symbols.reserved), columns=columns)


# ---- directions and borders


def _directions(reader: MappingReader, decl: TypeDecl) -> dict[str, tuple[tuple[int, ...], ...]]:
    if len(decl.sides) != 2:
        return {}
    return declare_directions(reader, decl.cells, neighbour_steps(reader, decl.shape))


def _borders(reader: MappingReader, decl: TypeDecl) -> None:
    """Declare the parts of `borders: {home: [north]}`: the places beyond which the board ends there."""
    known = compass(neighbour_steps(reader, decl.shape)) if reader.has("borders") else {}
    sides = (decl.sides[0], decl.sides[1]) if decl.sides else (0, 0)
    for name, node in reader.pairs("borders"):
        where = f"border `{name.text}`"
        listed = words(node, where)
        for item in listed:
            if item.text not in known:
                hint = did_you_mean(item.text, known) or f"the directions are {quoted(tuple(known), 'and')}"
                raise DiagnosticError(UnknownName(item.span, item.text, "direction", hint))
        if not listed:
            raise DiagnosticError(WrongShape(node.span, where, "a list with at least one direction"))
        ends = [open_sides(decl.cells, sides, known[item.text]) for item in listed]
        members = tuple(place for place in decl.members if all(place in end for end in ends))
        if not members:
            raise DiagnosticError(WrongShape(node.span, where, "a side on which the board has places"))
        reader.symbols.declare(name.text, "a border", name.span)
        reader.symbols.types[name.text] = named_part(decl, name, members)

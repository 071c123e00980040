"""Boards: types whose values are places with neighbours; `boards` of `game.yaml`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import cast

from dsl.declare.board_display import read_display
from dsl.declare.directions import COMPASS, SIX, STRAIGHT, Offset, declare_directions
from dsl.declare.enumerations import enumeration, named_values, numbers, too_many, value_of, words_type
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, is_range, mapping, number, word, words
from dsl.declare.rows import read_rows
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import LARGEST, IntType
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.numbers import whole
from dsl.rules import Column, Shape, TypeDecl
from dsl.wording import quoted

SHAPES = ("line", "ring", "grid", "hex", "graph")
STEPS = {"orthogonal": STRAIGHT, "all": COMPASS}
KEYS = {
    "line": ("part_of", "columns", "links", "drawn"),
    "ring": ("part_of", "columns", "links", "drawn"),
    "grid": ("neighbours", "directions", "links", "drawn"),
    "hex": ("directions", "links"),
    "graph": ("part_of", "columns", "links", "drawn"),
}
"""The keys of each shape, besides the shape itself."""


def declare_board(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """`{line: 6}`, `{ring: [a, b, c]}`, `{grid: [4, 5]}`, `{hex: [11, 11]}`, `{graph: ..., links: ...}`."""
    symbols.declare(name.text, "a board", name.span)
    where = f"board `{name.text}`"
    shape = MappingReader(symbols, mapping(node, where), where).only_one(SHAPES)
    if shape is None:
        hint = f"choose one of {quoted(SHAPES, 'and')}"
        raise DiagnosticError(MissingKey(node.span.first_line(), where, "a shape", hint))
    reader = entry(symbols, node, where, (shape, *KEYS[shape], "clause"))
    kind = cast(Shape, shape)
    decl = replace(_places(reader, name, kind), clauses=reader.marks(), shape=kind)
    drawn = read_display(reader, decl)
    symbols.types[name.text] = replace(
        decl, links=_links(reader, decl, kind), directions=_directions(reader, decl), drawn=drawn
    )


# ---- places


def _places(reader: MappingReader, name: Scalar, shape: Shape) -> TypeDecl:
    node = reader.needed(shape)
    if shape in ("grid", "hex"):
        return _grid(reader, name, shape)
    if reader.has("part_of"):
        return _part(reader, name, node)
    if isinstance(node, Sequence):
        return enumeration(reader.symbols, name, node)
    scalar = word(node, reader.of(shape))
    if whole(scalar.text) is not None:
        return numbers(name, 1, number(scalar, reader.of(shape)), scalar.span)
    if is_range(scalar.text):
        return numbers(name, *interval(scalar, reader.of(shape)), scalar.span)
    pairs = (*reader.mapping.pairs, (Scalar("table", scalar.span), scalar))
    names, columns = read_rows(
        MappingReader(reader.symbols, Mapping(pairs, reader.mapping.span), reader.where)
    )
    return replace(named_values(name, names, reader.symbols.reserved), columns=columns)


def _part(reader: MappingReader, name: Scalar, node: Node) -> TypeDecl:
    """A part of another type: some of its values, in an order of its own."""
    base = reader.symbols.type_named(reader.word("part_of"))
    members = tuple(value_of(base, item) for item in words(node, reader.where))
    if not members or len(set(members)) < len(members):
        raise DiagnosticError(
            WrongShape(node.span, reader.where, f"different values of `{base.name}`, at least one")
        )
    return replace(
        base,
        name=name.text,
        members=members,
        span=name.span,
        base=base.base or base.name,
        without={},
        links=(),
        directions={},
        sides=(),
        drawn=(),
    )


def _grid(reader: MappingReader, name: Scalar, shape: Shape) -> TypeDecl:
    """Fields a1, b1, ... row by row: letters for columns, numbers for rows."""
    rows, columns = sides = _sides(reader, shape)
    fields = [(r, c) for r in range(rows) for c in range(columns)]
    names = tuple(f"{_letters(c)}{r + 1}" for r, c in fields)
    numbers_of = {
        "row": Column("row", IntType(1, rows), tuple(r + 1 for r, _ in fields)),
        "column": Column("column", IntType(1, columns), tuple(c + 1 for _, c in fields)),
    }
    return replace(words_type(name.text, names, name.span), columns=numbers_of, sides=sides)


def _sides(reader: MappingReader, shape: Shape) -> tuple[int, int]:
    sides, span = reader.words(shape), reader.needed(shape).span
    if len(sides) != 2:
        raise reader.wrong(shape, "two numbers", "write `[rows, columns]`")
    rows, columns = (number(side, "a side of the board") for side in sides)
    if rows < 1 or columns < 1:
        raise DiagnosticError(WrongShape(span, f"a side of {reader.where}", "at least 1"))
    if rows * columns > LARGEST:
        raise too_many(span, reader.where)
    return rows, columns


def _letters(column: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("a") + last)


# ---- neighbours


def _links(reader: MappingReader, decl: TypeDecl, shape: Shape) -> tuple[tuple[int, ...], ...]:
    """The neighbours of each place, those of the lowest first."""
    near: dict[int, set[int]] = {v: set() for v in range(decl.lo, decl.hi + 1)}
    for a, b in (*_regular(reader, decl, shape), *_written(reader, decl)):
        near[a].add(b)
        near[b].add(a)
    return tuple(tuple(sorted(near[v])) for v in sorted(near))


def _regular(reader: MappingReader, decl: TypeDecl, shape: Shape) -> Iterable[tuple[int, int]]:
    if shape == "graph" and not reader.has("links"):
        hint = "write `{place: [place, place]}`"
        raise DiagnosticError(MissingKey(reader.span, reader.where, "`links`", hint))
    if len(decl.sides) == 2:
        return _steps(*decl.sides, _neighbour_steps(reader, shape).values())
    if shape == "ring" and len(decl.members) > 2:
        return pairwise((*decl.members, decl.members[0]))
    return pairwise(decl.members) if shape in ("line", "ring") else ()


def _neighbour_steps(reader: MappingReader, shape: Shape) -> dict[str, Offset]:
    """The directions in which the neighbours of a place lie, on a grid or hexagonal board."""
    return STEPS[reader.one_of("neighbours", tuple(STEPS)) or "orthogonal"] if shape == "grid" else SIX


def _directions(reader: MappingReader, decl: TypeDecl) -> dict[str, tuple[tuple[int, ...], ...]]:
    if len(decl.sides) != 2:
        return {}
    return declare_directions(reader, decl.sides, _neighbour_steps(reader, decl.shape))


def _steps(rows: int, columns: int, steps: Iterable[Offset]) -> Iterable[tuple[int, int]]:
    for up, right in steps:
        for row in range(max(0, -up), min(rows, rows - up)):
            for column in range(max(0, -right), min(columns, columns - right)):
                yield row * columns + column, (row + up) * columns + column + right


def _written(reader: MappingReader, decl: TypeDecl) -> Iterable[tuple[int, int]]:
    """`links: {a: [b, c]}`, both ways."""
    for key, places in reader.pairs("links"):
        a = value_of(decl, key)
        named: set[int] = set()
        for item in words(places, f"the links of `{key.text}`"):
            b = value_of(decl, item)
            if a == b:
                raise DiagnosticError(WrongShape(item.span, f"a link of `{key.text}`", "another place"))
            if b in named:
                hint = f"`{item.text}` is listed twice"
                raise DiagnosticError(WrongShape(item.span, f"a link of `{key.text}`", "listed once", hint))
            named.add(b)
            yield a, b

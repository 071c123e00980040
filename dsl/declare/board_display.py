"""The display of a board as rows of places; `drawn` of a board in `game.yaml`."""

from __future__ import annotations

from collections.abc import Iterable

from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import word, words
from dsl.declare.sheets import cells_of_csv
from dsl.document import Node, Scalar, Sequence
from dsl.domains import NONE
from dsl.rules import TypeDecl
from dsl.sheets.delimited import is_table

Rows = tuple[tuple[int, ...], ...]
"""Places row by row from the top; `NONE` for a gap."""


def read_display(reader: MappingReader, decl: TypeDecl) -> Rows:
    """The rows of a board; empty if it has no `drawn`."""
    node = reader.get("drawn")
    if node is None:
        return ()
    if decl.shape == "graph":
        return _written(reader, node, decl)
    if word(node, reader.of("drawn"), "`whole`").text != "whole":
        raise reader.wrong("drawn", "`whole`")
    return _laid_out(decl)


def _laid_out(decl: TypeDecl) -> Rows:
    """The rows of a regular board: a grid with north on top, a ring clockwise in two rows, a line in one."""
    if len(decl.sides) == 2:
        rows, columns = decl.sides
        cells, upward = decl.cells, range(rows)
        return tuple(tuple(cells.get((row, c), NONE) for c in range(columns)) for row in reversed(upward))
    if decl.shape == "ring":
        half = -(-len(decl.members) // 2)
        below = tuple(reversed(decl.members[half:]))
        return decl.members[:half], (NONE,) * (2 * half - len(decl.members)) + below
    return (decl.members,)


def _written(reader: MappingReader, node: Node, decl: TypeDecl) -> Rows:
    """Rows of places and gaps, each place once."""
    rows = tuple(tuple(_place(place, decl) for place in row) for row in _read(reader, node))
    placed = [value for row in rows for value in row if value != NONE]
    if sorted(placed) != sorted(decl.members):
        lacking = next((decl.label(v) for v in decl.members if v not in placed), None)
        hint = f"`{lacking}` is missing" if lacking else "a place is listed twice"
        raise reader.wrong("drawn", "a list of each place once", hint)
    return rows


def _read(reader: MappingReader, node: Node) -> Iterable[tuple[Scalar, ...]]:
    """The rows of a list of lists, or of a CSV file without titles, whose empty cells are gaps."""
    if isinstance(node, Scalar) and is_table(node.text):
        return cells_of_csv(reader.symbols.open(node))
    if not isinstance(node, Sequence):
        hint = "write `[[place, none], [place, place]]`, or name a CSV file"
        raise reader.wrong("drawn", "rows of places", hint)
    return [words(row, reader.of("drawn")) for row in node.items]


def _place(item: Scalar, decl: TypeDecl) -> int:
    return NONE if item.text in ("", "none") else value_of(decl, item)

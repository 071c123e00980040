"""The display of a board as rows of places; `drawn` of a board in `game.yaml`."""

from __future__ import annotations

from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import word, words
from dsl.document import Node, Scalar, Sequence
from dsl.domains import NONE
from dsl.rules import TypeDecl

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
        _, columns = decl.sides
        starts = range(0, len(decl.members), columns)
        return tuple(decl.members[i : i + columns] for i in reversed(starts))
    if decl.shape == "ring":
        half = -(-len(decl.members) // 2)
        below = tuple(reversed(decl.members[half:]))
        return decl.members[:half], (NONE,) * (2 * half - len(decl.members)) + below
    return (decl.members,)


def _written(reader: MappingReader, node: Node, decl: TypeDecl) -> Rows:
    """Rows of places and gaps, each place once."""
    if not isinstance(node, Sequence):
        hint = "write `[[place, none], [place, place]]`"
        raise reader.wrong("drawn", "rows of places", hint)
    where = reader.of("drawn")
    rows = tuple(tuple(_place(place, decl) for place in words(row, where)) for row in node.items)
    placed = [value for row in rows for value in row if value != NONE]
    if sorted(placed) != sorted(decl.members):
        lacking = next((decl.label(v) for v in decl.members if v not in placed), None)
        hint = f"`{lacking}` is missing" if lacking else "a place is listed twice"
        raise reader.wrong("drawn", "a list of each place once", hint)
    return rows


def _place(item: Scalar, decl: TypeDecl) -> int:
    return NONE if item.text == "none" else value_of(decl, item)

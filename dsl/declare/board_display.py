"""How a board is drawn where all that lies on its places stands in one picture; `drawn` of a board."""

from __future__ import annotations

from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import word, words
from dsl.diagnostics import DiagnosticError
from dsl.document import Node, Scalar, Sequence
from dsl.domains import NONE
from dsl.messages.shapes import WrongShape
from dsl.rules import TypeDecl

WHOLE = "whole"
Rows = tuple[tuple[int, ...], ...]
"""Places as they lie in a picture, row by row from above; none for a gap."""


def read_display(reader: MappingReader, decl: TypeDecl) -> Rows:
    """Nothing if the board does not say how it is drawn."""
    node = reader.get("drawn")
    if node is None:
        return ()
    if decl.shape == "graph":
        return _written(reader, node, decl)
    if word(node, reader.of("drawn"), "`whole`").text != WHOLE:
        raise DiagnosticError(WrongShape(node.span, reader.of("drawn"), "`whole`"))
    return _laid_out(decl)


def _laid_out(decl: TypeDecl) -> Rows:
    """A grid with north above, a ring clockwise in two rows, a line in one."""
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
        raise DiagnosticError(WrongShape(node.span, reader.of("drawn"), "rows of places", hint))
    rows = tuple(_row(reader, item, decl) for item in node.items)
    placed = [value for row in rows for value in row if value != NONE]
    if sorted(placed) != sorted(decl.members):
        lacking = next((decl.label(v) for v in decl.members if v not in placed), None)
        hint = f"`{lacking}` is missing" if lacking else "a place is listed twice"
        raise DiagnosticError(WrongShape(node.span, reader.of("drawn"), "a list of each place once", hint))
    return rows


def _row(reader: MappingReader, node: Node, decl: TypeDecl) -> tuple[int, ...]:
    return tuple(_place(item, decl) for item in words(node, reader.of("drawn")))


def _place(item: Scalar, decl: TypeDecl) -> int:
    return NONE if item.text == "none" else value_of(decl, item)

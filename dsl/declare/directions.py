"""Directions of a board: `directions` of `boards`. Each group is a type whose values form a ring."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.enumerations import named_values, words_type
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import mapping, number, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import LARGEST, NONE
from dsl.messages.names import UnknownName
from dsl.messages.shapes import WrongShape
from dsl.wording import quoted

Offset = tuple[int, int]
"""Rows to the north and columns to the east."""
Steps = dict[str, tuple[tuple[int, ...], ...]]

COMPASS: dict[str, Offset] = {
    "north": (1, 0),
    "northeast": (1, 1),
    "east": (0, 1),
    "southeast": (-1, 1),
    "south": (-1, 0),
    "southwest": (-1, -1),
    "west": (0, -1),
    "northwest": (1, -1),
}
STRAIGHT = {name: offset for name, offset in COMPASS.items() if 0 in offset}
SIX: dict[str, Offset] = {
    "northeast": (1, 0),
    "east": (0, 1),
    "southeast": (-1, 1),
    "southwest": (-1, 0),
    "west": (0, -1),
    "northwest": (1, -1),
}
"""On a hexagonal board each row lies half a place further east than the one south of it."""


def compass(own: dict[str, Offset]) -> dict[str, Offset]:
    """The directions that a board with these neighbours can name."""
    return COMPASS if set(own) <= set(STRAIGHT) else own


def declare_directions(reader: MappingReader, cells: dict[Offset, int], own: dict[str, Offset]) -> Steps:
    """Declare the types of `directions`. For each type: the next place of every place in each direction.

    `own` are the directions of neighbours; a list may name others of the compass.
    """
    node = reader.get("directions")
    if node is None:
        return {}
    if isinstance(node, Scalar):
        return {node.text: _declare(reader.symbols, node, own, cells)}
    known = compass(own)
    directions: Steps = {}
    for name, written in mapping(node, reader.of("directions")).pairs:
        offsets = _offsets(reader, name, written, known)
        directions[name.text] = _declare(reader.symbols, name, offsets, cells)
    return directions


def _offsets(reader: MappingReader, name: Scalar, node: Node, known: dict[str, Offset]) -> dict[str, Offset]:
    """`[north, east]`, or `{hop: [2, 1]}`: a step of two rows north and one column east."""
    where = f"directions `{name.text}`"
    if isinstance(node, Mapping):
        named_values(name, tuple(key for key, _ in node.pairs), reader.symbols.reserved)
        return {key.text: _offset(key, value) for key, value in node.pairs}
    if not isinstance(node, Sequence):
        hint = "write `[north, east]` or `{hop: [2, 1]}`"
        raise DiagnosticError(WrongShape(node.span, where, "a list of directions, or steps by name", hint))
    listed = words(node, where)
    for word in listed:
        if word.text not in known:
            hint = did_you_mean(word.text, known) or f"the directions are {quoted(tuple(known), 'and')}"
            raise DiagnosticError(UnknownName(word.span, word.text, "direction", hint))
    named_values(name, listed, reader.symbols.reserved)
    return {word.text: known[word.text] for word in listed}


def _offset(name: Scalar, node: Node) -> Offset:
    where = f"direction `{name.text}`"
    parts = words(node, where)
    if len(parts) != 2:
        raise DiagnosticError(
            WrongShape(node.span, where, "two numbers", "write `[rows north, columns east]`")
        )
    up, right = (number(part, where) for part in parts)
    if (up, right) == (0, 0) or max(abs(up), abs(right)) > LARGEST:
        raise DiagnosticError(WrongShape(node.span, where, "a step to another place of the board"))
    return up, right


def _declare(
    symbols: SymbolTable, name: Scalar, offsets: dict[str, Offset], cells: dict[Offset, int]
) -> tuple[tuple[int, ...], ...]:
    """Declare one type of directions. Returns the next place of every place in each direction."""
    names = tuple(offsets)
    if not names:
        raise DiagnosticError(
            WrongShape(name.span, f"directions `{name.text}`", "a list with at least one entry")
        )
    symbols.declare(name.text, "a type", name.span)
    size = len(names)
    links = tuple(tuple(sorted({(i - 1) % size, (i + 1) % size} - {i})) for i in range(size))
    decl = words_type(name.text, names, name.span)
    opposites = _opposites(tuple(offsets.values()))
    symbols.types[name.text] = replace(decl, shape="ring", links=links, opposites=opposites)
    return tuple(
        tuple(cells.get((row + up, column + right), NONE) for up, right in offsets.values())
        for row, column in cells
    )


def _opposites(offsets: tuple[Offset, ...]) -> tuple[int, ...]:
    """For each direction the one that leads back; nothing if one has none."""
    found = [(-up, -right) for up, right in offsets]
    return tuple(map(offsets.index, found)) if set(found) <= set(offsets) else ()

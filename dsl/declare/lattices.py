"""The places of grids and hexagonal boards: `grid`, `hex` and `without` of a board."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.enumerations import too_many, value_of, words_type
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import number, words
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Scalar
from dsl.domains import LARGEST, IntType
from dsl.messages.shapes import WrongShape
from dsl.rules import Column, Shape, TypeDecl

At = tuple[int, int]
"""A row and a column, counted from 0: from the south and from the west."""
HEXES = ("side", "rows", "rectangle")


def lattice(reader: MappingReader, name: Scalar, shape: Shape) -> TypeDecl:
    """Fields a1, b1, ... row by row: letters for columns, numbers for rows. Some may be left out."""
    places = _hexagons(reader) if shape == "hex" else _rhombus(*_sides(reader, shape))
    whole = _declared(name, places)
    return _declared(name, _left(reader, whole, places)) if reader.has("without") else whole


def _declared(name: Scalar, places: list[At]) -> TypeDecl:
    names = tuple(f"{letters(c)}{r + 1}" for r, c in places)
    rows, columns = (max(at[i] for at in places) + 1 for i in (0, 1))
    numbers_of = {
        "row": Column("row", IntType(1, rows), tuple(r + 1 for r, _ in places)),
        "column": Column("column", IntType(1, columns), tuple(c + 1 for _, c in places)),
    }
    return replace(words_type(name.text, names, name.span), columns=numbers_of, sides=(rows, columns))


def _left(reader: MappingReader, whole: TypeDecl, places: list[At]) -> list[At]:
    """The places that `without: [a1, b2]` does not leave out."""
    items = reader.words("without")
    gone = {value_of(whole, item) for item in items}
    if len(gone) < len(items):
        raise reader.wrong("without", "a list of different places")
    if len(gone) == whole.size:
        raise reader.wrong("without", "a list that leaves at least one place")
    return [at for value, at in enumerate(places) if value not in gone]


def _rhombus(rows: int, columns: int) -> list[At]:
    return [(r, c) for r in range(rows) for c in range(columns)]


# ---- hexagonal boards


def _hexagons(reader: MappingReader) -> list[At]:
    """A rhombus `[rows, columns]`, or another shape, which is a rhombus of which places are left out."""
    node = reader.needed("hex")
    if not isinstance(node, Mapping):
        return _rhombus(*_sides(reader, "hex"))
    where = reader.of("hex")
    shapes = entry(reader.symbols, node, where, HEXES)
    match shapes.only_one(HEXES):
        case "side":
            side = shapes.count("side", 1, LARGEST)
            lengths = [*range(side, 2 * side), *range(2 * side - 2, side - 1, -1)]
        case "rows":
            lengths = _lengths(shapes)
        case "rectangle":
            return _rectangle(shapes)
        case _:
            hint = "write `[rows, columns]`, `{side: 3}`, `{rows: [3, 4, 3]}` or `{rectangle: [4, 6]}`"
            raise reader.wrong("hex", "a shape", hint)
    if sum(lengths) > LARGEST:
        raise too_many(node.span, reader.where)
    return _centred(lengths)


def _lengths(shapes: MappingReader) -> list[int]:
    """The number of places in each row of a board whose rows lie in the middle of each other."""
    items = shapes.words("rows")
    lengths = [number(item, "a length of a row") for item in items]
    for item, length in zip(items, lengths, strict=True):
        if not 1 <= length <= LARGEST:
            raise DiagnosticError(WrongShape(item.span, "a length of a row", f"within 1..{LARGEST}"))
    for item, a, b in zip(items[1:], lengths, lengths[1:], strict=False):
        if (a - b) % 2 == 0:
            hint = "rows beside each other lie half a place apart, so one is longer by 1, 3, 5, ..."
            wanted = f"{'an odd' if a % 2 == 0 else 'an even'} number beside {a}"
            raise DiagnosticError(WrongShape(item.span, "a length of a row", wanted, hint))
    if not lengths:
        raise shapes.wrong("rows", "a list with at least one length")
    return lengths


def _centred(lengths: list[int]) -> list[At]:
    """Rows from above, each in the middle. A row lies half a place further east than the one south of it."""
    upward = lengths[::-1]
    # In halves of a place: where a row begins on the page is minus its length; its column is counted from
    # a line that moves half a place east with each row.
    begins = [-length - row for row, length in enumerate(upward)]
    west = min(begins)
    return [
        (row, (begin - west) // 2 + i)
        for row, (begin, length) in enumerate(zip(begins, upward, strict=True))
        for i in range(length)
    ]


def _rectangle(shapes: MappingReader) -> list[At]:
    """Rows of one length, every second one half a place further east."""
    rows, columns = _sides(shapes, "rectangle")
    back = (rows - 1) // 2
    return [(row, column + back - row // 2) for row in range(rows) for column in range(columns)]


def _sides(reader: MappingReader, key: str) -> tuple[int, int]:
    node = reader.needed(key)
    sides, span = words(node, reader.of(key)), node.span
    if len(sides) != 2:
        raise reader.wrong(key, "two numbers", "write `[rows, columns]`")
    rows, columns = (number(side, "a side of the board") for side in sides)
    if rows < 1 or columns < 1:
        raise DiagnosticError(WrongShape(span, f"a side of {reader.where}", "at least 1"))
    if rows * columns > LARGEST:
        raise too_many(span, reader.where)
    return rows, columns


def letters(column: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    before, last = divmod(column, 26)
    return (letters(before - 1) if before else "") + chr(ord("a") + last)


def open_sides(cells: dict[At, int], sides: At, step: At) -> set[int]:
    """The places beyond which a board ends in a direction: no others lie there, not even behind a gap."""
    found = set()
    for (row, column), place in cells.items():
        at = row + step[0], column + step[1]
        while 0 <= at[0] < sides[0] and 0 <= at[1] < sides[1] and at not in cells:
            at = at[0] + step[0], at[1] + step[1]
        if at not in cells:
            found.add(place)
    return found

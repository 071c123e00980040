"""How boards look: the entries of `boards` in `look.yaml`."""

from __future__ import annotations

from typing import cast, get_args

from dsl.declare.enumerations import value_of
from dsl.declare.look_values import Pictures, colour, colours, decimal, flag_of, position, seat_of, template
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import line, mapping, number, one_of, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.messages.looks import CannotBeDrawn, PlacesMissing
from dsl.messages.shapes import WrongShape
from dsl.rules import TypeDecl
from dsl.rules.look import XY, BoardLook, CellShape, Panel, Side, Spots, Turned
from dsl.wording import quoted

KEYS = (
    "positions", "rows", "turned", "cell", "size", "colours", "places", "lines", "shapes", "own", "names",
    "picture", "borders", "stands_for", "ground", "bands", "dots", "panels", "spots",
)  # fmt: skip
MOST_SHOWN = 3
LARGEST_CELL = 20.0
MOST_BANDS = 20
MOST_PANELS = 40
MOST_SPOTS = 100
"""So many bands, or rows and columns of a pattern, at most."""


def read_board(symbols: SymbolTable, pictures: Pictures, name: Scalar, node: Node) -> BoardLook:
    """How a board looks; a type without neighbours can get positions too. Raises `DiagnosticError`."""
    if name.text not in symbols.types or name.text == "seat":
        raise symbols.unknown(name, "board", (t for t in symbols.types if t != "seat"))
    decl = symbols.types[name.text]
    reader = entry(symbols, node, f"board `{name.text}`", KEYS)
    reader.only_one(("positions", "rows", "bands"))
    positions = _positions(reader, decl)
    if decl.shape == "none" and not positions:
        hint = "give `positions` or `rows`"
        raise DiagnosticError(CannotBeDrawn(name.span, f"`{name.text}`", "without positions", hint))
    cells, pattern = reader.get("colours"), _pattern(reader, decl)
    caption, ground = _caption(reader, decl), reader.get("ground")
    picture, picture_box = _picture(symbols, pictures, reader)
    return BoardLook(
        positions=positions,
        turned=_turned(symbols, reader),
        cell=cast("CellShape | None", reader.one_of("cell", get_args(CellShape))),
        size=_size(reader),
        colours=colours(cells, reader.of("colours"), 2) if cells is not None and not pattern else (),
        places={
            value_of(decl, place): colour(shade, reader.of("places"))
            for place, shade in reader.pairs("places")
        },
        lines=_lines(reader, decl),
        shapes={
            value_of(decl, place): _outline(reader, outline) for place, outline in reader.pairs("shapes")
        },
        own=flag_of(reader, "own"),
        named=flag_of(reader, "names") if caption is None else True,
        caption=caption or "",
        picture=picture,
        picture_box=picture_box,
        borders=_borders(symbols, reader, decl),
        stands=_stands(symbols, reader, decl),
        ground=colour(ground, reader.of("ground")) if ground is not None else "",
        bands=_bands(reader, decl),
        pattern=pattern,
        dots=_dots(reader, decl),
        panels=_panels(symbols, reader),
        spots=_spots(symbols, reader),
    )


def _picture(
    symbols: SymbolTable, pictures: Pictures, reader: MappingReader
) -> tuple[str, tuple[float, float, float, float] | None]:
    """`picture: map.png`, or `{file: map.png, box: [0, 0, 6, 4]}` with its corner and its size."""
    node, where = reader.get("picture"), reader.of("picture")
    if node is None:
        return "", None
    if not isinstance(node, Mapping):
        return pictures.url(line(node, where)), None
    inner = entry(symbols, node, where, ("file", "box"))
    url, box = pictures.url(line(inner.needed("file"), inner.of("file"))), inner.needed("box")
    if not (reader.has("positions") or reader.has("rows")):
        hint = "give `positions` in the same steps, or only the file"
        raise DiagnosticError(CannotBeDrawn(box.span, "the picture", "at a place of its own", hint))
    return url, _box(inner)


def _dots(reader: MappingReader, decl: TypeDecl) -> tuple[int, ...]:
    """`dots: [c3, g3]`, or by the number of columns: `{9: [c3, g3], 13: [d4]}`, where an option sets it."""
    node, where = reader.get("dots"), reader.of("dots")
    if isinstance(node, Mapping):
        columns = decl.sides[1] if len(decl.sides) == 2 else 0
        node = next((places for size, places in node.pairs if number(size, where) == columns), None)
    return tuple(value_of(decl, place) for place in words(node, where)) if node is not None else ()


def _panels(symbols: SymbolTable, reader: MappingReader) -> tuple[Panel, ...]:
    """`panels: [{box: [0, 0, 6, 6], colour: red}]`."""
    node, where = _placed(reader, "panels"), reader.of("panels")
    if node is None:
        return ()
    if not isinstance(node, Sequence) or not 1 <= len(node.items) <= MOST_PANELS:
        raise reader.wrong(
            "panels", f"up to {MOST_PANELS} panels", "write `[{box: [0, 0, 6, 6], colour: red}]`"
        )
    inner = [entry(symbols, item, where, ("box", "colour")) for item in node.items]
    return tuple(Panel(_box(it), colour(it.needed("colour"), it.of("colour"))) for it in inner)


def _spots(symbols: SymbolTable, reader: MappingReader) -> tuple[Spots, ...]:
    """`spots: {yard: {A: [[1, 1], [2, 1]]}, stock: [[4, 4]]}`: where the pieces of zones lie."""
    _placed(reader, "spots")
    where, found = reader.of("spots"), list[Spots]()
    for name, node in reader.pairs("spots"):
        if name.text not in symbols.zones:
            raise symbols.unknown(name, "zone", symbols.zones)
        of, at = symbols.zones[name.text].var.of, symbols.zones[name.text].var.at
        if at is not None or of not in (None, "seat"):
            hint = "only a zone of all or of seats, without an index, lies at spots"
            raise DiagnosticError(CannotBeDrawn(name.span, f"`{name.text}`", "at spots", hint))
        if of is None:
            found.append(Spots(name.text, None, None, _points(reader, node)))
            continue
        seats = symbols.types["seat"]
        pairs = mapping(node, where).pairs
        found += [Spots(name.text, *seat_of(seats, seat), _points(reader, at)) for seat, at in pairs]
    return tuple(found)


def _points(reader: MappingReader, node: Node) -> tuple[XY, ...]:
    if not isinstance(node, Sequence) or not 1 <= len(node.items) <= MOST_SPOTS:
        raise DiagnosticError(
            WrongShape(
                node.span, reader.of("spots"), f"up to {MOST_SPOTS} positions", "write `[[1, 1], [2, 1]]`"
            )
        )
    return tuple(position(item, reader.of("spots")) for item in node.items)


def _placed(reader: MappingReader, key: str) -> Node | None:
    """What needs positions in whose steps it stands. Raises `DiagnosticError` without them."""
    node = reader.get(key)
    if node is not None and not (reader.has("positions") or reader.has("rows")):
        hint = "give `positions` in the same steps"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{key}`", "at a place of its own", hint))
    return node


def _box(reader: MappingReader) -> tuple[float, float, float, float]:
    """Left, top, width and height."""
    box = reader.needed("box")
    items = box.items if isinstance(box, Sequence) else ()
    numbers = tuple(decimal(item, reader.of("box")) for item in items)
    match numbers:
        case (left, top, width, height) if width > 0 and height > 0:
            return left, top, width, height
        case _:
            raise reader.wrong("box", "left, top, width and height", "write `[0, 0, 6, 4]`")


def _pattern(reader: MappingReader, decl: TypeDecl) -> tuple[tuple[str, ...], ...]:
    """`colours: [[cream, brown], [brown, black]]`: those of rows, repeated; none for other lists."""
    node, where = reader.get("colours"), reader.of("colours")
    if not isinstance(node, Sequence) or not any(isinstance(row, Sequence) for row in node.items):
        return ()
    if len(decl.sides) != 2:
        hint = "it has no rows and columns"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{decl.name}`", "with rows of colours", hint))
    if len(node.items) > MOST_BANDS:
        raise reader.wrong("colours", f"up to {MOST_BANDS} rows of colours")
    return tuple(colours(row, where, MOST_BANDS) for row in node.items)


def _bands(reader: MappingReader, decl: TypeDecl) -> tuple[float, ...]:
    """`bands: [1, 0.3]`: wide columns and rows in turn with narrow ones, from the first."""
    node, where = reader.get("bands"), reader.of("bands")
    if node is None:
        return ()
    if decl.shape != "grid":
        hint = "only a `grid` has columns and rows of its own"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{decl.name}`", "with `bands`", hint))
    if not isinstance(node, Sequence) or not 1 <= len(node.items) <= MOST_BANDS:
        raise reader.wrong("bands", f"up to {MOST_BANDS} widths", "write `[1, 0.3]`")
    found = tuple(decimal(item, where) for item in node.items)
    if not all(0.1 <= width <= LARGEST_CELL for width in found):
        raise reader.wrong("bands", f"widths within 0.1..{LARGEST_CELL:.0f}")
    return found


def _caption(reader: MappingReader, decl: TypeDecl) -> str | None:
    """A text with columns in place of the names of places; none if they are only shown or not."""
    node = reader.get("names")
    if not isinstance(node, Scalar) or "{" not in node.text:
        return None
    return template(line(node, reader.of("names")), decl.name, ("label",), decl.columns)


def _size(reader: MappingReader) -> float | None:
    node = reader.get("size")
    if node is None:
        return None
    size = decimal(node, reader.of("size"))
    if not 0.1 <= size <= LARGEST_CELL:
        raise reader.wrong("size", f"within 0.1..{LARGEST_CELL:.0f}")
    return size


def _positions(reader: MappingReader, decl: TypeDecl) -> dict[int, XY]:
    """From `positions`, one for each place, or from `rows` with `none` for a gap."""
    if reader.has("rows"):
        found = _from_rows(reader, decl)
    elif reader.has("positions"):
        where = reader.of("positions")
        found = [(value_of(decl, place), position(at, where)) for place, at in reader.pairs("positions")]
    else:
        return {}
    _check_places(reader, decl, found)
    return dict(found)


def _from_rows(reader: MappingReader, decl: TypeDecl) -> list[tuple[int, XY]]:
    rows = reader.needed("rows")
    if not isinstance(rows, Sequence):
        raise reader.wrong("rows", "rows of places", "write `[[place, none], [place, place]]`")
    where = reader.of("rows")
    return [
        (value_of(decl, place), (float(column), float(row)))
        for row, items in enumerate(rows.items)
        for column, place in enumerate(words(items, where))
        if place.text != "none"
    ]


def _check_places(reader: MappingReader, decl: TypeDecl, found: list[tuple[int, XY]]) -> None:
    placed = [value for value, _ in found]
    key = "rows" if reader.has("rows") else "positions"
    lacking = [decl.label(value) for value in decl.members if value not in placed]
    twice = next((v for v in placed if placed.count(v) > 1), None) if len(set(placed)) < len(placed) else None
    by_position: dict[XY, int] = {}
    same = next(((v, by_position[at]) for v, at in found if by_position.setdefault(at, v) != v), None)
    if lacking:
        more = len(lacking) - MOST_SHOWN
        wrong = f"lack {quoted(lacking[:MOST_SHOWN], 'and') if more <= 0 else _some(lacking, more)}"
    elif twice is not None:
        wrong = f"have `{decl.label(twice)}` twice"
    elif same is not None:
        wrong = f"put `{decl.label(same[0])}` and `{decl.label(same[1])}` in one position"
    else:
        return
    raise DiagnosticError(PlacesMissing(reader.needed(key).span.first_line(), reader.of(key), wrong))


def _some(lacking: list[str], more: int) -> str:
    return ", ".join(f"`{name}`" for name in lacking[:MOST_SHOWN]) + f" and {more} more"


def _turned(symbols: SymbolTable, reader: MappingReader) -> dict[int, Turned]:
    return {
        value_of(symbols.types["seat"], seat): cast(
            "Turned", one_of(how, reader.of("turned"), get_args(Turned))
        )
        for seat, how in reader.pairs("turned")
    }


def _borders(symbols: SymbolTable, reader: MappingReader, decl: TypeDecl) -> dict[int, tuple[Side, ...]]:
    """`{A: [bottom, top], B: [left, right]}`: whose sides are whose, of a board with rows and columns."""
    node = reader.get("borders")
    if node is not None and len(decl.sides) != 2:
        hint = "it has no rows and columns"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{decl.name}`", "with `borders`", hint))
    where = reader.of("borders")
    return {
        value_of(symbols.types["seat"], seat): tuple(
            cast("Side", one_of(side, where, get_args(Side))) for side in words(sides, where)
        )
        for seat, sides in reader.pairs("borders")
    }


def _stands(
    symbols: SymbolTable, reader: MappingReader, decl: TypeDecl
) -> dict[int, tuple[tuple[str, int], ...]]:
    """`{column: {a: [a1, a2]}}`: on which places a value of another type is chosen."""
    where = reader.of("stands_for")
    found: dict[int, tuple[tuple[str, int], ...]] = {}
    for name, values in reader.pairs("stands_for"):
        if name.text not in symbols.types:
            raise symbols.unknown(name, "type", symbols.types)
        for value, places in mapping(values, where).pairs:
            meant = name.text, value_of(symbols.types[name.text], value)
            for place in (value_of(decl, one) for one in words(places, where)):
                found[place] = (*found.get(place, ()), meant)
    return found


def _lines(reader: MappingReader, decl: TypeDecl) -> tuple[tuple[int, int], ...] | None:
    """Pairs of places; `none` draws no line, `links` one between neighbours."""
    node = reader.get("lines")
    if node is None:
        return None
    if isinstance(node, Scalar):
        if one_of(node, reader.of("lines"), ("none", "links")) == "none":
            return ()
        return tuple((decl.lo + i, v) for i, near in enumerate(decl.links) for v in near if decl.lo + i < v)
    hint = "write `[[place, place], [place, place]]`, `links` or `none`"
    if not isinstance(node, Sequence):
        raise reader.wrong("lines", "pairs of places", hint)
    found = []
    for item in node.items:
        ends = words(item, reader.of("lines"))
        if len(ends) != 2:
            raise DiagnosticError(WrongShape(item.span, reader.of("lines"), "pairs of places", hint))
        found.append((value_of(decl, ends[0]), value_of(decl, ends[1])))
    return tuple(found)


def _outline(reader: MappingReader, node: Node) -> tuple[XY, ...]:
    """The corners of a cell, from the position of its place."""
    where = reader.of("shapes")
    if not isinstance(node, Sequence) or not 3 <= len(node.items) <= 40:
        raise DiagnosticError(WrongShape(node.span, where, "a list of 3 to 40 corners"))
    return tuple(position(item, where) for item in node.items)

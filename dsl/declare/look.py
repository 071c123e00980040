"""How a game looks: `look.yaml`, read after all declarations, whose names it uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar, cast, get_args

from dsl.declare.enumerations import value_of
from dsl.declare.look_boards import read_board
from dsl.declare.look_faces import read_icons
from dsl.declare.look_pieces import read_pieces
from dsl.declare.look_values import Fetch, Pictures, colour, position, seat_of
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import mapping, number, one_of, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping as YamlMapping, Node, Scalar, Sequence
from dsl.messages.looks import CannotBeDrawn
from dsl.messages.shapes import WrongShape
from dsl.rules import StateDecl, StateVar
from dsl.rules.look import XY, Drawn, DrawnArea, DrawnZone, Look, ShownValue, StateLook
from dsl.wording import quoted

T = TypeVar("T")
S = TypeVar("S")

SECTIONS = (
    *("boards", "together", "zones", "counters", "marks", "pointers"),
    *("pieces", "icons", "seats", "areas", "shown", "values"),
)
STATE_KEYS = ("as", "area", "board", "offset", "order", "icon", "colour")
BY_VALUE = {"counters": ("colours",), "pointers": ("icons",)}
"""What else depends on the value."""
WAYS: dict[str, tuple[Drawn, ...]] = {
    "zones": get_args(DrawnZone),
    "counters": ("number", "track", "lane", "heap", "hidden"),
    "marks": ("mark", "fill", "stone", "hidden"),
    "pointers": ("pointer", "mark", "hidden"),
}
AREAS: tuple[DrawnArea, ...] = get_args(DrawnArea)[:3]
STATE_AREAS: tuple[DrawnArea, ...] = get_args(DrawnArea)[:4]
MOST_ORDER = 999
EXAMPLES = ("blue", "orange")
"""Colours of seats in advice."""
Read = Callable[[Scalar, Node], T]


def read_look(symbols: SymbolTable, node: Node, fetch: Fetch) -> Look:
    """The look of a game. What is wrong goes to the report of the symbol table."""
    reader = entry(symbols, node, "the look", SECTIONS)
    pictures = Pictures(fetch)
    boards = _entries(symbols, reader, "boards", partial(read_board, symbols, pictures))
    icons = symbols.attempt(read_icons, symbols, reader, pictures) or {}
    on = frozenset(boards) | {name for name, decl in symbols.types.items() if decl.shape != "none"}
    states: dict[str, StateLook] = {}
    for section in WAYS:
        states |= _entries(symbols, reader, section, partial(_state, symbols, pictures, section, on))
    seats = symbols.attempt(_seats, symbols, reader) or {}
    return Look(
        boards=boards,
        together=symbols.attempt(_together, symbols, reader) or (),
        states=states,
        pieces=_entries(symbols, reader, "pieces", partial(read_pieces, symbols, pictures, tuple(icons))),
        seats={seat: shade for (seat, number), shade in seats.items() if number is None},
        seats_of={(seat, number): shade for (seat, number), shade in seats.items() if number is not None},
        areas=symbols.attempt(_areas, reader) or (),
        shown=symbols.attempt(_shown, reader) or (),
        icons=icons,
        values=_value_icons(symbols, reader, pictures),
    )


def _entries(symbols: SymbolTable, reader: MappingReader, section: str, read: Read[T]) -> dict[str, T]:
    """The entries of a section that have no errors."""
    node = reader.get(section)
    entries = symbols.attempt(mapping, node, reader.of(section)) if node is not None else None
    looks = {}
    for name, value in entries.pairs if entries is not None else ():
        look = symbols.attempt(read, name, value)
        if look is not None:
            looks[name.text] = look
    return looks


# ---- zones and variables


def _declared(symbols: SymbolTable, section: str) -> dict[str, StateVar]:
    kinds: dict[str, Mapping[str, StateDecl]] = {
        "zones": symbols.zones,
        "counters": symbols.counters,
        "marks": symbols.marks,
        "pointers": symbols.pointers,
    }
    return {name: decl.var for name, decl in kinds[section].items() if not decl.var.is_scratch}


def _state(
    symbols: SymbolTable, pictures: Pictures, section: str, boards: frozenset[str], name: Scalar, node: Node
) -> StateLook:
    """`hand: {as: hand, area: seat, order: 1}`, or only how: `box: hidden`."""
    declared = _declared(symbols, section)
    if name.text not in declared:
        raise symbols.unknown(name, section[:-1], declared)
    state = declared[name.text]
    ways = WAYS[section]
    if isinstance(node, Scalar):
        return StateLook(kind=cast("Drawn", one_of(node, f"the look of `{name.text}`", ways)))
    keys = (*STATE_KEYS, *BY_VALUE.get(section, ()))
    reader = entry(symbols, node, f"the look of `{name.text}`", keys)
    kind = cast("Drawn | None", reader.one_of("as", ways))
    board = _board(symbols, reader, section, state, boards)
    if kind == "board" and board is None and not {state.of, state.at} & boards:
        hint = "it has no place for each value of a board"
        raise DiagnosticError(CannotBeDrawn(reader.needed("as").span, f"`{name.text}`", "on a board", hint))
    icon, shade = reader.get("icon"), reader.get("colour")
    return StateLook(
        kind=kind,
        area=_area(symbols, reader, state, boards),
        board=board,
        offsets=_offsets(symbols, reader),
        order=_order(reader),
        icon=pictures.icon(icon, reader.of("icon")) if icon is not None else "",
        colour=colour(shade, reader.of("colour")) if shade is not None else "",
        colours=_colours(reader),
        icons=_icons(symbols, pictures, reader, name.text),
    )


def _colours(reader: MappingReader) -> tuple[tuple[int, str], ...]:
    """`{1: cream, 8: orange}`: colours from a number on, rising."""
    node, where = reader.get("colours"), reader.of("colours")
    if node is None:
        return ()
    return tuple(
        sorted((number(key, where), colour(shade, where)) for key, shade in mapping(node, where).pairs)
    )


def _icons(symbols: SymbolTable, pictures: Pictures, reader: MappingReader, pointer: str) -> dict[int, str]:
    """`{A: sign times, B: sign ring}`: icons by the value that is pointed to."""
    node, where = reader.get("icons"), reader.of("icons")
    if node is None:
        return {}
    decl = symbols.types[symbols.pointers[pointer].to]
    return {value_of(decl, key): pictures.icon(icon, where) for key, icon in mapping(node, where).pairs}


def _board(
    symbols: SymbolTable, reader: MappingReader, section: str, state: StateVar, boards: frozenset[str]
) -> str | None:
    """The board of `board`: that of an index; for a pointer also that to which it points."""
    if not reader.has("board"):
        return None
    node = reader.word("board")
    if node.text not in boards:
        raise symbols.unknown(node, "board", boards)
    fitting = {state.of, state.at}
    if section == "pointers":
        fitting.add(symbols.pointers[state.name].to)
    if section == "counters" and _is_range_of(symbols, state.name, node.text):
        fitting.add(node.text)
    if node.text not in fitting:
        known = [name for name in fitting if name in boards and name is not None]
        hint = f"it fits {quoted(known, 'or')}" if known else "it has no index that is a board"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{state.name}`", f"on `{node.text}`", hint))
    return node.text


def _area(
    symbols: SymbolTable, reader: MappingReader, state: StateVar, boards: frozenset[str]
) -> DrawnArea | None:
    """The area of `area`, in which what is drawn can stand."""
    area = cast("DrawnArea | None", reader.one_of("area", STATE_AREAS))
    index = state.at or (state.of if state.of != "seat" else None)
    hint = ""
    if area is not None and state.of in symbols.components:
        hint = "it lies on pieces: leave `area` out"
    elif area == "seat" and state.of != "seat":
        hint = "it belongs to no seat: write `of: seat` where it is declared, or leave `area` out"
    elif area in ("seat", "shared") and index in boards and symbols.types[index].shape != "line":
        hint = f"it lies on the places of `{index}`: leave `area` out"
    elif area == "shared" and state.of == "seat" and index is not None:
        hint = f"each seat has one for each `{index}`: leave `area` out"
    if hint:
        span = reader.needed("area").span
        raise DiagnosticError(CannotBeDrawn(span, f"`{state.name}`", f"in the area `{area}`", hint))
    return area


def _is_range_of(symbols: SymbolTable, counter: str, board: str) -> bool:
    """Whether each value of a counter is a place of a board: `vp: 0..99` on `step: 0..99`."""
    decl, found = symbols.types[board], symbols.counters[counter]
    return decl.numeric and decl.lo <= found.lo and found.hi <= decl.hi


def _offsets(symbols: SymbolTable, reader: MappingReader) -> tuple[XY, ...]:
    """`[0, 1]` for all, or one for each seat: `{A: [0, 1], B: [0, -1]}`."""
    node = reader.get("offset")
    if node is None:
        return ()
    where = reader.of("offset")
    if isinstance(node, Sequence):
        return (position(node, where),)
    seats = symbols.types["seat"]
    found = {value_of(seats, seat): position(at, where) for seat, at in mapping(node, where).pairs}
    return tuple(found.get(seat, (0.0, 0.0)) for seat in seats.members)


def _order(reader: MappingReader) -> int | None:
    node = reader.get("order")
    if node is None:
        return None
    value = number(node, reader.of("order"))
    if not 0 <= value <= MOST_ORDER:
        raise reader.wrong("order", f"within 0..{MOST_ORDER}")
    return value


# ---- the whole


def _together(symbols: SymbolTable, reader: MappingReader) -> tuple[tuple[str, ...], ...]:
    """`[[map, track], [lot]]`: boards that share a picture."""
    node = reader.get("together")
    if node is None:
        return ()
    if not isinstance(node, Sequence):
        raise reader.wrong("together", "a list of lists of boards", "write `[[map, track]]`")
    groups = tuple(words(group, "`together`") for group in node.items)
    seen: set[str] = set()
    for name in (name for group in groups for name in group):
        if name.text not in symbols.types or name.text == "seat":
            raise symbols.unknown(name, "board", symbols.types)
        if name.text in seen:
            raise DiagnosticError(WrongShape(name.span, "`together`", "a list of each board at most once"))
        seen.add(name.text)
    return tuple(tuple(name.text for name in group) for group in groups)


def _seats(symbols: SymbolTable, reader: MappingReader) -> dict[tuple[int, int | None], str]:
    """`{A: blue, B: orange, B of 2: green}`: the colours of seats, with any number of them or with one."""
    decl = symbols.types["seat"]
    node, where = reader.get("seats"), reader.of("seats")
    if node is None:
        return {}
    if not isinstance(node, YamlMapping):
        names = ", ".join(
            f"{decl.label(seat)}: {at}" for seat, at in zip(decl.members, EXAMPLES, strict=False)
        )
        raise reader.wrong("seats", "a colour for each seat", f"write `{{{names}}}`")
    return {seat_of(decl, seat): colour(at, f"`{seat.text}` in {where}") for seat, at in node.pairs}


def _value_icons(symbols: SymbolTable, reader: MappingReader, pictures: Pictures) -> dict[str, str]:
    """`values: {good: {wood: sign log}}`: icons that stand before the names of values."""
    icons: dict[str, str] = {}

    def read(name: Scalar, node: Node) -> bool:
        if name.text not in symbols.types or name.text == "seat":
            raise symbols.unknown(name, "type", (t for t in symbols.types if t != "seat"))
        decl, where = symbols.types[name.text], f"`{name.text}` in {reader.of('values')}"
        for value, icon in mapping(node, where).pairs:
            icons[decl.label(value_of(decl, value))] = pictures.icon(icon, where)
        return True

    _entries(symbols, reader, "values", read)
    return icons


def _shown(reader: MappingReader) -> tuple[ShownValue, ...]:
    """`[pot, strength]`: values of the rules, whose names are looked up when all is typed."""
    found = (
        [ShownValue(name.text, name.span) for name in reader.words("shown")] if reader.has("shown") else []
    )
    for i, value in enumerate(found):
        if any(value.name == other.name for other in found[:i]):
            raise DiagnosticError(WrongShape(value.span, "`shown`", "a list of each value at most once"))
    return tuple(found)


def _areas(reader: MappingReader) -> tuple[DrawnArea, ...]:
    if not reader.has("areas"):
        return ()
    found = tuple(one_of(item, "`areas`", AREAS) for item in reader.words("areas"))
    if sorted(found) != sorted(AREAS):
        raise reader.wrong("areas", "a list of `board`, `shared` and `seat` in some order")
    return cast("tuple[DrawnArea, ...]", found)

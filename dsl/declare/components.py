"""Components, the classes of pieces; `components` of `game.yaml`."""

from __future__ import annotations

from dataclasses import replace

from dsl.declare.enumerations import named_values, value_of, words_type
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import interval, is_range, mapping, number
from dsl.declare.rows import SHEET_KEYS, read_rows
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar
from dsl.domains import LARGEST, EnumType, IntType, Type, row_type
from dsl.messages.shapes import WrongShape
from dsl.numbers import whole
from dsl.rules import Column, Component, TypeDecl

FACES = 64
OF = ("seat",)
KEYS = {
    "die": ("of", "count"),
    "table": ("columns", *SHEET_KEYS, "copies", "keep"),
    "rows": ("columns", "copies", "keep"),
    "kinds": ("copies", "count", "keep"),
    "": ("of", "count"),
}
"""The other keys of a component by the key that decides its kind; "" is a component of equal pieces."""


def declare_component(symbols: SymbolTable, name: Scalar, node: Node) -> None:
    """Dice, a table of cards, pieces by kind, or a number of equal pieces."""
    where = f"component `{name.text}`"
    symbols.declare(name.text, "a component", name.span)
    kind = MappingReader(symbols, mapping(node, where), where).only_one(k for k in KEYS if k) or ""
    first = (kind,) if kind else tuple(k for k in KEYS if k)
    reader = entry(symbols, node, where, (*first, *KEYS[kind], "clause"))
    component = replace(_kept(reader, _MAKERS[kind](reader, name)), clauses=reader.marks())
    if sum(component.copies) > LARGEST:
        raise DiagnosticError(WrongShape(name.span, f"the pieces of {where}", f"at most {LARGEST}"))
    symbols.components[name.text] = component
    if component.die is None:
        _declare_rows(symbols, component)


def _declare_rows(symbols: SymbolTable, component: Component) -> None:
    """Declare the type whose values are the rows of a component; no rule can name it."""
    decl = words_type(row_type(component.name), component.classes, component.span)
    symbols.types[decl.name] = replace(decl, columns=component.columns)


def _per_seat(reader: MappingReader) -> bool:
    return reader.one_of("of", OF) is not None


def _count(reader: MappingReader) -> int:
    return reader.count("count", 1, LARGEST)


def _die(reader: MappingReader, name: Scalar) -> Component:
    scalar = reader.word("die")
    faces: Type
    if is_range(scalar.text):
        low, high = interval(scalar, reader.of("die"))
        faces, names = IntType(low, high), tuple(str(v) for v in range(low, min(high, low + FACES) + 1))
    else:
        decl = reader.symbols.type_named(scalar)
        faces, names = IntType(decl.lo, decl.hi) if decl.numeric else EnumType(decl.name), decl.names
        if decl.base is not None:
            raise reader.wrong("die", f"a whole type, not a part of `{decl.base}`")
    if len(names) > FACES:
        raise reader.wrong("die", f"at most {FACES} faces")
    return Component(name.text, names, (_count(reader),), {}, faces, _per_seat(reader), name.span)


def _cards(reader: MappingReader, name: Scalar) -> Component:
    rows, columns = read_rows(reader, name, row_type(name.text))
    names = named_values(name, rows, reader.symbols.reserved).names
    copies = _copies_in(reader, columns) if reader.has("copies") else (1,) * len(names)
    return Component(name.text, names, copies, columns, None, False, name.span)


def _copies_in(reader: MappingReader, columns: dict[str, Column]) -> tuple[int, ...]:
    """How many pieces each row has, in the column that `copies` names."""
    column = columns.get(reader.word("copies").text)
    if column is None or not isinstance(column.type, IntType) or column.type.lo < 0 or column.keyed_by:
        wanted = "the name of a column of numbers from 0 up"
        raise reader.wrong("copies", wanted)
    return column.values


def _copies_by(reader: MappingReader, decl: TypeDecl) -> tuple[int, ...]:
    """How many pieces each kind has, in a column of the type; of a product also in a column of one part."""
    name, types = reader.word("copies").text, reader.symbols.types
    parts = [(part, types[kind]) for part, kind in decl.parts if name in types[kind].columns]
    if name in decl.columns or len(parts) != 1:
        return _copies_in(reader, decl.columns)
    ((part, owner),) = parts
    copies = _copies_in(reader, owner.columns)
    return tuple(copies[value - owner.lo] for value in decl.columns[part].values)


def _kinds(reader: MappingReader, name: Scalar) -> Component:
    decl = reader.symbols.type_named(reader.word("kinds"))
    if decl.base is not None:
        wanted = f"a whole type, not a part of `{decl.base}`"
        raise reader.wrong("kinds", wanted)
    copies = _copies_of(reader, decl)
    if decl.name in reader.symbols.text_columns:
        reader.symbols.text_columns[name.text] = dict(reader.symbols.text_columns[decl.name])
    columns = dict(decl.columns)
    columns[decl.name] = Column(decl.name, EnumType(decl.name), tuple(range(decl.lo, decl.hi + 1)))
    return Component(name.text, decl.names, copies, columns, None, False, name.span)


def _copies_of(reader: MappingReader, decl: TypeDecl) -> tuple[int, ...]:
    """How many pieces each kind has: `count` for all, `copies` by name, or a column of the type."""
    given = reader.get("copies")
    if given is None:
        return (_count(reader),) * decl.size
    if isinstance(given, Scalar) and whole(given.text) is not None:
        return (_copies(given),) * decl.size
    if isinstance(given, Scalar) and decl.columns:
        return _copies_by(reader, decl)
    copies = [0] * decl.size
    for key, value in mapping(given, reader.of("copies")).pairs:
        copies[value_of(decl, key) - decl.lo] = _copies(value)
    return tuple(copies)


def _copies(node: Node) -> int:
    value = number(node, "a number of copies")
    if not 0 <= value <= LARGEST:
        raise DiagnosticError(WrongShape(node.span, "a number of copies", f"within 0..{LARGEST}"))
    return value


def _kept(reader: MappingReader, component: Component) -> Component:
    """A component of which only some classes have pieces: `keep: [a, b]`, or with numbers, `{a: 1, b: 2}`."""
    node = reader.get("keep")
    if node is None:
        return component
    copies = [0] * len(component.classes)
    if isinstance(node, Mapping):
        for key, value in node.pairs:
            copies[_class(reader, component, key)] = _copies(value)
    else:
        for key in reader.words("keep"):
            at = _class(reader, component, key)
            copies[at] = component.copies[at]
    return replace(component, copies=tuple(copies))


def _class(reader: MappingReader, component: Component, name: Scalar) -> int:
    if name.text not in component.classes:
        raise reader.symbols.unknown(name, f"`{component.name}`", component.classes)
    return component.classes.index(name.text)


def _equal(reader: MappingReader, name: Scalar) -> Component:
    if not _per_seat(reader):
        return Component(name.text, (name.text,), (_count(reader),), {}, None, False, name.span)
    seats = reader.symbols.types["seat"].names
    return Component(name.text, seats, (_count(reader),) * len(seats), {}, None, True, name.span)


_MAKERS = {"die": _die, "table": _cards, "rows": _cards, "kinds": _kinds, "": _equal}

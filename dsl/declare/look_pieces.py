"""How pieces look: the entries of `pieces` in `look.yaml`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar, cast, get_args

from dsl.declare.enumerations import value_of
from dsl.declare.look_faces import CARD, FaceReader, read_measure
from dsl.declare.look_values import Pictures, colour, template
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import line
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Node, Scalar, Sequence
from dsl.domains import EnumType, IntType
from dsl.messages.looks import CannotBeDrawn
from dsl.messages.names import UnknownName
from dsl.rules import Column, Component, TypeDecl, key_of_text
from dsl.rules.look import FaceBox, PieceLook, Shaped

T = TypeVar("T")

KEYS = ("shape", "face", "back", "size", "outline", "pack", "by", "colours", "ink", "icons", "ahead")
PARTS = ("top", "corner", "middle", "body", "bottom")
ALWAYS = ("label", "sign")
Read = Callable[[Node, str], T]


def read_pieces(
    symbols: SymbolTable, pictures: Pictures, signs: Iterable[str], name: Scalar, node: Node
) -> PieceLook:
    """How pieces of a component look. Raises `DiagnosticError`."""
    if name.text not in symbols.components:
        raise symbols.unknown(name, "component", symbols.components)
    component = symbols.components[name.text]
    reader = entry(symbols, node, f"pieces `{name.text}`", KEYS)
    by = _column(symbols, reader, component)
    measure, outline = symbols.attempt(read_measure, reader) or (None, "rectangle")

    def given(inner: MappingReader, column: Column | None, key: str, read: Read[str]) -> dict[str, str]:
        return _by_class(symbols, inner, component, column, key, read)

    faces = FaceReader(symbols, component, pictures, signs, measure or CARD, given)
    return PieceLook(
        shape=cast("Shaped | None", reader.one_of("shape", get_args(Shaped))),
        face=_face(symbols, reader, component),
        colours=_by_class(symbols, reader, component, by, "colours", colour),
        icons=_icons(symbols, reader, component, by, pictures),
        pack=_pack(symbols, reader, component),
        ink=_by_class(symbols, reader, component, by, "ink", colour),
        boxes=faces.boxes(reader, "face", by),
        back=_back(faces, reader, by),
        measure=measure,
        outline=outline,
        ahead=_ahead(symbols, reader, component),
    )


def _back(faces: FaceReader, reader: MappingReader, by: Column | None) -> tuple[FaceBox, ...]:
    """The boxes of the other side: always a list."""
    if reader.has("back") and not isinstance(reader.get("back"), Sequence):
        raise reader.wrong("back", "a list of boxes", "write `back: [{fill: blue}]`")
    return faces.boxes(reader, "back", by)


def _column(symbols: SymbolTable, reader: MappingReader, component: Component) -> Column | None:
    """The column by whose values colours and icons can be given."""
    if not reader.has("by"):
        return None
    node = reader.word("by")
    column = component.columns.get(node.text)
    if column is None:
        raise symbols.unknown(node, "column", component.columns, where=f" of `{component.name}`")
    if not isinstance(column.type, EnumType) or column.keyed_by is not None:
        hint = "name a column whose cells are values of a type"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{component.name}`", f"by `{node.text}`", hint))
    return column


def _ahead(symbols: SymbolTable, reader: MappingReader, component: Component) -> dict[str, int]:
    """The seat ahead of which each kind points: the cells of a column."""
    if not reader.has("ahead"):
        return {}
    node = reader.word("ahead")
    column = component.columns.get(node.text)
    if column is None:
        raise symbols.unknown(node, "column", component.columns, where=f" of `{component.name}`")
    if column.type != EnumType("seat") or column.keyed_by is not None:
        hint = "name a column whose cells are seats"
        raise DiagnosticError(CannotBeDrawn(node.span, f"`{component.name}`", "with a side ahead", hint))
    cells = zip(component.classes, column.values, strict=True)
    return {name: cell for name, cell in cells if isinstance(cell, int)}


def _pack(symbols: SymbolTable, reader: MappingReader, component: Component) -> tuple[str, str] | None:
    """The columns with the rank and the suit of playing cards."""
    if not reader.has("pack"):
        return None
    names = reader.words("pack")
    if len(names) != 2:
        hint = "name two columns: that of the rank, and that of the suit"
        raise DiagnosticError(
            CannotBeDrawn(reader.needed("pack").span, f"`{component.name}`", "as a pack", hint)
        )
    for node in names:
        column = component.columns.get(node.text)
        if column is None:
            raise symbols.unknown(node, "column", component.columns, where=f" of `{component.name}`")
        if not isinstance(column.type, EnumType | IntType) or column.keyed_by is not None:
            hint = "name columns with numbers or with values of a type"
            raise DiagnosticError(CannotBeDrawn(node.span, f"`{component.name}`", f"by `{node.text}`", hint))
    return names[0].text, names[1].text


def _by_class(
    symbols: SymbolTable,
    reader: MappingReader,
    component: Component,
    by: Column | None,
    key: str,
    read: Read[T],
) -> dict[str, T]:
    """What is given for classes, or for all classes with a value in the column `by`."""
    if key in ("colours", "ink") and isinstance(reader.get(key), Scalar):
        return dict.fromkeys(component.classes, read(reader.needed(key), reader.of(key)))
    decl = symbols.types[by.type.type] if by is not None and isinstance(by.type, EnumType) else None
    kinds, single = {}, {}
    for name, node in reader.pairs(key):
        found = read(node, reader.of(key))
        if name.text in component.classes:
            single[name.text] = found
        else:
            kinds[_kind(component, decl, name)] = found
    cells = zip(component.classes, by.values if by is not None else (), strict=False)
    return {c: kinds[cell] for c, cell in cells if cell in kinds} | single


def _icons(
    symbols: SymbolTable, reader: MappingReader, component: Component, by: Column | None, pictures: Pictures
) -> dict[str, str]:
    """A sign or picture for each class: as they are written, or in the column of text that is named."""
    node = reader.get("icons")
    if not isinstance(node, Scalar):
        return _by_class(symbols, reader, component, by, "icons", pictures.icon)
    columns = symbols.text_columns.get(component.name, {})
    if node.text not in columns:
        raise symbols.unknown(node, "column of text", columns, where=f" of `{component.name}`")
    keys = {key_of_text(columns[node.text], name, node.text): name for name in component.classes}
    cells = {text.name: text.text for text in symbols.row_texts if text.language is None}
    return {name: pictures.icon(cells[key], reader.of("icons")) for key, name in keys.items() if key in cells}


def _kind(component: Component, decl: TypeDecl | None, name: Scalar) -> int:
    if decl is not None and name.text in decl.names:
        return value_of(decl, name)
    known = (*component.classes, *(decl.names if decl is not None else ()))
    where = f" of `{component.name}`"
    raise DiagnosticError(UnknownName(name.span, name.text, "piece", did_you_mean(name.text, known), where))


def _face(symbols: SymbolTable, reader: MappingReader, component: Component) -> dict[str, str]:
    """The texts of a face; each names columns in braces."""
    node = reader.get("face")
    if node is None or isinstance(node, Sequence):
        return {}
    face = entry(symbols, node, f"`face` of {reader.where}", PARTS)
    found, known = {}, (*component.columns, *symbols.text_columns.get(component.name, ()))
    for part, text in face.mapping.pairs:
        found[part.text] = template(line(text, face.of(part.text)), component.name, ALWAYS, known)
    return found

"""Faces as data: the boxes of a face or back in `look.yaml`, in mm."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar, cast, get_args

from dsl.declare.look_values import PICTURE, Pictures, colour, decimal, template
from dsl.declare.mapping_reader import MappingReader, entry
from dsl.declare.nodes import bounded, word
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Node, Scalar, Sequence
from dsl.messages.looks import BoxOutside, CannotBeDrawn, UnknownIcon, UnknownSize
from dsl.messages.shapes import WrongShape
from dsl.rules import Column, Component, key_of_text
from dsl.rules.look import Aligned, FaceBox, Fit, Level, Outline
from dsl.wording import quoted

T = TypeVar("T")
ByClass = Callable[[MappingReader, Column | None, str, Callable[[Node, str], str]], dict[str, str]]
"""What a key of a box says for each class."""

SIZES: Mapping[str, tuple[float, float, Outline]] = {
    "poker": (63.5, 88.9, "rectangle"),
    "bridge": (57.2, 88.9, "rectangle"),
    "tarot": (70.0, 120.7, "rectangle"),
    "euro": (59.0, 92.0, "rectangle"),
    "mini": (41.0, 63.0, "rectangle"),
    "mini-euro": (44.0, 68.0, "rectangle"),
    "jumbo": (88.9, 139.7, "rectangle"),
    "square": (70.0, 70.0, "rectangle"),
    "hex": (60.0, 69.3, "hex"),
    "round": (60.0, 60.0, "round"),
}
"""Cards by name: width and height in mm, and what is cut out."""
CARD = (63.0, 88.0)
SMALLEST, LARGEST = 10.0, 400.0
"""The bounds of the side of a card, in mm."""
BLEED = 10.0
"""So far beyond the cut a box may lie, in mm."""
KEYS = (
    *("box", "text", "picture", "fill", "edge", "ink", "size", "least", "align", "level"),
    *("radius", "opacity", "fit", "by", "when"),
)
PLAIN = FaceBox()
"""A box of which nothing is said."""
MOST_BOXES = 60
MOST_TEXT = 2_000
LETTERS = (2.0, 200.0)
"""The bounds of the size of letters, in points."""
HOLE = re.compile(r"\{(\w+)\}")
COLUMN = re.compile(r"\s*\{(\w+)\}\s*")


@dataclass(frozen=True)
class FaceReader:
    """Reads the boxes of the faces of one component. `given` reads what a key says by class."""

    symbols: SymbolTable
    component: Component
    pictures: Pictures
    icons: Iterable[str]
    measure: tuple[float, float]
    given: ByClass

    @property
    def texts(self) -> Mapping[str, str]:
        """The columns of text of the component."""
        return self.symbols.text_columns.get(self.component.name, {})

    def boxes(self, reader: MappingReader, key: str, by: Column | None) -> tuple[FaceBox, ...]:
        """The boxes of `face` or `back`, from the lowest to the one on top. Raises `DiagnosticError`."""
        node = reader.get(key)
        if not isinstance(node, Sequence):
            return ()
        if len(node.items) > MOST_BOXES:
            raise reader.wrong(key, f"a list of at most {MOST_BOXES} boxes")
        where = f"{reader.of(key)}"
        read = (self.symbols.attempt(self._box, item, f"box {i + 1} in {where}", by)
                for i, item in enumerate(node.items))  # fmt: skip
        return tuple(box for box in read if box is not None)

    def _box(self, node: Node, where: str, by: Column | None) -> FaceBox:
        reader = entry(self.symbols, node, where, KEYS)
        own = self._column(reader, "by") if reader.has("by") else by
        shown = self._names_column(reader, "when") if reader.has("when") else ""
        letters = {key: self._number(reader, key, *LETTERS) for key in ("size", "least")}
        size = letters["size"] or PLAIN.size
        least = min(letters["least"] or PLAIN.least, size)
        place = self._place(reader)
        default: Fit = "cover" if place is None else "contain"
        radius, opacity = self._number(reader, "radius", 0, 100), self._number(reader, "opacity", 0, 1)
        return FaceBox(
            place=place,
            text=self._text(reader),
            fills=self._by_class(reader, own, "fill", colour),
            edges=self._by_class(reader, own, "edge", colour),
            inks=self._by_class(reader, own, "ink", colour),
            pictures=self._pictures(reader, own),
            size=size,
            least=least,
            align=cast("Aligned", reader.one_of("align", get_args(Aligned)) or PLAIN.align),
            level=cast("Level", reader.one_of("level", get_args(Level)) or PLAIN.level),
            radius=radius or 0.0,
            opacity=1.0 if opacity is None else opacity,
            fit=cast("Fit", reader.one_of("fit", get_args(Fit)) or default),
            column=shown,
        )

    def _place(self, reader: MappingReader) -> tuple[float, float, float, float] | None:
        """`[3, 3, 57, 10]`: left, top, width, height; `all`, or nothing, for the whole."""
        node, where = reader.get("box"), reader.of("box")
        if node is None or (isinstance(node, Scalar) and node.text == "all"):
            return None
        if not isinstance(node, Sequence) or len(node.items) != 4:
            hint = "write `[left, top, width, height]`, in mm from the upper left corner"
            raise DiagnosticError(WrongShape(node.span, where, "`all` or four numbers", hint))
        left, top, width, height = (decimal(item, where) for item in node.items)
        if width <= 0 or height <= 0:
            raise DiagnosticError(WrongShape(node.span, where, "a box with a width and a height above 0"))
        for start, length, whole in (left, width, self.measure[0]), (top, height, self.measure[1]):
            if start < -BLEED or start + length > whole + BLEED + 1e-6:
                size = "{:g} by {:g}".format(*self.measure)
                raise DiagnosticError(BoxOutside(node.span, where, size, f"{BLEED:g}"))
        return left, top, width, height

    def _number(self, reader: MappingReader, key: str, least: float, most: float) -> float | None:
        node = reader.get(key)
        if node is None:
            return None
        value = decimal(node, reader.of(key))
        if not least <= value <= most:
            raise reader.wrong(key, f"within {least:g}..{most:g}")
        return value

    # ---- texts

    def _text(self, reader: MappingReader) -> str:
        node = reader.get("text")
        if node is None:
            return ""
        text = word(node, reader.of("text"), "a text")
        bounded(text.text, text.span, reader.of("text"), MOST_TEXT)
        known = (*self.component.columns, *self.texts)
        template(text, self.component.name, ("label", "sign"), known, self.icons)
        for name in dict.fromkeys(HOLE.findall(text.text)):
            if name in self.texts:
                self._check_cells(name)
        return text.text

    def _check_cells(self, column: str) -> None:
        """The names in braces in the cells of a column of text are icons."""
        keys = {key_of_text(self.texts[column], name, column) for name in self.component.classes}
        for text in self.symbols.row_texts:
            if text.name not in keys:
                continue
            for name in dict.fromkeys(HOLE.findall(text.text.text)):
                if name not in self.icons:
                    known = [*self.icons]
                    hint = did_you_mean(name, known) or (
                        f"the look has {quoted(known, 'and')}"
                        if known
                        else "list it in the look: `icons: {wood: wood.svg}`"
                    )
                    self.symbols.fail(UnknownIcon(text.text.span, name, column, hint))

    # ---- by class

    def _by_class(
        self, reader: MappingReader, by: Column | None, key: str, read: Callable[[Node, str], str]
    ) -> dict[str, str]:
        node = reader.get(key)
        if node is None:
            return {}
        if isinstance(node, Scalar):
            return dict.fromkeys(self.component.classes, read(node, reader.of(key)))
        return self.given(reader, by, key, read)

    def _pictures(self, reader: MappingReader, by: Column | None) -> dict[str, str]:
        """One picture, one by class or value, or those that a column of text names: `"{art}"`."""
        node = reader.get("picture")
        named = COLUMN.fullmatch(node.text) if isinstance(node, Scalar) else None
        if not isinstance(node, Scalar) or named is None:
            return self._by_class(reader, by, "picture", self._picture)
        if named[1] not in self.texts:
            where = f" of `{self.component.name}`"
            raise self.symbols.unknown(
                replace(node, text=named[1]), "column of text", self.texts, where=where
            )
        keys = {key_of_text(self.texts[named[1]], name, named[1]): name for name in self.component.classes}
        cells = {text.name: text.text for text in self.symbols.row_texts if text.language is None}
        where = f"`{named[1]}` of `{self.component.name}`"
        read = {name: self.symbols.attempt(self._picture, cells[key], where)
                for key, name in keys.items() if key in cells}  # fmt: skip
        return {name: url for name, url in read.items() if url is not None}

    def _picture(self, node: Node, where: str) -> str:
        found = word(node, where, "the name of a picture")
        if not found.text.lower().endswith(PICTURE):
            hint = "name a file like `forest.svg`, `forest.png` or `forest.jpg`"
            raise DiagnosticError(WrongShape(found.span, where, "an SVG, PNG or JPEG file", hint))
        return self.pictures.art(found)

    # ---- columns

    def _column(self, reader: MappingReader, key: str) -> Column:
        node = reader.word(key)
        column = self.component.columns.get(node.text)
        if column is None:
            where = f" of `{self.component.name}`"
            raise self.symbols.unknown(node, "column", self.component.columns, where=where)
        return column

    def _names_column(self, reader: MappingReader, key: str) -> str:
        node = reader.word(key)
        known = (*self.component.columns, *self.texts)
        if node.text not in known:
            where = f" of `{self.component.name}`"
            raise self.symbols.unknown(node, "column", known, where=where)
        return node.text


def read_measure(reader: MappingReader) -> tuple[tuple[float, float] | None, Outline]:
    """`poker`, or `[44, 68]`: the size of a card in mm, and what is cut out. Raises `DiagnosticError`."""
    node, where = reader.get("size"), reader.of("size")
    said = cast("Outline | None", reader.one_of("outline", get_args(Outline)))
    if node is None:
        return None, said or "rectangle"
    if isinstance(node, Scalar):
        if node.text not in SIZES:
            hint = (
                did_you_mean(node.text, SIZES)
                or f"choose from {quoted(tuple(SIZES), 'and')}, or write `[63, 88]`"
            )
            raise DiagnosticError(UnknownSize(node.span, node.text, hint))
        width, height, outline = SIZES[node.text]
        return (width, height), said or outline
    if not isinstance(node, Sequence) or len(node.items) != 2:
        raise reader.wrong(
            "size", "a name such as `poker`, or a width and a height in mm", "write `[63, 88]`"
        )
    width, height = (decimal(item, where) for item in node.items)
    if not all(SMALLEST <= side <= LARGEST for side in (width, height)):
        raise reader.wrong("size", f"a width and a height within {SMALLEST:g}..{LARGEST:g} mm")
    return (width, height), said or "rectangle"


def read_icons(symbols: SymbolTable, reader: MappingReader, pictures: Pictures) -> dict[str, str]:
    """`{wood: wood.svg, coin: "●"}`: what stands for names in braces in the texts of faces."""
    found = {}
    for name, node in reader.pairs("icons"):
        icon = symbols.attempt(pictures.icon, node, f"`{name.text}` in {reader.of('icons')}")
        if name.text in ("label", "sign") or not HOLE.fullmatch(f"{{{name.text}}}"):
            hint = "`label` and `sign` mean the piece; a name has English letters, digits and `_`"
            symbols.fail(CannotBeDrawn(name.span, f"`{name.text}`", "as an icon", hint))
        elif icon is not None:
            found[name.text] = icon
    return found

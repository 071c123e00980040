"""Readers of what a look is made of: colours, positions, pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from dsl.colours import NAMED, full
from dsl.declare.enumerations import value_of
from dsl.declare.mapping_reader import MappingReader
from dsl.declare.nodes import line, word
from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Node, Scalar, Sequence
from dsl.messages.looks import CannotBeDrawn, LargePicture, UnknownColour, UnusablePicture
from dsl.messages.names import UnknownName
from dsl.messages.shapes import WrongShape
from dsl.pictures import (
    LARGEST_ART,
    LARGEST_PICTURE,
    MOST_ART,
    MOST_OF_ALL,
    NoPicture,
    data_url,
)
from dsl.rules import TypeDecl
from dsl.rules.look import XY
from dsl.signs import WORD, outlines, sign_url
from dsl.wording import listed

DECIMAL = re.compile(r"[+-]?[0-9]{1,4}(\.[0-9]{1,4})?")
FARTHEST = 500.0
LONGEST_ICON = 4
SEAT_OF = re.compile(r"(\w+) of ([1-9][0-9]?)")
"""A seat where a number of them plays."""
HOLE = re.compile(r"\{([^{}]*)\}")
PICTURE = (".svg", ".png", ".jpg", ".jpeg")
Fetch = Callable[[Scalar], bytes]
"""The bytes of a file that a node names. Raises `DiagnosticError`."""


def seat_of(seats: TypeDecl, node: Scalar) -> tuple[int, int | None]:
    """`B`, or `B of 2`: a seat, and with how many if it is only then. Raises `DiagnosticError`."""
    found = SEAT_OF.fullmatch(node.text)
    if found is None:
        return value_of(seats, node), None
    return value_of(seats, replace(node, text=found[1])), int(found[2])


@dataclass
class Pictures:
    """The pictures of a ruleset, each read once, and their sizes in total: all, and those of faces."""

    fetch: Fetch
    known: dict[str, str] = field(default_factory=dict)
    total: int = 0
    total_art: int = 0

    def url(self, node: Scalar) -> str:
        """A picture as a `data:` URL. Raises `DiagnosticError`."""
        if node.text not in self.known:
            self.known[node.text] = self._read(node)
        return self.known[node.text]

    def art(self, node: Scalar) -> str:
        """A picture of a face as a `data:` URL. Raises `DiagnosticError`."""
        if node.text not in self.known:
            self.known[node.text] = self._read(node, art=True)
        return self.known[node.text]

    def _read(self, node: Scalar, *, art: bool = False) -> str:
        data = self.fetch(node)
        self.total_art += len(data) if art else 0
        self.total += 0 if art else len(data)
        most = LARGEST_ART if art else LARGEST_PICTURE
        if len(data) > most:
            raise DiagnosticError(LargePicture(node.span, f"`{node.text}`", len(data), most))
        if self.total > MOST_OF_ALL:
            raise DiagnosticError(LargePicture(node.span, "all pictures together", self.total, MOST_OF_ALL))
        if self.total_art > MOST_ART:
            raise DiagnosticError(LargePicture(node.span, "all pictures of faces", self.total_art, MOST_ART))
        try:
            return data_url(data)
        except NoPicture as error:
            raise DiagnosticError(UnusablePicture(node.span, node.text, str(error))) from None

    def icon(self, node: Node, where: str) -> str:
        """A text of a few characters, a sign that is named, or the picture of a file that is named."""
        found = line(node, where)
        if found.text.startswith(WORD):
            return _sign(found)
        if found.text.lower().endswith(PICTURE):
            return self.url(found)
        if not 1 <= len(found.text) <= LONGEST_ICON:
            hint = "write a text like `⚔`, name a sign like `sign sword`, or a file like `sword.svg`"
            wanted = f"one to {LONGEST_ICON} characters, a sign, or an SVG, PNG or JPEG file"
            raise DiagnosticError(WrongShape(found.span, where, wanted, hint))
        return found.text


def _sign(node: Scalar) -> str:
    """`sign sword`: one of the signs that are there for all games."""
    name = node.text.removeprefix(WORD).strip()
    if name not in outlines():
        hint = did_you_mean(name, outlines()) or "the documentation of looks lists all signs"
        raise DiagnosticError(UnknownName(node.span, name, "sign", hint))
    return sign_url(name)


def colour(node: Node | None, where: str) -> str:
    """`#rrggbb`. Raises `DiagnosticError`."""
    found = word(node, where, 'a colour like `blue` or `"#2f78c4"`')
    known = full(found.text)
    if known is None:
        hint = did_you_mean(found.text, NAMED) or 'write a word like `blue`, or digits like `"#2f78c4"`'
        raise DiagnosticError(UnknownColour(found.span, found.text, hint))
    return known


def colours(node: Node | None, where: str, most: int) -> tuple[str, ...]:
    """One colour, or a list of them."""
    if not isinstance(node, Sequence):
        return (colour(node, where),)
    if not 1 <= len(node.items) <= most:
        raise DiagnosticError(WrongShape(node.span, where, f"a colour, or up to {most} of them"))
    return tuple(colour(item, where) for item in node.items)


def decimal(node: Node | None, where: str) -> float:
    found = word(node, where, "a number like `0.5`")
    if not DECIMAL.fullmatch(found.text) or abs(float(found.text)) > FARTHEST:
        wanted = f"a number like `0.5` within -{FARTHEST:.0f}..{FARTHEST:.0f}"
        raise DiagnosticError(WrongShape(found.span, where, wanted))
    return float(found.text)


def position(node: Node | None, where: str) -> XY:
    """`[1, 2.5]`: to the right, and down."""
    if not isinstance(node, Sequence) or len(node.items) != 2:
        span = node.span if node is not None else None
        assert span is not None
        raise DiagnosticError(WrongShape(span, where, "two numbers", "write `[right, down]`: `[1, 2.5]`"))
    across, down = (decimal(item, where) for item in node.items)
    return across, down


def flag_of(reader: MappingReader, key: str) -> bool | None:
    found = reader.one_of(key, ("true", "false"))
    return None if found is None else found == "true"


def template(
    text: Scalar,
    owner: str,
    always: Iterable[str],
    columns: Iterable[str],
    icons: Iterable[str] | None = None,
) -> str:
    """A text with names in braces: those that `always` can stand there, columns of its owner, or icons."""
    holes, rest = HOLE.findall(text.text), HOLE.sub("", text.text)
    if "{" in rest or "}" in rest:
        hint = "write `{label}`, or the name of a column in braces"
        raise DiagnosticError(CannotBeDrawn(text.span, f"`{owner}`", "with a single brace", hint))
    first, known = [f"`{name}`" for name in always], (*always, *columns, *(icons or ()))
    kind, others = ("column", ["a column"]) if icons is None else ("column or icon", ["a column", "an icon"])
    for hole in holes:
        if hole not in known:
            hint = did_you_mean(hole, known) or f"in braces stand {listed([*first, *others], 'or')}"
            raise DiagnosticError(UnknownName(text.span, hole, kind, hint, f" of `{owner}`"))
    return text.text

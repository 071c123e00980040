"""Pages that are drawn on, in mm from the upper left corner; texts are fitted into boxes.

The fonts are embedded: DejaVu Sans for the letters and signs of European languages, Noto Emoji for
pictograms, and those that the caller names for others.
"""

from __future__ import annotations

import logging
import re
import warnings
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unicodedata import bidirectional
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

from dsl.diagnostics import DiagnosticError
from dsl.pictures import SVG
from dsl.source import NOWHERE
from dsl.wording import counted
from rulewright.files.reading import why_not
from rulewright.layout.colours import INK
from rulewright.layout.letters import FONTS, MM
from rulewright.layout.scene import Point
from rulewright.printing.fitting import LINE, Fitted, fitted
from rulewright.printing.messages import FontUnreadable

if TYPE_CHECKING:
    from fpdf import FPDF

FAMILY, PICTOGRAMS = "DejaVu", "NotoEmoji"
SLANT = 11.0
"""How far italic letters lean, in degrees: as the oblique letters of the same font do, which are as wide."""
SAMPLE = 100.0
"""The size at which texts are measured; their width grows with it."""
BASE = 0.35
"""From the middle of a line down to its base line, in the size of the letters."""
SMALL = 6.0
"""Texts in smaller letters, in points, are told to who prints."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
INVISIBLE = frozenset("\ufe0e\ufe0f\u200d\u2060\ufeff")
"""Characters that choose among forms of others and show nothing themselves."""
RIGHT_TO_LEFT = frozenset({"R", "AL"})
"""The classes of letters, as Unicode has them, that are set from right to left."""
EDGE = "#6a737d"
Align = Literal["left", "middle", "right"]


class Canvas:
    """A document in the making.

    `both_sides`: two pages are the sides of one sheet of paper. `missing` are the characters of its texts
    that no font has, `backward` those of scripts from right to left, which it does not set as such,
    `unprinted` the number of pictures that could not be drawn, `tiny` that of texts too small to read.
    """

    def __init__(
        self, page: tuple[float, float], title: str, fonts: Sequence[Path] = (), *, both_sides: bool = True
    ) -> None:
        from fpdf import FPDF

        logging.getLogger("fpdf").setLevel(logging.ERROR)
        self.pdf: FPDF = FPDF(unit="mm", format=page)
        self.page, self.both_sides = page, both_sides
        self.missing: set[str] = set()
        self.backward: set[str] = set()
        self.unprinted = self.tiny = 0
        self._widths: dict[tuple[str, bool], float] = {}
        self._pictures: dict[str, bytes] = {}
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.set_title(title)
        self.pdf.set_creator("Rulewright")
        self._load(fonts)
        self._has = {key: frozenset(getattr(font, "cmap", ())) for key, font in self.pdf.fonts.items()}

    def _load(self, fonts: Sequence[Path]) -> None:
        self.pdf.add_font(FAMILY, "", FONTS / "DejaVuSans.ttf")
        self.pdf.add_font(FAMILY, "B", FONTS / "DejaVuSans-Bold.ttf")
        self.pdf.add_font(PICTOGRAMS, "", FONTS / "NotoEmoji-Regular.ttf")
        self._more = [*(f"Named{i}" for i in range(len(fonts))), PICTOGRAMS]
        for family, path in zip(self._more, fonts, strict=False):
            try:
                path.stat()
                self.pdf.add_font(family, "", path)
            except Exception as error:  # what the library raises for a file that is no font is not declared
                raise DiagnosticError(FontUnreadable(NOWHERE, str(path), _why(error))) from None

    def add_page(self, *, leaf: bool = False) -> None:
        """A new page; with `leaf` the front of a sheet of paper, whose back stays empty till then."""
        if leaf and self.both_sides and self.pdf.pages_count % 2:
            self.pdf.add_page()
        self.pdf.add_page()

    def data(self) -> bytes:
        """The document as a PDF file."""
        return bytes(self.pdf.output())

    # ---- texts

    def can_draw(self, text: str) -> bool:
        """Whether the fonts have all characters of a text."""
        return all(self._family_of(c, False) is not None or c.isspace() for c in text if c not in INVISIBLE)

    def _family_of(self, letter: str, bold: bool) -> tuple[str, str] | None:
        """The family and style of the first font that has a character."""
        for family, style in (
            (FAMILY, "B" if bold else ""),
            (FAMILY, ""),
            *((name, "") for name in self._more),
        ):
            if ord(letter) in self._has[family.lower() + style]:
                return family, style
        return None

    def _by_font(self, text: str, bold: bool) -> list[tuple[tuple[str, str], str]]:
        """A text in parts of one font each; characters that none has are noted, and drawn as boxes."""
        parts: list[tuple[tuple[str, str], str]] = []
        for letter in text:
            if letter in INVISIBLE:
                continue
            if bidirectional(letter) in RIGHT_TO_LEFT:
                self.backward.add(letter)
            font = self._family_of(letter, bold)
            if font is None:
                font = FAMILY, "B" if bold else ""
                self.missing.update([letter] if not letter.isspace() else [])
            if parts and parts[-1][0] == font:
                parts[-1] = font, parts[-1][1] + letter
            else:
                parts.append((font, letter))
        return parts

    def measure(self, text: str, size: float, bold: bool = False) -> float:
        """The width of a text in mm."""
        key = (text, bold)
        if key not in self._widths:
            self._widths[key] = sum(self._width(*part) for part in self._by_font(text, bold))
        return self._widths[key] * size / SAMPLE

    def _width(self, font: tuple[str, str], text: str) -> float:
        self.pdf.set_font(*font, SAMPLE)
        return self.pdf.get_string_width(text)

    def fit(self, text: str, width: float, height: float, largest: float, *, bold: bool = False) -> Fitted:
        """A text as large as it fits into a box."""
        return fitted(text, width, height, largest, lambda part, size: self.measure(part, size, bold))

    def line_of_text(
        self, x: float, y: float, text: str, size: float, ink: str = INK,
        align: Align = "left", *, bold: bool = False, italic: bool = False,
    ) -> None:  # fmt: skip
        """One line, the middle of which is at the height `y`."""
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * self.measure(text, size, bold)
        self.pdf.set_text_color(ink)
        at, base = x - shift, y + BASE * size * MM
        for font, part in self._by_font(text, bold):
            self.pdf.set_font(*font, size)
            with self.pdf.skew(ax=SLANT, x=at, y=base) if italic else nullcontext():
                self.pdf.text(at, base, part)
            at += self.pdf.get_string_width(part)

    def text_in(
        self, box: Box, text: str, largest: float, ink: str = INK,
        align: Align = "middle", *, bold: bool = False,
    ) -> None:  # fmt: skip
        """A text in the middle of the height of a box, as large as it fits."""
        x, y, width, height = box
        found = self.fit(text, width, height, largest, bold=bold)
        self.tiny += found.size < SMALL - 0.01
        step = found.size * LINE * MM
        left = x + {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width
        top = y + height / 2 - (len(found.lines) - 1) / 2 * step
        for i, line in enumerate(found.lines):
            self.line_of_text(left, top + i * step, line, found.size, ink, align, bold=bold)

    # ---- shapes

    def _paint(self, fill: str | None, edge: str | None, wide: float) -> Literal["D", "F", "DF"]:
        if fill is not None:
            self.pdf.set_fill_color(fill)
        if edge is not None:
            self.pdf.set_draw_color(edge)
            self.pdf.set_line_width(wide)
        return "DF" if fill and edge else "F" if fill else "D"

    def rectangle(
        self,
        box: Box,
        fill: str | None = None,
        edge: str | None = EDGE,
        *,
        radius: float = 0,
        wide: float = 0.2,
    ) -> None:
        style = self._paint(fill, edge, wide)
        x, y, width, height = box
        if radius:
            self.pdf.rect(x, y, width, height, style, round_corners=True, corner_radius=radius)
        else:
            self.pdf.rect(x, y, width, height, style)

    def circle(
        self,
        centre: Point,
        radius: float,
        fill: str | None = None,
        edge: str | None = EDGE,
        wide: float = 0.2,
    ) -> None:
        style = self._paint(fill, edge, wide)
        self.pdf.circle(centre[0], centre[1], radius, style)

    def polygon(
        self, points: Sequence[Point], fill: str | None = None, edge: str | None = EDGE, wide: float = 0.2
    ) -> None:
        style = self._paint(fill, edge, wide)
        self.pdf.polygon(list(points), style=style)

    def ellipse(self, box: Box, edge: str, wide: float = 0.2) -> None:
        self.pdf.set_draw_color(edge)
        self.pdf.set_line_width(wide)
        self.pdf.ellipse(*box)

    def line(self, points: Sequence[Point], colour: str = EDGE, wide: float = 0.2) -> None:
        self.pdf.set_draw_color(colour)
        self.pdf.set_line_width(wide)
        self.pdf.polyline(list(points))

    # ---- pictures

    def picture(self, box: Box, url: str, *, cover: bool = False) -> None:
        """A picture of a look, a `data:` URL, in the middle of a box; `cover`: it fills it and is cut."""
        x, y, width, height = box
        try:
            drawn = self._picture(url)
            with warnings.catch_warnings(action="ignore"), self.clipped(box):
                self.pdf.image(
                    BytesIO(drawn), *_filling(drawn, box) if cover else box, keep_aspect_ratio=True
                )
        except Exception:  # what the library cannot draw of a picture is not declared
            self.unprinted += 1
            self.rectangle(box)
            self.line([(x, y), (x + width, y + height)])

    def _picture(self, url: str) -> bytes:
        """The bytes of a picture, kept as long as the canvas: one stands on many cards."""
        if url not in self._pictures:
            data = data_of(url)
            self._pictures[url] = in_our_font(data) if url.startswith("data:image/svg") else data
        return self._pictures[url]

    @contextmanager
    def seen_through(self, opacity: float) -> Iterator[None]:
        """What is filled within is seen through."""
        if opacity >= 1:
            yield
            return
        with self.pdf.local_context(fill_opacity=opacity):
            yield

    @contextmanager
    def turned(self, degrees: float, centre: Point) -> Iterator[None]:
        """What is drawn within is turned counter-clockwise around a point."""
        with self.pdf.rotation(degrees, centre[0], centre[1]):
            yield

    @contextmanager
    def clipped(self, box: Box) -> Iterator[None]:
        """What is drawn within shows only in a box."""
        with self.pdf.rect_clip(*box):
            yield


Box = tuple[float, float, float, float]
"""Left, top, width and height."""
Draw = Callable[[Canvas, Box], None]


def _why(error: Exception) -> str:
    """Why a font cannot be used."""
    return why_not(error) if isinstance(error, OSError) else "it is no TrueType font"


def data_of(url: str) -> bytes:
    """The bytes of a `data:` URL."""
    head, _, body = url.partition(",")
    return b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)


def in_our_font(svg: bytes) -> bytes:
    """An SVG picture with its texts in a font that is embedded, and the fill that SVG has by default."""
    root = ElementTree.fromstring(svg)
    root.attrib.setdefault("fill", "#000000")
    for tag in ("text", "tspan"):
        for element in root.iter(f"{SVG}{tag}"):
            element.attrib.pop("font-style", None)
            element.attrib.pop("style", None)
            element.set("font-family", FAMILY)
    ElementTree.register_namespace("", SVG.strip("{}"))
    return ElementTree.tostring(root)


def _filling(data: bytes, box: Box) -> Box:
    """The box of a picture that fills another in one direction, and reaches beyond it in the other."""
    x, y, width, height = box
    wide, high = size_of(data)
    scale = max(width / wide, height / high)
    return x + (width - wide * scale) / 2, y + (height - high * scale) / 2, wide * scale, high * scale


def size_of(data: bytes) -> tuple[float, float]:
    """The width and height of a picture, in a unit of its own."""
    if not data.lstrip().startswith(b"<"):
        from PIL import Image

        with Image.open(BytesIO(data)) as image:
            return image.size
    root = ElementTree.fromstring(data)
    numbers = [float(n) for n in NUMBER.findall(root.get("viewBox", ""))]
    if len(numbers) == 4 and numbers[2] > 0 and numbers[3] > 0:
        return numbers[2], numbers[3]
    sides = [NUMBER.match(root.get(side, "")) for side in ("width", "height")]
    wide, high = (float(side[0]) if side is not None else 1.0 for side in sides)
    return wide or 1.0, high or 1.0


def inset(box: Box, by: float) -> Box:
    """A box within a box."""
    x, y, width, height = box
    return x + by, y + by, max(width - 2 * by, 0.1), max(height - 2 * by, 0.1)


MOST_SHOWN = 12
"""So many missing characters are named."""


def canvas_remarks(canvas: Canvas) -> Iterator[str]:
    """What could not be drawn as it should: characters that no font has, texts too small, pictures."""
    if canvas.missing:
        some = sorted(canvas.missing)[:MOST_SHOWN]
        yield f"no font has {' '.join(some)}: name one that does with `--font`"
    if canvas.backward:
        some = sorted(canvas.backward)[:MOST_SHOWN]
        yield f"letters of scripts from right to left are set from left to right: {' '.join(some)}"
    if canvas.tiny:
        yield f"{counted(canvas.tiny, 'text')} in letters of less than {SMALL:g} points"
    if canvas.unprinted:
        yield f"pictures that could not be drawn, and are crossed boxes: {canvas.unprinted}"

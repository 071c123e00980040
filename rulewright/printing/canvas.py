"""Pages that are drawn on, in mm from the upper left corner; texts are fitted into boxes.

The fonts are embedded: DejaVu Sans for the letters and signs of European languages, Noto Emoji for
pictograms, and those that the caller names for others.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote_to_bytes

from rulewright.layout.colours import INK
from rulewright.layout.scene import Point
from rulewright.printing.fitting import LINE, Fitted, fitted

if TYPE_CHECKING:
    from fpdf import FPDF

FONTS = Path(__file__).parent / "fonts"
FAMILY, PICTOGRAMS = "DejaVu", "NotoEmoji"
MM = 25.4 / 72
"""A point in mm."""
SAMPLE = 100.0
"""The size at which texts are measured; their width grows with it."""
BASE = 0.35
"""From the middle of a line down to its base line, in the size of the letters."""
INVISIBLE = frozenset("\ufe0e\ufe0f\u200d\u2060\ufeff")
"""Characters that choose among forms of others and show nothing themselves."""
EDGE = "#6a737d"
Align = Literal["left", "middle", "right"]


class Canvas:
    """A document in the making. `missing` are the characters of its texts that no font has."""

    def __init__(self, page: tuple[float, float], title: str, fonts: Sequence[Path] = ()) -> None:
        from fpdf import FPDF

        self.pdf: FPDF = FPDF(unit="mm", format=page)
        self.page = page
        self.missing: set[str] = set()
        self._widths: dict[tuple[str, bool], float] = {}
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.set_title(title)
        self.pdf.set_creator("Rulewright")
        self._load(fonts)
        self._known = frozenset(c for font in self.pdf.fonts.values() for c in getattr(font, "cmap", ()))

    def _load(self, fonts: Sequence[Path]) -> None:
        self.pdf.add_font(FAMILY, "", FONTS / "DejaVuSans.ttf")
        self.pdf.add_font(FAMILY, "B", FONTS / "DejaVuSans-Bold.ttf")
        self.pdf.add_font(PICTOGRAMS, "", FONTS / "NotoEmoji-Regular.ttf")
        named = [f"Named{i}" for i in range(len(fonts))]
        for family, path in zip(named, fonts, strict=True):
            self.pdf.add_font(family, "", path)
        self.pdf.set_font(FAMILY, "", SAMPLE)
        self.pdf.set_fallback_fonts([*named, PICTOGRAMS], exact_match=False)

    def add_page(self) -> None:
        self.pdf.add_page()

    def data(self) -> bytes:
        """The document as a PDF file."""
        return bytes(self.pdf.output())

    # ---- texts

    def can_draw(self, text: str) -> bool:
        """Whether the fonts have all characters of a text."""
        return all(ord(c) in self._known or c in INVISIBLE or c.isspace() for c in text)

    def measure(self, text: str, size: float, bold: bool = False) -> float:
        """The width of a text in mm."""
        key = (text, bold)
        if key not in self._widths:
            self.pdf.set_font(FAMILY, "B" if bold else "", SAMPLE)
            self._widths[key] = self.pdf.get_string_width(text)
        return self._widths[key] * size / SAMPLE

    def fit(self, text: str, width: float, height: float, largest: float, *, bold: bool = False) -> Fitted:
        """A text as large as it fits into a box."""
        return fitted(text, width, height, largest, lambda part, size: self.measure(part, size, bold))

    def line_of_text(
        self, x: float, y: float, text: str, size: float, ink: str = INK,
        align: Align = "left", *, bold: bool = False,
    ) -> None:  # fmt: skip
        """One line, the middle of which is at the height `y`."""
        text = "".join(c for c in text if c not in INVISIBLE)
        self.missing.update(c for c in text if not self.can_draw(c))
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * self.measure(text, size, bold)
        self.pdf.set_font(FAMILY, "B" if bold else "", size)
        self.pdf.set_text_color(ink)
        self.pdf.text(x - shift, y + BASE * size * MM, text)

    def text_in(
        self, box: Box, text: str, largest: float, ink: str = INK,
        align: Align = "middle", *, bold: bool = False,
    ) -> None:  # fmt: skip
        """A text in the middle of the height of a box, as large as it fits."""
        x, y, width, height = box
        found = self.fit(text, width, height, largest, bold=bold)
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

    def line(self, points: Sequence[Point], colour: str = EDGE, wide: float = 0.2) -> None:
        self.pdf.set_draw_color(colour)
        self.pdf.set_line_width(wide)
        self.pdf.polyline(list(points))

    # ---- pictures

    def picture(self, box: Box, url: str) -> None:
        """A picture of a look, a `data:` URL, in the middle of a box."""
        x, y, width, height = box
        self.pdf.image(BytesIO(data_of(url)), x, y, width, height, keep_aspect_ratio=True)

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


def data_of(url: str) -> bytes:
    """The bytes of a `data:` URL."""
    head, _, body = url.partition(",")
    return b64decode(body) if head.endswith(";base64") else unquote_to_bytes(body)


def inset(box: Box, by: float) -> Box:
    """A box within a box."""
    x, y, width, height = box
    return x + by, y + by, max(width - 2 * by, 0.1), max(height - 2 * by, 0.1)

"""Where things lie on paper: sizes of pages, and rows and columns of equal pieces. All lengths are in mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of pages that stand upright."""
MARGIN = 7.0
"""What printers leave white at each edge; crop marks lie within it and the bleed."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a piece lies: the left and upper edge of what is cut out, as it lies on the page.

    `turned`: the piece lies on its side, so that its width goes down the page.
    """

    left: float
    top: float
    turned: bool


@dataclass(frozen=True, slots=True)
class CutSheet:
    """Equal pieces in rows and columns in the middle of a page.

    `width` and `height` are those of a piece as it lies on the page, without the bleed around it.
    """

    page: tuple[float, float]
    width: float
    height: float
    bleed: float
    columns: int
    rows: int
    turned: bool

    @property
    def room(self) -> int:
        """How many pieces a page has."""
        return self.columns * self.rows

    def spots(self) -> Iterator[Spot]:
        """The places of a page, row by row."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield Spot(self.lefts[column], self.tops[row], self.turned)

    def back_of(self, spot: Spot) -> Spot:
        """Where the back of a piece lies on the other side of a page that is turned over its long edge."""
        return Spot(self.page[0] - spot.left - self.width, spot.top, spot.turned)

    @property
    def lefts(self) -> list[float]:
        return _starts(self.page[0], self.width, self.bleed, self.columns)

    @property
    def tops(self) -> list[float]:
        return _starts(self.page[1], self.height, self.bleed, self.rows)


def _starts(page: float, piece: float, bleed: float, number: int) -> list[float]:
    step = piece + 2 * bleed
    first = (page - number * step) / 2 + bleed
    return [first + i * step for i in range(number)]


def sheet(page: tuple[float, float], piece: tuple[float, float], bleed: float) -> CutSheet | None:
    """As many pieces on a page as fit, upright or on their side; none if a piece is larger than a page."""
    found = [_filled(page, piece, bleed, turned) for turned in (False, True)]
    best = max(found, key=lambda it: it.room)
    return best if best.room else None


def _filled(page: tuple[float, float], piece: tuple[float, float], bleed: float, turned: bool) -> CutSheet:
    width, height = piece[::-1] if turned else piece
    columns, rows = (
        int((whole - 2 * MARGIN + 1e-9) // (part + 2 * bleed))
        for whole, part in zip(page, (width, height), strict=True)
    )
    return CutSheet(page, width, height, bleed, max(columns, 0), max(rows, 0), turned)

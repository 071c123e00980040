"""Pages of cards, tiles and tokens, with crop marks, and of backs that lie behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulewright.printing.canvas import Box, Canvas
from rulewright.printing.paper import CutSheet, Spot

MARK, APART = 3.5, 1.0
"""The length of a crop mark, and its distance from the bleed."""
MARKS = "#000000"
Drawing = Callable[[Canvas, Box], None]
"""Draws a piece into the box that is cut out."""


def draw_pages(
    canvas: Canvas,
    sheet: CutSheet,
    faces: Sequence[Drawing],
    backs: Sequence[Drawing] = (),
    *,
    marks: bool = True,
) -> None:
    """Pages with faces; behind each, if there are backs, the page that is its other side.

    Sheets are turned over their long edge, so backs lie mirrored.
    """
    spots = list(sheet.spots())
    for first in range(0, len(faces), sheet.room):
        some = faces[first : first + sheet.room]
        canvas.add_page(leaf=True)
        if marks:
            _crop_marks(canvas, sheet, len(some))
        for spot, face in zip(spots, some, strict=False):
            with _placed(canvas, sheet, spot, 90) as box:
                face(canvas, box)
        if backs:
            canvas.add_page()
            for spot, back in zip(spots, backs[first : first + sheet.room], strict=False):
                with _placed(canvas, sheet, sheet.back_of(spot), -90) as box:
                    back(canvas, box)


@contextmanager
def _placed(canvas: Canvas, sheet: CutSheet, spot: Spot, degrees: float) -> Iterator[Box]:
    """The box of an upright piece, which is drawn on its side where it lies so."""
    if not spot.turned:
        yield spot.left, spot.top, sheet.width, sheet.height
        return
    middle = spot.left + sheet.width / 2, spot.top + sheet.height / 2
    with canvas.turned(degrees, middle):
        yield middle[0] - sheet.height / 2, middle[1] - sheet.width / 2, sheet.height, sheet.width


def _crop_marks(canvas: Canvas, sheet: CutSheet, number: int) -> None:
    """Short lines outside of the rows and columns that a number of pieces takes, where they are cut."""
    lefts, tops = sheet.lefts[:number], sheet.tops[: -(-number // sheet.columns)]
    far = sheet.bleed + APART
    top, bottom = tops[0] - far, tops[-1] + sheet.height + far
    left, right = lefts[0] - far, lefts[-1] + sheet.width + far
    for x in sorted({x for start in lefts for x in (start, start + sheet.width)}):
        canvas.line([(x, top - MARK), (x, top)], MARKS)
        canvas.line([(x, bottom), (x, bottom + MARK)], MARKS)
    for y in sorted({y for start in tops for y in (start, start + sheet.height)}):
        canvas.line([(left - MARK, y), (left, y)], MARKS)
        canvas.line([(right, y), (right + MARK, y)], MARKS)

"""Lines along the sides of a board of rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from typing import assert_never

from dsl import rules as r
from dsl.rules.look import CellShape, Side
from rulewright.layout.coordinates import MARGIN, STEP
from rulewright.layout.scene import Border, Point, Points

SQUARE: dict[Side, tuple[int, ...]] = {"bottom": (2, 1), "top": (3, 0), "left": (2, 3), "right": (1, 0)}
HEX: dict[Side, tuple[int, ...]] = {
    "bottom": (4, 3, 2),
    "top": (5, 0, 1),
    "left": (4, 5, 0),
    "right": (3, 2, 1),
}
"""The corners of a cell that lie on each side, in the order of the line. Corners are counted clockwise, from
the upper right one of a square, from the top of a hexagon."""


def borders(
    decl: r.TypeDecl, look: r.BoardLook, points: Points, cell: CellShape, size: float
) -> tuple[Border, ...]:
    """The sides of a board that belong to seats."""
    return tuple(
        _border(seat, side, decl, points, _corners(cell, size), cell == "hex")
        for seat, sides in look.borders.items()
        for side in sides
    )


def _border(
    seat: int, side: Side, decl: r.TypeDecl, points: Points, corners: Sequence[Point], is_hex: bool
) -> Border:
    cells = [points[value] for value in _along(decl, side) if value in points]
    numbers = (HEX if is_hex else SQUARE)[side]
    line = [(x + corners[i][0], y + corners[i][1]) for x, y in cells for i in numbers]
    if is_hex:  # two sides meet at an edge of a sharp corner: that edge belongs to the other one
        line = line[1:] if side == "top" else line[:-1] if side == "bottom" else line
    return Border(seat, tuple(dict.fromkeys(line)), _sign(cells, side, corners))


def _along(decl: r.TypeDecl, side: Side) -> list[int]:
    """The places of a side: a row from the left, or a column from the bottom."""
    assert decl.sides
    rows, columns = decl.sides
    members = list(decl.members)
    match side:
        case "bottom":
            return members[:columns]
        case "top":
            return members[(rows - 1) * columns :]
        case "left":
            return members[::columns]
        case "right":
            return members[columns - 1 :: columns]
    assert_never(side)


def _sign(cells: Sequence[Point], side: Side, corners: Sequence[Point]) -> Point:
    """Outside of the middle of a side, between two of the texts at the rim if there are any."""
    (x0, y0), (x1, y1) = cells[0], cells[-1]
    along = hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / along, (y1 - y0) / along
    out = (-dy, dx) if side in ("bottom", "right") else (dy, -dx)
    far = max(hypot(*corner) for corner in corners) + MARGIN / 2
    by = STEP / 2 if side == "bottom" or (side == "left" and x0 == x1) else 0.0
    middle = (x0 + x1) / 2 + dx * by, (y0 + y1) / 2 + dy * by
    return middle[0] + out[0] * far, middle[1] + out[1] * far


def _corners(cell: CellShape, size: float) -> list[Point]:
    if cell == "hex":
        far = size / (2 * cos(pi / 6))
        return [(far * sin(i * pi / 3), -far * cos(i * pi / 3)) for i in range(6)]
    half = size / 2
    return [(half, -half), (half, half), (-half, half), (-half, -half)]

"""Grids whose columns and rows are not all as wide: squares with narrow grooves between them."""

from __future__ import annotations

from itertools import accumulate

from dsl.rules import TypeDecl
from rulewright.layout.coordinates import STEP
from rulewright.layout.scene import Point, Points

Shapes = dict[int, tuple[Point, ...]]


def banded(decl: TypeDecl, bands: tuple[float, ...], points: Points) -> tuple[Points, Shapes]:
    """The middles of the places of a grid that are among `points`, and their outlines by index."""
    rows, columns = decl.sides or (0, 0)
    lefts = _edges(columns, bands)
    tops = [_edges(rows, bands)[-1] - edge for edge in _edges(rows, bands)]
    found: Points = {}
    shapes: Shapes = {}
    for (row, column), place in decl.cells.items():
        if place in points:
            left, right, top, bottom = lefts[column], lefts[column + 1], tops[row + 1], tops[row]
            found[place] = (left + right) / 2, (top + bottom) / 2
            shapes[place - decl.lo] = (left, top), (right, top), (right, bottom), (left, bottom)
    return found, shapes


def _edges(number: int, bands: tuple[float, ...]) -> list[float]:
    """Where bands begin and the last one ends."""
    return list(accumulate((bands[i % len(bands)] * STEP for i in range(number)), initial=0.0))

"""Where the corners and edges of a board lie that the board itself declares, and its routes."""

from __future__ import annotations

from dsl import rules as r
from dsl.declare.outlines import outline as outline_of
from dsl.rules.look import CellShape
from rulewright.layout.derived import bar, mean, outline
from rulewright.layout.scene import Point, Points

BESIDE = 3.0
"""Between two routes that join the same places."""
Ends = dict[int, tuple[Point, ...]]
"""For each corner its point, for each edge those of its two ends."""


def ends_around(base: r.TypeDecl, decl: r.TypeDecl, points: Points, cell: CellShape, size: float) -> Ends:
    """The corners or edges of the cells of a board; nothing if its cells have no corners."""
    if cell != {"hex": "hex", "grid": "square"}.get(base.shape):
        return {}
    shape = outline_of(base)
    at: dict[tuple[int, int], list[Point]] = {}
    for place, corners in zip(base.cells.values(), shape.corners_of, strict=True):
        for corner, point in zip(corners, outline(cell, points[place], size), strict=True):
            at.setdefault(corner, []).append(point)
    middle = {corner: mean(some) for corner, some in at.items()}
    if is_corners(base, decl):
        return {decl.lo + i: (middle[corner],) for i, corner in enumerate(shape.corners)}
    pairs = (sorted(edge) for edge in shape.edges)
    return {decl.lo + i: (middle[a], middle[b]) for i, (a, b) in enumerate(pairs)}


def is_corners(base: r.TypeDecl, decl: r.TypeDecl) -> bool:
    return "corners" in base.incident and base.incident["corners"].target == decl.name


def middles(ends: Ends) -> Points:
    return {value: mean(points) for value, points in ends.items()}


def bars(ends: Ends, wide: float, gap: float) -> dict[int, tuple[Point, ...]]:
    """A bar for each edge; those of the same two ends lie side by side."""
    alike: dict[frozenset[Point], list[int]] = {}
    for value, points in ends.items():
        alike.setdefault(frozenset(points), []).append(value)
    found = {}
    for some in alike.values():
        for i, value in enumerate(some):
            a, b = sorted(ends[value])
            found[value] = bar(a, b, wide, gap, (i - (len(some) - 1) / 2) * (wide + BESIDE))
    return found

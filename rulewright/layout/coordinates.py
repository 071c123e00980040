"""Where the places of one board lie."""

from __future__ import annotations

from functools import lru_cache
from math import cos, hypot, pi, sin, sqrt

import networkx as nx

from dsl.domains import NONE
from dsl.rules import TypeDecl
from dsl.rules.look import CellShape
from rulewright.drawing.planar import planar_layout
from rulewright.layout.lattice import on_lattice
from rulewright.layout.scene import Point, Points
from validators.boards import graph_of

STEP = 60.0
"""From a place to its neighbour on a regular board."""
MARGIN, DOT = 36.0, 36.0
"""The rim of a picture, and the diameter of a round place."""
HEX_ROW = sqrt(3) / 2
LINK = 1.6
"""The length of a link of a free graph, in steps."""
ROUNDS, MOST_PLANAR = 300, 400
KEPT = 64
"""So many layouts of graphs are kept."""


def cell_of(decl: TypeDecl, seats: int) -> tuple[CellShape, float]:
    """The shape of the cells of a board, and their diameter."""
    if decl.shape == "hex":
        return "hex", STEP
    if decl.shape == "grid" or (decl.shape == "none"):
        return "square", STEP
    if decl.shape == "line" or (decl.shape == "ring" and len(decl.members) > ROUND_RING):
        return "square", STEP
    if decl.shape == "graph" and not decl.drawn and on_lattice(graph_of(decl, seats)) is not None:
        return "hex", STEP
    return "circle", DOT


def positions(decl: TypeDecl, seats: int) -> Points:
    """The points of the places that are used with a number of seats; all coordinates are at least 0.

    Grids and hexagonal boards lie in rows with the first at the bottom, rings in a circle, boards with
    `drawn` in their rows. Graphs that are hexagons side by side lie so; other planar graphs have no crossing
    links, and the rest is force-directed.
    """
    present = set(decl.present(seats))
    found = {value: point for value, point in _of_shape(decl, seats).items() if value in present}
    return moved_to_origin(found)


ROUND_RING = 20
"""A ring with more places goes around a square."""


def _of_shape(decl: TypeDecl, seats: int) -> Points:
    if len(decl.sides) == 2:
        return _rows(decl)
    if decl.shape in ("line", "none"):
        return {v: (i * STEP, 0.0) for i, v in enumerate(decl.members)}
    if decl.shape == "ring":
        return circle(decl) if len(decl.members) <= ROUND_RING else _around_square(decl)
    return _drawn(decl) if decl.drawn else _graph(graph_of(decl, seats), circle(decl))


def moved_to_origin(points: Points) -> Points:
    left = min((x for x, _ in points.values()), default=0.0)
    top = min((y for _, y in points.values()), default=0.0)
    return {v: (x - left, y - top) for v, (x, y) in points.items()}


def _rows(decl: TypeDecl) -> Points:
    """Row 1 is at the bottom, as on a board before its first seat; rows of a hexagonal board are shifted."""
    rows, _ = decl.sides or (0, 0)
    shift, high = (STEP / 2, STEP * HEX_ROW) if decl.shape == "hex" else (0.0, STEP)
    return {
        place: (column * STEP + row * shift, (rows - 1 - row) * high)
        for (row, column), place in decl.cells.items()
    }


def _drawn(decl: TypeDecl) -> Points:
    """The rows of `drawn`; a gap keeps its room."""
    step = LINK * STEP if decl.shape == "graph" else STEP
    return {
        value: (column * step, row * step)
        for row, values in enumerate(decl.drawn)
        for column, value in enumerate(values)
        if value != NONE
    }


def circle(decl: TypeDecl) -> Points:
    """Clockwise, the first place on top."""
    number = len(decl.members)
    radius = max(STEP, number * STEP / (2 * pi))
    return {
        v: (radius * sin(2 * pi * i / number), -radius * cos(2 * pi * i / number))
        for i, v in enumerate(decl.members)
    }


def _around_square(decl: TypeDecl) -> Points:
    """Clockwise around a square, or nearly one, the first place at the left of the top."""
    number = len(decl.members)
    across = number // 4 + 1
    sides = [(1, 0, across - 1), (0, 1, -(-number // 2) - across + 1), (-1, 0, across - 1)]
    path, (x, y) = [(0, 0)], (0, 0)
    for dx, dy, steps in (*sides, (0, -1, number)):
        for _ in range(steps):
            x, y = x + dx, y + dy
            path.append((x, y))
    return {v: (STEP * path[i][0], STEP * path[i][1]) for i, v in enumerate(decl.members)}


def _graph(graph: nx.Graph[int], first: Points) -> Points:
    edges = tuple(sorted((min(a, b), max(a, b)) for a, b in graph.edges))
    return _laid_out(edges, tuple((v, first[v]) for v in sorted(graph)))


@lru_cache(maxsize=KEPT)
def _laid_out(edges: tuple[tuple[int, int], ...], first: tuple[tuple[int, Point], ...]) -> Points:
    """The points of a graph; `first` are points to begin with. A large map takes seconds."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(v for v, _ in first)
    graph.add_edges_from(edges)
    lattice = on_lattice(graph)
    if lattice is not None:
        return {v: (STEP * x, STEP * y) for v, (x, y) in lattice.items()}
    if len(graph) <= MOST_PLANAR:
        planar = planar_layout(graph, length=LINK * STEP, apart=1.3 * DOT)
        if planar is not None:
            return planar
    return _force_directed(graph, dict(first))


def _force_directed(graph: nx.Graph[int], points: Points) -> Points:
    """Places repel each other, links attract (Fruchterman and Reingold, 1991)."""
    heat = 2 * STEP
    for _ in range(ROUNDS if len(points) <= MOST_PLANAR else ROUNDS // 10):
        moves = {v: _push(points, v) for v in points}
        for a, b in graph.edges:
            x, y = points[b][0] - points[a][0], points[b][1] - points[a][1]
            pull = hypot(x, y) / (LINK * STEP)
            moves[a] = (moves[a][0] + x * pull, moves[a][1] + y * pull)
            moves[b] = (moves[b][0] - x * pull, moves[b][1] - y * pull)
        points = {v: _moved(points[v], moves[v], heat) for v in points}
        heat = max(1.0, heat * 0.985)
    return points


def _push(points: Points, place: int) -> Point:
    x0, y0 = points[place]
    dx = dy = 0.0
    for other, (x, y) in points.items():
        if other != place:
            far = max(1.0, hypot(x0 - x, y0 - y))
            force = (LINK * STEP) ** 2 / far**2
            dx += (x0 - x) * force
            dy += (y0 - y) * force
    return dx, dy


def _moved(at: Point, by: Point, most: float) -> Point:
    far = hypot(*by)
    scale = min(far, most) / far if far else 0.0
    return at[0] + by[0] * scale, at[1] + by[1] * scale

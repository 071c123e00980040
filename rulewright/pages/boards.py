"""Boards as SVG pictures, and their measures as graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from xml.sax.saxutils import escape

import networkx as nx

from dsl.rules import TypeDecl
from rulewright.drawing.planar import planar_layout
from validators.boards import graph_of

STEP, MARGIN, DOT = 58.0, 34.0, 17.0
ROUNDS = 300
INK, LINE, FILL = "#24292f", "#9aa4ae", "#ffffff"
Points = dict[int, tuple[float, float]]


@dataclass(frozen=True)
class Facts:
    """Measures of a board: places, links, connected parts, the diameter of the largest part, the degrees."""

    places: int
    links: int
    parts: int
    diameter: int
    most: int
    fewest: int


def facts(decl: TypeDecl, seats: int) -> Facts:
    graph = graph_of(decl, seats)
    parts = sorted(nx.connected_components(graph), key=len, reverse=True)
    degrees = [degree for _, degree in graph.degree()]
    largest = graph.subgraph(parts[0]) if parts else graph
    diameter = nx.diameter(largest) if len(largest) > 1 else 0
    most, fewest = max(degrees, default=0), min(degrees, default=0)
    return Facts(len(graph), graph.number_of_edges(), len(parts), diameter, most, fewest)


def board_svg(decl: TypeDecl, seats: int, names: Sequence[str] = ()) -> str:
    """The picture of a board: grids and hexagonal boards in rows, rings in a circle, planar graphs without
    crossings, others force-directed.

    `names` are the labels of the board and of its values; without them, it has the names of the rules.
    """
    board, *places = names or (decl.name, *decl.names)
    graph = graph_of(decl, seats)
    points = _points(decl, graph)
    width = max(x for x, _ in points.values()) + MARGIN
    height = max(y for _, y in points.values()) + MARGIN
    lines = [_line(points[a], points[b]) for a, b in graph.edges]
    dots = [_dot(points[v], places[v - decl.lo]) for v in graph]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="board {escape(board)}">'
        f"{''.join(lines)}{''.join(dots)}</svg>"
    )


def _line(a: tuple[float, float], b: tuple[float, float]) -> str:
    return f'<path d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" stroke="{LINE}"/>'


def _dot(at: tuple[float, float], name: str) -> str:
    shown = name if len(name) <= 12 else f"{name[:11]}…"
    return (
        f'<g><title>{escape(name)}</title><circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{DOT}" fill="{FILL}" '
        f'stroke="{LINE}"/><text x="{at[0]:.1f}" y="{at[1] + 3.5:.1f}" text-anchor="middle" font-size="10" '
        f'fill="{INK}">{escape(shown)}</text></g>'
    )


# ---- coordinates


def _points(decl: TypeDecl, graph: nx.Graph[int]) -> Points:
    if len(decl.sides) == 2:
        return _rows(decl)
    if decl.shape == "line":
        return {v: (MARGIN + i * STEP, MARGIN) for i, v in enumerate(decl.members)}
    points = _circle(decl)
    if decl.shape == "ring":
        return points
    planar = planar_layout(graph, length=1.6 * STEP, apart=2.2 * DOT)
    if planar is None:
        return _force_directed(graph, {v: points[v] for v in graph})
    return {v: (x + MARGIN, y + MARGIN) for v, (x, y) in planar.items()}


def _rows(decl: TypeDecl) -> Points:
    """Row 1 is at the bottom, as on a board before its first seat; rows of a hexagonal board are shifted."""
    rows, columns = decl.sides or (0, 0)
    shift = STEP / 2 if decl.shape == "hex" else 0.0
    points: Points = {}
    for i, place in enumerate(decl.members):
        row, column = divmod(i, columns)
        points[place] = MARGIN + column * STEP + row * shift, MARGIN + (rows - 1 - row) * STEP
    return points


def _circle(decl: TypeDecl) -> Points:
    number = len(decl.members)
    radius = max(STEP, number * STEP / (2 * pi))
    middle = radius + MARGIN
    return {
        v: (middle + radius * sin(2 * pi * i / number), middle - radius * cos(2 * pi * i / number))
        for i, v in enumerate(decl.members)
    }


def _force_directed(graph: nx.Graph[int], points: Points) -> Points:
    """Places repel each other, links attract (Fruchterman and Reingold, 1991)."""
    heat = 2 * STEP
    for _ in range(ROUNDS):
        moves = {v: _push(points, v) for v in points}
        for a, b in graph.edges:
            x, y = points[b][0] - points[a][0], points[b][1] - points[a][1]
            pull = hypot(x, y) / (1.6 * STEP)
            moves[a] = (moves[a][0] + x * pull, moves[a][1] + y * pull)
            moves[b] = (moves[b][0] - x * pull, moves[b][1] - y * pull)
        points = {v: _moved(points[v], moves[v], heat) for v in points}
        heat = max(1.0, heat * 0.985)
    left, top = min(x for x, _ in points.values()), min(y for _, y in points.values())
    return {v: (x - left + MARGIN, y - top + MARGIN) for v, (x, y) in points.items()}


def _push(points: Points, place: int) -> tuple[float, float]:
    x0, y0 = points[place]
    dx = dy = 0.0
    for other, (x, y) in points.items():
        if other != place:
            far = max(1.0, hypot(x0 - x, y0 - y))
            force = (1.6 * STEP) ** 2 / far**2
            dx += (x0 - x) * force
            dy += (y0 - y) * force
    return dx, dy


def _moved(at: tuple[float, float], by: tuple[float, float], most: float) -> tuple[float, float]:
    far = hypot(*by)
    scale = min(far, most) / far if far else 0.0
    return at[0] + by[0] * scale, at[1] + by[1] * scale

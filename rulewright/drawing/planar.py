"""Straight-line drawings of planar graphs: no two edges cross.

An embedding is triangulated and drawn with the outer face on a circle and every other vertex at a weighted
mean of its neighbours (Tutte, "How to draw a graph", 1963). Positive weights keep such a drawing planar
(Floater, "One-to-one piecewise linear mappings over triangulations", 2003), so they are adapted until edges
are of similar length. Forces then even it out; a move that would make edges cross is not taken
(Bertault, "A force-directed algorithm that preserves edge-crossing properties", 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import cos, dist, hypot, pi, sin
from typing import Any

import networkx as nx
from networkx.algorithms.planar_drawing import triangulate_embedding

ADAPTIONS, SWEEPS, ROUNDS = 24, 40, 120
ADDED = 0.3
"""The weight of an edge that only triangulates, beside those of the graph."""
NEAR = 2.5
"""Vertices farther apart than so many edge lengths do not push each other away."""

Point = tuple[float, float]
Points = dict[int, Point]
Segment = tuple[int, int]


@dataclass(frozen=True)
class Surroundings:
    """The other vertices of the faces at a vertex, and the edges of those faces that do not end in it."""

    sides: list[Segment]
    vertices: list[int]


def planar_layout(graph: nx.Graph[int], length: float, apart: float) -> Points | None:
    """Positions at which no edges cross, or nothing if the graph is not planar.

    Edges are about as long as `length`, and no two vertices are nearer to each other than `apart`. Components
    stand side by side, the largest first. All coordinates are at least 0.
    """
    if not nx.check_planarity(graph)[0]:
        return None
    parts = sorted(nx.connected_components(graph), key=lambda part: (-len(part), min(part)))
    found: Points = {}
    left = 0.0
    for part in parts:
        ordered = nx.Graph(sorted((min(edge), max(edge)) for edge in graph.subgraph(part).edges))
        ordered.add_nodes_from(part)
        drawn = _apart(_component(ordered, length), apart)
        low_x, low_y = (min(p[axis] for p in drawn.values()) for axis in (0, 1))
        found |= {v: (x - low_x + left, y - low_y) for v, (x, y) in drawn.items()}
        left = max(x for x, _ in found.values()) + 1.2 * length
    return found


def _component(graph: nx.Graph[int], length: float) -> Points:
    vertices = sorted(graph)
    if len(vertices) <= 2:
        return {v: (i * length, 0.0) for i, v in enumerate(vertices)}
    embedding: Any = nx.check_planarity(graph)[1]
    drawn = _mean_of_neighbours(graph, embedding)
    if crossings(drawn, list(graph.edges)):
        drawn = {
            v: (float(x), float(y)) for v, (x, y) in nx.combinatorial_embedding_to_pos(embedding).items()
        }
    mean = sum(dist(drawn[a], drawn[b]) for a, b in graph.edges) / graph.number_of_edges()
    scaled = {v: (x * length / mean, y * length / mean) for v, (x, y) in drawn.items()}
    return _evened_out(graph, _faces(embedding), scaled, length)


def _apart(at: Points, apart: float) -> Points:
    """The same drawing, enlarged if two vertices would touch."""
    nearest = min((dist(p, q) for p, q in combinations(at.values(), 2)), default=apart)
    scale = max(1.0, apart / nearest)
    return {v: (x * scale, y * scale) for v, (x, y) in at.items()}


def _faces(embedding: Any) -> list[list[int]]:
    """The boundary of each face as a closed walk."""
    seen: set[Segment] = set()
    return [embedding.traverse_face(a, b, seen) for a, b in sorted(embedding.edges) if (a, b) not in seen]


# ---- a first drawing


def _mean_of_neighbours(graph: nx.Graph[int], embedding: Any) -> Points:
    triangulated, outer = triangulate_embedding(embedding, fully_triangulate=False)
    at = {v: (sin(2 * pi * i / len(outer)), -cos(2 * pi * i / len(outer))) for i, v in enumerate(outer)}
    inner = [v for v in sorted(graph) if v not in at]
    at |= dict.fromkeys(inner, (0.0, 0.0))
    around = {v: sorted(triangulated[v]) for v in inner}
    weights = {
        v: {w: 1.0 if graph.has_edge(v, w) else ADDED for w in neighbours} for v, neighbours in around.items()
    }
    for _ in range(ADAPTIONS):
        for _ in range(SWEEPS):
            for v in inner:
                at[v] = _weighted_mean(at, weights[v])
        weights = {
            v: {w: weight * (0.05 + dist(at[v], at[w])) for w, weight in pulls.items()}
            for v, pulls in weights.items()
        }
        weights = {v: _normalised(pulls) for v, pulls in weights.items()}
    for _ in range(10 * SWEEPS):
        for v in inner:
            at[v] = _weighted_mean(at, weights[v])
    return at


def _weighted_mean(at: Points, weights: dict[int, float]) -> Point:
    total = sum(weights.values())
    x = sum(weight * at[w][0] for w, weight in weights.items())
    y = sum(weight * at[w][1] for w, weight in weights.items())
    return x / total, y / total


def _normalised(weights: dict[int, float]) -> dict[int, float]:
    total = sum(weights.values())
    return {w: max(weight / total, 1e-3) for w, weight in weights.items()}


# ---- forces that keep it planar


def _evened_out(graph: nx.Graph[int], faces: list[list[int]], at: Points, length: float) -> Points:
    at = dict(at)
    around = {v: _surroundings(v, faces) for v in graph}
    step = length / 2
    for _ in range(ROUNDS):
        for v in sorted(graph):
            x, y = _force(graph, at, v, around[v], length)
            size = hypot(x, y)
            if size == 0:
                continue
            scale = min(size, step) / size
            for share in (1.0, 0.5, 0.25, 0.1):
                to = (at[v][0] + x * scale * share, at[v][1] + y * scale * share)
                if _stays_planar(graph, at, v, to, around[v]):
                    at[v] = to
                    break
        step = max(length / 100, step * 0.97)
    return at


def _surroundings(vertex: int, faces: list[list[int]]) -> Surroundings:
    own = [face for face in faces if vertex in face]
    edges = {(min(a, b), max(a, b)) for face in own for a, b in pairwise([*face, face[0]])}
    sides = sorted(edge for edge in edges if vertex not in edge)
    return Surroundings(sides, sorted({v for face in own for v in face} - {vertex}))


def _force(graph: nx.Graph[int], at: Points, vertex: int, around: Surroundings, length: float) -> Point:
    """Neighbours pull, other vertices push (Fruchterman and Reingold, 1991), and so do vertices and edges
    that come near to each other."""
    here = at[vertex]
    pushes = [
        _push(here, there, length)
        for v, there in at.items()
        if v != vertex and dist(here, there) < NEAR * length
    ]
    pulls = [_times(_minus(at[n], here), dist(at[n], here) / length) for n in graph[vertex]]
    room = length / 2
    for a, b in around.sides:
        there = _nearest(at[a], at[b], here)
        if dist(there, here) < room:
            pushes.append(_push(here, there, room))
    for n in graph[vertex]:
        for v in around.vertices:
            own = _nearest(here, at[n], at[v])
            if v != n and own not in (here, at[n]) and dist(own, at[v]) < room:
                pushes.append(_push(own, at[v], room))
    forces = pushes + pulls
    return sum(x for x, _ in forces), sum(y for _, y in forces)


def _push(here: Point, there: Point, room: float) -> Point:
    """Away from a point, the stronger the nearer it is."""
    away = _minus(here, there)
    return _times(away, room * room / max(away[0] ** 2 + away[1] ** 2, 1e-6))


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def _times(a: Point, factor: float) -> Point:
    return a[0] * factor, a[1] * factor


def _nearest(a: Point, b: Point, p: Point) -> Point:
    """The point of a segment that is nearest to another point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square if square else 0.0
    share = min(1.0, max(0.0, share))
    return a[0] + share * dx, a[1] + share * dy


def _stays_planar(graph: nx.Graph[int], at: Points, vertex: int, to: Point, around: Surroundings) -> bool:
    """Whether a vertex can move: its edges cross no edge of the faces around it, and pass over no vertex."""
    before = at[vertex]
    if any(_cross(before, to, at[a], at[b]) for a, b in around.sides):
        return False
    return not any(
        _cross(to, at[n], at[a], at[b]) for n in graph[vertex] for a, b in around.sides if n not in (a, b)
    ) and not any(
        _in_triangle(at[w], before, to, at[n]) for n in graph[vertex] for w in around.vertices if w != n
    )


def _in_triangle(p: Point, a: Point, b: Point, c: Point) -> bool:
    sides = (_side(a, b, p), _side(b, c, p), _side(c, a, p))
    return min(sides) >= 0 or max(sides) <= 0


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments meet, touching included."""
    return _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0


def _side(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def crossings(at: Points, edges: Sequence[Segment]) -> int:
    """How many pairs of edges without a common vertex meet."""
    pairs = combinations(edges, 2)
    return sum(_cross(at[a], at[b], at[c], at[d]) for (a, b), (c, d) in pairs if len({a, b, c, d}) == 4)

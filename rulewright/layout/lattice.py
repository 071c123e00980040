"""Graphs whose places are hexagons side by side, as positions on the triangular lattice of their centres."""

from __future__ import annotations

from math import cos, pi, sin, sqrt

import networkx as nx

from rulewright.layout.scene import Points

Axial = tuple[int, int]
AROUND: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
FEWEST, MOST = 4, 400
TRIES = 4000
"""A search that needs more steps is given up; a graph of hexagons needs few more than it has places."""


def on_lattice(graph: nx.Graph[int]) -> Points | None:
    """Centres of hexagons such that two touch exactly if their places are neighbours; none if there are none.

    The distance of neighbours is 1. Most links must lie in triangles: a path or a tree has too many ways.
    """
    if not FEWEST <= len(graph) <= MOST or not nx.is_connected(graph):
        return None
    if max(degree for _, degree in graph.degree()) > 6 or graph.number_of_edges() < 2 * len(graph) - 4:
        return None
    found = _Search(graph).run()
    if found is None:
        return None
    return _in_reading_order({v: (q + r / 2, r * sqrt(3) / 2) for v, (q, r) in found.items()})


def _in_reading_order(points: Points) -> Points:
    """The rotation or reflection in which the places come most nearly in their order, row by row."""
    turned = [
        {v: (m * (x * cos(a) - y * sin(a)), x * sin(a) + y * cos(a)) for v, (x, y) in points.items()}
        for m in (1, -1)
        for a in (i * pi / 3 for i in range(6))
    ]
    return min(turned, key=_disorder)


def _disorder(points: Points) -> int:
    row_by_row = sorted(points, key=lambda v: (round(points[v][1], 3), round(points[v][0], 3)))
    rank = {v: i for i, v in enumerate(sorted(points))}
    return sum(abs(rank[v] - i) for i, v in enumerate(row_by_row))


class _Search:
    """Placing one place after another, each beside one that is placed, with backtracking."""

    def __init__(self, graph: nx.Graph[int]) -> None:
        self.graph = graph
        self.order = _order(graph)
        self.at: dict[int, Axial] = {}
        self.taken: dict[Axial, int] = {}
        self.tries = 0

    def run(self) -> dict[int, Axial] | None:
        choices = [iter([(0, 0)])]
        while choices:
            i = len(choices) - 1
            self._lift(self.order[i])
            cell = next((c for c in choices[-1] if self._fits(self.order[i], c)), None)
            self.tries += 1
            if self.tries > TRIES:
                return None
            if cell is None:
                choices.pop()
                continue
            self._put(self.order[i], cell)
            if i + 1 == len(self.order):
                return self.at
            choices.append(iter(self._candidates(self.order[i + 1])))
        return None

    def _put(self, place: int, cell: Axial) -> None:
        self.at[place], self.taken[cell] = cell, place

    def _lift(self, place: int) -> None:
        if place in self.at:
            del self.taken[self.at.pop(place)]

    def _candidates(self, place: int) -> list[Axial]:
        near = next(n for n in sorted(self.graph[place]) if n in self.at)
        q, r = self.at[near]
        return [(q + dq, r + dr) for dq, dr in AROUND]

    def _fits(self, place: int, cell: Axial) -> bool:
        if cell in self.taken:
            return False
        around = {self.taken.get((cell[0] + dq, cell[1] + dr)) for dq, dr in AROUND} - {None}
        return around == {n for n in self.graph[place] if n in self.at}


def _order(graph: nx.Graph[int]) -> list[int]:
    """Each place after those that fix it: the one with the most placed neighbours is next."""
    first = max(sorted(graph), key=lambda v: graph.degree(v))
    order, left = [first], set(graph) - {first}
    while left:
        placed = set(order)
        place = max(sorted(left), key=lambda v: len(placed.intersection(graph[v])))
        order.append(place)
        left.remove(place)
    return order

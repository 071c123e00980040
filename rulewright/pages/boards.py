"""The measures of boards as graphs."""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx

from dsl.rules import TypeDecl
from validators.boards import graph_of


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

"""Planar graphs are drawn without crossings, with room for each place."""

from __future__ import annotations

import random
from math import dist

import networkx as nx
import pytest

from rulewright.drawing.planar import crossings, planar_layout

LENGTH, APART = 90.0, 40.0


def planar(vertices: int, seed: int) -> nx.Graph[int]:
    """A random planar graph that need not be connected: edges are added as long as it stays planar."""
    chance = random.Random(seed)
    graph: nx.Graph[int] = nx.empty_graph(vertices)
    for _ in range(chance.randint(0, 4 * vertices)):
        a, b = chance.sample(range(vertices), 2)
        graph.add_edge(a, b)
        if not nx.check_planarity(graph)[0]:
            graph.remove_edge(a, b)
    return graph


GRAPHS = {
    "one": nx.empty_graph(1),
    "apart": nx.empty_graph(4),
    "edge": nx.path_graph(2),
    "path": nx.path_graph(9),
    "tree": nx.balanced_tree(3, 3),
    "star": nx.star_graph(9),
    "cycle": nx.cycle_graph(12),
    "wheel": nx.wheel_graph(9),
    "complete": nx.complete_graph(4),
    "squares": nx.convert_node_labels_to_integers(nx.grid_2d_graph(6, 6)),
    "hexagons": nx.convert_node_labels_to_integers(nx.hexagonal_lattice_graph(3, 3)),
    "two parts": nx.disjoint_union(nx.cycle_graph(5), nx.star_graph(6)),
    "bridges": nx.barbell_graph(4, 2),
    "dodecahedron": nx.dodecahedral_graph(),
    **{f"random {seed}": planar(4 + 2 * seed, seed) for seed in range(12)},
}


@pytest.mark.parametrize("name", GRAPHS)
def test_edges_do_not_cross(name: str) -> None:
    graph = GRAPHS[name]
    at = planar_layout(graph, LENGTH, APART)
    assert at is not None
    assert at.keys() == set(graph)
    assert crossings(at, list(graph.edges)) == 0
    assert min((dist(at[a], at[b]) for a in at for b in at if a < b), default=APART) >= APART - 1e-6
    assert min(min(point) for point in at.values()) >= 0


def test_a_graph_that_is_not_planar() -> None:
    assert planar_layout(nx.complete_graph(5), LENGTH, APART) is None


def test_crossings_are_counted() -> None:
    square = {0: (0.0, 0.0), 1: (1.0, 1.0), 2: (0.0, 1.0), 3: (1.0, 0.0)}
    assert crossings(square, [(0, 1), (2, 3)]) == 1
    assert crossings(square, [(0, 2), (1, 3)]) == 0


def test_the_same_graph_is_drawn_alike() -> None:
    graph = planar(20, 5)
    assert planar_layout(graph, LENGTH, APART) == planar_layout(graph.copy(), LENGTH, APART)

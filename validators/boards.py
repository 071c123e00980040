"""Boards as graphs."""

from __future__ import annotations

import networkx as nx

from dsl.rules import TypeDecl


def is_board(decl: TypeDecl) -> bool:
    """Whether a type has places with links between them."""
    return decl.shape != "none" and any(decl.links)


def graph_of(decl: TypeDecl, seats: int) -> nx.Graph[int]:
    """The places of a board that are used with a number of seats, and their links."""
    graph: nx.Graph[int] = nx.Graph()
    present = set(decl.present(seats))
    graph.add_nodes_from(present)
    for place in present:
        graph.add_edges_from((place, v) for v in decl.links[place - decl.lo] if v in present)
    return graph

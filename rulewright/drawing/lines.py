"""The parts of a picture: nodes, edges with their labels, and chips that stand for long edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import networkx as nx

from rulewright.drawing.diagram import DiagramNode, Edge
from rulewright.drawing.layout import Box, Layout, Point
from rulewright.drawing.shapes import FAINT, PAPER, SMALL, draw, size, text, text_width

GAP = 64.0
"""The space between two columns, in pixels."""
CHIP, CHIP_GAP = 17.0, 3.0


@dataclass
class Picture:
    """SVG elements, and how far they reach to the right and down."""

    parts: list[str]
    right: float
    bottom: float


def chip_width(words: str) -> float:
    return text_width(words, SMALL) + 12


def chip(words: str, left: float, top: float) -> str:
    """Words in a small box with its upper left corner at a point."""
    box = f'x="{left:.1f}" y="{top:.1f}" width="{chip_width(words):.1f}" height="{CHIP}" rx="3"'
    inside = text(words, left + 6, top + 12, SMALL, FAINT, "start")
    return f'<rect {box} fill="#f3f5f8" stroke="#c3ccd6"/>{inside}'


def node_box(node: DiagramNode, chips: Sequence[str] = ()) -> Box:
    """The room that a node takes with the chips below it."""
    room = size(node)
    width = max([room.width, *map(chip_width, chips)])
    return Box(width, room.height / 2, room.height / 2 + len(chips) * (CHIP + CHIP_GAP), room.width)


def drawn_node(node: DiagramNode, box: Box, layout: Layout, left: float, top: float) -> str:
    """A node at its place, with the layout's corner at a point."""
    x, y = layout.ports[node.id]
    return draw(node, left + x, top + y - box.above)


def drawn_edge(edge: Edge, layout: Layout, left: float, top: float) -> str:
    """An edge with its label, with the layout's corner at a point."""
    points = tuple((left + x, top + y) for x, y in layout.routes[edge.source, edge.target])
    path = line(curve(points))
    if not edge.text:
        return path
    (x1, y1), (x2, y2) = points[2:4] if len(points) > 3 else points[1:3]
    return path + label(edge.text, (x1 + x2) / 2, (y1 + y2) / 2)


def curve(points: tuple[Point, ...]) -> str:
    """A path through the points of a route: straight through columns, curved between them."""
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for i, (x, y) in enumerate(points[1:], start=1):
        before = points[i - 1]
        if i % 2:
            parts.append(f"L{x:.1f} {y:.1f}")
        else:
            bend = (before[0] + x) / 2
            parts.append(f"C{bend:.1f} {before[1]:.1f} {bend:.1f} {y:.1f} {x:.1f} {y:.1f}")
    return " ".join(parts)


def line(path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{FAINT}" stroke-width="1.3" marker-end="url(#arrow)"/>'


def label(words: str, x: float, y: float) -> str:
    """The label of an edge, on a white rectangle."""
    width = text_width(words, SMALL) + 6
    return (f'<rect x="{x - width / 2:.1f}" y="{y - 7:.1f}" width="{width:.1f}" height="14" fill="{PAPER}"/>'
            f"{text(words, x, y + 3.5, SMALL, FAINT)}")  # fmt: skip


def parted(ids: Iterable[str], edges: Iterable[Edge]) -> tuple[list[Edge], list[Edge]]:
    """Forward edges and back edges, in depth-first order."""
    by_ends = {(edge.source, edge.target): edge for edge in edges}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(ids)
    graph.add_edges_from(by_ends)
    number = {node: i for i, node in enumerate(nx.dfs_postorder_nodes(graph))}
    ordered = [by_ends[ends] for source in nx.dfs_preorder_nodes(graph) for ends in graph.out_edges(source)]
    return (
        [edge for edge in ordered if number[edge.source] > number[edge.target]],
        [edge for edge in ordered if number[edge.source] <= number[edge.target]],
    )

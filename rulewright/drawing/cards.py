"""The picture of a flow of phases: a row of cards; what leads back runs below them."""

from __future__ import annotations

from rulewright.drawing.diagram import Diagram, Edge, Node
from rulewright.drawing.layout import Box, Layout, Point, layered
from rulewright.drawing.lines import GAP, Picture, drawn_edge, drawn_node, label, line, parted
from rulewright.drawing.shapes import size

LANE = 30.0
"""The space between two lines that lead back."""


def draw_cards(diagram: Diagram, left: float, top: float) -> Picture:
    """The picture, its upper left corner at a point."""
    ids = [n.id for n in diagram.nodes]
    forward, back = parted(ids, diagram.edges)
    boxes = {n.id: _box(n) for n in diagram.nodes}
    layout = layered(boxes, [(e.source, e.target) for e in forward], 2 * GAP)
    parts = [drawn_edge(e, layout, left, top) for e in forward]
    below = top + layout.height
    for edge in sorted(back, key=lambda e: abs(layout.ports[e.source][0] - layout.ports[e.target][0])):
        below += LANE
        parts.append(_lane(edge, boxes, layout, (left, top), below))
    parts.extend(drawn_node(n, boxes[n.id], layout, left, top) for n in diagram.nodes)
    return Picture(parts, left + layout.width, below)


def _box(node: Node) -> Box:
    room = size(node)
    return Box(room.width, room.height / 2, room.height / 2, room.width)


def _lane(edge: Edge, boxes: dict[str, Box], layout: Layout, corner: Point, below: float) -> str:
    """A line that leads back: out to the right, down, along below everything, up and in again."""
    x1, y1 = _side(edge.source, boxes, layout, corner)
    x2, y2 = _side(edge.target, boxes, layout, corner)
    x1 += boxes[edge.source].width
    right, left, r = layout.ends[edge.source] + corner[0] + GAP * 0.4, x2 - GAP * 0.6, 8.0
    path = (f"M{x1:.1f} {y1:.1f}H{right - r:.1f}q{r} 0 {r} {r}V{below - r:.1f}q0 {r} {-r} {r}"
            f"H{left + r:.1f}q{-r} 0 {-r} {-r}V{y2 + r:.1f}q0 {-r} {r} {-r}H{x2:.1f}")  # fmt: skip
    words = label(edge.text, (x1 + x2) / 2, below) if edge.text else ""
    return line(path) + words


def _side(id: str, boxes: dict[str, Box], layout: Layout, corner: Point) -> Point:
    """The left side of a node, a little below its port."""
    x, y = layout.ports[id]
    return corner[0] + x, corner[1] + y + min(14.0, boxes[id].below / 2)

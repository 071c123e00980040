"""The picture of a flow of phases: cards in columns, with back edges above or below them."""

from __future__ import annotations

from rulewright.drawing.diagram import Diagram, Edge
from rulewright.drawing.layout import Box, Layout, Point, layered
from rulewright.drawing.lines import GAP, Picture, drawn_edge, drawn_node, label, line, node_box, parted

LANE, OUT = 30.0, 26.0
"""The space between two back edges, and how far they extend to the side before they turn."""


def draw_cards(diagram: Diagram, left: float, top: float) -> Picture:
    """The picture with its upper left corner at a point."""
    forward, back = parted([n.id for n in diagram.nodes], diagram.edges)
    boxes = {n.id: node_box(n) for n in diagram.nodes}
    layout = layered(boxes, [(e.source, e.target) for e in forward], 2 * GAP)
    back.sort(key=lambda e: abs(layout.ports[e.source][0] - layout.ports[e.target][0]))
    over = [e for e in back if _is_high(e, layout)]
    under = [e for e in back if e not in over]
    top += LANE * len(over)
    corner, bottom = (left, top), top + layout.height
    parts = [drawn_edge(e, layout, left, top) for e in forward]
    parts += [_lane(e, boxes, layout, corner, top - LANE * i) for i, e in enumerate(over, start=1)]
    parts += [_lane(e, boxes, layout, corner, bottom + LANE * i) for i, e in enumerate(under, start=1)]
    parts += [drawn_node(n, boxes[n.id], layout, left, top) for n in diagram.nodes]
    right = max([layout.width, *(layout.ends[e.source] + OUT for e in back)])
    return Picture(parts, left + right, bottom + LANE * len(under))


def _is_high(edge: Edge, layout: Layout) -> bool:
    """Whether a back edge is shorter above the cards than below."""
    return layout.ports[edge.source][1] + layout.ports[edge.target][1] < layout.height


def _lane(edge: Edge, boxes: dict[str, Box], layout: Layout, corner: Point, lane: float) -> str:
    """A back edge: out to the right, along the lane above or below the cards, and in from the left."""
    sign = -1 if lane < corner[1] else 1
    x1, y1 = _side(edge.source, boxes, layout, corner, sign)
    x2, y2 = _side(edge.target, boxes, layout, corner, sign)
    x1 += boxes[edge.source].width
    right, left, r = layout.ends[edge.source] + corner[0] + OUT, x2 - 1.5 * OUT, 8.0
    turn = sign * r
    path = (
        f"M{x1:.1f} {y1:.1f}H{right - r:.1f}q{r} 0 {r} {turn}V{lane - turn:.1f}q0 {turn} {-r} {turn}"
        f"H{left + r:.1f}q{-r} 0 {-r} {-turn}V{y2 + turn:.1f}q0 {-turn} {r} {-turn}H{x2:.1f}"
    )
    words = label(edge.text, (x1 + x2) / 2, lane) if edge.text else ""
    return line(path) + words


def _side(id: str, boxes: dict[str, Box], layout: Layout, corner: Point, sign: int) -> Point:
    """The left side of a node, a little above (-1) or below (1) its port."""
    x, y = layout.ports[id]
    room = boxes[id].below if sign > 0 else boxes[id].above
    return corner[0] + x, corner[1] + y + sign * min(14.0, room / 2)

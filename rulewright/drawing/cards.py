"""The picture of a flow of phases: a row of cards; what leads back runs above or below them."""

from __future__ import annotations

from rulewright.drawing.diagram import Diagram, DiagramNode, Edge
from rulewright.drawing.layout import Box, Layout, Point, layered
from rulewright.drawing.lines import GAP, Picture, drawn_edge, drawn_node, label, line, parted
from rulewright.drawing.shapes import size

LANE, OUT = 30.0, 26.0
"""The space between two lines that lead back, and how far they lead out before they turn."""


def draw_cards(diagram: Diagram, left: float, top: float) -> Picture:
    """The picture, its upper left corner at a point."""
    forward, back = parted([n.id for n in diagram.nodes], diagram.edges)
    boxes = {n.id: _box(n) for n in diagram.nodes}
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
    """Whether the way back is shorter above everything than below."""
    return layout.ports[edge.source][1] + layout.ports[edge.target][1] < layout.height


def _box(node: DiagramNode) -> Box:
    room = size(node)
    return Box(room.width, room.height / 2, room.height / 2, room.width)


def _lane(edge: Edge, boxes: dict[str, Box], layout: Layout, corner: Point, lane: float) -> str:
    """A line that leads back: out to the right, along above or below everything, and in from the left."""
    way = -1 if lane < corner[1] else 1
    x1, y1 = _side(edge.source, boxes, layout, corner, way)
    x2, y2 = _side(edge.target, boxes, layout, corner, way)
    x1 += boxes[edge.source].width
    right, left, r = layout.ends[edge.source] + corner[0] + OUT, x2 - 1.5 * OUT, 8.0
    turn = way * r
    path = (
        f"M{x1:.1f} {y1:.1f}H{right - r:.1f}q{r} 0 {r} {turn}V{lane - turn:.1f}q0 {turn} {-r} {turn}"
        f"H{left + r:.1f}q{-r} 0 {-r} {-turn}V{y2 + turn:.1f}q0 {-turn} {r} {-turn}H{x2:.1f}"
    )
    words = label(edge.text, (x1 + x2) / 2, lane) if edge.text else ""
    return line(path) + words


def _side(id: str, boxes: dict[str, Box], layout: Layout, corner: Point, way: int) -> Point:
    """The left side of a node, a little above (-1) or below (1) its port."""
    x, y = layout.ports[id]
    room = boxes[id].below if way > 0 else boxes[id].above
    return corner[0] + x, corner[1] + y + way * min(14.0, room / 2)

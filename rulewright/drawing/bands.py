"""The picture of a machine: a band for each phase and each decision of the flow, from left to right.

Forward edges within a band are lines. A back edge, or one to another band, is a chip below its source with
the number of its target.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.drawing.diagram import Diagram, DiagramNode, Edge, Kind
from rulewright.drawing.layout import Layout, Point, layered
from rulewright.drawing.lines import (
    CHIP,
    CHIP_GAP,
    GAP,
    Picture,
    chip,
    drawn_edge,
    drawn_node,
    node_box,
    parted,
)
from rulewright.drawing.shapes import FAINT, PAPER, SMALL, size, text

BETWEEN = 44.0
"""The space between two bands."""


def draw_bands(diagram: Diagram, left: float, top: float) -> Picture:
    """The picture with its upper left corner at a point."""
    plan = _Plan(diagram)
    picture, starts = Picture([], left, top), []
    for number, band in enumerate(plan.bands):
        start = picture.bottom + (BETWEEN if number else 0)
        _band(picture, plan, band, (left, start))
        starts.append(start)
    for start in starts[1:]:
        y = start - BETWEEN / 2
        picture.parts.append(f'<path d="M{left} {y:.1f}H{picture.right:.1f}" stroke="#dfe5eb"/>')
    return picture


@dataclass
class _Plan:
    """Which edges are lines and which are chips.

    `chips` has for each node the texts of its chips, `numbers` the numbers of the nodes that chips name.
    """

    diagram: Diagram
    bands: list[list[str]] = field(init=False)
    drawn: list[Edge] = field(init=False)
    chips: dict[str, list[str]] = field(init=False)
    numbers: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._nodes = {n.id: n for n in self.diagram.nodes}
        self.bands = self._banded()
        self._where = {id: i for i, band in enumerate(self.bands) for id in band}
        self.drawn, _ = parted(self._nodes, (e for e in self.diagram.edges if self._stays(e)))
        kept = set(self.drawn)
        others = [e for e in self.diagram.edges if e not in kept]
        named = {e.target for e in others if e.source != e.target}
        self.numbers = {id: i for i, id in enumerate((n for n in self._where if n in named), start=1)}
        self.chips = {}
        for edge in others:
            self.chips.setdefault(edge.source, []).append(self._words(edge))

    def _banded(self) -> list[list[str]]:
        """The nodes of each band, its first one first; those of all triggers are one band."""
        after: dict[str, list[str]] = {id: [] for id in self._nodes}
        for edge in self.diagram.edges:
            if not _begins(self._nodes[edge.target]):
                after[edge.source].append(edge.target)
        taken: set[str] = set()
        bands = [_reached([root], after, taken) for root in self._roots()]
        bands[0][:0] = self._of(Kind.START)
        triggers = _reached(self._of(Kind.TRIGGER), after, taken)
        return [*bands, *([triggers] if triggers else [])]

    def _roots(self) -> list[str]:
        """The first nodes of bands: each phase, and after it the decisions of the flow that it leads to."""
        after: dict[str, list[str]] = {id: [] for id in self._nodes}
        for edge in self.diagram.edges:
            if self._nodes[edge.target].kind is not Kind.PHASE:
                after[edge.source].append(edge.target)
        taken: set[str] = set()
        reached = [id for phase in self._of(Kind.PHASE) for id in _reached([phase], after, taken)]
        return [id for id in reached if _begins(self._nodes[id])]

    def _of(self, kind: Kind) -> list[str]:
        return [id for id, node in self._nodes.items() if node.kind is kind]

    def _stays(self, edge: Edge) -> bool:
        """Whether an edge stays within its band and does not restart it."""
        if edge.source == edge.target or self._where[edge.source] != self._where[edge.target]:
            return False
        start = self._nodes[edge.source].kind is Kind.START
        return start or not _begins(self._nodes[edge.target])

    def _words(self, edge: Edge) -> str:
        if edge.source == edge.target:
            return f"{edge.text} again".strip()
        return f"{edge.text} → {self.numbers[edge.target]} {self._nodes[edge.target].text}".strip()


def _begins(node: DiagramNode) -> bool:
    """Whether a node begins a band: a phase, or a decision of the flow itself."""
    return node.kind is Kind.PHASE or (node.kind is Kind.DECISION and not node.group)


def _reached(roots: list[str], after: dict[str, list[str]], taken: set[str]) -> list[str]:
    """The nodes that are reached from some, breadth first, without those that are taken."""
    found, todo = [], list(roots)
    while todo:
        id = todo.pop(0)
        if id not in taken:
            taken.add(id)
            found.append(id)
            todo.extend(after[id])
    return found


def _band(picture: Picture, plan: _Plan, band: list[str], corner: Point) -> None:
    """Adds one band below what the picture holds already."""
    inside = set(band)
    nodes = [n for n in plan.diagram.nodes if n.id in inside]
    edges = [e for e in plan.drawn if e.source in inside]
    boxes = {n.id: node_box(n, plan.chips.get(n.id, [])) for n in nodes}
    layout = layered(boxes, [(e.source, e.target) for e in edges], GAP)
    left, top = corner
    picture.parts.extend(drawn_edge(e, layout, left, top) for e in edges)
    for node in nodes:
        picture.parts.append(drawn_node(node, boxes[node.id], layout, left, top))
        picture.parts.extend(_marks(node, plan, layout, corner))
    picture.right = max(picture.right, left + layout.width)
    picture.bottom = top + layout.height


def _marks(node: DiagramNode, plan: _Plan, layout: Layout, corner: Point) -> list[str]:
    """The number of a node and the chips below it."""
    x, y = (a + b for a, b in zip(layout.ports[node.id], corner, strict=True))
    half = size(node).height / 2
    parts = [
        chip(words, x, y + half + CHIP_GAP + i * (CHIP + CHIP_GAP))
        for i, words in enumerate(plan.chips.get(node.id, []))
    ]
    if node.id in plan.numbers:
        number = str(plan.numbers[node.id])
        parts.append(f'<circle cx="{x - 1:.1f}" cy="{y - half - 1:.1f}" r="9" fill="{FAINT}"/>')
        parts.append(text(number, x - 1, y - half + 2.6, SMALL, PAPER, bold=True))
    return parts

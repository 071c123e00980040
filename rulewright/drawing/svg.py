"""A diagram as SVG, without external programs."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from rulewright.drawing.bands import draw_bands
from rulewright.drawing.cards import draw_cards
from rulewright.drawing.diagram import Diagram, Kind
from rulewright.drawing.lines import Picture, chip, chip_width
from rulewright.drawing.shapes import FAINT, INK, PAPER, SMALL, Size, outline, text, text_width

MARGIN, TITLE = 28.0, 17.0
FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
NAMES: dict[Kind, str] = {
    Kind.PHASE: "phase",
    Kind.DECISION: "a decision",
    Kind.CHANCE: "chance",
    Kind.ACTION: "what is done",
    Kind.EFFECT: "effect",
    Kind.SEATS: "seat by seat, or all",
    Kind.TRIGGER: "whenever this comes true",
    Kind.END: "the end",
}
CHIP = "→ 3 continues at 3"


def svg(diagram: Diagram, grouped: bool = False) -> str:
    """The picture with a title and a legend, as one SVG element.

    With `grouped`, each node of phases is a group that has its id as `data-node`, for a page that lights it.
    """
    paint = draw_bands if diagram.level == "machine" else draw_cards
    picture = paint(diagram, MARGIN, MARGIN + 40)
    if grouped and paint is draw_cards:
        picture = _grouped(picture, diagram)
    legend = _legend(diagram, MARGIN, picture.bottom + 34)
    right = max(picture.right, legend.right, MARGIN + text_width(diagram.title, TITLE))
    width, height = right + MARGIN, legend.bottom + MARGIN
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}">',
        f"<title>{escape(diagram.title)}</title>",
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{FAINT}"/></marker></defs>',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        text(diagram.title, MARGIN, MARGIN + 10, TITLE, INK, "start", bold=True),
        *picture.parts, *legend.parts, "</svg>", "",
    ])  # fmt: skip


def _grouped(picture: Picture, diagram: Diagram) -> Picture:
    """The same picture of cards, whose last parts are its nodes in their order, each as a group."""
    lines, nodes = picture.parts[: -len(diagram.nodes)], picture.parts[-len(diagram.nodes) :]
    groups = [
        f"<g data-node={quoteattr(node.id)}>{part}</g>"
        for node, part in zip(diagram.nodes, nodes, strict=True)
    ]
    return Picture([*lines, *groups], picture.right, picture.bottom)


def _legend(diagram: Diagram, left: float, top: float) -> Picture:
    """Samples of the kinds that occur."""
    parts = []
    kinds = {node.kind for node in diagram.nodes}
    kinds |= {Kind.DECISION for node in diagram.nodes for row in node.rows if row.kind is Kind.DECISION}
    for kind in (k for k in NAMES if k in kinds):
        parts.append(outline(kind, left, top, Size(34, 18)))
        parts.append(text(NAMES[kind], left + 42, top + 13, SMALL, FAINT, "start"))
        left += 42 + text_width(NAMES[kind], SMALL) + 26
    if diagram.level == "machine":
        parts.append(chip(CHIP, left, top))
        left += chip_width(CHIP)
    return Picture(parts, left, top + 18)

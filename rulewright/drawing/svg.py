"""A diagram as SVG, laid out and drawn without any other program."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from xml.sax.saxutils import escape

import networkx as nx

from rulewright.drawing.diagram import Diagram, Edge, Kind, Node
from rulewright.drawing.layout import Box, Layout, Point, layered
from rulewright.drawing.shapes import FAINT, INK, PAPER, SMALL, TEXT, Size, draw, outline, size, text, text_width

MARGIN, GAP, BETWEEN_BANDS, LANE = 28.0, 64.0, 44.0, 30.0
CHIP, CHIP_GAP = 17.0, 3.0
FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
NAMES: dict[Kind, str] = {
    Kind.DECISION: "a decision",
    Kind.CHANCE: "chance",
    Kind.ACTION: "what is done",
    Kind.EFFECT: "effect",
    Kind.SEATS: "seat by seat, or all",
    Kind.TRIGGER: "whenever this comes true",
    Kind.PHASE: "phase",
    Kind.END: "the end",
}


def svg(diagram: Diagram) -> str:
    """The whole picture, with a title and a legend."""
    picture = _Machine(diagram) if diagram.level == "machine" else _Phases(diagram)
    body = picture.draw(MARGIN, MARGIN + 34)
    legend, wide = _legend(diagram, MARGIN, picture.bottom + 34)
    width = max(picture.right, wide, MARGIN + text_width(diagram.title, 17)) + MARGIN
    height = picture.bottom + 34 + 40
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}">',
        f"<title>{escape(diagram.title)}</title>",
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{FAINT}"/></marker></defs>',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        text(diagram.title, MARGIN, MARGIN + 10, 17, INK, "start", bold=True),
        *body, legend, "</svg>", "",
    ])  # fmt: skip


def _legend(diagram: Diagram, left: float, top: float) -> tuple[str, float]:
    """Samples of the kinds that occur, and how far they reach to the right."""
    parts = []
    kinds = {node.kind for node in diagram.nodes}
    for kind, name in NAMES.items():
        if kind in kinds:
            parts.append(outline(kind, left, top, Size(34, 18)))
            parts.append(text(name, left + 42, top + 13, SMALL, FAINT, "start"))
            left += 42 + text_width(name, SMALL) + 26
    if diagram.level == "machine":
        parts.append(_chip("goes on at node 3", left, top))
        left += text_width("→ 3 name", SMALL)
    return "".join(parts), left


def _chip(words: str, left: float, top: float) -> str:
    width = text_width(words, SMALL) + 12
    return (f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{CHIP}" rx="3" '
            f'fill="#f3f5f8" stroke="#c3ccd6"/>{text(words, left + 6, top + 12, SMALL, FAINT, "start")}')  # fmt: skip


# ---- lines


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


def _line(path: str) -> str:
    return f'<path d="{path}" fill="none" stroke="{FAINT}" stroke-width="1.3" marker-end="url(#arrow)"/>'


def _label(words: str, x: float, y: float) -> str:
    """Words on a line, with paper behind them."""
    width = text_width(words, SMALL) + 6
    return (f'<rect x="{x - width / 2:.1f}" y="{y - 7:.1f}" width="{width:.1f}" height="14" fill="{PAPER}"/>'
            f"{text(words, x, y + 3.5, SMALL, FAINT)}")  # fmt: skip

"""Faces as data on paper: the parts that a layout has placed, drawn on a canvas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl.rules.look import Outline
from rulewright.layout.boxes import Area, Filled, Lettered, Part, Pictured, hexagon
from rulewright.printing.canvas import EDGE, Box, Canvas

THIN = 0.25
"""The width in mm of the line around a box."""


def draw_parts(canvas: Canvas, box: Box, bleed: float, parts: Sequence[Part], outline: Outline) -> None:
    """A face in the box that is cut out; what reaches further is seen as far as the bleed."""
    x, y, width, height = box
    with canvas.clipped((x - bleed, y - bleed, width + 2 * bleed, height + 2 * bleed)):
        for part in parts:
            _draw(canvas, (x, y), part)
    match outline:
        case "rectangle":
            pass
        case "round":
            canvas.ellipse(box, EDGE)
        case "hex":
            canvas.polygon(hexagon(box), None, EDGE)
        case _:
            assert_never(outline)


def _draw(canvas: Canvas, corner: tuple[float, float], part: Part) -> None:
    match part:
        case Filled(area=area, fill=fill, edge=edge, radius=radius, opacity=opacity):
            radius = min(radius, area[2] / 2, area[3] / 2)
            with canvas.seen_through(opacity):
                canvas.rectangle(_at(corner, area), fill or None, edge or None, radius=radius, wide=THIN)
        case Pictured(area=area, url=url, cover=cover):
            canvas.picture(_at(corner, area), url, cover=cover)
        case Lettered():
            x, y = corner[0] + part.x, corner[1] + part.y
            canvas.line_of_text(x, y, part.text, part.size, part.ink, bold=part.bold, italic=part.italic)
        case _:
            assert_never(part)


def _at(corner: tuple[float, float], area: Area) -> Box:
    return corner[0] + area[0], corner[1] + area[1], area[2], area[3]

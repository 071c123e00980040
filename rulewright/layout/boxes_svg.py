"""A face that is laid out, as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never
from xml.sax.saxutils import escape, quoteattr

from dsl.rules.look import Outline
from rulewright.layout.boxes import Area, Filled, Lettered, Part, Pictured
from rulewright.layout.letters import MM

FAMILY = "DejaVu Sans, Verdana, sans-serif"
BASE = 0.35
"""From the middle of a line down to its base line, in the size of the letters."""
THIN = 0.25


def face_svg(parts: Iterable[Part], size: tuple[float, float], outline: Outline) -> str:
    """A face as an SVG file without its bleed; what lies outside of the outline is not seen."""
    width, height = size
    inner = "".join(map(_drawn, parts))
    cut = _cut(width, height, outline)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">'
        f'<clipPath id="cut">{cut}</clipPath><g clip-path="url(#cut)">{inner}</g></svg>'
    )


def _cut(width: float, height: float, outline: Outline) -> str:
    match outline:
        case "rectangle":
            return f'<rect width="{width:g}" height="{height:g}"/>'
        case "round":
            return f'<ellipse cx="{width / 2:g}" cy="{height / 2:g}" rx="{width / 2:g}" ry="{height / 2:g}"/>'
        case "hex":
            corners = " ".join(f"{x:g},{y:g}" for x, y in hexagon((0.0, 0.0, width, height)))
            return f'<polygon points="{corners}"/>'
        case _:
            assert_never(outline)


def hexagon(area: Area) -> list[tuple[float, float]]:
    """The corners of the hexagon in an area, from the upper one on, clockwise."""
    x, y, width, height = area
    return [
        (x + width * across, y + height * down)
        for across, down in ((0.5, 0.0), (1.0, 0.25), (1.0, 0.75), (0.5, 1.0), (0.0, 0.75), (0.0, 0.25))
    ]


def _drawn(part: Part) -> str:
    match part:
        case Filled(area=area, fill=fill, edge=edge, radius=radius, opacity=opacity):
            line = f" stroke={quoteattr(edge)} stroke-width={quoteattr(str(THIN))}" if edge else ""
            seen = f' fill-opacity="{opacity:g}"' if opacity < 1 else ""
            return f'<rect{_at(area)} rx="{radius:g}" fill={quoteattr(fill or "none")}{seen}{line}/>'
        case Pictured(area=area, url=url, cover=cover):
            fit = "slice" if cover else "meet"
            return f'<image{_at(area)} preserveAspectRatio="xMidYMid {fit}" href={quoteattr(url)}/>'
        case Lettered():
            return _text(part)
        case _:
            assert_never(part)


def _at(area: Area) -> str:
    return ' x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"'.format(*area)


def _text(part: Lettered) -> str:
    style = ' font-weight="bold"' * part.bold + ' font-style="italic"' * part.italic
    size = part.size * MM
    return (
        f'<text x="{part.x:.2f}" y="{part.y + BASE * size:.2f}" font-family="{FAMILY}" font-size="{size:.3f}"'
        f' fill={quoteattr(part.ink)} textLength="{part.width:.2f}" lengthAdjust="spacingAndGlyphs"{style}>'
        f"{escape(part.text)}</text>"
    )

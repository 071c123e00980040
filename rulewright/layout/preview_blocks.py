"""Parts of a still picture: rectangles of SVG that are put beside and below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from dsl.signs import in_colour
from rulewright.layout.colours import INK, readable
from rulewright.layout.scene import Point

GAP = 8.0
EDGE = "#57606a"
_CORNERS, _RISING = ((-1, -1), (1, -1), (-1, 1), (1, 1)), ((1, -1), (-1, 1))
PIPS: dict[str, tuple[tuple[int, int], ...]] = {
    "1": ((0, 0),),
    "2": _RISING,
    "3": ((0, 0), *_RISING),
    "4": _CORNERS,
    "5": ((0, 0), *_CORNERS),
    "6": ((-1, 0), (1, 0), *_CORNERS),
}
"""Where the pips of a die are, by its face: to the right and downwards from the middle."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A part of the picture with its size; `svg` is drawn from its upper left corner."""

    width: float
    height: float
    svg: str


# ---- putting blocks together


def at(x: float, y: float, svg: str) -> str:
    return f'<g transform="translate({x:.1f} {y:.1f})">{svg}</g>'


def flow(blocks: Sequence[Sketch], width: float) -> Sketch:
    """Blocks in rows, from left to right."""
    x = y = high = wide = 0.0
    parts = []
    for block in blocks:
        if x and x + block.width > width:
            x, y, high = 0.0, y + high + GAP, 0.0
        parts.append(at(x, y, block.svg))
        x, high = x + block.width + GAP, max(high, block.height)
        wide = max(wide, x - GAP)
    return Sketch(wide, y + high, "".join(parts))


def within(centre: Point, blocks: Sequence[Sketch], size: float) -> str:
    """Sketches side by side on a place of a board, made smaller if they do not fit."""
    whole = flow(blocks, max(size * 1.1, max(b.width for b in blocks)))
    scale = min(1.0, 1.0 * size / max(whole.width, 1.0), 1.6 * size / max(whole.height, 1.0))
    x, y = centre[0] - whole.width * scale / 2, centre[1] - whole.height * scale / 2
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{whole.svg}</g>'


# ---- single blocks


def text(
    x: float, y: float, words: str, size: float, fill: str = INK, anchor: str = "start", *, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" fill="{fill}" '
        f'font-family="sans-serif"{weight}>{escape(words)}</text>'
    )


def rounded(width: float, height: float, fill: str, radius: float) -> str:
    return (
        f'<rect x="0.5" y="0.5" width="{width - 1:.1f}" height="{height - 1:.1f}" rx="{radius:.1f}" '
        f'fill="{fill}" stroke="{EDGE}" stroke-opacity="0.6"/>'
    )


def chip(words: str) -> Sketch:
    width = len(words) * 7.0 + 16
    return Sketch(
        width, 24, rounded(width, 24, "#ffffff", 12) + text(width / 2, 16.5, words, 12, INK, "middle")
    )


def counted(block: Sketch, number: int) -> Sketch:
    """A block with a number, unless it is 1."""
    if number == 1:
        return block
    words = f"×{number}"
    width = block.width + 10 + 7 * len(words)
    return Sketch(width, block.height, block.svg + text(block.width + 4, block.height / 2 + 5, words, 13))


def disc(fill: str, size: float, words: str) -> Sketch:
    """A round piece with a short text or an icon."""
    return Sketch(size, size, rounded(size, size, fill, size / 2) + _in_disc(words, size, readable(fill)))


def _in_disc(words: str, size: float, ink: str) -> str:
    if words.startswith("data:"):
        return sign(words, size * 0.8, size * 0.8, ink, size * 0.1)
    return text(size / 2, size / 2 + size * 0.18, words, size * 0.5, ink, "middle") if words else ""


def figure(paths: tuple[str, str], size: float, fill: str, ink: str) -> Sketch:
    """A man: its outline and the lines within it, which are 36 units wide."""
    body, lines = paths
    drawn = (
        f'<g transform="translate({size / 2:.1f} {size / 2:.1f}) scale({size / 36:.2f})" stroke="{ink}" '
        f'stroke-width="1.4" stroke-linejoin="round" stroke-linecap="round"><path d="{body}" fill="{fill}"/>'
        f'<path d="{lines}" fill="none"/></g>'
    )
    return Sketch(size, size, drawn)


def heap(number: int, fill: str) -> Sketch:
    """Up to five pieces one above the other, with their number if there are more than one."""
    shown, size, step = min(number, 5), 26.0, 9.0
    parts = [at(0, (shown - 1 - i) * step, rounded(size, size, fill, size / 2)) for i in range(shown)]
    words = text(size / 2, size / 2 + 4.5, str(number), 13, readable(fill), "middle") if number > 1 else ""
    return Sketch(size, size + (shown - 1) * step, "".join(parts) + words)


def pips(face: str, size: float, ink: str) -> str:
    """The pips of a die."""
    step, middle, r = size * 0.25, size / 2, size * 0.09
    return "".join(
        f'<circle cx="{middle + x * step:.1f}" cy="{middle + y * step:.1f}" r="{r:.1f}" fill="{ink}"/>'
        for x, y in PIPS[face]
    )


def picture(url: str, size: float, x: float, y: float) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" width="{size:.1f}" height="{size:.1f}"'
    return f"<image {where} href={quoteattr(url)}/>"


def sign(words: str, width: float, height: float, ink: str, margin: float = 0.0) -> str:
    """A short text or an icon in the middle, within a margin."""
    if words.startswith("data:"):
        size = min(width, height) * 0.8
        x, y = margin + (width - size) / 2, margin + (height - size) / 2
        return picture(in_colour(words, ink), size, x, y)
    size = min(13.0, (1.5 if words.isascii() else 1.1) * width / max(2, len(words)))
    return text(width / 2, height / 2 + size * 0.36, words, size, ink, "middle")

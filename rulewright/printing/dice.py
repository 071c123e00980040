"""Dice on paper: a net to cut out, fold and glue."""

from __future__ import annotations

from rulewright.layout.letters import MM
from rulewright.layout.preview_blocks import PIPS
from rulewright.printing.canvas import EDGE, Box, Canvas

SIDE, TAB = 16.0, 4.0
"""The side of a die, and the depth of the tabs for glue, in mm."""
NET = (4 * SIDE + TAB, 3 * SIDE)
"""Width and height of a net."""
PLACES = ((1, 0), (0, 1), (1, 1), (2, 1), (3, 1), (1, 2))
"""Column and row of each face; the first lies opposite the last, the second and third opposite the others."""
OPPOSITE = (0, 1, 2, 4, 3, 5)
"""Which face comes to each place, so that those with numbers that add up to seven lie opposite each other."""
SIX = 6


def draw_net(canvas: Canvas, box: Box, faces: list[str], fill: str, ink: str) -> None:
    """A net of six faces; `faces` are texts, of which single digits are drawn as pips."""
    left, top = box[0], box[1]
    _tabs(canvas, left, top)
    for (column, row), i in zip(PLACES, OPPOSITE, strict=True):
        at = left + column * SIDE, top + row * SIDE
        canvas.rectangle((*at, SIDE, SIDE), fill, EDGE)
        _face(canvas, at, faces[i], ink)


def _face(canvas: Canvas, at: tuple[float, float], text: str, ink: str) -> None:
    x, y = at
    if text in PIPS:
        for dx, dy in PIPS[text]:
            centre = x + SIDE / 2 + dx * SIDE / 4, y + SIDE / 2 + dy * SIDE / 4
            canvas.circle(centre, SIDE * 0.09, ink, None)
    else:
        canvas.text_in((x + 2, y + 2, SIDE - 4, SIDE - 4), text, SIDE / MM * 0.55, ink)


def _tabs(canvas: Canvas, left: float, top: float) -> None:
    """Tabs for glue: beside the upper and the lower face, and around the last one."""
    cut = TAB * 0.7
    for row in (0, 2):
        y = top + row * SIDE
        for x, out in ((left + SIDE, -TAB), (left + 2 * SIDE, TAB)):
            canvas.polygon([(x, y), (x + out, y + cut), (x + out, y + SIDE - cut), (x, y + SIDE)], "#ffffff")
    x, y = left + 3 * SIDE, top + SIDE
    for edge, out in ((y, -TAB), (y + SIDE, TAB)):
        flap = [(x, edge), (x + cut, edge + out), (x + SIDE - cut, edge + out), (x + SIDE, edge)]
        canvas.polygon(flap, "#ffffff")
    x += SIDE
    canvas.polygon([(x, y), (x + TAB, y + cut), (x + TAB, y + SIDE - cut), (x, y + SIDE)], "#ffffff")

"""The colours that a ruleset can name."""

from __future__ import annotations

import re

DIGITS = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
NAMED = {
    "white": "#ffffff",
    "black": "#22262b",
    "grey": "#8b9199",
    "red": "#c8372d",
    "orange": "#e08214",
    "yellow": "#efc319",
    "green": "#2e9e5b",
    "blue": "#2f78c4",
    "purple": "#7d4aa8",
    "pink": "#e27fae",
    "brown": "#7f5433",
    "gold": "#d4a72c",
    "silver": "#b9c0c7",
    "cream": "#f6efdc",
}
"""The words for colours, as shades that differ in lightness where hues are hard to tell apart."""


def full(colour: str) -> str | None:
    """`#rrggbb` of a word, of `#rgb`, or of itself; none if it is not a colour."""
    found = NAMED.get(colour, colour).lower()
    if not DIGITS.fullmatch(found):
        return None
    return "#" + "".join(2 * digit for digit in found[1:]) if len(found) == 4 else found

"""Colours that people with any colour vision tell apart, on light and on dark pages.

The hues are those of Okabe and Ito ("Color universal design", 2008), pale for fills of cards, strong for
seats and tokens.
"""

from __future__ import annotations

from typing import NamedTuple


class Tone(NamedTuple):
    """A fill on light pages, one on dark pages, and the text on the first."""

    light: str
    dark: str
    ink: str


INK, PAPER = "#0b0d10", "#ffffff"
NEUTRAL = Tone("#f6f3ec", "#3b4048", INK)
STRONG = (
    Tone("#0072b2", "#4aa8e0", PAPER),
    Tone("#d55e00", "#f08a3c", INK),
    Tone("#009e73", "#3cc79f", INK),
    Tone("#a8447f", "#dd8fbd", PAPER),
    Tone("#e6b800", "#f2d34f", INK),
    Tone("#56b4e9", "#8fd0f5", INK),
    Tone("#6b6b6b", "#a9adb3", PAPER),
    Tone("#7a4a1f", "#c08d5d", PAPER),
)
PALE = (
    Tone("#cfe5f5", "#1f4a68", INK),
    Tone("#f9dcc4", "#6b3a17", INK),
    Tone("#cdebdf", "#17523f", INK),
    Tone("#f0d9e7", "#5d2f4c", INK),
    Tone("#f8edb8", "#5c5014", INK),
    Tone("#dff2fd", "#2b5a75", INK),
    Tone("#e3e3e3", "#4a4d52", INK),
    Tone("#eadccf", "#573d27", INK),
)


def seat_tones(seats: int) -> tuple[Tone, ...]:
    return tuple(STRONG[i % len(STRONG)] for i in range(seats))


def tone_of(colour: str) -> Tone:
    """A colour, `#rrggbb`, with one for dark pages and a readable text."""
    return Tone(colour, on_dark(colour), readable(colour))


def readable(colour: str) -> str:
    """The ink with the better contrast on a fill."""
    light = luminance(colour)
    return INK if (light + 0.05) / (luminance(INK) + 0.05) >= 1.05 / (light + 0.05) else PAPER


def contrast(a: str, b: str) -> float:
    """The contrast ratio of WCAG, from 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def on_dark(colour: str) -> str:
    """The same hue, neither glaring nor lost on a dark page."""
    light = luminance(colour)
    if light > 0.55:
        return _mixed(colour, "#000000", 0.25)
    return _mixed(colour, "#ffffff", 0.35) if light < 0.12 else colour


def luminance(colour: str) -> float:
    """The relative luminance of WCAG, from 0 to 1."""
    red, green, blue = (_linear(part) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: int) -> float:
    share = part / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mixed(colour: str, other: str, share: float) -> str:
    mixed = (round(a * (1 - share) + b * share) for a, b in zip(_parts(colour), _parts(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)

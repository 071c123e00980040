"""Texts in boxes: broken between words, made smaller, and at last broken within words, but never cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

LINE = 1.22
"""The distance of lines, in the size of the letters."""
SHRINK = 0.94
READABLE = 3.5
"""The smallest size in points at which words stay whole."""
Measure = Callable[[str, float], float]
"""The width of a text at a size: in the unit of the box, the size in points."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of a text, and the size of its letters in points."""

    lines: tuple[str, ...]
    size: float


def fitted(
    text: str, width: float, height: float, largest: float, measure: Measure, unit: float = 25.4 / 72
) -> Fitted:
    """A text as large as it fits into a box. `unit` is a point in the unit of the box."""
    size = largest
    while True:
        lines = _lines(text, width, size, measure)
        whole = size < READABLE or all(measure(word, size) <= width for word in text.split())
        if whole and (len(lines) * size * LINE * unit <= height or size < 0.1):
            return Fitted(lines, size)
        size *= SHRINK


def _lines(text: str, width: float, size: float, measure: Measure) -> tuple[str, ...]:
    lines: list[str] = []
    for word in text.split():
        if lines and measure(f"{lines[-1]} {word}", size) <= width:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines += _parts(word, width, size, measure)
    return tuple(lines)


def _parts(word: str, width: float, size: float, measure: Measure) -> list[str]:
    """A word in parts, each as long as fits; at least one letter each."""
    parts = [""]
    for letter in word:
        if parts[-1] and measure(parts[-1] + letter, size) > width:
            parts.append("")
        parts[-1] += letter
    return parts

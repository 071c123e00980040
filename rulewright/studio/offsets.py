"""Places in texts as a browser counts them, in UTF-16 units, and as sources count them, in characters."""

from __future__ import annotations

from typing import TypedDict

from dsl.source import Span

WIDE = "\uffff"
"""Characters above take two units."""


class Range(TypedDict):
    """A part of a file of the ruleset, in UTF-16 units from its beginning."""

    path: str
    start: int
    end: int


def units(text: str, offset: int) -> int:
    """The place of a character in UTF-16 units."""
    if text.isascii():
        return offset
    return offset + sum(character > WIDE for character in text[:offset])


def character(text: str, at: int) -> int:
    """The character at a place in UTF-16 units; the nearest one if it lies outside of the text."""
    if text.isascii():
        return max(0, min(at, len(text)))
    left = at
    for number, one in enumerate(text):
        if left <= 0:
            return number
        left -= 2 if one > WIDE else 1
    return len(text)


def span_range(path: str, span: Span) -> Range:
    """A span as a browser counts it."""
    text = span.source.text
    return {"path": path, "start": units(text, span.start), "end": units(text, span.end)}

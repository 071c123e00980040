"""Places of the protocol: lines and UTF-16 units from 0, and the offsets of sources."""

from __future__ import annotations

from bisect import bisect_right

from lsprotocol.types import Location, Position, Range

from dsl.source import Source, Span

WIDE = 0xFFFF
"""Characters above take two units."""


def position(source: Source, offset: int) -> Position:
    line = bisect_right(source.lines, offset) - 1
    before = source.text[source.lines[line] : offset]
    return Position(line=line, character=len(before) + sum(ord(c) > WIDE for c in before))


def span_range(span: Span) -> Range:
    return Range(start=position(span.source, span.start), end=position(span.source, span.end))


def offset(source: Source, at: Position) -> int:
    """The offset of a place; the nearest one if it lies outside of the text."""
    if at.line >= len(source.lines):
        return len(source.text)
    start = source.lines[at.line]
    units = 0
    for number, character in enumerate(source.line(at.line + 1)):
        if units >= at.character:
            return start + number
        units += 2 if ord(character) > WIDE else 1
    return start + len(source.line(at.line + 1))


def location(uri: str, span: Span) -> Location:
    return Location(uri=uri, range=span_range(span))

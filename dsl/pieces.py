"""Pieces of a rules text: one for each definition, so that a mistake in one does not hide the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dsl.source import Source, Span

BEGINS = re.compile(r"(action|effect|procedure|value|modify|when|score|tiebreak|always)\b")
"""The words with which a definition begins, even where a bracket above is still open."""
CONTINUES = re.compile(r"(where|and|or)\b|[+-]")
"""What a continuation line begins with."""
HEADER = re.compile(
    r"(action|effect|procedure|value|modify|score|tiebreak)[ ]+(?:lowest[ ]+)?([A-Za-z_][A-Za-z0-9_]*)"
)
BRACKETS = re.compile(r"[()\[\]#]")


@dataclass(frozen=True)
class Piece:
    """The lines of one definition, up to the next one, with the blank lines and comments between."""

    span: Span

    @property
    def header(self) -> tuple[str, Span] | None:
        """Its kind and the place of its name, as far as its first line shows them."""
        found = HEADER.match(self.span.text)
        if found is None:
            return None
        start = self.span.start
        return found[1], Span(self.span.source, start + found.start(2), start + found.end(2))


def pieces(source: Source) -> tuple[Piece, ...]:
    """The pieces of a text, in order and without gaps; what stands before the first one is a piece, too."""
    starts = [0, *_starts(source.text)]
    ends = [*starts[1:], len(source.text)]
    found = (Span(source, start, end) for start, end in zip(starts, ends, strict=True))
    return tuple(Piece(span) for span in found if span.text.strip())


def _starts(text: str) -> Iterator[int]:
    """The offsets of the lines that begin a piece: those at the margin that continue nothing."""
    depth = offset = 0
    for line in text.split("\n"):
        first = line[:1]
        if first.strip() and first != "#":
            begins = BEGINS.match(line) is not None
            if begins or (depth <= 0 and not CONTINUES.match(line)):
                depth = 0
                if offset:
                    yield offset
        depth += _opened(line)
        offset += len(line) + 1


def _opened(line: str) -> int:
    """How many more brackets a line opens than it closes, without its comment."""
    opened = 0
    for found in BRACKETS.finditer(line):
        if found[0] == "#":
            break
        opened += 1 if found[0] in "([" else -1
    return opened

"""The outline of a file: what it declares, and which lines can be folded."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.index.symbols import Symbol
from dsl.pieces import pieces
from dsl.source import Source, Span
from dsl.workspace.snapshot import Snapshot


@dataclass(frozen=True)
class Entry:
    """A declaration in an outline: what it is, the place of its name, and all of it."""

    name: str
    what: str
    at: Span
    whole: Span


def outline(snapshot: Snapshot, source: Source) -> list[Entry]:
    """The declarations of a file, in order."""
    if source.name.endswith(".rules"):
        return _definitions(source)
    found = snapshot.index_for(source).within(source)
    places = [each for each in found if each.declares and each.symbols[0].kind in ("declared", "phase")]
    return [Entry(each.span.text, _what(snapshot, each.symbols[0]), each.span, each.span) for each in places]


def _definitions(source: Source) -> list[Entry]:
    entries = []
    for piece in pieces(source):
        text = piece.span.text.rstrip()
        whole = Span(source, piece.span.start, piece.span.start + len(text))
        if (header := piece.header) is not None:
            entries.append(Entry(header[1].text, header[0], header[1], whole))
        elif text and not text.startswith("#"):
            line = piece.span.first_line()
            words = line.text.split("§")[0].rstrip()
            entries.append(Entry(words, words.split()[0], line, whole))
    return entries


def _what(snapshot: Snapshot, symbol: Symbol) -> str:
    if symbol.kind == "phase":
        return "phase"
    what, _ = snapshot.analysis.symbols.names.get(symbol.name, ("a name", None))
    return what.removeprefix("an ").removeprefix("a ")


def foldings(source: Source) -> list[tuple[int, int]]:
    """First and last lines, from 0, of blocks by their indentation."""
    widths = [
        (number, len(line) - len(line.lstrip()))
        for number, line in enumerate(source.text.split("\n"))
        if line.strip()
    ]
    found, open_lines = [], list[tuple[int, int]]()
    last = 0
    for number, width in widths:
        while open_lines and width <= open_lines[-1][1]:
            first, _ = open_lines.pop()
            if last > first:
                found.append((first, last))
        open_lines.append((number, width))
        last = number
    found += [(first, last) for first, _ in open_lines if last > first]
    return sorted(found)

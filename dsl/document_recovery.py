"""Broken YAML of `game.yaml`: what can be read all the same, section by section and entry by entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from dsl.diagnostics import Diagnostic, DiagnosticError
from dsl.document import KEPT, Mapping, Node, Scalar, read, read_part
from dsl.messages.files import DuplicateKey
from dsl.source import Source, Span

SECTION = re.compile(r"^[^\s#\-\]}]", re.MULTILINE)
"""The beginning of a section: a key at the margin, or what may be meant as one."""
TAB = re.compile(r"^[ ]*\t", re.MULTILINE)
"""A line that is indented by a tab belongs to nothing: it hides what the lines around it mean."""
KEY = re.compile(r"[\s\-\"']*([\w§.]+)")


@dataclass(frozen=True)
class LostPart:
    """A section, or an entry of one, that is no YAML: its lines, its key, and its first error."""

    section: str
    key: str | None
    span: Span
    diagnostic: Diagnostic


@lru_cache(maxsize=KEPT)
def read_recovering(source: Source) -> tuple[Node, tuple[LostPart, ...]]:
    """The document of a source, without the parts that are broken.

    Raises `DiagnosticError` if it has no sections, or if something else is wrong than one of its parts.
    """
    try:
        return read(source), ()
    except DiagnosticError as failed:
        first = failed.diagnostic
        if TAB.search(source.text):
            raise
    pairs: list[tuple[Scalar, Node]] = []
    lost: list[LostPart] = []
    for span in _blocks(source, [found.start() for found in SECTION.finditer(source.text)]):
        _read_section(span, pairs, lost)
    lost = [*lost, *_repeated(pairs)]
    if not lost:
        raise DiagnosticError(first)
    if _holds(lost[0].span, first.span):
        lost[0] = LostPart(lost[0].section, lost[0].key, lost[0].span, first)
    return Mapping(_first(pairs), Span(source, 0, len(source.text.rstrip()))), tuple(lost)


def _first(pairs: list[tuple[Scalar, Node]]) -> tuple[tuple[Scalar, Node], ...]:
    """The first pair of each key."""
    kept = {key.text: (key, value) for key, value in reversed(pairs)}
    return tuple(reversed(kept.values()))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start < outer.end


def _blocks(source: Source, starts: list[int], end: int | None = None) -> Iterator[Span]:
    ends = [*starts[1:], len(source.text) if end is None else end]
    return (Span(source, start, stop) for start, stop in zip(starts, ends, strict=False))


def _read_section(span: Span, pairs: list[tuple[Scalar, Node]], lost: list[LostPart]) -> None:
    """Read a section, and if it is broken each of its entries."""
    try:
        found = read_part(span)
        if isinstance(found, Mapping):
            pairs += found.pairs
        return
    except DiagnosticError as failed:
        diagnostic = failed.diagnostic
    name = KEY.match(span.text)
    section = name[1] if name is not None else ""
    entries = _entries(span)
    inner: list[tuple[Scalar, Node]] = []
    broken: list[LostPart] = []
    for entry in entries:
        try:
            value = read_part(entry)
            inner += value.pairs if isinstance(value, Mapping) else ()
        except DiagnosticError as failed:
            key = KEY.match(entry.text)
            broken.append(LostPart(section, key[1] if key is not None else None, entry, failed.diagnostic))
    broken += [LostPart(section, part.section, part.span, part.diagnostic) for part in _repeated(inner)]
    if not entries or not broken:
        lost.append(LostPart(section, None, span, diagnostic))
        return
    lost += broken
    if inner:
        at = Span(span.source, span.start, span.start + len(section))
        whole = Span(span.source, inner[0][0].span.start, inner[-1][1].span.end)
        pairs.append((Scalar(section, at), Mapping(_first(inner), whole)))


def _entries(span: Span) -> list[Span]:
    """The entries of a section whose key stands alone on its line: the keys of least indentation."""
    head, _, body = span.text.partition("\n")
    if head.split("#")[0].rstrip()[-1:] != ":":
        return []
    lines = [line for line in body.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return []
    width = len(lines[0]) - len(lines[0].lstrip())
    begins = re.compile(rf"^[ ]{{{width}}}[^\s#\-\]}}:]", re.MULTILINE)
    first = span.start + len(head) + 1
    starts = [first + found.start() for found in begins.finditer(body)]
    return list(_blocks(span.source, starts, span.end))


def _repeated(pairs: list[tuple[Scalar, Node]]) -> list[LostPart]:
    """The keys that are there already."""
    seen: dict[str, Span] = {}
    found = []
    for key, value in pairs:
        if key.text in seen:
            error = DuplicateKey(key.span, key.text, seen[key.text])
            found.append(LostPart(key.text, None, key.span.to(value.span), error))
        seen.setdefault(key.text, key.span)
    return found

"""Segmentation of a rulebook's text into numbered sentences."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dsl.diagnostics import DiagnosticError
from dsl.source import NOWHERE, Source, Span
from validators.trace.messages import TextsNotInstalled


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence; `number` counts from 1 over the whole text. Headings and list items are sentences too."""

    number: int
    text: str
    span: Span

    @property
    def words(self) -> tuple[str, ...]:
        """Its words, without punctuation and case."""
        return words_of(self.text)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text: letters and digits, with case folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return tuple("".join(c if c.isalnum() else " " for c in folded).split())


def sentences(source: Source, language: str) -> tuple[Sentence, ...]:
    """All sentences of a text in a language (an ISO 639 code), in order.

    A line break ends a sentence, unless the next line begins with a small letter. A part without letters and
    digits is not a sentence. Raises `DiagnosticError` (T301) if the segmentation library is not installed.
    """
    segment = _segmenter()
    found: list[Sentence] = []
    for start, paragraph in _paragraphs(source.text):
        at = 0
        for piece in segment(language, paragraph):
            begin = paragraph.index(piece, at)
            at = begin + len(piece)
            if words_of(piece):
                lead = len(piece) - len(piece.lstrip())
                span = Span(source, start + begin + lead, start + begin + len(piece.rstrip()))
                found.append(Sentence(len(found) + 1, " ".join(piece.split()), span))
    return tuple(found)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their offsets, joined where a sentence continues in the next line."""
    start, offset = 0, 0
    parts: list[str] = []
    for line in text.splitlines(keepends=True):
        if parts and _continues(parts[-1], line):
            parts.append(line)
        else:
            if parts and parts[0].strip():
                yield start, "".join(parts)
            start, parts = offset, [line]
        offset += len(line)
    if parts and parts[0].strip():
        yield start, "".join(parts)


def _continues(before: str, line: str) -> bool:
    first = line.lstrip()[:1]
    return bool(before.strip()) and first.islower() and before.rstrip()[-1:] not in ".!?:"


@cache
def _segmenter():  # type: ignore[no-untyped-def]
    """The splitting function of the library `sentencex`: from language and text to pieces of the text."""
    try:
        from sentencex import segment  # type: ignore[import-untyped]
    except ImportError:
        raise DiagnosticError(TextsNotInstalled(NOWHERE, "sentencex")) from None
    return segment

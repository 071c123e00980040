"""Drift: places of a text in a later text of the same file, so that what is known of one answers for both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from dsl.source import Source, Span
from dsl.workspace.hover import word_at


class TouchedByEdit(Exception):
    """A place lies within what has changed, so that what was known does not tell of it."""


@dataclass(frozen=True)
class Drift:
    """A text of which much is known, and the text that it has become. Between them lies one change."""

    known: Source
    later: Source

    @cached_property
    def head(self) -> int:
        """The number of characters before the change."""
        old, new = self.known.text, self.later.text
        return _same(min(len(old), len(new)), lambda size: old[:size] == new[:size])

    @cached_property
    def tail(self) -> int:
        """The number of characters behind the change."""
        old, new = self.known.text, self.later.text
        most = min(len(old), len(new)) - self.head
        return _same(most, lambda size: old[len(old) - size :] == new[len(new) - size :])

    def unchanged(self, offset: int) -> int:
        """The place in the known text of a place in the later one, if the word there, if any, is the same.

        Raises `TouchedByEdit`.
        """
        place = self._moved(offset, self.later, self.known)
        word, known = word_at(self.later, offset), word_at(self.known, place)
        if (word and word.text) != (known and known.text):
            raise TouchedByEdit
        return place

    def forward(self, span: Span) -> Span:
        """The span in the later text of one in the known text. Raises `TouchedByEdit`."""
        start = self._moved(span.start, self.known, self.later)
        end = self._moved(span.end, self.known, self.later)
        if end - start != span.end - span.start:
            raise TouchedByEdit
        return Span(self.later, start, end)

    def _moved(self, offset: int, source: Source, target: Source) -> int:
        if offset <= self.head:
            return offset
        behind = len(source.text) - offset
        if behind > self.tail:
            raise TouchedByEdit
        return len(target.text) - behind


def _same(most: int, holds: Callable[[int], bool]) -> int:
    """The greatest size up to `most` that holds, where all smaller sizes hold as well."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least

"""What a mutation operator is, and the text around a node that operators look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dsl.source import Span
from validators.mutate.mutant import TextEdit
from validators.mutate.sites import MutationSite

Edits = Iterable[TextEdit | tuple[TextEdit, ...]]


@dataclass(frozen=True, slots=True)
class Operator:
    """One kind of mistake. `mutate` gives each way to make it at a site: an edit, or a few together."""

    name: str
    mutate: Callable[[MutationSite], Edits]


def bracketed(span: Span, within: Span) -> Span:
    """A span with the brackets right around it, as far as they stand inside another span."""
    text, start, end = span.source.text, span.start, span.end
    while True:
        left, right = len(text[:start].rstrip()), end + len(text[end:]) - len(text[end:].lstrip())
        if left <= within.start or right >= within.end or text[left - 1] + text[right] != "()":
            return Span(span.source, start, end)
        start, end = left - 1, right + 1


def between(left: Span, right: Span, within: Span) -> Span:
    """What stands between two parts of a node, brackets left out."""
    return Span(left.source, bracketed(left, within).end, bracketed(right, within).start)


def found(pattern: str, span: Span) -> Span | None:
    """The first place of a pattern in a span."""
    match = re.search(pattern, span.text)
    return None if match is None else Span(span.source, span.start + match.start(), span.start + match.end())


def first_word(span: Span) -> Span:
    """The word with which a span begins."""
    return found(r"\w+", span) or span


def led_by(word: str, span: Span) -> Span | None:
    """A condition with the word in front of it, and the brackets around it."""
    text = span.source.text
    match = re.search(rf"\b{word}\b[\s(]*$", text[: span.start])
    if match is None:
        return None
    end = span.end
    for _ in range(match[0].count("(")):
        end = text.index(")", end) + 1
    return Span(span.source, match.start(), end)

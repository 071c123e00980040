"""What a mutation operator is, and functions on spans and edits that operators share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
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


# ---- edits


def replaced(place: Span | None, *new: str) -> Iterator[TextEdit]:
    """An edit for each new text of a place; none without a place."""
    return (TextEdit(place, text) for text in new if place is not None)


def next_after(name: str, names: Sequence[str], place: Span) -> Iterator[TextEdit]:
    """The name that follows another one in a list, cyclically; none if it is the only one."""
    other = names[(names.index(name) + 1) % len(names)]
    return replaced(place if other != name else None, other)


# ---- spans


def bracketed(span: Span, within: Span) -> Span:
    """A span with the brackets directly around it, if they are inside another span."""
    text, start, end = span.source.text, span.start, span.end
    while True:
        left, right = len(text[:start].rstrip()), end + len(text[end:]) - len(text[end:].lstrip())
        if left <= within.start or right >= within.end or text[left - 1] + text[right] != "()":
            return Span(span.source, start, end)
        start, end = left - 1, right + 1


def between(left: Span, right: Span, within: Span) -> Span:
    """The text between two parts of a node, without their brackets."""
    return Span(left.source, bracketed(left, within).end, bracketed(right, within).start)


def after(part: Span, within: Span) -> Span:
    """The text of a node after one of its parts, without the part's brackets."""
    return Span(within.source, bracketed(part, within).end, within.end)


def found(pattern: str, span: Span) -> Span | None:
    """The first match of a pattern in a span."""
    match = re.search(pattern, span.text)
    return None if match is None else Span(span.source, span.start + match.start(), span.start + match.end())


def first_word(span: Span) -> Span:
    """The first word of a span."""
    return found(r"\w+", span) or span


def led_by(word: str, span: Span) -> Span | None:
    """A condition with its brackets and the word before them."""
    text = span.source.text
    match = re.search(rf"\b{word}\b[\s(]*$", text[: span.start])
    if match is None:
        return None
    end = span.end
    for _ in range(match[0].count("(")):
        end = text.index(")", end) + 1
    return Span(span.source, match.start(), end)

"""Marks stand under what they mean, whatever letters stand before and in it."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Label
from dsl.render import WIDEST, marked
from dsl.source import Source, Span


@pytest.mark.parametrize(
    ("word", "columns"),
    [("gate", 4), ("e\u0301ve", 3), ("a\N{ZERO WIDTH JOINER}ve", 3), ("\u6f22ve", 4)],
    ids=["letters", "a combining accent", "a joiner", "a wide letter"],
)
def test_marks_are_as_wide_as_what_they_mark(word: str, columns: int) -> None:
    source = Source("a.rules", f"let {word} = one")
    assert marks(source, word) == f"   |     {'^' * columns} here"
    assert marks(source, "one") == f"   |     {' ' * columns}   ^^^ here"


def marks(source: Source, part: str) -> str:
    """The row of marks under a part of a line."""
    start = source.text.index(part)
    return marked(Label(Span(source, start, start + len(part)), "here")).splitlines()[-1]


@pytest.mark.parametrize("more", [0, 1])
def test_a_line_that_is_cut_says_so(more: int) -> None:
    source = Source("a.rules", "x" * (WIDEST + more))
    line = marked(Label(Span(source, 0, 1), "here")).splitlines()[-2]
    assert line == f" 1 | {'x' * WIDEST}{'...' * more}"

"""Marks stand under what they mean, whatever letters stand before and in it."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Label
from dsl.render import marked
from dsl.source import Source, Span


@pytest.mark.parametrize(
    ("word", "columns"),
    [("gate", 4), ("e\u0301ve", 3), ("a\N{ZERO WIDTH JOINER}ve", 3), ("\u6f22ve", 4)],
    ids=["letters", "a combining accent", "a joiner", "a wide letter"],
)
def test_marks_are_as_wide_as_what_they_mark(word: str, columns: int) -> None:
    text = f"let {word} = one"
    source = Source("a.rules", text)
    rows = {part: marked(Label(Span(source, at, at + len(part)), "here")).splitlines()[-1]
            for part in (word, "one") for at in [text.index(part)]}  # fmt: skip
    assert rows[word] == f"   |     {'^' * columns} here"
    assert rows["one"] == f"   |     {' ' * columns}   ^^^ here"

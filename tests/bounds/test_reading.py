"""Broken YAML is read in time that grows with its text, however many parts of it are broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from dsl.diagnostics import DiagnosticError
from dsl.document_recovery import read_recovering
from dsl.indentation import Indenter
from dsl.source import Source

SHAPES = {
    "a key again and again": ("game: x\n", "seats: 2\n"),
    "an entry again and again": ("game: x\nzones:\n", "  a: {holds: b}\n"),
    "open brackets": ("game: x\n", "s: [a\n"),
    "entries with open brackets": ("game: x\nzones:\n", "  s: [a\n"),
    "some entries with open brackets": ("game: x\nzones:\n", "  s: [a\n  t: [a]\n"),
    "open quotes": ("game: x\n", "s: 'a\nt: b'\n"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_part_is_read_a_few_times(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once quickly and once thoroughly as a document, as a section and as an entry."""
    given = 0
    parse = yaml.parse

    def counted(text: str, Loader: Any) -> Iterator[Any]:  # noqa: N803
        nonlocal given
        given += len(text)
        return parse(text, Loader=Loader)

    monkeypatch.setattr(yaml, "parse", counted)
    first, more = SHAPES[shape]
    text = first + more * 300
    try:
        read_recovering(Source("game.yaml", text))
    except DiagnosticError:
        assert given
    assert given <= 6 * len(text)


def test_a_long_line_is_not_looked_through_for_each_soft_word() -> None:
    layout = Indenter(Source("", ""))
    layout.line = [_token("NAME")] * 50_000
    layout.verb = [_token("GAIN")]
    assert len(layout._before()) < 20
    assert "GAIN" in layout._before()


def _token(kind: str) -> Any:
    from lark import Token

    return Token(kind, "x")

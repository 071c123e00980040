"""Broken YAML is read in time that grows with its text, however many parts of it are broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from dsl.diagnostics import DiagnosticError, ErrorsReported
from dsl.document_recovery import read_recovering
from dsl.indentation import Indenter
from dsl.load import load
from dsl.source import Source
from dsl.workspace.yaml_form import formatted_yaml
from tests.fuzz.inputs import folder_of
from tests.fuzz.sizes import FILES
from tests.games import loaded
from validators.diff.lines import written
from validators.scenarios.reading import read_file

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
    given = _parsed(monkeypatch)
    first, more = SHAPES[shape]
    text = first + more * 300
    try:
        read_recovering(Source("game.yaml", text))
    except DiagnosticError:
        assert given
    assert sum(given) <= 6 * len(text)


def test_each_scenario_of_a_broken_file_is_read_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, _, _ = loaded("tic_tac_toe")
    given = _parsed(monkeypatch)
    text = "- scenario: broken\n  then: [\n\n" + "- scenario: sound\n  then: [nobody: 1]\n" * 300
    found = read_file(Source("x.yaml", text), rules)
    assert [one.name for one in found.faulty] == ["broken", *["sound"] * 300]
    assert found.faulty[0].diagnostics[0].span.start == text.index("[")
    assert found.faulty[300].diagnostics[0].span.start == text.rindex("[")
    assert sum(given) <= 4 * len(text)


def test_comments_are_formatted_by_the_block_below() -> None:
    """Each finds it without a search of all lines below."""
    text = "a:\n" + "     # under b\n" * 4_000 + "     b: 1\n" + "# at the margin\n" * 4_000
    expected = "a:\n" + "  # under b\n" * 4_000 + "  b: 1\n" + "# at the margin\n" * 4_000
    assert formatted_yaml(Source("x.yaml", text)) == expected


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("value v = 1 §1.1 §2  # more", "value v = 1"),
        ("value v = 1 §1.1 + 2 §2", "value v = 1 §1.1 + 2"),
        ("value v = 1§1.1§2", "value v = 1"),
        ("§1" * 10_000 + " x", "§1" * 10_000 + " x"),
        ("x" + " " * 100_000 + "y §1", "x" + " " * 100_000 + "y"),
        ("x" + " §1" * 50_000, "x"),
    ],
)
def test_marks_at_the_end_of_a_line_are_found_at_once(line: str, bare: str) -> None:
    assert written(Source("x.rules", line).beginning) == bare


def test_a_long_line_is_not_looked_through_for_each_soft_word() -> None:
    layout = Indenter(Source("", ""))
    layout.line = [_token("NAME")] * 50_000
    layout.verb = [_token("GAIN")]
    assert len(layout._before()) < 20
    assert "GAIN" in layout._before()


def _parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of the texts that are parsed from now on."""
    given: list[int] = []
    parse = yaml.parse

    def counted(text: str, Loader: Any) -> Iterator[Any]:  # noqa: N803
        given.append(len(text))
        return parse(text, Loader=Loader)

    monkeypatch.setattr(yaml, "parse", counted)
    return given


def _token(kind: str) -> Any:
    from lark import Token

    return Token(kind, "x")


@pytest.mark.parametrize("long", ["a" + ".b" * 6_000, "-" * 12_000 + "1"])
def test_what_is_deep_before_a_syntax_error_is_not_copied(long: str) -> None:
    assert _first_message(long) == _first_message("a.b") == "missing name or value before `from`"


def _first_message(chosen: str) -> str:
    text = f"action sow\n    choose {chosen} from hand of me\n"
    with pytest.raises(ErrorsReported) as found:
        load(folder_of({**FILES, "demo.rules": text}))
    return found.value.report.first.message

"""Both ways to read YAML give the same nodes, or the quick one gives none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from dsl.diagnostics import DiagnosticError
from dsl.document import QUICK, Mapping, read, read_quickly, read_thoroughly
from dsl.source import Source
from tests.games import sample

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(p for place in ("rulesets", "tests", "rulewright") for p in (ROOT / place).rglob("*.yaml"))
SAMPLES = (
    "game: x\nseats: 2 # two\n\nzones:\n  a: {of: seat, at: [b, 'c d'], e: \"f\"}\n",
    "- scenario: one\n  when: [{A: five}]\n  then: {gold of A: 3, hand of B: []}\n- b: c\n  e: -1\n",
    "a:\n  b: >-\n    one two\n    three\n\n    four\n  c: |\n    five\n     six\n\nd: >+\n  seven\n\n",
    "§4.1: {says: \"It – stays.\", ruling: 'isn''t'}\nlong: a text\n  over\nlist:\n- a\n- - b\n  - {}\n",
)
SIGNS = "\t\r\n :,-?[]{}#&*!|>'\"%@`\\~=<.0a§é\x07\xa0\u2028\ufeff"

needs_quick = pytest.mark.skipif(QUICK is None, reason="this PyYAML has no reader in C")


def texts() -> Iterator[str]:
    for path in FILES:
        try:
            yield path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue


def agrees(text: str) -> bool:
    """Whether the quick way says nothing, or nothing else than the thorough one."""
    source = Source("x", text)
    quick = read_quickly(source)
    try:
        return quick is None or quick == read_thoroughly(source)
    except DiagnosticError:
        return False


@needs_quick
@pytest.mark.parametrize("step", sample([4, 1], [4]))
def test_they_agree_on_files(step: int) -> None:
    assert [text for text in islice(texts(), 0, None, step) if not agrees(text)] == []


@needs_quick
def test_bundled_files_are_read_quickly() -> None:
    paths = sorted((ROOT / "rulesets").rglob("*.yaml"))
    slow = [p.name for p in paths if read_quickly(Source(p.name, p.read_text(encoding="utf-8"))) is None]
    assert len(slow) <= len(paths) // 10, slow


@needs_quick
@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3), st.text(SIGNS, max_size=2)), max_size=3),
)
def test_they_agree_on_what_is_mistyped(text: str, slips: list[tuple[int, int, str]]) -> None:
    for at, dropped, typed in slips:
        text = text[:at] + typed + text[at + dropped :]
    assert agrees(text)


@needs_quick
@pytest.mark.parametrize("text", ["a:\tb", "{a?: b}", "a: {b: }", "a: yes", "a: [", "a: 1\r\n", "a: >#\n b"])
def test_what_they_might_read_differently_is_left(text: str) -> None:
    assert read_quickly(Source("x", text)) is None


def test_without_the_quick_reader_all_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dsl.document.QUICK", None)
    source = Source("x", SAMPLES[0])
    assert read_quickly(source) is None
    assert isinstance(read(source), Mapping)

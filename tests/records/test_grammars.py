"""Grammars of notations that could make reading slow are refused, and hostile records are read in bounds."""

from __future__ import annotations

import pytest

from dsl.diagnostics import DiagnosticError
from dsl.source import Source
from tests.records.conftest import Follow
from validators.records.grammar import MOST_NESTED, MOST_RECORD, read_grammar


def refused(text: str) -> str:
    with pytest.raises(DiagnosticError) as caught:
        read_grammar(Source("a.lark", text))
    assert caught.value.diagnostic.code == "D142"
    return caught.value.diagnostic.message


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"/(a+)+b/", "of several lengths"),
        (r"/(a|aa)+b/", "of several lengths"),
        (r"/(a|b|ab?)*c/", "of several lengths"),
        (r"/(ab|ba)+/", "repeats alternatives"),
        (r"/a*a*b/", "in several places"),
        (r"/a{0,200}a{0,200}a{0,200}b/", "in several places"),
        (r"/(a{0,9}){0,9}b/", "of several lengths"),
        (r"/(a)\1/", "looks around"),
        (r"/(?=a)a/", "looks around"),
        (r"/a(?<!b)/", "looks around"),
    ],
)
def test_patterns_that_take_long(pattern: str, why: str) -> None:
    assert why in refused(f"record: A\nA: {pattern}\n")


def test_parentheses_are_nested_so_far() -> None:
    def nested(depth: int) -> str:
        return f"record: {'(' * depth}A{')' * depth}\nA: /a/\n"

    read_grammar(Source("a.lark", nested(MOST_NESTED)))
    assert "nested too deeply" in refused(nested(MOST_NESTED + 1))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("start: A\nA: /a/\n", "missing rule `record`"),
        ("%import common.WORD\nrecord: WORD\n", "`%import` is not allowed"),
        ("record: A~1..100000\nA: /a/\n", "`~` is not allowed"),
        ("record: _list{A}\n_list{x}: x*\nA: /a/\n", "`{` is not allowed"),
        ("record: a | b\na: A\nb: A\nA: /a/\n", "Reduce/Reduce"),
        ("record: a\na:" + " A?" * 20 + "\nA: /a/\n", "rule `a` has too many optional parts"),
        ("record: a" + "\n  " + "(A | B) " * 20 + "\nA: /a/\nB: /b/\n", "too many optional parts"),
        ("record: (A\n", "not a rule of a Lark grammar"),
        ("record: A\nA: /(/\n", ""),
        ("record: B\n", "B"),
        ("record: A\nA: /a/\n" + "//\n" * 10_000, "characters"),
    ],
)
def test_grammars_that_cannot_be_used(text: str, why: str) -> None:
    assert why in refused(text)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("record: a | b\na: A\nb: A\nA: /a/\n", "a"),
        ("record: A\nA: /(/\n", "A"),
        ("record: A\nb: A\nb: A\nA: /a/\n", "b"),
        ("record: A\nA: /a*/\n", "A"),
        ("record: A\nb: c\nA: /a/\n", "b"),
        ("record: A\nb A\n", "A"),
        ("record: A\n@\n", "@"),
        ("record: " + "(" * 100 + "A" + ")" * 100 + "\nA: /a/\n", "("),
    ],
)
def test_the_place_of_what_cannot_be_used(text: str, place: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        read_grammar(Source("a.lark", text))
    span = caught.value.diagnostic.span
    assert text[span.start : span.end] == place
    assert span.start > 0


def test_patterns_that_are_fine() -> None:
    for pattern in (r"/[^}]+/", r"/\{[^}]*\}/", r'"a" | "ab"', r"/[0-9]{1,3}\.{0,5}/", r"/(?:ab)+/"):
        read_grammar(Source("a.lark", f"record: A\nA: {pattern}\n"))


@pytest.mark.parametrize(
    ("name", "notation", "begin", "part"),
    [
        ("chess", "pgn", '[Event "?"]\n', "("),
        ("chess", "pgn", '[Event "?"]\n', "{"),
        ("chess", "pgn", '[Event "?"]\n', "1"),
        ("chess", "pgn", '[Event "?"]\n', "[A "),
        ("go", "sgf", "(", ";"),
        ("go", "sgf", "(;C[", "\\"),
        ("go", "sgf", "", "(;"),
        ("bridge", "pbn", "[Event ", "{"),
        ("texas_holdem", "phh", "a = ", "["),
        ("backgammon", "mat", " Game \n", " "),
    ],
)
def test_a_long_record_is_read_in_bounds(
    name: str, notation: str, begin: str, part: str, follow: Follow
) -> None:
    (found,) = follow(name, notation, begin + part * (20_000 // len(part)))
    assert found.diagnostic is None or found.diagnostic.code in ("C466", "C467")


def test_a_record_has_a_largest_size(follow: Follow) -> None:
    (found,) = follow("go", "sgf", "(" + " " * MOST_RECORD + ")")
    assert found.diagnostic is not None
    assert "characters" in found.diagnostic.message

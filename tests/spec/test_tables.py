"""The parser's tables that come along are those of the grammar. `--bless` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

import dsl.grammar as grammar
from dsl.ast_builder import NODES
from dsl.diagnostics import DiagnosticError
from dsl.grammar import _Switch as Switch
from dsl.parser_cache import read_tables, seal, write_tables
from dsl.source import Source
from tests.conftest import Golden

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "dsl" / grammar.TABLES
SAMPLE = 'start: "a" start | NAME\nNAME: /[b-z]+/\n%ignore " "\n'


def sample() -> Lark:
    return Lark(SAMPLE, parser="lalr", lexer="basic", start=["start"])


def test_the_tables_are_those_of_the_grammar(golden: Golden) -> None:
    golden(TABLES, grammar.computed_tables())


def test_the_tables_are_used() -> None:
    parser, _ = grammar._parser()
    assert parser.source_path == "<deserialized>"


def test_a_read_parser_is_the_computed_one() -> None:
    """It writes the same tables again, and looks for terminals in the same order."""
    read = read_tables(grammar.tables_text(), grammar._seal(), Switch())
    assert read is not None
    assert write_tables(read, grammar._seal()) == grammar.tables_text()
    assert terminals(read) == terminals(grammar._computed(Switch()))


def terminals(parser: Lark) -> list[tuple[object, ...]]:
    found = parser.parser.lexer.lexer.terminals
    return [(t.name, t.pattern.to_regexp(), t.priority, t.pattern.max_width) for t in found]


def test_what_is_read_parses_as_what_was_written() -> None:
    read = read_tables(write_tables(sample(), "x"), "x", None)
    assert read is not None
    assert read.parse("a a bc") == sample().parse("a a bc")


@pytest.mark.parametrize("text", ["", "{}", '{"seal": "another"}'])
def test_other_tables_are_left_alone(text: str) -> None:
    assert read_tables(text, "x", None) is None


def test_without_tables_they_are_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A syntax error is explained in the same words."""
    source = Source("x.rules", "procedure run\n    gain 3\n")
    with pytest.raises(DiagnosticError) as from_tables:
        grammar.parse(source)
    monkeypatch.setattr(grammar, "tables_text", str)
    grammar._parser.cache_clear()
    try:
        with pytest.raises(DiagnosticError) as from_grammar:
            grammar.parse(source)
        assert grammar._parser()[0].source_path == "<string>"
    finally:
        grammar._parser.cache_clear()
    assert from_tables.value.diagnostic == from_grammar.value.diagnostic


def test_the_seal_covers_what_the_tables_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seals = [
        seal("g", {"a": 1}, ("K",)),
        seal("h", {"a": 1}, ("K",)),
        seal("g", {"a": 2}, ("K",)),
        seal("g", {"a": 1}, ()),
    ]
    monkeypatch.setattr("dsl.parser_cache.lark_version", "0")
    assert len({*seals, seal("g", {"a": 1}, ("K",))}) == 5


def test_every_form_of_the_grammar_makes_a_node() -> None:
    """A rule without an alias that has one part is that part; names with `__` are Lark's own."""
    parser, _ = grammar._parser()
    forms = {
        str(rule.alias or rule.origin.name) for rule in parser.rules if rule.alias or not rule.options.expand1
    }
    assert {form for form in forms if not form.startswith("__")} == NODES.keys()

"""Names in rules files: those that were resolved when they were typed, and those that need no types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import assert_never

from dsl import syntax as s
from dsl.declare.symbol_table import BUILT_IN, SymbolTable
from dsl.index.index import Index
from dsl.index.symbols import Symbol, declared
from dsl.source import Span

OTHER_WORDS = "nobody flag face seat opponent ordinal opposite top partners corners edges ends places"
WORDS = frozenset((*BUILT_IN, *OTHER_WORDS.split()))
"""Names that the language gives a meaning where nothing else has it."""

WORD_OR_MARK = re.compile(r"§[A-Za-z0-9](?:[A-Za-z0-9_.\-]*[A-Za-z0-9_])?|[A-Za-z_][A-Za-z0-9_]*")


def index_rules(index: Index, symbols: SymbolTable, definitions: Iterable[s.Definition]) -> None:
    """Add the names of definitions to an index."""
    for span, symbol in symbols.resolved.items():
        index.add(span, symbol, symbol.kind == "local" and symbol.owner.endswith(f":{span.start}"))
    for definition in definitions:
        _index_definition(index, definition)
        for node in s.walk(definition):
            _index_node(index, symbols, node)


def _index_definition(index: Index, definition: s.Definition) -> None:
    match definition:
        case s.Routine(name=word) | s.Value(name=word):
            index.add(word.span, declared(word.text), True)
        case s.Score(kind=kind, name=word):
            index.add(word.span, Symbol("score", word.text, kind), True)
        case s.Modify(name=word):
            index.add(word.span, declared(word.text))
        case s.When() | s.WhenMoves() | s.Always():
            pass
        case _:
            assert_never(definition)


def _index_node(index: Index, symbols: SymbolTable, node: s.Syntax) -> None:
    match node:
        case s.EndGame(outcome=word) | s.Wins(outcome=word) | s.WinTogether(outcome=word) if word:
            index.add(word.span, Symbol("outcome", word.text))
        case s.Loses(outcome=word) if word:
            index.add(word.span, Symbol("outcome", word.text))
        case s.Name(text=text) | s.Word(text=text):
            if (symbol := plain(symbols, text)) is not None and node.span.text == text:
                index.add(node.span, symbol)
        case _:
            pass


def plain(symbols: SymbolTable, text: str) -> Symbol | None:
    """What a word means wherever it stands; none for values, columns and locals."""
    if text.startswith("§"):
        return Symbol("clause", text)
    if text in symbols.names:
        return declared(text)
    return Symbol("built-in", text) if text in WORDS else None


def words_in(span: Span) -> list[Span]:
    """The words in a part of a text: names and clause marks."""
    return [
        Span(span.source, span.start + found.start(), span.start + found.end())
        for found in WORD_OR_MARK.finditer(span.text)
    ]

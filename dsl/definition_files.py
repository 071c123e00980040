"""The definitions of a ruleset, from all its rules files and those of what it overlays."""

from __future__ import annotations

from dsl.declare.nodes import WORD, words
from dsl.declare.symbol_table import SymbolTable
from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Scalar
from dsl.grammar import BrokenPiece, parse_pieces
from dsl.messages.sizes import TooMuchText
from dsl.overlays import Layers, LostDefinition, definitions_over
from dsl.source import Source
from dsl.syntax import Definition

MOST_RULES = 200_000
"""The most characters of all rules files; the largest bundled game has 20,000."""


def read_definitions(
    symbols: SymbolTable, layers: Layers
) -> tuple[tuple[Definition, ...], tuple[LostDefinition, ...]]:
    """The definitions of all rules files, and those that do not parse."""
    if all(text.get("rules") is None for text in layers.texts):
        symbols.unread = layers.lost_section("rules") or symbols.report.errors[0]
        return (), ()
    files = [
        (number, path)
        for number, text in enumerate(layers.texts)
        if text.get("rules") is not None or number == 0
        for path in _paths(symbols, text)
    ]
    sources = [(number, source) for number, path in files if (source := _rules_file(symbols, path))]
    length = sum(len(source.text) for _, source in sources)
    if length > MOST_RULES and not symbols.report.has_errors:
        symbols.fail(TooMuchText(sources[-1][1].beginning, "the rules", length, MOST_RULES))
        return (), ()
    parsed = [(number, parse_pieces(source)) for number, source in sources]
    lost = [(number, found) for number, file in parsed for broken in file.broken if (found := _lost(broken))]
    for _, file in parsed:
        for broken in file.broken:
            symbols.fail(broken.diagnostic)
            _mark_nameless(symbols, broken)
    whole = [(number, file.definitions) for number, file in parsed]
    return definitions_over(symbols, layers, whole, lost), tuple(found for _, found in lost)


def _paths(symbols: SymbolTable, text: Mapping) -> tuple[Scalar, ...]:
    """The rules files that a text names. If it names none, any unknown name may be because of that."""
    found = symbols.attempt(words, text.get("rules"), "`rules`")
    if found is None:
        symbols.unread = symbols.report.errors[-1]
    return tuple(found or ())


def _lost(broken: BrokenPiece) -> LostDefinition | None:
    """What the header of a piece says that does not parse, if it can be read."""
    header = broken.piece.header
    if header is None:
        return None
    kind, name = header
    return LostDefinition(kind, name.text, name, broken.diagnostic)


def _mark_nameless(symbols: SymbolTable, broken: BrokenPiece) -> None:
    """If the name of a definition cannot be read, any unknown name that it may have is because of that."""
    if broken.piece.header is None:
        words_of_header = WORD.findall(broken.piece.span.first_line().text)
        symbols.doubtful.update(dict.fromkeys(words_of_header, broken.diagnostic))
        if len(words_of_header) == 1:
            symbols.unread = broken.diagnostic


def _rules_file(symbols: SymbolTable, path: Scalar) -> Source | None:
    """A rules file. If it cannot be read, nothing that is unknown can be told from what stands in it."""
    try:
        return symbols.open(path)
    except DiagnosticError as failed:
        symbols.fail(failed.diagnostic)
        symbols.unread = failed.diagnostic
        return None

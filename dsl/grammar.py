"""Rules text to syntax, by way of the Lark grammar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from threading import local
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from dsl import ast_builder
from dsl.diagnostics import Diagnostic, DiagnosticError, InternalError
from dsl.document import KEPT
from dsl.indentation import SOFT, Indenter
from dsl.messages.files import TooDeep
from dsl.messages.text import TabInRules
from dsl.parser_cache import read_tables, seal, write_tables
from dsl.pieces import Piece, pieces
from dsl.source import Source, Span
from dsl.syntax import Definition, EachTurn, Expr
from dsl.syntax_errors import BETWEEN, explain, words_of

DEEPEST_TREE = 100
MOST_TREES = 4096
"""Cached trees, each of one definition."""
GRAMMAR, TABLES = "rules.lark", "rules.tables.json"
OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "basic",
    "propagate_positions": True,
    "maybe_placeholders": True,
    "start": ["start", "question", "round"],
}


class _Switch(local):
    """Lark wants one post-lexer per parser; each parse needs its own, in each thread that parses."""

    always_accept = ("_NL", "COMMENT")
    layout: Indenter

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return self.layout.process(stream)


def grammar_text() -> str:
    return files("dsl").joinpath(GRAMMAR).read_text("utf-8")


def tables_text() -> str:
    """The tables that come along, and nothing if none do."""
    kept = files("dsl").joinpath(TABLES)
    return kept.read_text("utf-8") if kept.is_file() else ""


def computed_tables() -> str:
    """What the tables that come along should be."""
    return write_tables(_computed(_Switch()), _seal())


@cache
def _parser() -> tuple[Lark, _Switch]:
    switch = _Switch()
    return read_tables(tables_text(), _seal(), switch) or _computed(switch), switch


def _computed(switch: _Switch) -> Lark:
    return Lark(grammar_text(), postlex=switch, **OPTIONS)


@dataclass(frozen=True, slots=True)
class PlainGrammar:
    """The grammar without shorthands: pairs of a symbol and what it may be, and the patterns of terminals."""

    productions: tuple[tuple[str, tuple[str, ...]], ...]
    terminals: dict[str, str]


@cache
def plain_grammar() -> PlainGrammar:
    """What Lark makes of the grammar: no options, repetitions or alternatives within a production."""
    parser = _computed(_Switch())
    productions = ((str(rule.origin.name), tuple(s.name for s in rule.expansion)) for rule in parser.rules)
    return PlainGrammar(tuple(productions), {t.name: t.pattern.value for t in parser.terminals})


def _seal() -> str:
    return seal(grammar_text(), OPTIONS, _Switch.always_accept)


@dataclass(frozen=True)
class BrokenPiece:
    """A piece of a rules text that does not parse, and its first syntax error.

    A definition has no second one that can be trusted.
    """

    piece: Piece
    diagnostic: Diagnostic


@dataclass(frozen=True)
class Parsed:
    """The definitions of one rules file, and the pieces that are none."""

    definitions: tuple[Definition, ...]
    broken: tuple[BrokenPiece, ...]


def parse(source: Source) -> tuple[Definition, ...]:
    """The definitions of one rules file. Raises `DiagnosticError` with the first syntax error."""
    parsed = parse_pieces(source)
    if parsed.broken:
        raise DiagnosticError(parsed.broken[0].diagnostic)
    return parsed.definitions


@lru_cache(maxsize=KEPT)
def parse_pieces(source: Source) -> Parsed:
    """The definitions of one rules file, each parsed by itself. Those of the last few files are kept."""
    found: list[Definition] = []
    broken: list[BrokenPiece] = []
    for piece in pieces(source):
        try:
            found += ast_builder.definitions(source, _piece_tree(piece.span.text), piece.span.start)
        except DiagnosticError as failed:
            broken.append(BrokenPiece(piece, _located(piece, failed.diagnostic)))
    return Parsed(tuple(found), tuple(broken))


@lru_cache(maxsize=MOST_TREES)
def _piece_tree(text: str) -> Tree[Token]:
    """The tree of a piece, which only its text decides. Raises `DiagnosticError` at a place in that text."""
    return _tree(Source("", text), "start")


def _located(piece: Piece, found: Diagnostic) -> Diagnostic:
    """The error of a piece at its place in the file, seen with the line that follows the piece."""
    span = piece.span
    if found.span.source is span.source:
        return found
    whole = span.source.text
    for end in (_end_of_line(whole, span.end), span.end):
        try:
            _tree(span.source, "start", whole[span.start : end], span.start)
        except DiagnosticError as failed:
            if failed.diagnostic.span.start < span.end:
                return failed.diagnostic
    raise InternalError("a piece does not parse, but does so in its file")


def _end_of_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


def parse_question(source: Source) -> Expr:
    """One expression, as scenarios ask it. Raises `DiagnosticError` if it is none."""
    return ast_builder.question(source, _tree(source, "question"))


def parse_expression(span: Span) -> Expr:
    """The expression that a part of a text is. Raises `DiagnosticError` if it is none."""
    return ast_builder.question(span.source, _part(span, "question"))


def parse_round(span: Span) -> EachTurn:
    """A round of seats, `each seat in turn from S by K where C`, that a part of a text is, without block.

    Raises `DiagnosticError` if it is none.
    """
    return ast_builder.round_of_seats(span.source, _part(span, "round"))


def _part(span: Span, start: str) -> Tree[Token]:
    """The tree of a part of a text; its line ends are blanks."""
    return _tree(span.source, start, span.text.replace("\n", " ").replace("\r", " ") + "\n", span.start)


def _tree(source: Source, start: str, part: str | None = None, offset: int = 0) -> Tree[Token]:
    """The tree of a source, or of a part of it that begins at an offset."""
    text = source.text if part is None else part
    tab = text.find("\t")
    if tab >= 0:
        raise DiagnosticError(TabInRules(Span(source, offset + tab, offset + tab + 1)))
    parser, switch = _parser()
    switch.layout = Indenter(source, offset)
    text = text if text.endswith("\n") else text + "\n"
    try:
        tree = parser.parse(text, start=start)
    except UnexpectedInput as error:
        raise DiagnosticError(explain(source, error, switch.layout, _statement_words())) from None
    _check_depth(source, tree)
    return tree


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text, with its line ends and blocks. Raises `DiagnosticError` if it has others."""
    parser, switch = _parser()
    switch.layout = Indenter(Source("", text))
    whole = text if text.endswith("\n") else text + "\n"
    state: Any = parser.parse_interactive(whole, start="start")
    try:
        return list(state.lexer_thread.lex(state.parser_state))
    except UnexpectedInput as error:
        raise DiagnosticError(explain(Source("", text), error, switch.layout, ())) from None


def accepted(text: str) -> frozenset[str]:
    """The terminals that may follow the beginning of a definition; empty if it is none.

    Raises nothing: what cannot be read accepts nothing.
    """
    parser, switch = _parser()
    switch.layout = Indenter(Source("", text))
    try:
        state: Any = parser.parse_interactive(text + "x", start="start")
        for token in state.lexer_thread.lex(state.parser_state):
            if token.type not in BETWEEN and token.start_pos == len(text):
                break
            state.feed_token(token)
        return frozenset(state.accepts())
    except (UnexpectedInput, DiagnosticError):
        return frozenset()


@cache
def _statement_words() -> tuple[str, ...]:
    """The words that a statement can begin with, as the parser accepts them at the start of a block."""
    parser, _ = _parser()
    state: Any = parser.parse_interactive("", start="start")
    for kind in ("ROUTINE", "NAME", "_NL", "_INDENT"):
        state.feed_token(Token(kind, ""))
    return tuple(words_of(sorted(state.accepts())))


def _check_depth(source: Source, tree: Tree[Token]) -> None:
    """Raises `DiagnosticError` if a definition is nested deeper than recursion over it should go."""
    level: list[Tree[Token]] = [tree]
    for _ in range(DEEPEST_TREE):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    for node in level:
        if not node.meta.empty:
            span = Span(source, node.meta.start_pos, node.meta.end_pos).first_line()
            raise DiagnosticError(TooDeep(span, DEEPEST_TREE))


@cache
def terminals() -> frozenset[str]:
    """The words that the language keeps for itself."""
    parser, _ = _parser()
    hard = [t.pattern.value for t in parser.terminals if t.name not in SOFT]
    words = [w for value in hard for w in value.removesuffix(r"\b").strip("()").split("|")]
    return frozenset(w for w in words if w.isalpha())

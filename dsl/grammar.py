"""Rules text to syntax, by way of the Lark grammar; syntax errors as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError

from dsl.diagnostics import Failed
from dsl.messages import Indentation, NotAllowedHere, StrangeCharacter, TabInRules, TooDeep
from dsl.source import Source, Span
from dsl.syntax import Definition, Expr
from dsl.trees import Builder

DEEPEST = 40
CONTINUES = {"WHERE", "AND", "OR", "PLUS", "MINUS"}
OPENING, CLOSING = {"LPAR", "LSQB"}, {"RPAR", "RSQB"}
# words that are keywords only right after these; elsewhere they are names
SOFT = {
    "MOST": "AT",
    "ONE": ("DO", "DOES"),
    "UP": "NESTS",
    "TURN": "IN",
    "GAME": "END",
    "END_OF": "TO",
}


class Layout:
    """Line ends and indentation: tokens in, tokens out."""

    always_accept = ("_NL", "COMMENT")

    def __init__(self, source: Source) -> None:
        self.source = source

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        levels = [0]
        brackets = 0
        tokens = list(stream)
        previous = ""
        last: Token | None = None
        for i, token in enumerate(tokens):
            following = tokens[i + 1] if i + 1 < len(tokens) else None
            if token.type in SOFT and previous not in SOFT[token.type]:
                token = Token.new_borrow_pos("NAME", token, token)
            if token.type == "_NL":
                if brackets or last is None or following is None or following.type in CONTINUES:
                    continue
                yield token
                yield from self._indent(token, levels)
            else:
                brackets += (token.type in OPENING) - (token.type in CLOSING)
                if brackets > DEEPEST:
                    raise Failed(TooDeep(self._span(token), DEEPEST))
                yield token
            previous, last = token.type, token
        if last is not None:
            if last.type != "_NL":
                yield Token.new_borrow_pos("_NL", "\n", last)
            for _ in levels[1:]:
                yield Token.new_borrow_pos("_DEDENT", "", last)

    def _indent(self, token: Token, levels: list[int]) -> Iterator[Token]:
        width = len(token) - token.rfind("\n") - 1
        if width > levels[-1]:
            levels.append(width)
            if len(levels) > DEEPEST:
                raise Failed(TooDeep(self._span(token), DEEPEST))
            yield Token.new_borrow_pos("_INDENT", "", token)
            return
        while width < levels[-1]:
            levels.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)
        if width != levels[-1]:
            end = token.end_pos or 0
            raise Failed(Indentation(Span(self.source, end - width, end), width, levels[-1]))

    def _span(self, token: Token) -> Span:
        start = token.start_pos or 0
        return Span(self.source, start, token.end_pos or start)


class _Switch:
    """Lark wants one post-lexer per parser; each parse needs its own source for messages."""

    always_accept = Layout.always_accept
    layout: Layout

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return self.layout.process(stream)


@cache
def _parser() -> tuple[Lark, _Switch]:
    switch = _Switch()
    text = files("dsl").joinpath("rules.lark").read_text("utf-8")
    parser = Lark(
        text, parser="lalr", lexer="basic", postlex=switch, propagate_positions=True,
        maybe_placeholders=True, start=["start", "question"],
    )  # fmt: skip
    return parser, switch


def parse(source: Source) -> tuple[Definition, ...]:
    """The definitions of one rules file.

    Raises `Failed` with the first syntax error: a text that does not parse has no second one that
    can be trusted.
    """
    return Builder(source).definitions(_tree(source, "start"))


def parse_question(source: Source) -> Expr:
    """One expression, as scenarios ask it. Raises `Failed` if it is none."""
    return Builder(source).question(_tree(source, "question"))


def _tree(source: Source, start: str) -> Tree[Token]:
    tab = source.text.find("\t")
    if tab >= 0:
        raise Failed(TabInRules(Span(source, tab, tab + 1)))
    parser, switch = _parser()
    switch.layout = Layout(source)
    text = source.text if source.text.endswith("\n") else source.text + "\n"
    try:
        return parser.parse(text, start=start)
    except UnexpectedInput as error:
        raise Failed(_explain(source, error)) from None
    except DedentError:
        raise Failed(Indentation(Span(source, 0, 1), 0, 0)) from None


def terminals() -> frozenset[str]:
    """The words that the language keeps for itself."""
    parser, _ = _parser()
    words: set[str] = set()
    for terminal in parser.terminals:
        pattern = terminal.pattern
        if pattern.type == "str" and pattern.value.isalpha() and terminal.name not in SOFT:
            words.add(pattern.value)
    return frozenset(words)


def _explain(source: Source, error: UnexpectedInput) -> StrangeCharacter | NotAllowedHere:
    at = min(max(error.pos_in_stream or 0, 0), max(len(source.text) - 1, 0))
    if isinstance(error, UnexpectedCharacters):
        return StrangeCharacter(Span(source, at, at + 1), source.text[at : at + 1])
    if not isinstance(error, UnexpectedToken):
        at = max(len(source.text.rstrip()) - 1, 0)
        return NotAllowedHere(Span(source, at, at + 1), "the end of the file", "")
    token: Token = error.token
    end = max(token.end_pos or at + 1, at + 1)
    if token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        end = at + 1
    return NotAllowedHere(
        Span(source, at, end), _spoken(token), _hint(token, set(error.accepts or error.expected))
    )


SPOKEN = {
    "_NL": "the end of the line", "_INDENT": "a deeper indentation", "_DEDENT": "the end of the block",
    "$END": "the end of the file",
}  # fmt: skip


def _spoken(token: Token) -> str:
    return SPOKEN.get(token.type, f"`{token}`")


def _hint(token: Token, expected: set[str]) -> str:
    """The likeliest repair, found by what came and what could have come."""
    if token.type == "EQUALS" and "COMPARE" in expected:
        return "`=` writes; to compare, say `is`"
    if token.type == "_INDENT":
        return "only a line that opens a block may be followed by a deeper one"
    if expected == {"_INDENT"} or (token.type == "_NL" and "_INDENT" in expected):
        return "an indented block must follow"
    if token.type in CONTINUES and "_NL" not in expected and "CLAUSE" in expected:
        return "clause marks go to the end of the whole statement"
    if token.type in CONTINUES:
        return "a clause mark ends a statement; write it after the last line"
    if "CLAUSE" in expected and "_NL" in expected and token.type == "COLON":
        return "a header needs no colon"
    if token.type not in ("NAME", "INT") and token.isalpha() and "NAME" in expected:
        return f"`{token}` is a word of the language and cannot be a name"
    words = sorted(_word(e) for e in expected if _word(e))
    return f"expected {', '.join(words[:6])}" if 0 < len(words) <= 6 else ""


def _word(terminal: str) -> str:
    special = {"NAME": "a name", "INT": "a number", "_NL": "the end of the line", "CLAUSE": "a clause mark",
               "LPAR": "`(`", "RPAR": "`)`", "_INDENT": "a block", "EQUALS": "`=`"}  # fmt: skip
    return special.get(terminal, f"`{terminal.lower()}`" if terminal.isalpha() else "")

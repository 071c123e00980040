"""Line ends, indentation and brackets of rules text: between Lark's lexer and its parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lark import Token

from dsl.diagnostics import DiagnosticError, Label
from dsl.messages.files import TooDeep
from dsl.messages.text import Indentation, UnclosedBracket
from dsl.source import Source, Span

DEEPEST = 40
CONTINUES = frozenset({"WHERE", "AND", "OR", "PLUS", "MINUS"})
"""What a line may begin with that goes on with the line above."""
DEFINES = frozenset({"ROUTINE", "VALUE", "MODIFY", "WHEN", "SCORE", "TIEBREAK", "ALWAYS"})
PARTNER = {"RPAR": "LPAR", "RSQB": "LSQB"}
SHOWN = {"LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]"}

Kinds = list[str]
SOFTER = ("MOST", "ONE", "UP", "TURN", "GAME", "NEVER", "EVENTUALLY")
FIRST = ("NAME", "INT", "LPAR", "NOT", "CAN", "ANY", "ALL", "COUNT", "SUM", "MIN", "MAX", "DISTINCT")
BEGINS = frozenset((*FIRST, "TRUE", "FALSE", *SOFTER))
"""What a condition can begin with that cannot follow a name."""
SOFT: dict[str, Callable[[Kinds, str], bool]] = {
    "MOST": lambda before, after: before[-2:] == ["COMMA", "AT"],
    "ONE": lambda before, after: before[-1:] in (["DO"], ["DOES"]) and after == "OF",
    "UP": lambda before, after: before[-1:] == ["NESTS"],
    "TURN": lambda before, after: before[-3:] == ["EACH", "NAME", "IN"],
    "GAME": lambda before, after: before[-1:] == ["END"],
    "NEVER": lambda before, after: not before and after in BEGINS,
    "EVENTUALLY": lambda before, after: not before and after in BEGINS,
    "END_OF": lambda before, after: before[-1:] == ["TO"] and after == "OF",
}
"""Words that are keywords between certain others only; elsewhere they are names."""


class Indenter:
    """Tokens in, tokens out: one for each parse.

    Line ends inside brackets and before continuation lines are dropped; indentation becomes `_INDENT` and
    `_DEDENT`. What has passed is kept, so that a syntax error can be explained: `line` is the line so far,
    with the token that the parser looks at last; `above` the line before it, `following` the token after.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.levels = [0]
        self.open: list[Token] = []
        self.line: list[Token] = []
        self.above: list[Token] = []
        self.following: Token | None = None

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Raises `DiagnosticError` for lines that match no level and brackets without a partner."""
        tokens = list(stream)
        last: Token | None = None
        for i, token in enumerate(tokens):
            self.following = tokens[i + 1] if i + 1 < len(tokens) else None
            if token.type != "_NL":
                last = self._hardened(token)
                yield from self._word(last, first=not self.line and not self.above)
            elif last is not None and self._ends_line():
                yield from self._line_end(token)
        yield from self._end(last)

    def _ends_line(self) -> bool:
        """Whether a line end counts. Raises `DiagnosticError` if a definition begins inside a bracket."""
        following = self.following
        if following is None or following.type in CONTINUES:
            return False
        if self.open and following.type in DEFINES and following.column == 1:
            raise DiagnosticError(self.unclosed(following))
        return not self.open

    def _hardened(self, token: Token) -> Token:
        """The token; as a name if it is a soft keyword in another place than its own."""
        if token.type not in SOFT:
            return token
        after = self.following.type if self.following is not None else ""
        if SOFT[token.type]([t.type for t in self.line[-3:]], after):
            return token
        return Token.new_borrow_pos("NAME", token, token)

    def _word(self, token: Token, first: bool) -> Iterator[Token]:
        if first and token.column != 1:
            raise DiagnosticError(self._unaligned(token, (token.column or 1) - 1))
        self._count_brackets(token)
        self.line.append(token)
        yield token

    def _count_brackets(self, token: Token) -> None:
        if token.type in PARTNER.values():
            self.open.append(token)
            if len(self.open) > DEEPEST:
                raise DiagnosticError(TooDeep(self.span(token), DEEPEST))
        elif token.type in PARTNER:
            if not self.open or self.open[-1].type != PARTNER[token.type]:
                raise DiagnosticError(self._unopened(token))
            self.open.pop()

    # ---- lines

    def _line_end(self, token: Token) -> Iterator[Token]:
        yield token
        self.above, self.line = self.line, []
        width = len(token) - token.rfind("\n") - 1
        if width > self.levels[-1]:
            self.levels.append(width)
            if len(self.levels) > DEEPEST:
                raise DiagnosticError(TooDeep(self.span(token), DEEPEST))
            yield Token.new_borrow_pos("_INDENT", "", token)
            return
        if width not in self.levels:
            raise DiagnosticError(self._unaligned(self.following or token, width))
        while width < self.levels[-1]:
            self.levels.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token)

    def _end(self, last: Token | None) -> Iterator[Token]:
        """The end of the text ends the line and all blocks."""
        if last is None:
            return
        if self.open:
            raise DiagnosticError(self.unclosed(None))
        yield Token.new_borrow_pos("_NL", "\n", last)
        self.above, self.line = self.line, []
        for _ in self.levels[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", last)

    # ---- what is wrong

    def unclosed(self, at: Token | None) -> UnclosedBracket:
        """The innermost open bracket has no end before `at`, or before the end of the text."""
        opened = self.open[-1]
        other = Label(self.span(at), "still open here") if at is not None else None
        why = f"unclosed `{SHOWN[opened.type]}`"
        closing = ")" if opened.type == "LPAR" else "]"
        return UnclosedBracket(self.span(opened), why, f"add the missing `{closing}`", other)

    def _unopened(self, token: Token) -> UnclosedBracket:
        shown = SHOWN[token.type]
        if not self.open:
            return UnclosedBracket(self.span(token), f"unmatched `{shown}`", "remove it")
        opened = self.open[-1]
        why = f"`{shown}` does not match `{SHOWN[opened.type]}`"
        hint = "close each bracket with its counterpart"
        return UnclosedBracket(self.span(token), why, hint, Label(self.span(opened), "opened here"))

    def _unaligned(self, token: Token, width: int) -> Indentation:
        shown = [str(level) for level in self.levels]
        levels = " or ".join((", ".join(shown[:-1]), shown[-1])) if len(shown) > 1 else shown[0]
        hint = f"indent it by {levels} spaces" if levels != "0" else "start it in the first column"
        return Indentation(self.span(token), width, hint)

    def span(self, token: Token) -> Span:
        start = token.start_pos or 0
        end = max(token.end_pos or start, start)
        return Span(self.source, start, end if token.type != "_NL" else start + 1)

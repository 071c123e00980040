"""The post-lexer of rules text: line ends, indentation, brackets and soft keywords."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lark import Token

from dsl.diagnostics import DiagnosticError, Label
from dsl.messages.files import TooDeep
from dsl.messages.text import Indentation, UnclosedBracket
from dsl.source import Source, Span
from dsl.wording import listed

DEEPEST = 40
CONTINUES = frozenset({"WHERE", "AND", "OR", "PLUS", "MINUS"})
"""The tokens with which a continuation line begins."""
DEFINES = frozenset({"ROUTINE", "VALUE", "MODIFY", "WHEN", "SCORE", "TIEBREAK", "ALWAYS"})
PARTNER = {"RPAR": "LPAR", "RSQB": "LSQB"}
SHOWN = {"LPAR": "(", "RPAR": ")", "LSQB": "[", "RSQB": "]"}

Kinds = list[str]
SOFTER = (
    *("MOST", "ONE", "UP", "TURN", "CHANCE", "WEIGHT", "SEVERAL", "GAME", "RECORD", "WIN"),
    *("RECALL", "BEST"),
    *("NEVER", "EVENTUALLY"),
)
FIRST = ("NAME", "INT", "LPAR", "NOT", "CAN", "ANY", "ALL", "COUNT", "SUM", "MIN", "MAX", "DISTINCT")
BEGINS = frozenset((*FIRST, "TRUE", "FALSE", *SOFTER))
"""The tokens with which a condition can begin and that cannot follow a name."""
NAMED = ("LOWEST", "HIGHEST", "FIRST", "MINUS", "NONE", "LSQB")
"""The other tokens with which a condition can begin."""
ENDS = frozenset({"NAME", "INT", "RPAR", "RSQB", "TRUE", "FALSE", "NONE", "EXISTS", "EMPTY"})
"""The tokens with which a condition can end."""
MOVING: tuple[Kinds, ...] = (["MOVE"], ["ROLL"])
"""The beginnings of lines in which `up to` stands before a number of pieces."""
CHOOSING: tuple[Kinds, ...] = (["CHOOSE"], ["CHOOSES"], ["CHOOSING"])
"""The words after which `up to` stands before a number of what is chosen."""
VERBS = frozenset({"GAIN", "GAINS", "FOR", "EACH"})
"""The verbs that two values in a row may follow, and the heads of loops, whose last name may be bound."""
ENDS_OF_LINE = 8
"""So many tokens at both ends of a line, and whether there is a verb, decide what a soft keyword is."""
SOFT: dict[str, Callable[[Kinds, Kinds], bool]] = {
    "MOST": lambda before, after: before[-2:] == ["COMMA", "AT"],
    "ONE": lambda before, after: before[-1:] in (["DO"], ["DOES"]) and after[:1] == ["OF"],
    "UP": lambda before, after: (
        before[-1:] == ["NESTS"]
        or (after[:1] == ["TO"] and (before in MOVING or before[-1:] in CHOOSING or _in_header(before)))
    ),
    "TURN": lambda before, after: before[-3:] == ["EACH", "NAME", "IN"],
    "CHANCE": lambda before, after: not before and after[:1] == ["CHOOSES"],
    "SEVERAL": lambda before, after: (
        before[-1:] == ["IF"]
        and (after[:1] or ["_NL"])[0] in ("_NL", "CLAUSE", "COMMENT", "COMMA", "SECRETLY")
    ),
    "OPENLY": lambda before, after: (
        before[:1] == ["SHOW"] and _ends_subject(before) and (after or ["_NL"])[0] in ("_NL", "CLAUSE")
    ),
    "WEIGHT": lambda before, after: before[:1] == ["CHANCE"] and before[-1:] == ["BY"],
    "GAME": lambda before, after: before[-1:] == ["END"],
    "WIN": lambda before, after: _ends_subject(before) and (after or ["_NL"])[0] in ("_NL", "CLAUSE", "AS"),
    "SWAP": lambda before, after: not before and after[:1] == ["NAME"],
    "WITH": lambda before, after: before[:1] == ["SWAP"],
    "RECORD": lambda before, after: not before and after[:1] == ["NAME"],
    "RECALL": lambda before, after: not before and after[:1] == ["BEST"],
    "BEST": lambda before, after: before == ["RECALL"],
    "NEVER": lambda before, after: not before and not BEGINS.isdisjoint(after[:1]),
    "EVENTUALLY": lambda before, after: not before and not BEGINS.isdisjoint(after[:1]),
    "END_OF": lambda before, after: after[:1] == ["OF"] and (before[-1:] == ["TO"] or _takes_from(before)),
    "FIRST": lambda before, after: after[:2] == ["LPAR", "NAME"] and after[2:] in (["IN"], ["WHERE"]),
    "UNTIL": lambda before, after: (
        (not ENDS.isdisjoint(before[-1:]) and not BEGINS.isdisjoint(after[:1]))
        or (before == ["REPEAT"] and not {*BEGINS, "NOTHING", *NAMED}.isdisjoint(after[:1]))
    ),
    "CHANGES": lambda before, after: before == ["REPEAT", "UNTIL", "NOTHING"],
}
"""Soft keywords: keywords only between certain tokens, elsewhere names."""


def _in_header(before: Kinds) -> bool:
    """Whether a parameter of a routine begins here."""
    return before[:1] == ["ROUTINE"] and before[-1:] in (["LPAR"], ["COMMA"])


def _takes_from(before: Kinds) -> bool:
    """Whether the tokens of a line say that pieces are taken from what follows."""
    return before[:1] in (["MOVE"], ["DRAW"]) and before[-1:] == ["FROM"]


def _ends_subject(before: Kinds) -> bool:
    """Whether a line so far can be those who win: one value, without a verb before it."""
    return before[-1:] in (["NAME"], ["RPAR"], ["RSQB"]) and not any(kind in VERBS for kind in before)


class Indenter:
    """Filters the tokens of one text.

    Line ends inside brackets and before continuation lines are dropped; indentation becomes `_INDENT` and
    `_DEDENT`. The last tokens are kept to explain syntax errors: `line` is the line so far, up to the token
    that the parser looks at, `above` the line before it, `following` the next token. The text is that of a
    source, from `offset` on.
    """

    def __init__(self, source: Source, offset: int = 0) -> None:
        self.source, self.offset = source, offset
        self.levels = [0]
        self.open: list[Token] = []
        self.line: list[Token] = []
        self.above: list[Token] = []
        self.verb: list[Token] = []
        self.following: Token | None = None
        self.ahead: list[Token] = []
        self.in_value = False
        """Whether the definition here is a value."""

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Raises `DiagnosticError` for indentation that matches no level, and for unmatched brackets."""
        tokens = list(stream)
        if self.offset:
            for token in tokens:
                token.start_pos = (token.start_pos or 0) + self.offset
                token.end_pos = (token.end_pos or 0) + self.offset
        last: Token | None = None
        for i, token in enumerate(tokens):
            self.ahead = tokens[i + 1 : i + 4]
            self.following = self.ahead[0] if self.ahead else None
            if token.type != "_NL":
                last = self._resolved(token)
                yield from self._word(last, first=not self.line and not self.above)
            elif last is not None and self._ends_line():
                yield from self._line_end(token)
        yield from self._end(last)

    def _ends_line(self) -> bool:
        """Whether a line end counts. Raises `DiagnosticError` if a definition begins inside a bracket."""
        following = self.following
        if following is None or (following.type in CONTINUES and not self._begins_case()):
            return False
        if self.open and following.type in DEFINES and following.column == 1:
            raise DiagnosticError(self.unclosed(following))
        return not self.open

    def _begins_case(self) -> bool:
        """Whether the next line is a case of a value that begins with a negative number: `-1 when x < 0`.

        Its `-` stands right before what it negates, below the header of the value or a line like it.
        """
        minus, operand = (*self.ahead, None)[:2]
        if minus is None or minus.type != "MINUS" or operand is None or minus.end_pos != operand.start_pos:
            return False
        column = (minus.column or 1) - 1
        if [token.type for token in self.line[:1]] == ["VALUE"]:
            return column > 0 and not any(token.type == "EQUALS" for token in self.line)
        return self.in_value and column == self.levels[-1] > 0

    def _resolved(self, token: Token) -> Token:
        """The token; a soft keyword becomes a name unless its neighbours make it a keyword.

        After a dot every word is a name, that of an attribute.
        """
        if self.line and self.line[-1].type == "DOT" and token.isidentifier():
            return Token.new_borrow_pos("NAME", token, token)
        if token.type not in SOFT:
            return token
        if SOFT[token.type](self._before(), [t.type for t in self.ahead]):
            return token
        return Token.new_borrow_pos("NAME", token, token)

    def _before(self) -> Kinds:
        """The kinds of the line so far; of a long one both ends, and a verb between them if there is one."""
        line = self.line
        if len(line) > 2 * ENDS_OF_LINE:
            line = [*line[:ENDS_OF_LINE], *self.verb, *line[-ENDS_OF_LINE:]]
        return [token.type for token in line]

    def _word(self, token: Token, first: bool) -> Iterator[Token]:
        if first and token.column != 1:
            raise DiagnosticError(self._unaligned(token, (token.column or 1) - 1))
        self._count_brackets(token)
        if not self.line and token.column == 1:
            self.in_value = token.type == "VALUE"
        self.line.append(token)
        if token.type in VERBS:
            self.verb = [token]
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
        self.above, self.line, self.verb = self.line, [], []
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
        """The tokens at the end of the text, which ends the line and all blocks."""
        if last is None:
            return
        if self.open:
            raise DiagnosticError(self.unclosed(None))
        yield Token.new_borrow_pos("_NL", "\n", last)
        self.above, self.line, self.verb = self.line, [], []
        for _ in self.levels[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", last)

    # ---- errors

    def unclosed(self, at: Token | None) -> UnclosedBracket:
        """The error of the innermost open bracket, which is not closed before `at`, or before the end."""
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
        levels = listed([str(level) for level in self.levels], "or")
        hint = f"indent it by {levels} spaces" if levels != "0" else "start it in the first column"
        return Indentation(self.span(token), width, hint)

    def span(self, token: Token) -> Span:
        start = token.start_pos or 0
        end = max(token.end_pos or start, start)
        return Span(self.source, start, end if token.type != "_NL" else start + 1)

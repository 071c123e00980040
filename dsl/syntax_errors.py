"""Syntax errors as messages: what the parser could not accept, what that means, how to correct it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.indentation import CONTINUES, Indenter
from dsl.messages.names import ReservedWord
from dsl.messages.text import MissingBlock, NotAllowedHere, StrangeCharacter
from dsl.source import Source, Span

BETWEEN = ("_NL", "_INDENT", "_DEDENT", "$END")
WORDS = {
    "ROUTINE": ("action", "effect", "procedure"),
    "GAIN": ("gain", "pay", "lose"),
    "GAINS": ("gains", "pays", "loses"),
    "END_OF": ("top", "bottom"),
    **dict.fromkeys(("NAME", "INT", "CLAUSE", "COMPARE", "PLUS", "MINUS", "STAR", "EQUALS"), ()),
    **dict.fromkeys(("ADDS", "TAKES", "DOT", "COMMA", "COLON", "LPAR", "RPAR", "LSQB", "RSQB"), ()),
}
"""The words of each terminal that is not a keyword of the same name."""


CHOOSES = frozenset({"CHOOSE", "CHOOSES", "CHOOSING"})


@dataclass(frozen=True)
class ParseFailure:
    """A token that cannot come next, with what stands around it."""

    layout: Indenter
    error: UnexpectedToken
    statements: tuple[str, ...]
    """The words that a statement can begin with."""

    @property
    def token(self) -> Token:
        token: Token = self.error.token
        return token

    @property
    def kind(self) -> str:
        return str(self.token.type)

    @property
    def expected(self) -> frozenset[str]:
        return frozenset(self.error.accepts or self.error.expected)

    @property
    def keywords(self) -> list[str]:
        """The words of the language that could have come instead."""
        words = words_of(self.expected)
        return [*words, "and"] if "or" in words else words

    @property
    def line(self) -> list[Token]:
        """The words of the line before the token."""
        line = self.layout.line
        return line[:-1] if line and line[-1] is self.token else line

    @property
    def before(self) -> str:
        """The kind of the word before the token, in its line."""
        return str(self.line[-1].type) if self.line else ""

    @property
    def span(self) -> Span:
        """The token; at the end of a line or text, the last word that shows anything."""
        if self.kind not in BETWEEN:
            return self.layout.span(self.token)
        if self.kind == "_INDENT" and self.layout.following is not None:
            return self.layout.span(self.layout.following)
        words = self.line or self.layout.above
        return self.layout.span(words[-1]) if words else self.layout.source.beginning

    @property
    def span_above(self) -> Span:
        above = self.layout.above
        return self.layout.span(above[0]).to(self.layout.span(above[-1]))

    def would_fit(self, kinds: tuple[str, ...]) -> bool:
        """Whether the parser would take these tokens instead. It builds no tree, so it copies none."""
        parser: Any = self.error.interactive_parser
        parser = parser.copy(deepcopy_values=False)
        state = parser.parser_state
        state.parse_conf = copy(state.parse_conf)
        state.parse_conf.callbacks = {}
        try:
            for kind in kinds:
                parser.feed_token(Token.new_borrow_pos(kind, self.token, self.token))
        except UnexpectedInput:
            return False
        return True

    def says(self, why: str, hint: str = "", span: Span | None = None) -> Diagnostic:
        return NotAllowedHere(span or self.span, why, hint)


def words_of(kinds: Iterable[str]) -> list[str]:
    """The words that terminals stand for; those without letters are left out."""
    return [word for kind in kinds for word in WORDS.get(kind, (kind.lower(),)) if word.isalpha()]


def explain(
    source: Source, error: UnexpectedInput, layout: Indenter, statements: tuple[str, ...]
) -> Diagnostic:
    """The mistake behind a syntax error. `statements` are the words that a statement can begin with."""
    if isinstance(error, UnexpectedCharacters):
        at = layout.offset + (error.pos_in_stream or 0)
        return _strange(Span(source, at, at + 1))
    assert isinstance(error, UnexpectedToken)
    failure = ParseFailure(layout, error, statements)
    return next(found for rule in RULES if (found := rule(failure)) is not None)


# ---- characters

INSTEAD = {
    "!": "use `not` or `is not`",
    "&": "use `and`",
    "|": "use `or`",
    "/": "use `div`, which rounds down",
    "%": "use `mod`",
    "^": "multiply, or look it up in a table",
    ";": "put each statement on a line of its own",
    "{": "indent a block instead of using braces",
    "}": "indent a block instead of using braces",
    '"': "put texts for people in the labels",
    "'": "put texts for people in the labels",
    "?": "write a conditional as `a if c else b`",
    "§": "write a clause mark as `§` and the name of the clause: `§4.3`",
    "≤": "use `<=`",
    "≥": "use `>=`",
    "≠": "use `is not`",
    "×": "use `*`",
    "–": "use `-` for a minus",
    "−": "use `-` for a minus",
    "“": "put texts for people in the labels",
}


def _strange(span: Span) -> StrangeCharacter:
    character = span.text
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character or ' '):04X}"
    hint = INSTEAD.get(character, "remove it")
    if character.isalpha():
        hint = "use English letters, digits and `_` in names; put texts for people in the labels"
    return StrangeCharacter(span, shown, hint)


# ---- the rules, the first that applies

FOREIGN = {
    "elif": "use `else if`",
    "elseif": "use `else if`",
    "elsif": "use `else if`",
    "then": "remove `then`, and indent what follows under the line",
    "return": "put the result of a `value` after `=`; a procedure returns nothing",
    "var": "use `let`",
    "const": "use `let`",
    "def": "use `procedure`, `action`, `effect` or `value`",
    "function": "use `procedure`, `action`, `effect` or `value`",
    "foreach": "use `for`",
    "until": "use `while not`",
    "unless": "use `if not`",
    "pass": "use `nothing`",
    "isnt": "use `is not`",
}
"""Words of programming languages."""
MOVES = "use `move`: `move card to discard`"
COUNTS = "use `gain`, `pay` or `lose`: `gain 3 gold`"
FLOWS = "`then` of a phase in `game.yaml` says what follows it; `each seat in turn` passes the turn"
ENDS = "name who wins: `me wins`, `nobody wins`; `end game` lets the account decide"
VERBS = {
    **dict.fromkeys(("take", "takes", "give", "gives"), f"{MOVES}; for a counter `gain 3 gold`"),
    **dict.fromkeys(("put", "place", "places", "discard", "discards", "deal", "remove", "play"), MOVES),
    **dict.fromkeys(("spend", "add", "increase", "increment", "earn", "receive"), COUNTS),
    **dict.fromkeys(("subtract", "decrease", "decrement", "reduce", "deduct"), COUNTS),
    **dict.fromkeys(("next", "goto", "go", "continue", "skip"), FLOWS),
    **dict.fromkeys(("win", "winner", "victory", "finish", "stop", "exit", "break"), ENDS),
}
"""Verbs of rulebooks that the language has no statement of: how the same is said."""
DEFINITIONS = (
    "action",
    "effect",
    "procedure",
    "value",
    "modify",
    "when",
    "score",
    "tiebreak",
    "always",
    "never",
    "eventually",
)


def _open_bracket(s: ParseFailure) -> Diagnostic | None:
    """A bracket that is not closed shows in the next line, where nothing fits any more."""
    token = s.token
    if s.layout.open and s.kind not in BETWEEN and s.kind not in CONTINUES and token.line != _line_of(s.line):
        return s.layout.unclosed(token)
    return None


def _line_of(words: list[Token]) -> int | None:
    return words[-1].line if words else None


def _missing_block(s: ParseFailure) -> Diagnostic | None:
    above = s.layout.above
    if s.expected != {"_INDENT"} or not above:
        return None
    if above[0].type == "VALUE":
        return MissingBlock(s.span_above, "write `value NAME = ...`, or its cases on the lines below")
    return MissingBlock(s.span_above)


def _deeper(s: ParseFailure) -> Diagnostic | None:
    if s.kind != "_INDENT":
        return None
    why = "unexpected indentation: the line above opens no block"
    hint = "align it with the line above"
    first = s.layout.following
    if first is not None and not first.isalpha():
        hint = "continue a line inside brackets, or start the next one with `and`, `or`, `+` or `-`"
    elif first is not None and first.type in ("IF", "BY", "TO", "FROM", "OF", "AT", "FOR", "IS", "IN"):
        hint = "continue a line inside brackets, or start the next one with `where`, `and` or `or`"
    return s.says(why, hint)


def _writes_for_is(s: ParseFailure) -> Diagnostic | None:
    if s.kind == "EQUALS" and (s.before == "EQUALS" or "COMPARE" in s.expected):
        return s.says("`=` assigns, but a comparison is expected", "use `is`")
    if s.before == "IS" and s.kind in ("COMPARE", "IN", "EXISTS"):
        return s.says(f"redundant `is` before `{s.token}`", "remove `is`")
    if s.before == "NOT" and s.kind == "IN" and [t.type for t in s.line[-2:]] == ["IS", "NOT"]:
        return s.says("redundant `is` in `is not in`", "use `not in`")
    if s.kind in ("COMPARE", "IS", "IN", "EXISTS") and "AND" in s.expected and "COMPARE" not in s.expected:
        return s.says("comparisons cannot be chained", "join two comparisons with `and`")
    return None


def _colon(s: ParseFailure) -> Diagnostic | None:
    following = s.layout.following
    if s.kind == "COLON" and following is not None and following.type == "NAME" and s.before == "NAME":
        word = "in" if s.line[0].type == "FOR" else "from"
        if word == "in" or not CHOOSES.isdisjoint(token.type for token in s.line):
            hint = f"write `{s.line[-1]} {word} {following}`; only parameters have types"
            return s.says(f"unexpected `:` after `{s.line[-1]}`", hint)
    if s.kind == "COLON" and "_NL" in s.expected:
        return s.says("unexpected `:` after a header", "remove it")
    return None


def _clause(s: ParseFailure) -> Diagnostic | None:
    hint = "put the mark at the end of the whole statement"
    if s.before == "CLAUSE":
        return s.says("unexpected text after a clause mark", hint)
    if s.kind == "CLAUSE" and not (s.line and _ends_line(s)):
        return s.says("clause mark in the middle of a statement", hint)
    return None


def _ends_line(s: ParseFailure) -> bool:
    """Whether only marks follow the token, outside of brackets: then what is before it lacks a part."""
    rest = s.layout.source.text[s.layout.span(s.token).end :].partition("\n")[0].partition("#")[0]
    return not s.layout.open and all(word.startswith("§") for word in rest.split())


def _second_address(s: ParseFailure) -> Diagnostic | None:
    if s.kind not in ("OF", "AT") or not any(t.type in ("OF", "AT") for t in s.line):
        return None
    named = any(t.type == s.kind for t in s.line)
    why = f"second `{s.token}` in one address" if named else f"misplaced `{s.token}`"
    hint = (
        "write an address as `NAME of WHOSE at WHERE`, with brackets around an inner one: `at (target of me)`"
    )
    return s.says(why, hint)


THIRD = {"GAIN": "gains", "CHOOSE": "chooses", "DO": "does"}
FIRST = {"GAINS": "gain", "CHOOSES": "choose", "DOES": "do"}


def _person(s: ParseFailure) -> Diagnostic | None:
    """`me gain 3 vp`, `gains 3 vp`: the verb is mine without a name before it, somebody's with one."""
    if s.kind in THIRD and len(s.line) == 1 and s.before == "NAME":
        third = f"{s.token}s" if s.kind == "GAIN" else THIRD[s.kind]
        hint = "remove `me`" if str(s.line[0]) == "me" else f"use `{third}`"
        return s.says(f"unexpected subject `{s.line[0]}` before `{s.token}`", hint)
    if s.kind in FIRST and not s.line:
        first = str(s.token)[:-1] if s.kind == "GAINS" else FIRST[s.kind]
        return s.says(f"missing subject of `{s.token}`", f"use `{first}`, or name a seat before it")
    return None


def _counter_missing(s: ParseFailure) -> bool:
    """`gain gold`, `gain 2 3`; after a `.` it is the name of a column that is missing."""
    return s.before != "DOT" and (s.expected == {"NAME"} or (s.kind == "INT" and len(s.line) == 2))


def _forms(s: ParseFailure) -> Diagnostic | None:
    """Statements that are often written in another form."""
    first = str(s.line[0].type) if s.line else ""
    hint = ""
    if first == "DO" and s.kind == "COMMA":
        hint = "use `do one of` to do one of several"
    elif first == "WHILE" and str(s.line[-1]) == "most":
        place = s.layout.span(s.line[-2]).to(s.layout.span(s.line[-1]))
        return s.says("missing comma before `at most`", "write `, at most`", place)
    elif s.kind == "WHILE" and s.layout.open:
        hint = "use `those(x in S while C)` or `count(x in S while C)` for the beginning of a collection"
    elif s.kind == "WHERE" and s.layout.open and {"FOR", "OR"} <= s.expected:
        hint = "put what is asked of each first: `all(C for x in S)`, `sum(N for x in S where C)`"
    elif s.kind == "IN" and any(t.type in ("CHOOSE", "CHOOSES", "CHOOSING") for t in s.line):
        hint = "use `from`"
    elif s.kind == "IN" and first == "ROUTINE" and s.before == "NAME":
        chooses = f"use `from` for what is chosen: `{s.line[-1]} from ...`"
        hint = "give it a type: a procedure chooses nothing" if s.line[0] == "procedure" else chooses
    elif s.kind == "FROM" and first == "FOR":
        hint = "use `in`"
    elif s.kind == "NAME" and first == "MOVE" and s.before == "INT" and "FROM" in s.expected:
        which = f"those(piece in ... where piece is {s.token})"
        hint = f"a number needs no name: `{_text(s.line)} from ...`; for some of the pieces, `from {which}`"
    elif first == "GAIN" and _counter_missing(s):
        hint = f"give the amount and the counter: `{s.line[0]} 2 gold`"
    elif s.kind == "TO" and first == "SET":
        hint = f"use `=`: `{_text(s.line[1:])} = ...`; `set` is for marks"
    elif s.kind == "LSQB" and s.before == "NAME":
        hint = f"use `of`, or `at` for a place: `{s.line[-1]} of ...`"
    elif s.kind == "EACH" and first == "FOR":
        hint = "write `for` without `each`: `for seat`, `for card in hand of me`"
    elif s.kind == "WHEN" and "OTHERWISE" in s.expected:
        hint = "put the result before its condition: `3 when C`"
    elif s.kind == "OTHERWISE":
        hint = "put the result after it: `otherwise 3`"
    elif s.kind in BETWEEN and first in ("SCORE", "TIEBREAK") and len(s.line) == 2:
        hint = f"give it one expression, `{_text(s.line)} = ...`; a `value` can have cases"
    elif s.kind == "WHEN" and first == "MODIFY":
        hint = "use `while`"
    else:
        return None
    missing = s.kind in BETWEEN
    return s.says("unexpected end of line" if missing else f"unexpected `{s.token}`", hint)


def _text(words: list[Token]) -> str:
    return " ".join(map(str, words))


def _lonely_else(s: ParseFailure) -> Diagnostic | None:
    if s.kind in ("ELSE", "OTHERWISE") and not s.line:
        hint = "align it with its `if`, `choose` or `may do`" if s.kind == "ELSE" else ""
        return s.says(f"unmatched `{s.token}`", hint or "use it as the last line of a `value`")
    return None


def _foreign(s: ParseFailure) -> Diagnostic | None:
    for token in (s.token, *s.line[:1]):
        if str(token) in FOREIGN and (token is s.token or len(s.line) == 1):
            return s.says(f"unknown keyword `{token}`", FOREIGN[str(token)], s.layout.span(token))
    return None


def _first_word(s: ParseFailure) -> Diagnostic | None:
    """The first word of a line is misspelt: a name cannot be followed by what comes after it."""
    if not s.line and s.kind in ("NAME", "INT") and "ROUTINE" in s.expected:
        hint = (
            did_you_mean(s.token, DEFINITIONS)
            or f"start a definition with {', '.join(f'`{d}`' for d in DEFINITIONS)}"
        )
        return s.says(f"unknown kind of definition `{s.token}`", hint)
    if len(s.line) == 1 and s.before == "NAME" and s.kind in ("NAME", "INT", "ALL", "ONE", "EACH", "MINUS"):
        return _unknown_statement(s)
    return None


def _unknown_statement(s: ParseFailure) -> Diagnostic:
    """`spend 3 gold`; also `me takes 3 gold`, where the second word is the verb."""
    first, second = str(s.line[0]), str(s.token)
    if second in VERBS and first not in VERBS:
        return s.says(f"unknown statement `{first} {second}`", VERBS[second])
    hint = VERBS.get(first) or did_you_mean(first, {each for each in s.statements if each != first})
    hint = hint or "start a statement with a verb, such as `move`, `gain` or `choose`"
    return s.says(f"unknown statement `{first}`", hint, s.layout.span(s.line[0]))


def _verb(s: ParseFailure) -> Diagnostic | None:
    """`winner is me`: the word of a rulebook is taken for a name, and what follows does not fit."""
    if s.line and str(s.line[0]) in VERBS and len(s.line) == 1 and s.line[0].type == "NAME":
        return _unknown_statement(s)
    return None


def _keyword_as_name(s: ParseFailure) -> Diagnostic | None:
    word = s.token.isalpha() and s.kind != "NAME" and s.kind not in BETWEEN
    if not word or "NAME" not in s.expected:
        return None
    following = s.layout.following
    if following is None or s.would_fit(("NAME", "_NL" if following.type == "_NL" else following.type)):
        return ReservedWord(s.span, str(s.token))
    if not s.line:
        late = s.kind == "LET" and "OTHERWISE" in s.expected
        hint = "write `let` above the first case of a value" if late else ""
        return s.says(f"unexpected `{s.token}` at the start of a line", hint)
    return s.says(f"missing name or value before `{s.token}`")


def _numbers(s: ParseFailure) -> Diagnostic | None:
    if s.kind in ("NAME", "INT") and s.before in ("INT", "DOT") and any(t.type == "INT" for t in s.line[-2:]):
        touches = s.line[-1].end_pos == s.token.start_pos
        if touches:
            whole = s.layout.span(s.line[-2] if s.before == "DOT" else s.line[-1]).to(s.span)
            return s.says(
                f"`{whole.text}` is not a whole number", "write whole numbers, in plain digits", whole
            )
    return None


def _misspelt(s: ParseFailure) -> Diagnostic | None:
    if s.kind != "NAME" or not s.line:
        return None
    hint = did_you_mean(s.token, (word for word in s.keywords if word[0] == s.token[0]))
    return s.says(f"unexpected `{s.token}`", hint) if hint else None


def _too_short(s: ParseFailure) -> Diagnostic | None:
    if s.kind in BETWEEN and s.line:
        return s.says("unexpected end of line", _expectation(s))
    return None


def _anything(s: ParseFailure) -> Diagnostic | None:
    return s.says(f"unexpected `{s.token}`", _expectation(s))


RULES: tuple[Callable[[ParseFailure], Diagnostic | None], ...] = (
    _open_bracket,
    _missing_block,
    _deeper,
    _writes_for_is,
    _colon,
    _clause,
    _lonely_else,
    _foreign,
    _numbers,
    _person,
    _forms,
    _first_word,
    _verb,
    _misspelt,
    _keyword_as_name,
    _second_address,
    _too_short,
    _anything,
)


# ---- what could have come

SPOKEN = {
    "NAME": "a name",
    "INT": "a number",
    "_NL": "the end of the line",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "_INDENT": "an indented block",
    "EQUALS": "`=`",
    "ADDS": "`+=`",
    "TAKES": "`-=`",
    "DOT": "`.`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "COMPARE": "a comparison",
    "LSQB": "`[`",
}
MOST_EXPECTED = 7
AFTER_PARAMETER = frozenset({"COLON", "COMMA", "RPAR", "FROM", "WHERE"})
"""What is likely to follow the name of a parameter; it may also begin a number of what is chosen."""


def _expectation(s: ParseFailure) -> str:
    if {"NAME", "INT", "LPAR"} <= s.expected:
        return "expected a value"
    more = {"AND"} if "OR" in s.expected else set()
    expected = s.expected & AFTER_PARAMETER if "COLON" in s.expected else s.expected | more
    words = sorted({_spoken(e) for e in expected if e != "CLAUSE"} - {""})
    if not words or len(words) > MOST_EXPECTED:
        return ""
    return f"expected {', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else f"expected {words[0]}"


def _spoken(terminal: str) -> str:
    return SPOKEN.get(terminal, f"`{terminal.lower()}`" if terminal.isalpha() else "")

"""Syntax errors as sentences: where the parser stumbled, what that means, how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Mistake, did_you_mean
from dsl.layout import CONTINUES, Layout
from dsl.messages.names import ReservedWord
from dsl.messages.text import MissingBlock, NotAllowedHere, StrangeCharacter
from dsl.source import Source, Span

BETWEEN = ("_NL", "_INDENT", "_DEDENT", "$END")


@dataclass(frozen=True)
class Stumble:
    """A token that cannot come next, with what stands around it."""

    layout: Layout
    error: UnexpectedToken

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
        """Whether the parser would take these tokens instead."""
        parser: Any = self.error.interactive_parser
        parser = parser.copy()
        try:
            for kind in kinds:
                parser.feed_token(Token.new_borrow_pos(kind, self.token, self.token))
        except UnexpectedInput:
            return False
        return True

    def says(self, why: str, hint: str = "", span: Span | None = None) -> Mistake:
        return NotAllowedHere(span or self.span, why, hint)


def explain(source: Source, error: UnexpectedInput, layout: Layout) -> Mistake:
    """The mistake behind a syntax error."""
    if isinstance(error, UnexpectedCharacters):
        at = error.pos_in_stream or 0
        return _strange(Span(source, at, at + 1))
    assert isinstance(error, UnexpectedToken)
    stumble = Stumble(layout, error)
    return next(found for rule in RULES if (found := rule(stumble)) is not None)


# ---- characters

INSTEAD = {
    "!": "say `not` or `is not`",
    "&": "say `and`",
    "|": "say `or`",
    "/": "say `div`, which rounds down",
    "%": "say `mod`",
    "^": "multiply, or look it up in a table",
    ";": "give each statement a line of its own",
    "{": "a block is indented, without braces",
    "}": "a block is indented, without braces",
    '"': "texts that people read belong into the labels",
    "'": "texts that people read belong into the labels",
    "?": "a condition is written `a if c else b`",
    "§": "a clause mark is `§` and the clause's name: `§4.3`",
    "≤": "say `<=`",
    "≥": "say `>=`",
    "≠": "say `is not`",
    "×": "say `*`",
    "–": "a minus is `-`",
    "−": "a minus is `-`",
    "“": "texts that people read belong into the labels",
}


def _strange(span: Span) -> StrangeCharacter:
    character = span.text
    shown = f"`{character}`" if character.isprintable() else f"the character U+{ord(character or ' '):04X}"
    hint = INSTEAD.get(character, "remove it")
    if character.isalpha():
        hint = "names are English letters, digits and `_`; labels say what people read"
    return StrangeCharacter(span, shown, hint)


# ---- the rules, the first that applies

FOREIGN = {
    "elif": "say `else if`",
    "elseif": "say `else if`",
    "elsif": "say `else if`",
    "then": "leave `then` out; what follows stands indented under the line",
    "return": "a `value` says what it is after `=`; a procedure gives nothing back",
    "var": "say `let`",
    "const": "say `let`",
    "def": "say `procedure`, `action`, `effect` or `value`",
    "function": "say `procedure`, `action`, `effect` or `value`",
    "foreach": "say `for`",
    "until": "say `while not`",
    "unless": "say `if not`",
    "pass": "say `nothing`",
    "isnt": "say `is not`",
}
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
JOINING = (
    "and",
    "or",
    "is",
    "in",
    "of",
    "at",
    "to",
    "from",
    "where",
    "by",
    "if",
    "else",
    "not",
    "times",
    "div",
    "mod",
    "exists",
    "enters",
    "leaves",
    "gains",
    "pays",
    "loses",
    "chooses",
    "does",
    "together",
    "otherwise",
    "while",
)
STATEMENTS = (
    "let",
    "gain",
    "pay",
    "lose",
    "move",
    "draw",
    "roll",
    "shuffle",
    "show",
    "set",
    "clear",
    "needs",
    "end",
    "choose",
    "may",
    "do",
    "if",
    "else",
    "while",
    "repeat",
    "for",
    "each",
    "nothing",
    "gains",
    "pays",
    "loses",
    "otherwise",
    "otherwise",
)


def _open_bracket(s: Stumble) -> Mistake | None:
    """A bracket that is not closed shows in the next line, where nothing fits any more."""
    token = s.token
    if s.layout.open and s.kind not in BETWEEN and s.kind not in CONTINUES and token.line != _line_of(s.line):
        return s.layout.unclosed(token)
    return None


def _line_of(words: list[Token]) -> int | None:
    return words[-1].line if words else None


def _missing_block(s: Stumble) -> Mistake | None:
    above = s.layout.above
    if s.expected != {"_INDENT"} or not above:
        return None
    if above[0].type == "VALUE":
        return MissingBlock(s.span_above, "write `value NAME = ...`, or its cases in lines below")
    return MissingBlock(s.span_above)


def _deeper(s: Stumble) -> Mistake | None:
    if s.kind != "_INDENT":
        return None
    why = "this line is indented deeper, but the line above opens no block"
    hint = "line it up with the line above"
    first = s.layout.following
    if first is not None and not first.isalpha():
        hint = "a line is continued inside brackets, or by a line that begins with `and`, `or`, `+` or `-`"
    elif first is not None and first.type in ("IF", "BY", "TO", "FROM", "OF", "AT", "FOR", "IS", "IN"):
        hint = "a line is continued inside brackets, or by one that begins with `where`, `and` or `or`"
    return s.says(why, hint)


def _writes_for_is(s: Stumble) -> Mistake | None:
    if s.kind == "EQUALS" and (s.before == "EQUALS" or "COMPARE" in s.expected):
        return s.says("`=` writes, but a comparison stands here", "say `is`")
    if s.before == "IS" and s.kind in ("COMPARE", "IN", "EXISTS"):
        return s.says(f"`is {s.token}` says it twice", "leave out `is`")
    if s.before == "NOT" and s.kind == "IN" and [t.type for t in s.line[-2:]] == ["IS", "NOT"]:
        return s.says("`is not in` says it twice", "say `not in`")
    if s.kind in ("COMPARE", "IS", "IN", "EXISTS") and "AND" in s.expected and "COMPARE" not in s.expected:
        return s.says("comparisons do not chain", "join two of them with `and`")
    return None


def _colon(s: Stumble) -> Mistake | None:
    if s.kind == "COLON" and "_NL" in s.expected:
        return s.says("a header ends without a colon", "remove it")
    return None


def _clause(s: Stumble) -> Mistake | None:
    hint = "write the mark at the end of the whole statement"
    if s.before == "CLAUSE":
        return s.says("a clause mark ends its statement, but here it goes on", hint)
    if s.kind == "CLAUSE":
        return s.says("a clause mark cannot stand in the middle of a statement", hint)
    return None


def _second_address(s: Stumble) -> Mistake | None:
    if s.kind not in ("OF", "AT") or not any(t.type in ("OF", "AT") for t in s.line):
        return None
    named = any(t.type == s.kind for t in s.line)
    why = f"a second `{s.token}` for one thing" if named else f"`{s.token}` comes too late here"
    hint = "an address is `NAME of WHOSE at WHERE`; brackets go around an inner one: `at (target of me)`"
    return s.says(why, hint)


THIRD = {"GAIN": "gains", "CHOOSE": "chooses", "DO": "does"}
FIRST = {"GAINS": "gain", "CHOOSES": "choose", "DOES": "do"}


def _person(s: Stumble) -> Mistake | None:
    """`me gain 3 vp`, `gains 3 vp`: the verb is mine without a name before it, somebody's with one."""
    if s.kind in THIRD and len(s.line) == 1 and s.before == "NAME":
        third = f"{s.token}s" if s.kind == "GAIN" else THIRD[s.kind]
        hint = "leave out `me`" if str(s.line[0]) == "me" else f"say `{third}`"
        return s.says(f"`{s.token}` is said of oneself, but here of `{s.line[0]}`", hint)
    if s.kind in FIRST and not s.line:
        first = str(s.token)[:-1] if s.kind == "GAINS" else FIRST[s.kind]
        return s.says(f"it is not said who {s.token}", f"say `{first}`, or name a seat before it")
    return None


def _forms(s: Stumble) -> Mistake | None:
    """Statements that are often written in another form."""
    first = str(s.line[0].type) if s.line else ""
    hint = ""
    if first == "DO" and s.kind == "COMMA":
        hint = "one of several is done with `do one of`"
    elif first == "WHILE" and str(s.line[-1]) == "most":
        place = s.layout.span(s.line[-2]).to(s.layout.span(s.line[-1]))
        return s.says("`at most` follows without a comma", "write `, at most`", place)
    elif s.kind == "WHILE" and s.layout.open:
        hint = "the beginning of a collection is `those(x in S while C)`, or `count(x in S while C)`"
    elif s.kind == "IN" and any(t.type in ("CHOOSE", "CHOOSES", "CHOOSING") for t in s.line):
        hint = "one chooses `from` something"
    elif s.kind == "FROM" and first == "FOR":
        hint = "a loop is over what is `in` something"
    elif first == "GAIN" and s.expected == {"NAME"}:
        hint = f"say how many of which counter: `{s.line[0]} 2 gold`"
    elif s.kind == "WHEN" and "OTHERWISE" in s.expected:
        hint = "the result comes before its condition: `3 when C`"
    elif s.kind == "OTHERWISE":
        hint = "the result comes after it: `otherwise 3`"
    elif s.kind == "WHEN" and first == "MODIFY":
        hint = "say `while`"
    else:
        return None
    missing = s.kind in BETWEEN
    return s.says(
        "something is missing at the end of this line" if missing else f"`{s.token}` cannot stand here", hint
    )


def _lonely_else(s: Stumble) -> Mistake | None:
    if s.kind in ("ELSE", "OTHERWISE") and not s.line:
        hint = "line it up with its `if`, `choose` or `may do`" if s.kind == "ELSE" else ""
        return s.says(
            f"this `{s.token}` belongs to nothing above it", hint or "it ends the lines of a `value`"
        )
    return None


def _foreign(s: Stumble) -> Mistake | None:
    for token in (s.token, *s.line[:1]):
        if str(token) in FOREIGN and (token is s.token or len(s.line) == 1):
            return s.says(f"`{token}` is no word of the language", FOREIGN[str(token)], s.layout.span(token))
    return None


def _first_word(s: Stumble) -> Mistake | None:
    """The first word of a line is misspelt: a name cannot be followed by what comes after it."""
    if not s.line and s.kind in ("NAME", "INT") and "ROUTINE" in s.expected:
        hint = (
            did_you_mean(s.token, DEFINITIONS)
            or f"one begins with {', '.join(f'`{d}`' for d in DEFINITIONS)}"
        )
        return s.says(f"`{s.token}` begins no definition", hint)
    if len(s.line) == 1 and s.before == "NAME" and s.kind in ("NAME", "INT", "ALL", "ONE", "EACH", "MINUS"):
        first = s.line[0]
        hint = did_you_mean(first, STATEMENTS) or "statements begin with a verb: `move`, `gain`, `choose` ..."
        return s.says(f"`{first}` begins no statement", hint, s.layout.span(first))
    return None


def _keyword_as_name(s: Stumble) -> Mistake | None:
    word = s.token.isalpha() and s.kind != "NAME" and s.kind not in BETWEEN
    if not word or "NAME" not in s.expected:
        return None
    following = s.layout.following
    if following is None or s.would_fit(("NAME", "_NL" if following.type == "_NL" else following.type)):
        return ReservedWord(s.span, str(s.token))
    if not s.line:
        return s.says(f"no line begins with `{s.token}`")
    return s.says(f"a name or a value is missing before `{s.token}`")


def _numbers(s: Stumble) -> Mistake | None:
    if s.kind in ("NAME", "INT") and s.before in ("INT", "DOT") and any(t.type == "INT" for t in s.line[-2:]):
        touches = s.line[-1].end_pos == s.token.start_pos
        if touches:
            whole = s.layout.span(s.line[-2] if s.before == "DOT" else s.line[-1]).to(s.span)
            return s.says(
                f"`{whole.text}` is no number", "numbers are whole, and written in plain digits", whole
            )
    return None


def _misspelt(s: Stumble) -> Mistake | None:
    if s.kind != "NAME" or not s.line:
        return None
    hint = did_you_mean(s.token, (w for w in JOINING if w[0] == s.token[0]))
    return s.says(f"`{s.token}` cannot stand here", hint) if hint else None


def _too_short(s: Stumble) -> Mistake | None:
    if s.kind in BETWEEN and s.line:
        return s.says("something is missing at the end of this line", _expectation(s))
    return None


def _anything(s: Stumble) -> Mistake | None:
    return s.says(f"`{s.token}` cannot stand here", _expectation(s))


RULES: tuple[Callable[[Stumble], Mistake | None], ...] = (
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
}
MOST_EXPECTED = 7


def _expectation(s: Stumble) -> str:
    if {"NAME", "INT", "LPAR"} <= s.expected:
        return "a value is expected here"
    more = {"AND"} if "OR" in s.expected else set()
    words = sorted({_spoken(e) for e in s.expected | more if e != "CLAUSE"} - {""})
    if not words or len(words) > MOST_EXPECTED:
        return ""
    return (
        f"{', '.join(words[:-1])} or {words[-1]} is expected here"
        if len(words) > 1
        else f"{words[0]} is expected here"
    )


def _spoken(terminal: str) -> str:
    return SPOKEN.get(terminal, f"`{terminal.lower()}`" if terminal.isalpha() else "")

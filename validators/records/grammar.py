"""Grammars of notations: Lark, read as LALR with a contextual lexer, and bounded on hostile input.

A grammar loads no other grammar. A terminal repeats only what does not repeat itself, and has one repetition
without a bound, so that a match takes time in proportion to its length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.messages.records import BrokenRecordGrammar
from dsl.source import Source, Span
from dsl.wording import quoted
from validators.records.messages import UnreadRecord

START = "record"
MOST_GRAMMAR = 20_000
"""Characters of a grammar."""
MOST_RECORD = 400_000
"""Characters of a record."""
MOST_WAYS = 10_000
"""In how many ways the bounded repetitions of a terminal may match."""
MOST_ALTERNATIVES = 4096
"""How many productions a rule may make: Lark writes out all of them."""
MOST_NESTED = 50
"""How deeply parentheses may be nested."""
MANY = 256
"""A repetition of more than so many counts as one without a bound."""
QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"i?|/(?!/)(?:[^/\\\n]|\\.)+/[imslux]*|//[^\n]*|#[^\n]*')
PLAIN = re.compile(r"[a-z_][a-z_0-9]*|[A-Z_][A-Z_0-9]*")

RULE = re.compile(r"^[?!]*([a-z_]\w*)[.\d]*\s*:((?:(?!^[?!]*\w+[.\d]*\s*:|^%)[\s\S])*)", re.MULTILINE)

RecordTree = Tree[Token]


@dataclass(frozen=True)
class RecordGrammar:
    """A parser of records, and the names of the parts that its trees can have."""

    parser: Lark
    parts: frozenset[str]

    def parse(self, source: Source, start: int, text: str) -> RecordTree:
        """The tree of a record that begins in a file at an offset. Raises `DiagnosticError`."""
        if len(text) > MOST_RECORD:
            why = f"it has {len(text)} characters, at most {MOST_RECORD} are read"
            raise DiagnosticError(UnreadRecord(Span(source, start, start), why))
        try:
            return self.parser.parse(text)
        except UnexpectedInput as error:
            at = error.pos_in_stream if error.pos_in_stream is not None else len(text)
            if isinstance(error, UnexpectedToken) and error.token.type == "$END":
                at = len(text.rstrip())
            span = Span(source, start + at, start + min(at + 1, len(text)))
            raise DiagnosticError(UnreadRecord(span, _unexpected(error))) from None


def _unexpected(error: UnexpectedInput) -> str:
    match error:
        case UnexpectedToken(token=token) if token.type == "$END":
            return f"it ends where {_wanted(error.accepts or error.expected)} should follow"
        case UnexpectedToken(token=token):
            return f"`{token[:40]}` stands where {_wanted(error.accepts or error.expected)} should"
        case UnexpectedCharacters():
            return f"`{error.char}` begins nothing that can stand here: {_wanted(error.allowed)} should"
    return "it cannot be read here"


def _wanted(names: Any) -> str:
    shown = sorted(name for name in names or () if not name.startswith("__"))
    return (
        quoted(tuple("the end" if name == "$END" else name for name in shown[:6]), "or") or "something else"
    )


@lru_cache(maxsize=32)
def read_grammar(source: Source) -> RecordGrammar:
    """The grammar in a text. Raises `DiagnosticError` with `BrokenRecordGrammar`."""
    _check_text(source)
    try:
        parser = Lark(
            source.text,
            parser="lalr",
            lexer="contextual",
            start=START,
            propagate_positions=True,
            maybe_placeholders=False,
            import_paths=[],
        )
    except UnexpectedInput as error:
        at = min(error.pos_in_stream or 0, max(len(source.text) - 1, 0))
        raise _broken(Span(source, at, at + 1), "this is not a rule of a Lark grammar") from None
    except (LarkError, re.error, ValueError, RecursionError) as error:
        raise _broken(_place(source, str(error)), _said(error)) from None
    for terminal in parser.terminals:
        _check_pattern(source, terminal.name, terminal.pattern.to_regexp())
    kept = (s for rule in parser.rules for s in rule.expansion if not getattr(s, "filter_out", False))
    names = {rule.alias or rule.origin.name for rule in parser.rules} | {symbol.name for symbol in kept}
    return RecordGrammar(parser, frozenset(str(getattr(name, "value", name)) for name in names))


def _said(error: Exception) -> str:
    """What Lark says, in one line; of a conflict also the rules."""
    return " ".join(str(error).split())[:300] or type(error).__name__


PLACED = (
    re.compile(r"\(in rule (?P<name>\w+)\)"),
    re.compile(r"(?:Rule|Terminal|Token|token|terminal) '?(?P<name>\w+)"),
    re.compile(r"\((?P<name>\w+): "),
    re.compile(r"<(?P<name>\w+) :"),
)
"""How Lark names where a mistake of a grammar is, most exact first."""


def _place(source: Source, said: str) -> Span:
    """The line, or the first rule or terminal, that Lark names for a mistake; or else the beginning."""
    line = re.search(r"at line (\d+) column", said)
    if line is not None and int(line[1]) <= len(source.lines):
        return source.span_of_line(int(line[1]))
    for pattern in PLACED:
        names = [re.escape(found["name"]) for found in pattern.finditer(said)]
        named = re.search(rf"^[?!]*({'|'.join(names)})\b", source.text, re.MULTILINE) if names else None
        if named is not None:
            return Span(source, *named.span(1))
    return source.beginning


def _broken(span: Span, why: str, hint: str = "") -> DiagnosticError:
    return DiagnosticError(BrokenRecordGrammar(span, why, hint))


def _check_text(source: Source) -> None:
    """Raises `DiagnosticError` for what a grammar of records may not have."""
    text = source.text
    if len(text) > MOST_GRAMMAR:
        raise _broken(source.beginning, f"it has {len(text)} characters, at most {MOST_GRAMMAR} are read")
    bare = QUOTED.sub(lambda found: " " * len(found[0]), text)
    for found in re.finditer(r"%(?!ignore\b)\w*", bare):
        hint = "write the terminals that it needs; only `%ignore` is allowed"
        raise _broken(Span(source, *found.span()), f"`{found[0]}` is not allowed", hint)
    for found in re.finditer(r"[~{]", bare):
        hint = "write `*`, `+` or `?`, or what is repeated so many times"
        raise _broken(Span(source, *found.span()), f"`{found[0]}` is not allowed", hint)
    depth = 0
    for found in re.finditer(r"[()\[\]]", bare):
        depth += 1 if found[0] in "([" else -1
        if depth > MOST_NESTED:
            raise _broken(
                Span(source, *found.span()), "parentheses are nested too deeply", "make several rules"
            )
    for found in RULE.finditer(bare):
        if _alternatives(found[2]) > MOST_ALTERNATIVES:
            hint = "make several rules of it"
            raise _broken(
                Span(source, *found.span(1)), f"rule `{found[1]}` has too many optional parts", hint
            )
    if re.search(rf"^[?!]*{START}\b", bare, re.MULTILINE) is None:
        names = re.findall(r"^[?!]*([a-z]\w*)", bare, re.MULTILINE)
        hint = did_you_mean(START, names) or f"begin with `{START}: ...`"
        raise _broken(source.beginning, f"missing rule `{START}`: what one record is", hint)


def _alternatives(body: str) -> int:
    """At most how many productions a rule makes: each optional part and each choice multiplies them."""
    groups = [1]
    product = 1 << sum(body.count(sign) for sign in "?*[")
    for sign in body:
        if sign == "(" or sign == "[":
            groups.append(1)
        elif sign == "|":
            groups[-1] += len(groups) > 1
        elif sign in ")]" and len(groups) > 1:
            product *= groups.pop()
    return product


# ---- patterns


def _check_pattern(source: Source, name: str, pattern: str) -> None:
    """Raises `DiagnosticError` for a pattern whose matching could take long."""
    import re._parser as parser  # type: ignore[import-not-found]

    try:
        unbounded, ways = _repeats(parser.parse(pattern), False)
    except _Slow as slow:
        why, hint = slow.args
    else:
        if unbounded <= 1 and ways <= MOST_WAYS:
            return
        why, hint = "repeats in several places", "make several terminals of it"
    found = re.search(rf"^{re.escape(name)}\b", source.text, re.MULTILINE)
    span = Span(source, *found.span()) if found else source.beginning
    raise _broken(span, f"the pattern of `{name}` {why}", hint)


class _Slow(Exception):
    """Why the matching of a pattern could take long, and what to write instead."""


def _repeats(pattern: Any, repeated: bool) -> tuple[int, int]:
    """How many repetitions without a bound a pattern has, and in how many ways the others can match.

    Raises `_Slow` if one repetition is within another, or repeats what can match in several ways.
    """
    unbounded, ways = 0, 1
    for op, argument in pattern:
        inner, more = 0, 1
        match str(op):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, body = argument
                if most > 1 and repeated:
                    raise _Slow("repeats what repeats itself", "let a rule of the grammar repeat it")
                if most > 1 and _varies(body):
                    raise _Slow(
                        "repeats what can be of several lengths", "let a rule of the grammar repeat it"
                    )
                inner, more = _repeats(body, repeated or most > 1)
                inner, more = (inner + 1, more) if most > MANY else (inner, more * (most - least + 1))
            case "SUBPATTERN":
                inner, more = _repeats(argument[-1], repeated)
            case "ATOMIC_GROUP":
                inner, more = _repeats(argument, repeated)
            case "BRANCH":
                if repeated:
                    raise _Slow("repeats alternatives", "let a rule of the grammar repeat them")
                each = [_repeats(branch, repeated) for branch in argument[1]]
                inner, more = max(n for n, _ in each), sum(n for _, n in each)
            case "ASSERT" | "ASSERT_NOT" | "GROUPREF" | "GROUPREF_EXISTS":
                raise _Slow("looks around, or back at what it has matched", "say what is there instead")
        unbounded, ways = unbounded + inner, ways * more
    return unbounded, ways


def _varies(pattern: Any) -> bool:
    least, most = pattern.getwidth()
    return bool(least != most)

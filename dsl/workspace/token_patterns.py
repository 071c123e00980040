"""The classes of tokens, and the patterns by which a program without a parser finds them, line by line.

The classes are those of the grammar's terminals. A word that is a keyword only between certain tokens has
patterns for these: they are the conditions of `dsl.indentation.SOFT` within one line of text.
All highlighters are made from this table: of editors, of documents, of pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dsl.declare.symbol_table import BUILT_IN
from dsl.grammar import terminals
from dsl.indentation import BEGINS, ENDS, NAMED, SOFT

CLASSES = (
    *("comment", "clause", "definition", "keyword", "constant", "fold", "logic"),
    *("builtin", "name", "number", "operator", "punctuation"),
)
"""The classes of tokens. `fold`: words that stand before a bracket; `logic`: operators that are words."""
BY_CLASS: dict[str, str] = {
    "definition": "action effect procedure value modify when score tiebreak always never eventually",
    "constant": "none true false",
    "fold": "any all count those sum distinct min max lowest highest first",
    "logic": "and or not is in div mod exists empty can",
}
CLASS_OF_WORD = {word: kind for kind, words in BY_CLASS.items() for word in words.split()}
"""The words of the language that are not plain keywords."""
OPERATORS = frozenset({"EQUALS", "ADDS", "TAKES", "COMPARE", "PLUS", "MINUS", "STAR", "__ANON_0"})
CLASS_OF_TERMINAL = dict.fromkeys(OPERATORS, "operator")
CLASS_OF_TERMINAL |= {"COMMENT": "comment", "CLAUSE": "clause", "INT": "number"}

WORDS_OF = {"END_OF": ("top", "bottom")}
"""The words of soft keywords that are not called like their terminal."""

NAME = r"[A-Za-z_][A-Za-z0-9_]*"
A_BUILTIN = "|".join(sorted(BUILT_IN))
OPERATOR = r"\.\.|\+=|-=|<=|>=|[=<>+\-*]"
ATTRIBUTES = ((A_BUILTIN, "builtin"), (NAME, "name"))
"""What an attribute is called: after a dot every word is a name."""
PUNCTUATION = r"[()\[\],:.]"
COMMENT = r"#.*"
CLAUSE = r"§[A-Za-z0-9][A-Za-z0-9_.\-]*"


def class_of_token(kind: str, text: str) -> str:
    """The class of a token of the lexer, by its terminal and its text."""
    if kind == "NAME":
        return "builtin" if text in BUILT_IN else "name"
    return CLASS_OF_TERMINAL.get(kind) or (class_of_word(text) if text.isalpha() else "punctuation")


def class_of_word(word: str) -> str:
    """The class of a word where it is a keyword."""
    return CLASS_OF_WORD.get(word, "keyword")


@dataclass(frozen=True)
class TokenPattern:
    """A regular expression whose groups are tokens, each of a class; blanks between them have none.

    `opens`: the context in which the rest of the line is read.
    """

    regex: str
    classes: tuple[str | None, ...]
    opens: str = ""


def _word(pattern: str) -> str:
    return rf"\b(?:{pattern})\b" if pattern[0].isalpha() else pattern


def phrase(*parts: str, behind: str = "", ahead: str = "", opens: str = "") -> TokenPattern:
    """A pattern of several tokens in a row: each part is words separated by `|`, or another pattern."""
    classes: list[str | None] = []
    regex = ""
    for number, part in enumerate(parts):
        if number:
            regex += r"(\s*)"
            classes.append(None)
        regex += f"({_word(part)})"
        classes.append(_class_of_part(part))
    return TokenPattern(behind + regex + (f"(?={ahead})" if ahead else ""), tuple(classes), opens)


def _class_of_part(part: str) -> str:
    first = part.split("|")[0]
    if part in (NAME, A_BUILTIN):
        return "name" if part == NAME else "builtin"
    return class_of_word(first) if first.isalpha() else "punctuation"


def at_start(found: TokenPattern) -> TokenPattern:
    """The same at the beginning of a line."""
    return TokenPattern(r"^(\s*)" + found.regex, (None, *found.classes), found.opens)


def after_value(found: TokenPattern) -> TokenPattern:
    """The same behind a value: a name or a closing bracket, and no keyword."""
    others = sorted(terminals() - {kind.lower() for kind in ENDS})
    no_keyword = "".join(rf"(?<!\b{word})" for word in others)
    return TokenPattern(rf"(?<=[\w)\]]){no_keyword}(\s+)" + found.regex, (None, *found.classes), found.opens)


def _word_of(*kinds: str) -> str:
    """A word that the grammar takes for one of some terminals, as text reads it without its neighbours."""
    soft = {word for kind in SOFT for word in WORDS_OF.get(kind, (kind.lower(),))}
    others = sorted((terminals() | soft) - {kind.lower() for kind in kinds})
    return rf"(?!(?:{'|'.join(others)})\b)[A-Za-z_]"


OF, TO = r"\s+of\b", r"\s+to\b"
ENDS_LINE = r"\s*(?:$|§|#|as\b)"
ENDS_SHOW = r"\s*(?:$|§|#)"
SEVERAL = r"\s*(?:$|§|#|,|secretly\b)"
BINDER = rf"\s*\(\s*{NAME}\s+(?:in|where)\b"


@cache
def soft_keywords() -> dict[str, tuple[TokenPattern, ...]]:
    """The patterns of soft keywords by the context in which they hold; the empty one is any line."""
    name, condition = rf"\s+{_word_of()}", rf"\s+(?:{_word_of(*BEGINS)}|[0-9(])"
    repeated = rf"\s+(?:{_word_of(*BEGINS, 'NOTHING', *NAMED)}|[0-9(\[-])"
    anywhere = (
        at_start(phrase("chance", ahead=r"\s+chooses\b", opens="chance")),
        at_start(phrase("swap", ahead=name, opens="swap")),
        at_start(phrase("record", ahead=name)),
        at_start(phrase("recall", "best", ahead=name)),
        at_start(phrase("move", "up", ahead=TO, opens="move")),
        at_start(phrase("roll", "up", ahead=TO)),
        at_start(phrase("move|draw", opens="move")),
        phrase("never|eventually", behind="^", ahead=condition),
        phrase("each", A_BUILTIN, "in", "turn", opens="verb"),
        phrase("each", NAME, "in", "turn", opens="verb"),
        phrase("gain|pay|lose|gains|pays|loses|for|each", opens="verb"),
        phrase(",", "at", "most"),
        phrase("do|does", "one", ahead=OF),
        phrase("nests", "up"),
        phrase("choose|chooses|choosing", "up", ahead=TO),
        phrase(r"[(,]", "up", ahead=TO),
        phrase("if", "several", ahead=SEVERAL),
        at_start(phrase("show", opens="show")),
        phrase("end", "game"),
        phrase("to", "top|bottom", ahead=OF),
        phrase("first", ahead=BINDER),
        phrase("repeat", "until", "nothing", "changes"),
        phrase("repeat", "until", ahead=repeated),
        after_value(phrase("until", ahead=condition)),
    )
    wins = after_value(phrase("win", ahead=ENDS_LINE))
    return {
        "": (*anywhere, wins),
        "verb": anywhere,
        "swap": (phrase("with"), *anywhere, wins),
        "show": (after_value(phrase("openly", ahead=ENDS_SHOW)), *anywhere, wins),
        "chance": (phrase("by", "weight"), *anywhere, wins),
        "move": (phrase("from", "top|bottom", ahead=OF), *anywhere, wins),
    }


@cache
def plain_tokens() -> tuple[TokenPattern, ...]:
    """The patterns of all tokens that are what they are wherever they stand."""
    words: dict[str, list[str]] = {}
    for word in sorted(terminals()):
        words.setdefault(class_of_word(word), []).append(word)
    keywords = [TokenPattern(rf"\b({'|'.join(found)})\b", (kind,)) for kind, found in words.items()]
    return (
        TokenPattern(f"({COMMENT})", ("comment",)),
        TokenPattern(f"({CLAUSE})", ("clause",)),
        *(
            TokenPattern(rf"(?<!\.)(\.)(\s*)({word})\b", ("punctuation", None, kind))
            for word, kind in ATTRIBUTES
        ),
        *keywords,
        TokenPattern(rf"\b({A_BUILTIN})\b", ("builtin",)),
        TokenPattern(f"({NAME})", ("name",)),
        TokenPattern("([0-9]+)", ("number",)),
        TokenPattern(f"({OPERATOR})", ("operator",)),
        TokenPattern(f"({PUNCTUATION})", ("punctuation",)),
    )


@cache
def patterns(context: str) -> tuple[TokenPattern, ...]:
    """All patterns of a context, those that come first before the others. At a place the first one counts."""
    return (*soft_keywords()[context], *plain_tokens())


@cache
def _compiled(context: str) -> tuple[re.Pattern[str], dict[int, TokenPattern]]:
    """One expression for all patterns of a context, and which pattern each of its outer groups is."""
    found: dict[int, TokenPattern] = {}
    parts, number = [], 1
    for pattern in patterns(context):
        found[number] = pattern
        parts.append(f"({pattern.regex})")
        number += 1 + len(pattern.classes)
    return re.compile("|".join(parts)), found


def classified(text: str) -> Iterator[tuple[int, int, str]]:
    """The tokens of a text of rules: where each begins and ends, and its class. Nothing is refused."""
    start = 0
    for line in text.split("\n"):
        for first, last, kind in _line(line):
            yield start + first, start + last, kind
        start += len(line) + 1


def _line(line: str) -> Iterator[tuple[int, int, str]]:
    context, at = "", 0
    while (found := _compiled(context)[0].search(line, at)) is not None:
        number = found.lastindex or 1
        pattern = _compiled(context)[1][number]
        for group, kind in enumerate(pattern.classes, number + 1):
            if kind is not None and found[group]:
                yield found.start(group), found.end(group), kind
        context, at = context or pattern.opens, max(found.end(), at + 1)

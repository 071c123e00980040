"""The tokens of JavaScript, as far as they are needed to leave out comments and blanks."""

from __future__ import annotations

import re
from collections.abc import Iterator

BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.S)
WORD = re.compile(r"[#\w$]+")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
PUNCTUATION = re.compile(r"=>|\.\.\.|\+\+|--|\*\*|\?\?|\?\.(?!\d)|&&|\|\||.", re.S)
BEFORE_REGEX = re.compile(r"[-+*/%&|^!~=<>?:;,({\[]|.*=>|&&|\|\||\?\?|\.\.\.")
"""Tokens behind which a slash begins a regular expression, and does not divide."""
WORDS_BEFORE_REGEX = frozenset(
    {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "await"}
)
MARKUP_BREAK = re.compile(r"\s*\n\s*")
"""The end of a line in markup. Beside a tag, htm leaves it out."""


class UnknownToken(ValueError):
    """A text that is no JavaScript as far as this module knows."""


def tokens(text: str) -> Iterator[tuple[str, str]]:
    """The tokens of a text, each with the blanks in front of it. Raises `UnknownToken`."""
    at, last = 0, ""
    while at < len(text):
        blank = BLANK.match(text, at)
        gap = blank[0] if blank else ""
        at += len(gap)
        if at < len(text):
            last = _token(text, at, last)
            yield gap, last
            at += len(last)


def _token(text: str, at: int, last: str) -> str:
    """The token at a place, behind another one."""
    first = text[at]
    if first == "`":
        return text[at : _template_end(text, at)]
    if first in "\"'":
        return _matched(STRING, text, at)
    if first == "/" and _begins_regex(last):
        return _matched(REGEX, text, at)
    return _matched(WORD if WORD.match(text, at) else PUNCTUATION, text, at)


def _begins_regex(last: str) -> bool:
    return not last or last in WORDS_BEFORE_REGEX or BEFORE_REGEX.fullmatch(last) is not None


def _matched(pattern: re.Pattern[str], text: str, at: int) -> str:
    found = pattern.match(text, at)
    if found is None:
        raise UnknownToken(text[at : at + 40])
    return found[0]


def _template_end(text: str, at: int) -> int:
    """The end of a template that begins at a place; what is inserted into it may have templates again."""
    at += 1
    while at < len(text):
        if text[at] == "`":
            return at + 1
        if text.startswith("${", at):
            at = _inserted_end(text, at + 2)
        else:
            at += 2 if text[at] == "\\" else 1
    raise UnknownToken("a template without an end")


def _inserted_end(text: str, at: int) -> int:
    """The place behind the brace that closes what is inserted into a template."""
    depth, last = 0, ""
    while at < len(text):
        blank = BLANK.match(text, at)
        at = blank.end() if blank else at
        last = _token(text, at, last)
        at += len(last)
        if last == "}" and depth == 0:
            return at
        depth += {"{": 1, "}": -1}.get(last, 0)
    raise UnknownToken("a template without an end")


# ---- without comments and blanks


def minified(text: str) -> str:
    """The same program without comments, and with no more blanks than are needed. Raises `UnknownToken`."""
    found: list[str] = []
    last = ""
    for gap, token in tokens(text):
        found.append(_between(last, gap, token))
        found.append(_template(token, last == "html") if token[0] == "`" else token)
        last = token
    return "".join(found)


def _between(last: str, gap: str, token: str) -> str:
    """What must stand between two tokens: a line's end where a statement may end, a blank between words."""
    if not last or not gap:
        return ""
    if "\n" in gap and last[-1] not in "{([,;?:=&|" and token[0] not in ")]},.?:;":
        return "\n"
    joined = last[-1] + token[0]
    return " " if re.fullmatch(r"[\w$#]{2}|\+\+|--|//|[\w$][`\"']?\\", joined) else ""


def _one_break(m: re.Match[str]) -> str:
    beside_tag = m.string[: m.start()].endswith(">") or m.string[m.end() :].startswith("<")
    return "" if beside_tag else "\n"


def _template(token: str, markup: bool) -> str:
    """A template with what is inserted into it minified. Markup needs no indentation."""
    found, at, start = ["`"], 1, 1

    def text(end: int) -> str:
        part = token[start:end]
        return MARKUP_BREAK.sub(_one_break, part) if markup else part

    while at < len(token) - 1:
        if token.startswith("${", at):
            end = _inserted_end(token, at + 2)
            found += [text(at), "${", minified(token[at + 2 : end - 1]), "}"]
            at = start = end
        else:
            at += 2 if token[at] == "\\" else 1
    return "".join([*found, text(len(token) - 1), "`"])

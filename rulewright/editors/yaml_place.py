"""Where a place in a YAML text lies: which keys lead there, also while the text is half written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

KEY = re.compile(r"\s*(?P<key>\"[^\"]*\"|'[^']*'|[^\s\"'#{}\[\],](?:[^#{}\[\]]*?[^\s#{}\[\]])??)\s*:(?=\s|$)")
FLOW_KEY = re.compile(
    r"\s*(?P<key>\"[^\"]*\"|'[^']*'|[^\s\"'#{}\[\],](?:[^#{}\[\],]*?[^\s#{}\[\],])??)\s*:(?=\s|$)"
)
LONGEST_KEY = 1_000
"""Where so much stands within brackets before a colon, it is no key."""
WRITTEN = re.compile(r"[^#:{}\[\]]*:(?=\s|$)")
FLOW_WRITTEN = re.compile(r"[^#:{}\[\],]*:(?=\s|$)")
DASH = re.compile(r"-(\s+|$)")
PART = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^']|'')*'?|(?<!\S)#.*|[{}\[\],]|[^\"'#{}\[\],]+|.")
"""A part of a line in brackets: a quoted text, a comment, a bracket or comma, other text."""


@dataclass(frozen=True)
class YamlPlace:
    """A place: the keys and positions that lead to the value or mapping there, and what surrounds it.

    `key` says that a key may stand there, `value` that a value may. `word` is what is written before the
    place, `beside` are the other keys of the mapping, `written` says that a colon follows.
    """

    path: tuple[str | int, ...]
    key: bool
    value: bool
    word: str
    beside: frozenset[str]
    written: bool


@dataclass
class _Level:
    """A mapping or a list around the place. `column` is -1 within brackets."""

    column: int
    is_list: bool
    key: str | None = None
    index: int = 0
    keys: list[str] = field(default_factory=list)

    def enter(self, key: str) -> None:
        self.key = key
        self.keys.append(key)

    @property
    def step(self) -> str | int | None:
        return self.index if self.is_list else self.key


def place_in_yaml(text: str, offset: int) -> YamlPlace:
    """The place at an offset of a text, which may be no YAML yet."""
    before, line_end = text[:offset], text.find("\n", offset)
    rest = text[offset : line_end if line_end >= 0 else len(text)]
    levels: list[_Level] = []
    *above, line = before.split("\n")
    for each in above:
        _read_line(levels, each)
    word, in_value, column = _read_last(levels, line)
    inside = bool(levels) and levels[-1].column < 0
    after = text[offset:] if inside else text[line_end:] if line_end >= 0 else ""
    written = (FLOW_WRITTEN if inside else WRITTEN).match(rest) is not None
    if inside and not levels[-1].is_list and levels[-1].key is None:
        asks = (True, False)
    elif in_value or inside:
        asks = (False, True)
    else:
        asks = (True, not written)
    beside: set[str] = set()
    if asks[0] and levels and not levels[-1].is_list and levels[-1].key is None:
        beside.update(levels[-1].keys)
    path = tuple(level.step for level in levels if level.step is not None)
    beside.update(_keys_in_brackets(after) if inside else _keys_below(after, column))
    return YamlPlace(path, *asks, word, frozenset(beside), written)


def _read_line(levels: list[_Level], line: str) -> None:
    """Go on by a whole line."""
    content = line.lstrip(" ")
    if content.strip() and not content.startswith("#"):
        _read_entry(levels, len(line) - len(content), content)


def _read_last(levels: list[_Level], line: str) -> tuple[str, bool, int]:
    """Go on by the line up to the place: the word before it, whether a value is written, and the column."""
    content = line.lstrip(" ")
    rest, in_value, column = _read_entry(levels, len(line) - len(content), content)
    if not in_value:
        _leave(levels, column)
        if levels and not levels[-1].is_list and levels[-1].column == column:
            levels[-1].key = None
    return rest, in_value, column


def _read_entry(levels: list[_Level], column: int, content: str) -> tuple[str, bool, int]:
    """Go on by dashes, a key, brackets: what is written behind them, whether a key or bracket is there, and
    the column of what follows the dashes."""
    if content:
        _close_unclosed(levels, column, content)
    if levels and levels[-1].column < 0:
        return _read_brackets(levels, content), True, column
    column, content = _read_dashes(levels, column, content)
    found = KEY.match(content)
    if found is not None:
        _enter(levels, column, _unquoted(found["key"]))
        content = content[found.end() :].lstrip()
    if content.lstrip()[:1] in ("{", "["):
        return _read_brackets(levels, content.lstrip()), True, column
    return content, found is not None, column


def _close_unclosed(levels: list[_Level], column: int, content: str) -> None:
    """Brackets that are still open end where a key of a mapping around them begins."""
    outer = next((level.column for level in reversed(levels) if level.column >= 0), 0)
    if levels and levels[-1].column < 0 and column <= outer and content[0] not in "}],":
        while levels and levels[-1].column < 0:
            levels.pop()


def _read_dashes(levels: list[_Level], column: int, content: str) -> tuple[int, str]:
    """Go on by the dashes at the beginning of a line: the column and text behind them."""
    at = 0
    while (dash := DASH.match(content, at)) is not None:
        _leave(levels, column + at, lists=True)
        if levels and levels[-1].is_list and levels[-1].column == column + at:
            levels[-1].index += 1
        else:
            levels.append(_Level(column + at, is_list=True))
        at = dash.end()
    return column + at, content[at:]


def _enter(levels: list[_Level], column: int, key: str) -> None:
    _leave(levels, column)
    if not levels or levels[-1].is_list or levels[-1].column != column:
        levels.append(_Level(column, is_list=False))
    levels[-1].enter(key)


def _leave(levels: list[_Level], column: int, lists: bool = False) -> None:
    """Close what is further to the right, and a list whose dashes are in this column unless one follows."""
    while levels and (
        levels[-1].column > column or (levels[-1].column == column and levels[-1].is_list and not lists)
    ):
        levels.pop()


def _read_brackets(levels: list[_Level], content: str) -> str:
    """Go on by text in brackets: what is written behind the last bracket, comma or key."""
    written: list[str] = []
    length, blank = 0, True
    for part in PART.findall(content):
        if part in ("{", "[") and blank:
            levels.append(_Level(-1, is_list=part == "["))
        elif part in ("}", "]") and levels and levels[-1].column < 0:
            levels.pop()
            if not levels or levels[-1].column >= 0:
                return ""
        elif part == "," and levels:
            levels[-1].index += 1
            levels[-1].key = None
        elif part.startswith("#"):
            continue
        else:
            written.append(part)
            length, blank = length + len(part), blank and not part.strip()
            if length <= LONGEST_KEY:
                rest = _read_key(levels, "".join(written))
                written, length, blank = [rest], len(rest), not rest.strip()
            continue
        written, length, blank = [], 0, True
    return "".join(written).lstrip()


def _read_key(levels: list[_Level], text: str) -> str:
    """Enter the key of a mapping in brackets, if one is written: the text behind it."""
    level = levels[-1]
    found = None
    if not level.is_list and level.key is None:
        found = FLOW_KEY.match(text)
    if found is None:
        return text
    level.enter(_unquoted(found["key"]))
    return text[found.end() :]


def _keys_below(text: str, column: int) -> Iterator[str]:
    """The keys of a mapping in a column that follow in its block."""
    for line in text.split("\n"):
        content = line.lstrip(" ")
        if not content.strip() or content.startswith("#"):
            continue
        if len(line) - len(content) < column:
            return
        found = KEY.match(content) if not content.startswith("-") else None
        if len(line) - len(content) == column and found is not None:
            yield _unquoted(found["key"])


def _keys_in_brackets(text: str) -> Iterator[str]:
    """The keys that follow up to the bracket that closes the mapping."""
    depth = 0
    entry: list[str] = []
    for part in PART.findall(text.partition("\n\n")[0].replace("\n", " ")):
        if part in ("}", "]") and depth == 0:
            break
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(part, 0)
        if part == "," and depth == 0:
            yield from _key_of(entry)
            entry = []
        else:
            entry.append(part)
    yield from _key_of(entry)


def _key_of(entry: Sequence[str]) -> Iterator[str]:
    found = FLOW_KEY.match("".join(entry))
    if found is not None:
        yield _unquoted(found["key"])


def _unquoted(key: str) -> str:
    return key[1:-1] if key[:1] in ("'", '"') else key

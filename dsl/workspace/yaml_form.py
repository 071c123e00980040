"""The form of YAML files: blanks, indentation, spaces in braces. Nothing but blanks and blank lines changes.

Text is edited between its tokens and never rewritten, so comments, quotes and the order of keys stay.
What is aligned by hand stays aligned: blanks behind the colon of a key on a line of its own, and behind
commas, are left as they are if there are any.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import pairwise

import yaml

from dsl.diagnostics import DiagnosticError
from dsl.document import Mapping, Node, Scalar, Sequence, read
from dsl.source import Source

DEEPER = 2
MOST_BLANK = 2
"""The most blank lines in a row."""
OPEN = (yaml.FlowMappingStartToken, yaml.FlowSequenceStartToken)
CLOSE = (yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)
BLOCK = (yaml.BlockMappingStartToken, yaml.BlockSequenceStartToken)
LAYOUT = (
    *BLOCK,
    *(yaml.BlockEndToken, yaml.KeyToken, yaml.StreamStartToken, yaml.StreamEndToken),
    *(yaml.DocumentStartToken, yaml.DocumentEndToken),
)
"""Tokens without text of their own, or outside of what is formatted."""


def formatted_yaml(source: Source) -> str:
    """The text of a YAML file in its form; a file that is no YAML stays as it is."""
    try:
        meaning = _meaning(read(source))
    except DiagnosticError:
        return source.text
    text = source.text
    for step in (_flow_spaces, _indentation, _line_ends):
        changed = step(text)
        if _same(changed, text, meaning):
            text = changed
    return text


def _same(changed: str, text: str, meaning: object) -> bool:
    """Whether a text says the same as before, and differs in nothing but blanks."""
    if "".join(changed.split()) != "".join(text.split()):
        return False
    try:
        return _meaning(read(Source("", changed))) == meaning
    except DiagnosticError:
        return False


def _meaning(node: Node) -> object:
    """A node without its places."""
    match node:
        case Scalar(text=text, quoted=quoted):
            return text, quoted
        case Sequence(items=items):
            return [_meaning(item) for item in items]
        case Mapping(pairs=pairs):
            return [(key.text, _meaning(value)) for key, value in pairs], "mapping"


def _tokens(text: str) -> list[yaml.Token]:
    return list(yaml.scan(text, Loader=yaml.SafeLoader))


# ---- spaces in braces and brackets


def _flow_spaces(text: str) -> str:
    """`{a: 1, b: [2, 3]}`: none inside brackets and before commas, one behind them and behind colons."""
    tokens = [token for token in _tokens(text) if not isinstance(token, LAYOUT)]
    parts, at, depth = [], 0, 0
    for before, token in pairwise(tokens):
        depth += isinstance(before, OPEN) - isinstance(before, CLOSE)
        start, end = before.end_mark.index, token.start_mark.index
        gap = text[start:end]
        if depth > 0 and not gap.strip(" "):
            parts += [text[at:start], _gap(before, token, gap)]
            at = end
    return "".join([*parts, text[at:]])


def _gap(before: yaml.Token, token: yaml.Token, gap: str) -> str:
    if isinstance(before, OPEN) or isinstance(token, (*CLOSE, yaml.FlowEntryToken, yaml.ValueToken)):
        return ""
    if isinstance(before, (yaml.FlowEntryToken, yaml.ValueToken)):
        return gap or " "
    return gap


# ---- indentation


@dataclass
class Level:
    """A block: the column in which it was, and that in which it will be."""

    old: int
    new: int


def _indentation(text: str) -> str:
    """Each block is two blanks deeper than what it belongs to. Lines that continue with one move with it."""
    columns = _columns(text)
    begun = sorted(columns)
    lines = _close_dashes(text).split("\n")
    moved: list[str] = []
    shift = 0
    for number, line in enumerate(lines):
        if number in columns:
            shift = columns[number].new - columns[number].old
        elif line.strip() and line.lstrip().startswith("#"):
            at = bisect(begun, number)
            below = columns[begun[at]] if at < len(begun) else None
            own = _shift_of_comment(line, below, shift)
            moved.append(_shifted(line, own))
            continue
        moved.append(_shifted(line, shift))
    return "\n".join(moved)


def _close_dashes(text: str) -> str:
    """`- a: 1`: one blank between a dash and the block that begins behind it. Lines stay lines."""
    parts, at = [], 0
    before: yaml.Token | None = None
    for token in _tokens(text):
        start = before.end_mark.index if isinstance(before, yaml.BlockEntryToken) else 0
        gap = text[start : token.start_mark.index]
        if start and isinstance(token, BLOCK) and not gap.strip(" "):
            parts += [text[at:start], " "]
            at = token.start_mark.index
        before = token
    return "".join([*parts, text[at:]])


def _shift_of_comment(line: str, below: Level | None, shift: int) -> int:
    """A comment in the column of the block below moves with it, another one with the line above."""
    width = len(line) - len(line.lstrip())
    return below.new - below.old if below is not None and width == below.old else shift if width else 0


def _shifted(line: str, shift: int) -> str:
    if not line.strip() or not shift:
        return line
    width = len(line) - len(line.lstrip(" "))
    return " " * max(0, width + shift) + line.lstrip(" ")


def _columns(text: str) -> dict[int, Level]:
    """The levels of the lines that begin with a token of a block."""
    found: dict[int, Level] = {}
    levels: list[Level] = []
    for token in _tokens(text):
        mark = token.start_mark
        if isinstance(token, BLOCK):
            new = levels[-1].new + DEEPER if levels else 0
            levels.append(Level(mark.column, new))
        elif isinstance(token, yaml.BlockEndToken):
            levels.pop()
        if levels and isinstance(token, (*BLOCK, yaml.KeyToken, yaml.BlockEntryToken)):
            begins = not text[mark.index - mark.column : mark.index].strip(" ")
            if begins and mark.column == levels[-1].old:
                found.setdefault(mark.line, levels[-1])
    return found


# ---- line ends


def _line_ends(text: str) -> str:
    """No blanks at the ends of lines, at most two blank lines in a row, one line end at the end.

    Within a text of several lines nothing changes.
    """
    inner = _lines_within_texts(text)
    kept: list[str] = []
    for number, line in enumerate(text.split("\n")):
        shown = line if number in inner else line.rstrip(" \t")
        if shown or number in inner or (kept and any(kept[-MOST_BLANK:])):
            kept.append(shown)
    return "\n".join(kept).rstrip("\n") + "\n" if any(kept) else ""


def _lines_within_texts(text: str) -> set[int]:
    """The lines, from 0, whose ends belong to a text."""
    found: set[int] = set()
    for token in _tokens(text):
        if isinstance(token, yaml.ScalarToken) and not token.plain:
            found |= set(range(token.start_mark.line, token.end_mark.line))
    return found

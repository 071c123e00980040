"""The form of rules text: blanks, indentation, the column of clause marks. The words stay as they are.

A definition that does not parse is left alone, and so are the breaks between lines.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import lru_cache

from lark import Token

from dsl.diagnostics import InternalError
from dsl.grammar import MOST_TREES, parse_pieces, tokens_of
from dsl.pieces import Piece, pieces
from dsl.source import Source

DEEPER = 4
MARKS_AT = 69
"""The number of characters before the clause marks of a line."""
FEWEST_BLANKS, AFTER_LONGER = 2, 3
"""The fewest blanks before clause marks in that column, and the blanks before those of a longer line."""
BEFORE_COMMENT = "  "
TIGHT_BEFORE = frozenset({"RPAR", "RSQB", "COMMA", "COLON", "DOT", "__ANON_0"})
TIGHT_AFTER = frozenset({"LPAR", "LSQB", "DOT", "__ANON_0"})
SPACED = frozenset({"EQUALS", "ADDS", "TAKES", "COMPARE", "PLUS", "STAR"})
OPERANDS = frozenset({"NAME", "INT", "RPAR", "RSQB", "TRUE", "FALSE", "NONE"})
"""The tokens behind which `-` subtracts."""
BLOCK = re.compile(r"(action|effect|procedure)\b")
LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})


@dataclass
class TextLine:
    """The tokens of one line of text, and how deep it is indented."""

    width: int
    tokens: list[Token] = field(default_factory=list)


def formatted(source: Source) -> str:
    """The text of a rules file in its form."""
    broken = {found.piece.span for found in parse_pieces(source).broken}
    parts: list[str] = []
    before: Piece | None = None
    for piece in pieces(source):
        text = piece.span.text if piece.span in broken else _piece(piece.span.text)
        if before is not None and parts and _needs_blank(before, piece):
            parts.append("\n")
        parts.append(text)
        before = piece
    return _blank_lines("".join(parts))


def _needs_blank(above: Piece, piece: Piece) -> bool:
    """Whether a blank line is missing before or after an action, effect or procedure."""
    last = above.span.text.rstrip("\n").rpartition("\n")[2]
    if above.span.text.endswith("\n\n") or last.startswith("#"):
        return False
    return any(BLOCK.match(each.span.text) for each in (above, piece))


def _blank_lines(text: str) -> str:
    """At most one blank line in a row, none at the ends, and a line end at the end."""
    kept: list[str] = []
    for line in text.split("\n"):
        if line or (kept and kept[-1]):
            kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n" if any(kept) else ""


# ---- one definition


@lru_cache(maxsize=MOST_TREES)
def _piece(text: str) -> str:
    lines = _lines(text)
    written = text.split("\n")
    shown = [_line(lines.get(number), written, number, lines) for number in range(1, len(written) + 1)]
    found = "\n".join(shown)
    if _words(found) != _words(text):
        raise InternalError("formatting has changed what is said")
    return found


def _words(text: str) -> list[tuple[str, str]]:
    """What a text says: its tokens and their blocks."""
    return [(token.type, "" if token.type in LAYOUT else str(token)) for token in tokens_of(text)]


def _lines(text: str) -> dict[int, TextLine]:
    """The lines that have tokens, by their numbers from 1."""
    found: dict[int, TextLine] = {}
    level = 0
    logical: list[Token] = []
    tokens = tokens_of(text)
    for number, token in enumerate(tokens):
        if token.type == "_INDENT":
            level += 1
        elif token.type == "_DEDENT":
            level -= 1
        elif token.type == "_NL":
            opens = number + 1 < len(tokens) and tokens[number + 1].type == "_INDENT"
            _add_logical(found, logical, level, opens)
            logical = []
        else:
            logical.append(token)
    return found


def _add_logical(found: dict[int, TextLine], tokens: list[Token], level: int, opens: bool) -> None:
    """Add a line with those that continue it: they are deeper, and deeper still above a block."""
    parts: dict[int, list[Token]] = defaultdict(list)
    for token in tokens:
        parts[token.line or 1].append(token)
    for count, (number, part) in enumerate(sorted(parts.items())):
        least = level + (0 if count == 0 else 2 if opens else 1)
        written = ((part[0].column or 1) - 1 + DEEPER // 2) // DEEPER
        found[number] = TextLine((max(least, written) if count else least) * DEEPER, part)


# ---- one line


def _line(line: TextLine | None, written: list[str], number: int, lines: dict[int, TextLine]) -> str:
    text = written[number - 1]
    if line is None:
        return _comment_line(text, number, lines)
    code = [token for token in line.tokens if token.type != "CLAUSE"]
    marks = [str(token) for token in line.tokens if token.type == "CLAUSE"]
    shown = " " * line.width + _spaced(code)
    if marks:
        shown = shown if code else ""
        gap = MARKS_AT - len(shown)
        shown += " " * (gap if gap >= FEWEST_BLANKS else AFTER_LONGER) + " ".join(marks)
    comment = _comment_behind(line, text)
    return shown + (BEFORE_COMMENT + comment if comment else "")


def _comment_behind(line: TextLine, text: str) -> str:
    last = line.tokens[-1]
    rest = text[(last.end_column or 1) - 1 :].strip()
    return rest if rest.startswith("#") else ""


def _comment_line(text: str, number: int, lines: dict[int, TextLine]) -> str:
    """A line without tokens: blank, or a comment that is as deep as the line below it."""
    comment = text.strip()
    if not comment:
        return ""
    if text[:1] == "#":
        return comment
    below = next((line for at, line in sorted(lines.items()) if at > number), None)
    above = next((line for at, line in sorted(lines.items(), reverse=True) if at < number), None)
    line = below or above
    return " " * (line.width if line is not None else 0) + comment


def _spaced(tokens: list[Token]) -> str:
    shown = ""
    for before, token in zip([None, *tokens], tokens, strict=False):
        shown += (" " if before is not None and _apart(before, token, tokens) else "") + str(token)
    return shown


def _apart(before: Token, token: Token, tokens: list[Token]) -> bool:
    """Whether a blank stands between two tokens."""
    if token.type in TIGHT_BEFORE or before.type in TIGHT_AFTER:
        return False
    if before.type in SPACED or token.type in SPACED:
        return True
    if before.type == "MINUS":
        return _subtracts(tokens, before)
    if token.type == "LPAR":
        return before.end_pos != token.start_pos
    return True


def _subtracts(tokens: list[Token], minus: Token) -> bool:
    """Whether a `-` stands between two values."""
    number = next(i for i, token in enumerate(tokens) if token is minus)
    return number == 0 or tokens[number - 1].type in OPERANDS

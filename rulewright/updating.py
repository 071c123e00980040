"""Rulesets of an older version of the language, rewritten so that they mean the same now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from dsl import syntax as s
from dsl.grammar import parse
from dsl.source import Source

MARK = re.compile(r"(?<=   ) *§")
"""Clause marks behind a statement, with the blanks before them but three."""


def updated(source: Source) -> str:
    """The text of rules in which every number of pieces that are moved or rolled is written with `up to`.

    So it was meant before `move 3 from deck` came to mean exactly three. Raises `DiagnosticError` if the
    text cannot be parsed.
    """
    text = source.text
    for start in sorted(_numbers(parse(source)), reverse=True):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        text = text[:start] + _shifted("up to " + text[start:end], len("up to ")) + text[end:]
    return text


def _numbers(tree: Any) -> Iterator[int]:
    """Where the numbers of pieces begin that are written without `up to`."""
    if isinstance(tree, tuple):
        for part in tree:
            yield from _numbers(part)
    elif is_dataclass(tree):
        if isinstance(tree, s.MoveCount | s.RollOver) and tree.number is not None and not tree.up_to:
            yield _start(tree.number)
        for field in fields(tree):
            yield from _numbers(getattr(tree, field.name))


def _start(number: s.Expr) -> int:
    """Where an expression begins, with the brackets around it."""
    text, at = number.span.source.text, number.span.start
    while text[:at].rstrip(" ").endswith("("):
        at = text.rindex("(", 0, at)
    return at


def _shifted(line: str, width: int) -> str:
    """A line that has grown, with its clause marks in the same column, if there is room."""
    return MARK.sub(lambda found: found.group()[min(width, len(found.group()) - 1) :], line, count=1)

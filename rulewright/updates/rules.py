"""Rulesets of an older version of the language, rewritten so that they mean the same now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dsl import syntax as s
from dsl.grammar import parse
from dsl.source import Source

MARK = re.compile(r"(?<=   ) *§")
"""Clause marks behind a statement, with the blanks before them but three."""


def updated(source: Source, openly: bool = False) -> str:
    """The text of rules in which every number of pieces that are moved or rolled is written with `up to`.

    So it was meant before `move 3 from deck` came to mean exactly three. With `openly`, all that is shown to
    one seat is shown so, as it was before the others were not told of it. Raises `DiagnosticError` if the
    text cannot be parsed.
    """
    definitions = parse(source)
    added = [(start, "up to ") for start in _numbers(definitions)]
    if openly:
        added += [(line.to.span.end, " openly") for line in shown_to_one(definitions) if line.to is not None]
    insertions: dict[int, list[tuple[int, str]]] = {}
    for start, words in added:
        line, column = source.position(start)
        insertions.setdefault(line, []).append((column - 1, words))
    lines = source.text.split("\n")
    for number, inserted in insertions.items():
        written = lines[number - 1]
        for column, words in sorted(inserted, reverse=True):
            written = written[:column] + _shifted(words + written[column:], len(words))
        lines[number - 1] = written
    return "\n".join(lines)


def shown_to_one(definitions: Iterable[s.Definition]) -> Iterator[s.Show]:
    """The lines that show something to one seat, of which the others do not learn."""
    for definition in definitions:
        for node in s.walk(definition):
            if isinstance(node, s.Show) and node.to is not None and not node.openly:
                yield node


def _numbers(definitions: Iterable[s.Definition]) -> Iterator[int]:
    """Where the numbers of pieces begin that are written without `up to`."""
    for definition in definitions:
        for node in s.walk(definition):
            if isinstance(node, s.MoveCount | s.RollOver) and node.number is not None and not node.up_to:
                yield _start(node.number)


def _start(number: s.Expr) -> int:
    """Where an expression begins, with the brackets around it."""
    text, at = number.span.source.text, number.span.start
    first = at
    while first and text[first - 1] in " (":
        first -= 1
        at = first if text[first] == "(" else at
    return at


def _shifted(line: str, width: int) -> str:
    """A line that has grown, with its clause marks in the same column, if there is room."""
    return MARK.sub(lambda found: found.group()[min(width, len(found.group()) - 1) :], line, count=1)

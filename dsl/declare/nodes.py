"""Readers of YAML nodes as words, numbers, ranges, lists and mappings."""

from __future__ import annotations

import re

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.document import Mapping, Node, Scalar, Sequence
from dsl.domains import HIGHEST_WRITTEN
from dsl.messages.files import SeveralLines
from dsl.messages.shapes import MissingKey, WrongShape
from dsl.messages.sizes import LongText
from dsl.numbers import WHOLE, whole
from dsl.source import NOWHERE, Span
from dsl.wording import quoted

LONGEST_WORD, LONGEST_LINE, LONGEST_TEXT = 100, 300, 10_000
"""The most characters of what is shown to people: of a name, of a text of one line, and of a longer text."""
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
RANGE = re.compile(rf"({WHOLE.pattern})\.\.({WHOLE.pattern})")
EXAMPLES = {
    "by_seats": "write `by_seats: {2: 11, 3: 16}`",
    "chosen": "choose the reading to play: `chosen: NAME`",
    "clauses": "write `clauses: {§1.1: {says: ...}}`",
    "count": "write `count: 2`",
    "default": "give the value that applies if nobody chooses: `default: ...`",
    "each": "name a type: `each: colour`",
    "gives": "give the type of its cells: `gives: 0..9`, a type, or `effect`",
    "holds": "name a component: `holds: card`",
    "most": "give the most that it holds: `most: 500`",
    "of": "name what is recorded: `of: [stone, active]`",
    "over": "give its domain: `over: 0..7`, or a type",
    "range": "give the values that it can have: `range: 0..99`",
    "readings": "write `readings: {strict: ..., mild: ...}`",
    "refill": "name a zone: `refill: discard`",
    "rows": "write `rows: {0: 1, 1..7: 2}`",
    "seen_by": "choose who sees its pieces: `seen_by: all`, `owner`, `others`, `count`, `top` or `nobody`",
    "to": "give the type that it points to: `to: seat`, or another type",
    "why": "give the reason: `why: ...`",
}
"""Hints for missing keys."""


def word(node: Node | None, where: str, wanted: str = "one word") -> Scalar:
    """A node that is one word or text. Raises `DiagnosticError` otherwise, as all readers below."""
    if not isinstance(node, Scalar):
        raise DiagnosticError(WrongShape(_span(node), where, wanted))
    return node


def bounded(text: str, span: Span, what: str, most: int) -> str:
    """A text that is shown to people. Raises `DiagnosticError` with `LongText`."""
    if len(text) > most:
        raise DiagnosticError(LongText(span.first_line(), what, len(text), most))
    return text


def text(node: Node | None, where: str, wanted: str = "one word") -> Scalar:
    """A text of any number of lines."""
    scalar = word(node, where, wanted)
    bounded(scalar.text, scalar.span, where, LONGEST_TEXT)
    return scalar


def line(node: Node | None, where: str) -> Scalar:
    """A text of one line. Where it is shown, a second line could be mistaken for output of the program."""
    scalar = word(node, where)
    bounded(scalar.text, scalar.span, where, LONGEST_LINE)
    if "\n" in scalar.text:
        raise DiagnosticError(SeveralLines(scalar.span.first_line(), where))
    return scalar


def words(node: Node | None, where: str) -> tuple[Scalar, ...]:
    if not isinstance(node, Sequence):
        hint = "write `[one, two]`"
        if isinstance(node, Scalar) and WORD.fullmatch(node.text):
            hint = f"write `[{'' if node.text == 'none' else node.text}]`"
        raise DiagnosticError(WrongShape(_span(node), where, "a list", hint))
    return tuple(word(item, f"an item of {where}") for item in node.items)


def mapping(node: Node | None, where: str) -> Mapping:
    if not isinstance(node, Mapping):
        raise DiagnosticError(
            WrongShape(_span(node), where, "a mapping of keys to values", "write `{key: value}`")
        )
    return node


def number(node: Node | None, where: str) -> int:
    scalar = word(node, where, "a whole number")
    value = whole(scalar.text)
    if value is None:
        raise DiagnosticError(WrongShape(scalar.span, where, "a whole number"))
    _check_magnitude(scalar, where, value)
    return value


def _check_magnitude(scalar: Scalar, where: str, *values: int) -> None:
    if max(map(abs, values)) > HIGHEST_WRITTEN:
        raise DiagnosticError(WrongShape(scalar.span, where, f"within -{HIGHEST_WRITTEN}..{HIGHEST_WRITTEN}"))


def is_range(text: str) -> bool:
    return RANGE.fullmatch(text) is not None


def interval(node: Node | None, where: str) -> tuple[int, int]:
    """`0..6`, or one number."""
    scalar = word(node, where, "a range like `0..6`")
    low, dots, high = scalar.text.partition("..")
    lo, hi = whole(low), whole(high if dots else low)
    if lo is None or hi is None:
        raise DiagnosticError(WrongShape(scalar.span, where, "a range like `0..6`"))
    _check_magnitude(scalar, where, lo, hi)
    if lo > hi:
        hint = f"write `{hi}..{lo}`"
        raise DiagnosticError(WrongShape(scalar.span, where, "a range from low to high", hint))
    return lo, hi


def flag(node: Node | None, where: str) -> bool:
    return one_of(node, where, ("true", "false")) == "true"


def one_of(node: Node | None, where: str, allowed: tuple[str, ...]) -> str:
    scalar = word(node, where)
    if scalar.text not in allowed:
        hint = did_you_mean(scalar.text, allowed)
        raise DiagnosticError(WrongShape(scalar.span, where, quoted(allowed, "or"), hint))
    return scalar.text


def needed(found: Mapping, key: str, where: str) -> Node:
    node = found.get(key)
    if node is None:
        raise DiagnosticError(MissingKey(found.span.first_line(), where, f"`{key}`", EXAMPLES.get(key, "")))
    return node


def _span(node: Node | None) -> Span:
    return node.span.first_line() if node is not None else NOWHERE

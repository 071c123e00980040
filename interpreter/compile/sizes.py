"""How large values are once they are inlined, counted from the innermost outwards before anything is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Failed
from dsl.messages.sizes import DeepValue, LargeRules, LargeState, LargeValue
from dsl.source import Span
from interpreter.compile.uses import parts_of

MOST_PARTS = 5_000
"""Parts of one value. Nothing is shared where a value is used twice."""
DEEPEST = 300
"""Levels of one expression: each costs a few frames of Python wherever a pass or a match goes down it."""
MOST_EXPRESSIONS = 30_000
"""Parts of all expressions of a machine. Passes take some hundredths of a millisecond for each."""
MOST_NODES = 6_000
MOST_WORDS = 1 << 16
"""Words of a state. Trials, undo and batches keep many copies of it."""
MOST_CALLS = 200
"""Calls of which one runs in the other; what is declared to nest counts as often as it may."""
MOST_TABLES = 1 << 22
"""Numbers in all tables of a machine."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of an expression with its values inlined: how many parts it has, and how deep they are nested."""

    parts: int
    depth: int


NOTHING = Size(0, 0)


class Counted:
    """What a machine under construction has taken up so far, of one kind."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most, self.found = what, most, 0

    def add(self, number: int, span: Span) -> None:
        """Raises `Failed` at the part of the rules that brings it over the bound."""
        self.found += number
        if self.found > self.most:
            raise Failed(LargeRules(span.first_line(), self.most, self.what))


def check_words(words: int, what: str, span: Span) -> None:
    """Raises `Failed` if a state would have too many words; `what` is what brings it there."""
    if words > MOST_WORDS:
        raise Failed(LargeState(span.first_line(), what, words, MOST_WORDS))


def check_sizes(rules: r.Rules) -> None:
    """Raises `Failed` at the first value or expression that is too large once it is inlined."""
    values: dict[str, Size] = {}
    for value in rules.values.values():
        values[value.name] = size = _of_value(value, values)
        if size.parts > MOST_PARTS:
            raise Failed(LargeValue(value.span, value.name, size.parts, MOST_PARTS))
        _check_depth(value.span, f"`{value.name}`", size)
    for span, what, part in _users(rules):
        _check_depth(span, what, size_of(part, values))


def _check_depth(span: Span, what: str, size: Size) -> None:
    if size.depth > DEEPEST:
        raise Failed(DeepValue(span, what, size.depth, DEEPEST))


def _users(rules: r.Rules) -> Iterable[tuple[Span, str, Any]]:
    """What uses values and is none."""
    for routine in rules.routines.values():
        yield routine.span, f"`{routine.name}`", routine.parameters
        for line in routine.block:
            yield line.span, "this", line
    for trigger in rules.triggers:
        yield trigger.span, "this trigger", (trigger.condition, trigger.zone, trigger.block)
    for score in rules.scores:
        yield score.span, f"`{score.name}`", score.value
    for promise in (*rules.invariants, *rules.goals):
        yield promise.span, "this promise", promise.condition


def _of_value(value: r.Value, values: dict[str, Size]) -> Size:
    """Cases lie one in the other, and modifiers one around the other."""
    found = [size_of(x, values) for x in (*value.cases, *value.modifiers)]
    return Size(sum(x.parts for x in found), len(found) + max((x.depth for x in found), default=0))


def size_of(node: Any, values: dict[str, Size]) -> Size:
    """The size of a piece of typed rules."""
    if isinstance(node, tuple):
        return _together(node, values)
    inner = parts_of(node)
    if inner is None:
        return NOTHING
    found = _together(inner, values)
    own = 1
    if isinstance(node, r.UseValue):
        used = values.get(node.value, NOTHING)
        found = Size(found.parts + used.parts, found.depth + used.depth)
    elif isinstance(node, r.Extreme):
        own = len(node.items)
    return Size(found.parts + 1, found.depth + own)


def _together(nodes: Iterable[Any], values: dict[str, Size]) -> Size:
    parts = depth = 0
    for node in nodes:
        size = size_of(node, values)
        parts += size.parts
        depth = max(depth, size.depth)
    return Size(parts, depth)

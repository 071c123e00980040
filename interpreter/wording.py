"""Conditions in the words of players, which a refusal says; the application writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dsl import rules as r
from dsl.source import Span
from interpreter import ir

Place = tuple[str, int, int]
"""Where a condition stands: a file and two offsets."""


@dataclass(frozen=True, slots=True)
class SideWords:
    """A side of a condition as a noun phrase, and whether a verb agrees with it as with several.

    An empty phrase is not worth saying.
    """

    noun: str
    many: bool = False


@dataclass(frozen=True, slots=True)
class ConditionWords:
    """A condition as a clause, and its sides."""

    said: str
    sides: tuple[SideWords, ...] = ()


ConditionBook = Mapping[Place, tuple[ConditionWords, ...]]
"""The words of conditions by their places; of each those of its parts, each part before its own parts."""
Wording = Callable[[r.Rules, ir.Machine], ConditionBook]
"""Writes the conditions of a game that a refusal can name."""


def size_of(condition: ir.Condition) -> int:
    """How many conditions it is, with its parts and theirs."""
    return 1 + sum(map(size_of, condition.parts))


def place_of(span: Span) -> Place:
    return span.source.name, span.start, span.end


def unworded(rules: r.Rules, machine: ir.Machine) -> ConditionBook:
    """No words: refusals quote the rules."""
    return {}

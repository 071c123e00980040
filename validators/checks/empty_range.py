"""Ranges that have no number whatever the position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dsl import rules as r
from dsl.domains import IntType
from dsl.rules.visit import walk
from dsl.source import Span
from validators.check import Check, CheckContext, Finding
from validators.written_rules import configured_rules, definitions


@dataclass(frozen=True)
class EmptyRange(Finding):
    """A range has no number, whatever the position: its first number is always above its last.

    An action that chooses from it is never offered, a loop over it never runs. This follows from the types
    and ranges of the two ends, with any number of seats and any option.

    Example:

        counters: {coins: {of: seat, range: 0..20}}

        action bet(stake from 50..coins of me)      # nobody ever has 50 coins

    Correct the number that is meant otherwise, or the range of what it reads.
    """

    code = "V348"
    slug = "empty-range"
    title = "there is never a number in `{range}`"
    label = "in `{about}`: {why}"
    advice = "correct one of its ends, or the range of what it reads"

    range: str = ""
    why: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    empty = [dict(_empty(rules)) for rules in configured_rules(subject)]
    for span, (name, why) in empty[0].items():
        if all(span in ranges for ranges in empty):
            yield EmptyRange(span, name, (), " ".join(span.text.split()), why)


def _empty(rules: r.Rules) -> Iterator[tuple[Span, tuple[str, str]]]:
    """The ranges without a number, each with the name of what it stands in and why it has none."""
    for name, tree in definitions(rules):
        for part in walk(tree):
            if isinstance(part, r.Interval):
                first, last = part.low.type, part.high.type
                if isinstance(first, IntType) and isinstance(last, IntType) and first.lo > last.hi:
                    why = f"it begins at {first.lo} or above, and ends at {last.hi} or below"
                    yield part.span, (name, why)


CHECK = Check(EmptyRange, find)

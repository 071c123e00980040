"""Conditions that are the same in every position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import and_

from dsl import rules as r
from dsl.rules.visit import walk
from dsl.source import Span
from validators.check import Check, CheckContext, Finding
from validators.settled_conditions import Settled, settled
from validators.written_rules import configured_rules, definitions


@dataclass(frozen=True)
class ConstantCondition(Finding):
    """A condition is always true, or always false, whatever the position.

    This follows from the types and ranges of what it compares: a number is compared with one outside of its
    range, a thing with itself, or the parts of `and` and `or` exclude each other. Usually another number or
    another name is meant; a new name may hide an older one. Conditions on constants, options and the number
    of seats alone choose between variants, and promises may state what is certain: neither is reported.

    Example:

        counters: {coins: {of: seat, range: 0..20}}

        needs coins of me >= 0             # always true

    Correct the number, the name or the range; or remove the condition.
    """

    code = "V345"
    slug = "constant-condition"
    title = "`{condition}` is always {answer}"
    label = "in `{about}`: {why}"
    advice = "correct the number, the name or the range, or remove the condition"

    condition: str = ""
    answer: str = ""
    why: str = ""


def find(subject: CheckContext) -> Iterator[Finding]:
    for name, conditions in constant_conditions(subject).items():
        for condition in conditions:
            text = " ".join(condition.span.text.split())
            yield ConstantCondition(condition.span, name, (), text, _word(condition.holds), condition.why)


def constant_conditions(subject: CheckContext) -> dict[str, list[Settled]]:
    """The conditions that are settled alike in every configuration, by the definition they stand in."""
    settled_in = [_settled(rules) for rules in configured_rules(subject)]
    always = reduce(and_, [{_verdict(condition) for _, condition in each} for each in settled_in])
    by_name: dict[str, list[Settled]] = {}
    for name, condition in settled_in[0]:
        if _verdict(condition) in always and condition.span not in [s.span for s in by_name.get(name, [])]:
            by_name.setdefault(name, []).append(condition)
    return by_name


def _settled(rules: r.Rules) -> list[tuple[str, Settled]]:
    return [(name, condition) for name, tree in definitions(rules) for condition in settled(rules, tree)]


def _verdict(condition: Settled) -> tuple[Span, bool]:
    return condition.span, condition.holds


def lines_behind(subject: CheckContext) -> frozenset[Span]:
    """The lines that are never reached because a condition before them is the same always.

    The check of unreachable lines does not report them a second time.
    """
    answers = {s.span: s.holds for each in constant_conditions(subject).values() for s in each}
    unreached: set[Span] = set()
    for _, tree in definitions(subject.rules):
        for line in walk(tree):
            if isinstance(line, r.If) and line.condition.span in answers:
                never = line.otherwise if answers[line.condition.span] else line.block
                unreached.update(x.span for x in walk(never) if isinstance(x, r.Line))
    return frozenset(unreached)


def _word(holds: bool) -> str:
    return "true" if holds else "false"


CHECK = Check(ConstantCondition, find)

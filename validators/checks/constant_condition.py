"""Conditions that are the same in every position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Report
from dsl.rules.visit import walk
from dsl.source import Span
from interpreter.compile.program import configure
from validators.check import Check, CheckContext, Finding
from validators.settled_conditions import Settled, settled


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
    for name, one in constant_conditions(subject).items():
        yield from (
            ConstantCondition(s.span, name, (), " ".join(s.span.text.split()), _word(s.holds), s.why)
            for s in one
        )


def constant_conditions(subject: CheckContext) -> dict[str, list[Settled]]:
    """Those of each routine, value, trigger and phase, whatever the configuration."""
    read = [_found(rules) for rules in readings(subject)]
    always = reduce(lambda kept, more: kept & more, [{_place(s) for _, s in one} for one in read])
    found: dict[str, list[Settled]] = {}
    for name, one in read[0]:
        if _place(one) in always and one.span not in [s.span for s in found.get(name, [])]:
            found.setdefault(name, []).append(one)
    return found


def readings(subject: CheckContext) -> Iterator[r.Rules]:
    """The rules; if numbers of declarations depend on seats and options, with all of them."""
    yield subject.rules
    if subject.rules.configurations is not None:
        for seats in subject.seats:
            for setting in (None, *subject.settings(seats)):
                if not isinstance(subject.compiled(seats, setting), Report):
                    options = dict([setting]) if setting is not None else {}
                    yield subject.rules.configured(*configure(subject.rules, seats, options))


def _found(rules: r.Rules) -> list[tuple[str, Settled]]:
    return [(name, one) for name, tree in written(rules) for one in settled(rules, tree)]


def _place(one: Settled) -> tuple[Span, bool]:
    return one.span, one.holds


def written(rules: r.Rules) -> Iterator[tuple[str, Any]]:
    """All that the rules say but promises, each with its name."""
    for routine in rules.routines.values():
        yield routine.name, (routine.parameters, routine.block)
    for value in rules.values.values():
        yield value.name, value.parts
    for named in rules.collections.values():
        yield named.name, named.collection
    for trigger in rules.triggers:
        yield "when", (trigger.condition, trigger.block)
    for score in rules.scores:
        yield score.name, score.value
    for phase in rules.phases.values():
        yield phase.name, (phase.turn, phase.steps, phase.then)


def lines_behind(subject: CheckContext) -> frozenset[Span]:
    """The lines that are never reached because a condition before them is the same always."""
    said = {s.span: s.holds for one in constant_conditions(subject).values() for s in one}
    found: set[Span] = set()
    for _, tree in written(subject.rules):
        for line in walk(tree):
            if isinstance(line, r.If) and line.condition.span in said:
                never = line.otherwise if said[line.condition.span] else line.block
                found.update(x.span for x in walk(never) if isinstance(x, r.Line))
    return frozenset(found)


def _word(holds: bool) -> str:
    return "true" if holds else "false"


CHECK = Check(ConstantCondition, find)

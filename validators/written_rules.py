"""The rules as they are written: in every configuration, definition by definition, for checks of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Report
from interpreter.compile.program import configure
from validators.check import CheckContext


def configured_rules(subject: CheckContext) -> Iterator[r.Rules]:
    """The rules; then those of every configuration that compiles, if declarations depend on it."""
    yield subject.rules
    if subject.rules.configurations is not None:
        for seats in subject.seats:
            for setting in (None, *subject.settings(seats)):
                if not isinstance(subject.compiled(seats, setting), Report):
                    options = dict([setting]) if setting is not None else {}
                    yield subject.rules.configured(*configure(subject.rules, seats, options))


def definitions(rules: r.Rules) -> Iterator[tuple[str, Any]]:
    """What the rules say, definition by definition: its name and its tree. Promises are left out."""
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

"""The coverage points of a game: the parts of its rules that can be executed, in source order."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.rules.static import is_static
from dsl.rules.visit import walk
from dsl.source import Span
from interpreter import ir

Numbered = tuple[object, ir.CoveragePoint]
"""A part of the rules, none for a cell, and its point."""


def points(rules: r.Rules) -> tuple[Numbered, ...]:
    """Every point of a game with its part of the rules; the last ones are those of the cells, in order."""
    return (
        *(point for routine in rules.routines.values() for point in _routine(routine)),
        *(point for value in rules.values.values() for point in _value(value)),
        *((x, ir.CoveragePoint("case", x.name, x.span, x.clauses)) for x in rules.collections.values()),
        *((x, ir.CoveragePoint("table", x.name, x.span, x.clauses)) for x in rules.tables.values()),
        *(point for i, trigger in enumerate(rules.triggers) for point in _trigger(i, trigger)),
        *((x, ir.CoveragePoint("score", x.name, x.span, x.clauses)) for x in rules.scores),
        *(point for promise in rules.invariants for point in _promise(rules, promise)),
        *(point for phase in rules.phases.values() for point in _phase(phase)),
        *(_cell(rules, *cell) for cell in rules.cells),
    )


def _promise(rules: r.Rules, promise: r.Invariant) -> Iterator[Numbered]:
    """The point of an invariant; a static one has none, as it is not evaluated in play."""
    if not is_static(rules, promise.condition):
        yield promise, ir.CoveragePoint("invariant", "", promise.span, promise.clauses, True)


def _routine(routine: r.Routine) -> Iterator[Numbered]:
    yield routine, ir.CoveragePoint("routine", routine.name, routine.span, routine.clauses)
    for parameter in routine.parameters:
        if parameter.binder is not None:
            span = _parameter_span(parameter.var, parameter.binder)
            yield parameter, ir.CoveragePoint("parameter", routine.name, span)
    yield from _lines(routine.name, routine.block)


def _parameter_span(var: r.Var, binder: r.Binder) -> Span:
    span = var.span.to(binder.collection.span)
    return span if binder.where is None else span.to(binder.where.span)


def _lines(name: str, block: r.Block) -> Iterator[Numbered]:
    for line in walk(block):
        if isinstance(line, r.Precondition):
            yield line, ir.CoveragePoint("needs", name, line.span, line.clauses, True)
        elif isinstance(line, r.Line):
            asks = isinstance(line, r.If | r.While | r.RepeatUntil)
            yield line, ir.CoveragePoint("statement", name, line.span, line.clauses, asks)


def _value(value: r.Value) -> Iterator[Numbered]:
    for let in value.lets:
        yield let, ir.CoveragePoint("case", value.name, let.span, let.clauses)
    for case in value.cases:
        asks = case.condition is not None and case is not value.cases[-1]
        yield case, ir.CoveragePoint("case", value.name, case.span, case.clauses, asks)
    for x in value.modifiers:
        yield x, ir.CoveragePoint("modifier", value.name, x.span, x.clauses, x.condition is not None)


def _trigger(number: int, trigger: r.Trigger) -> Iterator[Numbered]:
    name, asks = f"when {number}", trigger.condition is not None
    yield trigger, ir.CoveragePoint("trigger", name, trigger.span, trigger.clauses, asks)
    yield from _lines(name, trigger.block)


def _phase(phase: r.Phase) -> Iterator[Numbered]:
    yield phase, ir.CoveragePoint("phase", phase.name, phase.span, phase.clauses)
    yield from (_step(phase, step) for step in phase.all_steps())


def _step(phase: r.Phase, step: r.FlowStep) -> Numbered:
    clauses = () if isinstance(step, r.CallStep) else step.clauses
    return step, ir.CoveragePoint("step", phase.name, step.span, clauses, isinstance(step, r.IfStep))


def _cell(rules: r.Rules, effect: str, arguments: tuple[int, ...]) -> Numbered:
    """The point of a cell, named by its effect and its arguments."""
    name = " ".join((effect, *map(str, arguments)))
    return None, ir.CoveragePoint("cell", name, rules.routines[effect].span)

"""The points of cover of a game: what of its rules can be executed, in the order in which it is written."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import rules as r
from dsl.rules.static import is_static
from dsl.rules.visit import walk
from dsl.source import Span
from interpreter import ir

Numbered = tuple[object, ir.CoveragePoint]
"""A part of the rules and its point."""


def points(rules: r.Rules) -> tuple[Numbered, ...]:
    """Every point of a game with what it stands for; those of cells are the last, in their order."""
    return (
        *(found for routine in rules.routines.values() for found in _routine(routine)),
        *(found for value in rules.values.values() for found in _value(value)),
        *((x, ir.CoveragePoint("table", x.name, x.span, x.clauses)) for x in rules.tables.values()),
        *(found for i, trigger in enumerate(rules.triggers) for found in _trigger(i, trigger)),
        *((x, ir.CoveragePoint("score", x.name, x.span, x.clauses)) for x in rules.scores),
        *(found for promise in rules.invariants for found in _promise(rules, promise)),
        *(found for phase in rules.phases.values() for found in _phase(phase)),
        *(_cell(rules, *cell) for cell in rules.cells),
    )


def _promise(rules: r.Rules, promise: r.Invariant) -> Iterator[Numbered]:
    """Nobody looks in play at what nothing in play can change."""
    if not is_static(rules, promise.condition):
        yield promise, ir.CoveragePoint("invariant", "", promise.span, promise.clauses, True)


def _routine(routine: r.Routine) -> Iterator[Numbered]:
    yield routine, ir.CoveragePoint("routine", routine.name, routine.span, routine.clauses)
    for parameter in routine.parameters:
        if parameter.binder is not None:
            yield (
                parameter,
                ir.CoveragePoint("parameter", routine.name, _of_parameter(parameter.var, parameter.binder)),
            )
    yield from _lines(routine.name, routine.block)


def _of_parameter(var: r.Var, binder: r.Binder) -> Span:
    span = var.span.to(binder.collection.span)
    return span if binder.where is None else span.to(binder.where.span)


def _lines(name: str, block: r.Block) -> Iterator[Numbered]:
    for line in walk(block):
        if isinstance(line, r.Precondition):
            yield line, ir.CoveragePoint("needs", name, line.span, line.clauses, True)
        elif isinstance(line, r.Line):
            asks = isinstance(line, r.If | r.While)
            yield line, ir.CoveragePoint("statement", name, line.span, line.clauses, asks)


def _value(value: r.Value) -> Iterator[Numbered]:
    for case in value.cases:
        asks = case.condition is not None and case is not value.cases[-1]
        yield case, ir.CoveragePoint("case", value.name, case.span, case.clauses, asks)
    for one in value.modifiers:
        yield one, ir.CoveragePoint("modifier", value.name, one.span, one.clauses, one.condition is not None)


def _trigger(number: int, trigger: r.Trigger) -> Iterator[Numbered]:
    name, asks = f"when {number}", trigger.condition is not None
    yield trigger, ir.CoveragePoint("trigger", name, trigger.span, trigger.clauses, asks)
    yield from _lines(name, trigger.block)


def _phase(phase: r.Phase) -> Iterator[Numbered]:
    yield phase, ir.CoveragePoint("phase", phase.name, phase.span, phase.clauses)
    for step in phase.steps:
        yield _step(phase, step)
        for inner in step.steps if isinstance(step, r.SeatsStep) else ():
            yield _step(phase, inner)


def _step(phase: r.Phase, step: r.FlowStep) -> Numbered:
    clauses = () if isinstance(step, r.CallStep) else step.clauses
    return step, ir.CoveragePoint("step", phase.name, step.span, clauses)


def _cell(rules: r.Rules, effect: str, arguments: tuple[int, ...]) -> Numbered:
    """A cell is known by its effect and the numbers that it gives to it."""
    name = " ".join((effect, *map(str, arguments)))
    return None, ir.CoveragePoint("cell", name, rules.routines[effect].span)

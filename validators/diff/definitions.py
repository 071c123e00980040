"""Actions, effects, procedures, values, triggers, lines of the account and promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dsl import rules as r
from validators.diff.kinds import Facet, Kind, said
from validators.diff.lines import Line, block_lines, line, written
from validators.diff.sides import Side

# ---- routines


def _routine(side: Side, routine: r.Routine) -> Iterator[Facet]:
    if routine.nests is not None:
        yield said("nests up to", routine.nests)


def _routine_lines(side: Side, routine: r.Routine) -> Iterator[Line]:
    """The header with its parameters, and the statements."""
    given = tuple(_parameter(side, p) for p in routine.parameters)
    yield line(side, (routine.kind, *given), routine.span, routine.clauses)
    yield from block_lines(side, routine.block)


def _parameter(side: Side, parameter: r.Parameter) -> tuple[object, ...]:
    """A parameter by what it is chosen from; one that must be given by its type."""
    if parameter.binder is None:
        return ("given", parameter.var, side.type(parameter.var.type))
    return ("chosen", parameter.binder)


# ---- values


def _value_lines(side: Side, value: r.Value) -> Iterator[Line]:
    """The header and the cases, which may stand in one line; then what modifies it."""
    given = tuple((p, side.type(p.type)) for p in value.parameters)
    first = value.cases[0]
    if written(first.span) == written(value.span):
        yield line(side, (given, _case(first)), value.span, value.clauses)
    else:
        yield line(side, given, value.span, value.clauses)
        for case in value.cases:
            yield line(side, _case(case), case.span, case.clauses, 1)
    for modifier in value.modifiers:
        given = tuple((p, side.type(p.type)) for p in modifier.parameters)
        parts = ("modify", given, modifier.mode, modifier.amount, modifier.condition)
        yield line(side, parts, modifier.span, modifier.clauses)


def _case(case: r.ValueCase) -> tuple[object, ...]:
    return (case.condition, case.value)


# ---- triggers


def trigger_lines(side: Side, trigger: r.Trigger) -> Iterator[Line]:
    """The header, in which what is left open comes first; and the block."""
    free = tuple((v, side.type(v.type)) for v in trigger.free)
    header = ("when", free, trigger.condition, trigger.event, trigger.zone, trigger.piece)
    yield line(side, header, trigger.span, trigger.clauses)
    yield from block_lines(side, trigger.block)


# ---- the account and promises


def _score_lines(side: Side, score: r.ScoreLine) -> Iterator[Line]:
    yield line(side, (score.kind, score.value), score.span, score.clauses)


def promise_lines(side: Side, promise: r.Invariant) -> Iterator[Line]:
    yield line(side, promise.condition, promise.span, promise.clauses)


# ---- kinds


def _of_kind(kind: str) -> Callable[[r.Rules], Mapping[str, r.Routine]]:
    return lambda rules: {n: x for n, x in rules.routines.items() if x.kind == kind}


def _routines(section: str, noun: str) -> Kind:
    return Kind(
        section,
        lambda *_: noun,
        _of_kind(noun),
        _routine,
        _routine_lines,
        clauses=lambda side, routine: routine.clauses,
    )


ACTIONS = _routines("actions", "action")
EFFECTS = _routines("effects", "effect")
PROCEDURES = _routines("routines", "procedure")
VALUES = Kind(
    "routines",
    lambda *_: "value",
    lambda rules: rules.values,
    lines=_value_lines,
    clauses=lambda side, value: value.clauses,
)
SCORES = Kind(
    "scores",
    lambda side, score: "score" if score.kind == "score" else "tie-break",
    lambda rules: {f"{score.kind}:{score.name}": score for score in rules.scores},
    lines=_score_lines,
    clauses=lambda side, score: score.clauses,
    called=lambda key, score: score.name,
)

"""Limits on the sizes of inlined values and on call chains, checked bottom-up before anything is inlined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dsl import rules as r
from dsl.cycles import cycles
from dsl.diagnostics import DiagnosticError
from dsl.messages.sizes import DeepCalls, DeepValue, LargeValue, ManyCalls
from dsl.rules.visit import children, walk
from dsl.source import Span

MOST_PARTS = 5_000
"""Nodes of one value with its values inlined. A value that is used twice counts twice."""
DEEPEST = 300
"""Levels of one expression: each costs a few frames of Python in every recursive pass."""
MOST_CALLS = 200
"""Routines in one chain of calls; each routine of a call cycle counts once."""
MOST_RUNS = 5_000_000
"""Runs of routines that one run may come to without loops. Play has work for no more."""


@dataclass(frozen=True, slots=True)
class Size:
    """The number of nodes of an expression with its values inlined, and their depth."""

    parts: int
    depth: int


def check_sizes(rules: r.Rules) -> None:
    """Raises `DiagnosticError` at the first value or expression that is too large once it is inlined."""
    values: dict[str, Size] = {}
    for value in rules.values.values():
        values[value.name] = size = _of_value(value, values)
        if size.parts > MOST_PARTS:
            raise DiagnosticError(LargeValue(value.span, value.name, size.parts, MOST_PARTS))
        _check_depth(value.span, f"`{value.name}`", size)
    for span, what, part in _users(rules):
        _check_depth(span, what, size_of(part, values))


def _check_depth(span: Span, what: str, size: Size) -> None:
    if size.depth > DEEPEST:
        raise DiagnosticError(DeepValue(span, what, size.depth, DEEPEST))


def _users(rules: r.Rules) -> Iterable[tuple[Span, str, Any]]:
    """The trees that use values, other than values, each with its place and its name in messages."""
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
    """The size of a value: its parts are nested in each other when it is inlined."""
    found = [size_of(x, values) for part in value.parts for x in part]
    return Size(sum(x.parts for x in found), len(found) + max((x.depth for x in found), default=0))


def size_of(node: Any, values: dict[str, Size]) -> Size:
    """The size of a tree of typed rules."""
    parts = depth = 0
    for part in children(node):
        size = size_of(part, values)
        parts, depth = parts + size.parts, max(depth, size.depth)
    match node:
        case None | tuple():
            return Size(parts, depth)
        case r.UseValue(value=name) if name in values:
            return Size(parts + values[name].parts + 1, depth + values[name].depth + 1)
        case r.Extreme(items=items):
            return Size(parts + 1, depth + len(items))
    return Size(parts + 1, depth + 1)


# ---- chains of calls


def check_chains(rules: r.Rules) -> ManyCalls | None:
    """A warning if routines may come to very many runs.

    Raises `DiagnosticError` if too many calls may be nested.
    """
    calls = {name: _called(rules, routine) for name, routine in rules.routines.items()}
    chains: dict[str, int] = {}
    runs: dict[str, int] = {}
    for members in cycles(calls):
        below = max((chains[n] for name in members for n in calls[name] if n not in members), default=0)
        chains |= dict.fromkeys(members, len(members) + below)
        inner = sum(times * runs.get(n, 0) for name in members for n, times in calls[name].items())
        runs |= dict.fromkeys(members, len(members) + inner)
    name = max(chains, key=lambda n: chains[n], default=None)
    if name is not None and chains[name] > MOST_CALLS:
        raise DiagnosticError(DeepCalls(rules.routines[name].span, name, chains[name], MOST_CALLS))
    many = min((n for n in runs if runs[n] > MOST_RUNS), key=lambda n: runs[n], default=None)
    if many is None:
        return None
    return ManyCalls(rules.routines[many].span, many, f"{runs[many]:,}", f"{MOST_RUNS:,}")


def _called(rules: r.Rules, routine: r.Routine) -> Counter[str]:
    """The routines that a routine calls or offers, and in how many places, sorted.

    A cell may name any effect of a cell, and runs one of them.
    """
    found: Counter[str] = Counter()
    for part in walk((routine.parameters, routine.block)):
        match part:
            case r.CallLine(routine=name):
                found[name] += 1
            case r.DoRoutine(routine=name):
                found[name] = max(found[name], 1)
            case r.DoCell():
                found |= Counter({name: 1 for name, _ in rules.cells})
    return Counter({name: found[name] for name in sorted(found.keys() & rules.routines.keys())})

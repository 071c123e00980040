"""The sizes of the stacks, from the greatest depth of calls in the call graph."""

from __future__ import annotations

from dsl import rules as r
from dsl.cycles import Calls, cycles
from dsl.diagnostics import DiagnosticError, Label
from dsl.messages import CallsInCircle
from interpreter.compile.flow import FLOW
from interpreter.compile.routines import RoutineDraft, trigger_name
from interpreter.compile.statements import Statements


def stack_sizes(lower: Statements, drafts: list[RoutineDraft], flow_size: int) -> tuple[int, int]:
    """The most words that the main stack and the stack of one branch can need.

    Raises `DiagnosticError` if routines call each other without a declared depth.
    """
    triggers = {trigger_name(i) for i in range(len(lower.rules.triggers))}
    calls = {draft.name: sorted(lower.calls[draft.name] - triggers) for draft in drafts}
    deepest = _deepest(lower.rules, calls, {draft.name: draft.size for draft in drafts})
    of_triggers = sum(deepest[name] for name in triggers)
    main = max((deepest[name] for name in lower.calls[FLOW]), default=0)
    branch = max((deepest[name] for name, _, _ in lower.forks), default=0)
    return flow_size + of_triggers + main, of_triggers + branch


def _deepest(rules: r.Rules, calls: Calls, sizes: dict[str, int]) -> dict[str, int]:
    """The most words of stack that each routine and those below it need; a cycle counts as declared."""
    deepest: dict[str, int] = {}
    for members in cycles(calls):
        recursive = len(members) > 1 or any(name in calls[name] for name in members)
        times = _declared_depth(rules, calls, members) if recursive else 1
        below = max((deepest[n] for name in members for n in calls[name] if n not in members), default=0)
        deepest |= dict.fromkeys(members, times * sum(sizes[name] for name in members) + below)
    return deepest


def _declared_depth(rules: r.Rules, calls: Calls, members: frozenset[str]) -> int:
    """How often a cycle of the call graph can repeat. Raises `DiagnosticError` if no routine declares it."""
    depths = [x.nests for n in members if (x := rules.routines.get(n)) is not None and x.nests is not None]
    if depths:
        return max(depths) + 1
    loop = _loop(calls, members)
    first = rules.routines[loop[0]]
    path = tuple(Label(rules.routines[n].span, f"`{n}` is part of the cycle") for n in loop[1:])
    raise DiagnosticError(CallsInCircle(first.span, first.name, path))


def _loop(calls: Calls, members: frozenset[str]) -> list[str]:
    """The routines of one loop in a cycle: each member calls another, so a walk returns to one of them."""
    path = [min(members)]
    while (following := next(n for n in calls[path[-1]] if n in members)) not in path:
        path.append(following)
    return path[path.index(following) :]

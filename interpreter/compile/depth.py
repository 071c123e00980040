"""How deep calls can go, and so how large the stacks are."""

from __future__ import annotations

from dsl import rules as r
from dsl.cycles import Calls, cycles
from dsl.diagnostics import DiagnosticError, Label
from dsl.messages import CallsInCircle
from interpreter.compile.routines import RoutineDraft
from interpreter.compile.statements import Statements


def stacks(
    rules: r.Rules, lower: Statements, made: dict[str, RoutineDraft], flow_size: int
) -> tuple[int, int]:
    """The words that the main stack and one branch's stack can need, from the proved depth of calls."""
    deepest = _deepest(rules, _calls(lower, made), made)
    triggers = sum(deepest[name] for name in made if name.startswith("when "))
    called = lower.calls.get("the flow", ())
    main = flow_size + triggers + max((deepest[n] for n in called if n in deepest), default=0)
    branch = triggers + max((deepest[n] for n in lower.forks), default=0)
    return main, branch


def _calls(lower: Statements, made: dict[str, RoutineDraft]) -> dict[str, list[str]]:
    """Whom each routine calls, in alphabetic order. Triggers are counted by themselves."""
    called = {name: lower.calls.get(name, set()) for name in made}
    return {name: sorted(n for n in names if not n.startswith("when ")) for name, names in called.items()}


def _deepest(rules: r.Rules, calls: Calls, made: dict[str, RoutineDraft]) -> dict[str, int]:
    """The stack that each routine can need below itself, recursion counted as often as declared."""
    deepest: dict[str, int] = {}
    for members in cycles(calls):
        turns_back = any(name in calls[name] for name in members)
        times = _declared_depth(rules, calls, members) if len(members) > 1 or turns_back else 1
        below = max((deepest[n] for name in members for n in calls[name] if n not in members), default=0)
        weight = times * sum(made[name].size for name in members)
        deepest |= dict.fromkeys(members, weight + below)
    return deepest


def _declared_depth(rules: r.Rules, calls: Calls, members: frozenset[str]) -> int:
    depths = [x.nests for n in members if (x := rules.routines.get(n)) is not None and x.nests is not None]
    if depths:
        return max(depths) + 1
    loop = _loop(calls, members)
    first = rules.routines[loop[0]]
    path = tuple(Label(rules.routines[n].span, f"`{n}` is part of the cycle") for n in loop[1:])
    raise DiagnosticError(CallsInCircle(first.span, first.name, path))


def _loop(calls: Calls, members: frozenset[str]) -> list[str]:
    """Some that call each other in a circle: each member calls one, so that one comes by again."""
    path = [min(members)]
    while (following := next(n for n in calls[path[-1]] if n in members)) not in path:
        path.append(following)
    return path[path.index(following) :]

"""How deep calls can go, and so how large the stacks are."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dsl import rules as r
from dsl.diagnostics import Failed, Label
from dsl.messages import CallsInCircle, DeepCalls
from interpreter.compile.routines import Made, Routines
from interpreter.compile.sizes import MOST_CALLS

Calls = Mapping[str, Collection[str]]


def stacks(rules: r.Rules, lower: Routines, made: dict[str, Made], flow_size: int) -> tuple[int, int]:
    """The words that the main stack and one branch's stack can need, from the proved depth of calls."""
    calls = _calls(lower, made)
    deepest = _deepest(rules, calls, made)
    _check_chains(rules, calls, made)
    triggers = sum(deepest[name] for name in made if name.startswith("when "))
    called = lower.calls.get("the flow", ())
    main = flow_size + triggers + max((deepest[n] for n in called if n in deepest), default=0)
    branch = triggers + max((deepest[n] for n in lower.forks), default=0)
    return main, branch


def _calls(lower: Routines, made: dict[str, Made]) -> dict[str, list[str]]:
    """Whom each routine calls, in alphabetic order. Triggers are counted by themselves."""
    called = {name: lower.calls.get(name, set()) for name in made}
    return {name: sorted(n for n in names if not n.startswith("when ")) for name, names in called.items()}


def _deepest(rules: r.Rules, calls: Calls, made: dict[str, Made]) -> dict[str, int]:
    """The stack that each routine can need below itself, recursion counted as often as declared."""
    deepest: dict[str, int] = {}
    for members in circles(calls):
        turns_back = any(name in calls[name] for name in members)
        times = _declared_depth(rules, calls, members) if len(members) > 1 or turns_back else 1
        below = max((deepest[n] for name in members for n in calls[name] if n not in members), default=0)
        weight = times * sum(made[name].size for name in members)
        deepest |= dict.fromkeys(members, weight + below)
    return deepest


def _check_chains(rules: r.Rules, calls: Calls, made: dict[str, Made]) -> None:
    """Raises `Failed` if too many calls may run one in the other, whatever they keep."""
    chains: dict[str, int] = {}
    for members in circles(calls):
        turns_back = any(name in calls[name] for name in members)
        times = _declared_depth(rules, calls, members) if len(members) > 1 or turns_back else 1
        below = max((chains[n] for name in members for n in calls[name] if n not in members), default=0)
        chains |= dict.fromkeys(members, len(members) * times + below)
    name = max(chains, key=lambda n: chains[n], default=None)
    if name is not None and chains[name] > MOST_CALLS:
        raise Failed(DeepCalls(made[name].span, name, chains[name], MOST_CALLS))


def _declared_depth(rules: r.Rules, calls: Calls, members: frozenset[str]) -> int:
    depths = [x.nests for n in members if (x := rules.routines.get(n)) is not None and x.nests is not None]
    if depths:
        return max(depths) + 1
    loop = _loop(calls, members)
    first = rules.routines[loop[0]]
    hops = tuple(Label(rules.routines[n].span, f"`{n}` takes part") for n in loop[1:])
    raise Failed(CallsInCircle(first.span, first.name, hops))


def _loop(calls: Calls, members: frozenset[str]) -> list[str]:
    """Some that call each other in a circle: each member calls one, so that one comes by again."""
    path = [min(members)]
    while (following := next(n for n in calls[path[-1]] if n in members)) not in path:
        path.append(following)
    return path[path.index(following) :]


def circles(calls: Calls) -> list[frozenset[str]]:
    """Everybody in groups that call each other in circles, or alone; callees before their callers."""
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, callees in calls.items():
        for callee in callees:
            callers[callee].append(name)
    seen: set[str] = set()
    order = [found for name in callers for found in _reached(name, callers, seen)]
    seen.clear()
    groups = [frozenset(_reached(name, calls, seen)) for name in reversed(order)]
    return [group for group in groups if group]


def _reached(start: str, graph: Calls, seen: set[str]) -> list[str]:
    """All that is reached from here and was not seen before, each behind what is reached from it."""
    waiting = [] if start in seen else [(start, iter(graph[start]))]
    seen.add(start)
    done: list[str] = []
    while waiting:
        name, rest = waiting[-1]
        following = next((n for n in rest if n not in seen), None)
        if following is None:
            done.append(name)
            waiting.pop()
        else:
            seen.add(following)
            waiting.append((following, iter(graph[following])))
    return done

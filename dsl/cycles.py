"""Who calls whom in circles."""

from __future__ import annotations

from collections.abc import Collection, Mapping

Calls = Mapping[str, Collection[str]]


def cycles(calls: Calls) -> list[frozenset[str]]:
    """Everybody in groups that call each other in circles, or alone; callees before their callers."""
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, callees in calls.items():
        for callee in callees:
            callers[callee].append(name)
    seen: set[str] = set()
    order = [found for name in callers for found in post_order(name, callers, seen)]
    seen.clear()
    groups = [frozenset(post_order(name, calls, seen)) for name in reversed(order)]
    return [group for group in groups if group]


def post_order(start: str, graph: Calls, seen: set[str]) -> list[str]:
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

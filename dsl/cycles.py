"""Strongly connected components and post-order of call graphs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

Calls = Mapping[str, Collection[str]]


def cycles(calls: Calls) -> list[frozenset[str]]:
    """The strongly connected components of a call graph; callees before their callers."""
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, callees in calls.items():
        for callee in callees:
            callers[callee].append(name)
    seen: set[str] = set()
    order = [found for name in callers for found in post_order(name, callers, seen)]
    seen.clear()
    components = (frozenset(post_order(name, calls, seen)) for name in reversed(order))
    return [component for component in components if component]


def post_order(start: str, graph: Calls, seen: set[str]) -> list[str]:
    """The nodes reachable from `start` outside `seen`, each after its successors. Adds them to `seen`."""
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

"""The topological order of values: a value comes after those that it uses."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.cycles import post_order


def topological_sort(values: dict[str, s.Value], modifiers: dict[str, list[s.Modify]]) -> Iterator[str]:
    """The names of values, each after those that its text mentions, except in cycles.

    So a long chain of values needs no deep recursion. Mentions go by name alone: where a local shadows a
    value, only the order differs.
    """
    needs = {n: _mentioned((*v.lets, *v.cases, *modifiers.get(n, ())), values) for n, v in values.items()}
    seen: set[str] = set()
    for name in values:
        yield from post_order(name, needs, seen)


def _mentioned(nodes: tuple[s.Syntax, ...], values: dict[str, s.Value]) -> list[str]:
    """The values that syntax mentions, sorted."""
    found = {part.text for node in nodes for part in s.walk(node) if isinstance(part, s.Name | s.Word)}
    return sorted(found & values.keys())

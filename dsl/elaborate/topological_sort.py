"""The order in which values are best elaborated: what a value needs comes before it."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import syntax as s
from dsl.cycles import post_order


def topological_sort(values: dict[str, s.Value], modifiers: dict[str, list[s.Modify]]) -> Iterator[str]:
    """The names of values, each after those that its text mentions, as far as circles allow.

    A long chain of values thus needs no deep recursion. Mentions are taken by name alone: a local that
    hides a value only costs a place in the order.
    """
    needs = {n: _mentioned((*v.cases, *modifiers.get(n, ())), values) for n, v in values.items()}
    seen: set[str] = set()
    for name in values:
        yield from post_order(name, needs, seen)


def _mentioned(nodes: tuple[s.Syntax, ...], values: dict[str, s.Value]) -> list[str]:
    """The values that pieces of syntax mention, in the order of their names."""
    found = {part.text for node in nodes for part in s.walk(node) if isinstance(part, s.Name | s.Word)}
    return sorted(found & values.keys())

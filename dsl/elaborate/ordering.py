"""The order in which values are best elaborated: what a value needs comes before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from dsl import syntax as s


def needed_first(values: dict[str, s.Value], modifiers: dict[str, list[s.Modify]]) -> Iterator[str]:
    """The names of values, each after those that its text mentions, as far as circles allow.

    A long chain of values thus needs no deep recursion. Mentions are taken by name alone: a local that
    hides a value only costs a place in the order.
    """
    needs = {n: _mentioned((v.cases, modifiers.get(n, ())), values) for n, v in values.items()}
    begun: set[str] = set()
    for name in values:
        stack = [] if name in begun else [(name, iter(needs[name]))]
        begun.add(name)
        while stack:
            current, rest = stack[-1]
            following = next((n for n in rest if n not in begun), None)
            if following is None:
                stack.pop()
                yield current
            else:
                begun.add(following)
                stack.append((following, iter(needs[following])))


def _mentioned(tree: Any, values: dict[str, s.Value]) -> list[str]:
    """The values that a piece of syntax mentions, in the order of their names."""
    found: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple | list):
            waiting.extend(node)
        elif isinstance(node, s.Name | s.Word):
            found.add(node.text)
        elif isinstance(node, s.Node | s.Statement | s.Case):
            waiting.extend(getattr(node, f.name) for f in fields(node) if f.name != "span")
    return sorted(found & values.keys())

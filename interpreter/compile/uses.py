"""What an expression or statement reads and writes, by the names of declarations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from dsl import rules as r


def walk(node: Any) -> Iterator[Any]:
    """Every dataclass within a tree of typed rules, the root first; declarations are not entered."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node) and not isinstance(node, type):
        yield node
        if isinstance(node, r.Column | r.Var):
            return
        for f in fields(node):
            if f.name not in ("span", "type", "item", "clauses"):
                yield from walk(getattr(node, f.name))


def reads(rules: r.Rules, node: Any, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """Names of the counters, marks, pointers and zones that a tree reads, through values too."""
    found: set[str] = set()
    for part in walk(node):
        match part:
            case r.ReadStore(name=name):
                found.add(name)
            case r.InZone(zone=name):
                found.add(name)
            case r.OnlyDie(component=name):
                found.add(name)
            case r.PlaceOf(piece=piece):
                kind: Any = piece.type
                found |= {z.name for z in rules.zones.values() if z.component == kind.component}
            case r.Special(what="active"):
                found.add("active")
            case r.UseValue(value=name) if name not in seen:
                value = rules.values[name]
                found |= reads(rules, (value.cases, value.modifiers), seen | {name})
    return frozenset(found)


def zones_of(rules: r.Rules, component: str) -> frozenset[str]:
    found = {z.name for z in rules.zones.values() if z.component == component}
    return frozenset(found or {component})


def zones_in(group: r.Group) -> frozenset[str]:
    return frozenset(part.zone for part in walk(group) if isinstance(part, r.InZone))

"""What an expression or statement reads, by the names of declarations."""

from __future__ import annotations

from typing import Any

from dsl import rules as r
from dsl.rules.walk import walk


def reads(rules: r.Rules, node: Any) -> frozenset[str]:
    """Names of the counters, marks, pointers and zones that a tree reads, through values too."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [node]
    while waiting:
        for part in walk(waiting.pop()):
            found |= _read_by(rules, part)
            if isinstance(part, r.UseValue) and part.value not in seen:
                seen.add(part.value)
                value = rules.values[part.value]
                waiting.append((value.cases, value.modifiers))
    return frozenset(found)


def _read_by(rules: r.Rules, part: Any) -> frozenset[str]:
    """What a part reads itself."""
    match part:
        case r.ReadStore(name=name) | r.InZone(zone=name) | r.OnlyDie(component=name):
            return frozenset({name})
        case r.PlaceOf(piece=piece):
            kind: Any = piece.type
            return frozenset(z.name for z in rules.zones.values() if z.component == kind.component)
        case r.Special(what="active"):
            return frozenset({"active"})
    return frozenset()


def zones_of(rules: r.Rules, component: str) -> frozenset[str]:
    found = {z.name for z in rules.zones.values() if z.component == component}
    return frozenset(found or {component})


def zones_in(group: r.Group) -> frozenset[str]:
    return frozenset(part.zone for part in walk(group) if isinstance(part, r.InZone))

"""What an expression or statement reads and writes, by the names of declarations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from dsl import rules as r

ASIDE = frozenset({"span", "type", "item", "clauses"})
"""Fields that say of a part where it stands and what it is, and hold no parts of it."""


def walk(node: Any) -> Iterator[Any]:
    """Every dataclass within a tree of typed rules, the root first; declarations are not entered."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif (parts := _parts(node)) is not None:
            yield node
            waiting.extend(reversed(parts))


def _parts(node: Any) -> list[Any] | None:
    """What a dataclass holds, and nothing in a declaration; none for what is no dataclass."""
    kind: Any = type(node)
    names = _names(kind)
    return None if names is None else [getattr(node, name) for name in names]


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    if not is_dataclass(kind):
        return None
    declared = issubclass(kind, r.Column | r.Var)
    return () if declared else tuple(f.name for f in fields(kind) if f.name not in ASIDE)


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


def tells(rules: r.Rules, node: Any, seen: frozenset[str] = frozenset()) -> bool:
    """Whether conditions or choices in a tree look at pieces that not everybody sees.

    If so, what is offered there depends on a secret, and not being asked would tell it. How many pieces
    lie somewhere is no secret where all may count them. What is moved or shown is no condition.
    """
    if isinstance(node, tuple):
        return any(tells(rules, item, seen) for item in node)
    inner: Any
    match node:
        case r.InZone(zone=name, of=of, at=at):
            zone = rules.zones.get(name)
            return (zone is not None and zone.seen_by != "all") or tells(rules, (of, at), seen)
        case r.Empty(group=r.InZone(zone=name)) | r.SizeOf(group=r.InZone(zone=name)):
            return rules.zones[name].counted_by != "all"
        case r.UseValue(value=name, arguments=arguments):
            value = rules.values[name]
            inner = () if name in seen else (value.cases, value.modifiers)
            return tells(rules, (arguments, inner), seen | {name})
        case r.DoRoutine(routine=name, arguments=arguments) | r.CallLine(routine=name, arguments=arguments):
            routine = rules.routines[name]
            inner = () if name in seen else (routine.parameters, routine.block)
            return tells(rules, (arguments, inner), seen | {name})
        case r.DoCell():
            names = tuple(n for n, _ in rules.cells if n not in seen)
            inner = tuple((rules.routines[n].parameters, rules.routines[n].block) for n in names)
            return tells(rules, inner, seen | frozenset(names))
        case r.MoveAll() | r.MoveCount() | r.MoveAlike() | r.Show() | r.Shuffle():
            return False
        case r.RollZone() | r.RollPiece():
            return False
    return any(tells(rules, part, seen) for part in _parts(node) or ())

"""Promises that nothing in play can keep or break: about printed columns, tables, settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from dsl import rules as r
from dsl.domains import Piece

LEFT = frozenset({"span", "type", "item", "column", "var"})
"""Parts that are no questions of their own."""


def is_settled(rules: r.Rules, condition: r.Expr) -> bool:
    """Whether an answer is the same in every position of every match with the same settings.

    All pieces of a component are always the same ones, wherever they lie.
    """
    return not any(_may_change(rules, part) for part in _parts(rules, condition))


def _may_change(rules: r.Rules, part: Any) -> bool:
    match part:
        case (
            r.ReadStore() | r.SlotPiece() | r.OnlyDie() | r.PlaceOf() | r.CanDo() | r.InZone() | r.Opponents()
        ):
            return True
        case r.Special(what=what):
            return what != "seats_playing"
        case r.ClassOf(piece=piece):
            return isinstance(piece.type, Piece) and rules.components[piece.type.component].die is not None
        case r.Cmp(left=left, right=right):
            return isinstance(left.type, Piece) and isinstance(right.type, Piece)
        case r.IsIn(item=item):
            return isinstance(item.type, Piece)
        case r.PickOf(binder=binder) | r.Prefix(binder=binder):
            return isinstance(binder.var.type, Piece)
    return False


def _parts(rules: r.Rules, whole: r.Expr) -> Iterator[Any]:
    """Everything that an expression asks, also by the values that it uses."""
    todo: list[Any] = [whole]
    used: set[str] = set()
    while todo:
        part = todo.pop()
        if isinstance(part, tuple):
            todo += part
        elif is_dataclass(part) and not _is_all(rules, part):
            yield part
            todo += [getattr(part, f.name) for f in fields(part) if f.name not in LEFT]
            if isinstance(part, r.UseValue) and part.value not in used:
                used.add(part.value)
                value = rules.values[part.value]
                todo += [value.cases, value.modifiers]


def _is_all(rules: r.Rules, part: Any) -> bool:
    """Whether a collection holds all pieces of a component, which lie somewhere in any case."""
    parts = part.parts if isinstance(part, r.Sum) else (part,)
    zones = [x for x in parts if isinstance(x, r.InZone) and x.of is None and x.at is None]
    components = {rules.zones[zone.zone].component for zone in zones}
    homes = {zone.name for zone in rules.zones.values() if zone.component in components}
    whole = len(zones) == len(parts) and {zone.zone for zone in zones} == homes
    return whole and len(components) == 1

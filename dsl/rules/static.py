"""Static conditions: those that depend only on printed columns, tables and settings."""

from __future__ import annotations

from typing import Any

from dsl import rules as r
from dsl.domains import PieceType
from dsl.rules.visit import walk_values


def is_static(rules: r.Rules, condition: r.Expr) -> bool:
    """Whether a condition has the same value in every position of every match with the same settings.

    A collection of all pieces of a component is static: no piece is ever created or removed.
    """
    parts = walk_values(rules.values, condition, enter=lambda part: not _is_all_pieces(rules, part))
    return not any(_may_change(rules, part) and not _is_all_pieces(rules, part) for part in parts)


def _may_change(rules: r.Rules, part: Any) -> bool:
    match part:
        case (
            r.ReadStateVar()
            | r.SlotPiece()
            | r.OnlyDie()
            | r.PlaceOf()
            | r.CanDo()
            | r.InZone()
            | r.Opponents()
            | r.TimesRecorded()
        ):
            return True
        case r.Special(what=what):
            return what != "seats_playing"
        case r.ClassOf(piece=piece):
            return (
                isinstance(piece.type, PieceType) and rules.components[piece.type.component].die is not None
            )
        case r.Cmp(left=left, right=right):
            return isinstance(left.type, PieceType) and isinstance(right.type, PieceType)
        case r.IsIn(item=item):
            return isinstance(item.type, PieceType)
        case r.PickOf(binder=binder) | r.Prefix(binder=binder) | r.Ranked(binder=binder):
            return isinstance(binder.var.type, PieceType)
    return False


def _is_all_pieces(rules: r.Rules, part: Any) -> bool:
    """Whether a collection holds all pieces of a component, in all of its zones."""
    parts = part.parts if isinstance(part, r.Sum) else (part,)
    zones = [x for x in parts if isinstance(x, r.InZone) and x.of is None and x.at is None]
    components = {rules.zones[zone.zone].component for zone in zones}
    homes = {zone.name for zone in rules.zones.values() if zone.component in components}
    complete = len(zones) == len(parts) and {zone.zone for zone in zones} == homes
    return complete and len(components) == 1

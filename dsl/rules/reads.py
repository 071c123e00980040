"""The names of the declarations that an expression or statement reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl import rules as r
from dsl.domains import PieceType
from dsl.rules.names import REFERENCES, Reference
from dsl.rules.visit import walk, walk_values


def reads(rules: r.Rules, node: Any) -> frozenset[str]:
    """Names of the counters, marks, pointers and zones that a tree reads, through values too."""
    return frozenset(name for part in walk_values(rules.values, node) for name in _read_by(rules, part))


def _read_by(rules: r.Rules, part: Any) -> frozenset[str]:
    """What a node reads itself, without its parts."""
    match part:
        case r.OnlyDie(component=name):
            return frozenset({name})
        case r.PlaceOf(piece=piece):
            kind: Any = piece.type
            return frozenset(z.name for z in rules.zones.values() if z.component == kind.component)
        case r.Special(what="active"):
            return frozenset({"active"})
        case r.TimesRecorded(history=name) | r.Record(history=name) | r.Recall(history=name):
            parts = (name, *rules.histories[name].parts)
            return frozenset(part for part in parts if part not in rules.values)
    found = REFERENCES[type(part)].items()
    return frozenset(getattr(part, field) for field, reference in found if reference is Reference.READS)


def endings(rules: r.Rules) -> tuple[str, ...]:
    """The names of the ends of a game, in the order in which they are written."""
    blocks = (*(x.block for x in rules.routines.values()), *(x.block for x in rules.triggers))
    lines = (line for line in walk(blocks) if isinstance(line, r.Ending))
    return tuple(dict.fromkeys(line.outcome for line in lines if line.outcome is not None))


def may_lack_index(value: r.Expr, types: dict[str, r.TypeDecl], zones: Iterable[r.Zone]) -> bool:
    """Whether a value is an index of the place of a piece, and some zones of such pieces lack it."""
    if not isinstance(value, r.PlaceOf) or not isinstance(value.piece.type, PieceType):
        return False
    component = value.piece.type.component
    variables = (zone.var for zone in zones if zone.component == component)
    return any(value.index not in r.index_types(types, var) for var in variables)


def zones_of(rules: r.Rules, component: str) -> frozenset[str]:
    found = {z.name for z in rules.zones.values() if z.component == component}
    return frozenset(found or {component})


def zones_in(collection: r.Collection) -> frozenset[str]:
    return frozenset(part.zone for part in walk(collection) if isinstance(part, r.InZone))

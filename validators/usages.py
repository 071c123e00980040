"""Usages: which declared names the rules read, write or mention."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dsl import rules as r
from dsl.domains import EnumType, PieceType
from dsl.rules.names import REFERENCES, Reference
from dsl.rules.visit import walk


@dataclass
class Usages:
    """The used names, by kind of use."""

    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    components: set[str] = field(default_factory=set)
    columns: set[str] = field(default_factory=set)
    settings: set[str] = field(default_factory=set)
    tables: set[str] = field(default_factory=set)
    histories: set[str] = field(default_factory=set)


def usages_of(rules: r.Rules) -> Usages:
    """All usages in the rules, the flow and the declarations."""
    found = Usages()
    bodies = (
        tuple(rules.routines.values()),
        tuple(rules.values.values()),
        rules.triggers,
        rules.scores,
        rules.invariants,
        rules.goals,
        tuple(rules.phases.values()),
    )
    for part in walk(bodies):
        _note(found, part)
    for phase in rules.phases.values():
        options = (step.option for step in phase.all_steps() if isinstance(step, r.OfferStep))
        found.settings |= {option for option in options if option is not None}
    _declared(rules, found)
    return found


def _note(found: Usages, part: Any) -> None:
    for kind in (getattr(part, "type", None), getattr(part, "item", None)):
        _note_type(found, kind)
    for name, reference in REFERENCES[type(part)].items():
        if reference is Reference.READS:
            found.read.add(getattr(part, name))
        elif reference is Reference.WRITES:
            found.written.add(getattr(part, name))
    match part:
        case r.Transfer(counter=name, verb="pay"):
            found.read.add(name)
        case r.OnlyDie(component=name):
            found.components.add(name)
        case r.Setting(name=name) | r.OptionSet(name=name):
            found.settings.add(name)
        case r.TimesRecorded(history=name) | r.Record(history=name) | r.Recall(history=name):
            found.histories.add(name)
        case r.LookUp(table=name):
            found.tables.add(name)
        case r.Column(name=name):
            found.columns.add(name)


def _note_type(found: Usages, kind: object) -> None:
    match kind:
        case PieceType(component=name):
            found.components.add(name)
        case EnumType(type=name):
            found.types.add(name)


def _declared(rules: r.Rules, found: Usages) -> None:
    """Usages in declarations: the types of indices and columns, banks, refills."""
    stores = [
        x.var for kind in (rules.zones, rules.counters, rules.marks, rules.pointers) for x in kind.values()
    ]
    found.settings |= rules.computed_from
    for var in stores:
        found.types |= {name for name in (var.of, var.at) if name is not None}
    found.types |= {p.to for p in rules.pointers.values()}
    found.types |= {t.base for t in rules.types.values() if t.base is not None}
    for counter in rules.counters.values():
        if counter.bank is not None and counter.name in found.written:
            found.written.add(counter.bank)
    for history in rules.histories.values():
        if history.name in found.histories:
            found.read |= set(history.parts)
    if rules.carries is not None:
        found.read |= set(rules.carries.of)
    for zone in rules.zones.values():
        found.components.add(zone.component)
        if zone.refill is not None and zone.name in found.read:
            found.read.add(zone.refill)
    columns = [x.columns for x in rules.types.values()] + [x.columns for x in rules.components.values()]
    kinds = [column.type for named in columns for column in named.values()]
    kinds += [component.die for component in rules.components.values() if component.die is not None]
    kinds += [kind for table in rules.tables.values() for kind in (*table.over_types, table.type)]
    found.types |= {kind.type for kind in kinds if isinstance(kind, EnumType)}

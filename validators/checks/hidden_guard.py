"""Conditions and choices that look at what the acting seat may not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from dsl import rules as r
from dsl.source import Span
from interpreter.compile.uses import walk
from validators.check import Check
from validators.findings import Finding
from validators.subject import Subject


@dataclass(frozen=True)
class HiddenGuard(Finding):
    """What a seat is offered depends on pieces that this seat does not see.

    Whoever is offered something, or is refused it, then learns what lies in another's hand or on top of a
    pile. How many pieces lie there is no secret where all may count them; what they are is.

    Example:

        action steal
            needs any(card in hand of opponent where card is crown)

    Offer it in any case and let it fail openly, show the zone before (`show hand of opponent to me`), or
    let the other seat decide.
    """

    code = "V333"
    slug = "hidden-guard"
    title = "what is offered depends on `{about}`, which the acting seat does not see"
    label = "this tells what lies there"
    mend = "offer it in any case, or `show` the zone before"


def find(subject: Subject) -> Iterator[Finding]:
    rules = subject.rules
    blocks = [x.block for x in rules.routines.values()] + [t.block for t in rules.triggers]
    shown = {p.zone.zone for block in blocks for p in walk(block) if isinstance(p, r.Show)}
    for guard in _guards(rules):
        for zone, span in _looks(rules, guard, frozenset()):
            if zone not in shown:
                yield HiddenGuard(span, zone)


def _guards(rules: r.Rules) -> Iterator[Any]:
    """Everything on which it depends what is offered: needs, and what choices are made from."""
    for routine in rules.routines.values():
        yield from (p.binder for p in routine.parameters if p.binder is not None)
        for part in walk(routine.block):
            if isinstance(part, r.Need):
                yield part.condition
            if isinstance(part, r.Choose) and part.seat is None:
                yield part.binder
    for trigger in rules.triggers:
        yield from (p.binder for p in walk(trigger.block) if isinstance(p, r.Choose) and p.seat is None)


def _looks(rules: r.Rules, node: Any, inside: frozenset[str]) -> Iterator[tuple[str, Span]]:
    """The zones into which a condition looks though the acting seat does not, and where it says so."""
    match node:
        case r.InZone(zone=name, span=span):
            if _hidden(rules, node):
                yield name, span
            return
        case r.Empty() | r.SizeOf():
            return
        case r.AnyOf(binder=r.Binder(group=r.InZone(), where=None)):
            return
        case r.UseValue(value=name) if name not in inside:
            value = rules.values[name]
            yield from _looks(rules, (value.cases, value.modifiers), inside | {name})
    if isinstance(node, tuple):
        for part in node:
            yield from _looks(rules, part, inside)
    elif is_dataclass(node) and not isinstance(node, r.Column | r.Var | type):
        for f in fields(node):
            if f.name not in ("span", "type", "item", "clauses"):
                yield from _looks(rules, getattr(node, f.name), inside)


def _hidden(rules: r.Rules, group: r.InZone) -> bool:
    """Whether the acting seat is known not to see a zone's pieces."""
    zone = rules.zones.get(group.zone)
    if zone is None or zone.seen_by == "all" or zone.seen_by == "top":
        return False
    if zone.seen_by != "owner":
        return True
    others = isinstance(group.of, r.Opponents) or group.of is None
    return others or (isinstance(group.of, r.Special) and group.of.what == "opponent")


CHECK = Check(HiddenGuard, find)

"""Conditions and choices that look at what the acting seat may not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Label
from dsl.rules.walk import walk
from dsl.source import Span
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
    owners: tuple[r.Routine | r.Trigger, ...] = (*rules.routines.values(), *rules.triggers)
    for owner in owners:
        shown = {p.zone.zone for p in walk(owner.block) if isinstance(p, r.Show)}
        parameters = tuple(p.binder for p in owner.parameters) if isinstance(owner, r.Routine) else ()
        others = _others((parameters, owner.block))
        for guard, at in _guards(owner):
            for zone, span in _looks(rules, guard, frozenset(), others):
                if zone not in shown:
                    hops = () if _within(span, at) else (Label(at, "this asks for it"),)
                    yield HiddenGuard(span, zone, hops)


def _within(span: Span, at: Span) -> bool:
    return span.source == at.source and at.start <= span.start and span.end <= at.end


def _guards(owner: r.Routine | r.Trigger) -> Iterator[tuple[Any, Span]]:
    """Everything on which it depends what is offered: needs, and what choices are made from."""
    if isinstance(owner, r.Routine):
        yield from ((p.binder, p.binder.var.span) for p in owner.parameters if p.binder is not None)
    for part in walk(owner.block):
        if isinstance(part, r.Need) and isinstance(owner, r.Routine):
            yield part.condition, part.span
        if isinstance(part, r.Choose) and part.seat is None:
            yield part.binder, part.span


def _others(node: Any) -> frozenset[r.Var]:
    """The names in a block that stand for other seats than the one that acts, or for any seat."""
    binders = (part for part in walk(node) if isinstance(part, r.Binder))
    return frozenset(b.var for b in binders if _any_seat(b.group))


def _any_seat(group: Any) -> bool:
    return isinstance(group, r.Opponents) or (isinstance(group, r.OfType) and group.decl == "seat")


def _looks(
    rules: r.Rules, node: Any, inside: frozenset[str], others: frozenset[r.Var]
) -> Iterator[tuple[str, Span]]:
    """The zones into which a condition looks though the acting seat does not, and where it says so."""
    match node:
        case r.InZone(zone=name, span=span):
            if _hidden(rules, node, others):
                yield name, span
            return
        case r.Empty() | r.SizeOf():
            return
        case r.AnyOf(binder=r.Binder(group=r.InZone(), where=None)):
            return
        case r.UseValue(value=name, arguments=arguments) if name not in inside:
            value = rules.values[name]
            given = zip(value.parameters, arguments, strict=False)
            there = _others((value.cases, value.modifiers)) | {v for v, a in given if _foreign(a, others)}
            yield from _looks(rules, (value.cases, value.modifiers), inside | {name}, there)
    if isinstance(node, tuple):
        for part in node:
            yield from _looks(rules, part, inside, others)
    elif is_dataclass(node) and not isinstance(node, r.Column | r.Var | type):
        for f in fields(node):
            if f.name not in ("span", "type", "item", "clauses"):
                yield from _looks(rules, getattr(node, f.name), inside, others)


def _hidden(rules: r.Rules, group: r.InZone, others: frozenset[r.Var]) -> bool:
    """Whether the acting seat is known not to see a zone's pieces."""
    zone = rules.zones.get(group.zone)
    if zone is None or zone.seen_by == "all":
        return False
    return zone.seen_by != "owner" or group.of is None or _foreign(group.of, others)


def _foreign(e: Any, others: frozenset[r.Var]) -> bool:
    """Whether an expression or collection may be another seat than the one that acts."""
    match e:
        case r.Special(what=what):
            return what == "opponent"
        case r.Read(var=var):
            return var in others
    return isinstance(e, r.Opponents)


CHECK = Check(HiddenGuard, find)

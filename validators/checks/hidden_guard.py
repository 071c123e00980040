"""Conditions and choices that read what the acting seat, or another seat that is asked, does not see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dsl import rules as r
from dsl.diagnostics import Label
from dsl.rules.visibility import Asker, apart_in, locals_of, looks, others_in
from dsl.rules.visit import walk
from dsl.source import Span
from validators.check import Check, CheckContext, Finding


@dataclass(frozen=True)
class HiddenGuard(Finding):
    """What a seat is offered, or who is asked, depends on hidden pieces or values.

    A seat that is offered something, or refused it, then learns what is in another's hand or on top of a
    pile; and everybody learns it where only those who hold the right card are asked. The number of pieces is
    not secret where all may count them; their identity is.

    Example:

        action steal
            needs any(card in hand of opponent where card is crown)

    Always offer it and let it fail openly, show the zone first to the seat that is asked (`show hand of
    opponent to me`), or let the other seat decide. Where nobody may know who holds the card, ask every seat
    the same, `each seat together` and `secretly`, and let the answer count where the card is: who is asked
    is no secret. `allow` names the action, procedure or trigger in which it stands, never the zone: another
    action may read the same zone by mistake.
    """

    code = "V333"
    slug = "hidden-guard"
    title = "what `{about}` offers depends on `{zone}`, which {whom}"
    label = "this reveals what is there"
    advice = "{instead}"

    zone: str = ""
    whom: str = "the acting seat does not see"
    instead: str = "always offer it, or `show` the zone first to the seat that is asked"

    @property
    def also(self) -> tuple[str, ...]:
        return (self.zone,)


SEEN_BY_SOME = "not everybody sees"
ASK_ALL = "ask every seat the same, `each seat together` and `secretly`, or `show` it `to all` first"
"""Who is asked is seen by all: what is shown to the asked seat alone, the others do not know."""


def find(subject: CheckContext) -> Iterator[Finding]:
    rules = subject.rules
    known = Asker(values=rules.values, locals=locals_of(rules))
    owners: tuple[r.Routine | r.Trigger, ...] = (*rules.routines.values(), *rules.triggers)
    for owner in owners:
        for guard in _guards(rules, owner, known):
            shown = set(_shown(owner, guard))
            for zone, span in looks(rules, guard.node, guard.asker):
                if zone not in shown:
                    path = () if _within(span, guard.at) else (Label(guard.at, "this reads it"),)
                    found = HiddenGuard(span, name_of(owner), path, zone=zone)
                    is_told = guard.asker.everybody
                    yield replace(found, whom=SEEN_BY_SOME, instead=ASK_ALL) if is_told else found


def _shown(owner: r.Routine | r.Trigger, guard: _Guard) -> Iterator[str]:
    """The zones, counters, marks and pointers that are shown to somebody, or to all.

    In what can be offered, before the guard. Others may have been shown before they are called.
    """
    offered = isinstance(owner, r.Routine) and owner.kind != "procedure"
    for part in walk(owner.block):
        if not isinstance(part, r.Show | r.ShowValue) or (guard.asker.everybody and part.to is not None):
            continue
        if not offered or part.span.start < guard.at.start:
            yield part.zone.zone if isinstance(part, r.Show) else part.value.name


def name_of(owner: r.Routine | r.Trigger) -> str:
    """The name of a routine; the condition or event of a trigger."""
    if isinstance(owner, r.Routine):
        return owner.name
    if owner.condition is not None:
        return " ".join(owner.condition.span.text.split())
    header = owner.span.first_line().text.partition("§")[0]
    return " ".join(header.split()).removeprefix("when ")


def _within(span: Span, at: Span) -> bool:
    return span.source == at.source and at.start <= span.start and span.end <= at.end


# ---- guards


@dataclass(frozen=True)
class _Guard:
    node: Any
    at: Span
    asker: Asker


def _guards(rules: r.Rules, owner: r.Routine | r.Trigger, known: Asker) -> Iterator[_Guard]:
    """Everything that offers depend on: `needs`, the conditions of choices, who is asked."""
    parameters = tuple(p.binder for p in owner.parameters) if isinstance(owner, r.Routine) else ()
    inside = (parameters, owner.block)
    me = replace(known, others=others_in(inside), apart=apart_in(inside))
    everybody = replace(known, everybody=True)
    for binder in parameters:
        if binder is not None:
            yield _Guard(_conditions(binder), binder.var.span, me)
    if isinstance(owner, r.Trigger) and owner.condition is not None and _asks(rules, owner.block):
        yield _Guard(owner.condition, owner.condition.span, everybody)
    for part in walk(owner.block):
        match part:
            case r.Precondition() if isinstance(owner, r.Routine):
                yield _Guard(part.condition, part.span, me)
            case r.Choose(seat=None):
                yield _Guard(_conditions(part.binder), part.span, me)
            case r.Choose(seat=seat):
                own = frozenset({seat.var}) if isinstance(seat, r.Read) else frozenset[r.Var]()
                yield _Guard(_conditions(part.binder), part.span, replace(known, who=seat, own=own))
            case r.RepeatUntil(condition=None):
                pass
            case r.If(condition=asked) | r.While(condition=asked) | r.RepeatUntil(condition=asked):
                if _asks(rules, (part.block, getattr(part, "otherwise", ()))):
                    yield _Guard(asked, part.span.first_line(), everybody)
            case r.EachTurn(where=asked) if asked is not None and _asks(rules, part.block):
                yield _Guard(asked, part.span.first_line(), everybody)


def _conditions(binder: r.Binder) -> tuple[Any, ...]:
    """The conditions of a choice. That it offers hidden pieces by name is V339."""
    inner = binder.collection
    collection = () if isinstance(inner, r.InZone) else tuple(_filters(inner))
    return (*collection, binder.where)


def _filters(collection: Any) -> Iterator[Any]:
    """The conditions within a collection."""
    for part in walk(collection):
        if isinstance(part, r.Binder):
            yield part.where
        elif isinstance(part, r.Either):
            yield part.condition


def _asks(rules: r.Rules, node: Any, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a block, or what it calls, has a decision."""
    if any(isinstance(part, r.Choose | r.Offer) for part in walk(node)):
        return True
    called = {part.routine for part in walk(node) if isinstance(part, r.CallLine)} - seen
    return any(_asks(rules, rules.routines[name].block, seen | called) for name in called)


CHECK = Check(HiddenGuard, find)

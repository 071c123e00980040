"""Collections: what can be chosen from, gone through, counted."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import EnumType, Type
from rulewright.rulebook.names import Noun
from rulewright.rulebook.noun_phrases import ONE, Described, Listed, Things, narrowed
from rulewright.rulebook.state_vars import pieces_at
from rulewright.rulebook.syntax import Adjunct, Node, Referent, bracketed, is_definite, phrase, series, the
from rulewright.rulebook.voice import Voice

PLAYERS = Noun("player", "players")
OTHER_PLAYERS = Noun("other player", "other players")


def things_in(voice: Voice, node: r.Collection) -> Described:
    node = voice.folding.collection(node)
    match node:
        case r.InZone():
            return pieces_at(voice, node)
        case r.OfType(decl=decl):
            return Things(voice.lexicon.noun(decl), person=decl == "seat")
        case r.Interval(low=low, high=high):
            bounds = (Adjunct("from", voice.expr(low)), Adjunct("to", voice.expr(high)))
            return Things(Noun("number", "numbers"), after=bounds)
        case r.Items(items=items):
            return Listed(tuple(voice.expr(x) for x in items), person=node.item == EnumType("seat"))
        case r.Sum(parts=parts):
            return _sum_of(voice, parts)
        case r.Filtered(binder=binder):
            return bound_things(voice, binder)
        case r.Prefix():
            return _prefix(voice, node)
        case r.Either(condition=condition, then=then, otherwise=otherwise):
            asked = bracketed(phrase("if", series(voice.clauses(condition))))
            return Listed(
                (voice.collection(then).such(asked), voice.collection(otherwise).such("(otherwise)"))
            )
        case r.Opponents():
            return _opponents(voice)
        case r.Neighbours(operand=operand):
            return Things(_noun(voice, node.item), after=(Adjunct("next to", voice.expr(operand)),))
        case r.Ray(direction=direction, place=place):
            way = Adjunct("in", way_of(voice, direction))
            return Things(_noun(voice, node.item), after=(way, Adjunct("from", voice.expr(place))))
        case r.Spread(start=start, through=through):
            far = Adjunct("from", voice.collection(start).some())
            over = Adjunct("over", voice.collection(through).many())
            after = ("that can be reached", far, ", step by step,", over, ",")
            return Things(_noun(voice, node.item), after=after)
    assert_never(node)


def _noun(voice: Voice, kind: Type) -> Noun:
    assert isinstance(kind, EnumType)
    return voice.lexicon.noun(kind.type)


def _sum_of(voice: Voice, parts: tuple[r.Collection, ...]) -> Described:
    """All zones of a component together are simply its pieces."""
    zones = [p.zone for p in parts if isinstance(p, r.InZone) and p.of is None and p.at is None]
    if len(zones) == len(parts) and zones:
        component = voice.rules.zones[zones[0]].component
        if all(z.name in zones for z in voice.rules.zones.values() if z.component == component):
            return Things(voice.lexicon.noun(component))
    said = tuple(voice.collection(p) for p in parts)
    return Listed(said, said[0].person, said[-1].noun)


def _prefix(voice: Voice, node: r.Prefix) -> Described:
    """The longest beginning for which a condition holds."""
    found = bound_things(voice, node.binder)
    match voice.folding.expr(node.condition):
        case r.Cmp(op="is not", left=r.Read(var=var), right=end) if var is node.binder.var:
            return found.such(Adjunct("before", voice.expr(end)))
    with voice.referent(node.binder.var) as ref:
        first = narrowed(ref, Things(ONE), voice.clauses(node.condition, False))
    return found.such(phrase(", but only those before", the(f"first {ONE.one}", *first.after), ","))


def _opponents(voice: Voice) -> Described:
    if voice.folding.setting.playing == 2 or voice.rules.seats[1] == 2:
        return Listed((phrase("your opponent"),), person=True, noun=PLAYERS)
    return Things(OTHER_PLAYERS, person=True)


def bound_things(voice: Voice, binder: r.Binder) -> Described:
    """The values of a binder, with its condition."""
    binder = voice.folding.tree(binder)
    found = voice.collection(binder.collection)
    named = isinstance(binder.collection, r.Interval) and binder.var.name in voice.lexicon.nouns
    if named and isinstance(found, Things):
        found = replace(found, noun=voice.lexicon.noun(binder.var.name))
    if binder.where is None:
        return found
    with voice.referent(binder.var) as ref:
        return narrowed(ref, found, voice.clauses(binder.where))


def way_of(voice: Voice, node: r.Expr) -> Node:
    """A direction: `north` is `the direction north`."""
    way = voice.expr(node)
    return way if is_definite(way) or isinstance(way, Referent) else the("direction", way)

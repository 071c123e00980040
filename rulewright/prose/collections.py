"""Collections: what can be chosen from, gone through, counted."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import Elem
from rulewright.prose.english import listed
from rulewright.prose.names import Noun
from rulewright.prose.nominals import Described, Joined, Listed, Things, narrowed
from rulewright.prose.stores import pieces_at
from rulewright.prose.voice import Voice


def condition_not(voice: Voice, node: r.Expr) -> str:
    return listed(voice.clauses(node, False))


# ---- collections


def things_in(voice: Voice, node: r.Group) -> Described:
    node = voice.folding.group(node)
    match node:
        case r.InZone():
            return pieces_at(voice, node)
        case r.OfType(decl=decl):
            return Things(voice.lexicon.noun(decl), person=decl == "seat")
        case r.Interval():
            return _interval(voice, node)
        case r.Items(items=items):
            return Listed(tuple(voice.expr(x) for x in items), person=node.item == Elem("seat"))
        case r.Sum(parts=parts):
            return _sum_of(voice, node, parts)
        case r.Those(binder=binder):
            return bound_things(voice, binder)
        case r.Prefix():
            return _prefix(voice, node)
        case r.Either():
            return _either(voice, node)
        case r.Opponents():
            return _opponents(voice)
        case r.Neighbours():
            noun = _noun(voice, node.item)
            return Things(noun, after=f" next to {voice.expr(node.operand)}")
        case r.Ray():
            way = voice.expr(node.direction)
            return Things(_noun(voice, node.item), after=f" in {way_of(way)} from {voice.expr(node.place)}")
        case r.Spread():
            return _spread(voice, node)
    assert_never(node)


def _noun(voice: Voice, kind: object) -> Noun:
    assert isinstance(kind, Elem)
    return voice.lexicon.noun(kind.type)


def _interval(voice: Voice, node: r.Interval) -> Things:
    numbers = Noun("number", "numbers")
    return Things(numbers, after=f" from {voice.expr(node.low)} to {voice.expr(node.high)}")


def _sum_of(voice: Voice, node: r.Sum, parts: tuple[r.Group, ...]) -> Described:
    """All zones of a component together are simply its pieces."""
    zones = [p.zone for p in parts if isinstance(p, r.InZone) and p.of is None and p.at is None]
    if len(zones) == len(parts) and zones:
        component = voice.rules.zones[zones[0]].component
        if all(z.name in zones for z in voice.rules.zones.values() if z.component == component):
            return Things(voice.lexicon.noun(component))
    return Joined(tuple(voice.group(p) for p in parts))


def _prefix(voice: Voice, node: r.Prefix) -> Described:
    """The longest beginning for which a condition holds."""
    found = bound_things(voice, node.binder)
    match voice.folding.expr(node.condition):
        case r.Cmp(op="is not", left=r.Read(var=var), right=end) if var is node.binder.var:
            return found.such(f" before {voice.expr(end)}")
    with voice.marked(node.binder.var) as mark:
        first = narrowed(mark, Things(Noun("one", "ones")), [condition_not(voice, node.condition)])
    return found.such(f", but only those before the first {first.some().removeprefix('a ')},")


def _either(voice: Voice, node: r.Either) -> Described:
    condition = listed(voice.clauses(node.condition))
    then, otherwise = voice.group(node.then), voice.group(node.otherwise)
    return Joined((then.such(f" (if {condition})"), otherwise.such(" (otherwise)")))


def _opponents(voice: Voice) -> Described:
    setting = voice.folding.setting
    if setting.playing == 2 or voice.rules.seats[1] == 2:
        return Listed(("your opponent",), person=True, noun=Noun("player", "players"))
    return Things(Noun("other player", "other players"), person=True)


def _spread(voice: Voice, node: r.Spread) -> Described:
    start, through = voice.group(node.start).some(), voice.group(node.through).many()
    after = f" that can be reached from {start}, step by step, over {through},"
    return Things(_noun(voice, node.item), after=after)


# ---- binders


def bound_things(voice: Voice, binder: r.Binder) -> Described:
    """The values of a binder, with its condition."""
    binder = voice.folding.tree(binder)
    found = voice.group(binder.group)
    named = isinstance(binder.group, r.Interval) and binder.var.name in voice.lexicon.nouns
    if named and isinstance(found, Things):
        found = replace(found, noun=voice.lexicon.noun(binder.var.name))
    if binder.where is None:
        return found
    with voice.marked(binder.var) as mark:
        return narrowed(mark, found, voice.clauses(binder.where))


def way_of(way: str) -> str:
    return way if way.startswith(("the ", "that ")) or not way[:1].isalpha() else f"the direction {way}"

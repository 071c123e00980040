"""Collections as things that can be chosen, listed and counted."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import EnumType, Type
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.names import Noun
from rulewright.rulebook.noun_phrases import ONE, Described, Listed, Things, narrowed
from rulewright.rulebook.state_vars import pieces_at
from rulewright.rulebook.syntax import Adjunct, Node, Referent, bracketed, is_definite, phrase, series, the


def things_in(ctx: BookContext, node: r.Collection) -> Described:
    node = ctx.folding.collection(node)
    match node:
        case r.InZone():
            return pieces_at(ctx, node)
        case r.OfType(decl=decl):
            return Things(ctx.lexicon.noun(decl), person=decl == "seat")
        case r.Interval(low=low, high=high):
            bounds = (Adjunct("from", ctx.expr(low)), Adjunct("to", ctx.expr(high)))
            return Things(Noun("number", "numbers"), after=bounds)
        case r.Items(items=items):
            return Listed(tuple(ctx.expr(x) for x in items), person=node.item == EnumType("seat"))
        case r.Sum(parts=parts):
            return _sum_of(ctx, parts)
        case r.Filtered(binder=binder):
            return bound_things(ctx, binder)
        case r.Prefix():
            return _prefix(ctx, node)
        case r.Either(condition=condition, then=then, otherwise=otherwise):
            asked = bracketed(phrase("if", series(ctx.clauses(condition))))
            return Listed((ctx.collection(then).such(asked), ctx.collection(otherwise).such("(otherwise)")))
        case r.Opponents():
            return _opponents(ctx)
        case r.Neighbours(operand=operand):
            return Things(_noun(ctx, node.item), after=(Adjunct("next to", ctx.expr(operand)),))
        case r.Ray(direction=direction, place=place):
            way = Adjunct("in", direction_phrase(ctx, direction))
            return Things(_noun(ctx, node.item), after=(way, Adjunct("from", ctx.expr(place))))
        case r.Spread(start=start, through=through):
            far = Adjunct("from", ctx.collection(start).some())
            over = Adjunct("over", ctx.collection(through).many())
            after = ("that can be reached", far, ", step by step,", over, ",")
            return Things(_noun(ctx, node.item), after=after)
        case r.UseCollection(value=name, arguments=arguments):
            return named_collection(ctx, name, arguments) or ctx.collection(node.collection)
    assert_never(node)


def named_collection(ctx: BookContext, name: str, arguments: tuple[r.Expr, ...]) -> Things | None:
    """A collection by its own words; none if it has none."""
    if not ctx.lexicon.is_named(name):
        return None
    said, noun = [ctx.expr(a) for a in arguments], ctx.lexicon.unit(name)
    if len(arguments) == 1 and arguments[0].type == EnumType("seat"):
        return Things(noun, subject=said[0])
    return Things(noun, after=(Adjunct("of", series(said)),) if said else ())


def _noun(ctx: BookContext, kind: Type) -> Noun:
    assert isinstance(kind, EnumType)
    return ctx.lexicon.noun(kind.type)


def _sum_of(ctx: BookContext, parts: tuple[r.Collection, ...]) -> Described:
    """Several collections; all zones of a component together are simply its pieces."""
    zones = [p.zone for p in parts if isinstance(p, r.InZone) and p.of is None and p.at is None]
    if len(zones) == len(parts) and zones:
        component = ctx.rules.zones[zones[0]].component
        if all(z.name in zones for z in ctx.rules.zones.values() if z.component == component):
            return Things(ctx.lexicon.noun(component))
    said = tuple(ctx.collection(p) for p in parts)
    return Listed(said, said[0].person, said[-1].noun)


def _prefix(ctx: BookContext, node: r.Prefix) -> Described:
    """The longest prefix whose values meet a condition."""
    found = bound_things(ctx, node.binder)
    match ctx.folding.expr(node.condition):
        case r.Cmp(op="is not", left=r.Read(var=var), right=end) if var is node.binder.var:
            return found.such(Adjunct("before", ctx.expr(end)))
    with ctx.referent(node.binder.var) as ref:
        first = narrowed(ref, Things(ONE), ctx.clauses(node.condition, False))
    return found.such(phrase(", but only those before", the(f"first {ONE.one}", *first.after), ","))


def other_players(ctx: BookContext) -> Noun:
    player = ctx.lexicon.player
    return Noun(f"other {player.one}", f"other {player.many}")


def _opponents(ctx: BookContext) -> Described:
    if ctx.folding.config.playing == 2 or ctx.rules.seats[1] == 2:
        return Listed((phrase("your opponent"),), person=True, noun=ctx.lexicon.player)
    return Things(other_players(ctx), person=True)


def bound_things(ctx: BookContext, binder: r.Binder) -> Described:
    """The values of a binder, with its condition."""
    binder = ctx.folding.tree(binder)
    found = ctx.collection(binder.collection)
    named = isinstance(binder.collection, r.Interval) and binder.var.name in ctx.lexicon.nouns
    if named and isinstance(found, Things):
        found = replace(found, noun=ctx.lexicon.noun(binder.var.name))
    if binder.where is None:
        return found
    with ctx.referent(binder.var) as ref:
        return narrowed(ref, found, ctx.clauses(binder.where))


def direction_phrase(ctx: BookContext, node: r.Expr) -> Node:
    """A direction with its noun: `the direction north`."""
    direction = ctx.expr(node)
    named = is_definite(direction) or isinstance(direction, Referent)
    return direction if named else the("direction", direction)

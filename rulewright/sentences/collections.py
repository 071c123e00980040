"""Collections as things that can be chosen, listed and counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import assert_never

from dsl import rules as r
from dsl.domains import FLAG, EnumType, IntType, Type, reading_type
from dsl.rules.needs import conjuncts
from dsl.rules.visit import walk
from rulewright.sentences.context import BookContext
from rulewright.sentences.names import Noun
from rulewright.sentences.noun_phrases import ONE, Described, Listed, Things, narrowed
from rulewright.sentences.state_vars import index_phrase, pieces_at
from rulewright.sentences.syntax import (
    YOU,
    Adjunct,
    Node,
    Referent,
    bracketed,
    is_definite,
    phrase,
    series,
    the,
)
from rulewright.sentences.templates import filled

AROUND: dict[r.Touching, str] = {
    "corners": "at the corners of",
    "edges": "at",
    "ends": "at the ends of",
    "places": "at",
}


def things_in(ctx: BookContext, node: r.Collection) -> Described:
    node = ctx.folding.collection(node)
    match node:
        case r.InZone():
            return pieces_at(ctx, node)
        case r.OfType(decl=decl):
            return Things(ctx.lexicon.noun(decl), person=decl == "seat")
        case r.Interval(low=low, high=high):
            bounds = (Adjunct("from", ctx.expr(low)), Adjunct("to", ctx.expr(high)))
            noun = Noun("number", "numbers") if isinstance(node.item, IntType) else _noun(ctx, node.item)
            return Things(noun, after=bounds)
        case r.Items(items=items):
            return Listed(tuple(ctx.expr(x) for x in items), person=node.item == EnumType("seat"))
        case r.Sum(parts=parts):
            return _sum_of(ctx, parts)
        case r.Partners():
            return Things(Noun("partner", "partners"), subject=YOU, person=True)
        case r.Picked(group=group, item=item):
            return Things(ctx.lexicon.type_noun(item), after=(Adjunct("in", ctx.name_of(group)),))
        case r.Filtered(binder=binder):
            return bound_things(ctx, binder)
        case r.Prefix():
            return _prefix(ctx, node)
        case r.Ranked():
            return ctx.ranked(node)
        case r.Either():
            return _alternatives(ctx, node)
        case r.Opponents():
            return _opponents(ctx)
        case r.Neighbours(operand=operand):
            return Things(_noun(ctx, node.item), after=(Adjunct("next to", ctx.expr(operand)),))
        case r.Incident(what=what, operand=operand):
            return Things(_noun(ctx, node.item), after=(Adjunct(AROUND[what], ctx.expr(operand)),))
        case r.Ray(direction=direction, place=place):
            way = Adjunct("in", direction_phrase(ctx, direction))
            return Things(_noun(ctx, node.item), after=(way, Adjunct("from", ctx.expr(place))))
        case r.Spread(start=start, through=through):
            far = Adjunct("from", ctx.collection(start).some())
            over = Adjunct("over", ctx.collection(through).many())
            after = ("that can be reached", far, ", step by step,", over, ",")
            return Things(_noun(ctx, node.item), after=after)
        case r.Combinations(decl=decl, parts=parts):
            kinds = ctx.rules.types[decl].parts
            said = tuple(index_phrase(ctx, x, name) for x, (_, name) in zip(parts, kinds, strict=True))
            return Things(ctx.lexicon.noun(decl), after=(Adjunct("of", series(said)),))
        case r.OptionSet():
            return _option_set(ctx, node)
        case r.HeldSet(var=var, item=item):
            return Things(ctx.lexicon.type_noun(item), after=(Adjunct("in", ctx.name_of(var)),))
        case r.UseCollection(value=name, arguments=arguments):
            named = named_collection(ctx, name, arguments)
            if named is None:
                ctx.cite(ctx.rules.collections[name])
            return named or ctx.collection(node.collection)
    assert_never(node)


def _option_set(ctx: BookContext, node: r.OptionSet) -> Things:
    """`goods in the market`, or what its author calls those in the set."""
    if node.name in ctx.lexicon.nouns or node.item == EnumType(reading_type(node.name)):
        return Things(ctx.lexicon.group(node.name))
    return Things(_noun(ctx, node.item), after=(Adjunct("in", the(ctx.lexicon.without_article(node.name))),))


def named_collection(ctx: BookContext, name: str, arguments: tuple[r.Expr, ...]) -> Things | None:
    """A collection by its own words, a phrase or a noun; none if it has none."""
    if not ctx.lexicon.is_named(name):
        return None
    said, noun = [ctx.expr(a) for a in arguments], ctx.lexicon.group(name)
    if (by_author := by_phrase(ctx, name, said)) is not None:
        return Things(noun, said=by_author)
    if len(arguments) == 1 and arguments[0].type == EnumType("seat"):
        owned = re.compile(rf" of an? (?:seat|player|{re.escape(ctx.lexicon.player.one)})$")
        noun = Noun(owned.sub("", noun.one), owned.sub("", noun.many))
        return Things(noun, subject=said[0])
    return Things(noun, after=(Adjunct("of", series(said)),) if said else ())


def by_phrase(ctx: BookContext, name: str, arguments: Sequence[Node]) -> Node | None:
    """A collection by its author's phrase; none if there is none, or as long as its arguments are missing."""
    parameters, template = ctx.rules.collections[name].parameters, ctx.lexicon.template(name)
    if template is None or len(parameters) != len(arguments):
        return None
    return filled(template.text, {p.name: said for p, said in zip(parameters, arguments, strict=True)})


def cases_of(ctx: BookContext, node: r.Collection) -> list[tuple[r.Expr | None, r.Collection]]:
    """What a collection is in each case; the last one has no condition."""
    node = ctx.folding.collection(node)
    if not isinstance(node, r.Either):
        return [(None, node)]
    return [(node.condition, node.then), *cases_of(ctx, node.otherwise)]


def _alternatives(ctx: BookContext, node: r.Either) -> Listed:
    cases = enumerate(cases_of(ctx, node))
    return Listed(tuple(_alternative(ctx, asked, group, not i) for i, (asked, group) in cases), word="or")


def _alternative(ctx: BookContext, asked: r.Expr | None, group: r.Collection, first: bool) -> Described:
    """`cards in your hand (if …)`, and what it is `(otherwise)`."""
    guard = "if" if first else "otherwise, if"
    when = phrase(guard, series(ctx.clauses(asked))) if asked is not None else "otherwise"
    return ctx.collection(group).such(bracketed(when))


def _noun(ctx: BookContext, kind: Type) -> Noun:
    assert isinstance(kind, EnumType)
    return ctx.lexicon.noun(kind.type)


def _sum_of(ctx: BookContext, parts: tuple[r.Collection, ...]) -> Described:
    """Several collections; all zones of a component together are simply its pieces."""
    component = component_of(ctx, parts)
    if component is not None:
        return Things(ctx.lexicon.noun(component))
    said = tuple(ctx.collection(p) for p in parts)
    return Listed(said, said[0].person, said[-1].noun)


def component_of(ctx: BookContext, parts: tuple[r.Collection, ...]) -> str | None:
    """The component whose zones all these collections are together."""
    zones = [p.zone for p in parts if isinstance(p, r.InZone) and p.of is None and p.at is None]
    if not zones or len(zones) < len(parts):
        return None
    component = ctx.rules.zones[zones[0]].component
    every = (zone.name for zone in ctx.rules.zones.values() if zone.component == component)
    return component if set(every) <= set(zones) else None


def _prefix(ctx: BookContext, node: r.Prefix) -> Described:
    """The longest prefix whose values meet a condition, or the shortest one whose last value does."""
    found = bound_things(ctx, node.binder)
    match ctx.folding.expr(node.condition):
        case r.Cmp(op="is not", left=r.Read(var=var), right=end) if var is node.binder.var and not node.until:
            return found.such(Adjunct("before", ctx.expr(end)))
    with ctx.referent(node.binder.var) as ref:
        first = narrowed(ref, Things(ONE), ctx.clauses(node.condition, node.until))
    if node.until:
        return found.such(phrase(", up to and including", the(f"first {ONE.one}", *first.after), ","))
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
    if (shown := _shown_by(ctx, binder)) is not None:
        return shown
    found = ctx.collection(binder.collection)
    named = isinstance(binder.collection, r.Interval) and binder.var.name in ctx.lexicon.nouns
    if named and isinstance(found, Things):
        found = replace(found, noun=ctx.lexicon.noun(binder.var.name))
    if binder.where is None:
        return found
    with ctx.referent(binder.var) as ref:
        return narrowed(ref, found, ctx.clauses(binder.where))


def _shown_by(ctx: BookContext, binder: r.Binder) -> Things | None:
    """`faces of the cards in your hand`: the values of a column among some things."""
    match binder:
        case r.Binder(collection=r.OfType(decl=decl), where=r.AnyOf(kind="any", binder=inner)):
            pass
        case _:
            return None
    parts = list(conjuncts(inner.where)) if inner.where is not None else []
    keys = [part for part in parts if _is_key(part, inner.var, binder.var)]
    rest = tuple(part for part in parts if part not in keys)
    if len(keys) != 1 or any(isinstance(p, r.Read) and p.var is binder.var for p in walk(rest)):
        return None
    span = binder.collection.span
    where = reduce(lambda one, other: r.Both(FLAG, span, "and", one, other), rest) if rest else None
    things = bound_things(ctx, replace(inner, where=where))
    return Things(ctx.lexicon.noun(decl), after=(Adjunct("of", things.the_many()),))


def _is_key(node: r.Expr, thing: r.Var, value: r.Var) -> bool:
    """Whether a condition is that a column of a thing, or what it shows, is a value."""
    match node:
        case r.Cmp(op="is", left=left, right=r.Read(var=read)) if read is value:
            owner = left.piece if isinstance(left, r.ClassOf) else None
            owner = left.owner if isinstance(left, r.ColumnOf) and left.key is None else owner
            return isinstance(owner, r.Read) and owner.var is thing
    return False


def direction_phrase(ctx: BookContext, node: r.Expr) -> Node:
    """A direction with its noun: `the direction north`."""
    direction = ctx.expr(node)
    named = is_definite(direction) or isinstance(direction, Referent)
    return direction if named else the("direction", direction)

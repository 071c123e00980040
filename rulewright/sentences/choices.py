"""Choices, offers, and references to routines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from rulewright.sentences.collections import bound_things
from rulewright.sentences.conditions import condition
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import times
from rulewright.sentences.noun_phrases import Described, Listed, Things
from rulewright.sentences.realise import conjugated, spell, spell_sentence
from rulewright.sentences.steps import choice_step, directive, guarded, routine_id, routine_link, to_step
from rulewright.sentences.syntax import YOU, Enclosed, Node, bracketed, phrase, quoted, series, undetermined
from rulewright.sentences.templates import filled
from rulewright.sentences.text import BETWEEN, CLOSE, OPEN, Step, are_alike, link, merge_clauses, plain, slug

LONGEST = 40
"""The most characters of an argument that is told beside others without a semicolon."""


# ---- choices


FEWEST_LISTED = 3
"""So many actions that the table of the glance lists are not listed again."""
FEWEST_ASKED = 2
"""Questions for values that are told together: the actions of the last one need none."""


def picked_from(ctx: BookContext, binder: r.Binder) -> Node:
    """What is chosen, and its name from now on, if that is another word."""
    binder = ctx.folding.tree(binder)
    ctx.names.pop(binder.var, None)
    if binder.where is not None and isinstance(binder.collection, r.Items | r.Interval):
        things = ctx.collection(binder.collection)
        name = named(ctx, things, binder.var)
        return phrase(things.picked(), name, phrase(", so that", condition(ctx, binder.where)))
    things = bound_things(ctx, binder)
    return phrase(things.picked(), named(ctx, things, binder.var))


def chosen_by_chance(ctx: BookContext, line: r.ChanceChooses) -> Node:
    """`choose a region at random`, perhaps by a weight."""
    chosen = phrase("choose at random", picked_from(ctx, line.binder))
    if line.weight is None:
        return chosen
    return phrase(chosen, ", each with a chance in proportion to", ctx.expr(line.weight))


def named(ctx: BookContext, things: Described, var: r.Var) -> Node:
    """The name of a variable in brackets, if that is another word than the noun of the things."""
    noun = spell(undetermined(ctx.name_of(var)))
    known = noun == ctx.lexicon.type_noun(var.type).one or f" {things.noun.one}".endswith(f" {noun}")
    several = isinstance(things, Listed) and things.known and len(things.parts) > 1
    return "" if known and not several else bracketed(quoted(noun))


def set_picked_from(ctx: BookContext, binder: r.Binder, several: r.Several) -> Node:
    """What is chosen together, `3 cards from your hand`, and what all of them are called."""
    binder = ctx.folding.tree(binder)
    ctx.names.pop(binder.var, None)
    things = bound_things(ctx, binder)
    chosen = _so_many(ctx, things.many("from"), several) if isinstance(things, Things) else things.many()
    if not isinstance(things, Things):
        chosen = _so_many(ctx, phrase("of", chosen), several)
    if not several.named:
        return chosen
    return phrase(chosen, bracketed(phrase("called", quoted(spell(ctx.name_of(several.whole.group))))))


def _so_many(ctx: BookContext, things: Node, several: r.Several) -> Node:
    """Things with the number of them that are chosen."""
    least, most = ctx.folding.expr(several.least), ctx.folding.expr(several.most)
    if isinstance(most, r.Const) and isinstance(least, r.Const):
        number = (
            str(most.value)
            if least == most or least.value == most.value
            else f"{least.value} to {most.value}"
        )
        return phrase(f"up to {most.value}" if least.value == 0 else number, things)
    said = ctx.expr(most)
    if isinstance(least, r.Const) and least.value == 0:
        return phrase(things, ", as many as you like up to", said)
    if least == most:
        return phrase("as many", things, "as", said)
    return phrase(things, ", so many of them: from", ctx.expr(least), "to", said)


def _set_steps(ctx: BookContext, line: r.Choose, several: r.Several) -> list[Step]:
    """A choice of a set, and what is done with each, or with all of them."""
    who = ctx.expr(line.seat) if line.seat is not None else YOU
    chosen = set_picked_from(ctx, line.binder, several)
    if line.secretly:
        chosen = phrase("in secret", chosen)
    block = ctx.block(line.block)
    if line.strength == "must" and several.named:
        return [to_step(directive(who, "chooses", chosen))]
    ctx.names.pop(line.binder.var, None)
    if line.strength == "must":
        steps = [choice_step(directive(who, "chooses", chosen), "For each of them:", block)]
        return [*steps, *otherwise_steps(ctx, "If none is chosen", line.otherwise)]
    if_does = phrase("If", who, conjugated(who, "does"))
    then = spell(if_does, ":") if several.named else spell(if_does, ", for each of them:")
    steps = [choice_step(phrase(who, "may choose", chosen), then, block)]
    return [*steps, *otherwise_steps(ctx, phrase(if_does, "not"), line.otherwise)]


def choose_steps(ctx: BookContext, line: r.Choose) -> list[Step]:
    if line.several is not None:
        return _set_steps(ctx, line, line.several)
    who = ctx.expr(line.seat) if line.seat is not None else YOU
    chosen = picked_from(ctx, line.binder)
    if line.secretly:
        chosen = phrase("in secret", chosen)
    block = ctx.block(line.block)
    if line.strength == "must" and not line.if_any:
        several = ", if there is more than one" if line.if_several else ""
        return [to_step(directive(who, "chooses", chosen), several)]
    ctx.names.pop(line.binder.var, None)
    if_does = phrase("If", who, conjugated(who, "does"))
    otherwise: Node = phrase(if_does, "not")
    match line.strength:
        case "must":
            head = phrase(directive(who, "chooses", chosen), ", if there is one")
            then, otherwise = "Then:", "If there is none"
        case "may":
            head, then = phrase(who, "may choose", chosen), spell(if_does, ":")
        case "keep":
            repeated = phrase(",", _how_often(ctx, who, line.most))
            head, then = phrase(who, "may choose", chosen, repeated), "Each time:"
    return [choice_step(head, then, block), *otherwise_steps(ctx, otherwise, line.otherwise)]


def _how_often(ctx: BookContext, who: Node, most: r.Expr | None) -> Node:
    """`as often as you like`, or `at most twice`."""
    if most is not None:
        return phrase("at most", often(ctx, most))
    return phrase("as often as", who, conjugated(who, "likes"))


def often(ctx: BookContext, number: r.Expr) -> Node:
    number = ctx.folding.expr(number)
    if isinstance(number, r.Const):
        return times(number.value)
    return phrase("as many times as", ctx.expr(number))


def otherwise_steps(ctx: BookContext, guard: Node, block: r.Block) -> list[Step]:
    steps = ctx.block(block)
    return [guarded(guard, steps)] if steps else []


# ---- offers


def offered_at_glance(ctx: BookContext, targets: Sequence[r.Target]) -> str:
    """The moment to which the table of the glance lists just these actions; empty if there is none."""
    names = [t.routine for t in targets if isinstance(t, r.DoRoutine) and not t.arguments]
    return ctx.at_glance.get(frozenset(names), "") if len(names) == len(targets) else ""


def chained_offer(ctx: BookContext, line: r.If) -> tuple[r.Var, r.Offer] | None:
    """For each value of a variable the actions that the table of the glance lists for it, as one offer."""
    branches, clauses, asked = [line.block], [*line.clauses], [line.condition]
    rest = line.otherwise
    while len(rest) == 1 and isinstance(inner := rest[0], r.If):
        branches.append(inner.block)
        asked.append(inner.condition)
        clauses += inner.clauses
        rest = inner.otherwise
    offers = [block[0] for block in (*branches, rest) if len(block) == 1 and isinstance(block[0], r.Offer)]
    if len(asked) < FEWEST_ASKED or len(offers) != len(branches) + 1:
        return None
    first, (var, *others) = offers[0], [_asked(one) for one in asked]
    same = all((o.strength, o.seat, o.otherwise) == (first.strength, None, ()) for o in offers)
    inner_steps = {ctx.block(offer.block) for offer in offers}
    listed = all(offered_at_glance(ctx, offer.targets) for offer in offers)
    if var is None or any(other is not var for other in others) or not same or not listed:
        return None
    if len(inner_steps) > 1:
        return None
    targets = tuple(target for offer in offers for target in offer.targets)
    marks = merge_clauses(clauses, (c for offer in offers for c in offer.clauses))
    return var, replace(first, targets=targets, clauses=marks)


def _asked(condition: r.Expr) -> r.Var | None:
    match condition:
        case r.Cmp(op="is", left=r.Read(var=var), right=r.Const()):
            return var
    return None


def at_glance(ctx: BookContext, when: str) -> str:
    """`the actions of “Build and trade”`, as a link to where they are listed."""
    return link("glance", ctx.say("at-glance", when=when))


def offer_steps(ctx: BookContext, line: r.Offer, when: str = "") -> list[Step]:
    who = ctx.expr(line.seat) if line.seat is not None else YOU
    if_does = phrase("If", who, conjugated(who, "does"))
    block = ctx.block(line.block)
    steps = [_offered(ctx, line, who, when)]
    if block:
        steps.append(guarded(if_does if line.strength == "may" else "Each time", block))
    return steps + otherwise_steps(ctx, phrase(if_does, "not"), line.otherwise)


def _offered(ctx: BookContext, line: r.Offer, who: Node, when: str) -> Step:
    """What may be chosen: a list, or where the table of the glance has it the moment `when` that is."""
    match line.strength:
        case "must":
            several = directive(who, "does")
            one = "" if who == YOU else phrase("let", who)
        case "may":
            one, several = phrase(who, "may"), phrase(who, "may do")
        case "keep":
            one = phrase(_how_often(ctx, who, line.most), ",", who, "may")
            several = phrase(one, "do")
    if len(line.targets) == 1:
        return to_step(one, _target(ctx, line.targets[0]))
    if not when and len(line.targets) >= FEWEST_LISTED and (moment := offered_at_glance(ctx, line.targets)):
        when = ctx.say("quoted", it=moment)
    if when:
        return to_step(several, "one of", at_glance(ctx, when))
    parts = tuple(to_step(_target(ctx, target, in_list=True)) for target in line.targets)
    return Step(spell_sentence(several, "one of the following", ":"), (), parts, ordered=False)


def _target(ctx: BookContext, target: r.Target, in_list: bool = False) -> Node:
    """What can be done, as a verb with its objects."""
    match target:
        case r.DoCell():
            return _cell(ctx, target)
        case r.DoRoutine(routine=name, arguments=arguments):
            return reference_to(ctx, name, arguments, in_list)
    assert_never(target)


def _cell(ctx: BookContext, target: r.DoCell) -> Node:
    cell = ctx.folding.expr(target.cell)
    as_self: Node = ""
    if target.actor is not None and isinstance(cell, r.ColumnOf) and target.actor != cell.owner:
        as_self = phrase(", as if", ctx.expr(target.actor), "did it")
    table: Node = ""
    if isinstance(cell, r.LookUp):
        table = _see(link(slug("table", cell.table), ctx.lexicon.heading(cell.table)))
    return phrase("carry out", ctx.expr(cell), as_self, table)


def _see(heading: str) -> Node:
    return bracketed(phrase("→", heading))


def reference_to(ctx: BookContext, name: str, arguments: Sequence[r.Expr], in_list: bool = False) -> Node:
    """A routine that is described elsewhere, with its arguments; in a list without a verb, if it has none."""
    parameters = ctx.rules.routines[name].parameters
    template = ctx.lexicon.template(name)
    heading = routine_link(ctx, name)
    values = [ctx.expr(a) for a in arguments]
    if template is not None and len(values) == len(parameters):
        fillers = {p.var.name: value for p, value in zip(parameters, values, strict=True)}
        told = filled(template.text, fillers)
        if are_alike(plain(heading), text := spell(told)) and OPEN not in text:
            return Enclosed(f"{OPEN}{routine_id(name)}{BETWEEN}", told, CLOSE)
        return phrase(told, _see(heading))
    nouns = [ctx.var_noun(p.var) for p in parameters]
    given = [_argument(noun, value) for noun, value in zip(nouns, values, strict=False)]
    if in_list and not given:
        return phrase(heading)
    if _is_involved(given):
        told = _apart(nouns, values)
    elif any(spell(one).startswith(f"{noun}:") for one, noun in zip(given, nouns, strict=False)):
        told = phrase("; ".join(map(spell, given)))
    else:
        told = series(given) if given else ""
    return phrase("carry out", quoted(heading), bracketed(told) if given else "")


def _is_involved(given: Sequence[Node]) -> bool:
    """Whether arguments are so long that it would not be clear where one ends."""
    return len(given) > 1 and any("," in (text := spell(one)) or len(text) > LONGEST for one in given)


def _apart(nouns: Sequence[str], values: Sequence[Node]) -> Node:
    """Arguments, each with the name of its parameter and well apart: `player: you; number: 2`."""
    pairs = zip(nouns, values, strict=False)
    return phrase("; ".join(f"{noun}: {spell(value)}" for noun, value in pairs))


def _argument(noun: str, value: Node) -> Node:
    """An argument, with the name of its parameter unless it ends with that: `the target`, `number: 2`."""
    return value if spell(value).endswith(f" {noun}") else phrase(noun, ":", value)

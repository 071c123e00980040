"""What is chosen and offered, by whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import rules as r
from rulewright.rulebook.collections import bound_things
from rulewright.rulebook.conditions import condition
from rulewright.rulebook.context import BookContext
from rulewright.rulebook.document import Step, link, slug
from rulewright.rulebook.noun_phrases import Described, Listed
from rulewright.rulebook.realise import conjugated, spell, spell_sentence
from rulewright.rulebook.steps import choice_step, directive, guarded, routine_link, to_step
from rulewright.rulebook.syntax import YOU, Node, bracketed, phrase, quoted, series, undetermined
from rulewright.rulebook.templates import filled

# ---- choices


def picked_from(ctx: BookContext, binder: r.Binder) -> Node:
    """What is chosen, and what it is called from now on, if that is another word."""
    binder = ctx.folding.tree(binder)
    ctx.names.pop(binder.var, None)
    numbers = isinstance(binder.collection, r.Items | r.Interval) and binder.where is not None
    things = ctx.collection(binder.collection) if numbers else bound_things(ctx, binder)
    named = called(ctx, things, binder.var)
    asked = phrase(", so that", condition(ctx, binder.where)) if numbers and binder.where else ""
    return phrase(things.picked(), named, asked)


def called(ctx: BookContext, things: Described, var: r.Var) -> Node:
    """What a thing is called from now on, in brackets, if that is another word."""
    noun = spell(undetermined(ctx.name_of(var)))
    known = noun == ctx.lexicon.type_noun(var.type).one or f" {things.noun.one}".endswith(f" {noun}")
    several = isinstance(things, Listed) and things.known and len(things.parts) > 1
    return "" if known and not several else bracketed(quoted(noun))


def choose_steps(ctx: BookContext, line: r.Choose) -> list[Step]:
    who = ctx.expr(line.seat) if line.seat is not None else YOU
    chosen = picked_from(ctx, line.binder)
    block = ctx.block(line.block)
    if line.strength != "must" or line.if_any:
        ctx.names.pop(line.binder.var, None)
    does = conjugated(who, "does")
    match line.strength:
        case "must" if not line.if_any:
            return [to_step(directive(who, "chooses", chosen))]
        case "must":
            found = choice_step(
                phrase(directive(who, "chooses", chosen), ", if there is one"), "Then:", block
            )
            without: Node = "If there is none"
        case "may":
            found = choice_step(phrase(who, "may choose", chosen), spell("If", who, does, ":"), block)
            without = phrase("If", who, does, "not")
        case "keep":
            often = phrase(", as often as", who, conjugated(who, "likes"))
            return [choice_step(phrase(who, "may choose", chosen, often), "Each time:", block)]
    return [found, *otherwise_steps(ctx, without, line.otherwise)]


def otherwise_steps(ctx: BookContext, words: Node, block: r.Block) -> list[Step]:
    steps = ctx.block(block)
    return [guarded(words, steps)] if steps else []


# ---- offers


def offer_steps(ctx: BookContext, line: r.Offer) -> list[Step]:
    who = ctx.expr(line.seat) if line.seat is not None else YOU
    block = ctx.block(line.block)
    may = line.strength == "may"
    found = [_offered(ctx, line, who)]
    if block:
        words = phrase("If", who, conjugated(who, "does")) if may else "Each time"
        found.append(guarded(words, block))
    without = phrase("If", who, conjugated(who, "does"), "not")
    return found + otherwise_steps(ctx, without, line.otherwise)


def _offered(ctx: BookContext, line: r.Offer, who: Node) -> Step:
    match line.strength:
        case "must":
            one, several = directive(who, "does") if who != YOU else "", directive(who, "does")
        case "may":
            one, several = phrase(who, "may"), phrase(who, "may do")
        case "keep":
            one = phrase("as often as", who, conjugated(who, "likes"), ",", who, "may")
            several = phrase(one, "do")
    if len(line.targets) == 1:
        return to_step(one, target_phrase(ctx, line.targets[0]))
    parts = tuple(to_step(target_phrase(ctx, target, "")) for target in line.targets)
    return Step(spell_sentence(several, "one of the following:"), (), parts, ordered=False)


def target_phrase(ctx: BookContext, target: r.Target, carry_out: str = "carry out") -> Node:
    """What can be done, as a verb with what it is done to; of one in a list its name says enough."""
    match target:
        case r.DoCell():
            return phrase("carry out", *_cell(ctx, target))
        case r.DoRoutine(routine=name, arguments=arguments):
            return reference_to(ctx, name, arguments, carry_out)
    assert_never(target)


def _cell(ctx: BookContext, target: r.DoCell) -> tuple[Node, ...]:
    cell = ctx.folding.expr(target.cell)
    owner = cell.owner if isinstance(cell, r.ColumnOf) else None
    as_self: Node = ""
    if target.actor is not None and owner is not None and target.actor != owner:
        as_self = phrase(", as if", ctx.expr(target.actor), "did it")
    table: Node = ""
    if isinstance(cell, r.LookUp):
        table = _see(link(slug("table", cell.table), ctx.lexicon.heading(cell.table)))
    return (ctx.expr(cell), as_self, table)


def _see(heading: str) -> Node:
    return bracketed(phrase("→", heading))


def reference_to(
    ctx: BookContext, name: str, arguments: Sequence[r.Expr], carry_out: str = "carry out"
) -> Node:
    """A routine that is told elsewhere, with what it is given."""
    routine = ctx.rules.routines[name]
    template = ctx.lexicon.template(name)
    heading = routine_link(ctx, name)
    given = [ctx.expr(a) for a in arguments]
    if template is not None and len(given) == len(routine.parameters):
        fillers = {p.var.name: a for p, a in zip(routine.parameters, given, strict=True)}
        return phrase(filled(template.text, fillers), _see(heading))
    names = [ctx.var_noun(p.var) for p in routine.parameters]
    pairs = [_argument(noun, argument) for noun, argument in zip(names, given, strict=False)]
    title = quoted(heading) if carry_out or pairs else heading
    carried = "carry out" if pairs else carry_out
    return phrase(carried, title, bracketed(series(pairs)) if pairs else "")


def _argument(noun: str, argument: Node) -> Node:
    """What a routine is given, with its name unless it says that itself: `the target`, `number: 2`."""
    return argument if spell(argument).endswith(f" {noun}") else phrase(noun, ":", argument)

"""Routines, triggers and named values: what is chosen, what happens when, what a name stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import rules as r
from dsl.domains import FlagType
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital
from rulewright.sentences.framed.groups import bound, pieces_at, said_if
from rulewright.sentences.framed.nominals import Nominal
from rulewright.sentences.framed.statements import whole
from rulewright.sentences.framed.steps import guarded, picked, set_picked, step
from rulewright.sentences.framed.values import labelled, named_noun
from rulewright.sentences.framed.words import (
    clause_of,
    filled,
    marked,
    name_of,
    nominal,
    put_in,
    tidy,
    type_noun,
    var_noun,
    worded,
)
from rulewright.sentences.steps import with_clauses
from rulewright.sentences.summaries import told_alone
from rulewright.sentences.syntax import Node
from rulewright.sentences.text import Step, merge_clauses


def choices(ctx: BookContext, routine: r.Routine) -> str:
    """What is chosen for the parameters of an action or effect that have no argument yet."""
    if routine.kind == "procedure":
        return ""
    chosen: dict[str, Nominal] = {}
    said: dict[str, Node] = {}
    for p in routine.parameters:
        if p.binder is not None and p.several is not None:
            chosen[p.var.name] = set_picked(ctx, p.binder, p.several)
        elif p.binder is not None and p.var not in ctx.folding.given:
            chosen[p.var.name] = picked(ctx, p.binder)
        else:
            argument = ctx.folding.given.get(p.var)
            said[p.var.name] = worded(ctx, argument) if argument is not None else name_of(ctx, p.var)
    template = ctx.lexicon.template(routine.name)
    if template is not None and routine.kind == "action":
        return capital(tidy(filled(ctx, template.text, {**said, **chosen}) + "."))  # type: ignore[dict-item]
    return " ".join(step(ctx, "choose", what=what).text for what in chosen.values())


def trigger_step(ctx: BookContext, trigger: r.Trigger) -> Step:
    """What happens as soon as a condition becomes true, or a piece enters or leaves a zone."""
    ctx.names.clear()
    with ctx.citing() as clauses:
        event = event_text(ctx, trigger)
    steps = ctx.block(trigger.block)
    one = told_alone(steps) or guarded(ctx, capital(event), steps)
    return replace(one, clauses=merge_clauses((*trigger.clauses, *clauses), one.clauses))


def event_text(ctx: BookContext, trigger: r.Trigger) -> str:
    """The event of a trigger, as the beginning of a sentence."""
    if trigger.condition is not None:
        marks = {}
        for var in trigger.free:
            with marked(ctx, var) as ref:
                marks[var] = str(ref.id)
            ctx.names[var] = replace(nominal(ctx, type_noun(ctx, var.type)), one="", mark=marks[var])
        text = said_if(ctx, trigger.condition)
        for var, mark in marks.items():
            thing = nominal(ctx, type_noun(ctx, var.type))
            text = put_in(ctx, text, mark, thing.as_("a"), thing.one)
            ctx.names[var] = thing.as_("that")
        return ctx.say("as-soon-as", clause=text)
    assert trigger.zone is not None
    assert trigger.piece is not None
    nouns = {var: nominal(ctx, type_noun(ctx, var.type)) for var in trigger.free}
    ctx.names.update({var: thing.as_("a") for var, thing in nouns.items()})
    where = whole(pieces_at(ctx, trigger.zone))
    ctx.names.update({var: thing.as_("that") for var, thing in nouns.items()})
    piece = nominal(ctx, type_noun(ctx, trigger.piece.type)).as_("a")
    return ctx.say("enters" if trigger.event == "enters" else "leaves", piece=piece, place=where)


# ---- values


def introduced(ctx: BookContext, parameters: Sequence[r.Var]) -> list[Nominal]:
    """Parameters as they are mentioned for the first time."""
    for parameter in parameters:
        ctx.names.pop(parameter, None)
    named = [name_of(ctx, parameter) for parameter in parameters]
    return [
        thing.as_("a") if thing.one == var_noun(ctx, p).one else thing
        for thing, p in zip(named, parameters, strict=True)
    ]


def subject(ctx: BookContext, value: r.Value) -> str:
    """What is defined, with its parameters mentioned for the first time."""
    arguments = introduced(ctx, value.parameters)
    template = ctx.lexicon.template(value.name)
    said = {p.name: a for p, a in zip(value.parameters, arguments, strict=True)}
    if template is not None:
        if isinstance(value.type, FlagType):
            return clause_of(ctx, template, said, True)
        return filled(ctx, template.text, said)
    if isinstance(value.type, FlagType):
        word = named_noun(ctx, value.name, value.clauses).one.strip("„”")
        about = f" ({', '.join(map(str, arguments))})" if arguments else ""
        return ctx.say("holds", it=f"„{word}”{about}")
    return str(labelled(ctx, value, arguments))


def case_step(ctx: BookContext, case: r.ValueCase, flag: bool) -> Step:
    node = ctx.folding.expr(case.value)
    with ctx.citing() as clauses:
        if flag and isinstance(node, r.Const):
            result = ctx.say("yes" if node.value else "no")
        elif flag:
            result = ctx.say("case-only-if", clause=said_if(ctx, node))
        else:
            result = str(worded(ctx, node))
        if case.condition is None:
            text = ctx.say("case-otherwise", result=result)
        else:
            text = ctx.say("case-if", clause=said_if(ctx, case.condition), result=result)
    return with_clauses(Step(text), (*case.clauses, *clauses))


def modifier_step(ctx: BookContext, modifier: r.Modifier) -> Step:
    ctx.names.clear()
    introduced(ctx, modifier.parameters)
    amount = ctx.folding.expr(modifier.amount)
    with ctx.citing() as clauses:
        match amount:
            case _ if modifier.mode == "to":
                text = ctx.say("it-is-instead", amount=worded(ctx, amount))
            case r.Const(value=value) if value < 0:
                text = ctx.say("less-by", amount=str(-value))
            case r.Arith(op="*", left=r.Const(value=value) as factor, right=right) if value < 0:
                times = replace(amount, left=replace(factor, value=-value))
                text = ctx.say("less-by", amount=worded(ctx, times if value < -1 else right))
            case r.AnyOf(kind="count", binder=binder):
                text = ctx.say("more-for", each=bound(ctx, binder).every())
            case _:
                text = ctx.say("more-by", amount=worded(ctx, amount))
        if modifier.condition is not None:
            text += ctx.say("as-long-as-it", clause=said_if(ctx, modifier.condition))
    return with_clauses(Step(f"{capital(text)}."), (*modifier.clauses, *clauses))

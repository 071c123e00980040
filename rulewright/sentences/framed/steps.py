"""Steps put together from frames: conditions before them, lists below them, choices and what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dsl import rules as r
from rulewright.i18n.messages import Value
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import capital, lower, sentence
from rulewright.sentences.framed.groups import NominalGroup, bound, narrowed, other_players
from rulewright.sentences.framed.nominals import Nominal
from rulewright.sentences.framed.values import key_of
from rulewright.sentences.framed.words import (
    Filler,
    filled,
    marked,
    name_of,
    nominal,
    noun,
    tidy,
    type_noun,
    var_noun,
    worded,
)
from rulewright.sentences.numbers import sign_of
from rulewright.sentences.steps import routine_id, routine_link
from rulewright.sentences.text import OPEN, Step, are_alike, cited, link, plain


def step(ctx: BookContext, frame: str, /, **holes: Value | Filler) -> Step:
    """A step of one sentence."""
    return Step(sentence(tidy(ctx.say(frame, **holes)).rstrip(",")))


def by(ctx: BookContext, frame: str, who: Filler, /, **holes: Value | Filler) -> Step:
    """A step that the reader is told to do, or that somebody else does."""
    if isinstance(who, Nominal) and who.you:
        return step(ctx, frame, **holes)
    return step(ctx, f"{frame}-by", who=who, **holes)


def guarded(ctx: BookContext, guard: str, steps: Sequence[Step]) -> Step:
    """A condition with what is done then: in one sentence where that is all, else with the steps below it."""
    between = " " if guard == capital(ctx.say("otherwise")) else ", "
    if not steps:
        done = Step(sentence(f"{guard}, {ctx.say('nothing-happens')}"))
    elif len(steps) == 1 and not steps[0].guarded and _can_follow(steps[0]):
        done = replace(steps[0], text=f"{guard}{between}{lower(steps[0].unheaded)}")
    else:
        done = with_parts(guard, steps)
    return replace(done, guarded=True)


def with_parts(words: str, steps: Sequence[Step], comma: bool = True) -> Step:
    """Words before a step, or with the steps below them; a sentence has one colon, if a `comma` can be."""
    if len(steps) == 1 and _can_follow(steps[0]) and (comma or ":" not in plain(steps[0].text)):
        between = "," if ":" in plain(steps[0].text) else ":"
        return replace(steps[0], text=f"{words}{between} {lower(steps[0].unheaded)}", guarded=False)
    return Step(f"{words}:", (), tuple(steps))


def _can_follow(one: Step) -> bool:
    return not one.parts or one.text.endswith(":")


def choice(ctx: BookContext, head: Step, then: str, steps: Sequence[Step]) -> Step:
    """A choice, and the steps that follow it."""
    if not steps:
        return head
    if len(steps) == 1 and not steps[0].parts:
        short = then in (ctx.say("then"), ctx.say("each-time"))
        text = f"{head.text} {then}{' ' if short else ', '}{lower(steps[0].unheaded)}"
        return Step(text, tuple(cited(steps[0])))
    return Step(f"{head.text} {then}:", (), tuple(steps))


# ---- what is chosen, and routines with their arguments


def picked(ctx: BookContext, binder: r.Binder) -> Nominal:
    """What is chosen, with the name by which it is called from then on."""
    binder = ctx.folding.tree(binder)
    ctx.names.pop(binder.var, None)
    things = bound(ctx, binder)
    return called(ctx, things.picked(), things, binder.var)


def called(ctx: BookContext, said: Nominal, things: NominalGroup, var: r.Var) -> Nominal:
    """A thing with the name of a variable in brackets, if that is another word."""
    name = replace(name_of(ctx, var), meant="", owner=None)
    if name.one in (things.noun.one, type_noun(ctx, var.type).one) and not things.parts:
        return said
    return (
        said.with_after(f"(„{name}”)")
        if not said.after.endswith(",")
        else replace(said, after=f"{said.after.rstrip(',')} („{name}”)")
    )


def set_picked(ctx: BookContext, binder: r.Binder, several: r.Several) -> Nominal:
    """What is chosen together."""
    binder = ctx.folding.tree(binder)
    ctx.names.pop(binder.var, None)
    things = bound(ctx, binder)
    least, most = ctx.folding.expr(several.least), ctx.folding.expr(several.most)
    if isinstance(least, r.Const) and isinstance(most, r.Const):
        number = str(most.value)
        if least.value == 0:
            number = ctx.say("so-many-at-most", number=number)
        elif least.value != most.value:
            number = f"{least.value}–{most.value}"
        chosen = things.so_many(number)
    else:
        chosen = things.many("out_of").with_after(
            f"({ctx.say('from-to', low=worded(ctx, least), high=worded(ctx, most))})"
        )
    if several.named:
        name = replace(name_of(ctx, several.whole.group), meant="")
        chosen = chosen.with_after(f"(„{name}”)")
    return chosen


def reference(ctx: BookContext, name: str, arguments: Sequence[r.Expr]) -> str:
    """A routine that is described elsewhere, with its arguments."""
    routine = ctx.rules.routines[name]
    values = [worded(ctx, a) for a in arguments]
    template, heading = ctx.lexicon.template(name), routine_link(ctx, name)
    if template is not None and len(values) == len(routine.parameters):
        said = {p.var.name: v for p, v in zip(routine.parameters, values, strict=True)}
        text = filled(ctx, template.text, said)
        if are_alike(plain(heading), text) and OPEN not in text:
            return link(routine_id(name), text)
        return f"{text} (→ {heading})"
    return ctx.say("carry-out", it=_titled(ctx, name, values))


def _titled(ctx: BookContext, name: str, values: Sequence[Filler]) -> str:
    """The title of a routine, with its arguments in brackets."""
    given = [
        str(value)
        if str(value).endswith(var_noun(ctx, p.var).one)
        else f"{var_noun(ctx, p.var).one}: {value}"
        for p, value in zip(ctx.rules.routines[name].parameters, values, strict=False)
    ]
    about = f" ({'; '.join(given)})" if given else ""
    return f"„{routine_link(ctx, name)}”{about}"


def offered(ctx: BookContext, one: r.Target, by_title: bool) -> str:
    """What can be done as one of a list: by its title, unless the author has an order for who reads."""
    if not isinstance(one, r.DoRoutine) or (ctx.lexicon.template(one.routine) is not None and not by_title):
        return target(ctx, one)
    return _titled(ctx, one.routine, [worded(ctx, a) for a in one.arguments])


def target(ctx: BookContext, one: r.Target) -> str:
    """What can be done."""
    if isinstance(one, r.DoRoutine):
        return reference(ctx, one.routine, one.arguments)
    cell = ctx.folding.expr(one.cell)
    actor = ""
    if one.actor is not None and isinstance(cell, r.ColumnOf) and one.actor != cell.owner:
        actor = f" {ctx.say('as-if', who=worded(ctx, one.actor))}"
    return ctx.say("carry-out", it=worded(ctx, cell)) + actor


def often(ctx: BookContext, number: r.Expr) -> str:
    number = ctx.folding.expr(number)
    if isinstance(number, r.Const):
        return ctx.say("so-often", number=number.value)
    return ctx.say("as-often-as", number=worded(ctx, number))


# ---- everybody in turn


def each_seat(
    ctx: BookContext,
    candidate: r.Var,
    keys: Sequence[r.Expr],
    where: r.Expr | None,
    start: r.Expr | None,
    others: bool = False,
) -> str:
    """Each player in turn, with the order, the condition and the first one."""
    things = NominalGroup(ctx, other_players(ctx) if others else noun(ctx, "seat"), person=True)
    with marked(ctx, candidate) as ref:
        mark = str(ref.id)
        order = in_order(ctx, keys, mark, things) if keys else ctx.say("in-turn")
        asked = [str(one) for one in ctx.clauses(where)] if where is not None else []
    who = narrowed(ctx, mark, things, asked).every()
    first = ctx.say("beginning-with", who=worded(ctx, start)) if start is not None else ""
    return f"{str(who)[:1].upper()}{str(who)[1:]} {order}{first}"


def in_order(ctx: BookContext, keys: Sequence[r.Expr], mark: str, things: NominalGroup) -> str:
    """`in the order of price (lowest first)`"""
    said = []
    for key in keys:
        what, negated = sign_of(ctx, key)
        word = key_of(ctx, worded(ctx, what), mark, things)
        said.append(ctx.say("order-highest" if negated else "order-lowest", key=word))
    return f", {ctx.say('and-then')} ".join(said)


def passed_over(ctx: BookContext, candidate: r.Var, where: r.Expr) -> Nominal:
    """Each player of whom a condition is not true."""
    things = NominalGroup(ctx, noun(ctx, "seat"), person=True)
    with marked(ctx, candidate) as ref:
        asked = [str(one) for one in ctx.clauses(where, False)]
    return narrowed(ctx, str(ref.id), things, asked).every()


def this(ctx: BookContext, name: str) -> Nominal:
    """What a piece or value is called whose effect is told."""
    return replace(nominal(ctx, noun(ctx, name)), meant="this")

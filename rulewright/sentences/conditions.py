"""Conditions as clauses, positive or negated: `you have at least 3 coins`, `there is no stone on it`."""

from __future__ import annotations

import re
from dataclasses import replace

from dsl import rules as r
from dsl.domains import SEAT
from dsl.rules.needs import operands
from rulewright.sentences.collections import bound_things
from rulewright.sentences.comparisons import compared
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import (
    column_fillers,
    column_noun,
    column_template,
    is_said_in_place,
    said_in_place,
    value_fillers,
    value_phrase,
)
from rulewright.sentences.names import Template
from rulewright.sentences.noun_phrases import Listed, about, leading, referring
from rulewright.sentences.realise import belonging, spell
from rulewright.sentences.state_vars import VERBAL, mark_clause, pieces_at
from rulewright.sentences.syntax import (
    Adjunct,
    Clause,
    Genitive,
    Node,
    NounPhrase,
    Series,
    bracketed,
    clause,
    is_negative,
    phrase,
    polar,
    quoted,
    replaced,
    replaced_first,
    series,
    the,
)
from rulewright.sentences.templates import filled_clause, labelled_clause

PAUSE = re.compile(r",| (?:and|or|that|who|whose|which|where) ")
"""What makes it unclear where an alternative ends."""


def condition_clauses(ctx: BookContext, node: r.Expr, positive: bool, among: bool) -> list[Node]:
    """The clauses of a conjunction, or one clause; `among` others, a disjunction begins with `either`."""
    node = ctx.folding.expr(node)
    match node:
        case r.Both(op=op, left=left, right=right) if (op == "and") is positive:
            return [*ctx.clauses(left, positive, True), *ctx.clauses(right, positive, True)]
        case r.Both():
            return [_either_or(ctx, node, positive, among)]
        case r.Neg(operand=operand):
            return ctx.clauses(operand, not positive, among)
        case r.UseValue():
            return _flag_value(ctx, node, positive)
    return [_clause(ctx, node, positive)]


def condition(ctx: BookContext, node: r.Expr, positive: bool = True) -> Node:
    return series(ctx.clauses(node, positive))


def _clause(ctx: BookContext, node: r.Expr, positive: bool) -> Node:
    match node:
        case r.Const(value=value):
            return clause(phrase("this"), "is", "always so" if bool(value) is positive else "never so")
        case r.Cmp():
            return compared(ctx, node, positive)
        case r.Empty(collection=collection):
            found = ctx.collection(collection)
            return found.empty() if positive else found.exists()
        case r.AnyOf():
            return _any(ctx, node.binder, positive)
        case r.FoldOf():
            return _every(ctx, node, positive)
        case r.ReadStateVar(kind="mark"):
            return mark_clause(ctx, node, positive)
        case r.ColumnOf():
            return _flag_column(ctx, node, positive)
        case r.Cond(condition=asked, then=then, otherwise=otherwise):
            rest = (condition(ctx, then, positive), ", and otherwise", condition(ctx, otherwise, positive))
            return Clause(phrase("if", condition(ctx, asked), ",", *rest))
    return polar(_named(ctx, node), positive)


def _named(ctx: BookContext, node: r.Expr) -> Node:
    """The conditions that are negated like any other clause."""
    match node:
        case r.IsIn():
            return _is_in(ctx, node)
        case r.CanDo(target=r.DoCell(cell=cell)):
            return clause(ctx.expr(cell), "can", "be carried out now")
        case r.CanDo(target=r.DoRoutine(routine=routine)):
            return clause(quoted(ctx.lexicon.heading(routine)), "can", "be done now")
        case r.Read(var=var):
            return flag_clause(ctx, var, True)
        case r.Setting(name=name):
            return clause(quoted(ctx.lexicon.label(name)), "is", "on")
    return clause(value_phrase(ctx, node), "holds")


def flag_clause(ctx: BookContext, var: r.Var, positive: bool) -> Node:
    """A local that is true or not: by the phrase of the author, or its name."""
    template = ctx.lexicon.template(var.name)
    if template is not None:
        return filled_clause(template, {}, positive)
    return polar(clause(quoted(ctx.var_noun(var)), "holds"), positive)


def _either_or(ctx: BookContext, node: r.Both, positive: bool, among: bool) -> Node:
    """A disjunction; with `either` where its extent would not be clear."""
    parts = [ctx.clauses(part, positive) for part in operands(node, node.op)]
    if len(together := _together([p[0] for p in parts])) == 1 and all(len(p) == 1 for p in parts):
        return together[0]
    either = among or any(len(p) > 1 for p in parts)
    return Series(tuple(_alternative(p) for p in parts), "or", "either" if either else "", commas=False)


def _together(clauses: list[Node]) -> list[Node]:
    """Alternatives that say the same of two things, or two things of the same, as one clause."""
    first, *others = clauses
    for other in others:
        match first, other:
            case Clause(verb="has") as one, Clause() as two if _differ_in(one, two, "rest"):
                if (alike := _either_alike(one.rest, two.rest)) is None:
                    return clauses
                first = replace(one, rest=alike)
            case Clause() as one, Clause() as two if _differ_in(one, two, "rest") and one.verb == "is":
                if len(one.rest) != 1 or len(two.rest) != 1 or not _is_plain(one, two):
                    return clauses
                first = replace(one, rest=(series([*_items(one.rest[0]), *_items(two.rest[0])], "or"),))
            case Clause() as one, Clause() as two if _differ_in(one, two, "subject"):
                if (subject := _either_noun(one.subject, two.subject)) is None:
                    return clauses
                first = replace(one, subject=subject)
            case _:
                return clauses
    return [first]


def _differ_in(one: Clause, two: Clause, part: str) -> bool:
    """Whether two clauses that are not negative are the same but for one part."""
    if is_negative(one) or is_negative(two):
        return False
    same = replace(two, subject=one.subject) if part == "subject" else replace(two, rest=one.rest)
    return same == one


def _is_plain(one: Clause, two: Clause) -> bool:
    """Whether what two clauses say are noun phrases, so that one `or` can stand between them."""
    items = [item for clause in (one, two) for item in _items(clause.rest[0])]
    return all(isinstance(item, NounPhrase) and not PAUSE.search(spell(item)) for item in items)


def _items(node: Node) -> tuple[Node, ...]:
    if isinstance(node, NounPhrase) and len(node.parts) == 1:
        return _items(node.parts[0]) if isinstance(node.parts[0], Series) else (node,)
    return node.items if isinstance(node, Series) and node.word == "or" else (node,)


def _either_alike(one: tuple[Node, ...], two: tuple[Node, ...]) -> tuple[Node, ...] | None:
    """`the same suit or rank as the card`"""
    match one, two:
        case (
            (NounPhrase(parts=("the same", str(noun), "as")), *after),
            (NounPhrase(parts=("the same", str(other), "as")), *also),
        ) if after == also:
            return (phrase("the same", f"{noun} or {other}", "as"), *after)
    return None


def _either_noun(one: Node, two: Node) -> Node | None:
    """`its first or second symbol`, of two things of one owner."""
    match one, two:
        case NounPhrase(parts=(NounPhrase() as inner,)), NounPhrase(parts=(NounPhrase() as other_inner,)):
            return _either_noun(inner, other_inner)
        case NounPhrase(parts=(owner, str(noun))), NounPhrase(parts=(same, str(other))) if owner == same:
            words, others = noun.split(" "), other.split(" ")
            shared = 0
            while shared < min(len(words), len(others)) - 1 and words[-1 - shared] == others[-1 - shared]:
                shared += 1
            short = " ".join(words[: len(words) - shared])
            return replace(one, parts=(owner, f"{short} or {other}")) if isinstance(owner, Genitive) else None
    return None


def _alternative(clauses: list[Node]) -> Node:
    """What holds together as one alternative: `both … and …`, or in brackets."""
    if len(clauses) == 1:
        return clauses[0]
    together = Series(tuple(clauses))
    simple = len(clauses) == 2 and not any(isinstance(part, Series) for part in clauses)
    return replace(together, opening="both") if simple else bracketed(together)


# ---- membership


def _is_in(ctx: BookContext, node: r.IsIn) -> Node:
    item = ctx.expr(node.item)
    match node.collection:
        case r.Interval(low=low, high=high):
            return clause(item, "is", Adjunct("from", ctx.expr(low)), Adjunct("to", ctx.expr(high)))
        case r.OptionSet(name=name) if name not in ctx.lexicon.nouns:
            return clause(item, "is", Adjunct("in", the(ctx.lexicon.without_article(name))))
        case r.InZone() as zone:
            things = pieces_at(ctx, zone)
            if things.place:
                return clause(item, "is", things.place.at(), *things.after)
    found = ctx.collection(node.collection)
    if isinstance(found, Listed) and found.known:
        return clause(item, "is", found.picked())
    return clause(item, "is", "one", Adjunct("of", found.the_many()))


# ---- all of them, any of them


def _any(ctx: BookContext, binder: r.Binder, positive: bool) -> Node:
    binder = ctx.folding.tree(binder)
    things = ctx.collection(binder.collection)
    if binder.where is None:
        return things.exists() if positive else things.empty()
    with ctx.referent(binder.var) as ref:
        said = ctx.clauses(binder.where)
    if len(said) == 1 and leading(said[0]) == ref:
        return about(ref, things.some() if positive else things.no(), things, said[0])
    if positive and things.person and len(said) == 1:
        that = phrase(f"that {things.noun.one}")
        return replaced(replaced_first(said[0], ref, things.some()), ref, that)
    whole = bound_things(ctx, binder)
    return whole.exists() if positive else whole.empty()


def _every(ctx: BookContext, node: r.FoldOf, positive: bool) -> Node:
    things = bound_things(ctx, node.binder)
    with ctx.referent(node.binder.var) as ref:
        said, denied = ctx.clauses(node.body), ctx.clauses(node.body, False)
    if positive and len(denied) == 1 and is_negative(said[0]) and not is_negative(denied[0]):
        if leading(denied[0]) == "there":
            return about(ref, things.any(), things, said[0])
        return about(ref, things.no(), things, denied[0])
    if len(said) == 1:
        return about(ref, things.every() if positive else phrase("not", things.every()), things, said[0])
    whole = Clause(phrase("for", things.every(), ",", referring(ref, things, series(said))))
    return whole if positive else Clause(phrase("it is not so that,", whole))


# ---- flags by name


def _flag_column(ctx: BookContext, node: r.ColumnOf, positive: bool) -> Node:
    owner = ctx.expr(node.owner)
    template = column_template(ctx, node)
    if template is not None:
        return filled_clause(template, column_fillers(ctx, node, owner), positive)
    return polar(clause(belonging(owner, quoted(column_noun(ctx, node))), "is", "marked"), positive)


def _flag_value(ctx: BookContext, node: r.UseValue, positive: bool) -> list[Node]:
    value = ctx.rules.values[node.value]
    arguments = [ctx.expr(a) for a in node.arguments]
    template = ctx.lexicon.template(node.value)
    if template is not None:
        return [filled_clause(template, value_fillers(value, arguments), positive)]
    if is_said_in_place(ctx, value):
        return said_in_place(ctx, value, node.arguments, positive)
    return [polar(_labelled_flag(ctx.lexicon.label(node.value), node, arguments), positive)]


def _labelled_flag(label: str, node: r.UseValue, arguments: list[Node]) -> Node:
    if not arguments and _is_clause(label):
        return filled_clause(Template(label), {}, True)
    if arguments and node.arguments[0].type == SEAT and VERBAL.match(label):
        return labelled_clause(arguments[0], label, series(arguments[1:]) if arguments[1:] else "")
    return clause(quoted(label), "holds", Adjunct("for", series(arguments)) if arguments else "")


def _is_clause(label: str) -> bool:
    return any(f" {word} " in f" {label} " for word in ("is", "are", "has", "have", "ends", "can", "may"))

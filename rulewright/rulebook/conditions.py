"""Conditions as clauses, said or denied: `you have at least 3 coins`, `there is no stone on it`."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import SEAT
from rulewright.rulebook.collections import bound_things
from rulewright.rulebook.comparisons import compared
from rulewright.rulebook.expressions import (
    column_holes,
    column_noun,
    column_written,
    is_said_in_place,
    said_in_place,
    value_holes,
    value_phrase,
)
from rulewright.rulebook.names import Phrase
from rulewright.rulebook.noun_phrases import Listed, about, leading, referring
from rulewright.rulebook.phrases import filled_clause, labelled_clause
from rulewright.rulebook.realise import belonging
from rulewright.rulebook.state_vars import VERBAL, mark_clause, pieces_at
from rulewright.rulebook.syntax import (
    Adjunct,
    Clause,
    Node,
    Series,
    clause,
    introduced,
    is_negative,
    negate,
    phrase,
    quoted,
    replaced,
    series,
)
from rulewright.rulebook.voice import Voice


def condition_clauses(voice: Voice, node: r.Expr, so: bool, among: bool) -> list[Node]:
    """A condition as one or several clauses that all hold; `among` others, one of two says `either`."""
    node = voice.folding.expr(node)
    match node:
        case r.Both(op=op, left=left, right=right) if (op == "and") is so:
            return [*voice.clauses(left, so, True), *voice.clauses(right, so, True)]
        case r.Both(left=left, right=right):
            return [_either_or(voice, left, right, so, among)]
        case r.Neg(operand=operand):
            return voice.clauses(operand, not so, among)
        case r.UseValue():
            return _flag_value(voice, node, so)
    return [_clause(voice, node, so)]


def condition(voice: Voice, node: r.Expr, so: bool = True) -> Node:
    return series(voice.clauses(node, so))


def _clause(voice: Voice, node: r.Expr, so: bool) -> Node:
    match node:
        case r.Const(value=value):
            return clause(phrase("this"), "is", "always so" if bool(value) is so else "never so")
        case r.Cmp():
            return compared(voice, node, so)
        case r.Empty(collection=collection):
            found = voice.collection(collection)
            return found.empty() if so else found.exists()
        case r.AnyOf():
            return _any(voice, node.binder, so)
        case r.FoldOf():
            return _every(voice, node, so)
        case r.ReadStateVar(kind="mark"):
            return mark_clause(voice, node, so)
        case r.ColumnOf():
            return _flag_column(voice, node, so)
        case r.Cond(condition=asked, then=then, otherwise=otherwise):
            rest = (condition(voice, then, so), ", and otherwise", condition(voice, otherwise, so))
            return Clause(phrase("if", condition(voice, asked), ",", *rest))
    said = _named(voice, node)
    return said if so else negate(said)


def _named(voice: Voice, node: r.Expr) -> Node:
    """What is denied like any other clause."""
    match node:
        case r.IsIn():
            return _is_in(voice, node)
        case r.CanDo(target=r.DoCell(cell=cell)):
            return clause(voice.expr(cell), "can", "be carried out now")
        case r.CanDo(target=r.DoRoutine(routine=routine)):
            return clause(quoted(voice.lexicon.heading(routine)), "can", "be done now")
        case r.Read(var=var):
            return clause(quoted(voice.var_noun(var)), "holds")
        case r.Setting(name=name):
            return clause(quoted(voice.lexicon.label(name)), "is", "on")
    return clause(value_phrase(voice, node), "holds")


def _either_or(voice: Voice, left: r.Expr, right: r.Expr, so: bool, among: bool) -> Node:
    """One of two; parts that are made of several clauses stay together."""
    parts = [voice.clauses(part, so) for part in _alternatives(left, right, "or" if so else "and")]
    either = among or any(len(p) > 1 for p in parts)
    return Series(tuple(series(p) for p in parts), "or", "either" if either else "", commas=False)


def _alternatives(left: r.Expr, right: r.Expr, op: str) -> list[r.Expr]:
    """All parts of a chain of `or`."""
    found: list[r.Expr] = []
    for part in (left, right):
        if isinstance(part, r.Both) and part.op == op:
            found += _alternatives(part.left, part.right, op)
        else:
            found.append(part)
    return found


# ---- membership


def _is_in(voice: Voice, node: r.IsIn) -> Node:
    item = voice.expr(node.item)
    match node.collection:
        case r.Interval(low=low, high=high):
            return clause(item, "is", Adjunct("from", voice.expr(low)), Adjunct("to", voice.expr(high)))
        case r.InZone() as zone:
            things = pieces_at(voice, zone)
            if things.place:
                return clause(item, "is", things.place.at(), *things.after)
    found = voice.collection(node.collection)
    if isinstance(found, Listed) and found.known:
        return clause(item, "is", found.picked())
    return clause(item, "is", "one", Adjunct("of", found.the_many()))


# ---- all of them, any of them


def _any(voice: Voice, binder: r.Binder, so: bool) -> Node:
    binder = voice.folding.tree(binder)
    things = voice.collection(binder.collection)
    if binder.where is None:
        return things.exists() if so else things.empty()
    with voice.referent(binder.var) as ref:
        said = voice.clauses(binder.where)
    if len(said) == 1 and leading(said[0]) == ref:
        return about(ref, things.some() if so else things.no(), things, said[0])
    if so and things.person and len(said) == 1:
        that = phrase(f"that {things.noun.one}")
        return introduced(said[0], ref, things.some(), lambda rest: replaced(rest, ref, that))
    whole = bound_things(voice, binder)
    return whole.exists() if so else whole.empty()


def _every(voice: Voice, node: r.FoldOf, so: bool) -> Node:
    things = bound_things(voice, node.binder)
    with voice.referent(node.binder.var) as ref:
        said, denied = voice.clauses(node.body), voice.clauses(node.body, False)
    if so and len(denied) == 1 and is_negative(said[0]) and not is_negative(denied[0]):
        return about(ref, things.no(), things, denied[0])
    if len(said) == 1:
        return about(ref, things.every() if so else phrase("not", things.every()), things, said[0])
    whole = Clause(phrase("for", things.every(), ",", referring(ref, things, series(said))))
    return whole if so else Clause(phrase("it is not so that,", whole))


# ---- flags by name


def _flag_column(voice: Voice, node: r.ColumnOf, so: bool) -> Node:
    owner = voice.expr(node.owner)
    written = column_written(voice, node)
    if written is not None:
        return filled_clause(written, column_holes(voice, node, owner), so)
    said = clause(belonging(owner, quoted(column_noun(voice, node))), "is", "marked")
    return said if so else negate(said)


def _flag_value(voice: Voice, node: r.UseValue, so: bool) -> list[Node]:
    value = voice.rules.values[node.value]
    arguments = [voice.expr(a) for a in node.arguments]
    written = voice.lexicon.phrase(node.value)
    if written is not None:
        return [filled_clause(written, value_holes(value, arguments), so)]
    if is_said_in_place(voice, value):
        return said_in_place(voice, value, node.arguments, so)
    said = _labelled_flag(voice.lexicon.label(node.value), node, arguments)
    return [said if so else negate(said)]


def _labelled_flag(label: str, node: r.UseValue, arguments: list[Node]) -> Node:
    if not arguments and _is_clause(label):
        return filled_clause(Phrase(label), {}, True)
    if arguments and node.arguments[0].type == SEAT and VERBAL.match(label):
        return labelled_clause(arguments[0], label, series(arguments[1:]) if arguments[1:] else "")
    return clause(quoted(label), "holds", Adjunct("for", series(arguments)) if arguments else "")


def _is_clause(label: str) -> bool:
    return any(f" {word} " in f" {label} " for word in ("is", "are", "has", "have", "ends", "can", "may"))

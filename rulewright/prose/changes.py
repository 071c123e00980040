"""What is written: locals, counters, marks and pointers; what is gained, paid and lost."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import NONE, Flag, Int, is_optional
from rulewright.prose.collections import bound_things
from rulewright.prose.conditions import condition_text
from rulewright.prose.document import Step
from rulewright.prose.english import article, possessive, sentence, verb
from rulewright.prose.expressions import is_said_in_place
from rulewright.prose.names import Noun
from rulewright.prose.steps import said
from rulewright.prose.stores import (
    board_preposition,
    counter_phrase,
    index_phrase,
    is_piece,
    mark_clause,
    pointer_phrase,
    unit_of,
    unset_clause,
)
from rulewright.prose.voice import Voice

VERBS = {"gain": "gains", "pay": "pays", "lose": "loses"}
LONG = 3
"""The fewest parts of a sum that are told one by one."""


# ---- writing


def set_step(voice: Voice, line: r.SetVar) -> Step:
    known = line.var in voice.names
    name = voice.name_of(line.var)
    if isinstance(line.var.type, Flag) and isinstance(line.value, r.Const):
        holds = "holds" if line.value.value else "no longer holds"
        return said(f"from now on “{voice.var_noun(line.var)}” {holds}")
    if isinstance(line.var.type, Flag):
        now = "now " if known else ""
        return said(f"note {now}whether {condition_text(voice, line.value)} (“{voice.var_noun(line.var)}”)")
    match line.value:
        case r.Step(by=by, operand=r.Read(var=var)) if var is line.var:
            return said(f"{name} is now the {'next' if by > 0 else 'previous'} one")
        case r.Arith(op="+", left=r.Read(var=var), right=right) if var is line.var:
            return said(f"add {voice.expr(right)} to {name}")
        case r.Arith(op="-", left=r.Read(var=var), right=right) if var is line.var:
            return said(f"take {voice.expr(right)} from {name}")
    value = voice.expr(line.value)
    there = ", if there is one" if is_optional(line.value.type) else ""
    return said(f"{name} {verb(name, 'is')} {'now ' if known else ''}{value}{there}")


def written(voice: Voice, line: r.Write) -> Step:
    match line.kind:
        case "counter":
            terms = terms_of(voice.folding.expr(line.value))
            if line.op == "=" and len(terms) >= LONG:
                head = f"set {counter_phrase(voice, _read(line))} to the sum of:"
                return Step(sentence(head), (), sum_parts(voice, terms), False)
            return said(_counter_written(voice, line))
        case "mark":
            return said(_mark_written(voice, line))
        case "pointer":
            return said(_pointer_written(voice, line))
    assert_never(line.kind)


def _counter_written(voice: Voice, line: r.Write) -> str:
    counter = counter_phrase(voice, _read(line))
    value = voice.expr(line.value)
    match line.op:
        case "+=":
            return f"add {value} to {counter}"
        case "-=":
            return f"take {value} from {counter}"
        case "=":
            return f"set {counter} to {value}"
    assert_never(line.op)


def _mark_written(voice: Voice, line: r.Write) -> str:
    so = isinstance(line.value, r.Const) and bool(line.value.value)
    store = voice.rules.marks[line.name].store
    said = mark_clause(voice, line, so)
    until = until_when(voice, store, index_phrase(voice, line.of, store.of))
    return f"{until}, {said}" if until and so else f"from now on {said}"


def until_when(voice: Voice, store: r.Store, owner: str) -> str:
    """How long something lasts, as the beginning of a sentence."""
    match store.lasts:
        case None:
            return ""
        case "turn":
            return "until the end of this turn"
        case "own turn":
            return f"until the end of {possessive(owner)} next turn"
        case "action":
            return "until this action is over"
    return f"until the end of “{voice.lexicon.label(store.lasts)}”"


def _pointer_written(voice: Voice, line: r.Write) -> str:
    pointer = voice.rules.pointers[line.name]
    none = isinstance(line.value, r.Const) and line.value.value == NONE
    store, noun = pointer.store, voice.lexicon.noun(line.name).one
    at = index_phrase(voice, line.at, store.at)
    if is_piece(voice, line.name):
        where = f"{board_preposition(voice, store.at)} {at}"
        if none:
            return f"take the {noun} off {at}"
        return f"put {_piece_of(voice, line.value, noun)} {where}"
    thing = pointer_phrase(voice, _read(line))
    if none:
        return f"from now on {unset_clause(voice, line.name, thing)}"
    value = voice.expr(line.value)
    if pointer.to == "seat":
        return f"{value} {verb(value, 'becomes')} {thing}"
    return f"{thing} {verb(thing, 'is')} now {value}"


def _piece_of(voice: Voice, owner: r.Expr, noun: str) -> str:
    said = voice.expr(owner)
    if said == "you":
        return f"a {noun} of yours" if article(noun).startswith("a ") else f"an {noun} of yours"
    return f"{article(noun)} of {said}"


# ---- gaining, paying, losing


def transfer(voice: Voice, line: r.Transfer) -> Step:
    """One sentence; of a long sum the parts one by one."""
    terms = terms_of(voice.folding.expr(line.amount))
    if len(terms) < LONG:
        return said(_transferred(voice, line))
    whole = _transferred(voice, replace(line, amount=r.Const(Int(2, 2), line.span, 2)))
    return Step(
        f"{sentence(whole.replace(' 2 ', ' ')).removesuffix('.')}, in all:",
        (),
        sum_parts(voice, terms),
        False,
    )


def sum_parts(voice: Voice, terms: list[tuple[bool, r.Expr]]) -> tuple[Step, ...]:
    return tuple(said(f"{'plus' if more else 'minus'} {voice.expr(term)}" if i else voice.expr(term))
                 for i, (more, term) in enumerate(terms))  # fmt: skip


def _transferred(voice: Voice, line: r.Transfer) -> str:
    store = voice.rules.counters[line.counter].store
    subject = index_phrase(voice, line.of, store.of) if store.of == "seat" else "you"
    noun, after = unit_of(
        voice, line.counter, index_phrase(voice, line.of, store.of), index_phrase(voice, line.at, store.at)
    )
    what = quantity(voice, line.amount, noun, after)
    to = f" to {voice.expr(line.to)}" if line.to is not None else ""
    what = f"{what}{to}" if " for each " not in what else what.replace(" for each ", f"{to} for each ", 1)
    limit = f" (as far as {subject} can)" if line.verb == "lose" else ""
    if subject == "you":
        return f"{line.verb} {what}{limit}"
    if line.to is not None and voice.expr(line.to) == "you":
        what = what.replace(" to you", "", 1)
        return f"{subject} pays you {what}{limit}"
    return f"{subject} {verb(subject, VERBS[line.verb])} {what}{limit}"


def quantity(voice: Voice, number: r.Expr, noun: Noun, after: str) -> str:
    """`3 coins`, `1 coin for each card …`, `as many coins as the price of the card`."""
    number = voice.folding.expr(number)
    each = _for_each(voice, number)
    match number:
        case r.Const(value=value):
            return f"{value} {noun.one if value == 1 else noun.many}{after}"
        case r.Arith(op="*", left=r.Const(value=value), right=right) if found := _for_each(voice, right):
            return f"{value} {noun.many}{after} for {found}"
    if isinstance(number, r.Cond) and isinstance(number.then, r.Const):
        then, rest = (quantity(voice, x, noun, after) for x in (number.then, number.otherwise))
        return f"{then} if {condition_text(voice, number.condition)}, otherwise {rest}"
    if each:
        return f"1 {noun.one}{after} for {each}"
    much = "much" if noun.one == noun.many else "many"
    return f"as {much} {noun.many}{after} as {voice.expr(number)}"


def _for_each(voice: Voice, number: r.Expr) -> str:
    match number:
        case r.AnyOf(kind="count", binder=binder):
            return bound_things(voice, binder).every()
        case r.SizeOf(group=group):
            return voice.group(group).every()
        case r.UseValue(value=name, arguments=()):
            value = voice.rules.values[name]
            if is_said_in_place(voice, value) and voice.lexicon.phrase(name) is None:
                voice.cite(value)
                return _for_each(voice, voice.folding.expr(voice.folding.cases(value)[0].value))
    return ""


def terms_of(node: r.Expr) -> list[tuple[bool, r.Expr]]:
    """The parts of a sum, each with whether it is added."""
    match node:
        case r.Arith(op="+" | "-" as op, left=left, right=right):
            rest = [(more is (op == "+"), term) for more, term in terms_of(right)]
            return [*terms_of(left), *rest]
    return [(True, node)]


def _read(line: r.Write) -> r.ReadStore:
    return r.ReadStore(Int(0, 0), line.span, line.kind, line.name, line.of, line.at)

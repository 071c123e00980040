"""Statements that write locals, counters, marks and pointers, and transfers of counters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import FLAG, NONE, FlagType, is_optional
from rulewright.sentences.collections import bound_things
from rulewright.sentences.conditions import condition, flag_clause
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import is_said_in_place, stored
from rulewright.sentences.numbers import for_each_thing
from rulewright.sentences.realise import spell, spell_sentence
from rulewright.sentences.state_vars import (
    Unit,
    board_preposition,
    counter_phrase,
    index_phrase,
    indices,
    is_piece,
    mark_clause,
    part_phrase,
    pointer_phrase,
    unit_at,
    unset_clause,
)
from rulewright.sentences.steps import directive, guarded, to_step
from rulewright.sentences.syntax import (
    YOU,
    Adjunct,
    Clause,
    Genitive,
    Indefinite,
    Node,
    NounPhrase,
    bracketed,
    clause,
    phrase,
    quoted,
    the,
)
from rulewright.sentences.text import Step

VERBS = {"gain": "gains", "pay": "pays", "lose": "loses"}
IF_THERE = ", if there is one"
LONG = 3
"""The fewest terms of a sum that are listed one by one."""


# ---- writing


def set_step(ctx: BookContext, line: r.SetVar) -> Step:
    now = "now" if line.var in ctx.names else ""
    name = ctx.name_of(line.var)
    if isinstance(line.var.type, FlagType):
        return _flag_set(ctx, line, now)
    match line.value:
        case r.Successor(by=by, operand=r.Read(var=var)) if var is line.var:
            return to_step(name, "is now the", "next" if by > 0 else "previous", "one")
        case r.Arith(op="+", left=r.Read(var=var), right=right) if var is line.var:
            return to_step("add", ctx.expr(right), "to", name)
        case r.Arith(op="-", left=r.Read(var=var), right=right) if var is line.var:
            return to_step("take", ctx.expr(right), "from", name)
    there = IF_THERE if is_optional(line.value.type) else ""
    return to_step(clause(name, "is", now, ctx.expr(line.value), there))


def _flag_set(ctx: BookContext, line: r.SetVar, now: str) -> Step:
    name = quoted(ctx.var_noun(line.var))
    if not isinstance(line.value, r.Const):
        return to_step("note", now, "whether", condition(ctx, line.value), bracketed(name))
    if ctx.lexicon.template(line.var.name) is not None:
        return to_step("from now on", flag_clause(ctx, line.var, bool(line.value.value)))
    return to_step("from now on", name, "holds" if line.value.value else "no longer holds")


def write_step(ctx: BookContext, line: r.Write) -> Step:
    match line.kind:
        case "counter":
            return _write_counter(ctx, line)
        case "mark":
            return _write_mark(ctx, line)
        case "pointer":
            return _write_pointer(ctx, line)
    assert_never(line.kind)


def swapped(ctx: BookContext, line: r.Swap) -> Step:
    """`exchange your coins with the coins of the chosen player`."""
    addresses = ((line.name, line.of, line.at), (line.other, line.other_of, line.other_at))
    one, other = (
        _variable(ctx, r.ReadStateVar(FLAG, line.span, line.kind, name, of, at)) for name, of, at in addresses
    )
    return to_step("exchange", one, Adjunct("with", other))


def _variable(ctx: BookContext, node: r.ReadStateVar) -> Node:
    found = stored(ctx, node)
    return phrase("whether", found) if node.kind == "mark" else found


def _write_counter(ctx: BookContext, line: r.Write) -> Step:
    if line.op != "=" and (sometimes := _or_nothing(ctx, line.value)) is not None:
        return _only_if(ctx, sometimes, _write_counter(ctx, replace(line, value=sometimes.then)))
    counter = counter_phrase(ctx, line)
    terms = terms_of(ctx.folding.expr(line.value))
    if line.op == "=" and len(terms) >= LONG:
        head = spell_sentence("set", counter, "to the sum of:")
        return Step(head, (), sum_parts(ctx, terms), False)
    if line.op == "=" and (changed := _counted_on(ctx, line, counter)) is not None:
        return changed
    value = ctx.expr(line.value)
    match line.op:
        case "+=" if isinstance(line.value, r.Const) and line.value.value < 0:
            return to_step("take", str(-line.value.value), "from", counter)
        case "+=" if _is_itself(ctx, line, counter, ctx.folding.expr(line.value)):
            return to_step("double", counter)
        case "+=":
            return to_step("add", value, "to", counter)
        case "-=":
            return to_step("take", value, "from", counter)
        case "=":
            return to_step("set", counter, "to", value)
    assert_never(line.op)


def _counted_on(ctx: BookContext, line: r.Write, counter: Node) -> Step | None:
    """A counter that is set to what it is with something added, taken away, doubled or halved."""

    def is_itself(node: r.Expr) -> bool:
        return _is_itself(ctx, line, counter, node)

    match ctx.folding.expr(line.value):
        case r.Arith(op="+", left=left, right=right) if is_itself(left) or is_itself(right):
            return to_step("add", ctx.expr(right if is_itself(left) else left), "to", counter)
        case r.Arith(op="-", left=left, right=right) if is_itself(left):
            return to_step("take", part_phrase(ctx, right), "from", counter)
        case r.Arith(op="*", left=r.Const(value=2), right=number) if is_itself(number):
            return to_step("double", counter)
        case r.Arith(op="*", left=number, right=r.Const(value=2)) if is_itself(number):
            return to_step("double", counter)
        case r.Arith(op="div", left=number, right=r.Const(value=2)) if is_itself(number):
            return to_step("halve", counter, ", rounded down")
        case r.Arith(op="mod", left=r.Arith(op="+", left=left, right=right), right=size) if is_itself(left):
            ring = phrase(", beginning again at 0 in place of", part_phrase(ctx, size))
            return to_step("count", counter, "on by", part_phrase(ctx, right), ring)
    return None


def _is_itself(ctx: BookContext, line: r.Write, counter: Node, number: r.Expr) -> bool:
    """Whether a number is what stands in the counter that is written."""
    read = isinstance(number, r.ReadStateVar) and number.name == line.name
    return read and spell(ctx.expr(number)) == spell(counter)


def _or_nothing(ctx: BookContext, number: r.Expr) -> r.Cond | None:
    """A number that is 0 where its condition does not hold: `2 if trading`."""
    number = ctx.folding.expr(number)
    if isinstance(number, r.Cond) and isinstance(number.otherwise, r.Const) and number.otherwise.value == 0:
        return number
    return None


def _only_if(ctx: BookContext, sometimes: r.Cond, step: Step) -> Step:
    return guarded(phrase("If", condition(ctx, sometimes.condition)), (step,))


def _write_mark(ctx: BookContext, line: r.Write) -> Step:
    positive = isinstance(line.value, r.Const) and bool(line.value.value)
    var = ctx.rules.marks[line.name].var
    until = _until(ctx, var, index_phrase(ctx, line.of, var.of))
    result = mark_clause(ctx, line, positive)
    if until and positive:
        return to_step(until, ",", result)
    if isinstance(result, Clause) and result.perfect:
        return to_step("note that" if positive else "so far", result)
    return to_step("from now on", result)


def _until(ctx: BookContext, var: r.StateVar, owner: Node) -> Node:
    """How long a mark lasts, as the beginning of a sentence."""
    match var.lasts:
        case None:
            return ""
        case "turn":
            return "until the end of this turn"
        case "round" if "round" not in ctx.rules.phases:
            return "until the end of this round"
        case "own turn":
            return phrase("until the end of", Genitive(owner), "next turn")
        case "action":
            return "until this action is over"
        case "moment":
            return "for the moment"
    label = ctx.lexicon.label(var.lasts)
    plain = label[:1].islower() and " " not in label.removeprefix("the ")
    return phrase("until the end of", the(label) if plain else quoted(label))


def _write_pointer(ctx: BookContext, line: r.Write) -> Step:
    pointer = ctx.rules.pointers[line.name]
    none = isinstance(line.value, r.Const) and line.value.value == NONE
    var, noun = pointer.var, ctx.lexicon.noun(line.name).one
    if is_piece(ctx, line.name):
        at = index_phrase(ctx, line.at, var.at)
        if none:
            return to_step("take", the(noun), "off", at)
        owner = ctx.expr(line.value)
        piece = phrase(Indefinite((noun,)), Adjunct("of", "yours" if owner == YOU else owner))
        return to_step("put", piece, Adjunct(board_preposition(ctx, var.at), at))
    thing = pointer_phrase(ctx, line)
    if none:
        return to_step("from now on", unset_clause(ctx, line.name, thing))
    value = ctx.expr(line.value)
    if pointer.to == "seat":
        return to_step(clause(value, "becomes", thing))
    return to_step(clause(thing, "is", "now", value))


# ---- gaining, paying, losing


def transfer(ctx: BookContext, line: r.Transfer) -> Step:
    """One sentence; of a long sum the terms one by one."""
    if (sometimes := _or_nothing(ctx, line.amount)) is not None:
        return _only_if(ctx, sometimes, transfer(ctx, replace(line, amount=sometimes.then)))
    var = ctx.rules.counters[line.counter].var
    unit = unit_at(ctx, var, *indices(ctx, var, line))
    payer = index_phrase(ctx, line.of, var.of) if var.of == "seat" else YOU
    payee = ctx.expr(line.to) if line.to is not None else ""
    to = Adjunct("to", payee) if payee and (payer == YOU or payee != YOU) else ""
    terms = terms_of(ctx.folding.expr(line.amount))
    if len(terms) < LONG:
        amount = quantity(ctx, line.amount, unit, to)
        return to_step(_transfer_sentence(line, payer, payee, amount))
    amount = phrase(unit.many, *unit.after, to)
    head = spell_sentence(_transfer_sentence(line, payer, payee, amount), ", in all:")
    return Step(head, (), sum_parts(ctx, terms), False)


def _transfer_sentence(line: r.Transfer, payer: Node, payee: Node, amount: Node) -> Node:
    limit = phrase("(as far as", payer, "can)") if line.verb == "lose" else ""
    if payer != YOU and payee == YOU:
        return phrase(payer, "pays you", amount, limit)
    return directive(payer, VERBS[line.verb], amount, limit)


def sum_parts(
    ctx: BookContext,
    terms: list[tuple[bool, r.Expr]],
    told: Callable[[BookContext, r.Expr], Node] | None = None,
) -> tuple[Step, ...]:
    """The terms of a sum, each as `told`: as a value, if nothing else is given."""
    (_, first), *rest = terms
    said = told or BookContext.expr
    more = (to_step("plus" if added else "minus", said(ctx, term)) for added, term in rest)
    return (to_step(said(ctx, first)), *more)


def quantity(ctx: BookContext, number: r.Expr, unit: Unit, to: Node = "") -> NounPhrase:
    """`3 coins`, `1 coin for each card …`, `as many coins as the price of the card`; `to` somebody."""
    number = ctx.folding.expr(number)
    match number:
        case r.Const(value=value):
            return phrase(*unit.amount(str(value)), to)
        case r.Arith(op="*", left=r.Const(value=value), right=right) if found := _for_each(ctx, right):
            return phrase(str(value), unit.many, *unit.after, to, "for", found)
        case r.Cond(then=r.Const() as then, otherwise=otherwise):
            rest = quantity(ctx, otherwise, unit)
            asked = condition(ctx, number.condition)
            return phrase(*quantity(ctx, then, unit).parts, "if", asked, ", otherwise", rest, to)
    if each := _for_each(ctx, number):
        return phrase(*unit.amount("1"), to, "for", each)
    much, said = "as much" if unit.one == unit.many else "as many", ctx.expr(number)
    if spell(said).startswith("as many "):
        return phrase(unit.many, *unit.after, to, ",", said)
    return phrase(much, unit.many, *unit.after, "as", said, to)


def scored(ctx: BookContext, number: r.Expr) -> Node:
    """What counts, as in an account: `1 for each card in your hand`, `for each city, what it is worth`."""
    number = ctx.folding.expr(number)
    match number:
        case r.Cond(otherwise=r.Const(value=0)):
            return phrase(scored(ctx, number.then), "if", condition(ctx, number.condition))
        case r.Arith(op="*", left=r.Const(value=value), right=right) if each := _for_each(ctx, right):
            return phrase(str(value), "for", each)
        case r.FoldOf() if (summed := for_each_thing(ctx, number)) is not None:
            return summed
    each = _for_each(ctx, number)
    return phrase("1 for", each) if each else ctx.expr(number)


def _for_each(ctx: BookContext, number: r.Expr) -> Node:
    match number:
        case r.AnyOf(kind="count", binder=binder):
            return bound_things(ctx, binder).every()
        case r.SizeOf(collection=collection):
            return ctx.collection(collection).every()
        case r.UseValue(value=name, arguments=()):
            value = ctx.rules.values[name]
            if is_said_in_place(ctx, value) and ctx.lexicon.template(name) is None:
                ctx.cite(value)
                return _for_each(ctx, ctx.folding.expr(ctx.folding.cases(value)[0].value))
    return ""


def terms_of(node: r.Expr) -> list[tuple[bool, r.Expr]]:
    """The parts of a sum, each with whether it is added."""
    match node:
        case r.Arith(op="+" | "-" as op, left=left, right=right):
            rest = [(more is (op == "+"), term) for more, term in terms_of(right)]
            return [*terms_of(left), *rest]
    return [(True, node)]

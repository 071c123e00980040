"""Numbers as noun phrases: arithmetic, folds over things, and picks of the lowest and highest."""

from __future__ import annotations

from typing import assert_never

from dsl import rules as r
from dsl.domains import IntType, PieceType
from dsl.operators import Picking
from rulewright.sentences.collections import bound_things
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import head_of, is_many
from rulewright.sentences.noun_phrases import (
    RELATIVE,
    Described,
    Things,
    leading,
    narrowed,
    referring,
    stranded,
)
from rulewright.sentences.realise import conjugated, spell
from rulewright.sentences.state_vars import operand, part_phrase
from rulewright.sentences.syntax import (
    Adjunct,
    Genitive,
    Node,
    Referent,
    bracketed,
    count,
    has_word,
    is_plural,
    phrase,
    replaced,
    replaced_first,
    series,
    the,
    undetermined,
    walk,
)

FRACTIONS = {2: "half", 3: "a third", 4: "a quarter"}


# ---- arithmetic


def arithmetic(ctx: BookContext, node: r.Arith) -> Node:
    left, right = part_phrase(ctx, node.left), part_phrase(ctx, node.right)
    match node.op:
        case "+" if _is_number(node.left, 0):
            return right
        case "+" | "-" if _is_number(node.right, 0):
            return left
        case "+" if (ring := on_ring(node)) is not None:
            inner, size = ring
            return phrase(ctx.expr(inner), f"(after {size} comes 1, and before 1 comes {size})")
        case "+":
            return phrase(left, "plus", right, plural=is_plural(left))
        case "-" if _is_number(node.left, 0):
            return phrase("minus", factor(node.right, right), plural=is_plural(right))
        case "-":
            taken = factor(node.right, right) if _is_sum(node.right) else right
            return phrase(left, "minus", taken, plural=is_plural(left))
        case "*":
            times = factor(node.right, right)
            if _is_number(node.left, 2):
                return phrase("twice", times, plural=is_plural(right))
            return phrase(factor(node.left, left), "times", times, plural=is_plural(right))
        case "div":
            return _divided(ctx, node, right)
        case "mod":
            return the("remainder when", left, conjugated(left, "is"), "divided by", right)
    assert_never(node.op)


def _divided(ctx: BookContext, node: r.Arith, divisor: Node) -> Node:
    """`half of the number, rounded down`; up, if one less than the divisor is added before."""
    less = rounded_up(node)
    dividend, rounded = (node.left, ", rounded down") if less is None else (less, ", rounded up")
    said = factor(dividend, part_phrase(ctx, dividend))
    if isinstance(node.right, r.Const) and node.right.value in FRACTIONS:
        return phrase(FRACTIONS[node.right.value], Adjunct("of", said), rounded)
    return phrase(said, "divided by", divisor, rounded)


def rounded_up(node: r.Arith) -> r.Expr | None:
    """What is divided and rounded up: `x` of `(x + 2) div 3`; none of other divisions."""
    match node:
        case r.Arith(
            left=r.Arith(op="+", left=inner, right=r.Const(value=more)), right=r.Const(value=by)
        ) if more == by - 1 > 0:
            return inner
    return None


def _is_sum(node: r.Expr) -> bool:
    return isinstance(node, r.Arith) and node.op in ("+", "-")


def _is_number(node: r.Expr, number: int) -> bool:
    return isinstance(node, r.Const) and node.value == number


def factor(node: r.Expr, said: Node) -> Node:
    """An operand of a product, in brackets if it is a sum or a conditional value."""
    return bracketed(said) if _is_sum(node) else operand(node, said)


def on_ring(node: r.Arith) -> tuple[r.Expr, int] | None:
    """`(x + n - 1) mod n + 1` is x on a ring of the numbers 1 to n: gives x and n."""
    match node:
        case r.Arith(
            op="+",
            left=r.Arith(
                op="mod",
                left=r.Arith(op="+", left=inner, right=r.Const(value=before)),
                right=r.Const(value=size),
            ),
            right=r.Const(value=1),
        ) if before == size - 1:
            return inner, size
    return None


def extreme(ctx: BookContext, node: r.Extreme) -> Node:
    """`the smaller of … and …`; with a number among them `…, but at least 0`."""
    consts = [x for x in node.items if isinstance(x, r.Const)]
    others = [part_phrase(ctx, x) for x in node.items if not isinstance(x, r.Const)]
    if len(consts) == 1 and len(others) == 1:
        limit = f"(but {'at most' if node.kind == 'min' else 'at least'} {consts[0].value})"
        return phrase(others[0], limit, plural=is_plural(others[0]))
    comparative = ("smaller", "smallest") if node.kind == "min" else ("greater", "greatest")
    said = [part_phrase(ctx, x) for x in node.items]
    return the(comparative[len(said) > 2], Adjunct("of", series(said)))


# ---- of several things


def fold(ctx: BookContext, node: r.FoldOf) -> Node:
    things = bound_things(ctx, node.binder)
    with ctx.referent(node.binder.var) as ref:
        body = ctx.expr(node.body)
    match node.kind:
        case "sum":
            return _summed(ctx, ref, body, things)
        case "distinct":
            return the("number of different values", Adjunct("of", _of_each(ref, body, things)))
        case "min" | "max":
            word = "lowest" if node.kind == "min" else "highest"
            if isinstance(things, Things) and not things.after and not things.subject:
                return the(word, undetermined(replaced(body, ref, phrase(f"any {things.noun.one}"))))
            return the(word, key_of(ref, body, things), Adjunct("among", things.many()))
        case "all":
            return series(ctx.clauses(node))
    assert_never(node.kind)


def _summed(ctx: BookContext, ref: Referent, body: Node, things: Described) -> Node:
    """A sum over things, in short forms where each has one summand and no relative clause."""
    if isinstance(things, Things) and things.single and not things.place:
        whose = Genitive(things.subject) if things.subject else "the"
        return replaced(body, ref, phrase(whose, things.noun.one, *things.after))
    once = count(body, ref) == 1
    simple = once and not has_word(things.every(), RELATIVE)
    if once and leading(body) == Genitive(ref) and not _is_of_part(body, ref):
        return the(
            "total",
            replaced_first(body, Genitive(ref), ""),
            Adjunct("of", things.all()),
            plural=is_plural(body),
        )
    if simple and (found := stranded(body, ref)) and found[1] in ("of", "on", "in", "at", "for"):
        return phrase(replaced(body, ref, things.all()), "together", plural=is_plural(body))
    if simple and count(body, Genitive(ref)) and not _is_of_part(body, ref):
        return the("sum", Adjunct("of", replaced(body, ref, things.every())))
    short = the(head_of(things.noun.one))
    one = the(things.noun.one) if short in ctx.names.values() else short
    return the("sum, over", things.all(), ", of", replaced(body, ref, one))


def _is_of_part(body: Node, ref: Referent) -> bool:
    """Whether a summand belongs to a part of a thing: `the card’s sort’s points`."""
    return any(isinstance(part, Genitive) and part != Genitive(ref) for part in walk(body))


def for_each_thing(ctx: BookContext, node: r.FoldOf) -> Node | None:
    """`for each city, what the city is worth`: a sum, by what each thing adds; none if a total is shorter."""
    things = bound_things(ctx, node.binder)
    with ctx.referent(node.binder.var) as ref:
        body = ctx.expr(node.body)
    if node.kind != "sum" or (count(body, ref) == 1 and leading(body) == Genitive(ref)):
        return None
    one: Node = "it" if isinstance(node.binder.var.type, PieceType) else the(head_of(things.noun.one))
    return phrase("for", things.every(), ",", replaced(body, ref, one))


def _of_each(ref: Referent, body: Node, things: Described) -> Node:
    """The body of a fold, for each thing: `the number on each die`."""
    if count(body, ref) == 1 and (body == ref or stranded(body, ref) or count(body, Genitive(ref))):
        return replaced(body, ref, things.every())
    return phrase(replaced(body, ref, the(things.noun.one)), ", for", things.every())


def key_of(ref: Referent, body: Node, things: Described) -> Node:
    """What things are compared by, without the thing: `cost`, `number`."""
    if leading(body) == Genitive(ref):
        return referring(ref, things, replaced_first(body, Genitive(ref), ""))
    places = [x for x in walk(body) if isinstance(x, Adjunct) and x.object == ref]
    if count(body, ref) == 1 and places and places[0].preposition in ("on", "of", "at"):
        return undetermined(replaced(body, places[0], ""))
    return referring(ref, things, undetermined(body))


def pick(ctx: BookContext, node: r.PickOf) -> Node:
    things = bound_things(ctx, node.binder)
    if node.kind == "first":
        return the("first", things.one())
    match node:
        case r.PickOf(keys=(), binder=r.Binder(var=var, where=r.Cmp(right=seat))):
            return phrase(Genitive(ctx.expr(seat)), ctx.lexicon.type_noun(var.type).one)
    if len(node.keys) == 1 and (word := _end_of_order(ctx, node)):
        return the(word, things.one())
    best = _best_of_all(ctx, node, things) if node.keys else ""
    return the(things.one(), best)


def ranked(ctx: BookContext, node: r.Ranked) -> Described:
    """`players with the highest number of coins`; with a number, so many of them at most."""
    things = bound_things(ctx, node.binder)
    number = "" if node.number is None else ctx.expr(node.number)
    if _is_itself(ctx, node.keys, node.binder.var):
        return things.such(bracketed(the(number, node.kind, "of them")))
    best = things.such(_best_of_all(ctx, node, things))
    return best if node.number is None else best.such(bracketed(phrase("at most", number)))


def _is_itself(ctx: BookContext, keys: tuple[r.Expr, ...], var: r.Var) -> bool:
    """Whether things are picked by their own order alone, not turned round."""
    key = ctx.folding.expr(keys[0])
    return len(keys) == 1 and isinstance(key, r.Read) and key.var is var


def _best_of_all(ctx: BookContext, node: r.PickOf | r.Ranked, things: Described) -> Node:
    """`with the lowest price and among equals the highest number`; `, if possible one that is free,`."""
    with ctx.referent(node.binder.var) as ref:
        wanted = [_preferred(ctx, ref, node.kind, key, things) for key in node.keys]
        keys = [_best(ctx, ref, node.kind, key, things) for key in node.keys]
    if not any(wanted):
        return Adjunct("with", series(keys, "and among equals"))
    said = [first or Adjunct("with", key) for first, key in zip(wanted, keys, strict=True)]
    first, *others = said
    return phrase(",", first, *(phrase(", and among equals", one) for one in others), ",")


def _preferred(ctx: BookContext, ref: Referent, kind: Picking, key: r.Expr, things: Described) -> Node:
    """`if possible one that is free`, for a key that is one number if a condition holds, else another."""
    match ctx.folding.expr(key):
        case r.Cond(condition=asked, then=r.Const(value=then), otherwise=r.Const(value=otherwise)):
            wanted = ctx.clauses(asked, (then < otherwise) is (kind == "lowest"))
            one = Things(things.noun, person=things.person)
            return phrase("if possible", narrowed(ref, one, wanted).some())
    return ""


def _end_of_order(ctx: BookContext, node: r.PickOf) -> str:
    """`first` or `last`, if things are picked by their own order; `lowest` or `highest` of numbers."""
    key, negated = sign_of(ctx, node.keys[0])
    if not (isinstance(key, r.Read) and key.var is node.binder.var):
        return ""
    lowest = (node.kind == "lowest") is not negated
    if isinstance(key.type, IntType):
        return "lowest" if lowest else "highest"
    return "first" if lowest else "last"


def _best(ctx: BookContext, ref: Referent, kind: Picking, key: r.Expr, things: Described) -> Node:
    """`the lowest price`; the lowest of a negated key is the highest of the key."""
    key, negated = sign_of(ctx, key)
    if negated:
        kind = "highest" if kind == "lowest" else "lowest"
    return the(kind, counted_key(key_of(ref, ctx.expr(key), things)))


def counted_key(key: Node) -> Node:
    """A key; of what is counted its number: `number of coins`."""
    word = spell(key)
    return phrase("number of", key) if is_many(word) and "'s " not in word else key


def sign_of(ctx: BookContext, key: r.Expr) -> tuple[r.Expr, bool]:
    """The key without its minus sign, and whether it has one."""
    match ctx.folding.expr(key):
        case r.Arith(op="-", left=r.Const(value=0), right=right):
            return right, True
    return key, False

"""Comparisons as clauses: `you have at least 3 coins`, `the card shows 3`, `your stone is on it`."""

from __future__ import annotations

from dataclasses import replace

from dsl import rules as r
from dsl.domains import NONE, SEAT, EnumType, FlagType, IntType, Type
from dsl.operators import MIRRORED, NEGATED, Comparison
from rulewright.sentences.collections import bound_things
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import article, is_many, plural
from rulewright.sentences.expressions import column_fillers, column_noun, column_template
from rulewright.sentences.noun_phrases import Things
from rulewright.sentences.numbers import key_of
from rulewright.sentences.realise import spell
from rulewright.sentences.state_vars import (
    counter_phrase,
    index_phrase,
    indices,
    part_phrase,
    pieces_at,
    pointer_clause,
    pointer_phrase,
    unit_at,
)
from rulewright.sentences.syntax import (
    YOU,
    Adjunct,
    Clause,
    Genitive,
    Indefinite,
    Node,
    Referent,
    clause,
    negate,
    phrase,
    polar,
    quoted,
    series,
    the,
    there,
    undetermined,
)
from rulewright.sentences.templates import filled_clause

WORDS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
COMPARED = {
    "is": ("as many", "as"), "is not": ("as many", "as"), ">": ("more", "than"), "<": ("fewer", "than"),
    ">=": ("at least as many", "as"), "<=": ("at most as many", "as"),
}  # fmt: skip


def compared(ctx: BookContext, node: r.Cmp, positive: bool) -> Node:
    left, right = node.left, node.right
    op: Comparison = node.op
    if isinstance(left, r.Const) and not isinstance(right, r.Const):
        left, right, op = right, left, MIRRORED[op]
    if op in ("is", "is not"):
        return _same(ctx, left, right, (op == "is") is positive)
    return _ordered(ctx, left, op if positive else NEGATED[op], right)


def _same(ctx: BookContext, left: r.Expr, right: r.Expr, positive: bool) -> Node:
    if isinstance(right, r.ReadStateVar) and right.kind == "pointer" and not isinstance(left, r.ReadStateVar):
        left, right = right, left
    op: Comparison = "is" if positive else "is not"
    if isinstance(left.type, FlagType) and isinstance(right.type, FlagType):
        one, other = series(ctx.clauses(left)), series(ctx.clauses(right, positive))
        return Clause(phrase(one, "exactly if", other))
    match left, right:
        case r.ReadStateVar(kind="pointer"), r.ReadStateVar(kind="pointer"):
            return clause(pointer_phrase(ctx, left), op, pointer_phrase(ctx, right))
        case r.ReadStateVar(kind="pointer"), _:
            return pointer_clause(ctx, left, right, positive)
        case _, r.Const(value=value) if value == NONE:
            return _none(ctx, left, positive)
        case r.ReadStateVar(kind="counter"), _:
            return _counted(ctx, left, op, right)
        case ((r.AnyOf() | r.SizeOf() | r.FoldOf(kind="distinct")), r.Const(value=number)):
            return _numbered(ctx, left, op, number)
        case (r.AnyOf() | r.SizeOf(), r.AnyOf() | r.SizeOf()):
            return _counts(ctx, left, op, right)
        case r.ColumnOf(), r.Const() if (template := column_template(ctx, left)) and template.compares:
            fillers = column_fillers(ctx, left, ctx.expr(left.owner))
            return filled_clause(template, {**fillers, "value": ctx.expr(right)}, positive)
        case r.Special(what="seats_playing"), r.Const(value=number):
            return _players(ctx, op, number)
    return polar(_equal(ctx, left, right), positive)


def _equal(ctx: BookContext, left: r.Expr, right: r.Expr) -> Node:
    match left, right:
        case r.ClassOf(), r.Const():
            return _of_class(ctx, left, right)
        case r.ClassOf(type=kind), _ if kind != SEAT and not _is_row(kind):
            return clause(ctx.expr(left.piece), "shows", ctx.expr(right))
        case _ if left.type == SEAT:
            return _same_seat(ctx, left, right)
        case r.Arith(op="mod", left=number, right=r.Const(value=2)), r.Const(value=0 | 1 as rest):
            return clause(part_phrase(ctx, number), "is", "odd" if rest else "even")
        case r.Arith(op="mod", left=number, right=divisor), r.Const(value=0):
            return clause(part_phrase(ctx, number), "is", phrase("a multiple of", part_phrase(ctx, divisor)))
        case _ if (alike := _alike(ctx, left, right) or _alike(ctx, right, left)) is not None:
            return alike
    return clause(part_phrase(ctx, left), "is", part_phrase(ctx, right))


def _alike(ctx: BookContext, left: r.Expr, right: r.Expr) -> Node | None:
    """`it has the same colour as the card`, `it is of the colour`: a column compared with one of its name."""
    if not isinstance(left, r.ColumnOf) or left.key is not None:
        return None
    if column_template(ctx, left) is not None:
        return None
    noun, owner = column_noun(ctx, left), ctx.expr(left.owner)
    match right:
        case r.ColumnOf(column=column, key=None) if column.name == left.column.name:
            same = phrase("the same", noun, "as")
            return clause(owner, "has", same, ctx.expr(right.owner))
        case r.Read() if not isinstance(left.type, IntType):
            name = ctx.expr(right)
            if not isinstance(name, Referent) and spell(name) in (f"the {noun}", f"that {noun}"):
                return clause(owner, "is", Adjunct("of", name))
    return None


def _same_seat(ctx: BookContext, left: r.Expr, right: r.Expr) -> Node:
    pairs = ((left, right), (right, left))
    for a, b in pairs:
        if isinstance(a, r.Special) and a.what == "active":
            return clause(phrase("it"), "is", phrase(Genitive(ctx.expr(b)), "turn"))
    for a, b in pairs:
        if isinstance(a, r.ClassOf | r.PlaceOf):
            return clause(ctx.expr(a.piece), "belongs", Adjunct("to", ctx.expr(b)))
    one, other = ctx.expr(left), ctx.expr(right)
    turned = other == YOU and not isinstance(one, Referent)
    return clause(other, "is", one) if turned else clause(one, "is", other)


def _none(ctx: BookContext, left: r.Expr, positive: bool) -> Node:
    """Whether there is something at all."""
    match left:
        case r.SlotPiece(zone=zone):
            found = pieces_at(ctx, zone)
            return found.empty() if positive else found.exists()
        case r.ColumnOf():
            noun = column_noun(ctx, left)
            some = noun if is_many(noun) else article(noun)
            return clause(ctx.expr(left.owner), "has", f"no {noun}" if positive else some)
        case r.Read(var=var):
            noun = ctx.var_noun(var)
            return there(False, f"no such {noun}" if positive else phrase("such", Indefinite((noun,))))
        case r.DirectedStep():
            step = undetermined(ctx.expr(left))
            return there(False, phrase("no", step) if positive else Indefinite((step,)))
        case r.PickOf(binder=binder):
            things = bound_things(ctx, binder)
            return things.empty() if positive else things.exists()
    return polar(clause(ctx.expr(left), "exists"), not positive)


def _of_class(ctx: BookContext, left: r.ClassOf, right: r.Const) -> Node:
    piece, kind = ctx.expr(left.piece), left.type
    if _is_row(kind):
        name = ctx.lexicon.bare(right.type, right.value)
        return clause(piece, "is", the(name) if _is_single(ctx, kind, right.value) else Indefinite((name,)))
    if isinstance(kind, IntType):
        return clause(piece, "shows", str(right.value))
    if kind == SEAT:
        return clause(piece, "belongs", Adjunct("to", ctx.expr(right)))
    return clause(piece, "shows", quoted(ctx.expr(right)))


def _is_single(ctx: BookContext, kind: Type, value: int) -> bool:
    """Whether there is only one piece of a kind: `the last card`."""
    assert isinstance(kind, EnumType)
    component = ctx.rules.components.get(kind.type.removesuffix(" row"))
    return component is not None and not component.per_seat and component.copies[value] == 1


def _is_row(kind: Type) -> bool:
    return isinstance(kind, EnumType) and kind.type.endswith(" row")


# ---- more and less


def _ordered(ctx: BookContext, left: r.Expr, op: Comparison, right: r.Expr) -> Node:
    match left, right:
        case r.Arith(op="mod", type=IntType(lo=0)), r.Const(value=0) if op in (">", "<="):
            return polar(_equal(ctx, left, right), op == "<=")
        case r.ReadStateVar(kind="counter"), _:
            return _counted(ctx, left, op, right)
        case ((r.AnyOf() | r.SizeOf() | r.FoldOf(kind="distinct")), r.Const(value=number)):
            return _numbered(ctx, left, op, number)
        case (r.AnyOf() | r.SizeOf(), r.AnyOf() | r.SizeOf()):
            return _counts(ctx, left, op, right)
        case r.Special(what="seats_playing"), r.Const(value=number):
            return _players(ctx, op, number)
    return clause(part_phrase(ctx, left), "is", WORDS[op], part_phrase(ctx, right))


def _counted(ctx: BookContext, left: r.ReadStateVar, op: Comparison, right: r.Expr) -> Node:
    """`you have at least 5 coins`; compared with what is not a number, `your coins are at least …`."""
    var = ctx.rules.counters[left.name].var
    own = var.of == "seat"
    if own and isinstance(right, r.ReadStateVar) and right.name == left.name and left.at == right.at:
        return _more_than(ctx, left, op, right)
    if own and isinstance(right, r.Const) and _is_unit(ctx, left.name):
        of, at = indices(ctx, var, left)
        return clause(of, "has", *unit_at(ctx, var, of, at).amount(_how_many(op, right.value)))
    number = part_phrase(ctx, right)
    return polar(clause(counter_phrase(ctx, left), "is", WORDS.get(op, ""), number), op != "is not")


def _more_than(ctx: BookContext, left: r.ReadStateVar, op: Comparison, right: r.ReadStateVar) -> Node:
    """`you have more chips than your opponent`"""
    var = ctx.rules.counters[left.name].var
    owner, at = indices(ctx, var, left)
    unit = unit_at(ctx, var, owner, at)
    more, than = COMPARED[op]
    other = index_phrase(ctx, right.of, var.of)
    return polar(clause(owner, "has", more, unit.many, *unit.after, than, other), op != "is not")


def _is_unit(ctx: BookContext, name: str) -> bool:
    """Whether a counter counts things that somebody has."""
    return name in ctx.lexicon.nouns or ctx.lexicon.template(name) is None


def _numbered(ctx: BookContext, left: r.AnyOf | r.SizeOf | r.FoldOf, op: Comparison, number: int) -> Node:
    if isinstance(left, r.FoldOf):
        return _distinct(ctx, left, op, number)
    things = bound_things(ctx, left.binder) if isinstance(left, r.AnyOf) else ctx.collection(left.collection)
    amount = _how_many(op, number)
    if amount == "no":
        return things.empty()
    if amount == "at least 1":
        return things.exists()
    return things.there(amount, amount.endswith(" 1"))


def _counts(ctx: BookContext, left: r.AnyOf | r.SizeOf, op: Comparison, right: r.AnyOf | r.SizeOf) -> Node:
    """`there are more cards in your hand than cards on the table`"""
    one, other = (
        bound_things(ctx, node.binder) if isinstance(node, r.AnyOf) else ctx.collection(node.collection)
        for node in (left, right)
    )
    more, than = COMPARED[op]
    if isinstance(one, Things) and one.subject:
        subject, whose = one.subject, replace(one, subject="")
        return polar(clause(subject, "has", more, whose.many(), than, other.many()), op != "is not")
    return polar(there(True, more, one.many(), than, other.many()), op != "is not")


def _distinct(ctx: BookContext, node: r.FoldOf, op: Comparison, number: int) -> Node:
    things = bound_things(ctx, node.binder)
    with ctx.referent(node.binder.var) as ref:
        key = key_of(ref, ctx.expr(node.body), things)
    if (op, number) == ("is", 1):
        return clause(things.all(), "has", "the same", key)
    amount = _how_many(op, number)
    keys = spell(key) if amount.endswith(" 1") else plural(spell(key))
    return clause(things.the_many(), "has", amount, "different", keys)


def _how_many(op: Comparison, number: int) -> str:
    match op:
        case "is":
            return "no" if number == 0 else f"exactly {number}"
        case "is not":
            return "at least 1" if number == 0 else f"not exactly {number}"
        case ">":
            return f"at least {number + 1}"
        case "<":
            return "no" if number == 1 else f"fewer than {number}"
        case ">=":
            return f"at least {number}"
    return "no" if number == 0 else f"at most {number}"


def _players(ctx: BookContext, op: Comparison, number: int) -> Node:
    """How many play: `at least 2 players take part`."""
    if number == 1 and op in ("is", ">", "is not"):
        return polar(clause(YOU, "plays", "alone"), op == "is")
    if (op, number) == (">=", 2):
        return negate(clause(YOU, "plays", "alone"))
    amount = str(number) if op == "is" else _how_many(op, number)
    one, player = amount.endswith(" 1"), ctx.lexicon.player
    return clause(phrase(amount, player.one if one else player.many, plural=not one), "takes", "part")

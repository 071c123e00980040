"""Values as nominals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from dsl import rules as r
from dsl.domains import SEAT, EnumType, FlagType, IntType
from rulewright.i18n.grammar import hungarian
from rulewright.sentences.context import BookContext
from rulewright.sentences.expressions import column_template, is_said_in_place
from rulewright.sentences.framed.groups import (
    NominalGroup,
    bound,
    fillers,
    group,
    index,
    opponent,
    pieces_at,
    said_if,
    titled,
    whereabouts,
)
from rulewright.sentences.framed.nominals import Nominal
from rulewright.sentences.framed.words import (
    Filler,
    filled,
    fixed,
    grammar,
    marked,
    name_of,
    nominal,
    noun,
    put_in,
    value,
    worded,
    you,
)
from rulewright.sentences.names import Noun, type_name
from rulewright.sentences.numbers import on_ring, rounded_up, sign_of
from rulewright.sentences.syntax import Node


def expr(ctx: BookContext, node: r.Expr) -> Node:
    """A value as a nominal; a condition as a clause."""
    node = ctx.folding.expr(node)
    if isinstance(node.type, FlagType):
        return said_if(ctx, node)
    return value_of(ctx, node)


def owned(owner: Node, word: Nominal) -> Nominal:
    """`the card's price`"""
    return replace(word, owner=owner) if isinstance(owner, Nominal) else word.with_after(f"({owner})")


def value_of(ctx: BookContext, node: r.Expr) -> Nominal:
    match node:
        case r.Const(type=kind, value=number):
            return value(ctx, kind, number)
        case r.Read(var=var):
            return name_of(ctx, var)
        case r.Special():
            return _special(ctx, node)
        case r.Setting(name=name):
            if name in ctx.lexicon.nouns or ctx.lexicon.labels.get(name):
                return nominal(ctx, noun(ctx, name))
            return nominal(ctx, titled(ctx, name, _clauses_of_setting(ctx, name)))
        case r.ReadStateVar():
            return stored(ctx, node)
        case r.SlotPiece(zone=zone, top=top):
            return _slot(ctx, zone, top)
        case r.OnlyDie(component=component):
            return nominal(ctx, noun(ctx, component))
        case r.ColumnOf():
            return _column(ctx, node)
        case r.ClassOf(piece=piece, type=kind):
            return _class(ctx, worded(ctx, piece), kind)
        case r.PlaceOf(piece=piece, index=which):
            word = ctx.say("noun-owner") if which == "seat" else noun(ctx, which).one
            return owned(worded(ctx, piece), Nominal(grammar(ctx), word))
        case r.Arith():
            return _arithmetic(ctx, node)
        case r.Cond(condition=asked, then=then, otherwise=otherwise):
            text = ctx.say(
                "either", clause=said_if(ctx, asked), then=worded(ctx, then), otherwise=worded(ctx, otherwise)
            )
            return fixed(ctx, text)
        case r.SizeOf(collection=collection):
            return group(ctx, collection).number()
        case r.AnyOf(binder=binder):
            return bound(ctx, binder).number()
        case r.FoldOf():
            return _fold(ctx, node)
        case r.Extreme(kind=kind, items=items):
            return _extreme(ctx, kind, items)
        case r.PickOf():
            return _pick(ctx, node)
        case r.LookUp():
            return _looked_up(ctx, node)
        case r.UseValue():
            return use(ctx, node)
        case r.TimesRecorded(history=history):
            return fixed(ctx, ctx.say("times-recorded", history=ctx.lexicon.label(history)))
        case r.Successor(decl=decl, by=by, operand=operand):
            if decl == "seat" and ctx.rules.seats == (2, 2):
                said = worded(ctx, operand)
                return (
                    opponent(ctx)
                    if isinstance(said, Nominal) and said.you
                    else fixed(ctx, ctx.say("other-than", noun=noun(ctx, decl).one, it=said))
                )
            frame = "next-of" if by > 0 else "previous-of"
            return fixed(ctx, ctx.say(frame, it=worded(ctx, operand), noun=noun(ctx, decl).one))
        case r.Ordinal(decl=decl, operand=operand):
            order = Nominal(grammar(ctx), ctx.say("noun-order", things=noun(ctx, decl).many))
            return owned(worded(ctx, operand), order)
        case r.Numeral(operand=operand):
            return _nominal(ctx, worded(ctx, operand))
        case r.Combined(parts=parts):
            return fixed(ctx, ctx.say.list([str(worded(ctx, part)) for part in parts]))
        case r.DirectedStep(place=place, direction=direction, number=number, decl=decl):
            it, way, word = worded(ctx, place), worded(ctx, direction), noun(ctx, decl).one
            if number is None:
                return fixed(ctx, ctx.say("step", it=it, way=way, noun=word))
            return fixed(ctx, ctx.say("steps", it=it, way=way, noun=word, number=worded(ctx, number)))
        case r.Gathered(collection=collection):
            return fixed(ctx, ctx.say("noun-set", things=group(ctx, collection).many()))
        case r.Cmp() | r.Both() | r.Neg() | r.Empty() | r.IsIn() | r.CanDo():
            return fixed(ctx, said_if(ctx, node))
    assert_never(node)


def _nominal(ctx: BookContext, said: Node) -> Nominal:
    return said if isinstance(said, Nominal) else fixed(ctx, str(said))


def _clauses_of_setting(ctx: BookContext, name: str) -> tuple[str, ...]:
    decl = ctx.rules.options.get(name) or ctx.rules.constants.get(name)
    return decl.clauses if decl is not None else ()


def _special(ctx: BookContext, node: r.Special) -> Nominal:
    match node.what:
        case "me":
            return you(ctx)
        case "active":
            return _nominal(ctx, ctx.active)
        case "self":
            return _nominal(ctx, ctx.acting)
        case "opponent":
            return opponent(ctx)
        case "seats_playing":
            return NominalGroup(ctx, noun(ctx, "seat")).number()
    assert_never(node.what)


# ---- what is stored


def stored(ctx: BookContext, node: r.ReadStateVar | r.Write | r.Transfer) -> Nominal:
    """A counter or what is pointed at, as a nominal; of a mark its name."""
    name = node.counter if isinstance(node, r.Transfer) else node.name
    rules = ctx.rules
    decl = rules.counters.get(name) or rules.pointers.get(name) or rules.marks[name]
    of, at = index(ctx, node.of, decl.var.of), index(ctx, node.at, decl.var.at)
    template = ctx.lexicon.template(name)
    if template is not None and name not in rules.marks:
        return fixed(ctx, filled(ctx, template.text, fillers(decl.var, of, at)))
    said = nominal(ctx, named_noun(ctx, name, decl.var.clauses), plural=_is_counted(ctx, name))
    if decl.var.of == "seat" and isinstance(of, Nominal):
        said = replace(said, owner=of)
    if said.plural and ctx.say.language == "hu" and name in rules.counters and not said.owner_mark:
        said = fixed(ctx, ctx.say("amount-of", things=said))
    return said.with_after(whereabouts(ctx, decl.var, of, at).strip())


def _is_counted(ctx: BookContext, name: str) -> bool:
    """Whether a counter is called by what it counts: `points`."""
    written = ctx.lexicon.nouns.get(name, "")
    return "," in written or grammar(ctx).is_plural(written or ctx.lexicon.labels.get(name, ""))


def named_noun(ctx: BookContext, name: str, clauses: tuple[str, ...]) -> Noun:
    """The noun of a declaration; without words in the language the heading of its clause."""
    if name in ctx.lexicon.nouns or ctx.lexicon.labels.get(name):
        return noun(ctx, name)
    return titled(ctx, name, clauses)


def unit(ctx: BookContext, name: str) -> Noun:
    """What a counter counts."""
    return named_noun(ctx, name, ctx.rules.counters[name].var.clauses)


def _slot(ctx: BookContext, zone: r.InZone, top: bool) -> Nominal:
    things = pieces_at(ctx, zone)
    found = nominal(ctx, things.noun)
    if top:
        found = replace(found, one=ctx.say("noun-top", noun=found.one), many="")
    if things.place is not None:
        place = things.place.name
        if (
            not top
            and not place.fixed
            and grammar(ctx).singular(place.one) == grammar(ctx).singular(found.one)
        ):
            return replace(place, plural=False)
        return found.with_after(
            things.place.out_of() if things.place.manner == "among" else things.place.at()
        )
    return replace(found, owner=things.owner).with_after(things.after)


# ---- columns


def column_fillers(ctx: BookContext, node: r.ColumnOf, owner: Filler) -> dict[str, Filler]:
    key: Filler = worded(ctx, node.key) if node.key is not None else ""
    name = type_name(node.owner.type).removesuffix(" row") or "it"
    return {"it": owner, name: owner, "key": key, node.column.keyed_by or "key": key}


def column_noun(ctx: BookContext, node: r.ColumnOf) -> Noun:
    owner = type_name(node.owner.type).removesuffix(" row") or "it"
    lexicon = ctx.lexicon
    key = lexicon.column(owner, node.column.name, lexicon.nouns)
    if key not in lexicon.nouns:
        key = lexicon.column(owner, node.column.name, lexicon.labels)
    return noun(ctx, key)


def _column(ctx: BookContext, node: r.ColumnOf) -> Nominal:
    owner = _nominal(ctx, worded(ctx, node.owner))
    template = column_template(ctx, node)
    if template is not None and not template.compares:
        return fixed(ctx, filled(ctx, template.text, column_fillers(ctx, node, owner)))
    found = owned(owner, nominal(ctx, column_noun(ctx, node)))
    return found.with_after(f"({worded(ctx, node.key)})" if node.key is not None else "")


def _class(ctx: BookContext, piece: Filler, kind: object) -> Nominal:
    match kind:
        case IntType():
            return fixed(ctx, ctx.say("number-on", it=piece))
        case _ if kind == SEAT:
            return owned(piece, Nominal(grammar(ctx), ctx.say("noun-owner")))
        case EnumType(name) if name.endswith(" row"):
            return owned(piece, Nominal(grammar(ctx), ctx.say("noun-kind")))
        case EnumType(name):
            return owned(piece, nominal(ctx, noun(ctx, name)))
    return _nominal(ctx, piece)


# ---- arithmetic


def _part(ctx: BookContext, node: r.Expr) -> Filler:
    """An operand, in brackets where it needs them."""
    node = ctx.folding.expr(node)
    said = worded(ctx, node)
    if isinstance(node, r.Arith | r.Cond) or (isinstance(node, r.FoldOf) and str(said).endswith(",")):
        return fixed(ctx, f"({str(said).rstrip(',')})")
    return said


def _arithmetic(ctx: BookContext, node: r.Arith) -> Nominal:
    left, right = ctx.folding.expr(node.left), ctx.folding.expr(node.right)
    zero = isinstance(left, r.Const) and not left.value
    match node.op:
        case "+" if zero:
            return _nominal(ctx, worded(ctx, right))
        case "+" if (ring := on_ring(node)) is not None:
            return fixed(ctx, ctx.say("on-ring", it=worded(ctx, ring[0]), size=ring[1]))
        case "-" if zero:
            return fixed(ctx, ctx.say("minus-it", it=_part(ctx, right)))
        case "+":
            return fixed(ctx, ctx.say("plus", left=_sum(ctx, left), right=_part(ctx, right)))
        case "-":
            return fixed(ctx, ctx.say("minus", left=_sum(ctx, left), right=_part(ctx, right)))
        case "*" if isinstance(left, r.Const):
            return fixed(ctx, ctx.say("times", number=_so_many_times(ctx, left.value), it=_part(ctx, right)))
        case "*" if isinstance(right, r.Const):
            return fixed(ctx, ctx.say("times", number=_so_many_times(ctx, right.value), it=_part(ctx, left)))
        case "*":
            return fixed(ctx, ctx.say("product", left=_part(ctx, left), right=_part(ctx, right)))
        case "div":
            less = rounded_up(node)
            up, dividend = ("", left) if less is None else ("-up", less)
            if isinstance(right, r.Const) and right.value == 2:
                return fixed(ctx, ctx.say(f"half{up}", it=_part(ctx, dividend)))
            said = {"left": _part(ctx, dividend), "right": _part(ctx, right)}
            return fixed(ctx, ctx.say(f"divided{up}", **said))
        case "mod":
            return fixed(ctx, ctx.say("remainder", left=_part(ctx, left), right=_part(ctx, right)))
    assert_never(node.op)


def _so_many_times(ctx: BookContext, number: int) -> str:
    return hungarian.multiple(number) if ctx.say.language == "hu" else str(number)


def _sum(ctx: BookContext, node: r.Expr) -> Filler:
    """The first part of a sum, which needs no brackets if it is one."""
    return worded(ctx, node) if isinstance(node, r.Arith) and node.op in ("+", "-") else _part(ctx, node)


def _extreme(ctx: BookContext, kind: str, items: Sequence[r.Expr]) -> Nominal:
    consts = [x for x in items if isinstance(x, r.Const)]
    others = [x for x in items if not isinstance(x, r.Const)]
    if len(consts) == 1 and len(others) == 1:
        frame = "but-at-most" if kind == "min" else "but-at-least"
        return fixed(ctx, ctx.say(frame, it=worded(ctx, others[0]), number=str(consts[0].value)))
    said = ctx.say.list([str(_part(ctx, x)) for x in items])
    return fixed(ctx, ctx.say("least-of" if kind == "min" else "most-of", things=said))


# ---- of several things


def _body(ctx: BookContext, node: r.Expr, binder: r.Binder) -> tuple[Node, str]:
    """What is said of each thing, and the mark of the thing."""
    with marked(ctx, binder.var) as ref:
        return worded(ctx, node), str(ref.id)


def _of_each(ctx: BookContext, body: Node, mark: str, things: NominalGroup, every: bool = True) -> str:
    """A body with the thing put in: `each card's price`."""
    thing = things.every() if every else nominal(ctx, things.noun)
    return put_in(ctx, str(body), mark, thing, things.noun.one)


def _fold(ctx: BookContext, node: r.FoldOf) -> Nominal:
    things = bound(ctx, node.binder)
    body, mark = _body(ctx, node.body, node.binder)
    match node.kind:
        case "sum" if things.single:
            if isinstance(body, Nominal) and body.owner is not None and body.owner.mark == mark:
                return replace(body, owner=things.one())
            return fixed(ctx, put_in(ctx, str(body), mark, things.one(), things.noun.one))
        case "sum":
            if isinstance(body, Nominal) and body.owner is not None and body.owner.mark == mark:
                key = replace(body, owner=things.whose(), plural=False)
                return fixed(ctx, ctx.say("sum-of", key=key))
            text = put_in(ctx, str(body), mark, nominal(ctx, things.noun).as_("that"), things.noun.one)
            return fixed(ctx, ctx.say("sum-over", things=things.all(), body=text))
        case "distinct":
            return fixed(ctx, ctx.say("distinct", key=key_of(ctx, body, mark, things), things=things.many()))
        case "min" | "max":
            frame = "lowest-of" if node.kind == "min" else "highest-of"
            return fixed(ctx, ctx.say(frame, key=key_of(ctx, body, mark, things), things=things.many()))
        case "all":
            return fixed(ctx, said_if(ctx, node))
    assert_never(node.kind)


def all_alike(ctx: BookContext, node: r.FoldOf) -> str:
    """That things have the same number, colour, …"""
    things = bound(ctx, node.binder)
    body, mark = _body(ctx, node.body, node.binder)
    return ctx.say("all-alike", key=key_of(ctx, body, mark, things), things=things.many())


def key_of(ctx: BookContext, body: Node, mark: str, things: NominalGroup) -> str:
    """What things are compared by, without the thing: `price`."""
    if isinstance(body, Nominal):
        if body.mark == mark:
            return things.noun.one
        if body.owner is not None and body.owner.mark == mark:
            return str(replace(body, owner=None, meant="", plural=False))
    return put_in(ctx, str(body), mark, nominal(ctx, things.noun).as_("a"), things.noun.one)


def keys_of(
    ctx: BookContext, keys: Sequence[r.Expr], kind: str, binder: r.Binder, things: NominalGroup
) -> str:
    """`the lowest price, and among equals the highest number`"""
    said = []
    for key in keys:
        by, negated = sign_of(ctx, key)
        body, mark = _body(ctx, by, binder)
        lowest = (kind == "lowest") is not negated
        said.append(ctx.say("key-lowest" if lowest else "key-highest", key=key_of(ctx, body, mark, things)))
    return f", {ctx.say('among-equals')} ".join(said)


def _pick(ctx: BookContext, node: r.PickOf) -> Nominal:
    things = bound(ctx, node.binder)
    if node.kind == "first":
        return fixed(ctx, ctx.say("first-of", things=things.many()))
    if not node.keys:
        return things.one()
    return fixed(
        ctx,
        ctx.say(
            "best-of", things=things.some(), keys=keys_of(ctx, node.keys, node.kind, node.binder, things)
        ),
    )


def ranked(ctx: BookContext, node: r.Ranked) -> NominalGroup:
    things = bound(ctx, node.binder)
    keys = keys_of(ctx, node.keys, node.kind, node.binder, things)
    best = things.such(f" ({keys})")
    if node.number is not None:
        best = best.such(f"({ctx.say('so-many-at-most', number=worded(ctx, node.number))})")
    return best


# ---- tables and values


def _looked_up(ctx: BookContext, node: r.LookUp) -> Nominal:
    keys = [_nominal(ctx, _part(ctx, k)) for k in node.keys]
    template = ctx.lexicon.template(node.table)
    if template is None:
        word = nominal(ctx, named_noun(ctx, node.table, ctx.rules.tables[node.table].clauses))
        return word.with_after(f"({ctx.say.list([str(k) for k in keys])})")
    kinds = ctx.rules.tables[node.table].over_types
    names = [k.type if isinstance(k, EnumType) else "number" for k in kinds]
    return fixed(ctx, filled(ctx, template.text, dict(zip(names, keys, strict=True))))


def use(ctx: BookContext, node: r.UseValue) -> Nominal:
    found = ctx.rules.values[node.value]
    arguments = [_nominal(ctx, worded(ctx, a)) for a in node.arguments]
    template = ctx.lexicon.template(node.value)
    if template is not None:
        text = filled(
            ctx, template.text, {p.name: a for p, a in zip(found.parameters, arguments, strict=True)}
        )
        return fixed(ctx, text)
    if is_in_place(ctx, found):
        return _nominal(ctx, in_place(ctx, found, node.arguments, True)[0])
    return labelled(ctx, found, arguments)


def labelled(ctx: BookContext, found: r.Value, arguments: Sequence[Nominal]) -> Nominal:
    """A value by its name, with its arguments."""
    word = nominal(ctx, named_noun(ctx, found.name, found.clauses))
    if not arguments:
        return word
    if not word.one.startswith("„") and (len(arguments) == 1 or arguments[0].you):
        rest = [str(a) for a in arguments[1:]]
        said = owned(arguments[0], word)
        return said.with_after(f"({', '.join(rest)})") if rest else said
    return word.with_after(f"({', '.join(str(a) or ctx.say('you') for a in arguments)})")


def is_in_place(ctx: BookContext, found: r.Value) -> bool:
    """Whether a value is written in place of its name, as it is in the first language."""
    return is_said_in_place(ctx.twin(), found)


def in_place(ctx: BookContext, found: r.Value, arguments: tuple[r.Expr, ...], positive: bool) -> list[Node]:
    """The definition of a value, or its negation."""
    ctx.depth += 1
    ctx.cite(found)
    with ctx.given(dict(zip(found.parameters, arguments, strict=True))), ctx.within(found):
        definition = ctx.folding.cases(found)[0].value
        flag = isinstance(ctx.folding.expr(definition).type, FlagType)
        nodes: list[Node] = ctx.clauses(definition, positive) if flag else [worded(ctx, definition)]
    ctx.depth -= 1
    return nodes

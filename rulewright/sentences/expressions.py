"""Expressions as noun phrases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import rules as r
from dsl.domains import SEAT, EffectType, EnumType, FlagType, IntType
from dsl.rules.visit import walk
from rulewright.sentences.collections import bound_things, direction_phrase
from rulewright.sentences.context import BookContext
from rulewright.sentences.english import is_many
from rulewright.sentences.names import ORDINALS, Template, type_name
from rulewright.sentences.numbers import arithmetic, extreme, factor, fold, pick
from rulewright.sentences.realise import belonging
from rulewright.sentences.state_vars import (
    OTHERWISE,
    combined_phrase,
    counter_phrase,
    mark_clause,
    part_phrase,
    pointer_phrase,
    slot_phrase,
    top_phrase,
)
from rulewright.sentences.syntax import YOU, Adjunct, Genitive, Node, phrase, series, the
from rulewright.sentences.templates import Fillers, filled, words

SMALL = 14
"""The most nodes of a value that is written in place of its name."""
LONG = 20
"""The most nodes of such a value together with those that are written in place in it."""
OFTEN = 3
SHORT = 7
"""The most nodes of a value that is written in place as often as `OFTEN`."""
DEEP = 4
OPPONENT = phrase("your opponent")


def expr_phrase(ctx: BookContext, node: r.Expr) -> Node:
    """A value as a noun phrase; a condition as a clause."""
    node = ctx.folding.expr(node)
    if isinstance(node.type, FlagType):
        return series(ctx.clauses(node))
    return value_phrase(ctx, node)


def value_phrase(ctx: BookContext, node: r.Expr) -> Node:
    match node:
        case r.Const(type=kind, value=value):
            return words(ctx.lexicon.value(kind, value))
        case r.Read(var=var):
            return ctx.name_of(var)
        case r.Special():
            return _special(ctx, node)
        case r.Setting(name=name):
            if name in ctx.lexicon.nouns:
                return words(ctx.lexicon.written(name))
            return the(ctx.lexicon.without_article(name))
        case r.ReadStateVar():
            return stored(ctx, node)
        case r.SlotPiece(zone=zone, top=top):
            return top_phrase(ctx, zone) if top else slot_phrase(ctx, zone)
        case r.OnlyDie(component=component):
            return the(ctx.lexicon.noun(component).one)
        case r.ColumnOf():
            return _column(ctx, node)
        case r.ClassOf():
            return _class(ctx, node)
        case r.PlaceOf(piece=piece, index=index):
            noun = "owner" if index == "seat" else ctx.lexicon.noun(index).one
            return belonging(ctx.expr(piece), noun)
        case r.Arith():
            return arithmetic(ctx, node)
        case r.Cond(condition=condition, then=then, otherwise=otherwise):
            asked = Adjunct("if", series(ctx.clauses(condition)))
            return phrase(part_phrase(ctx, then), asked, OTHERWISE, part_phrase(ctx, otherwise))
        case r.SizeOf(collection=collection):
            return the("number", Adjunct("of", ctx.collection(collection).many()))
        case r.AnyOf(binder=binder):
            return the("number", Adjunct("of", bound_things(ctx, binder).many()))
        case r.FoldOf():
            return fold(ctx, node)
        case r.Extreme():
            return extreme(ctx, node)
        case r.PickOf():
            return pick(ctx, node)
        case r.LookUp():
            return _looked_up(ctx, node)
        case r.UseValue():
            return _use(ctx, node)
        case r.TimesRecorded(history=history):
            label = ctx.lexicon.label(history)
            return the("number", Adjunct("of", phrase("times that the same", label, "has been noted before")))
        case r.Successor():
            return _step_to(ctx, node)
        case r.Ordinal(decl=decl, operand=operand):
            return _place_among(ctx, ctx.rules.types[decl], operand)
        case r.Numeral(operand=operand):
            return ctx.expr(operand)
        case r.Combined(parts=parts):
            return combined_phrase(ctx, node.decl, tuple(ctx.expr(part) for part in parts))
        case r.DirectedStep():
            return _toward(ctx, node)
        case r.Gathered(collection=collection):
            return phrase("the set of", ctx.collection(collection).many())
        case r.Cmp() | r.Both() | r.Neg() | r.Empty() | r.IsIn() | r.CanDo():
            return series(ctx.clauses(node))
    assert_never(node)


def _special(ctx: BookContext, node: r.Special) -> Node:
    match node.what:
        case "me":
            return YOU
        case "active":
            return ctx.active
        case "self":
            return ctx.acting
        case "opponent":
            return OPPONENT
        case "seats_playing":
            return the("number", Adjunct("of", ctx.lexicon.player.many))
    assert_never(node.what)


def stored(ctx: BookContext, node: r.ReadStateVar) -> Node:
    """What is counted or pointed at; of a mark the clause that says that it is there."""
    match node.kind:
        case "counter":
            return counter_phrase(ctx, node)
        case "pointer":
            return pointer_phrase(ctx, node)
        case "mark":
            return mark_clause(ctx, node, True)
    assert_never(node.kind)


# ---- things and what belongs to them


def _column(ctx: BookContext, node: r.ColumnOf) -> Node:
    owner = ctx.expr(node.owner)
    template = column_template(ctx, node)
    if template is not None and not template.compares:
        return filled(template.text, column_fillers(ctx, node, owner))
    noun = column_noun(ctx, node)
    key = Adjunct("for", ctx.expr(node.key)) if node.key is not None else ""
    return phrase(belonging(owner, noun), key, plural=is_many(noun))


def column_noun(ctx: BookContext, node: r.ColumnOf) -> str:
    """The noun of a column: `price`, or `printed price` if a value has the same name."""
    noun = ctx.lexicon.column_noun(_owner(node), node.column.name).one
    if isinstance(node.column.type, EffectType) and noun == node.column.name.replace("_", " "):
        return f"effect “{noun}”" if "_" in node.column.name else noun
    plain = noun == ctx.lexicon.label(node.column.name) and node.column.name in ctx.rules.values
    return f"printed {noun}" if plain else noun


def column_template(ctx: BookContext, node: r.ColumnOf) -> Template | None:
    return ctx.lexicon.column_template(_owner(node), node.column.name)


def column_fillers(ctx: BookContext, node: r.ColumnOf, owner: Node) -> Fillers:
    key = ctx.expr(node.key) if node.key is not None else ""
    return {"it": owner, _owner(node): owner, "key": key, node.column.keyed_by or "key": key}


def _class(ctx: BookContext, node: r.ClassOf) -> Node:
    piece = ctx.expr(node.piece)
    match node.type:
        case IntType():
            return the("number", Adjunct("on", piece))
        case _ if node.type == SEAT:
            return belonging(piece, "owner")
        case EnumType(name) if name.endswith(" row"):
            return belonging(piece, "kind")
        case EnumType(name):
            return the(ctx.lexicon.noun(name).one, "that", piece, "shows")
    return piece


def _owner(node: r.ColumnOf) -> str:
    """The name of the type or component that has a column."""
    return type_name(node.owner.type).removesuffix(" row") or "it"


# ---- types with an order, and products


def _place_among(ctx: BookContext, decl: r.TypeDecl, operand: r.Expr) -> Node:
    """`the place of the rank in the order of ranks`; `your place in the order of players`."""
    noun = ctx.lexicon.noun(decl.name)
    return phrase(belonging(ctx.expr(operand), "place"), f"in the order of {noun.many}")


# ---- boards


def _toward(ctx: BookContext, node: r.DirectedStep) -> Node:
    place, way = ctx.expr(node.place), direction_phrase(ctx, node.direction)
    noun = ctx.lexicon.noun(node.decl).one
    if node.number is None:
        return the(f"next {noun}", Adjunct("from", place), Adjunct("in", way))
    steps = ("that lies", ctx.expr(node.number), "steps")
    return the(noun, *steps, Adjunct("from", place), Adjunct("in", way))


def _step_to(ctx: BookContext, node: r.Successor) -> Node:
    """`the pit after it`, `the second pit after it`; of two players the other one."""
    number, operand = 1, ctx.folding.expr(node.operand)
    while isinstance(operand, r.Successor) and operand.by == node.by:
        number, operand = number + 1, ctx.folding.expr(operand.operand)
    said = ctx.expr(operand)
    if node.decl == "seat" and ctx.rules.seats == (2, 2):
        return _other_player(said) if number % 2 else said
    which = f"{ORDINALS[number - 1]} " if number > 1 else ""
    noun = f"{which}{ctx.lexicon.noun(node.decl).one}"
    return the(noun, Adjunct("after" if node.by > 0 else "before", said))


def _other_player(player: Node) -> Node:
    if player == OPPONENT:
        return YOU
    return OPPONENT if player == YOU else belonging(player, "opponent")


# ---- tables and values


def _looked_up(ctx: BookContext, node: r.LookUp) -> Node:
    keys = [factor(k, ctx.expr(k)) for k in node.keys]
    template = ctx.lexicon.template(node.table)
    if template is None:
        return the(ctx.lexicon.noun(node.table).one, Adjunct("for", series(keys)))
    kinds = ctx.rules.tables[node.table].over_types
    names = [k.type if isinstance(k, EnumType) else "number" for k in kinds]
    return filled(template.text, dict(zip(names, keys, strict=True)))


def _use(ctx: BookContext, node: r.UseValue) -> Node:
    value = ctx.rules.values[node.value]
    arguments = [ctx.expr(a) for a in node.arguments]
    template = ctx.lexicon.template(node.value)
    if template is not None:
        return filled(template.text, value_fillers(value, arguments))
    if is_said_in_place(ctx, value):
        return said_in_place(ctx, value, node.arguments, True)[0]
    return labelled_value(ctx, value, arguments)


def labelled_value(ctx: BookContext, value: r.Value, arguments: Sequence[Node]) -> Node:
    label = ctx.lexicon.noun(value.name).one
    if list(arguments) == [YOU]:
        return phrase(Genitive(YOU), label, plural=is_many(label))
    return the(label, Adjunct("of", series(arguments)) if arguments else "", plural=is_many(label))


def value_fillers(value: r.Value, arguments: Sequence[Node]) -> Fillers:
    return {p.name: a for p, a in zip(value.parameters, arguments, strict=True)}


def is_said_in_place(ctx: BookContext, value: r.Value) -> bool:
    """Whether a value has no words of its own and is short enough to be written in place of its name."""
    if ctx.lexicon.is_named(value.name) or value.modifiers or ctx.depth >= DEEP:
        return False
    cases, inner = ctx.folding.cases(value), ctx.folding.within(value)
    if any(let.var not in inner.given for let in value.lets):
        return False
    definition = inner.expr(cases[0].value) if value.lets else cases[0].value
    if len(cases) > 1 or weight(definition) > SMALL or _deep_weight(ctx, definition) > LONG:
        return False
    return ctx.usage.values[value.name] < OFTEN or weight(definition) <= SHORT


def weight(node: r.Expr) -> int:
    """How many parts an expression has that somebody would have to read."""
    return sum(1 for part in walk(node) if not isinstance(part, r.Const))


def _deep_weight(ctx: BookContext, node: r.Expr) -> int:
    """The weight of a definition together with those of the values in it that have no words of their own."""
    used = [ctx.rules.values[part.value] for part in walk(node) if isinstance(part, r.UseValue)]
    inner = [value.cases[0].value for value in used if not ctx.lexicon.is_named(value.name)]
    return weight(node) + sum(_deep_weight(ctx, definition) for definition in inner)


def said_in_place(
    ctx: BookContext, value: r.Value, arguments: tuple[r.Expr, ...], positive: bool
) -> list[Node]:
    """The definition of a value: a noun phrase, or clauses that all hold."""
    ctx.depth += 1
    ctx.cite(value)
    with ctx.given(dict(zip(value.parameters, arguments, strict=True))), ctx.within(value):
        definition = ctx.folding.cases(value)[0].value
        flag = isinstance(ctx.folding.expr(definition).type, FlagType)
        nodes = ctx.clauses(definition, positive) if flag else [ctx.expr(definition)]
    ctx.depth -= 1
    return nodes

"""Expressions: numbers, things and people as noun phrases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dsl import rules as r
from dsl.domains import SEAT, EnumType, FlagType, IntType, PieceType, Type
from dsl.rules.visit import walk
from rulewright.rulebook.collections import bound_things, way_of
from rulewright.rulebook.english import is_many
from rulewright.rulebook.names import ORDINALS, Phrase
from rulewright.rulebook.numbers import arithmetic, extreme, factor, fold, pick
from rulewright.rulebook.phrases import Holes, filled, words
from rulewright.rulebook.realise import belonging
from rulewright.rulebook.state_vars import counter_phrase, mark_clause, pointer_phrase, slot_phrase
from rulewright.rulebook.syntax import YOU, Adjunct, Genitive, Node, phrase, series, the
from rulewright.rulebook.voice import Voice

SMALL = 14
"""The most parts that a value may have to be said where it is used."""
DEEP = 4
OPPONENT = phrase("your opponent")


def expr_phrase(voice: Voice, node: r.Expr) -> Node:
    """A value as a noun phrase; a condition as a clause."""
    node = voice.folding.expr(node)
    if isinstance(node.type, FlagType):
        return series(voice.clauses(node))
    return value_phrase(voice, node)


def value_phrase(voice: Voice, node: r.Expr) -> Node:
    match node:
        case r.Const(type=kind, value=value):
            return words(voice.lexicon.value(kind, value))
        case r.Read(var=var):
            return voice.name_of(var)
        case r.Special():
            return _special(voice, node)
        case r.Setting(name=name):
            if name in voice.lexicon.nouns:
                return words(voice.lexicon.noun(name).one)
            return the(voice.lexicon.label(name))
        case r.ReadStateVar():
            return _stored(voice, node)
        case r.SlotPiece(zone=zone):
            return slot_phrase(voice, zone)
        case r.OnlyDie(component=component):
            return the(voice.lexicon.noun(component).one)
        case r.ColumnOf():
            return _column(voice, node)
        case r.ClassOf():
            return _class(voice, node)
        case r.PlaceOf(piece=piece, index=index):
            noun = "owner" if index == "seat" else voice.lexicon.noun(index).one
            return belonging(voice.expr(piece), noun)
        case r.Arith():
            return arithmetic(voice, node)
        case r.Cond(condition=condition, then=then, otherwise=otherwise):
            asked = Adjunct("if", series(voice.clauses(condition)))
            return phrase(voice.expr(then), asked, ", otherwise", voice.expr(otherwise))
        case r.SizeOf(collection=collection):
            return the("number", Adjunct("of", voice.collection(collection).many()))
        case r.AnyOf(binder=binder):
            return the("number", Adjunct("of", bound_things(voice, binder).many()))
        case r.FoldOf():
            return fold(voice, node)
        case r.Extreme():
            return extreme(voice, node)
        case r.PickOf():
            return pick(voice, node)
        case r.LookUp():
            return _looked_up(voice, node)
        case r.UseValue():
            return _use(voice, node)
        case r.Successor():
            return _step_to(voice, node)
        case r.DirectedStep():
            return _toward(voice, node)
        case r.Cmp() | r.Both() | r.Neg() | r.Empty() | r.IsIn() | r.CanDo():
            return series(voice.clauses(node))
    assert_never(node)


def _special(voice: Voice, node: r.Special) -> Node:
    match node.what:
        case "me":
            return YOU
        case "active":
            return voice.active
        case "self":
            return voice.acting
        case "opponent":
            return OPPONENT
        case "seats_playing":
            return the("number", Adjunct("of", "players"))
    assert_never(node.what)


def _stored(voice: Voice, node: r.ReadStateVar) -> Node:
    match node.kind:
        case "counter":
            return counter_phrase(voice, node)
        case "pointer":
            return pointer_phrase(voice, node)
        case "mark":
            return mark_clause(voice, node, True)
    assert_never(node.kind)


# ---- things and what belongs to them


def _column(voice: Voice, node: r.ColumnOf) -> Node:
    owner = voice.expr(node.owner)
    written = column_written(voice, node)
    if written is not None and not written.compares:
        return filled(written.text, column_holes(voice, node, owner))
    noun = column_noun(voice, node)
    key = Adjunct("for", voice.expr(node.key)) if node.key is not None else ""
    return phrase(belonging(owner, noun), key, plural=is_many(noun))


def column_noun(voice: Voice, node: r.ColumnOf) -> str:
    """`price`; one that a value shares its name with is the printed one."""
    noun = voice.lexicon.column_noun(_kind(node.owner.type), node.column.name).one
    plain = noun == voice.lexicon.label(node.column.name) and node.column.name in voice.rules.values
    return f"printed {noun}" if plain else noun


def column_written(voice: Voice, node: r.ColumnOf) -> Phrase | None:
    return voice.lexicon.column_phrase(_kind(node.owner.type), node.column.name)


def column_holes(voice: Voice, node: r.ColumnOf, owner: Node) -> Holes:
    key = voice.expr(node.key) if node.key is not None else ""
    return {"it": owner, _kind(node.owner.type): owner, "key": key, node.column.keyed_by or "key": key}


def _class(voice: Voice, node: r.ClassOf) -> Node:
    piece = voice.expr(node.piece)
    match node.type:
        case IntType():
            return the("number", Adjunct("on", piece))
        case _ if node.type == SEAT:
            return belonging(piece, "owner")
        case EnumType(name) if name.endswith(" row"):
            return belonging(piece, "kind")
        case EnumType(name):
            return the(voice.lexicon.noun(name).one, "that", piece, "shows")
    return piece


def _kind(kind: Type) -> str:
    """The name of what has columns."""
    match kind:
        case EnumType(name):
            return name.removesuffix(" row")
        case PieceType(component):
            return component
    return "it"


# ---- boards


def _toward(voice: Voice, node: r.DirectedStep) -> Node:
    place, way = voice.expr(node.place), way_of(voice, node.direction)
    noun = voice.lexicon.noun(node.decl).one
    if node.number is None:
        return the(f"next {noun}", Adjunct("from", place), Adjunct("in", way))
    steps = ("that lies", voice.expr(node.number), "steps")
    return the(noun, *steps, Adjunct("from", place), Adjunct("in", way))


def _step_to(voice: Voice, node: r.Successor) -> Node:
    """`the pit after it`, `the second pit after it`; of two players the other one."""
    number, operand = 1, voice.folding.expr(node.operand)
    while isinstance(operand, r.Successor) and operand.by == node.by:
        number, operand = number + 1, voice.folding.expr(operand.operand)
    said = voice.expr(operand)
    if node.decl == "seat" and voice.rules.seats == (2, 2):
        return _other_player(said) if number % 2 else said
    which = f"{ORDINALS[number - 1]} " if number > 1 else ""
    noun = f"{which}{voice.lexicon.noun(node.decl).one}"
    return the(noun, Adjunct("after" if node.by > 0 else "before", said))


def _other_player(player: Node) -> Node:
    if player == OPPONENT:
        return YOU
    return OPPONENT if player == YOU else phrase(Genitive(player), "opponent")


# ---- tables and values


def _looked_up(voice: Voice, node: r.LookUp) -> Node:
    keys = [factor(k, voice.expr(k)) for k in node.keys]
    written = voice.lexicon.phrase(node.table)
    if written is None:
        return the(voice.lexicon.label(node.table), Adjunct("for", series(keys)))
    kinds = voice.rules.tables[node.table].over_types
    names = [k.type if isinstance(k, EnumType) else "number" for k in kinds]
    return filled(written.text, dict(zip(names, keys, strict=True)))


def _use(voice: Voice, node: r.UseValue) -> Node:
    value = voice.rules.values[node.value]
    arguments = [voice.expr(a) for a in node.arguments]
    written = voice.lexicon.phrase(node.value)
    if written is not None:
        return filled(written.text, value_holes(value, arguments))
    if is_said_in_place(voice, value):
        return said_in_place(voice, value, node.arguments, True)[0]
    return labelled_value(voice, value, arguments)


def labelled_value(voice: Voice, value: r.Value, arguments: Sequence[Node]) -> Node:
    label = voice.lexicon.noun(value.name).one
    return the(label, Adjunct("of", series(arguments)) if arguments else "", plural=is_many(label))


def value_holes(value: r.Value, arguments: Sequence[Node]) -> Holes:
    return {p.name: a for p, a in zip(value.parameters, arguments, strict=True)}


def is_said_in_place(voice: Voice, value: r.Value) -> bool:
    """Whether a value has no name of its own and is short enough to be said where it is used."""
    if voice.lexicon.is_named(value.name) or value.modifiers or voice.depth >= DEEP:
        return False
    cases = voice.folding.cases(value)
    parts = walk(cases[0].value)
    return len(cases) == 1 and sum(1 for part in parts if not isinstance(part, r.Const)) <= SMALL


def said_in_place(voice: Voice, value: r.Value, arguments: tuple[r.Expr, ...], so: bool) -> list[Node]:
    """What a value comes to: a noun phrase, or clauses that all hold."""
    voice.depth += 1
    voice.cite(value)
    with voice.given(dict(zip(value.parameters, arguments, strict=True))):
        found = voice.folding.cases(value)[0].value
        flag = isinstance(voice.folding.expr(found).type, FlagType)
        said = voice.clauses(found, so) if flag else [voice.expr(found)]
    voice.depth -= 1
    return said

"""Expressions: numbers, things and people as the parts of sentences."""

from __future__ import annotations

import re
from typing import assert_never

from dsl import rules as r
from dsl.domains import SEAT, Elem, Flag, Int, Piece, Type
from dsl.rules.walk import walk
from rulewright.prose.collections import bound_things, way_of
from rulewright.prose.english import belonging, is_plural_word, listed, possessive
from rulewright.prose.names import ORDINALS, Phrase
from rulewright.prose.nominals import Described, Things, referring
from rulewright.prose.stores import bracketed, counter_phrase, mark_clause, part, pointer_phrase, slot_phrase
from rulewright.prose.voice import Voice

SMALL = 14
"""The most parts that a value may have to be said where it is used."""
DEEP = 4


def expr_phrase(voice: Voice, node: r.Expr) -> str:
    """A value as a noun phrase; a condition as a clause."""
    node = voice.folding.expr(node)
    if isinstance(node.type, Flag):
        return listed(voice.clauses(node))
    return value_phrase(voice, node)


def value_phrase(voice: Voice, node: r.Expr) -> str:
    match node:
        case r.Const(type=kind, value=value):
            return voice.lexicon.value(kind, value)
        case r.Read(var=var):
            return voice.name_of(var)
        case r.Special():
            return _special(voice, node)
        case r.Setting(name=name):
            return (
                voice.lexicon.noun(name).one
                if name in voice.lexicon.nouns
                else f"the {voice.lexicon.label(name)}"
            )
        case r.ReadStore():
            return _store(voice, node)
        case r.SlotPiece(zone=zone):
            return slot_phrase(voice, zone)
        case r.OnlyDie(component=component):
            return f"the {voice.lexicon.noun(component).one}"
        case r.ColumnOf():
            return _column(voice, node)
        case r.ClassOf():
            return _class(voice, node)
        case r.PlaceOf(piece=piece, index=index):
            return belonging(voice.expr(piece), "owner" if index == "seat" else voice.lexicon.noun(index).one)
        case r.Arith():
            return _arith(voice, node)
        case r.Cond(condition=condition, then=then, otherwise=otherwise):
            asked = listed(voice.clauses(condition))
            return f"{voice.expr(then)} if {asked}, otherwise {voice.expr(otherwise)}"
        case r.SizeOf(group=group):
            return f"the number of {voice.group(group).many()}"
        case r.AnyOf(binder=binder):
            return f"the number of {bound_things(voice, binder).many()}"
        case r.FoldOf():
            return _fold(voice, node)
        case r.Extreme():
            return _extreme(voice, node)
        case r.PickOf():
            return _pick(voice, node)
        case r.LookUp():
            return _looked_up(voice, node)
        case r.UseValue():
            return _use(voice, node)
        case r.Step():
            return _step_to(voice, node)
        case r.Toward():
            return _toward(voice, node)
        case r.Cmp() | r.Both() | r.Neg() | r.Empty() | r.IsIn() | r.CanDo():
            return listed(voice.clauses(node))
    assert_never(node)


def _special(voice: Voice, node: r.Special) -> str:
    match node.what:
        case "me":
            return "you"
        case "active":
            return voice.active
        case "self":
            return voice.acting
        case "opponent":
            return "your opponent"
        case "seats_playing":
            return "the number of players"
    assert_never(node.what)


def _store(voice: Voice, node: r.ReadStore) -> str:
    match node.kind:
        case "counter":
            return counter_phrase(voice, node)
        case "pointer":
            return pointer_phrase(voice, node)
        case "mark":
            return mark_clause(voice, node, True)
    assert_never(node.kind)


# ---- things and what belongs to them


def _column(voice: Voice, node: r.ColumnOf) -> str:
    owner = voice.expr(node.owner)
    key = voice.expr(node.key) if node.key is not None else ""
    phrase = column_phrase(voice, node)
    if phrase is not None and not phrase.compares:
        return voice.filled(phrase, column_holes(voice, node, owner, key))
    after = f" for {key}" if key else ""
    return f"{belonging(owner, column_noun(voice, node))}{after}"


def column_noun(voice: Voice, node: r.ColumnOf) -> str:
    """`price`; one that a value shares its name with is the printed one."""
    noun = voice.lexicon.column_noun(_kind(node.owner.type), node.column.name).one
    plain = noun == voice.lexicon.label(node.column.name) and node.column.name in voice.rules.values
    return f"printed {noun}" if plain else noun


def column_phrase(voice: Voice, node: r.ColumnOf) -> Phrase | None:
    return voice.lexicon.column_phrase(_kind(node.owner.type), node.column.name)


def column_holes(voice: Voice, node: r.ColumnOf, owner: str, key: str) -> dict[str, str]:
    named = _kind(node.owner.type)
    return {"it": owner, named: owner, "key": key, node.column.keyed_by or "key": key}


def _class(voice: Voice, node: r.ClassOf) -> str:
    piece = voice.expr(node.piece)
    match node.type:
        case Int():
            return f"the number on {piece}"
        case _ if node.type == SEAT:
            return belonging(piece, "owner")
        case Elem(name) if name.endswith(" row"):
            return belonging(piece, "kind")
        case Elem(name):
            return f"the {voice.lexicon.noun(name).one} that {piece} shows"
    return piece


# ---- numbers


def _arith(voice: Voice, node: r.Arith) -> str:
    left, right = part(voice, node.left), part(voice, node.right)
    match node.op:
        case "+" if (round_ := _going_round(node)) is not None:
            inner, size = round_
            return f"{voice.expr(inner)} (after {size} comes 1, and before 1 comes {size})"
        case "+":
            return f"{left} plus {right}"
        case "-":
            return f"minus {right}" if left == "0" else f"{left} minus {right}"
        case "*":
            first = "twice" if left == "2" else f"{_factor(node.left, left)} times"
            return f"{first} {_factor(node.right, right)}"
        case "div":
            parts = {"2": "half of", "3": "a third of", "4": "a quarter of"}
            whole = _factor(node.left, left)
            said = f"{parts[right]} {whole}" if right in parts else f"{whole} divided by {right}"
            return f"{said}, rounded down"
        case "mod":
            return f"what is left over when {left} is divided by {right}"
    assert_never(node.op)


def _extreme(voice: Voice, node: r.Extreme) -> str:
    """`the smaller of … and …`; with a number among them `…, but at least 0`."""
    consts = [x for x in node.items if isinstance(x, r.Const)]
    others = [part(voice, x) for x in node.items if not isinstance(x, r.Const)]
    if len(consts) == 1 and len(others) == 1:
        word = "at most" if node.kind == "min" else "at least"
        return f"{others[0]} (but {word} {consts[0].value})"
    words = ("smaller", "smallest") if node.kind == "min" else ("greater", "greatest")
    said = [part(voice, x) for x in node.items]
    return f"the {words[len(said) > 2]} of {listed(said)}"


def _fold(voice: Voice, node: r.FoldOf) -> str:
    things = bound_things(voice, node.binder)
    with voice.marked(node.binder.var) as mark:
        body = voice.expr(node.body)
    match node.kind:
        case "sum":
            return _summed(mark, body, things)
        case "distinct":
            return f"the number of different values of {said_of(mark, body, things, things.every())}"
        case "min" | "max":
            word = "lowest" if node.kind == "min" else "highest"
            if isinstance(things, Things) and not things.after and not things.owner.strip("'s"):
                return f"the {word} {body.replace(mark, f'any {things.noun.one}').removeprefix('the ')}"
            return f"the {word} {key_of(mark, body, things)} among {things.many()}"
        case "all":
            return listed(voice.clauses(node))
    assert_never(node.kind)


def _pick(voice: Voice, node: r.PickOf) -> str:
    things = bound_things(voice, node.binder)
    with voice.marked(node.binder.var) as mark:
        keys = [_best(voice, mark, node.kind, k, things) for k in node.keys]
    best = f" with {listed(keys, 'and among equals')}" if keys else ""
    if not isinstance(things, Things):
        return f"the one among {things.many()}{best}"
    return f"the {things.some().removeprefix('a ').removeprefix('an ')}{best}"


def _best(voice: Voice, mark: str, kind: str, key: r.Expr, things: Described) -> str:
    """`the lowest price`; the lowest of what is taken away is the highest."""
    match voice.folding.expr(key):
        case r.Arith(op="-", left=r.Const(value=0), right=right):
            key, kind = right, "highest" if kind == "lowest" else "lowest"
    said = key_of(mark, voice.expr(key), things)
    many = " " not in said and is_plural_word(said)
    return f"the {kind} {'number of ' if many else ''}{said}"


# ---- boards


def _toward(voice: Voice, node: r.Toward) -> str:
    place, way = voice.expr(node.place), way_of(voice.expr(node.direction))
    noun = voice.lexicon.noun(node.decl).one
    if node.number is None:
        return f"the next {noun} from {place} in {way}"
    return f"the {noun} that lies {voice.expr(node.number)} steps from {place} in {way}"


def _step_to(voice: Voice, node: r.Step) -> str:
    """`the pit after it`, `the second pit after it`; of two players the other one."""
    number, operand = 1, voice.folding.expr(node.operand)
    while isinstance(operand, r.Step) and operand.by == node.by:
        number, operand = number + 1, voice.folding.expr(operand.operand)
    said = voice.expr(operand)
    if node.decl == "seat" and voice.rules.seats == (2, 2):
        other = {"you": "your opponent", "your opponent": "you"}.get(said, f"{possessive(said)} opponent")
        return other if number % 2 else said
    which = f"{ORDINALS[number - 1]} " if number > 1 else ""
    return f"the {which}{voice.lexicon.noun(node.decl).one} {'after' if node.by > 0 else 'before'} {said}"


def _looked_up(voice: Voice, node: r.LookUp) -> str:
    keys = [_factor(k, voice.expr(k)) for k in node.keys]
    phrase = voice.lexicon.phrase(node.table)
    if phrase is None:
        return f"the {voice.lexicon.label(node.table)} for {listed(keys)}"
    kinds = voice.rules.tables[node.table].over_types
    names = [k.type if isinstance(k, Elem) else "number" for k in kinds]
    return voice.filled(phrase, dict(zip(names, keys, strict=True)))


# ---- values


def _use(voice: Voice, node: r.UseValue) -> str:
    value = voice.rules.values[node.value]
    arguments = [voice.expr(a) for a in node.arguments]
    phrase = voice.lexicon.phrase(node.value)
    if phrase is not None:
        return voice.filled(phrase, value_holes(voice, value, arguments))
    if is_said_in_place(voice, value):
        return _said_in_place(voice, value, node)
    label = voice.lexicon.noun(node.value).one
    return f"the {label} of {listed(arguments)}" if arguments else f"the {label}"


def value_holes(voice: Voice, value: r.Value, arguments: list[str]) -> dict[str, str]:
    return {p.name: a for p, a in zip(value.parameters, arguments, strict=True)}


def is_said_in_place(voice: Voice, value: r.Value) -> bool:
    """Whether a value has no name of its own and is short enough to be said where it is used."""
    if voice.lexicon.is_named(value.name) or value.modifiers or voice.depth >= DEEP:
        return False
    cases = voice.folding.cases(value)
    return (
        len(cases) == 1 and sum(1 for part in walk(cases[0].value) if not isinstance(part, r.Const)) <= SMALL
    )


def _said_in_place(voice: Voice, value: r.Value, node: r.UseValue) -> str:
    given = dict(zip(value.parameters, node.arguments, strict=True))
    voice.depth += 1
    voice.cite(value)
    with voice.given(given):
        said = voice.expr(voice.folding.cases(value)[0].value)
    voice.depth -= 1
    return said


def _kind(kind: Type) -> str:
    """The name of what has columns."""
    match kind:
        case Elem(name):
            return name.removesuffix(" row")
        case Piece(component):
            return component
    return "it"


def _factor(node: r.Expr, said: str) -> str:
    """Sums in products need to be told apart, and one of two values anywhere."""
    return f"({said})" if isinstance(node, r.Arith) and node.op in ("+", "-") else bracketed(node, said)


def _going_round(node: r.Arith) -> tuple[r.Expr, int] | None:
    """`(x + n - 1) mod n + 1` is x on a ring of the numbers 1 to n: gives x and n."""
    match node:
        case r.Arith(
            op="+", left=r.Arith(op="mod", left=sum_, right=r.Const(value=size)), right=r.Const(value=1)
        ):
            match sum_:
                case r.Arith(op="+", left=inner, right=r.Const(value=before)) if before == size - 1:
                    return inner, size
    return None


def _summed(mark: str, body: str, things: Described) -> str:
    """A sum: said shortly where it is of one thing of each, and these are simply all."""
    one = body.count(mark) == 1 and not re.search(r" (that|who|whose|where|which) ", things.every())
    if body.startswith(f"{mark}'s ") and body.count(mark) == 1:
        return f"the total {body.removeprefix(f'{mark}' + chr(39) + 's ')} of {things.all()}"
    if one and re.search(rf" (of|on|in|at|for) {mark}$", body):
        return f"{body.replace(mark, things.all())} together"
    if one and f"{mark}'s " in body:
        return f"the sum of {body.replace(mark, things.every())}"
    return f"the sum, over {things.all()}, of {body.replace(mark, f'the {things.noun.one}')}"


def said_of(mark: str, body: str, things: Described, every: str) -> str:
    """What is added up, said of each thing: `the number on each die`."""
    if body.count(mark) == 1 and (body.endswith(mark) or f"{mark}'s " in body):
        return body.replace(mark, every)
    return f"{body.replace(mark, f'the {things.noun.one}')}, for {every}"


def key_of(mark: str, body: str, things: Described) -> str:
    """What things are compared by, without saying of which: `cost`, `number`."""
    if body.startswith(f"{mark}'s "):
        return referring(mark, things, body.removeprefix(f"{mark}'s "))
    found = re.search(rf" (on|of|at) {mark}(?!')", body)
    if body.count(mark) == 1 and found is not None:
        return body.replace(found.group(), "", 1).removeprefix("the ")
    return referring(mark, things, body.removeprefix("the "))

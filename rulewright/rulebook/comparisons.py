"""Comparisons as clauses: `you have at least 3 coins`, `the card shows 3`, `your stone is on it`."""

from __future__ import annotations

from dsl import rules as r
from dsl.domains import NONE, SEAT, EnumType, IntType, Type
from rulewright.rulebook.collections import bound_things
from rulewright.rulebook.expressions import column_holes, column_noun, column_written
from rulewright.rulebook.numbers import key_of
from rulewright.rulebook.phrases import filled_clause
from rulewright.rulebook.realise import spell
from rulewright.rulebook.state_vars import (
    counter_phrase,
    index_phrase,
    indices,
    part_phrase,
    pieces_at,
    pointer_clause,
    unit_at,
)
from rulewright.rulebook.syntax import (
    YOU,
    Adjunct,
    Genitive,
    Indefinite,
    Node,
    clause,
    negate,
    phrase,
    quoted,
    there,
    undetermined,
)
from rulewright.rulebook.voice import Voice

DENIED = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
WORDS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
COMPARED = {
    "is": ("as many", "as"), "is not": ("as many", "as"), ">": ("more", "than"), "<": ("fewer", "than"),
    ">=": ("at least as many", "as"), "<=": ("at most as many", "as"),
}  # fmt: skip


def compared(voice: Voice, node: r.Cmp, so: bool) -> Node:
    left, right = node.left, node.right
    op: str = node.op
    if isinstance(left, r.Const) and not isinstance(right, r.Const):
        left, right, op = right, left, MIRRORED[op]
    if op in ("is", "is not"):
        return _same(voice, left, right, (op == "is") is so)
    return _ordered(voice, left, op if so else DENIED[op], right)


def _same(voice: Voice, left: r.Expr, right: r.Expr, so: bool) -> Node:
    if isinstance(right, r.ReadStateVar) and right.kind == "pointer" and not isinstance(left, r.ReadStateVar):
        left, right = right, left
    op = "is" if so else "is not"
    match left, right:
        case r.ReadStateVar(kind="pointer"), _:
            return pointer_clause(voice, left, right, so)
        case _, r.Const(value=value) if value == NONE:
            return _none(voice, left, so)
        case r.ReadStateVar(kind="counter"), _:
            return _counted(voice, left, op, right)
        case ((r.AnyOf() | r.SizeOf() | r.FoldOf(kind="distinct")), r.Const(value=number)):
            return _numbered(voice, left, op, number)
        case r.ColumnOf(), r.Const() if (written := column_written(voice, left)) and written.compares:
            holes = column_holes(voice, left, voice.expr(left.owner))
            return filled_clause(written, {**holes, "value": voice.expr(right)}, so)
        case r.Special(what="seats_playing"), r.Const(value=number):
            return _players(op, number)
    said = _equal(voice, left, right)
    return said if so else negate(said)


def _equal(voice: Voice, left: r.Expr, right: r.Expr) -> Node:
    match left, right:
        case r.ClassOf(), r.Const():
            return _of_class(voice, left, right)
        case r.ClassOf(type=kind), _ if kind != SEAT and not _is_row(kind):
            return clause(voice.expr(left.piece), "shows", voice.expr(right))
        case _ if left.type == SEAT:
            return _same_seat(voice, left, right)
    return clause(part_phrase(voice, left), "is", part_phrase(voice, right))


def _same_seat(voice: Voice, left: r.Expr, right: r.Expr) -> Node:
    pairs = ((left, right), (right, left))
    for a, b in pairs:
        if isinstance(a, r.Special) and a.what == "active":
            return clause(phrase("it"), "is", phrase(Genitive(voice.expr(b)), "turn"))
    for a, b in pairs:
        if isinstance(a, r.ClassOf | r.PlaceOf):
            return clause(voice.expr(a.piece), "belongs", Adjunct("to", voice.expr(b)))
    one, other = voice.expr(left), voice.expr(right)
    return clause(other, "is", one) if other == YOU else clause(one, "is", other)


def _none(voice: Voice, left: r.Expr, so: bool) -> Node:
    """Whether there is something at all."""
    match left:
        case r.SlotPiece(zone=zone):
            found = pieces_at(voice, zone)
            return found.empty() if so else found.exists()
        case r.ColumnOf():
            noun = column_noun(voice, left)
            return clause(voice.expr(left.owner), "has", f"no {noun}" if so else f"a {noun}")
        case r.Read(var=var):
            noun = voice.var_noun(var)
            return there(False, f"no such {noun}" if so else phrase("such", Indefinite((noun,))))
        case r.DirectedStep():
            return there(False, "no" if so else "a", undetermined(voice.expr(left)))
        case r.PickOf(binder=binder):
            things = bound_things(voice, binder)
            return things.empty() if so else things.exists()
    said = clause(voice.expr(left), "exists")
    return negate(said) if so else said


def _of_class(voice: Voice, left: r.ClassOf, right: r.Const) -> Node:
    piece, kind = voice.expr(left.piece), left.type
    if _is_row(kind):
        return clause(piece, "is", Indefinite((voice.lexicon.bare(right.type, right.value),)))
    if isinstance(kind, IntType):
        return clause(piece, "shows", str(right.value))
    if kind == SEAT:
        return clause(piece, "belongs", Adjunct("to", voice.expr(right)))
    return clause(piece, "shows", quoted(voice.expr(right)))


def _is_row(kind: Type) -> bool:
    return isinstance(kind, EnumType) and kind.type.endswith(" row")


# ---- more and less


def _ordered(voice: Voice, left: r.Expr, op: str, right: r.Expr) -> Node:
    match left, right:
        case r.ReadStateVar(kind="counter"), _:
            return _counted(voice, left, op, right)
        case ((r.AnyOf() | r.SizeOf()), r.Const(value=number)):
            return _numbered(voice, left, op, number)
        case r.Special(what="seats_playing"), r.Const(value=number):
            return _players(op, number)
    return clause(part_phrase(voice, left), "is", WORDS[op], part_phrase(voice, right))


def _counted(voice: Voice, left: r.ReadStateVar, op: str, right: r.Expr) -> Node:
    """`you have at least 5 coins`; compared with what is no number, `your coins are at least …`."""
    var = voice.rules.counters[left.name].var
    own = var.of == "seat"
    if own and isinstance(right, r.ReadStateVar) and right.name == left.name and left.at == right.at:
        return _more_than(voice, left, op, right)
    if own and isinstance(right, r.Const) and _is_unit(voice, left.name):
        of, at = indices(voice, var, left)
        return clause(of, "has", *unit_at(voice, var, of, at).amount(_how_many(op, right.value)))
    said = clause(counter_phrase(voice, left), "is", WORDS.get(op, ""), voice.expr(right))
    return negate(said) if op == "is not" else said


def _more_than(voice: Voice, left: r.ReadStateVar, op: str, right: r.ReadStateVar) -> Node:
    """`you have more chips than your opponent`"""
    var = voice.rules.counters[left.name].var
    owner, at = indices(voice, var, left)
    unit = unit_at(voice, var, owner, at)
    more, than = COMPARED[op]
    said = clause(owner, "has", more, unit.many, *unit.after, than, index_phrase(voice, right.of, var.of))
    return negate(said) if op == "is not" else said


def _is_unit(voice: Voice, name: str) -> bool:
    """Whether a counter counts things that somebody has."""
    return name in voice.lexicon.nouns or voice.lexicon.phrase(name) is None


def _numbered(voice: Voice, left: r.Expr, op: str, number: int) -> Node:
    if isinstance(left, r.FoldOf):
        return _distinct(voice, left, op, number)
    assert isinstance(left, r.AnyOf | r.SizeOf)
    things = (
        bound_things(voice, left.binder) if isinstance(left, r.AnyOf) else voice.collection(left.collection)
    )
    said = _how_many(op, number)
    if said == "no":
        return things.empty()
    if said == "at least 1":
        return things.exists()
    return things.there(said, said.endswith(" 1"))


def _distinct(voice: Voice, node: r.FoldOf, op: str, number: int) -> Node:
    things = bound_things(voice, node.binder)
    with voice.referent(node.binder.var) as ref:
        key = key_of(ref, voice.expr(node.body), things)
    if (op, number) == ("is", 1):
        return clause(things.all(), "has", "the same", key)
    return clause(things.many(), "has", _how_many(op, number), "different", f"{spell(key)}s")


def _how_many(op: str, number: int) -> str:
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


def _players(op: str, number: int) -> Node:
    """How many play: `at least 2 players take part`."""
    if number == 1 and op in ("is", ">", "is not"):
        alone = clause(YOU, "plays", "alone")
        return alone if op == "is" else negate(alone)
    if (op, number) == (">=", 2):
        return negate(clause(YOU, "plays", "alone"))
    said = str(number) if op == "is" else _how_many(op, number)
    one = said.endswith(" 1")
    return clause(phrase(said, "player" if one else "players", plural=not one), "takes", "part")

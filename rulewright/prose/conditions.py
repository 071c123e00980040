"""Conditions as clauses, said or denied: `you have at least 3 coins`, `there is no stone on it`."""

from __future__ import annotations

import re

from dsl import rules as r
from dsl.domains import NONE, SEAT, Elem, Int, Type
from rulewright.prose.collections import bound_things
from rulewright.prose.english import OR, article, belonging, denied, listed, possessive, verb
from rulewright.prose.expressions import (
    column_holes,
    column_noun,
    column_phrase,
    is_said_in_place,
    key_of,
    value_holes,
    value_phrase,
)
from rulewright.prose.nominals import Listed, about, in_or_on, referring
from rulewright.prose.stores import (
    CLAUSE,
    amount_of,
    counter_phrase,
    index_phrase,
    mark_clause,
    part,
    pieces_at,
    pointer_clause,
    unit_of,
)
from rulewright.prose.voice import Voice

DENIED = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"is": "is", "is not": "is not", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
WORDS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}


def condition_clauses(voice: Voice, node: r.Expr, so: bool = True, among: bool = False) -> list[str]:
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


def condition_text(voice: Voice, node: r.Expr, so: bool = True) -> str:
    return listed(voice.clauses(node, so))


def _clause(voice: Voice, node: r.Expr, so: bool) -> str:
    match node:
        case r.Const(value=value):
            return "this is always so" if bool(value) is so else "this is never so"
        case r.Both(left=left, right=right):
            return _either_or(voice, left, right, so, False)
        case r.Cmp():
            return _compared(voice, node, so)
        case r.Empty(group=group):
            found = voice.group(group)
            return found.empty() if so else found.exists()
        case r.IsIn():
            return _is_in(voice, node, so)
        case r.CanDo(target=target):
            return _can(voice, target, so)
        case r.AnyOf():
            return _any(voice, node.binder, so)
        case r.FoldOf():
            return _all(voice, node, so)
        case r.ReadStore(kind="mark"):
            return mark_clause(voice, node, so)
        case r.ColumnOf():
            return _flag_column(voice, node, so)
        case r.Cond(condition=condition, then=then, otherwise=otherwise):
            asked, rest = condition_text(voice, condition), condition_text(voice, otherwise, so)
            return f"if {asked}, {condition_text(voice, then, so)}, and otherwise {rest}"
        case r.Read(var=var):
            return f"“{voice.var_noun(var)}” {'holds' if so else 'does not hold'}"
        case r.Setting(name=name):
            return f"“{voice.lexicon.label(name)}” is {'on' if so else 'off'}"
    return f"{value_phrase(voice, node)} {'holds' if so else 'does not hold'}"


def _either_or(voice: Voice, left: r.Expr, right: r.Expr, so: bool, among: bool) -> str:
    """One of two; parts that are made of several clauses stay together."""
    parts = [voice.clauses(part, so) for part in _alternatives(voice, left, right, so)]
    said = [listed(p) for p in parts]
    return f"either {OR.join(said)}" if among or any(len(p) > 1 for p in parts) else OR.join(said)


def _alternatives(voice: Voice, left: r.Expr, right: r.Expr, so: bool) -> list[r.Expr]:
    """All parts of a chain of `or`."""
    wanted = "or" if so else "and"
    found: list[r.Expr] = []
    for inner in (left, right):
        if isinstance(inner, r.Both) and inner.op == wanted:
            found += _alternatives(voice, inner.left, inner.right, so)
        else:
            found.append(inner)
    return found


# ---- comparisons


def _compared(voice: Voice, node: r.Cmp, so: bool) -> str:
    left, right = node.left, node.right
    op: str = node.op
    if isinstance(left, r.Const) and not isinstance(right, r.Const):
        left, right, op = right, left, MIRRORED[op]
    if op in ("is", "is not"):
        return _same(voice, left, right, (op == "is") is so)
    return _ordered(voice, left, op if so else DENIED[op], right)


def _same(voice: Voice, left: r.Expr, right: r.Expr, so: bool) -> str:
    if isinstance(right, r.ReadStore) and right.kind == "pointer" and not isinstance(left, r.ReadStore):
        left, right = right, left
    match left, right:
        case r.ReadStore(kind="pointer"), _:
            return pointer_clause(voice, left, right, so)
        case _, r.Const(value=value) if value == NONE:
            return _none(voice, left, so)
        case r.ReadStore(kind="counter"), _:
            return _counted(voice, left, "is" if so else "is not", right)
        case ((r.AnyOf() | r.SizeOf() | r.FoldOf(kind="distinct")), r.Const(value=number)):
            return _numbered(voice, left, "is" if so else "is not", number)
        case r.ClassOf(), r.Const():
            return _of_class(voice, left, right, so)
        case r.ClassOf(type=kind), _ if kind != SEAT and not _is_row(kind):
            return f"{voice.expr(left.piece)} {'shows' if so else 'does not show'} {voice.expr(right)}"
        case r.ColumnOf(), r.Const() if (phrase := column_phrase(voice, left)) and phrase.compares:
            holes = column_holes(voice, left, voice.expr(left.owner), "")
            return voice.filled(phrase, {**holes, "value": voice.expr(right)}, so)
        case r.Special(what="seats_playing"), r.Const(value=number):
            return _players("is" if so else "is not", number)
        case _ if left.type == SEAT:
            return _same_seat(voice, left, right, so)
    return _is(voice, part(voice, left), part(voice, right), so)


def _is(voice: Voice, left: str, right: str, so: bool) -> str:
    said = f"{left} {verb(left, 'is')} {right}"
    return said if so else f"{left} {verb(left, 'is')} not {right}"


def _same_seat(voice: Voice, left: r.Expr, right: r.Expr, so: bool) -> str:
    for a, b in ((left, right), (right, left)):
        if isinstance(a, r.Special) and a.what == "active":
            return f"it is {'' if so else 'not '}{possessive(voice.expr(b))} turn"
    for a, b in ((left, right), (right, left)):
        if isinstance(a, r.ClassOf | r.PlaceOf):
            belongs = "belongs to" if so else "does not belong to"
            return f"{voice.expr(a.piece)} {belongs} {voice.expr(b)}"
    one, other = voice.expr(left), voice.expr(right)
    return _is(voice, other, one, so) if other == "you" else _is(voice, one, other, so)


def _none(voice: Voice, left: r.Expr, so: bool) -> str:
    """Whether there is something at all."""
    match left:
        case r.SlotPiece(zone=zone):
            found = pieces_at(voice, zone)
            return found.empty() if so else found.exists()
        case r.ColumnOf():
            owner = voice.expr(left.owner)
            noun = column_noun(voice, left)
            has = verb(owner, "has")
            return f"{owner} {has} no {noun}" if so else f"{owner} {has} a {noun}"
        case r.Read(var=var):
            return (
                f"there is no such {voice.var_noun(var)}"
                if so
                else f"there is such {article(voice.var_noun(var))}"
            )
        case r.Toward():
            place = voice.expr(left).removeprefix("the ")
            return f"there is no {place}" if so else f"there is a {place}"
        case r.PickOf(binder=binder):
            found_things = bound_things(voice, binder)
            return found_things.empty() if so else found_things.exists()
    said = voice.expr(left)
    return f"{said} does not exist" if so else f"{said} exists"


def _of_class(voice: Voice, left: r.ClassOf, right: r.Const, so: bool) -> str:
    piece, kind = voice.expr(left.piece), left.type
    word = "" if so else "not "
    if isinstance(kind, Elem) and kind.type.endswith(" row"):
        return f"{piece} is {word}{voice.lexicon.one_of_kind(right.type, right.value)}"
    if isinstance(kind, Int):
        return f"{piece} {'shows' if so else 'does not show'} {right.value}"
    if kind == SEAT:
        return f"{piece} {'belongs' if so else 'does not belong'} to {voice.expr(right)}"
    return f"{piece} {'shows' if so else 'does not show'} “{voice.expr(right)}”"


def _ordered(voice: Voice, left: r.Expr, op: str, right: r.Expr) -> str:
    match left, right:
        case r.ReadStore(kind="counter"), _:
            return _counted(voice, left, op, right)
        case ((r.AnyOf() | r.SizeOf()), r.Const(value=number)):
            return _numbered(voice, left, op, number)
        case r.Special(what="seats_playing"), r.Const(value=number):
            return _players(op, number)
    said = part(voice, left)
    return f"{said} {verb(said, 'is')} {WORDS[op]} {part(voice, right)}"


def _counted(voice: Voice, left: r.ReadStore, op: str, right: r.Expr) -> str:
    """`you have at least 5 coins`; compared with what is no number, `your coins are at least …`."""
    store = voice.rules.counters[left.name].store
    if (
        isinstance(right, r.ReadStore)
        and right.name == left.name
        and store.of == "seat"
        and left.at == right.at
    ):
        return _more_than(voice, left, op, right)
    if store.of != "seat" or not isinstance(right, r.Const) or not _is_unit(voice, left.name):
        said, value = counter_phrase(voice, left), voice.expr(right)
        word = {"is": "", "is not": "not "}.get(op, f"{WORDS.get(op, '')} ")
        return f"{said} {verb(said, 'is')} {word}{value}"
    owner = index_phrase(voice, left.of, store.of)
    number = _how_many(op, right.value)
    return f"{owner} {verb(owner, 'has')} {amount_of(voice, left.name, left.of, left.at, number)}"


def _more_than(voice: Voice, left: r.ReadStore, op: str, right: r.ReadStore) -> str:
    """`you have more chips than your opponent`"""
    store = voice.rules.counters[left.name].store
    owner, other = index_phrase(voice, left.of, store.of), index_phrase(voice, right.of, store.of)
    noun, after = unit_of(voice, left.name, owner, index_phrase(voice, left.at, store.at))
    what = f"{noun.many}{after}"
    words = {
        "is": f"as many {what} as",
        "is not": f"as many {what} as",
        ">": f"more {what} than",
        "<": f"fewer {what} than",
        ">=": f"at least as many {what} as",
        "<=": f"at most as many {what} as",
    }
    has = f"{verb(owner, 'does')} not have" if op == "is not" else verb(owner, "has")
    return f"{owner} {has} {words[op]} {other}"


def _is_unit(voice: Voice, name: str) -> bool:
    """Whether a counter counts things that somebody has."""
    return name in voice.lexicon.nouns or voice.lexicon.phrase(name) is None


def _numbered(voice: Voice, left: r.Expr, op: str, number: int) -> str:
    if isinstance(left, r.FoldOf):
        return _distinct(voice, left, op, number)
    assert isinstance(left, r.AnyOf | r.SizeOf)
    things = bound_things(voice, left.binder) if isinstance(left, r.AnyOf) else voice.group(left.group)
    said = _how_many(op, number)
    if said == "no":
        return things.empty()
    if said == "at least 1":
        return things.exists()
    return things.there(said, said.endswith(" 1"))


def _distinct(voice: Voice, node: r.FoldOf, op: str, number: int) -> str:
    things = bound_things(voice, node.binder)
    with voice.marked(node.binder.var) as mark:
        key = key_of(mark, voice.expr(node.body), things)
    if (op, number) == ("is", 1):
        return f"{things.all()} have the same {key}"
    return f"{things.many()} have {_how_many(op, number)} different {key}s"


# ---- membership


def _is_in(voice: Voice, node: r.IsIn, so: bool) -> str:
    item = voice.expr(node.item)
    is_ = f"{verb(item, 'is')}{'' if so else ' not'}"
    match node.group:
        case r.Interval(low=low, high=high):
            return f"{item} {is_} from {voice.expr(low)} to {voice.expr(high)}"
        case r.InZone() as zone:
            things = pieces_at(voice, zone)
            if things.place:
                return f"{item} {is_} {in_or_on(things.place)} {things.place}{things.after}"
    things_found = voice.group(node.group)
    if isinstance(things_found, Listed):
        return f"{item} {is_} {things_found.picked()}"
    return f"{item} {is_} one of {_definite(things_found.many())}"


# ---- all of them, any of them


def _any(voice: Voice, binder: r.Binder, so: bool) -> str:
    binder = voice.folding.tree(binder)
    things = voice.group(binder.group)
    if binder.where is None:
        return things.exists() if so else things.empty()
    with voice.marked(binder.var) as mark:
        said = voice.clauses(binder.where)
    if len(said) == 1 and said[0].startswith(f"{mark} "):
        rest = referring(mark, things, said[0].removeprefix(f"{mark} "))
        return f"{things.some() if so else things.no()} {rest}"
    whole = bound_things(voice, binder)
    if so and things.person and len(said) == 1:
        return said[0].replace(mark, things.some(), 1).replace(mark, f"that {things.noun.one}")
    return whole.exists() if so else whole.empty()


def _all(voice: Voice, node: r.FoldOf, so: bool) -> str:
    things = bound_things(voice, node.binder)
    with voice.marked(node.binder.var) as mark:
        said, denied_ = voice.clauses(node.body), voice.clauses(node.body, False)
    if so and len(denied_) == 1 and _is_denied(said[0]) and not _is_denied(denied_[0]):
        return about(mark, things.no(), things, denied_[0])
    if len(said) == 1:
        return about(mark, things.every() if so else f"not {things.every()}", things, said[0])
    whole = f"for {things.every()}, {referring(mark, things, listed(said))}"
    return whole if so else f"it is not so that, {whole}"


# ---- what can be done


def _can(voice: Voice, target: r.Target, so: bool) -> str:
    word = "can" if so else "cannot"
    if isinstance(target, r.DoCell):
        return f"{voice.expr(target.cell)} {word} be carried out now"
    return f"“{voice.lexicon.heading(target.routine)}” {word} be done now"


# ---- flags by name


def _flag_column(voice: Voice, node: r.ColumnOf, so: bool) -> str:
    owner = voice.expr(node.owner)
    key = voice.expr(node.key) if node.key is not None else ""
    phrase = column_phrase(voice, node)
    if phrase is not None:
        return voice.filled(phrase, column_holes(voice, node, owner, key), so)
    said = belonging(owner, f"“{column_noun(voice, node)}”")
    return f"{said} is {'marked' if so else 'not marked'}"


def _flag_value(voice: Voice, node: r.UseValue, so: bool) -> list[str]:
    value = voice.rules.values[node.value]
    arguments = [voice.expr(a) for a in node.arguments]
    phrase = voice.lexicon.phrase(node.value)
    if phrase is not None:
        return [voice.filled(phrase, value_holes(voice, value, arguments), so)]
    if is_said_in_place(voice, value):
        return _clauses_in_place(voice, value, node, so)
    label = voice.lexicon.label(node.value)
    if not arguments and _is_clause(label):
        return [label if so else denied(label)]
    if arguments and node.arguments[0].type == SEAT and CLAUSE.match(label):
        said = f"{arguments[0]} {verb(arguments[0], label)} {listed(arguments[1:])}".strip()
        return [said if so else denied(said)]
    word = "holds" if so else "does not hold"
    return [f"“{label}” {word}{f' for {listed(arguments)}' if arguments else ''}"]


def _clauses_in_place(voice: Voice, value: r.Value, node: r.UseValue, so: bool) -> list[str]:
    voice.depth += 1
    voice.cite(value)
    with voice.given(dict(zip(value.parameters, node.arguments, strict=True))):
        found = voice.clauses(voice.folding.cases(value)[0].value, so)
    voice.depth -= 1
    return found


def _is_row(kind: Type) -> bool:
    return isinstance(kind, Elem) and kind.type.endswith(" row")


def _is_denied(clause: str) -> bool:
    return bool(re.search(r"\b(not|no|nobody|nothing|cannot)\b", clause))


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


def _players(op: str, number: int) -> str:
    """How many play: `at least 2 players take part`."""
    if op == "is":
        return "you play alone" if number == 1 else f"{number} players take part"
    if (op == ">" and number == 1) or (op == ">=" and number == 2) or (op == "is not" and number == 1):
        return "you do not play alone"
    said = _how_many(op, number)
    return f"{said} {'player takes' if said.endswith(' 1') else 'players take'} part"


def _definite(many: str) -> str:
    return many if many.split(" ")[0].endswith(("r", "'s", "s'")) and "your" in many else f"the {many}"


def _is_clause(label: str) -> bool:
    return any(f" {word} " in f" {label} " for word in ("is", "are", "has", "have", "ends", "can", "may"))

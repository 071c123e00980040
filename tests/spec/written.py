"""Which constructs a part of the rules uses, read off its syntax."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from dsl.source import Span
from dsl.syntax import (
    Address,
    Always,
    Arithmetic,
    Assign,
    Attribute,
    Binder,
    Call,
    CallLine,
    Can,
    Case,
    ChanceChooses,
    Choose,
    Clear,
    Compare,
    Constant,
    Domain,
    Draw,
    EachTogether,
    EachTurn,
    EndGame,
    Exists,
    Extreme,
    Fold,
    For,
    Gain,
    If,
    Interval,
    IsEmpty,
    Let,
    ListOf,
    Logic,
    Loses,
    Member,
    Modify,
    MoveAll,
    MoveCount,
    MovePiece,
    Name,
    Needs,
    Negative,
    Not,
    Nothing,
    Number,
    Offer,
    Origin,
    Pair,
    Parameter,
    Pick,
    Place,
    Prefix,
    Quantifier,
    Ranked,
    Recall,
    Record,
    Repeat,
    RepeatUntil,
    Roll,
    RollOver,
    Routine,
    Score,
    SetMark,
    Several,
    Show,
    Shuffle,
    Swap,
    Ternary,
    TimesRecorded,
    Value,
    When,
    WhenMoves,
    While,
    Wins,
    WinTogether,
    Word,
)

WORDS = {
    "me": "`me`",
    "active": "`active`",
    "self": "`self`",
    "opponent": "`opponent`",
    "opponents": "`opponents`",
    "seats": "`seats`",
    "seats_playing": "`seats_playing`",
}
FUNCTIONS = {
    "size": "`size(S)`",
    "top": "`top(Z)`",
    "next": "`next(x)`",
    "ordinal": "`ordinal(x)`",
    "previous": "`previous(x)`",
    "neighbours": "`neighbours(place)`",
    "ray": "`ray(place, way)`",
    "opposite": "`opposite(way)`",
    "corners": "`corners(x)`",
    "edges": "`edges(x)`",
    "ends": "`ends(edge)`",
    "places": "`places(x)`",
    "spread": "`spread(S, T)`",
}
CHOOSING = {"must": "choose x from S", "may": "may choose x from S", "keep": "may keep choosing x from S"}
ANOTHER_CHOOSING = {"must": "seat chooses x", "may": "seat may choose x", "keep": "seat may keep choosing x"}
DOING = {"must": "do one of a, b", "may": "may do a, b", "keep": "may keep doing a, b"}
ANOTHER_DOING = {"must": "seat does one of a, b", "may": "seat may do a", "keep": "seat may keep doing a"}


def written(node: object) -> Iterator[str]:
    """The constructs of a part of the syntax, and of all that it is made of."""
    yield from _of_part(node)
    for part in _parts(node):
        yield from written(part)


def _parts(node: object) -> Iterator[object]:
    """What a part of the syntax is made of; of a routine that is called, only the arguments."""
    for field in fields(node) if is_dataclass(node) else ():
        value = getattr(node, field.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Call) and field.name in ("call", "targets"):
                yield from part.arguments
            elif is_dataclass(part) and not isinstance(part, Span):
                yield part


def _of_part(node: object) -> Iterator[str]:
    match node:
        case Routine(kind=kind, nests=nests):
            yield f"`{kind}`"
            if nests is not None:
                yield "`nests up to`"
        case Parameter():
            yield from _parameter(node)
        case Value(lets=lets, cases=cases):
            if lets:
                yield "`let` in a value"
            if any(_is_collection(case.value) for case in cases):
                yield "a `value` that is a collection"
            plain = not lets and [c.condition for c in cases] == [None]
            yield "`value` in one line" if plain else "`value` with cases"
        case Modify(mode=mode, condition=condition):
            yield f"`modify … {mode}`"
            if condition is not None:
                yield "`modify … while C`"
        case When():
            yield "`when C`"
        case WhenMoves(event=event):
            yield f"`when x {event} Z`"
        case Score(kind=kind) | Always(kind=kind):
            yield f"`{kind}`"
        case Choose():
            yield from _choice(node)
        case Offer():
            yield from _offer(node)
        case _:
            yield from _statement(node)


def _domain(node: Domain) -> str:
    if isinstance(node.collection, Name) and node.collection.text == "flag":
        return "flag"
    return "set of T" if node.several else "T or none" if node.optional else "T"


def _parameter(node: Parameter) -> Iterator[str]:
    yield "a parameter"
    if node.several is not None:
        yield "a parameter `n x from S as g`"
    if node.domain is not None:
        yield f"a parameter `x: {_domain(node.domain)}`"
    if node.collection is not None:
        yield "a parameter `from S`"
    if node.where is not None:
        yield "a parameter `where C`"


def _choice(node: Choose) -> Iterator[str]:
    yield f"`{(CHOOSING if node.subject is None else ANOTHER_CHOOSING)[node.strength]}`"
    if node.several is not None:
        yield "`choose n x from S`"
        if node.several.up_to:
            yield "`choose up to n x`"
        if node.several.group is not None:
            yield "`choose … as g`"
    if node.collection is None:
        yield "`choose` without `from`"
    if node.asked != "always":
        yield f"`choose … {node.asked}`"
    if node.secretly:
        yield "`choose … secretly`"
    if node.most is not None:
        yield "`may keep choosing …, at most n times`"
    if node.where is not None:
        yield "`choose … where C`"
    if node.otherwise is not None:
        yield "`else` of a choice"


def _offer(node: Offer) -> Iterator[str]:
    if node.most is not None:
        yield "`may keep doing …, at most n times`"
    alone = node.strength == "must" and len(node.targets) == 1
    if alone and isinstance(node.targets[0], Attribute):
        yield "`do card.power`"
    elif alone:
        yield "`do a`" if node.subject is None else "`seat does a`"
    else:
        yield f"`{(DOING if node.subject is None else ANOTHER_DOING)[node.strength]}`"
    if node.actor is not None:
        yield "`do … as self`"
    if node.block is not None:
        yield "a block under `may do`"
    if node.otherwise is not None:
        yield "`else` of an offer"


def _statement(node: object) -> Iterator[str]:
    match node:
        case Let(value=value):
            yield "`let x = S`" if _is_collection(value) else "`let x = e`"
        case Assign(target=Attribute()):
            yield "`die.face = n`"
        case Assign(op=op):
            yield f"`x {op} e`"
        case CallLine():
            yield "`f(x)` on its own line"
        case Gain(verb=verb, subject=subject, to=to):
            yield f"`{verb} n c`" if subject is None else f"`seat {verb}s n c`"
            if to is not None:
                yield "`pay n c to seat`"
        case MovePiece():
            yield "`move x to Z`"
        case MoveAll():
            yield "`move all from S to Z`"
        case MoveCount(source=source, up_to=up_to):
            some = isinstance(source.zone, Quantifier)
            yield "`move n from those(…) to Z`" if some else "`move n from Z to Z`"
            if up_to:
                yield "`move up to n`"
        case Origin(end=end):
            if end is not None:
                yield f"`from {end} of Z`"
        case Place(end=end):
            if end is not None:
                yield f"`to {end} of Z`"
        case Draw():
            yield "`draw x from Z to Z`"
        case Roll():
            yield "`roll x`"
        case RollOver(number=number, up_to=up_to):
            yield "`roll all from Z to Z`" if number is None else "`roll n from Z to Z`"
            if up_to:
                yield "`roll up to n`"
        case Shuffle():
            yield "`shuffle Z`"
        case ChanceChooses(weight=weight):
            yield "`chance chooses x from S`"
            if weight is not None:
                yield "`by weight w`"
        case Show(to=to, openly=openly):
            yield "`show Z to seat`" if to is not None else "`show Z to all`"
            if to is not None and openly:
                yield "`show … openly`"
        case Swap():
            yield "`swap A with B`"
        case SetMark():
            yield "`set`"
        case Clear(every=every):
            yield "`clear all`" if every else "`clear`"
        case Record():
            yield "`record h`"
        case Recall():
            yield "`recall best h`"
        case _:
            yield from _control(node)


def _control(node: object) -> Iterator[str]:
    match node:
        case If(otherwise=otherwise):
            yield "`if`"
            if otherwise is not None:
                yield "`else if`" if _chained(otherwise) else "`else`"
        case While():
            yield "`while C, at most n times`"
        case RepeatUntil(condition=condition):
            yield "`repeat until nothing changes`" if condition is None else "`repeat until C`"
        case Repeat():
            yield "`repeat n times`"
        case For(binder=binder, keys=keys):
            yield "`for x`" if binder.collection is None else "`for x in S`"
            if binder.where is not None:
                yield "`for … where C`"
            if keys:
                yield "`for … by k`"
            if len(keys) > 1:
                yield "`by` with several keys"
        case EachTurn():
            yield f"`each {node.who.text} in turn`"
            named = {"from s": node.start, "by k": node.keys, "where C": node.where}
            yield from (f"`each … in turn {name}`" for name, there in named.items() if there)
        case EachTogether():
            yield "`each seat together`"
        case Needs():
            yield "`needs C`"
        case (
            EndGame(outcome=outcome)
            | Wins(outcome=outcome)
            | WinTogether(outcome=outcome)
            | Loses(outcome=outcome)
        ):
            yield _ending(node)
            if outcome is not None:
                yield "an end `as NAME`"
        case Nothing():
            yield "`nothing`"
        case _:
            yield from _comparison(node)


def _ending(node: object) -> str:
    match node:
        case EndGame():
            return "`end game`"
        case Wins(seat=Name(text="nobody")):
            return "`nobody wins`"
        case Wins():
            return "`seat wins`"
        case Loses():
            return "`seat loses`"
    return "`S win`"


def _chained(otherwise: tuple[object, ...]) -> bool:
    """Whether an `else` is one of the same line with an `if`."""
    first = otherwise[0]
    if not isinstance(first, If):
        return False
    return first.span.source.text[: first.span.start].rstrip(" ").endswith("else")


def _comparison(node: object) -> Iterator[str]:
    match node:
        case Logic(op=op):
            yield f"`{op}`"
        case Not():
            yield "`not`"
        case Compare(op=op):
            yield f"`{op}`" if op.startswith("is") else "`<` `<=` `>` `>=`"
        case Exists():
            yield "`x exists`"
        case IsEmpty(negated=negated):
            yield "`x is not empty`" if negated else "`x is empty`"
        case Member(negated=negated):
            yield "`x not in S`" if negated else "`x in S`"
        case Can(actor=actor):
            yield "`can E`" if actor is None else "`can E as self`"
        case _:
            yield from _expression(node)


def _expression(node: object) -> Iterator[str]:
    match node:
        case Ternary(otherwise=otherwise):
            yield "`n if C`" if otherwise is None else "`A if C else B`"
        case Interval():
            yield "`a..b`"
        case Arithmetic(op=op):
            yield f"`{op}`"
        case Negative():
            yield "`-a`"
        case Address(of=of, at=at):
            if of is not None:
                yield "`NAME of A`"
            if at is not None:
                yield "`NAME at B`"
        case Attribute(keys=keys):
            yield "`x.column(key)`" if keys else "`x.column`"
        case Call(name=name, arguments=arguments):
            beyond = "`step(place, way, n)`" if len(arguments) == 3 else "`step(place, way)`"
            yield beyond if name.text == "step" else FUNCTIONS.get(name.text, "`f(x)`")
        case Constant(value=value):
            yield "`none`" if value == "none" else "`true` and `false`"
        case ListOf():
            yield "`[a, b]`"
        case Pair():
            yield "`(a, b)`"
        case TimesRecorded():
            yield "`times(h)`"
        case Name(text=text):
            yield from (WORDS[text],) if text in WORDS else ()
        case _:
            yield from _aggregate(node)


def _is_collection(node: object) -> bool:
    """Whether a value can only be a collection, by its form."""
    match node:
        case Quantifier(kind="those") | Prefix(kind="those") | Ranked() | ListOf() | Interval():
            return True
        case Call(name=name):
            return name.text in ("neighbours", "ray", "spread", "corners", "edges", "ends", "places")
    return False


def _aggregate(node: object) -> Iterator[str]:
    match node:
        case Quantifier(kind="those"):
            yield "`those(x in S where C)`"
        case Quantifier(kind=kind):
            yield f"`{kind}(x where C)`"
        case Prefix(kind=kind, until=until):
            yield f"`{kind}(x in S until C)`" if until else f"`{kind}(x in S while C)`"
        case Ranked(number=number):
            yield "`those highest(x by k)`" if number is None else "`those n highest(x by k)`"
        case Fold(kind=kind):
            yield f"`{kind}({'C' if kind == 'all' else 'e'} for x)`"
        case Extreme(kind=kind):
            yield f"`{kind}(a, b)`"
        case Pick(kind="first"):
            yield "`first(x in S)`"
        case Pick(kind=kind, keys=keys):
            yield f"`{kind}(x by k)`"
            if len(keys) > 1:
                yield "`by` with several keys"
        case Binder() | Case() | Domain() | Number() | Several() | Word():
            pass
        case _:
            raise AssertionError(f"no construct for {type(node).__name__}")

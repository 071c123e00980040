"""False variants of assertions: none of them may hold where the assertion does."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import TypeVar, assert_never

from dsl.diagnostics import DiagnosticError
from dsl.domains import EnumType, FlagType, IntType, PieceType, Type
from interpreter.opening import ORDERED
from validators.scenarios.assertions import NUMBER, everything, is_change
from validators.scenarios.look import Look
from validators.scenarios.scenario import (
    Active,
    Asked,
    ChangedBy,
    Claim,
    Happened,
    InPhase,
    InStep,
    NotHappened,
    NotOffered,
    Offered,
    Only,
    Over,
    RestUnchanged,
    ScoreClaim,
    Sees,
    Unchanged,
    Value,
    Winner,
)

T = TypeVar("T")
NUMBERS = re.compile(r"-?[0-9]+")


def falsified(claim: Claim, look: Look) -> Iterator[Claim]:
    """Claims that differ from a given one in one thing, and are false if it holds."""
    match claim:
        case Over(wanted, outcome):
            yield Over(not wanted)
            if outcome is not None:
                yield from (Over(True, other) for other in _other(outcome, look.game.machine.endings))
        case Winner(seats):
            yield from (Winner(one) for one in _lists(seats, look.game.rules.types["seat"].names, look))
        case Active(seat):
            yield from (Active(other) for other in _seats(look) if other != seat)
        case InPhase(phase):
            yield from (InPhase(other) for other in _other(phase, look.game.machine.phases))
        case InStep(step):
            yield from (InStep(other) for other in _other(step, look.table.steps.known))
        case Asked():
            yield from _asked(claim, look)
        case Offered():
            yield from _offered(claim, look)
        case NotOffered(seat, choices):
            offered = look.choices(seat)
            yield from (NotOffered(seat, (*choices, choice.text)) for choice in offered[:1])
        case ScoreClaim(amount=amount):
            yield from (replace(claim, amount=other) for other in _numbers(amount))
        case Sees():
            yield from _sees(claim, look)
        case Value():
            yield from _value(claim, look)
        case ChangedBy(question, amount):
            yield from (ChangedBy(question, other) for other in (amount + 1, amount - 1))
        case Unchanged(questions):
            yield from (ChangedBy(one, 1) for one in questions if _is_number(one, look))
        case RestUnchanged():
            now, before = everything(look)
            yield from (RestUnchanged(()) for _ in range(now != before))
        case Only():
            yield from _only(claim, look)
        case Happened(events):
            yield from _happened(events)
        case NotHappened(events):
            yield from (NotHappened((*events, text)) for text in look.happened()[:1])
        case _:
            assert_never(claim)


# ---- other values


def _seats(look: Look) -> tuple[str, ...]:
    return tuple(look.game.names.seat(i) for i in range(look.game.machine.seats))


def _other(name: str, names: Iterable[str]) -> Iterator[str]:
    """The first other name, if there is one."""
    return _another((name,), names)


def _another(items: Container[str], names: Iterable[str]) -> Iterator[str]:
    """The first name that is not an item, if there is one."""
    return islice((name for name in names if name not in items), 1)


def _without(items: tuple[T, ...], number: int) -> tuple[T, ...]:
    return (*items[:number], *items[number + 1 :])


def _swapped(items: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A list with two neighbouring items exchanged, for each two."""
    for i, (one, two) in enumerate(pairwise(items)):
        yield (*items[:i], two, one, *items[i + 2 :])


def _numbers(text: str, lo: int = 0) -> Iterator[str]:
    """Two neighbouring numbers; not below `lo`, since a negative number may mean a decrease."""
    if NUMBER.fullmatch(text):
        yield str(int(text) + 1)
        yield str(int(text) - 1 if int(text) > lo else int(text) + 2)


def _lists(items: tuple[str, ...], names: Iterable[str], look: Look) -> Iterator[tuple[str, ...]]:
    """A list with one item less, and with one more."""
    if items:
        yield items[:-1]
    seats = _seats(look)
    yield from ((*items, other) for other in _another(items, (n for n in names if n in seats)))


def _is_number(question: str, look: Look) -> bool:
    try:
        kind, several = look.type_of(question)
    except DiagnosticError:
        return False
    return several or isinstance(kind, IntType)


# ---- who and what


def _asked(claim: Asked, look: Look) -> Iterator[Asked]:
    if claim.decisions:
        yield Asked(claim.decisions[:-1])
    named = {seat for seat, _ in claim.decisions}
    yield from (Asked((*claim.decisions, (seat, ""))) for seat in _seats(look) if seat not in named)
    for i, (seat, name) in enumerate(claim.decisions):
        if name:
            yield Asked((*claim.decisions[:i], (seat, f"other_{name}"), *claim.decisions[i + 1 :]))


def _offered(claim: Offered, look: Look) -> Iterator[Offered]:
    for i in range(len(claim.choices)):
        yield replace(claim, choices=_without(claim.choices, i))
    texts = {choice.text for choice in look.choices(claim.seat)}
    words = {word for text in texts for word in text.split()} | set(claim.choices)
    for name in _another(words, ("pass", *look.game.rules.routines)):
        yield replace(claim, choices=(*claim.choices, name))


def _sees(claim: Sees, look: Look) -> Iterator[Sees]:
    found = look.sight(claim.seat, claim.address)
    if isinstance(found, list) and claim.items == ("all",):
        yield replace(claim, items=("nothing",))
        return
    place = look.place(claim.address)
    if isinstance(found, list) and place is not None:
        names = look.game.rules.components[look.game.reference.component_of[place]].classes
        items = () if claim.items == ("none",) else claim.items
        ordered = look.order(place) in ORDERED and claim.order != "any"
        yield from (replace(claim, items=other or ("none",)) for other in _pieces(items, names, ordered))
        return
    text = " ".join(claim.items)
    flags = ("true" if text == "false" else "false", "all" if text == "nothing" else "nothing")
    others = _numbers(text) if NUMBER.fullmatch(text) else iter(flags)
    yield from (replace(claim, items=(other,)) for other in others)


def _pieces(items: tuple[str, ...], names: tuple[str, ...], ordered: bool) -> Iterator[tuple[str, ...]]:
    """One piece less, one more, another piece, and if order matters two of them swapped."""
    for i in range(len(items)):
        yield _without(items, i)
    yield (*items, names[0])
    if items:
        yield from ((other, *items[1:]) for other in _other(items[0], names))
    if ordered:
        yield from (other for other in _swapped(items) if other != items)


# ---- values


def _value(claim: Value, look: Look) -> Iterator[Claim]:
    kind, several = look.type_of(claim.question)
    if several:
        yield from _collection(claim, kind, look)
    elif is_change(claim, look):
        yield from (ChangedBy(claim.question, int(claim.items[0]) + by) for by in (1, -1))
    elif len(claim.items) == 1:
        others = _values(claim.items[0], kind, look)
        yield from (replace(claim, items=(other,), single=True) for other in others)


def _collection(claim: Value, kind: Type, look: Look) -> Iterator[Value]:
    if claim.single and claim.items[0].isdecimal():
        yield from (replace(claim, items=(other,)) for other in _numbers(claim.items[0]))
        return
    items = () if claim.items == ("none",) else claim.items
    place = look.place(claim.question)
    ordered = place is not None and look.order(place) in ORDERED and claim.order != "any"
    names = _names(kind, look) or ("1",)
    yield from (replace(claim, items=other, single=False) for other in _pieces(items, names, ordered))


def _values(text: str, kind: Type, look: Look) -> Iterator[str]:
    match kind:
        case IntType(lo):
            yield from _numbers(text, min(lo, 0))
        case FlagType():
            yield "false" if text == "true" else "true"
        case _:
            yield from _other(text, (*_names(kind, look), "none"))


def _names(kind: Type, look: Look) -> tuple[str, ...]:
    match kind:
        case EnumType(name) if name in look.game.rules.types:
            return look.game.rules.types[name].names
        case PieceType(component):
            return look.game.rules.components[component].classes
    return ()


def _only(claim: Only, look: Look) -> Iterator[Only]:
    """One place less; if none is named, one more; a place that is said to be empty, filled."""
    now, _ = everything(look)
    places = (name.removeprefix(f"{claim.address} ") for name in now if name.startswith(f"{claim.address} "))
    yield from (replace(claim, items=((next(places), ("1",)),)) for _ in range(not claim.items))
    for i, (place, texts) in enumerate(claim.items):
        if texts in ((), ("0",), ("none",), ("false",)):
            filled = ("true",) if texts == ("false",) else ("1",)
            yield replace(claim, items=(*claim.items[:i], (place, filled), *claim.items[i + 1 :]))
        else:
            yield replace(claim, items=_without(claim.items, i))


# ---- events


def _happened(events: tuple[str, ...]) -> Iterator[Happened]:
    yield from map(Happened, _swapped(events))
    for i, event in enumerate(events):
        *_, last = (None, *NUMBERS.finditer(event))
        if last is not None:
            other = f"{event[: last.start()]}{_greater(last[0])}{event[last.end() :]}"
            yield Happened((*events[:i], other, *events[i + 1 :]))


def _greater(number: str) -> str:
    """Another number; one that is longer than any in play is not worked with."""
    return str(int(number) + 1) if NUMBER.fullmatch(number) else f"{number}0"

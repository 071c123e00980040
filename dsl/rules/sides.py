"""The values that decide a condition: what a refusal tells of it, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from dsl.domains import FLAG, NONE, EnumType, FlagType, IntType, PieceType
from dsl.frozen import dataclass
from dsl.rules.definitions import Value
from dsl.rules.expressions import (
    AnyOf,
    Binder,
    Both,
    Cmp,
    Cond,
    Const,
    Expr,
    FoldOf,
    Neg,
    PickOf,
    Read,
    Special,
    UseValue,
)
from dsl.rules.visit import instantiate, walk

MOST_SIDES = 6
"""The most values that are told of one condition, but those of which only some apply in a position."""
MOST_IN_CASES = 18
"""The most of those that are told where their case applies."""
MOST_PARTS = 60
"""The most parts of a value that is looked into."""


@dataclass(frozen=True, slots=True)
class Side:
    """A value that decides a condition, and the expression by which it is told.

    They differ within `all(C for x in S)`: there the value is that for the first x for which C does not hold;
    and in a value with cases: there it is none unless its case is the one that applies. `asks`: it is a
    condition itself, and told as true or false. `found`: it is the first of those that there must not be.
    """

    shown: Expr
    value: Expr
    in_case: bool = False
    asks: bool = False
    found: bool = False


@dataclass(frozen=True, slots=True)
class _Case:
    """One case of a value: its condition, none for the last one, and its value."""

    condition: Expr | None
    value: Expr


def sides_of(values: Mapping[str, Value], condition: Expr) -> tuple[Side, ...]:
    """The sides of the comparisons that a condition is made of; of values that it uses, the numbers."""
    found: dict[str, Side] = {}
    in_cases: list[Side] = []
    for side in _sides(values, condition, False, True):
        if side.in_case:
            in_cases.append(side)
        else:
            found.setdefault(side.shown.span.text, side)
    more = [side for side in in_cases if side.shown.span.text not in found]
    return (*tuple(found.values())[:MOST_SIDES], *more[:MOST_IN_CASES])


def _sides(values: Mapping[str, Value], condition: Expr, numbers: bool, wanted: bool) -> Iterator[Side]:
    """`numbers`: only those. `wanted`: whether the condition should hold."""
    match condition:
        case Cmp() if _is_of_oneself(condition, wanted):
            return
        case Cmp(left=left, right=right):
            for side in (left, right):
                if not isinstance(side, Const) and (isinstance(side.type, IntType) or not numbers):
                    yield Side(side, side)
                    if isinstance(side.type, IntType):
                        yield from _of_number(cases_of(values, side))
        case Both(left=left, right=right):
            yield from _sides(values, left, numbers, wanted)
            yield from _sides(values, right, numbers, wanted)
        case Neg(operand=operand):
            yield from _sides(values, operand, numbers, not wanted)
        case UseValue() if (meant := definition(values, condition)) is not None:
            yield from _sides(values, meant, True, wanted)
        case UseValue() | Cond():
            yield from _of_cases(values, cases_of(values, condition), wanted)
        case FoldOf(kind="all", binder=binder, body=body):
            yield from _of_the_first(values, binder, body)
        case AnyOf(kind="any", binder=binder) if not wanted and is_told_of(binder):
            yield Side(_name(binder), first_broken(binder), found=True)


def _is_of_oneself(condition: Cmp, wanted: bool) -> bool:
    """Whether it should not be the seat itself: that it is, which it knows, is all there is to tell."""
    own = any(isinstance(side, Special) and side.what == "me" for side in (condition.left, condition.right))
    return own and condition.op == ("is not" if wanted else "is")


def _of_cases(values: Mapping[str, Value], cases: tuple[_Case, ...], wanted: bool) -> Iterator[Side]:
    """Of the case that applies, if it makes the condition fail: its condition, its value and its numbers.

    Of a last case that fails by itself: the conditions of those before it.
    """
    before: tuple[Expr, ...] = ()
    for case in cases:
        own = (case.condition,) if case.condition is not None else ()
        if not isinstance(case.value, Const):
            fails = Neg(FLAG, case.value.span, case.value) if wanted else case.value
            for asked in (*own, case.value):
                yield _asked(before, (*own, fails), asked)
            said = {asked.span.text for asked in own}
            for side in _sides(values, case.value, True, wanted):
                if side.shown.span.text not in said:
                    yield replace(side, value=_where(before, (*own, fails), side.value), in_case=True)
        elif bool(case.value.value) is not wanted:
            for asked in own or before:
                yield _asked(before, own, asked)
        before += own


def _of_number(cases: tuple[_Case, ...]) -> Iterator[Side]:
    """Of a number with cases: the condition of the one that applies."""
    before: tuple[Expr, ...] = ()
    for case in cases:
        if case.condition is not None:
            yield _asked(before, (case.condition,), case.condition)
            before += (case.condition,)


def _asked(before: tuple[Expr, ...], holding: tuple[Expr, ...], condition: Expr) -> Side:
    """A condition that is told where some do not hold and others do."""
    return Side(condition, _where(before, holding, condition), in_case=True, asks=True)


def _where(before: tuple[Expr, ...], holding: tuple[Expr, ...], value: Expr) -> Expr:
    """A value where some conditions do not hold and others do, and none elsewhere."""
    none = Const(value.type, value.span, NONE)
    for condition in reversed(holding):
        value = Cond(value.type, value.span, condition, value, none)
    for condition in reversed(before):
        value = Cond(value.type, value.span, condition, none, value)
    return value


def _of_the_first(values: Mapping[str, Value], binder: Binder, body: Expr) -> Iterator[Side]:
    """The first value for which the body does not hold, and the numbers of the body for it."""
    inside = [
        side
        for side in _sides(values, body, True, True)
        if not side.in_case
        and any(isinstance(part, Read) and part.var is binder.var for part in walk(side.value))
    ]
    if not inside or not is_told_of(binder):
        return
    first = first_broken(binder, body)
    yield Side(_name(binder), first)
    for side in inside:
        yield Side(side.shown, instantiate(side.value, {binder.var: first}))


def _name(binder: Binder) -> Read:
    return Read(binder.var.type, binder.var.span, binder.var)


def is_told_of(binder: Binder) -> bool:
    """Whether it can be told for which value something does not hold."""
    return isinstance(binder.var.type, EnumType | PieceType)


def first_broken(binder: Binder, body: Expr | None = None) -> PickOf:
    """The first value of a collection that meets its condition, and for which the body does not hold."""
    broken = Neg(FLAG, body.span, body) if body is not None else None
    where = binder.where or broken
    if binder.where is not None and broken is not None:
        where = Both(FLAG, broken.span, "and", binder.where, broken)
    kind = binder.var.type
    assert isinstance(kind, EnumType | PieceType)
    kind = replace(kind, optional=True)
    return PickOf(kind, binder.var.span, "first", replace(binder, where=where), ())


def definition(values: Mapping[str, Value], use: UseValue) -> Expr | None:
    """What a condition with a name stands for, if that is one expression that nothing modifies."""
    value = values[use.value]
    if not isinstance(value.type, FlagType) or value.lets or value.modifiers or len(value.cases) != 1:
        return None
    if sum(1 for _ in walk(value.cases[0].value)) > MOST_PARTS:
        return None
    return instantiate(value.cases[0].value, dict(zip(value.parameters, use.arguments, strict=True)))


def cases_of(values: Mapping[str, Value], meant: Expr) -> tuple[_Case, ...]:
    """The cases of a value that nothing modifies, or of a choice by `if`; none if it has one, or is large."""
    if isinstance(meant, Cond):
        return (_Case(meant.condition, meant.then), _Case(None, meant.otherwise))
    if not isinstance(meant, UseValue):
        return ()
    value = values[meant.value]
    if value.lets or value.modifiers or len(value.cases) < 2:
        return ()
    if sum(1 for case in value.cases for _ in walk(case)) > MOST_PARTS:
        return ()
    given = dict(zip(value.parameters, meant.arguments, strict=True))
    return tuple(
        _Case(
            instantiate(case.condition, given) if case.condition is not None else None,
            instantiate(case.value, given),
        )
        for case in value.cases
    )


def is_presence(condition: Expr) -> bool:
    """Whether a condition asks whether something is there at all."""
    match condition:
        case Cmp(left=left, right=right):
            return any(isinstance(side, Const) and side.value == NONE for side in (left, right))
    return False

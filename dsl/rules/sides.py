"""The values that decide a condition: what a refusal tells of it, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dsl.domains import NONE, EnumType, FlagType, IntType
from dsl.rules.definitions import Value
from dsl.rules.expressions import Both, Cmp, Const, Expr, FoldOf, Neg, PickOf, Read, UseValue
from dsl.rules.visit import instantiate, walk

MOST_SIDES = 6
"""The most values that are told of one condition."""
MOST_PARTS = 60
"""The most parts of a value that is looked into."""


@dataclass(frozen=True, slots=True)
class Side:
    """A value that decides a condition, and the expression by which it is told.

    They differ within `all(C for x in S)`: there the value is that for the first x for which C does not hold.
    """

    shown: Expr
    value: Expr


def sides_of(values: Mapping[str, Value], condition: Expr) -> tuple[Side, ...]:
    """The sides of the comparisons that a condition is made of; of values that it uses, the numbers."""
    found: dict[str, Side] = {}
    for side in _sides(values, condition, False):
        found.setdefault(side.shown.span.text, side)
    return tuple(found.values())[:MOST_SIDES]


def _sides(values: Mapping[str, Value], condition: Expr, numbers: bool) -> Iterator[Side]:
    match condition:
        case Cmp(left=left, right=right):
            for side in (left, right):
                if not isinstance(side, Const) and (isinstance(side.type, IntType) or not numbers):
                    yield Side(side, side)
        case Both(left=left, right=right):
            yield from _sides(values, left, numbers)
            yield from _sides(values, right, numbers)
        case Neg(operand=operand):
            yield from _sides(values, operand, numbers)
        case UseValue() if (meant := definition(values, condition)) is not None:
            yield from _sides(values, meant, True)
        case FoldOf(kind="all"):
            yield from _of_the_first(values, condition)


def _of_the_first(values: Mapping[str, Value], condition: FoldOf) -> Iterator[Side]:
    """The first value for which the body does not hold, and the numbers of the body for it."""
    binder, body = condition.binder, condition.body
    inside = [
        side
        for side in _sides(values, body, True)
        if any(isinstance(part, Read) and part.var is binder.var for part in walk(side.value))
    ]
    if not inside or not isinstance(binder.var.type, EnumType):
        return
    broken: Expr = Neg(body.type, body.span, body)
    if binder.where is not None:
        broken = Both(body.type, body.span, "and", binder.where, broken)
    kind = replace(binder.var.type, optional=True)
    first = PickOf(kind, binder.var.span, "first", replace(binder, where=broken), ())
    yield Side(Read(binder.var.type, binder.var.span, binder.var), first)
    for side in inside:
        yield Side(side.shown, instantiate(side.value, {binder.var: first}))


def definition(values: Mapping[str, Value], use: UseValue) -> Expr | None:
    """What a condition with a name stands for, if that is one expression that nothing modifies."""
    value = values[use.value]
    if not isinstance(value.type, FlagType) or value.lets or value.modifiers or len(value.cases) != 1:
        return None
    if sum(1 for _ in walk(value.cases[0].value)) > MOST_PARTS:
        return None
    return instantiate(value.cases[0].value, dict(zip(value.parameters, use.arguments, strict=True)))


def is_presence(condition: Expr) -> bool:
    """Whether a condition asks whether something is there at all."""
    match condition:
        case Cmp(left=left, right=right):
            return any(isinstance(side, Const) and side.value == NONE for side in (left, right))
    return False

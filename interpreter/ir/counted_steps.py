"""Numbers by cases that ask places one after another, as counts of places.

`3 when own(x, 1) and own(x, 2)`, `2 when own(x, 1)`, `otherwise 1` is 1 more than how many places are
own from the first one on. What counts is what the cases come to, not how they are put: they are worked
out for each number of places that hold. As the number tells how many do, exactly these were asked, and the
one behind them; so the count faults where the cases do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import takewhile
from typing import cast

from dsl.domains import NONE
from interpreter.ir.expressions import Const, Expr, If, Let, Linked, Not, Op, Pick, Prefix, Reg, Size
from interpreter.ir.fold import both, conjuncts, operation
from interpreter.ir.program import Machine
from interpreter.ir.visit import Part, mapped

FEWEST = 2
"""Places for which a count is made."""


class _NoSteps(Exception):
    """Something else is asked than places one after another."""


def steps_as_counts(mc: Machine) -> Machine:
    """The same machine with counts for numbers by cases that tell how many places hold."""
    return mc.with_nodes(mapped(node, _changed) for node in mc.nodes)


def _changed(part: Part) -> Part:
    try:
        return _counted(part) if isinstance(part, If) else mapped(part, _changed)
    except _NoSteps:
        return mapped(part, _changed)


def _counted(e: If) -> Expr:
    asked = list(dict.fromkeys(_asked(e)))
    if len(asked) < FEWEST:
        raise _NoSteps
    first, *more = (
        _value(e, {x: i < held for i, x in enumerate(asked[: held + 1])}) for held in range(len(asked) + 1)
    )
    if more != list(range(first + 1, first + len(more) + 1)):
        raise _NoSteps
    return operation("+", Const(first), Size(_beginning(asked)))


def _asked(e: Expr) -> Iterator[Let]:
    """What is asked of places, from the first one on."""
    match e:
        case If(condition=condition, then=then, otherwise=otherwise):
            for part in (condition, then, otherwise):
                yield from _asked(part)
        case Op(op="and" | "or", left=left, right=right):
            yield from _asked(left)
            yield from _asked(right)
        case Not(operand=operand):
            yield from _asked(operand)
        case Let(value=Pick()):
            yield e
        case Const():
            pass
        case _:
            raise _NoSteps


def _value(e: Expr, known: Mapping[Expr, bool]) -> int:
    """What cases come to, if they ask nothing else than is known."""
    match e:
        case Const(value=value):
            return value
        case If(condition=condition, then=then, otherwise=otherwise):
            return _value(then if _value(condition, known) else otherwise, known)
        case Op(op="and" | "or" as op, left=left, right=right):
            holds = bool(_value(left, known))
            return _value(right, known) if holds == (op == "and") else int(holds)
        case Not(operand=operand):
            return int(not _value(operand, known))
    if e not in known:
        raise _NoSteps
    return int(known[e])


def _beginning(asked: list[Let]) -> Prefix:
    """The places that hold, from the first one on: rows of what the tables have at the same index."""
    first = asked[0]
    at, tables = cast(Pick, first.value), [cast(Pick, x.value).table for x in asked]
    for other in asked:
        pick = cast(Pick, other.value)
        alike = (other.reg, other.body, pick.index, pick.lo) == (first.reg, first.body, at.index, at.lo)
        if not alike or len(pick.table) != len(at.table):
            raise _NoSteps
    exists, *rest = conjuncts(first.body)
    if exists == Op("!=", Reg(first.reg), Const(NONE)) and rest:
        where = reduce(both, rest)
    elif any(NONE in table for table in tables):
        raise _NoSteps
    else:
        where = first.body
    rows = tuple(tuple(takewhile(lambda v: v != NONE, row)) for row in zip(*tables, strict=True))
    return Prefix(first.reg, Linked(rows, at.index, at.lo), where, until=False)

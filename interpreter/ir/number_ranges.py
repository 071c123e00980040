"""Choices of a number as ranges: which numbers meet a condition, as ends and steps.

A condition over a register becomes a union of progressions: numbers from one to another, in steps, if a guard
holds. Ends, steps and guards are expressions that do not read the register, so whether a number may be chosen
is a test, and no list of all numbers is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Final, assert_never, cast

from interpreter.ir.expressions import (
    Between,
    Const,
    Contains,
    Covered,
    Either,
    Expr,
    Filtered,
    Fold,
    If,
    Joined,
    Let,
    Listed,
    Not,
    Op,
    Reg,
    Source,
    Values,
)
from interpreter.ir.fold import choice, conjuncts, negation, operation
from interpreter.ir.nodes import Ends
from interpreter.ir.operators import MIRRORED, NEGATED, Bound, Comparison, is_comparison
from interpreter.ir.visit import Part, mapped, reads_register, substitute, walk

ONE, ZERO = Const(1), Const(0)
QUOTIENT = -1
"""Stands for a quotient where the numbers are looked for that have it; no register has this number."""
MOST: Final = 16
"""The most progressions that a condition may come to."""


class NoRanges(Exception):
    """A condition is none over ranges; the part that is not."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.part = part


@dataclass(frozen=True, slots=True)
class Progression:
    """The numbers from `low` to `high` (None: all) that leave `rest` by `step`, if `guard` holds."""

    low: Expr | None = None
    high: Expr | None = None
    step: Expr = ONE
    rest: Expr = ZERO
    guard: Expr = ONE


Numbers = tuple[Progression, ...]
ALL: Numbers = (Progression(),)


@dataclass(frozen=True, slots=True)
class Linear:
    """`factor * n + rest`, of a number n."""

    factor: int
    rest: Expr


def ranges_of(source: Source, reg: int, conditions: Iterable[Expr], bounds: tuple[int, int]) -> Ends:
    """The first, the last and the step of each progression of the values that meet conditions over `reg`.

    Raises `NoRanges` if they are no such progressions. Where a last is below its first, there is none.
    """
    found = _meet(_of_source(source), (Progression(Const(bounds[0]), Const(bounds[1])),))
    for condition in conditions:
        found = _meet(found, _of_condition(condition, reg))
    if len(found) > MOST:
        raise NoRanges(source)
    return tuple(map(_ends, found))


def _ends(numbers: Progression) -> tuple[Expr, Expr, Expr]:
    assert numbers.low is not None
    assert numbers.high is not None
    first: Expr = numbers.low
    if numbers.step != ONE:
        first = operation("+", first, operation("mod", operation("-", numbers.rest, first), numbers.step))
    guard, last = numbers.guard, numbers.high
    if guard == ONE:
        return first, last, numbers.step
    return choice(guard, first, ZERO), choice(guard, last, Const(-1)), choice(guard, numbers.step, ONE)


# ---- sets of numbers


def _meet(some: Numbers, others: Numbers) -> Numbers:
    return _bounded(tuple(_both(one, other) for one in some for other in others))


def _bounded(numbers: Numbers) -> Numbers:
    found = tuple(dict.fromkeys(one for one in numbers if one.guard != ZERO))
    if len(found) > 4 * MOST:
        raise NoRanges(ONE)
    return found


def _both(one: Progression, other: Progression) -> Progression:
    """The numbers that are in both. Raises `NoRanges` if their steps do not go together."""
    low = _end("max", one.low, other.low)
    high = _end("min", one.high, other.high)
    guard = operation("and", one.guard, other.guard)
    step, rest = _steps(one, other)
    return Progression(low, high, step, rest, guard)


def _end(op: Bound, one: Expr | None, other: Expr | None) -> Expr | None:
    if one is None or other is None or one == other:
        return other if one is None else one
    return operation(op, one, other)


def _steps(one: Progression, other: Progression) -> tuple[Expr, Expr]:
    if one.step == ONE:
        return other.step, other.rest
    if other.step == ONE or (one.step, one.rest) == (other.step, other.rest):
        return one.step, one.rest
    match one.step, one.rest, other.step, other.rest:
        case Const(a), Const(x), Const(b), Const(y):
            for n in range(x % a, a * b, a):
                if n % b == y % b:
                    whole = a * b // _divisor(a, b)
                    return Const(whole), Const(n % whole)
    raise NoRanges(one.step)


def _divisor(a: int, b: int) -> int:
    return a if not b else _divisor(b, a % b)


def _without(numbers: Numbers) -> Numbers:
    """All numbers but these."""
    found: Numbers = ALL
    for one in numbers:
        if one.step != ONE:
            raise NoRanges(one.step)
        rest = [] if one.guard == ONE else [Progression(guard=negation(one.guard))]
        if one.low is not None:
            rest.append(Progression(high=operation("-", one.low, ONE)))
        if one.high is not None:
            rest.append(Progression(low=operation("+", one.high, ONE)))
        found = _meet(found, tuple(rest))
    return found


def _guarded(guard: Expr, numbers: Numbers) -> Numbers:
    return tuple(replace(one, guard=operation("and", guard, one.guard)) for one in numbers)


# ---- collections


def _of_source(source: Source) -> Numbers:
    match source:
        case Between(low=low, high=high):
            return (Progression(low, high),)
        case Values(values=values):
            return _runs(values)
        case Listed(items=items):
            return tuple(Progression(item, item) for item in items)
        case Joined(parts=parts):
            return tuple(one for part in parts for one in _of_source(part))
        case Either(condition=condition, then=then, otherwise=otherwise):
            others = _guarded(negation(condition), _of_source(otherwise))
            return (*_guarded(condition, _of_source(then)), *others)
        case Filtered(reg=reg, source=inner, where=where):
            return _of_source(inner) if where is None else _meet(_of_source(inner), _of_condition(where, reg))
    raise NoRanges(source)


def _runs(values: Sequence[int]) -> Numbers:
    """Known numbers as runs of consecutive ones."""
    found: list[tuple[int, int]] = []
    for value in sorted(values):
        if found and value <= found[-1][1] + 1:
            found[-1] = (found[-1][0], value)
        else:
            found.append((value, value))
    return tuple(Progression(Const(low), Const(high)) for low, high in found)


# ---- conditions


def _of_condition(e: Expr, reg: int) -> Numbers:
    """The numbers for which a condition holds. Raises `NoRanges`."""
    if not reads_register(e, reg):
        return _guarded(_bare(e), ALL)
    match e:
        case Covered(value=value):
            return _of_condition(value, reg)
        case Not(operand=operand):
            return _of_opposite(operand, reg)
        case Let(reg=own, value=value, body=body):
            return _of_condition(substitute(body, own, value), reg)
        case If(condition=condition, then=then, otherwise=otherwise):
            yes = _meet(_of_condition(condition, reg), _of_condition(then, reg))
            no = _meet(_of_opposite(condition, reg), _of_condition(otherwise, reg))
            return _bounded((*yes, *no))
        case Op(op="and", left=left, right=right):
            return _meet(_of_condition(left, reg), _of_condition(right, reg))
        case Op(op="or", left=left, right=right):
            return _bounded((*_of_condition(left, reg), *_of_condition(right, reg)))
        case Op(op=op, left=left, right=right) if is_comparison(op):
            return _compared(op, left, right, reg)
        case Fold(kind="any", source=source, where=where, body=None) if not reads_register(source, reg):
            return _of_any(e, [] if where is None else conjuncts(where), reg)
        case Contains(item=Reg(index), source=source) if index == reg and not reads_register(source, reg):
            return _of_source(source)
        case Contains(item=item, source=Between(low=low, high=high)):
            return _meet(_compared(">=", item, low, reg), _compared("<=", item, high, reg))
    raise NoRanges(e)


def _of_any(e: Fold, asked: list[Expr], reg: int) -> Numbers:
    """The numbers for which there is something in a collection that does not depend on them."""
    alone = [part for part in asked if reads_register(part, reg) and not reads_register(part, e.reg)]
    rest = [part for part in asked if part not in alone]
    there = replace(e, where=reduce(partial(operation, "and"), rest) if rest else None)
    if reads_register(there, reg):
        raise NoRanges(e)
    found = _guarded(there, ALL)
    for part in alone:
        found = _meet(found, _of_condition(part, reg))
    return found


def _of_opposite(e: Expr, reg: int) -> Numbers:
    """The numbers for which a condition does not hold."""
    match e:
        case Covered(value=value):
            return _of_opposite(value, reg)
        case Not(operand=operand):
            return _of_condition(operand, reg)
        case Op(op="and" | "or" as op, left=left, right=right):
            joined = Op("or" if op == "and" else "and", Not(left), Not(right))
            return _of_condition(joined, reg)
        case Op(op=op, left=left, right=right) if is_comparison(op) and reads_register(e, reg):
            return _compared(NEGATED[op], left, right, reg)
    return _without(_of_condition(e, reg))


def _bare(e: Expr) -> Expr:
    """A condition without the records of coverage in front of it: it is worked out once for all numbers."""
    return _bare(e.value) if isinstance(e, Covered) else e


def _compared(op: Comparison, left: Expr, right: Expr, reg: int) -> Numbers:
    """The numbers for which a comparison holds."""
    if not reads_register(left, reg):
        op, left, right = MIRRORED[op], right, left
    match left:
        case Op(op="mod", left=number, right=step) if not reads_register((step, right), reg):
            return _of_rest(op, number, step, right, reg)
        case Op(op="min" | "max" as end, left=one, right=other) if op in ("<", "<=", ">", ">="):
            found = _compared(op, one, right, reg), _compared(op, other, right, reg)
            return (
                _meet(*found) if (end == "min") == (op in (">", ">=")) else _bounded((*found[0], *found[1]))
            )
    quotient = _quotient_in((left, right), reg)
    if quotient is not None:
        return _of_quotient(op, left, right, quotient, reg)
    a, b = _linear(left, reg), _linear(right, reg)
    factor, rest = a.factor - b.factor, operation("-", b.rest, a.rest)
    if not factor:
        return _guarded(operation(op, a.rest, b.rest), ALL)
    if factor < 0:
        op, factor, rest = MIRRORED[op], -factor, operation("-", a.rest, b.rest)
    return _of_multiple(op, factor, rest)


def _of_multiple(op: Comparison, factor: int, rest: Expr) -> Numbers:
    """The numbers n of which `factor * n` compares to `rest`."""
    by = Const(factor)
    least = rest if factor == 1 else operation("div", operation("+", rest, Const(factor - 1)), by)
    most = rest if factor == 1 else operation("div", rest, by)
    match op:
        case "<=":
            return (Progression(high=most),)
        case ">=":
            return (Progression(low=least),)
        case "<":
            return (Progression(high=operation("-", least, ONE)),)
        case ">":
            return (Progression(low=operation("+", most, ONE)),)
        case "==":
            return (Progression(least, most),)
        case "!=":
            return (
                Progression(high=operation("-", least, ONE)),
                Progression(low=operation("+", most, ONE)),
            )
    assert_never(op)


def _of_rest(op: Comparison, number: Expr, step: Expr, rest: Expr, reg: int) -> Numbers:
    """The numbers that leave a rest by a step."""
    found = _linear(number, reg)
    if op != "==" or abs(found.factor) != 1:
        raise NoRanges(Op("mod", number, step))
    wanted = operation("-", rest, found.rest) if found.factor == 1 else operation("-", found.rest, rest)
    inside = operation("and", operation("<=", ZERO, rest), operation("<", rest, step))
    return (Progression(step=step, rest=operation("mod", wanted, step), guard=inside),)


def _quotient_in(e: tuple[Expr, Expr], reg: int) -> Op | None:
    """A quotient by a known number that depends on a register, if it is the only part that does."""
    found = {p for p in walk(e) if isinstance(p, Op) and p.op == "div" and reads_register(p.left, reg)}
    match [*found]:
        case [Op(right=Const(by)) as one] if by > 0:
            return one
    return None


def _of_quotient(op: Comparison, left: Expr, right: Expr, quotient: Op, reg: int) -> Numbers:
    """The numbers for which a comparison holds that depends on them by a quotient alone."""
    left, right = (_with(e, quotient, Reg(QUOTIENT)) for e in (left, right))
    by, found = quotient.right, list[Progression]()
    if reads_register((left, right), reg):
        raise NoRanges(quotient)
    for one in _compared(op, left, right, QUOTIENT):
        numbers = _guarded(one.guard, ALL)
        if one.step != ONE:
            raise NoRanges(quotient)
        if one.low is not None:
            numbers = _meet(numbers, _compared(">=", quotient.left, operation("*", one.low, by), reg))
        if one.high is not None:
            above = operation("*", operation("+", one.high, ONE), by)
            numbers = _meet(numbers, _compared("<", quotient.left, above, reg))
        found += numbers
    return tuple(found)


def _with(e: Expr, part: Expr, other: Expr) -> Expr:
    """An expression with another one in place of a part."""

    def change(inner: Part) -> Part:
        return other if inner == part else mapped(inner, change)

    return cast(Expr, change(e))


def _linear(e: Expr, reg: int) -> Linear:
    """An expression as a multiple of a register and a rest. Raises `NoRanges`."""
    if not reads_register(e, reg):
        return Linear(0, _bare(e))
    match e:
        case Reg():
            return Linear(1, ZERO)
        case Covered(value=value):
            return _linear(value, reg)
        case Let(reg=own, value=value, body=body):
            return _linear(substitute(body, own, value), reg)
        case Op(op="+" | "-" as op, left=left, right=right):
            a, b = _linear(left, reg), _linear(right, reg)
            factor = a.factor + b.factor if op == "+" else a.factor - b.factor
            return Linear(factor, operation(op, a.rest, b.rest))
        case Op(op="*", left=Const(by), right=part) | Op(op="*", left=part, right=Const(by)):
            found = _linear(part, reg)
            return Linear(found.factor * by, operation("*", found.rest, Const(by)))
    raise NoRanges(e)


def first_of(ends: Ends) -> Expr:
    """Whether there is a number in one of some ranges."""
    return reduce(partial(operation, "or"), (operation("<=", first, last) for first, last, _ in ends))

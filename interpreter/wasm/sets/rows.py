"""Tables of sets: a row for each place that is known only in play, and for each number to compare with.

What follows by tables from the value and one such place, as whether the value is nearer to it than so many
steps, is worked out for all places beforehand.
"""

from __future__ import annotations

from collections.abc import Container
from functools import reduce
from operator import or_
from typing import cast

from interpreter import ir
from interpreter.ir.fold import calculate
from interpreter.ir.operators import Comparison
from interpreter.ir.visit import Part, bound_by, mapped, substitute, walk
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Interval, Range
from interpreter.wasm.sets.costs import work
from interpreter.wasm.sets.forms import Form, KnownSet
from interpreter.wasm.sets.numbers import Numbers
from interpreter.wasm.sets.tables import (
    FEW_NUMBERS,
    KEY,
    MOST_PAIRS,
    MOST_WORK,
    PLACE,
    Column,
    Env,
    Unfit,
    distinct,
    holding,
    known_of,
    known_of_word,
)

Place = ir.Reg | ir.Local
Rows = tuple[int, int, tuple[int, ...]]
"""The least number, how many there are, and a set for each place and number; no sets if they are too many."""
NO_ROWS: Rows = (0, 1, ())
STATELESS = (
    (ir.Const | ir.Op | ir.Not | ir.If | ir.Let | ir.Pick | ir.Contains | ir.Fold)
    | ir.Values
    | ir.Listed
    | ir.Linked
    | (ir.Filtered | ir.Prefix | ir.Joined | ir.Size)
)
"""What follows from its parts by tables."""


def rows_of(
    sets: Numbers,
    e: ir.Expr,
    env: Env,
    live: int,
    op: Comparison | None = None,
    scalar: ir.Expr | None = None,
) -> Form | None:
    """A condition that follows by tables from the value and one place, or how such a number compares."""
    found = None if sets.bounded else _key(sets, e, env)
    if found is None:
        return None
    reg, column, place, among = found
    if among.size * sets.r.size * work(e) > MOST_WORK or among.size * sets.r.size > MOST_PAIRS:
        return None
    first_equal, relations = sets.fx.builder.first_equal, sets.fx.builder.relations
    for i in sets.fx.builder.free_registers(e) & env.constant.keys():
        e = substitute(e, i, env.constant[i])
    e = first_equal(replaced(substitute(e, reg, ir.Reg(PLACE)), place, ir.Reg(KEY)))
    name = ("rows", id(e), column, among, live, op)
    if name not in relations:
        relations[name] = e, _worked_out(sets, e, column, among, live, op)
    least, numbers, rows = relations[name][1]
    return sets.forms.row(first_equal(place), among.lo, scalar, least, numbers, rows) if rows else None


def _key(sets: Numbers, e: ir.Expr, env: Env) -> tuple[int, Column, Place, Range] | None:
    """The register on which something depends, its column, and the place, if tables say all else."""
    free = sets.fx.builder.free_registers(e)
    varying = [i for i in free if i in env.regs and i not in env.constant]
    places: set[Place] = {ir.Reg(i) for i in free - env.regs.keys()}
    if len(varying) != 1 or len(places) > 1 or not is_table(e, free, words=True):
        return None
    places |= {x for x in walk(e) if isinstance(x, ir.Local)}
    column = env.regs[varying[0]]
    if len(places) != 1 or not isinstance(column, tuple):
        return None
    [place] = places
    value, span = known_of_place(sets.fx, place)
    if value is not None or span is None:
        return None
    return varying[0], column, place, Range(span[0], span[1] - span[0] + 1)


def known_of_place(fx: FunctionContext, place: Place) -> tuple[int | None, Interval | None]:
    """What a place is, if known, and its interval, if small."""
    if isinstance(place, ir.Local):
        return known_of_word(fx, place.slot)
    return known_of(fx.regs.get(place.index))


def _worked_out(
    sets: Numbers, e: ir.Expr, column: Column, among: Range, live: int, op: Comparison | None
) -> Rows:
    size = sets.r.size
    places = tuple(v for v in range(among.lo, among.lo + among.size) for _ in range(size))
    env = Env({PLACE: column * among.size, KEY: places})
    pairs = type(sets)(sets.fx, Range(0, among.size * size))
    every = reduce(or_, (live << size * i for i in range(among.size)))
    try:
        if op is None:
            holds = pairs.condition(e, env, every)
            return (0, 1, _split(holds.bits, size, among.size)) if isinstance(holds, KnownSet) else NO_ROWS
        numbers = pairs.known_number(e, env, every)
    except Unfit:
        return NO_ROWS
    values = distinct(numbers, every)
    if not values or max(values) - min(values) >= FEW_NUMBERS:
        return NO_ROWS
    least, most = min(values) - 1, max(values) + 1
    rows = list[int]()
    for i in range(among.size):
        part = numbers[size * i : size * (i + 1)]
        sets_of = {value: holding(part, value.__eq__) & live for value in distinct(part, live)}
        for number in range(least, most + 1):
            rows.append(reduce(or_, (x for v, x in sets_of.items() if calculate(op, v, number)), 0))
    return least, most + 1 - least, tuple(rows)


def _split(bits: int, size: int, number: int) -> tuple[int, ...]:
    """A set as so many sets, each of the next so many values."""
    return tuple(bits >> size * i & (1 << size) - 1 for i in range(number))


def replaced(e: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
    """An expression with another one instead of a part."""

    def change(part: Part) -> Part:
        return new if part == old else mapped(part, change)

    return cast(ir.Expr, change(e))


def is_table(e: ir.Expr, regs: Container[int], *, words: bool = False) -> bool:
    """Whether an expression reads nothing but tables, the values of some registers, and perhaps the frame."""
    bound = frozenset(i for part in walk(e) for i in bound_by(part))
    return all(
        isinstance(x, STATELESS)
        or (words and isinstance(x, ir.Local))
        or (isinstance(x, ir.Reg) and (x.index in regs or x.index in bound))
        for x in walk(e)
    )

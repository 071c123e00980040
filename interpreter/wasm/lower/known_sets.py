"""Conditions that read only their register and a few other values: a table with a set for each of those.

`(x.row - here.row) * (x.column - here.column) in [-2, 2]` depends on `x` and `here` alone. So for each `here`
the set of all `x` is known beforehand, and to find it is to load a row of bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product
from math import prod
from typing import Any, TypeVar, cast

from interpreter import ir
from interpreter.ir.known_columns import Known, NotByTables, column_of, each_of, rows_of
from interpreter.ir.visit import Part, children, free_registers, mapped, reads_register
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import addresses, bitsets, const_eval
from interpreter.wasm.lower.bitsets import bits_of
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Bits, Constant, Interval, Range

P = TypeVar("P", bound=Part)
MOST_CELLS = 1 << 16
"""The most values of all variables together that something is worked out for."""
MOST_BYTES = 1 << 15
"""The most bytes of a table."""
VALUE = ir.Reg(-1)
"""The register of a condition, where it is worked out; the keys are the registers before it."""
MOST_KEYS = 4
"""The most values besides the register that a condition may depend on."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A set for each value of the keys, those of the last key side by side."""

    keys: tuple[ir.Expr, ...]
    spans: tuple[Range, ...]
    rows: tuple[int, ...]


def relation(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> Relation | None:
    """The sets of a condition, if it depends on its register and on few values that do not come from it."""
    name: tuple[Any, ...] = ("may be a relation", id(e), reg)
    if name not in fx.builder.relations:
        possible = not _is_equality(e, reg) and _is_stateless(e) and not _has_guard(fx, e, reg)
        fx.builder.relations[name] = e, possible
    if not fx.builder.relations[name][1]:
        return None
    keys = list(dict.fromkeys(_keys(fx, e, reg, frozenset())))
    if len(keys) > MOST_KEYS or ir.Reg(reg) in keys:
        return None
    spans = [_span(fx, e, key) for key in keys]
    known = tuple(s for s in spans if s is not None)
    if len(known) < len(keys) or prod(s.size for s in known) * r.words * 8 > MOST_BYTES:
        return None
    plain = _with_known(fx, e, {ir.Reg(reg): VALUE, **{k: ir.Reg(-2 - i) for i, k in enumerate(keys)}})
    name = ("relation", plain, r, known)
    if name not in fx.builder.relations:
        fx.builder.relations[name] = _worked_out(plain, r, known)
    rows: tuple[int, ...] | None = fx.builder.relations[name]
    return None if rows is None else Relation(tuple(keys), known, rows)


def _with_known(fx: FunctionContext, e: P, names: Mapping[ir.Expr, ir.Expr]) -> P:
    """An expression with other names for what it depends on, and the values of what is known."""

    def change(part: Part) -> Part:
        if isinstance(part, (ir.Reg, ir.Local, *KEYS)):
            if part in names:
                return names[part]
            known = const_eval.constant(fx, part)
            return part if known is None else ir.Const(known)
        return mapped(part, change)

    return cast(P, change(e))


def relation_set(fx: FunctionContext, found: Relation, r: Range) -> Bits:
    """The set of the values that the keys have now."""
    bits = bitsets.new_bits(fx, r)
    if not found.keys:
        bitsets.set_bits(fx, bits, found.rows[0])
        return bits
    with fx.b.temporaries(I32) as (index,):
        assign_row(fx, found, index)
        bitsets.row(fx, list(found.rows), index, 0, bits)
    return bits


def assign_row(fx: FunctionContext, found: Relation, index: Variable) -> None:
    """`index` becomes the number of the row of the values that the keys have now."""
    b = fx.b
    if not found.keys:
        b.assign(index, 0)
    for number, (key, span) in enumerate(zip(found.keys, found.spans, strict=True)):
        held = fx.num(key)
        addresses.within(fx, held, span.lo, span.lo + span.size - 1)
        counted = STACK - span.lo if span.lo else STACK
        b.assign(index, counted + index * span.size if number else counted)


# ---- what a condition depends on


STATELESS = (ir.Const, ir.Reg, ir.Local, ir.Op, ir.Not, ir.If, ir.Let, ir.Pick, ir.Fold, ir.Contains)
SOURCES = (ir.Values, ir.Listed, ir.Linked)
KEYS = (ir.Load, ir.PlaceIndex, ir.ClassOf)
"""Read from the state, but no more than one value."""


def _is_equality(e: ir.Expr, reg: int) -> bool:
    """Whether a condition asks for one value, which is quicker without a table."""
    return isinstance(e, ir.Op) and e.op in ("==", "!=") and ir.Reg(reg) in (e.left, e.right)


def _is_stateless(e: Any) -> bool:
    """Whether an expression is made of what can be worked out, apart from a few values."""
    if isinstance(e, KEYS):
        return True
    if isinstance(e, ir.Fold) and e.kind not in ("any", "all", "count"):
        return False
    return isinstance(e, (*STATELESS, *SOURCES)) and all(map(_is_stateless, children(e)))


def _has_guard(fx: FunctionContext, e: ir.Expr, reg: int) -> bool:
    """Whether a part that does not read the register decides if others are asked."""
    match e:
        case ir.Op(op="and" | "or", left=left, right=right):
            if not fx.reads(left, reg) or not fx.reads(right, reg):
                return True
            return _has_guard(fx, left, reg) or _has_guard(fx, right, reg)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return any(_has_guard(fx, x, reg) or not fx.reads(condition, reg) for x in (then, otherwise))
        case ir.Not(operand=operand):
            return _has_guard(fx, operand, reg)
    return False


def _keys(fx: FunctionContext, e: Any, reg: int, bound: frozenset[int]) -> Iterator[ir.Expr]:
    """What an expression reads besides its register and what it binds; its register if that is from these."""
    match e:
        case ir.Reg(index=index):
            if index != reg and index not in bound and not isinstance(fx.regs.get(index), Constant):
                yield e
        case ir.Local(slot=slot):
            if not isinstance(fx.slots.get(slot), Constant):
                yield e
        case ir.Load() | ir.PlaceIndex() | ir.ClassOf():
            yield ir.Reg(reg) if fx.builder.free_registers(e) & (bound | {reg}) else e
        case ir.Fold(reg=inner) | ir.Let(reg=inner):
            for part in children(e):
                yield from _keys(fx, part, reg, bound | {inner})
        case _:
            for part in children(e):
                yield from _keys(fx, part, reg, bound)


def _span(fx: FunctionContext, e: Part, key: ir.Expr) -> Range | None:
    """The interval of a key: that of the tables in which it is looked up, if there are any."""
    if isinstance(key, ir.Load | ir.PlaceIndex | ir.ClassOf) and any(map(_varies(fx), _leaves(key))):
        return None
    lo, hi = WIDE
    for table_lo, size in _look_ups(fx, e, key):
        lo, hi = max(lo, table_lo), min(hi, table_lo + size - 1)
    if (lo, hi) == WIDE:
        lo, hi = _held_span(fx, key)
    return Range(lo, hi - lo + 1) if 0 <= hi - lo < MOST_CELLS else None


def _held_span(fx: FunctionContext, key: ir.Expr) -> Interval:
    """What a register or a word of the frame can be."""
    match key:
        case ir.Reg(index=index) if index in fx.regs:
            return fx.regs[index].span
        case ir.Local(slot=slot) if slot in fx.slots:
            return fx.slots[slot].span
        case ir.Local(slot=ir.ME):
            return (0, fx.mc.seats - 1)
        case ir.Local(slot=slot):
            return fx.builder.spans.get((fx.routine, slot), WIDE)
    return WIDE


def _varies(fx: FunctionContext) -> Callable[[ir.Expr], bool]:
    """Whether a leaf is a register that has no value yet."""
    return lambda e: isinstance(e, ir.Reg) and e.index not in fx.regs


def _leaves(e: Any) -> Iterator[Any]:
    inner = children(e)
    if not inner:
        yield e
    for part in inner:
        yield from _leaves(part)


def _look_ups(fx: FunctionContext, e: Any, key: ir.Expr) -> Iterator[tuple[int, int]]:
    """The first index and the size of each table in which a value is looked up."""
    if e == key:
        return
    if isinstance(e, ir.Pick | ir.Linked):
        size = len(e.table) if isinstance(e, ir.Pick) else len(e.links)
        index = e.index
        if index == key:
            yield e.lo, size
        elif isinstance(index, ir.Op) and index.op == "+" and isinstance(index.left, ir.Op):
            step, rest = const_eval.constant(fx, index.left.right), const_eval.constant(fx, index.right)
            inside = step is not None and rest is not None and 0 <= rest - e.lo < step
            if index.left.op == "*" and index.left.left == key and inside and step is not None:
                yield 0, size // step
    for part in children(e):
        yield from _look_ups(fx, part, key)


# ---- values of all variables at once


def most(fx: FunctionContext, parts: list[ir.Source]) -> int | None:
    """The most values that some rows of links and lists have together, if they depend on few values."""
    source = ir.Joined(tuple(parts))
    keys = list(dict.fromkeys(_keys(fx, source, -1, frozenset())))
    spans = [_span(fx, source, key) for key in keys]
    known = [s for s in spans if s is not None]
    if len(known) < len(keys) or len(keys) > MOST_KEYS or prod(s.size for s in known) > MOST_CELLS:
        return None
    names: dict[ir.Expr, ir.Expr] = {k: ir.Reg(-2 - i) for i, k in enumerate(keys)}
    columns, size = _all_values(known)
    try:
        rows = [rows_of(_with_known(fx, part, names), columns, size) for part in parts]
    except NotByTables:
        return None
    return max(sum(map(len, row)) for row in zip(*rows, strict=True))


def tables(
    fx: FunctionContext, parts: Sequence[ir.Expr]
) -> tuple[ir.Expr, Range, list[Sequence[int]]] | None:
    """What some expressions are for each value of the one thing that they depend on, if it is one."""
    keys = list(dict.fromkeys(key for part in parts for key in _keys(fx, part, -1, frozenset())))
    spans = [_span(fx, part, keys[0]) for part in parts] if len(keys) == 1 else []
    known = [s for s in spans if s is not None]
    if not known or len(known) < len(spans):
        return None
    lo, hi = max(s.lo for s in known), min(s.lo + s.size for s in known)
    if hi <= lo:
        return None
    columns, size = _all_values([Range(lo, hi - lo)])
    try:
        rows = [column_of(_with_known(fx, part, {keys[0]: ir.Reg(-2)}), columns, size) for part in parts]
    except NotByTables:
        return None
    return keys[0], Range(lo, size), rows


def _all_values(keys: Sequence[Range]) -> tuple[Known, int]:
    """A row for all values of some keys; those of the last key side by side."""
    rows = list(product(*(key.values for key in keys)))
    return {ir.Reg(-2 - i): column for i, column in enumerate(zip(*rows, strict=True))}, len(rows)


def _worked_out(e: ir.Expr, r: Range, keys: tuple[Range, ...]) -> tuple[int, ...] | None:
    """The sets of a condition for all values of its keys, unless it may fault or is too large."""
    try:
        return tuple(_masks(e, r, *_all_values(keys)))
    except NotByTables:
        return None


def _masks(e: ir.Expr, r: Range, known: Known, size: int) -> Sequence[int]:
    """For each of `size` rows the set of values of a register for which a condition holds."""
    match e:
        case ir.Op(op="and" | "or", left=left, right=right):
            join = operator.and_ if e.op == "and" else operator.or_
            return list(map(join, _masks(left, r, known, size), _masks(right, r, known, size)))
        case ir.Not(operand=operand):
            return [mask ^ r.all for mask in _masks(operand, r, known, size)]
        case ir.Op(op="==", left=left, right=right) if VALUE in (left, right) and left != right:
            other = right if left == VALUE else left
            if not reads_register(other, VALUE.index):
                return [1 << v - r.lo if v in r.values else 0 for v in column_of(other, known, size)]
        case ir.Fold(kind="any", reg=reg, source=ir.Values(values=values), where=where, body=None) if (
            where is not None and values
        ):
            every = (_masks(where, r, {**known, ir.Reg(reg): (v,) * size}, size) for v in values)
            return [reduce(operator.or_, row) for row in zip(*every, strict=True)]
    return _row_by_row(e, r, known, size)


def _row_by_row(e: ir.Expr, r: Range, known: Known, size: int) -> Sequence[int]:
    """The same, worked out once for all rows that are equal in what the condition reads."""
    names = free_registers(e)
    read = [part for part in known if isinstance(part, ir.Reg) and part.index in names]
    keys = list(zip(*(known[part] for part in read), strict=True)) if read else [()] * size
    rows = list(dict.fromkeys(keys))
    if len(rows) * r.size > MOST_CELLS:
        raise NotByTables
    columns: Known = dict(zip(read, zip(*rows, strict=True), strict=True))
    if VALUE.index not in names:
        masks = [r.all if x else 0 for x in column_of(e, columns, len(rows))]
    else:
        every = each_of([r.values] * len(rows), VALUE.index, columns)
        asked = column_of(e, every, len(rows) * r.size)
        masks = [bits_of(asked[i : i + r.size]) for i in range(0, len(asked), r.size)]
    of_row = dict(zip(rows, masks, strict=True))
    return [of_row[key] for key in keys]

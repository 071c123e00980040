"""Conditions that read only their register and a few other values: a table with a set for each of those.

`(x.row - here.row) * (x.column - here.column) in [-2, 2]` depends on `x` and `here` alone. So for each `here`
the set of all `x` is known beforehand, and to find it is to load a row of bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import Any, cast

from interpreter import ir
from interpreter.ir.visit import Part, children, mapped
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import addresses, bitsets, const_eval
from interpreter.wasm.lower.bitsets import bits_of
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Bits, Constant, Interval, Range

MOST_CELLS = 1 << 16
"""The most values of all variables together that something is worked out for."""
MOST_BYTES = 1 << 15
"""The most bytes of a table."""
MOST_KEYS = 2
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
    plain = _with_known(fx, e, {ir.Reg(reg): ir.Reg(-1), **{k: ir.Reg(-2 - i) for i, k in enumerate(keys)}})
    name = ("relation", plain, r, known)
    if name not in fx.builder.relations:
        fx.builder.relations[name] = _worked_out(plain, r, known)
    rows: tuple[int, ...] | None = fx.builder.relations[name]
    return None if rows is None else Relation(tuple(keys), known, rows)


def _with_known(fx: FunctionContext, e: ir.Expr, names: Mapping[ir.Expr, ir.Expr]) -> ir.Expr:
    """An expression with other names for what it depends on, and the values of what is known."""

    def change(part: Part) -> Part:
        if isinstance(part, (ir.Reg, ir.Local, *KEYS)):
            if part in names:
                return names[part]
            known = const_eval.constant(fx, part)
            return part if known is None else ir.Const(known)
        return mapped(part, change)

    return cast(ir.Expr, change(e))


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


@dataclass(frozen=True, slots=True)
class Grid:
    """What an expression is for all values of some variables; the last one moves fastest. None: a fault."""

    axes: tuple[int, ...]
    values: Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Masks:
    """The set of the values of the first variable for which a condition holds, for all values of others."""

    axes: tuple[int, ...]
    values: Sequence[int]


class TooLarge(Exception):
    """More values than are worked out."""


class Unknown(Exception):
    """Something that is not worked out."""


@dataclass
class Grids:
    """Works expressions out. Axis 0 is the register, then the keys, then what expressions bind."""

    sizes: list[int]
    bound: dict[int, Grid]

    def masks(self, e: ir.Expr) -> Masks:
        """The sets of a condition; no part of it may fault."""
        match e:
            case ir.Op(op="and" | "or", left=left, right=right):
                both, either = self.masks(left), self.masks(right)
                return self._masks_of(operator.and_ if e.op == "and" else operator.or_, both, either)
            case ir.Not(operand=operand):
                inner, every = self.masks(operand), (1 << self.sizes[0]) - 1
                return Masks(inner.axes, [v ^ every for v in inner.values])
            case (
                ir.Op(op="==", left=ir.Reg(index=-1), right=value)
                | ir.Op(op="==", left=value, right=ir.Reg(index=-1))
            ):
                first, one = self.bound[-1].values[0], self.of(value)
                if 0 not in one.axes and None not in one.values and first is not None:
                    bits = (v - first for v in one.values if v is not None)
                    return Masks(one.axes, [1 << i if 0 <= i < self.sizes[0] else 0 for i in bits])
            case ir.Fold(kind="any", source=ir.Values(values=values), where=where, body=None) if values:
                axis = self._new_axis(len(values))
                moving = Grid((axis,), values)
                met = self._binding(e.reg, moving).masks(where or ir.Const(1))
                met = Masks((*met.axes,) if axis in met.axes else (*met.axes, axis), self._wide(met, axis))
                rows = zip(*(met.values[i :: len(values)] for i in range(len(values))), strict=True)
                return Masks(met.axes[:-1], [reduce(operator.or_, row) for row in rows])
        grid = self.of(e)
        axes = (*(a for a in grid.axes if a), 0)
        if None in grid.values:
            raise Unknown
        size = self.sizes[0]
        if 0 not in grid.axes:
            return Masks(grid.axes, [(1 << size) - 1 if v else 0 for v in grid.values])
        turned = self.turned(grid, axes)
        return Masks(axes[:-1], [bits_of(turned[i : i + size]) for i in range(0, len(turned), size)])

    def _masks_of(self, operate: Callable[[int, int], int], one: Masks, other: Masks) -> Masks:
        axes = tuple(sorted({*one.axes, *other.axes}))
        columns = [self.turned(Grid(m.axes, m.values), axes) for m in (one, other)]
        return Masks(axes, list(map(cast(Any, operate), *columns)))

    def _wide(self, met: Masks, axis: int) -> Sequence[int]:
        axes = met.axes if axis in met.axes else (*met.axes, axis)
        return cast(Sequence[int], self.turned(Grid(met.axes, met.values), axes))

    def _new_axis(self, size: int) -> int:
        self.sizes.append(size)
        return len(self.sizes) - 1

    def _binding(self, reg: int, grid: Grid) -> Grids:
        return replace(self, bound={**self.bound, reg: grid})

    def of(self, e: Any) -> Grid:
        """What an expression is."""
        match e:
            case ir.Const(value=value):
                return Grid((), (value,))
            case ir.Reg(index=index) if index in self.bound:
                return self.bound[index]
            case ir.Not(operand=operand):
                found = self.of(operand)
                return Grid(found.axes, [None if v is None else int(not v) for v in found.values])
            case ir.Op(op=op, left=left, right=right):
                return self.joined(_OPERATORS[op], self.of(left), self.of(right))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                return self.joined(_choose, self.of(condition), self.of(then), self.of(otherwise))
            case ir.Let(reg=reg, value=value, body=body):
                return self._binding(reg, self.of(value)).of(body)
            case ir.Pick(table=table, index=index_, lo=lo):
                at = self.of(index_)
                inside = range(lo, lo + len(table))
                return Grid(
                    at.axes, [None if v is None or v not in inside else table[v - lo] for v in at.values]
                )
            case ir.Contains(item=item, source=source):
                return self._contains(item, source)
            case ir.Fold():
                return self._fold(e)
        raise Unknown

    def joined(self, operate: Callable[..., int | None], *parts: Grid) -> Grid:
        """An operation on what several expressions are."""
        axes = tuple(sorted(set().union(*(part.axes for part in parts))))
        columns = [self.turned(part, axes) for part in parts]
        quick = _QUICK.get(operate)
        if quick is not None and not any(None in column for column in columns):
            made = list(map(quick, *columns))
            if WIDE[0] <= min(made) and max(made) <= WIDE[1]:
                return Grid(axes, made)
        return Grid(axes, [operate(*row) for row in zip(*columns, strict=True)])

    def turned(self, grid: Grid, axes: tuple[int, ...]) -> Sequence[int | None]:
        """The values of a grid in the order of some axes, among them its own."""
        if grid.axes == axes:
            return grid.values
        if prod(self.sizes[a] for a in axes) > MOST_CELLS:
            raise TooLarge
        steps, step = {}, 1
        for axis in reversed(grid.axes):
            steps[axis] = step
            step *= self.sizes[axis]
        at = [0]
        for axis in axes:
            move = steps.get(axis, 0)
            at = [x + move * i for x in at for i in range(self.sizes[axis])]
        values = grid.values
        return [values[i] for i in at]

    def size(self, source: ir.Source) -> Grid:
        """How many values a collection has."""
        match source:
            case ir.Listed(items=items):
                return Grid((), (len(items),))
            case ir.Values(values=values):
                return Grid((), (len(values),))
            case ir.Linked(links=links, index=index, lo=lo):
                at, lengths = self.of(index), dict(enumerate(map(len, links), lo))
                return Grid(at.axes, [None if i is None else lengths.get(i) for i in at.values])
        raise Unknown

    def _contains(self, item: ir.Expr, source: ir.Source) -> Grid:
        match source:
            case ir.Values(values=values):
                found, among = self.of(item), frozenset(values)
                return Grid(found.axes, [None if v is None else int(v in among) for v in found.values])
            case ir.Listed(items=items):
                equal = [self.joined(_OPERATORS["=="], self.of(item), self.of(x)) for x in items]
                return self.joined(_any_of, *equal) if equal else Grid((), (0,))
            case ir.Linked(links=links, index=index, lo=lo):
                rows = range(lo, lo + len(links))

                def stands(v: int | None, i: int | None) -> int | None:
                    return None if v is None or i not in rows or i is None else int(v in links[i - lo])

                return self.joined(stands, self.of(item), self.of(index))
        raise Unknown

    def _fold(self, e: ir.Fold) -> Grid:
        if not isinstance(e.source, ir.Values) or not e.source.values:
            raise Unknown
        axis = self._new_axis(len(e.source.values))
        inner = self._binding(e.reg, Grid((axis,), e.source.values))
        where, body = (inner.of(ir.Const(1) if part is None else part) for part in (e.where, e.body))
        met = self.joined(_either_not if e.kind == "all" else _OPERATORS["and"], where, body)
        axes = tuple(sorted({*met.axes, axis}))
        values, size = self.turned(met, axes), self.sizes[axis]
        assert axes[-1] == axis
        rows = [values[i : i + size] for i in range(0, len(values), size)]
        fold = {"any": max, "all": min, "count": sum}[e.kind]
        return Grid(axes[:-1], [None if None in row else fold(row) for row in rows])  # type: ignore


def _both_known(operate: Callable[[int, int], int]) -> Callable[[int | None, int | None], int | None]:
    def of(a: int | None, b: int | None) -> int | None:
        if a is None or b is None:
            return None
        value = operate(a, b)
        return int(value) if WIDE[0] <= value <= WIDE[1] else None

    return of


def _and(a: int | None, b: int | None) -> int | None:
    return None if a is None else 0 if not a else None if b is None else int(bool(b))


def _or(a: int | None, b: int | None) -> int | None:
    return None if a is None else 1 if a else None if b is None else int(bool(b))


def _either_not(a: int | None, b: int | None) -> int | None:
    return None if a is None else 1 if not a else None if b is None else int(bool(b))


def _choose(condition: int | None, then: int | None, otherwise: int | None) -> int | None:
    return None if condition is None else then if condition else otherwise


def _any_of(*found: int | None) -> int | None:
    return None if None in found else int(any(found))


def _divided(operate: Callable[[int, int], int]) -> Callable[[int | None, int | None], int | None]:
    known = _both_known(operate)
    return lambda a, b: None if b == 0 else known(a, b)


_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "min": min,
    "max": max,
}
_OPERATORS: dict[str, Callable[[int | None, int | None], int | None]] = {
    **{op: _both_known(operate) for op, operate in _PLAIN.items()},
    "div": _divided(operator.floordiv),
    "mod": _divided(operator.mod),
    "and": _and,
    "or": _or,
}
_QUICK: dict[Callable[..., int | None], Callable[..., Any]] = {
    _OPERATORS[op]: operate for op, operate in _PLAIN.items()
}
"""What is done where nothing can fault, without asking each value; a truth counts as 0 or 1."""


def most(fx: FunctionContext, parts: list[ir.Source]) -> int | None:
    """The most values that some rows of links and lists have together, if they depend on few values."""
    source = ir.Joined(tuple(parts))
    keys = list(dict.fromkeys(_keys(fx, source, -1, frozenset())))
    spans = [_span(fx, source, key) for key in keys]
    known = [s for s in spans if s is not None]
    if len(known) < len(keys) or len(keys) > MOST_KEYS:
        return None
    names: dict[ir.Expr, ir.Expr] = {k: ir.Reg(-2 - i) for i, k in enumerate(keys)}
    plain = [cast(ir.Source, _with_known(fx, cast(ir.Expr, part), names)) for part in parts]
    grids = _grids([Range(0, 1), *known])
    try:
        values = grids.joined(_sum, *map(grids.size, plain)).values
    except (TooLarge, Unknown):
        return None
    return max((v for v in values if v is not None), default=None)


def tables(
    fx: FunctionContext, parts: Sequence[ir.Expr]
) -> tuple[ir.Expr, Range, list[tuple[int, ...]]] | None:
    """What some expressions are for each value of the one thing that they depend on, if it is one."""
    keys = list(dict.fromkeys(key for part in parts for key in _keys(fx, part, -1, frozenset())))
    spans = [_span(fx, part, keys[0]) for part in parts] if len(keys) == 1 else []
    known = [s for s in spans if s is not None]
    if not known or len(known) < len(spans):
        return None
    lo, hi = max(s.lo for s in known), min(s.lo + s.size for s in known)
    names: dict[ir.Expr, ir.Expr] = {keys[0]: ir.Reg(-2)}
    span = Range(lo, hi - lo)
    grids = _grids([Range(0, 1), span])
    try:
        found = [grids.of(_with_known(fx, part, names)) for part in parts]
        columns = [grids.turned(grid, (1,)) for grid in found]
    except (TooLarge, Unknown):
        return None
    rows = [tuple(v for v in column if v is not None) for column in columns]
    return (keys[0], span, rows) if span.size > 0 and all(len(row) == span.size for row in rows) else None


def _sum(*numbers: int | None) -> int | None:
    return sum(n for n in numbers if n is not None) if None not in numbers else None


def _grids(variables: Sequence[Range]) -> Grids:
    """For a register, -1, and the keys that follow."""
    bound = {-1 - i: Grid((i,), range(v.lo, v.lo + v.size)) for i, v in enumerate(variables)}
    return Grids([v.size for v in variables], bound)


def _worked_out(e: ir.Expr, r: Range, spans: tuple[Range, ...]) -> tuple[int, ...] | None:
    """The sets of a condition for all values of its keys, unless it may fault or is too large."""
    grids, axes = _grids([r, *spans]), tuple(range(1, len(spans) + 1))
    try:
        found = grids.masks(e)
        rows = grids.turned(Grid(found.axes, found.values), axes)
    except (TooLarge, Unknown):
        return None
    return tuple(cast(Sequence[int], rows))

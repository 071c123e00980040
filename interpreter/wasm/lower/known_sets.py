"""Conditions that read nothing but their register and a few other values: a table with a set for each of those.

`(x.row - here.row) * (x.column - here.column) in [-2, 2]` depends on `x` and `here` alone. So for each `here`
the set of all `x` is known beforehand, and to find it is to load a row of bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from interpreter import ir
from interpreter.ir.visit import children, free_registers, reads_register
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK
from interpreter.wasm.lower import addresses, bitsets, const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Bits, Constant, Range

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
    if _is_equality(e, reg) or not _is_stateless(e) or _has_guard(e, reg):
        return None
    keys = list(dict.fromkeys(_keys(fx, e, reg, frozenset())))
    if len(keys) > MOST_KEYS or ir.Reg(reg) in keys:
        return None
    spans = []
    for key in keys:
        span = _span(fx, e, key)
        if span is None:
            return None
        spans.append(span)
    if prod(s.size for s in spans) * r.words * 8 > MOST_BYTES:
        return None
    known = tuple(
        (k.index, x.value) for k in _registers(e) if isinstance(x := fx.regs.get(k.index), Constant)
    )
    locals_ = tuple((k.slot, x.value) for k in _locals(e) if isinstance(x := fx.slots.get(k.slot), Constant))
    name = (id(fx.builder.first_equal(e)), reg, r, tuple(spans), known, locals_)
    found = fx.builder.relations.get(name, 0)
    if found == 0:
        found = fx.builder.relations[name] = _worked_out(fx, e, reg, r, keys, spans)
    assert found is None or isinstance(found, Relation)
    return found


def relation_set(fx: FunctionContext, found: Relation, r: Range) -> Bits:
    """The set of the values that the keys have now."""
    bits = bitsets.new_bits(fx, r)
    if not found.keys:
        bitsets.set_bits(fx, bits, found.rows[0])
        return bits
    b = fx.b
    with b.temporaries(I32) as (index,):
        for number, (key, span) in enumerate(zip(found.keys, found.spans, strict=True)):
            held = fx.num(key)
            addresses.within(fx, held, span.lo, span.lo + span.size - 1)
            counted = STACK - span.lo if span.lo else STACK
            b.assign(index, counted + index * span.size if number else counted)
        bitsets.row(fx, list(found.rows), index, 0, bits)
    return bits


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


def _has_guard(e: ir.Expr, reg: int) -> bool:
    """Whether a part that does not read the register decides if others are asked."""
    match e:
        case ir.Op(op="and" | "or", left=left, right=right):
            if not reads_register(left, reg) or not reads_register(right, reg):
                return True
            return _has_guard(left, reg) or _has_guard(right, reg)
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return any(_has_guard(x, reg) or not reads_register(condition, reg) for x in (then, otherwise))
        case ir.Not(operand=operand):
            return _has_guard(operand, reg)
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
            yield ir.Reg(reg) if free_registers(e) & (bound | {reg}) else e
        case ir.Fold(reg=inner) | ir.Let(reg=inner):
            for part in children(e):
                yield from _keys(fx, part, reg, bound | {inner})
        case _:
            for part in children(e):
                yield from _keys(fx, part, reg, bound)


def _registers(e: Any) -> Iterator[ir.Reg]:
    if isinstance(e, ir.Reg):
        yield e
    for part in children(e):
        yield from _registers(part)


def _locals(e: Any) -> Iterator[ir.Local]:
    if isinstance(e, ir.Local):
        yield e
    for part in children(e):
        yield from _locals(part)


def _span(fx: FunctionContext, e: ir.Expr, key: ir.Expr) -> Range | None:
    """The interval of a key: that of the tables in which it is looked up, if there are any."""
    if isinstance(key, ir.Load | ir.PlaceIndex | ir.ClassOf) and any(map(_varies(fx), _leaves(key))):
        return None
    lo, hi = WIDE
    for table_lo, size in _look_ups(fx, e, key):
        lo, hi = max(lo, table_lo), min(hi, table_lo + size - 1)
    if (lo, hi) == WIDE:
        value = fx.regs.get(key.index) if isinstance(key, ir.Reg) else None
        if value is None:
            return None
        lo, hi = value.span
    return Range(lo, hi - lo + 1) if 0 <= hi - lo < MOST_CELLS else None


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


class TooLarge(Exception):
    """More values than are worked out."""


class Unknown(Exception):
    """Something that is not worked out."""


@dataclass
class Grids:
    """Works expressions out. Axis 0 is the register, then the keys, then what expressions bind."""

    fx: FunctionContext
    keys: dict[ir.Expr, int]
    sizes: list[int]
    bound: dict[int, Grid]

    def of(self, e: Any) -> Grid:
        axis = self.keys.get(e) if isinstance(e, (ir.Reg, ir.Local, *KEYS)) else None
        if axis is not None:
            return self.bound[-1 - axis]
        match e:
            case ir.Const(value=value):
                return Grid((), (value,))
            case ir.Reg(index=index) if index in self.bound:
                return self.bound[index]
            case ir.Reg() | ir.Local():
                known = const_eval.constant(self.fx, e)
                if known is None:
                    raise Unknown
                return Grid((), (known,))
            case ir.Not(operand=operand):
                found = self.of(operand)
                return Grid(found.axes, [None if v is None else int(not v) for v in found.values])
            case ir.Op(op=op, left=left, right=right):
                return self.joined(_OPERATORS[op], self.of(left), self.of(right))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                return self.joined(_choose, self.of(condition), self.of(then), self.of(otherwise))
            case ir.Let(reg=reg, value=value, body=body):
                return replace_bound(self, reg, self.of(value), body)
            case ir.Pick(table=table, index=index_, lo=lo):
                index = self.of(index_)
                inside = range(lo, lo + len(table))
                return Grid(index.axes, [table[v - lo] if v in inside else None for v in index.values])
            case ir.Contains(item=item, source=source):
                return self._contains(item, source)
            case ir.Fold():
                return self._fold(e)
        raise Unknown

    def joined(self, operate: Callable[..., int | None], *parts: Grid) -> Grid:
        axes = tuple(sorted(set().union(*(part.axes for part in parts))))
        columns = [self.spread(part, axes) for part in parts]
        return Grid(axes, [operate(*row) for row in zip(*columns, strict=True)])

    def spread(self, grid: Grid, axes: tuple[int, ...]) -> Sequence[int | None]:
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
                found, rows = self.of(index), range(lo, lo + len(links))
                return Grid(found.axes, [len(links[i - lo]) if i in rows and i is not None else None for i in found.values])
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
        axis = len(self.sizes)
        self.sizes.append(len(e.source.values))
        moving = Grid((axis,), e.source.values)
        one = Grid((), (1,))
        where = replace_bound(self, e.reg, moving, e.where) if e.where is not None else one
        body = replace_bound(self, e.reg, moving, e.body) if e.body is not None else one
        met = self.joined(_either_not if e.kind == "all" else _OPERATORS["and"], where, body)
        axes = tuple(sorted({*met.axes, axis}))
        values, size = self.spread(met, axes), self.sizes[axis]
        assert axes[-1] == axis
        rows = [values[i : i + size] for i in range(0, len(values), size)]
        fold = {"any": max, "all": min, "count": sum}[e.kind]
        return Grid(axes[:-1], [None if None in row else fold(row) for row in rows])  # type: ignore


def replace_bound(grids: Grids, reg: int, grid: Grid, body: ir.Expr) -> Grid:
    """A body worked out with a register bound to a grid."""
    return replace(grids, bound={**grids.bound, reg: grid}).of(body)


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


_OPERATORS: dict[str, Callable[[int | None, int | None], int | None]] = {
    "+": _both_known(operator.add),
    "-": _both_known(operator.sub),
    "*": _both_known(operator.mul),
    "div": _divided(operator.floordiv),
    "mod": _divided(operator.mod),
    "<": _both_known(operator.lt),
    "<=": _both_known(operator.le),
    ">": _both_known(operator.gt),
    ">=": _both_known(operator.ge),
    "==": _both_known(operator.eq),
    "!=": _both_known(operator.ne),
    "min": _both_known(min),
    "max": _both_known(max),
    "and": _and,
    "or": _or,
}


def _grids(fx: FunctionContext, keys: list[ir.Expr], variables: list[Range]) -> Grids:
    """For a register, the first variable, and keys."""
    bound = {-1 - i: Grid((i,), range(v.lo, v.lo + v.size)) for i, v in enumerate(variables)}
    return Grids(fx, {key: i for i, key in enumerate(keys, 1)}, [v.size for v in variables], bound)


def most(fx: FunctionContext, parts: list[ir.Source]) -> int | None:
    """The most values that some rows of links and lists have together, if they depend on few values."""
    keys = list(dict.fromkeys(_keys(fx, ir.Joined(tuple(parts)), -1, frozenset())))
    spans = [_span(fx, ir.Joined(tuple(parts)), key) for key in keys]
    known = [s for s in spans if s is not None]
    if len(known) < len(keys) or len(keys) > MOST_KEYS:
        return None
    grids = _grids(fx, keys, [Range(0, 1), *known])
    try:
        values = grids.joined(_sum, *map(grids.size, parts)).values
    except (TooLarge, Unknown):
        return None
    return max((v for v in values if v is not None), default=None)


def _sum(*numbers: int | None) -> int | None:
    return sum(n for n in numbers if n is not None) if None not in numbers else None


def _worked_out(
    fx: FunctionContext, e: ir.Expr, reg: int, r: Range, keys: list[ir.Expr], spans: list[Range]
) -> Relation | None:
    """The table of a condition, unless it may come to a fault or is too large."""
    grids = _grids(fx, keys, [r, *spans])
    grids.bound[reg] = Grid((0,), range(r.lo, r.lo + r.size))
    try:
        values = grids.spread(grids.of(e), tuple(range(len(spans) + 1)))
    except (TooLarge, Unknown):
        return None
    if None in values:
        return None
    stride = prod(s.size for s in spans)
    rows = [sum(1 << i for i in range(r.size) if values[i * stride + k]) for k in range(stride)]
    return Relation(tuple(keys), tuple(spans), tuple(rows))

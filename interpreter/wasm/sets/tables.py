"""What is known of an expression for each value of an interval, and the sets that are read off the state.

What a register stands for is a table with an entry for each value (`Column`), a number counted by sets
(`UnaryNumber`), or 32 values of a collection (`MaskWord`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import both, calculate
from interpreter.ir.operators import Comparison
from interpreter.ir.visit import children, substitute, walk
from interpreter.wasm.emit.bit_boards import FEWEST, MOST
from interpreter.wasm.lower import bitset_select, columns, const_eval, presence, value_tables
from interpreter.wasm.lower.condition_forms import SMALL, few_values
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, Lazy, Range, Value
from interpreter.wasm.sets.costs import COLLECTED
from interpreter.wasm.sets.forms import Form, Forms, Links

MOST_CONDITIONS = 2_000
"""Conditions that are looked at for one form."""
MOST_BOUNDED = 1 << 18
"""Conditions by values, where it is only asked which values they can hold for."""
MOST_CASES = 24
"""Values that a number takes, where a condition is asked for each of them."""
FEW_LINKS, MOST_LINKS = 4, 24
"""Distances by which one set is moved: so many at least that a table is quicker, and the most."""
FEW_NUMBERS = 64
"""Numbers for each of which a table has a row."""
MOST_PAIRS = 1 << 14
"""Pairs of which it is worked out whether they are related."""
MOST_WORK = 1 << 22
"""What it may take to work out pairs: parts of an expression, for each of them."""
PLACE = 1 << 24
"""The register of what is asked of all places at once."""
KEY = PLACE + 3
"""The register of a place for each of which a table has rows."""
ROWS = PLACE + 64
"""The first register of columns of pairs."""
NAMES = PLACE + 128
"""The first register of what is worked out once."""

Column = tuple[int | None, ...]
"""What something is for each value of the interval; none where that is not known, or nothing."""


Element = tuple[Form, Column]
"""An element of a collection: for which values it is there, and what it is for those."""


class Unfit(Exception):
    """There is no form."""


@dataclass(frozen=True)
class UnaryNumber:
    """A number: that of a column, and one more for each step that holds. Each lies in the one before."""

    base: Column
    steps: tuple[Form, ...]


@dataclass(frozen=True)
class MaskWord:
    """32 values of a collection, from one on, as a set."""

    source: ir.Source
    elements: tuple[Element, ...]
    lo: int


Meaning = Column | UnaryNumber | MaskWord
"""What a register stands for."""


@dataclass(frozen=True)
class Env:
    """What registers stand for, and what parts of expressions are, by the identity of the first equal."""

    regs: Mapping[int, Meaning]
    parts: Mapping[int, tuple[ir.Expr, Column]] = field(default_factory=dict)
    present: Mapping[int, ir.Expr] = field(default_factory=dict)
    """What is known not to be none, where a condition that says so was asked before."""
    constant: Mapping[int, ir.Const] = field(default_factory=dict)
    """The registers that stand for the same number for all values."""

    def bound(self, fx: FunctionContext, reg: int, value: Meaning) -> Env:
        """With a register bound to something; parts that read it are other parts now."""
        kept = {i: x for i, x in self.parts.items() if not fx.reads(x[0], reg)}
        present = {i: x for i, x in self.present.items() if not fx.reads(x, reg)}
        constant = {i: x for i, x in self.constant.items() if i != reg}
        if isinstance(value, tuple) and value[0] is not None and len({*value}) == 1:
            constant[reg] = ir.Const(value[0])
        return Env({**self.regs, reg: value}, kept, present, constant)

    def split(self, part: ir.Expr, column: Column) -> Env:
        return replace(self, parts={**self.parts, id(part): (part, column)})

    def behind(self, fx: FunctionContext, condition: ir.Expr, holds: bool) -> Env:
        """Where a condition holds, or where it does not."""
        found = [fx.builder.first_equal(e) for e in presence.present(condition, holds)]
        return replace(self, present={**self.present, **{id(e): e for e in found}}) if found else self


class Tables:
    """What follows from tables, and what is asked of all places at once, over one interval."""

    def __init__(self, fx: FunctionContext, r: Range, *, bounded: bool = False) -> None:
        """`bounded`: forms hold wherever the condition can, and what reads the state may be anything."""
        self.fx, self.r, self.bounded = fx, r, bounded
        self.left = min(MOST_CONDITIONS, MOST_BOUNDED // r.size) if bounded else MOST_CONDITIONS
        self.forms = Forms(r.size)
        self.others: dict[Range, Forms] = {r: self.forms}
        self.unknown = self.forms.truth(ir.Const(1))
        self._columns: dict[Column, Column] = {}
        self._known: dict[tuple[object, ...], tuple[object, Column | int | None]] = {}
        self.names: dict[int, tuple[int, ir.Expr]] = {}
        """Registers for what is worked out once and read several times, by the identity of its expression."""
        """What is worked out once before anything is asked, as the values of names are."""

    # ---- what is asked by recursion

    def condition(self, e: ir.Expr, env: Env, live: int) -> Form:
        """The values for which a condition holds, of those that are live; of others it may say anything."""
        raise NotImplementedError

    def elements(self, source: ir.Source, env: Env, live: int) -> list[Element]:
        """The elements of a collection in its order."""
        raise NotImplementedError

    # ---- what is known

    def _column(self, e: ir.Expr, env: Env, live: int) -> Column:
        found = self._column_or_none(e, env, live)
        if found is None:
            raise Unfit
        return found

    def _column_or_none(self, e: ir.Expr, env: Env, live: int) -> Column | None:
        """What an expression is for each value, if that is known for all that are live."""
        found = self._evaluated(e, env)
        if found is None:
            return None
        if isinstance(found, int):
            return self._same(found)
        if None in found and any(v is None and live >> i & 1 for i, v in enumerate(found)):
            return None
        return found

    def _evaluated(self, e: ir.Expr, env: Env) -> Column | int | None:
        """What an expression is for each value, or for all of them; none if it does not follow from them."""
        if isinstance(e, ir.Const | ir.Reg | ir.Local):
            return self._worked_out(e, env)
        free = self.fx.builder.free_registers(e)
        stand_for: list[object] = [env.regs.get(i) for i in free]
        if env.parts:
            stand_for += [x for part in env.parts.values() for x in part]
        name = (id(e), *map(id, stand_for))
        if name not in self._known:
            found = self._worked_out(e, env)
            found = self._kept(found) if isinstance(found, tuple) else found
            self._known[name] = (e, *stand_for), found
        return self._known[name][1]

    def _worked_out(self, e: ir.Expr, env: Env) -> Column | int | None:
        match e:
            case ir.Const(value=value):
                return value
            case ir.Reg(index=index):
                meaning = env.regs.get(index)
                if meaning is not None:
                    return meaning if isinstance(meaning, tuple) else None
                held = self.fx.regs.get(index)
                return held.value if isinstance(held, Constant) else None
            case ir.Local(slot=slot):
                word = self.fx.slots.get(slot)
                return word.value if isinstance(word, Constant) else None
            case ir.Op(op=op, left=left, right=right):
                operate = partial(value_tables.result, op)
                return self._lifted(operate, self._evaluated(left, env), self._evaluated(right, env))
            case ir.Not(operand=operand):
                return self._lifted(
                    lambda v: None if v is None else int(not v), self._evaluated(operand, env)
                )
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                parts = (self._evaluated(x, env) for x in (condition, then, otherwise))
                return self._lifted(lambda a, b, c: None if a is None else b if a else c, *parts)
            case ir.Let(reg=reg, value=value, body=body):
                inner = self._evaluated(value, env)
                if inner is None:
                    return None
                return self._evaluated(body, env.bound(self.fx, reg, self._wide(inner)))
            case ir.Pick(table=table, index=index_, lo=lo):
                inside = range(lo, lo + len(table))
                return self._lifted(
                    lambda i: table[i - lo] if i in inside else None, self._evaluated(index_, env)
                )
            case ir.ClassOf(piece=piece, classes=classes):
                return self._lifted(
                    lambda p: None if p is None else p if p == NONE else p % classes,
                    self._evaluated(piece, env),
                )
            case ir.PlaceIndex(piece=piece, classes=classes, table=table):
                return self._lifted(
                    lambda p: None if p is None else p if p == NONE else table[p // classes],
                    self._evaluated(piece, env),
                )
            case ir.Size(source=ir.Linked(links=links, index=index_, lo=lo)):
                inside = range(lo, lo + len(links))
                return self._lifted(
                    lambda i: len(links[i - lo]) if i in inside else None, self._evaluated(index_, env)
                )
            case ir.Size() | ir.Best() | ir.Fold() | ir.Load() | ir.PieceAt() if env.parts:
                split = env.parts.get(id(self._first_equal(e)))
                return None if split is None else split[1]
        return None

    def _lifted(self, operate: Callable[..., int | None], *parts: Column | int | None) -> Column | int | None:
        """An operation on what some expressions are, each value for itself."""
        if None in parts:
            return None
        rows = [part for part in parts if not isinstance(part, int)]
        if not rows:
            found = operate(*parts)
            return (None,) * self.r.size if found is None else found
        if len(rows) == 1 and len(parts) == 2:
            one, two = parts
            known = dict[int | None, int | None]()
            for v in {*rows[0]}:  # type: ignore[misc]
                known[v] = operate(v, two) if isinstance(two, int) else operate(one, v)
            return tuple(map(known.__getitem__, rows[0]))  # type: ignore[arg-type]
        wide = [self._wide(part) for part in parts]  # type: ignore[arg-type]
        of_all = {values: operate(*values) for values in set(zip(*wide, strict=True))}
        return tuple(of_all[values] for values in zip(*wide, strict=True))

    def _wide(self, column: Column | int) -> Column:
        return self._same(column) if isinstance(column, int) else column

    def _kept(self, column: Column) -> Column:
        """The first column that is equal to one."""
        return self._columns.setdefault(column, column)

    def _same(self, value: int) -> Column:
        """A number that is the same for all values."""
        return self._kept((value,) * self.r.size)

    # ---- parts

    def _reads(self, e: Any, env: Env) -> bool:
        """Whether an expression depends on the value."""
        free = self.fx.builder.free_registers(e)
        return any(i in env.regs and i not in env.constant for i in free)

    def scalar(self, e: ir.Expr, env: Env) -> ir.Expr:
        """What does not depend on the value, to be worked out once: where it is asked, it cannot fault."""
        found = e
        if env.present and not const_eval.plain(e) and not self.bounded:
            parts = {id(self._first_equal(x)) for x in walk(e) if isinstance(x, presence.SMALL)}
            given = [x for i, x in env.present.items() if i in parts and not self._reads(x, env)]
            there: ir.Expr | None = None
            for x in given:
                there = both(there, ir.Op("!=", x, ir.Const(NONE)))
            if there is not None:
                found = ir.If(there, e, ir.Const(0))
        for i in self.fx.builder.free_registers(e) & env.constant.keys():
            found = substitute(found, i, env.constant[i])
        return self._first_equal(found)

    def _is_split(self, e: ir.Expr, env: Env) -> bool:
        return bool(env.parts) and id(self._first_equal(e)) in env.parts

    def _first_equal(self, e: ir.Expr) -> ir.Expr:
        return self.fx.builder.first_equal(e)

    def _truth(self, e: ir.Expr) -> Form:
        """Of a scalar."""
        known = const_eval.constant(self.fx, e)
        if known is not None:
            return self.forms.everything if known else self.forms.nothing
        return self.unknown if self.bounded else self.forms.truth(self._first_equal(e))

    def _forms_over(self, r: Range) -> Forms:
        return self.others.setdefault(r, Forms(r.size))

    # ---- sets that are read off the state

    def _table(self, op: Comparison, column: Column, scalar: ir.Expr, live: int) -> Form:
        """Whether entries of a table compare with a number so: the set of such entries, moved."""
        values = distinct(column, live)
        if not values:
            return self.forms.nothing
        if self.bounded:
            return self._table_bounds(op, column, scalar, live)
        if len(values) == 1:
            return self._truth(ir.Op(op, ir.Const(values[0]), scalar))
        if NONE in values:
            nowhere = holding(column, lambda v: v == NONE) & live
            none = self.forms.all_of(
                [self.forms.known(nowhere), self._truth(ir.Op(op, ir.Const(NONE), scalar))]
            )
            return self.forms.any_of([none, self._table(op, column, scalar, live & ~nowhere)])
        if len({v - i for i, v in enumerate(column) if v is not None and live >> i & 1}) > FEW_LINKS:
            table = tuple(values[0] if v is None or not live >> i & 1 else v for i, v in enumerate(column))
            looked_up = ir.Pick(table, ir.Reg(PLACE), self.r.lo)
            return self.forms.all_of(
                [self.forms.known(live), self._whole(ir.Op(op, looked_up, scalar), self.r)]
            )
        if max(values) - min(values) >= MOST:
            raise Unfit
        own = self.r.lo <= min(values) and max(values) < self.r.lo + self.r.size
        r = self.r if own else Range(min(values), max(values) - min(values) + 1)
        asked = self._whole(ir.Op(op, ir.Reg(PLACE), scalar), r)
        return self._moved(asked, r, column, live)

    def _lies_at(self, e: ir.PieceAt, env: Env, live: int) -> Column:
        """The number of the place of which it is asked what lies there."""
        assert isinstance(e.place, ir.Spot)
        address = e.place.address
        number = self._same(address.base)
        for term in address.terms:
            column = self._column(term.index, env, live)
            if not all(term.lo <= v <= term.hi for v in distinct(column, live)):
                raise Unfit
            number = tuple(
                None if n is None or v is None else n + (v - term.lo) * term.stride
                for n, v in zip(number, column, strict=True)
            )
        return self._kept(number)

    def _table_bounds(self, op: Comparison, column: Column, scalar: ir.Expr, live: int) -> Form:
        """Where entries of a table can compare with a number so, and where they do whatever that is."""
        values = few_values(scalar)
        if values is None:
            return self.unknown
        some = holding(column, lambda v: any(calculate(op, v, x) for x in values)) & live
        every = holding(column, lambda v: all(calculate(op, v, x) for x in values)) & live
        can = self.forms.all_of([self.unknown, self.forms.known(some)])
        return self.forms.any_of([self.forms.known(every), can])

    def _by_value(self, column: Column, live: int, asked: Any) -> Form:
        """The union of what is asked for each value of a column, where it has that."""
        values = distinct(column, live)
        if len(values) > MOST_CASES:
            raise Unfit
        found = []
        for value in values:
            met = holding(column, lambda v, value=value: v == value) & live
            found.append(self.forms.all_of([self.forms.known(met), asked(value, met)]))
        return self.forms.any_of(found)

    def _asked(self, op: Comparison, e: ir.Load, value: int | ir.Expr, env: Env, live: int) -> Form:
        """How a word of the state, at an index that follows from the value, compares with a number."""
        if self.bounded:
            return self.unknown
        right = ir.Const(value) if isinstance(value, int) else value
        terms, at = list[ir.Term](), self._same(0)
        moving: ir.Term | None = None
        for term in e.address.terms:
            if not self._reads(term.index, env):
                terms.append(replace(term, index=self.scalar(term.index, env)))
                continue
            column = self._column_or_none(term.index, env, live)
            if column is None:
                raise Unfit
            values = distinct(column, live)
            if not all(term.lo <= v <= term.hi for v in values):
                raise Unfit
            if len(values) == 1:
                terms.append(replace(term, index=ir.Const(values[0]), proved=True))
            elif moving is not None:
                raise Unfit
            else:
                moving, at = term, column
                terms.append(replace(term, index=ir.Reg(PLACE), proved=True))
        load = self._first_equal(replace(e, address=replace(e.address, terms=tuple(terms))))
        assert isinstance(load, ir.Load)
        if moving is None:
            return self._truth(ir.Op(op, load, right))
        r = Range(moving.lo, moving.hi - moving.lo + 1)
        if not FEWEST <= r.size <= MOST:
            raise Unfit
        condition: ir.Expr = ir.Op(op, load, right)
        words = self.fx.builder.words_of(e.address.base)
        if words is not None and words.kind == "mark":
            if right != ir.Const(0) or op not in ("==", "!="):
                raise Unfit
            condition = load if op == "!=" else ir.Not(load)
        return self._moved(self._whole(condition, r), r, at, live)

    def _whole(self, condition: ir.Expr, r: Range) -> Form:
        """A condition on `PLACE` that is found in one piece."""
        condition = self._first_equal(condition)
        if isinstance(condition, ir.Not):
            forms = self._forms_over(r)
            return forms.without(forms.everything, self._whole(condition.operand, r))
        if isinstance(condition, ir.Op) and condition.op == "!=":
            forms = self._forms_over(r)
            return forms.without(forms.everything, self._whole(replace(condition, op="=="), r))
        if not bitset_select.settable_whole(self.fx, condition, PLACE, r):
            raise Unfit
        return self._forms_over(r).asked(condition, PLACE, r, self._reading(condition, r))

    def _reading(self, condition: ir.Expr, r: Range) -> int:
        """What it takes to read a set off the state: as it is kept, or word by word, some side by side."""
        match condition:
            case ir.Op(left=ir.Load() as load) if columns.board_of(self.fx, load, PLACE, r) is None:
                return 8 + r.size
            case ir.Contains():
                return COLLECTED * r.words
        return 4 * r.words

    def _moved(self, form: Form, r: Range, column: Column, live: int) -> Form:
        """The values whose entry in a table is in a set."""
        by: dict[int, int] = {}
        for i, value in enumerate(column):
            if live >> i & 1 and value is not None:
                at = value - r.lo
                by[i - at] = by.get(i - at, 0) | 1 << at
        links: Links = tuple(by.items())
        forms = self._forms_over(r)
        if len(links) > MOST_LINKS:
            raise Unfit
        return self.forms.moved(form, forms, links)


def holding(column: Column, holds: Any) -> int:
    """The set of the indices at which something holds of what is known."""
    return sum(1 << i for i, v in enumerate(column) if v is not None and holds(v))


def distinct(column: Column, live: int) -> list[int]:
    return sorted({v for i, v in enumerate(column) if v is not None and live >> i & 1})


def looks_up(e: Any, reg: int) -> bool:
    """Whether a register says where an expression looks."""
    if isinstance(e, ir.Pick | ir.Term | ir.Linked):
        return reg in {x.index for x in _registers(e)}
    return any(looks_up(part, reg) for part in children(e))


def _registers(e: Any) -> Iterator[ir.Reg]:
    if isinstance(e, ir.Reg):
        yield e
    for part in children(e):
        yield from _registers(part)


def known_of(value: Value | Lazy | None) -> tuple[int | None, tuple[int, int] | None]:
    """What a form may take from a value that it depends on: what it is, if known, and its span, if small."""
    if value is None:
        return None, None
    return value.value if isinstance(value, Constant) else None, _small(value.span)


def known_of_word(fx: FunctionContext, slot: int) -> tuple[int | None, tuple[int, int] | None]:
    """The same of a word of the frame."""
    if slot in fx.slots:
        return known_of(fx.slots[slot])
    return None, _small((0, 0) if slot == ir.ME else fx.builder.spans.get((fx.routine, slot), WIDE))


def _small(span: tuple[int, int]) -> tuple[int, int] | None:
    return span if span[0] > -SMALL and span[1] < SMALL else None

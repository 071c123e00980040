"""Expressions to forms: what an expression is for every value of an interval, by recursion over its parts.

What a name stands for is a table with an entry for each value (`Column`), or a number counted by sets
(`UnaryNumber`). A place that follows from the value by tables, as `step(x, way, 2)`, is a table too; what is
asked of it is asked of all places at once, and moved. A number that decides where one looks next, as the
length of a line, takes one of a few values: the condition is the union over them.

Nothing is asked outside of `live`, the values for which a condition matters: where `step(x, way) exists`
is asked before, nothing behind it is asked of the border. What would fault somewhere else has no form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import compress, count

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import all_conjuncts, asks_for_any, both, calculate, operation
from interpreter.ir.operators import MIRRORED, NEGATED, Comparison, is_comparison
from interpreter.ir.visit import substitute, walk
from interpreter.wasm.emit.bit_boards import FEWEST
from interpreter.wasm.lower import columns, const_eval
from interpreter.wasm.lower.collection_order import stands_once
from interpreter.wasm.lower.condition_forms import SMALL, few_values, sought_by, with_beginnings
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Range
from interpreter.wasm.sets.bounds import PossibleIndices
from interpreter.wasm.sets.costs import work
from interpreter.wasm.sets.forms import Form, KnownSet
from interpreter.wasm.sets.numbers import Numbers, has_no_gaps
from interpreter.wasm.sets.rows import is_table, rows_of
from interpreter.wasm.sets.tables import (
    MOST_LINKS,
    MOST_PAIRS,
    MOST_WORK,
    NAMES,
    PLACE,
    ROWS,
    Column,
    Element,
    Env,
    MaskWord,
    Meaning,
    Unfit,
    distinct,
    holding,
    known_of,
    known_of_word,
    looks_up,
)

MOST_ELEMENTS = 64
"""Values that a collection has at most, wherever it is gone through."""
ATOMS = ir.Const | ir.Reg | ir.Local
"""What takes nothing to work out again."""


def known(fx: FunctionContext, e: ir.Expr, columns: Mapping[int, Column]) -> int | None:
    """The set of the indices at which a condition on some columns holds, if tables say that."""
    size = len(next(iter(columns.values())))
    if not is_table(e, columns) or size * work(e) > MOST_WORK:
        return None
    try:
        found = Vectors(fx, Range(0, size)).condition(e, Env(columns), (1 << size) - 1)
    except Unfit:
        return None
    return found.bits if isinstance(found, KnownSet) else None


def possible(fx: FunctionContext, e: ir.Expr, columns: Mapping[int, Column]) -> list[bool]:
    """For each index of some columns whether a condition can hold there, whatever the state is."""
    size = len(next(iter(columns.values())))
    found = [False] * size
    for i in PossibleIndices(fx, partial(_possible, fx)).of(e, columns, range(size)):
        found[i] = True
    return found


def _possible(fx: FunctionContext, e: ir.Expr, columns: Mapping[int, Column]) -> int:
    """The set of the indices; the same is asked of the same columns once, whatever their registers are."""
    for k, reg in enumerate(columns):
        e = substitute(e, reg, ir.Reg(ROWS + k))
    e, columns = fx.builder.first_equal(e), {ROWS + k: column for k, column in enumerate(columns.values())}
    known = tuple((i, known_of(fx.regs.get(i))[0]) for i in sorted(fx.builder.free_registers(e)))
    words = tuple(known_of_word(fx, x.slot)[0] for x in walk(e) if isinstance(x, ir.Local))
    name = ("possible", id(e), tuple(columns.values()), known, words)
    if name not in fx.builder.relations:
        size = len(columns[ROWS])
        bounds = Vectors(fx, Range(0, size), bounded=True)
        fx.builder.relations[name] = e, bounds.condition(e, Env(columns), (1 << size) - 1).possible
    found: int = fx.builder.relations[name][1]
    return found


class Vectors(Numbers):
    """Makes the forms of one interval."""

    # ---- conditions

    def condition(self, e: ir.Expr, env: Env, live: int) -> Form:
        """The values for which a condition holds, of those that are live; of others it may say anything."""
        self.left -= 1
        try:
            if self.left <= 0:
                raise Unfit
            return self._condition(e, env, live)
        except Unfit:
            if self.bounded:
                return self.unknown
            raise

    def _condition(self, e: ir.Expr, env: Env, live: int) -> Form:
        if not live:
            return self.forms.nothing
        if self.fx.builder.free_registers(e).isdisjoint(env.regs):
            return self._truth(self.scalar(e, env))
        column = self._column_or_none(e, env, live)
        if column is not None:
            return self.forms.known(holding(column, lambda v: bool(v)) & live)
        if not self._reads(e, env):
            return self._truth(self.scalar(e, env))
        if isinstance(e, ir.Contains) and not self._reads(e.source, env):
            return self._contains(e.item, e.source, env, live)
        rows = rows_of(self, e, env, live)
        if rows is not None:
            return rows
        sought = sought_by(e)
        if sought is not None:
            return self._condition(sought, env, live)
        part = None if self.bounded else self._read_by_several(e, env)
        if part is not None:
            return self._by_cases(e, part, env, live)
        parts = with_beginnings(self.fx, all_conjuncts(e))
        if len(parts) > 1:
            return self._all(parts, env, live)
        match e:
            case ir.Op(op="or", left=left, right=right):
                first = self.condition(left, env, live)
                behind = env.behind(self.fx, left, False)
                return self.forms.any_of([first, self.condition(right, behind, live & ~first.certain)])
            case ir.Op(op=op, left=ir.Fold(kind="count") as counted, right=ir.Const(value=value)) if (
                is_comparison(op) and asks_for_any(op, value)
            ):
                there = self._any(counted.reg, counted.source, counted.where, env, live)
                return there if calculate(op, 1, value) else self.forms.without(self.forms.known(live), there)
            case ir.Op(op=op, left=left, right=right) if is_comparison(op):
                return self._comparison(op, left, right, env, live)
            case ir.Not(operand=ir.Op(op=op) as inner) if is_comparison(op):
                return self.condition(replace(inner, op=NEGATED[op]), env, live)
            case ir.Not(operand=operand):
                return self.forms.without(self.forms.known(live), self.condition(operand, env, live))
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                return self._choice(condition, then, otherwise, env, live)
            case ir.Let(reg=reg, value=value, body=body):
                return self._let(reg, value, body, env, live)
            case ir.Fold(kind="any", reg=reg, source=source, where=where):
                return self._any(reg, source, where, env, live)
            case ir.Fold(kind="all", reg=reg, source=source, where=where, body=body) if body is not None:
                failing = ir.Not(body) if where is None else ir.Op("and", where, ir.Not(body))
                return self.forms.without(self.forms.known(live), self._any(reg, source, failing, env, live))
            case ir.Contains(item=item, source=source):
                return self._contains(item, source, env, live)
            case ir.Load():
                return self._asked("!=", e, 0, env, live)
        raise Unfit

    def _all(self, parts: Sequence[ir.Expr], env: Env, live: int) -> Form:
        found: list[Form] = []
        for part in parts:
            found.append(self.condition(part, env, live))
            live, env = live & found[-1].possible, env.behind(self.fx, part, True)
        return self.forms.all_of(found)

    def _choice(self, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr, env: Env, live: int) -> Form:
        asked = self.condition(condition, env, live)
        one = self.condition(then, env.behind(self.fx, condition, True), live & asked.possible)
        other = self.condition(otherwise, env.behind(self.fx, condition, False), live & ~asked.certain)
        return self.forms.any_of([self.forms.all_of([asked, one]), self.forms.without(other, asked)])

    def _let(self, reg: int, value: ir.Expr, body: ir.Expr, env: Env, live: int) -> Form:
        if not self._reads(value, env):
            value = self.scalar(value, env)
            if isinstance(value, ATOMS) or self.bounded:
                return self.condition(substitute(body, reg, value), env, live)
            name, _ = self.names.setdefault(id(value), (self._new_name(), value))
            return self.condition(substitute(body, reg, ir.Reg(name)), env, live)
        column = self._column_or_none(value, env, live)
        if column is not None:
            return self.condition(body, env.bound(self.fx, reg, column), live)
        if isinstance(value, ir.Mask):
            return self.condition(body, env.bound(self.fx, reg, self._word(value, env, live)), live)
        if not looks_up(body, reg):
            try:
                return self.condition(body, env.bound(self.fx, reg, self.number(value, env, live)), live)
            except Unfit:
                pass
        return self.forms.any_of(
            self.forms.all_of(
                [holds, self.condition(body, env.bound(self.fx, reg, is_), live & holds.possible)]
            )
            for holds, is_ in self._cases(value, env, live)
        )

    def _any(self, reg: int, source: ir.Source, where: ir.Expr | None, env: Env, live: int) -> Form:
        while isinstance(source, ir.Filtered):
            inner = None if source.where is None else substitute(source.where, source.reg, ir.Reg(reg))
            where = inner if where is None else where if inner is None else ir.Op("and", inner, where)
            source = source.source
        found: list[Form] = []
        if isinstance(source, ir.Values) and where is not None:
            joined = self.join(reg, source.values, where, env, live)
            joined = self._at_one(reg, source.values, where, env, live) if joined is None else joined
            if joined is not None:
                return joined
        for there, value in self.elements(source, env, live):
            met = live & there.possible
            if where is not None:
                there = self.forms.all_of([there, self.condition(where, env.bound(self.fx, reg, value), met)])
            found.append(there)
        return self.forms.any_of(found)

    def join(self, reg: int, values: tuple[int, ...], where: ir.Expr, env: Env, live: int) -> Form | None:
        """Whether there is one of some known values that is related to the value, and of which more holds.

        The pairs that are related by tables are worked out; of the others nothing is asked.
        """
        if not FEWEST <= len(values) <= MOST_PAIRS // self.r.size:
            return None
        parts = all_conjuncts(where)
        rest = [part for part in parts if not is_table(part, {reg, *env.regs})]
        if not rest or not any(self._reads(part, env) for part in parts if self.fx.reads(part, reg)):
            return None
        places = [x for x in range(self.r.size) if live >> x & 1]
        columns = {
            i: tuple(c[x] for x in places for _ in values)
            for i, c in env.regs.items()
            if isinstance(c, tuple)
        }
        pairs = [(x, value) for x in places for value in values]
        by: dict[int, list[int | None]] = {}
        holds = possible(self.fx, where, {**columns, reg: values * len(places)})
        for x, value in compress(pairs, holds):
            by.setdefault(value - x, [None] * self.r.size)[x] = value
        if len(by) > MOST_LINKS:
            return None
        found = []
        for column in map(tuple, by.values()):
            there = live & holding(column, lambda _: True)
            met = self._all(rest, env.bound(self.fx, reg, self._kept(column)), there)
            found.append(self.forms.all_of([self.forms.known(there), met]))
        return self.forms.any_of(found)

    def _at_one(self, reg: int, values: tuple[int, ...], where: ir.Expr, env: Env, live: int) -> Form | None:
        """Whether something holds of a value that can only be one: `any(y where y is step(x, way) and …)`."""
        parts = all_conjuncts(where)
        for i, part in enumerate(parts):
            rest = [*parts[:i], *parts[i + 1 :]]
            if (one := self._other_side(part, reg)) is not None:
                return self._of_one(reg, values, one, rest, env, live)
            match part:
                case ir.Fold(kind="any", reg=inner, source=ir.Values() as ways, where=asked) if (
                    asked is not None
                ):
                    among = all_conjuncts(asked)
                    if all(self._other_side(x, reg) is None for x in among):
                        continue
                    condition = ir.Fold("any", reg, ir.Values(values), reduce(both, [*rest, *among]), None)
                    return self._any(inner, ways, condition, env, live)
        return None

    def _other_side(self, e: ir.Expr, reg: int) -> ir.Expr | None:
        """What a register is compared with, if a condition says that it is that."""
        match e:
            case (
                ir.Op(op="==", left=ir.Reg(index=index), right=other)
                | ir.Op(op="==", left=other, right=ir.Reg(index=index))
            ) if index == reg and not self.fx.reads(other, reg):
                return other
        return None

    def _of_one(
        self, reg: int, values: tuple[int, ...], one: ir.Expr, rest: Sequence[ir.Expr], env: Env, live: int
    ) -> Form:
        column = self._column_or_none(one, env, live)
        cases = [(self.forms.known(live), column)] if column is not None else self._cases(one, env, live)
        among, found = set(values), []
        for holds, value in cases:
            inside = holding(value, lambda v: v in among) & live & holds.possible
            here = self._all(rest, env.bound(self.fx, reg, value), inside) if rest else self.forms.everything
            found.append(self.forms.all_of([holds, self.forms.known(inside), here]))
        return self.forms.any_of(found)

    def _contains(self, item: ir.Expr, source: ir.Source, env: Env, live: int) -> Form:
        column = None if self._reads(source, env) else self._column_or_none(item, env, live)
        if column is not None and not isinstance(source, ir.Values | ir.Listed):
            values = distinct(column, live)
            r = Range(values[0], values[-1] - values[0] + 1)
            return self._moved(
                self._whole(self.scalar(ir.Contains(ir.Reg(PLACE), source), env), r), r, column, live
            )
        asked = []
        for there, value in self.elements(source, env, live):
            met = live & there.possible
            asked.append(self.forms.all_of([there, self._compared("==", item, value, env, met)]))
        return self.forms.any_of(asked)

    def _among(self, column: Column, contains: ir.Expr, live: int) -> Form:
        """Whether entries of a table are in a collection that is the same for all values."""
        values = distinct(column, live)
        if not values:
            return self.forms.nothing
        own = self.r.lo <= values[0] and values[-1] < self.r.lo + self.r.size
        r = self.r if own else Range(values[0], values[-1] - values[0] + 1)
        return self._moved(self._whole(contains, r), r, column, live)

    # ---- comparisons

    def _comparison(self, op: Comparison, left: ir.Expr, right: ir.Expr, env: Env, live: int) -> Form:
        if not self._reads(left, env):
            op, left, right = MIRRORED[op], right, left
        if op in ("==", "!="):
            left, right = self._of_word(left, right, env)
        left, right = self._with_scalars_apart(left, right, env)
        if not self._reads(right, env):
            right = self.scalar(right, env)
            value = const_eval.constant(self.fx, right)
            if value is not None:
                return self._compared(op, left, (value,) * self.r.size, env, live)
            return self._with_scalar(op, left, right, env, live)
        column = self._column_or_none(right, env, live)
        if column is not None:
            return self._compared(op, left, column, env, live)
        column = self._column_or_none(left, env, live)
        if column is not None:
            return self._compared(MIRRORED[op], right, column, env, live)
        return self.forms.any_of(
            self.forms.all_of([holds, self._compared(op, left, value, env, live & holds.possible)])
            for holds, value in self._cases(right, env, live)
        )

    def _with_scalars_apart(self, left: ir.Expr, right: ir.Expr, env: Env) -> tuple[ir.Expr, ir.Expr]:
        """`x.row - row` and `column` as `x.row` and `column + row`: what depends on the value on the left.

        As long as all are small numbers, so that no sum of them is too large.
        """
        terms = [*_summands(left, 1), *_summands(right, -1)]
        mine = [(sign, e) for sign, e in terms if self._reads(e, env)]
        others = [(-sign, e) for sign, e in terms if not self._reads(e, env)]
        mixed = any(not self._reads(e, env) for _, e in _summands(left, 1)) or len(others) < len(
            list(_summands(right, -1))
        )
        if not mixed or not others or not all(self._is_small(e, env) for _, e in terms):
            return left, right
        return _sum_of(mine), _sum_of(others)

    def _of_word(self, left: ir.Expr, right: ir.Expr, env: Env) -> tuple[ir.Expr, ir.Expr]:
        """What is asked of a piece on a place of size 1, as asked of the word that says what lies there."""
        piece = left.piece if isinstance(left, ir.ClassOf) else left
        if self._is_split(piece, env) or (word := columns.word_of_piece(self.fx, piece)) is None:
            return left, right
        if right == ir.Const(NONE):
            return word, ir.Const(0)
        if isinstance(left, ir.ClassOf) and self._is_small(right, env):
            return word, ir.Op("+", right, ir.Const(1))
        return left, right

    def _is_small(self, e: ir.Expr, env: Env) -> bool:
        """Whether an expression is one of some small numbers, and never none."""
        e = e if self._reads(e, env) else self.scalar(e, env)
        few = None if isinstance(e, ir.Const | ir.Pick) else few_values(e)
        if few is not None:
            return max(map(abs, few)) < SMALL
        match e:
            case ir.Const(value=value):
                return abs(value) < SMALL
            case ir.Pick(table=table):
                return max(map(abs, table), default=SMALL) < SMALL
            case ir.Local(slot=slot):
                return known_of_word(self.fx, slot)[1] is not None
            case ir.Reg(index=index) if index in (named := dict(self.names.values())):
                return self._is_small(named[index], env)
            case ir.Reg(index=index) if index not in env.regs:
                return known_of(self.fx.regs.get(index))[1] is not None
        column = self._column_or_none(e, env, self.forms.every) if self._reads(e, env) else None
        return column is not None and all(v is not None and abs(v) < SMALL for v in column)

    def _with_scalar(self, op: Comparison, e: ir.Expr, scalar: ir.Expr, env: Env, live: int) -> Form:
        """A comparison with a number that is the same for all values, and not known beforehand."""
        column = self._column_or_none(e, env, live)
        if column is not None:
            return self._table(op, column, scalar, live)
        if isinstance(e, ir.Load):
            return self._asked(op, e, scalar, env, live)
        rows = rows_of(self, e, env, live, op, scalar)
        if rows is not None:
            return rows
        found = []
        for holds, value in self._cases(e, env, live):
            met = self._table(op, value, scalar, live & holds.possible)
            found.append(self.forms.all_of([holds, met]))
        return self.forms.any_of(found)

    def _compared(self, op: Comparison, e: ir.Expr, column: Column, env: Env, live: int) -> Form:
        """A comparison with a number that is known for each value."""
        if not self._reads(e, env):
            return self._table(MIRRORED[op], column, self.scalar(e, env), live)
        own = self._column_or_none(e, env, live)
        if own is not None:
            pairs = enumerate(zip(own, column, strict=True))
            return self.forms.known(sum(1 << i for i, (a, b) in pairs if live >> i & 1 and _known(op, a, b)))
        if isinstance(e, ir.Load) and self.bounded:
            return self.unknown
        if isinstance(e, ir.Load) and not self._is_split(e, env):
            return self._by_value(column, live, lambda v, met: self._asked(op, e, v, env, met))
        most = max(distinct(column, live), default=0)
        try:
            number = self.number(e, env, live, most)
        except Unfit:
            number = None
        if number is not None:
            return self._number_compared(op, number, column, live)
        return self.forms.any_of(
            self.forms.all_of([holds, self._known_pairs(op, value, column, live & holds.possible)])
            for holds, value in self._cases(e, env, live)
        )

    def _known_pairs(self, op: Comparison, left: Column, right: Column, live: int) -> Form:
        pairs = enumerate(zip(left, right, strict=True))
        return self.forms.known(sum(1 << i for i, (a, b) in pairs if live >> i & 1 and _known(op, a, b)))

    # ---- what is worked out once

    def _new_name(self) -> int:
        names: Iterator[int] = self.fx.builder.relations.setdefault(("names",), count(NAMES))
        return next(names)

    # ---- collections

    def _word(self, e: ir.Mask, env: Env, live: int) -> MaskWord:
        source = self.fx.builder.first_equal(e.source)  # type: ignore[arg-type]
        return MaskWord(source, tuple(self.elements(e.source, env, live)), e.lo)  # type: ignore[arg-type]

    def _joined_words(self, source: ir.Bits, env: Env, live: int) -> list[Element]:
        """The elements of a set that is kept in words, if they are those of one collection, in any order."""
        words: list[Meaning | None] = []
        for part in source.words:
            if isinstance(part, ir.Mask):
                words.append(self._word(part, env, live))
            else:
                words.append(env.regs.get(part.index) if isinstance(part, ir.Reg) else None)
        first = words[0]
        if not isinstance(first, MaskWord) or not stands_once(self.fx, first.source):
            raise Unfit
        for i, word in enumerate(words):
            if (
                not isinstance(word, MaskWord)
                or word.lo != source.lo + 32 * i
                or word.source is not first.source
            ):
                raise Unfit
        return list(first.elements)

    def elements(self, source: ir.Source, env: Env, live: int) -> list[Element]:
        """The elements of a collection in order: for which values each is there, and what it is for those."""
        found = self._listed(source, env, live)
        if len(found) > MOST_ELEMENTS:
            raise Unfit
        return found

    def _listed(self, source: ir.Source, env: Env, live: int) -> list[Element]:
        everywhere = self.forms.known(live)
        match source:
            case ir.Values(values=values) if len(values) <= MOST_ELEMENTS:
                return [(everywhere, self._same(v)) for v in values]
            case ir.Listed(items=items):
                return [(everywhere, self._column(item, env, live)) for item in items]
            case ir.Linked(links=links, index=index, lo=lo):
                at = self._column(index, env, live)
                if not all(lo <= i < lo + len(links) for i in distinct(at, live)):
                    raise Unfit
                rows = [links[i - lo] if live >> x & 1 and i is not None else () for x, i in enumerate(at)]
                return [
                    (
                        self.forms.known(sum(1 << x for x, row in enumerate(rows) if len(row) > k)),
                        self._kept(tuple(row[k] if len(row) > k else None for row in rows)),
                    )
                    for k in range(max(map(len, rows)))
                ]
            case ir.Filtered(reg=reg, source=inner, where=where):
                return [
                    (self._there_where(there, value, reg, where, env, live), value)
                    for there, value in self.elements(inner, env, live)
                ]
            case ir.Prefix():
                return list(self._beginning(source, env, live))
            case ir.Joined(parts=parts):
                return [element for part in parts for element in self.elements(part, env, live)]
            case ir.Bits():
                return self._joined_words(source, env, live)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                asked = self.condition(condition, env, live)
                return [
                    *(
                        (self.forms.all_of([asked, there]), value)
                        for there, value in self.elements(then, env, live & asked.possible)
                    ),
                    *(
                        (self.forms.without(there, asked), value)
                        for there, value in self.elements(otherwise, env, live & ~asked.certain)
                    ),
                ]
        raise Unfit

    def _there_where(
        self, there: Form, value: Column, reg: int, where: ir.Expr | None, env: Env, live: int
    ) -> Form:
        if where is None:
            return there
        met = self.condition(where, env.bound(self.fx, reg, value), live & there.possible)
        return self.forms.all_of([there, met])

    def _beginning(self, source: ir.Prefix, env: Env, live: int) -> Iterator[Element]:
        """The elements of a beginning: each is there if all before it, and it too, meet the condition."""
        going = self.forms.known(live)
        for there, value in self._in_order(source.source, env, live):
            if not going.possible:
                return
            asked = self._there_where(there, value, source.reg, source.where, env, live & going.possible)
            if source.until:
                yield self.forms.all_of([going, there]), value
                going = self.forms.without(going, asked)
            elif has_no_gaps(source.source):
                going = self.forms.all_of([going, asked])
                yield going, value
            else:
                yield self.forms.all_of([going, asked]), value
                going = self.forms.without(going, self.forms.without(there, asked))


def _summands(e: ir.Expr, sign: int) -> Iterator[tuple[int, ir.Expr]]:
    """The terms of a sum, and whether each is added or taken away."""
    match e:
        case ir.Op(op="+", left=left, right=right):
            yield from _summands(left, sign)
            yield from _summands(right, sign)
        case ir.Op(op="-", left=left, right=right):
            yield from _summands(left, sign)
            yield from _summands(right, -sign)
        case _:
            yield sign, e


def _sum_of(terms: Sequence[tuple[int, ir.Expr]]) -> ir.Expr:
    """Some terms added up; those that are taken away come last."""
    found: ir.Expr = ir.Const(0)
    for sign, e in sorted(terms, key=lambda term: -term[0]):
        found = operation("+" if sign > 0 else "-", found, e)
    return found


def _known(op: Comparison, a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and bool(calculate(op, a, b))

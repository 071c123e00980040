"""Numbers for every value of an interval: counted by nested sets, or one of some cases.

A number is that of a column, and one more for each step that holds; each step is a set that lies in the one
before. So numbers are compared, added and bounded by operations on sets. What decides where one looks next,
as the length of a line, is taken case by case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import all_conjuncts
from interpreter.ir.operators import Bound, Comparison
from interpreter.ir.visit import children, walk
from interpreter.wasm.lower import columns
from interpreter.wasm.sets.forms import Form, KnownSet
from interpreter.wasm.sets.tables import (
    MOST_CASES,
    Column,
    Element,
    Env,
    Tables,
    UnaryNumber,
    Unfit,
    distinct,
    looks_up,
)

MOST_ADDED = 256
"""Operations for one count."""
MOST_COUNTED = 16
"""The largest number that is counted by sets."""


class Numbers(Tables):
    """Makes numbers of one interval."""

    # ---- numbers

    def number(self, e: ir.Expr, env: Env, live: int, most: int = MOST_COUNTED) -> UnaryNumber:
        """A number as sets. Larger numbers than `most` may come out as any number above it."""
        column = self._column_or_none(e, env, live)
        if column is not None:
            return UnaryNumber(column, ())
        self._known_if_bounded(e)
        part = self._read_by_several(e, env)
        if part is not None and part is not self._first_equal(e):
            return self._merged(
                [
                    (holds, self.number(e, env.split(part, value), live & holds.possible, most))
                    for holds, value in self._cases(part, env, live)
                ],
                live,
            )
        match e:
            case ir.Reg(index=index) if isinstance(found := env.regs.get(index), UnaryNumber):
                return found
            case ir.Size(source=source) | ir.Fold(kind="count", source=source) if _is_long(source, most):
                raise Unfit
            case ir.Size(source=source):
                return self._count(self._guards(source, env, live), most, _is_chain(source))
            case ir.Fold(kind="count", reg=reg, source=source, where=where):
                chosen = source if where is None else ir.Filtered(reg, source, where)
                return self._count(self._guards(chosen, env, live), most, False)
            case ir.Op(op="+", left=left, right=right):
                return self._sum(
                    self.number(left, env, live, most), self.number(right, env, live, most), most
                )
            case ir.Op(op="-", left=left, right=right):
                taken = self._column_or_none(right, env, live)
                if taken is None:
                    raise Unfit
                least = min((v for v in distinct(taken, live)), default=0)
                first = self.number(left, env, live, most + max(0, least) + MOST_COUNTED)
                base = tuple(
                    None if a is None or b is None else a - b for a, b in zip(first.base, taken, strict=True)
                )
                return UnaryNumber(base, first.steps)
            case ir.Op(op="max" | "min" as op, left=left, right=right):
                one, two = self.number(left, env, live, most), self.number(right, env, live, most)
                return self._bound(op, one, two, live)
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                asked = self.condition(condition, env, live)
                other = self.forms.without(self.forms.known(live), asked)
                return self._merged(
                    [
                        (asked, self.number(then, env, live & asked.possible, most)),
                        (other, self.number(otherwise, env, live & other.possible, most)),
                    ],
                    live,
                )
            case ir.Let(reg=reg, value=value, body=body) if self._reads(value, env):
                return self._let_number(reg, value, body, env, live, most)
            case ir.Fold(kind="sum", reg=reg, source=source, where=where, body=body) if body is not None:
                chosen = source if where is None else ir.Filtered(reg, source, where)
                return self._total(reg, body, self.elements(chosen, env, live), env, live, most)
        raise Unfit

    def _known_if_bounded(self, e: ir.Expr) -> None:
        """What a number that is read off the state can be is not worked out where only bounds are wanted."""
        if self.bounded and any(isinstance(x, ir.Load) for x in walk(e)):
            raise Unfit

    def known_number(self, e: ir.Expr, env: Env, live: int) -> Column:
        """A number that follows from tables."""
        column = self._column_or_none(e, env, live)
        if column is not None:
            return column
        number = self.number(e, env, live)
        steps = [x.bits for x in number.steps if isinstance(x, KnownSet)]
        if len(steps) < len(number.steps):
            raise Unfit
        return tuple(
            None if v is None else v + sum(x >> i & 1 for x in steps) for i, v in enumerate(number.base)
        )

    def _let_number(
        self, reg: int, value: ir.Expr, body: ir.Expr, env: Env, live: int, most: int
    ) -> UnaryNumber:
        column = self._column_or_none(value, env, live)
        if column is not None:
            return self.number(body, env.bound(self.fx, reg, column), live, most)
        if not looks_up(body, reg):
            return self.number(body, env.bound(self.fx, reg, self.number(value, env, live)), live, most)
        return self._merged(
            [
                (holds, self.number(body, env.bound(self.fx, reg, is_), live & holds.possible, most))
                for holds, is_ in self._cases(value, env, live)
            ],
            live,
        )

    def _total(
        self, reg: int, body: ir.Expr, elements: Sequence[Element], env: Env, live: int, most: int
    ) -> UnaryNumber:
        """The sum of numbers, none of which is below 0, of those elements that are there."""
        total = UnaryNumber(self._same(0), ())
        for there, value in elements:
            met = live & there.possible
            number = self.number(body, env.bound(self.fx, reg, value), met, most)
            nothing = self.forms.without(self.forms.known(live), there)
            least = self._merged([(there, number), (nothing, UnaryNumber(self._same(0), ()))], live)
            if any(v < 0 for v in distinct(least.base, live)):
                raise Unfit
            total = self._sum(total, least, most)
        return total

    def _merged(self, cases: Sequence[tuple[Form, UnaryNumber]], live: int) -> UnaryNumber:
        """A number that is another one in each of some cases, of which exactly one holds."""
        low = [v for holds, number in cases for v in distinct(number.base, live & holds.possible)]
        least, high = min(low, default=0), max(low, default=0)
        above = [(holds, self._from(number, least, high)) for holds, number in cases if holds.possible & live]
        steps = []
        for i in range(max((len(x) for _, x in above), default=0)):
            steps.append(self.forms.any_of(self.forms.all_of([h, x[i]]) for h, x in above if i < len(x)))
        return UnaryNumber(self._same(least), tuple(x for x in steps if x.possible))

    def _guards(self, source: ir.Source, env: Env, live: int) -> list[Form]:
        return [there for there, _ in self.elements(source, env, live)]

    def _count(self, guards: Sequence[Form], most: int, chain: bool) -> UnaryNumber:
        """How many of some sets a value is in."""
        base = (0,) * self.r.size
        if chain:
            return UnaryNumber(base, tuple(x for x in guards if x.possible))
        steps, most = list[Form](), max(0, most)
        if len(guards) * min(most + 1, len(guards)) > MOST_ADDED:
            raise Unfit
        for guard in guards:
            if guard.possible:
                before = [self.forms.everything, *steps]
                more = [self.forms.all_of([x, guard]) for x in before[: most + 2]]
                steps = [self.forms.any_of(pair) for pair in zip(steps, more, strict=False)] + more[
                    len(steps) :
                ]
                steps = steps[: most + 1]
        return UnaryNumber(base, tuple(x for x in steps if x.possible))

    def _sum(self, one: UnaryNumber, two: UnaryNumber, most: int) -> UnaryNumber:
        base = tuple(
            None if a is None or b is None else a + b for a, b in zip(one.base, two.base, strict=True)
        )
        if not one.steps or not two.steps:
            return UnaryNumber(base, one.steps or two.steps)
        if len(one.steps) * len(two.steps) > 4 * MOST_COUNTED**2:
            raise Unfit
        first, second = ([self.forms.everything, *x.steps] for x in (one, two))
        steps = []
        least = min((v for v in base if v is not None), default=0)
        for total in range(1, min(len(one.steps) + len(two.steps), most - least + 1) + 1):
            ways = [
                self.forms.all_of([first[i], second[total - i]])
                for i in range(max(0, total - len(second) + 1), min(total, len(first) - 1) + 1)
            ]
            steps.append(self.forms.any_of(ways))
        return UnaryNumber(base, tuple(steps))

    def _bound(self, op: Bound, one: UnaryNumber, two: UnaryNumber, live: int) -> UnaryNumber:
        """The larger or the smaller of two numbers with equal bases."""
        low = {*distinct(one.base, live), *distinct(two.base, live)}
        if len(low) != 1:
            raise Unfit
        longest = max(len(one.steps), len(two.steps))
        first, second = ([*x.steps, *[self.forms.nothing] * (longest - len(x.steps))] for x in (one, two))
        join = self.forms.any_of if op == "max" else self.forms.all_of
        return UnaryNumber(one.base, tuple(join(pair) for pair in zip(first, second, strict=True)))

    def _from(self, number: UnaryNumber, low: int, high: int) -> list[Form]:
        """The steps of a number above a smaller base."""
        if high - low > MOST_COUNTED:
            raise Unfit
        every = self.forms.every
        return [
            self._at_least(number, (low + i,) * self.r.size, every)
            for i in range(1, high - low + len(number.steps) + 1)
        ]

    def _at_least(self, number: UnaryNumber, column: Column, live: int) -> Form:
        """The values for which a number is at least that of a column."""
        missing: Column = tuple(
            None if a is None or b is None else b - a for a, b in zip(number.base, column, strict=True)
        )

        def asked(value: int, _: int) -> Form:
            if value <= 0:
                return self.forms.everything
            return number.steps[value - 1] if value <= len(number.steps) else self.forms.nothing

        clipped = tuple(None if v is None else max(0, min(v, len(number.steps) + 1)) for v in missing)
        return self._by_value(clipped, live, asked)

    def _number_compared(self, op: Comparison, number: UnaryNumber, column: Column, live: int) -> Form:
        above = tuple(None if v is None else v + 1 for v in column)
        every = self.forms.known(live)
        match op:
            case ">=":
                return self.forms.all_of([every, self._at_least(number, column, live)])
            case ">":
                return self.forms.all_of([every, self._at_least(number, above, live)])
            case "<":
                return self.forms.without(every, self._at_least(number, column, live))
            case "<=":
                return self.forms.without(every, self._at_least(number, above, live))
            case "==":
                least = self.forms.all_of([every, self._at_least(number, column, live)])
                return self.forms.without(least, self._at_least(number, above, live))
            case "!=":
                return self.forms.without(every, self._number_compared("==", number, column, live))

    # ---- cases

    def _by_cases(self, e: ir.Expr, part: ir.Expr, env: Env, live: int) -> Form:
        """A condition for each of what a part of it can be."""
        return self.forms.any_of(
            self.forms.all_of([holds, self.condition(e, env.split(part, value), live & holds.possible)])
            for holds, value in self._cases(part, env, live)
        )

    def _cases(self, e: ir.Expr, env: Env, live: int) -> list[Element]:
        """What an expression can be: for which values it is so, and what it is for those."""
        self._known_if_bounded(e)
        match e:
            case ir.Best(first=True, reg=reg, source=source, where=where):
                chosen = source if where is None else ir.Filtered(reg, source, where)
                return self._first(self._in_order(chosen, env, live), live)
            case ir.Load():
                return self._words(e, env, live)
            case ir.PieceAt():
                return self._pieces(e, env, live)
            case ir.Let(reg=reg, value=value, body=body) if self._reads(value, env):
                found = []
                for holds, is_ in self._cases(value, env, live):
                    inner = env.bound(self.fx, reg, is_)
                    column = self._column_or_none(body, inner, live & holds.possible)
                    if column is None:
                        raise Unfit
                    found.append((holds, column))
                return found
        word = self._word_in(e, env)
        if word is not None:
            return self._known_by(word, e, env, live)
        number = self.number(e, env, live)
        steps = [self.forms.known(live), *number.steps, self.forms.nothing]
        if len(number.steps) > MOST_CASES:
            raise Unfit
        return [
            (
                self.forms.without(steps[k], steps[k + 1]),
                self._kept(tuple(None if v is None else v + k for v in number.base)),
            )
            for k in range(len(number.steps) + 1)
        ]

    def _word_in(self, e: ir.Expr, env: Env) -> ir.Load | ir.PieceAt | None:
        """A word of the state that says what an expression is, as a seat says which one is next."""
        if not isinstance(e, ir.Pick | ir.Op | ir.ClassOf | ir.PlaceIndex):
            return None
        loads = [
            x
            for x in walk(e)
            if isinstance(x, ir.Load | ir.PieceAt) and self._reads(x, env) and not self._is_split(x, env)
        ]
        return loads[0] if loads and self._is_closed(self.fx.builder.free_registers(loads[0]), env) else None

    def _known_by(self, word: ir.Load | ir.PieceAt, e: ir.Expr, env: Env, live: int) -> list[Element]:
        found = []
        for holds, value in self._cases(word, env, live):
            met = live & holds.possible
            inner = env.split(self._first_equal(word), value)
            column = self._column_or_none(e, inner, met)
            found += (
                [(holds, column)] if column is not None else self._within(holds, self._cases(e, inner, met))
            )
        return found

    def _within(self, holds: Form, cases: Iterable[Element]) -> list[Element]:
        return [(self.forms.all_of([holds, one]), value) for one, value in cases]

    def _first(self, elements: Sequence[Element], live: int) -> list[Element]:
        """The first of some elements that is there, or none."""
        left, found = self.forms.known(live), list[Element]()
        for there, value in elements:
            chosen = self.forms.all_of([left, there])
            if chosen.possible:
                found.append((chosen, value))
                left = self.forms.without(left, there)
        if left.possible:
            found.append((left, self._same(NONE)))
        if len(found) > MOST_CASES:
            raise Unfit
        return found

    def _words(self, e: ir.Load, env: Env, live: int) -> list[Element]:
        """The values of a pointer, mark or counter that has few."""
        words = self.fx.builder.words_of(e.address.base)
        board = self.fx.builder.boards.get(words.name) if words is not None else None
        if words is None or board is None or board.values > MOST_CASES:
            raise Unfit
        if words.kind == "mark":
            marked = self._asked("!=", e, 0, env, live)
            plain = self.forms.without(self.forms.known(live), marked)
            return [(marked, self._same(1)), (plain, self._same(0))]
        values = list(range(board.low, board.low + board.values - 1))
        if id(self._first_equal(e)) not in env.present:
            values.append(NONE)
        return [(self._asked("==", e, v, env, live), self._same(v)) for v in values]

    def _pieces(self, e: ir.PieceAt, env: Env, live: int) -> list[Element]:
        """The pieces of each class that may lie on a place of size 1, and none."""
        word = columns.word_of_piece(self.fx, e)
        if word is None or e.classes >= MOST_CASES:
            raise Unfit
        at = self._lies_at(e, env, live)
        found = []
        for class_ in range(e.classes):
            piece = tuple(None if n is None else n * e.classes + class_ for n in at)
            found.append((self._asked("==", word, class_ + 1, env, live), self._kept(piece)))
        if id(self._first_equal(e)) not in env.present:
            found.append((self._asked("==", word, 0, env, live), self._same(NONE)))
        return found

    def _read_by_several(self, e: ir.Expr, env: Env) -> ir.Expr | None:
        """Something that several parts of a condition read, and that says in one of them where to look."""
        parts = _conditions_in(e)
        seen: dict[int, tuple[ir.Expr, int, bool]] = {}
        for part in parts if len(parts) > 1 else [e]:
            mine: dict[int, tuple[ir.Expr, bool]] = {}
            for inner, looked_up in self._numbers(part, env, False):
                before = mine.get(id(inner), (inner, False))
                mine[id(inner)] = inner, before[1] or looked_up
            for inner, looked_up in mine.values():
                _, times, looked = seen.get(id(inner), (inner, 0, False))
                seen[id(inner)] = inner, times + 1, looked or looked_up
        needed = 2 if len(parts) > 1 else 1
        return next((x for x, times, looked in seen.values() if looked and times >= needed), None)

    def _numbers(self, e: Any, env: Env, looked_up: bool) -> Iterator[tuple[ir.Expr, bool]]:
        """Counts and choices in an expression that depend on the value, and if they say where to look."""
        if isinstance(e, ir.Size | ir.Best) or (isinstance(e, ir.Fold) and e.kind not in ("any", "all")):
            first = self._first_equal(e)
            bound = self.fx.builder.free_registers(first)
            if id(first) not in env.parts and self._reads(first, env) and self._is_closed(bound, env):
                yield first, looked_up or isinstance(e, ir.Best)
            return
        if isinstance(e, ir.Fold):
            looked_up = False
        inside = looked_up or isinstance(e, ir.Pick | ir.Term)
        for part in children(e):
            yield from self._numbers(part, env, inside)

    def _is_closed(self, free: Iterable[int], env: Env) -> bool:
        return all(i in env.regs or i in self.fx.regs for i in free)

    def _in_order(self, source: ir.Source, env: Env, live: int) -> list[Element]:
        """The elements of a collection whose order matters."""
        if any(isinstance(part, ir.Bits) for part in walk(source)):
            raise Unfit
        return self.elements(source, env, live)


def _conditions_in(e: ir.Expr) -> list[ir.Expr]:
    """The conditions that a condition is directly made of."""
    parts = all_conjuncts(e)
    if len(parts) > 1:
        return parts
    match e:
        case ir.Op(op="or", left=left, right=right):
            return [left, right]
        case ir.If(condition=condition, then=then, otherwise=otherwise):
            return [condition, then, otherwise]
        case ir.Not(operand=operand):
            return _conditions_in(operand)
    return [e]


def _is_long(source: ir.Source, most: int) -> bool:
    """Whether a collection of known values has too many to count them one by one."""
    while isinstance(source, ir.Filtered):
        source = source.source
    return isinstance(source, ir.Values) and len(source.values) * (most + 1) > MOST_ADDED


def _is_chain(source: ir.Source) -> bool:
    """Whether each element of a collection is there only if the one before it is."""
    return isinstance(source, ir.Prefix) and not source.until and has_no_gaps(source.source)


def has_no_gaps(source: ir.Source) -> bool:
    """Whether behind a place in a collection where nothing stands there is nothing else."""
    match source:
        case ir.Linked() | ir.Listed() | ir.Values():
            return True
        case ir.Joined(parts=(*before, last)):
            return all(isinstance(x, ir.Listed | ir.Values) for x in before) and has_no_gaps(last)
    return False

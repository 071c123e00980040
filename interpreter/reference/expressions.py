"""Expressions as closures over a state and registers."""

from __future__ import annotations

from array import array
from typing import assert_never

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.costs import cost_of_each
from interpreter.reference import histories
from interpreter.reference.closures import DoingFn, DoingValue, IntFn, ListFn
from interpreter.reference.context import RunContext
from interpreter.reference.faults import OutOfBounds
from interpreter.reference.folds import best, contains, fold, in_set
from interpreter.reference.operators import operation
from interpreter.reference.sources import SourceLinker, lookup
from interpreter.reference.trials import TrialRunner


class ExprLinker:
    """Links each expression to one closure; `sources` links collections."""

    def __init__(self, context: RunContext, trials: TrialRunner) -> None:
        self.context, self.trials = context, trials
        self.sources = SourceLinker(context, self.number)
        self._linked: dict[int, IntFn] = {}
        self.node = 0
        """The node whose expressions are being linked; trials use the size of its frame."""

    def linked(self, node: ir.Expr) -> IntFn:
        """The closure of an expression of the machine, made once: for what is linked while a match runs."""
        if id(node) not in self._linked:
            self._linked[id(node)] = self.number(node)
        return self._linked[id(node)]

    def number(self, node: ir.Expr) -> IntFn:
        """The closure of an expression."""
        match node:
            case ir.Const(value=value):
                return lambda s, e: value
            case ir.Reg(index=index):
                return lambda s, e: e[index]
            case ir.Local(slot=slot):
                return lambda s, e: s[s[ir.FP] + slot]
            case ir.Head(word=word):
                return lambda s, e: s[word]
            case ir.Load(address=address):
                return self._load(address)
            case ir.Spot(address=address):
                return self.address(address)
            case ir.Op(left=left, right=right):
                return operation(node, self.number(left), self.number(right))
            case ir.Not(operand=operand):
                value_of = self.number(operand)
                return lambda s, e: 0 if value_of(s, e) else 1
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                c, a, b = self.number(condition), self.number(then), self.number(otherwise)
                return lambda s, e: a(s, e) if c(s, e) else b(s, e)
            case ir.Let(reg=reg, value=value_, body=body):
                return _let(reg, self.number(value_), self.number(body))
            case ir.Pick(table=table, index=index_, lo=lo):
                return lookup(table, self.number(index_), lo)
            case ir.ClassOf(piece=piece, classes=classes):
                inner = self.number(piece)
                return lambda s, e: v if (v := inner(s, e)) == NONE else v % classes
            case ir.PlaceIndex(piece=piece, classes=classes, table=table):
                inner = self.number(piece)
                return lambda s, e: v if (v := inner(s, e)) == NONE else table[v // classes]
            case ir.PieceAt(place=place, classes=classes, top=True):
                return self._piece_on_top(place, classes)
            case ir.PieceAt(place=place, classes=classes):
                return self._piece_at(place, classes)
            case ir.Fold(source=source, where=where, body=body_):
                stream = self.sources.stream(source, cost_of_each(node))
                return fold(node, stream, self._if_any(where), self._if_any(body_))
            case ir.Best(source=source, where=where, keys=keys):
                stream = self.sources.stream(source, cost_of_each(node))
                key_fns = [self.number(k) for k in keys]
                return best(node, stream, self._if_any(where), key_fns)
            case ir.Contains(item=item, source=ir.Bits() as held):
                return in_set(self.number(item), [self.number(word) for word in held.words], held.lo)
            case ir.Contains(item=item, source=source):
                return contains(self.number(item), self.sources.stream(source))
            case ir.Size(source=source):
                many = self.sources.many(source)
                return lambda s, e: sum([n for _, n in many(s, e)])
            case ir.Mask(source=source, lo=lo):
                return _mask(self.sources.many(source), lo)
            case ir.Can(what=what):
                return self._can(what)
            case ir.Times(history=history, values=values):
                layout = self.context.machine.histories[history]
                return histories.times(self.context, layout, [self.number(x) for x in values])
            case ir.Covered():
                return self._covered(node)
            case ir.CoveredCell():
                return self._covered_cell(node)
        assert_never(node)

    def _if_any(self, node: ir.Expr | None) -> IntFn | None:
        return self.number(node) if node is not None else None

    # ---- words

    def address(self, address: ir.Address) -> IntFn:
        """The closure of an address: the index of a word or place. It raises `OutOfBounds`."""
        base = address.base
        terms = [(self.number(t.index), t.lo, t.hi, t.stride) for t in address.terms]
        if not terms:
            return lambda s, e: base
        if len(terms) == 1:
            index, lo, hi, stride = terms[0]

            def one(s: array[int], e: list[int]) -> int:
                i = index(s, e)
                if not lo <= i <= hi:
                    raise OutOfBounds(i, lo, hi)
                return base + (i - lo) * stride

            return one
        (first, lo1, hi1, stride1), (second, lo2, hi2, stride2) = terms

        def two(s: array[int], e: list[int]) -> int:
            i, j = first(s, e), second(s, e)
            if not lo1 <= i <= hi1:
                raise OutOfBounds(i, lo1, hi1)
            if not lo2 <= j <= hi2:
                raise OutOfBounds(j, lo2, hi2)
            return base + (i - lo1) * stride1 + (j - lo2) * stride2

        return two

    def _load(self, address: ir.Address) -> IntFn:
        if not address.terms:
            base = address.base
            return lambda s, e: s[base]
        where = self.address(address)
        return lambda s, e: s[where(s, e)]

    # ---- pieces

    def _piece_at(self, place: ir.Expr, classes: int) -> IntFn:
        bases = [p.base for p in self.context.machine.places]
        if isinstance(place, ir.Const):
            number, base = place.value, bases[place.value]
            return lambda s, e: number * classes + c - 1 if (c := s[base]) else NONE
        where = self.number(place)

        def run(s: array[int], e: list[int]) -> int:
            p = where(s, e)
            c = s[bases[p]]
            return p * classes + c - 1 if c else NONE

        return run

    def _piece_on_top(self, place: ir.Expr, classes: int) -> IntFn:
        bases, where = [p.base for p in self.context.machine.places], self.number(place)

        def run(s: array[int], e: list[int]) -> int:
            p = where(s, e)
            length = s[bases[p]]
            return p * classes + s[bases[p] + length] - 1 if length else NONE

        return run

    # ---- targets

    def doing(self, what: ir.Doing) -> DoingFn:
        """The closure of a target."""
        e = self.context.registers
        match what:
            case ir.DoRoutine(routine=routine, arguments=arguments):
                values = [self.number(a) for a in arguments]
                return lambda s: (routine, [v(s, e) for v in values], NONE)
            case ir.DoCell():
                return self._cell(what)
        assert_never(what)

    def _cell(self, what: ir.DoCell) -> DoingFn:
        cell, actor = self.number(what.cell), self.number(what.actor)
        cells, e = self.context.machine.cells, self.context.registers

        def run(s: array[int]) -> DoingValue | None:
            number = cell(s, e)
            if number == NONE:
                return None
            routine, values = cells[number]
            return routine, list(values), actor(s, e)

        return run

    def _can(self, what: ir.Doing) -> IntFn:
        doing, trials, at = self.doing(what), self.trials, self.node

        def run(s: array[int], e: list[int]) -> int:
            found = doing(s)
            return 0 if found is None else int(trials.can(s, at, found))

        return run

    # ---- coverage

    def _covered(self, node: ir.Covered) -> IntFn:
        value, cover = self.number(node.value), self.context.cover
        point, yes, no = node.point, node.yes, node.no

        def run(s: array[int], e: list[int]) -> int:
            found = value(s, e)
            cover[point] |= yes if found else no
            return found

        return run

    def _covered_cell(self, node: ir.CoveredCell) -> IntFn:
        context, cover, cell = self.context, self.context.cover, self.number(node.value)

        def run(s: array[int], e: list[int]) -> int:
            number = cell(s, e)
            if number != NONE:
                ran = (node.calls or context.taking) and not context.trial
                cover[node.first + number] |= ir.RAN if ran else ir.TRIED
            return number

        return run


def _mask(many: ListFn, lo: int) -> IntFn:
    """The closure of a set of 32 values, as a number with a sign."""

    def run(s: array[int], e: list[int]) -> int:
        found = 0
        for v, _ in many(s, e):
            if 0 <= v - lo < 32:
                found |= 1 << v - lo
        return found - (found >> 31 << 32)

    return run


def _let(reg: int, value: IntFn, body: IntFn) -> IntFn:
    def run(s: array[int], e: list[int]) -> int:
        e[reg] = value(s, e)
        return body(s, e)

    return run

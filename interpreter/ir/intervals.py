"""Interval analysis: bounds for the values of expressions and collections.

An interval holds every value that can occur, and may be wider. Whoever asks relies on that: the compiler
gives loops and choices of numbers their bounds by it, and checks say by it that a range is never left.
The fast executor has an analysis of its own (`interpreter/wasm/lower/values.py`, `slot_intervals.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, assert_never

from dsl.domains import NONE
from dsl.frozen import dataclass
from dsl.operators import Ordering
from interpreter import ir
from interpreter.ir.operators import Operator

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `lo` to `hi`."""

    lo: int
    hi: int

    def joined(self, other: Interval) -> Interval:
        """The smallest interval that contains both."""
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def met(self, other: Interval) -> Interval:
        """The intersection; if it is empty, the greater of the lower ends."""
        return Interval(max(self.lo, other.lo), max(max(self.lo, other.lo), min(self.hi, other.hi)))

    def within(self, lo: int, hi: int) -> bool:
        """Whether all its numbers lie from `lo` to `hi`."""
        return lo <= self.lo and self.hi <= hi

    def apart(self, lo: int, hi: int) -> bool:
        """Whether none of its numbers lies from `lo` to `hi`."""
        return self.hi < lo or self.lo > hi


WIDE = Interval(LOWEST, HIGHEST)
TRUTH = Interval(0, 1)
Known = Mapping[ir.Expr, Interval]
"""Bounds of some expressions that hold where they are evaluated."""
Leaf: TypeAlias = ir.Between | ir.Pieces | ir.Others


@dataclass(frozen=True)
class Ranges:
    """Computes intervals of expressions, given those of the locals."""

    machine: ir.Machine
    local: Callable[[int], Interval]

    # ---- conditions

    def truth(self, e: ir.Expr) -> bool | None:
        """Whether a condition always holds or never holds; none: it depends."""
        match e:
            case ir.Not(operand=operand):
                inner = self.truth(operand)
                return None if inner is None else not inner
            case ir.Op(op="and" | "or" as op, left=left, right=right):
                both = (self.truth(left), self.truth(right))
                settling = op == "or"
                return settling if settling in both else None if None in both else not settling
            case ir.Op(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
                return compared(op, self.of(left, {}), self.of(right, {}))
        return None

    # ---- expressions

    def of(self, e: ir.Expr, known: Known) -> Interval:
        """The interval of an expression."""
        if e in known:
            return known[e]
        match e:
            case ir.Const(value=value):
                return Interval(value, value) if value != NONE else WIDE
            case ir.Local(slot=slot):
                return self.local(slot)
            case ir.Load(address=address):
                return self._word(address)
            case ir.Op():
                return _operated(e.op, self.of(e.left, known), self.of(e.right, known))
            case ir.Not() | ir.Contains() | ir.Can():
                return TRUTH
            case ir.If(then=then, otherwise=otherwise):
                return self.of(then, known).joined(self.of(otherwise, known))
            case ir.Let(reg=reg, value=value_, body=body):
                return self.of(body, {**known, ir.Reg(reg): self.of(value_, known)})
            case ir.Pick(table=table):
                return _hull(table) if NONE not in table else WIDE
            case ir.Fold():
                return self._folded(e, known)
            case ir.Size(source=source):
                return Interval(0, self.size(source, known))
            case ir.Times(history=number):
                return Interval(0, self.machine.histories[number].most)
            case ir.Reg() | ir.Head() | ir.Spot() | ir.ClassOf() | ir.PlaceIndex() | ir.PieceAt() | ir.Best():
                return WIDE
            case ir.Covered() | ir.CoveredCell() | ir.Mask():
                return WIDE
        assert_never(e)

    def _word(self, address: ir.Address) -> Interval:
        words = self.machine.words_at(address.base)
        if words is not None and words.kind == "mark":
            return TRUTH
        if words is not None and words.kind == "counter":
            return Interval(min(r[0] for r in words.ranges), max(r[1] for r in words.ranges))
        return WIDE

    def _folded(self, e: ir.Fold, known: Known) -> Interval:
        if e.kind in ("any", "all"):
            return TRUTH
        most = self.size(e.source, known)
        if e.kind in ("count", "distinct"):
            return Interval(0, most)
        inner = {**known, ir.Reg(e.reg): self.of_source(e.source, known)}
        body = self.of(e.body, inner) if e.body is not None else WIDE
        if e.kind == "sum":
            return _cut(min(0, body.lo * most), max(0, body.hi * most))
        return body.joined(Interval(0, 0))

    # ---- collections

    def of_source(self, source: ir.Source, known: Known) -> Interval:
        """The interval of the values of a collection."""
        match source:
            case ir.Values(values=values):
                return _hull(values) if NONE not in values else WIDE
            case ir.Between(low=low, high=high):
                a, b = self.of(low, known), self.of(high, known)
                return Interval(a.lo, max(a.lo, b.hi))
            case ir.Listed(items=items):
                intervals = [self.of(x, known) for x in items]
                return _hull(end for x in intervals for end in (x.lo, x.hi))
            case ir.Filtered(source=inner) | ir.Prefix(source=inner) | ir.Ranked(source=inner):
                return self.of_source(inner, known)
            case ir.Bits(lo=lo, size=size):
                return Interval(lo, lo + size - 1)
            case ir.Linked(links=links) | ir.Spread(links=links):
                return _hull(value for row in links for value in row)
            case ir.Others(seats=seats):
                return Interval(0, seats - 1)
            case ir.Pieces() | ir.Classed() | ir.Joined() | ir.Either():
                return WIDE
        assert_never(source)

    def size(self, source: ir.Source, known: Known) -> int:
        """The greatest size of a collection."""

        def leaf(part: Leaf) -> int:
            match part:
                case ir.Between():
                    bounds = self.of_source(part, known)
                    return max(0, bounds.hi - bounds.lo + 1)
                case ir.Others(seats=seats):
                    return seats - 1
                case ir.Pieces(first=first):
                    return self._pieces(first)

        return greatest_size(source, leaf)

    def _pieces(self, first: int) -> int:
        """The most pieces that the zone of a place can hold."""
        zone = self.machine.places[first].zone
        total = self.machine.totals.get(self.machine.place_components[zone], HIGHEST)
        places = [p for p in self.machine.places if p.zone == zone]
        return min(total, sum(p.capacity for p in places)) if all(p.limited for p in places) else total


def greatest_size(source: ir.Source, leaf: Callable[[Leaf], int]) -> int:
    """The greatest size of a collection, given those of ranges, pieces and seats."""
    match source:
        case ir.Values(values=values):
            return len(values)
        case ir.Listed(items=items):
            return len(items)
        case ir.Filtered(source=inner) | ir.Prefix(source=inner) | ir.Classed(source=inner):
            return greatest_size(inner, leaf)
        case ir.Ranked(source=inner, number=ir.Const(value=number)):
            return max(0, min(number, greatest_size(inner, leaf)))
        case ir.Ranked(source=inner):
            return greatest_size(inner, leaf)
        case ir.Linked(links=links):
            return max(map(len, links), default=0)
        case ir.Spread(links=links):
            return len(links)
        case ir.Bits(size=size):
            return size
        case ir.Joined(parts=parts):
            return sum(greatest_size(part, leaf) for part in parts)
        case ir.Either(then=then, otherwise=otherwise):
            return max(greatest_size(then, leaf), greatest_size(otherwise, leaf))
        case ir.Between() | ir.Pieces() | ir.Others():
            return leaf(source)
    assert_never(source)


def _hull(values: Iterable[int]) -> Interval:
    """The smallest interval that contains some numbers; `WIDE` if there are none."""
    numbers = list(values)
    return Interval(min(numbers), max(numbers)) if numbers else WIDE


def _operated(op: Operator, a: Interval, b: Interval) -> Interval:
    match op:
        case "<" | "<=" | ">" | ">=" | "==" | "!=" | "and" | "or":
            return TRUTH
        case "+":
            return _cut(a.lo + b.lo, a.hi + b.hi)
        case "-":
            return _cut(a.lo - b.hi, a.hi - b.lo)
        case "*":
            corners = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return _cut(min(corners), max(corners))
        case "min":
            return Interval(min(a.lo, b.lo), min(a.hi, b.hi))
        case "max":
            return Interval(max(a.lo, b.lo), max(a.hi, b.hi))
        case "div" if b.lo > 0:
            corners = [x // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return Interval(min(corners), max(corners))
        case "mod" if b.lo > 0:
            return Interval(0, b.hi - 1)
        case "div" | "mod":
            return WIDE
    assert_never(op)


def _cut(lo: int, hi: int) -> Interval:
    """An interval, cut to 32-bit numbers."""
    return Interval(max(LOWEST, lo), min(HIGHEST, hi))


def compared(op: Ordering, a: Interval, b: Interval) -> bool | None:
    """The result of a comparison if it is the same for all numbers of two intervals; else none."""
    if op in (">", "<="):
        greater = compared("<", b, a)
        return greater if op == ">" or greater is None else not greater
    less = True if a.hi < b.lo else False if a.lo >= b.hi else None
    return less if op == "<" or less is None else not less

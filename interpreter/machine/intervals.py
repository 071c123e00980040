"""Which values expressions can have: one transfer function for each expression and collection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from dsl.domains import NONE
from interpreter import machine as m

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers from `lo` to `hi`."""

    lo: int
    hi: int

    def joined(self, other: Interval) -> Interval:
        return Interval(min(self.lo, other.lo), max(self.hi, other.hi))

    def met(self, other: Interval) -> Interval:
        """What both have; the lower end wins if they have nothing in common."""
        return Interval(max(self.lo, other.lo), max(max(self.lo, other.lo), min(self.hi, other.hi)))

    def within(self, lo: int, hi: int) -> bool:
        return lo <= self.lo and self.hi <= hi

    def apart(self, lo: int, hi: int) -> bool:
        return self.hi < lo or self.lo > hi


WIDE = Interval(LOWEST, HIGHEST)
TRUTH = Interval(0, 1)
Known = Mapping[m.Expr, Interval]
"""Expressions of which more is known where they stand."""
Leaf: TypeAlias = m.Between | m.Pieces | m.Others


@dataclass(frozen=True)
class Ranges:
    """The intervals of expressions, given those of the words of the frame."""

    machine: m.Machine
    local: Callable[[int], Interval]

    # ---- conditions

    def truth(self, e: m.Expr) -> bool | None:
        """Whether a condition holds whatever the numbers in it are, or never does; none: it depends."""
        match e:
            case m.Not(operand=operand):
                inner = self.truth(operand)
                return None if inner is None else not inner
            case m.Op(op="and" | "or" as op, left=left, right=right):
                both = (self.truth(left), self.truth(right))
                settling = op == "or"
                return settling if settling in both else None if None in both else not settling
            case m.Op(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
                return compared(op, self.of(left, {}), self.of(right, {}))
        return None

    # ---- expressions

    def of(self, e: m.Expr, known: Known) -> Interval:
        """The values of an expression."""
        if e in known:
            return known[e]
        match e:
            case m.Const(value=value):
                return Interval(value, value) if value != NONE else WIDE
            case m.Local(slot=slot):
                return self.local(slot)
            case m.Load(address=address):
                return self._word(address)
            case m.Op():
                return _operated(e.op, self.of(e.left, known), self.of(e.right, known))
            case m.Not() | m.Contains() | m.Can():
                return TRUTH
            case m.If(then=then, otherwise=otherwise):
                return self.of(then, known).joined(self.of(otherwise, known))
            case m.Let(reg=reg, value=value_, body=body):
                return self.of(body, {**known, m.Reg(reg): self.of(value_, known)})
            case m.Pick(table=table):
                return _hull(table) if NONE not in table else WIDE
            case m.Fold():
                return self._folded(e, known)
            case m.Size(source=source):
                return Interval(0, self.size(source, known))
            case m.Reg() | m.Head() | m.Spot() | m.ClassOf() | m.PlaceIndex() | m.PieceAt() | m.Best():
                return WIDE
            case m.Covered() | m.CoveredCell():
                return WIDE
        assert_never(e)

    def _word(self, address: m.Address) -> Interval:
        words = self.machine.words_at(address.base)
        if words is not None and words.kind == "mark":
            return TRUTH
        if words is not None and words.kind == "counter":
            return Interval(min(r[0] for r in words.ranges), max(r[1] for r in words.ranges))
        return WIDE

    def _folded(self, e: m.Fold, known: Known) -> Interval:
        if e.kind in ("any", "all"):
            return TRUTH
        most = self.size(e.source, known)
        if e.kind in ("count", "distinct"):
            return Interval(0, most)
        inner = {**known, m.Reg(e.reg): self.of_source(e.source, known)}
        body = self.of(e.body, inner) if e.body is not None else WIDE
        if e.kind == "sum":
            return _cut(min(0, body.lo * most), max(0, body.hi * most))
        return body.joined(Interval(0, 0))

    # ---- collections

    def of_source(self, source: m.Source, known: Known) -> Interval:
        """The values that a collection can hold."""
        match source:
            case m.Values(values=values):
                return _hull(values) if NONE not in values else WIDE
            case m.Between(low=low, high=high):
                a, b = self.of(low, known), self.of(high, known)
                return Interval(a.lo, max(a.lo, b.hi))
            case m.Listed(items=items):
                found = [self.of(x, known) for x in items]
                return _hull(end for x in found for end in (x.lo, x.hi))
            case m.Filtered(source=inner) | m.Prefix(source=inner):
                return self.of_source(inner, known)
            case m.Linked(links=links) | m.Spread(links=links):
                return _hull(value for row in links for value in row)
            case m.Others(seats=seats):
                return Interval(0, seats - 1)
            case m.Pieces() | m.Classed() | m.Joined() | m.Either():
                return WIDE
        assert_never(source)

    def size(self, source: m.Source, known: Known) -> int:
        """The most values that a collection can hold."""

        def leaf(one: Leaf) -> int:
            match one:
                case m.Between():
                    found = self.of_source(one, known)
                    return max(0, found.hi - found.lo + 1)
                case m.Others(seats=seats):
                    return seats - 1
                case m.Pieces(first=first):
                    return self._pieces(first)

        return greatest_size(source, leaf)

    def _pieces(self, first: int) -> int:
        """All pieces of the component whose zone it is."""
        zone = self.machine.places[first].zone
        total = self.machine.totals.get(self.machine.place_components[zone], HIGHEST)
        places = [p for p in self.machine.places if p.zone == zone]
        return min(total, sum(p.capacity for p in places)) if all(p.limited for p in places) else total


def greatest_size(source: m.Source, leaf: Callable[[Leaf], int]) -> int:
    """The most values that a collection can hold; `leaf` knows it of numbers, pieces and seats."""
    match source:
        case m.Values(values=values):
            return len(values)
        case m.Listed(items=items):
            return len(items)
        case m.Filtered(source=inner) | m.Prefix(source=inner) | m.Classed(source=inner):
            return greatest_size(inner, leaf)
        case m.Linked(links=links):
            return max(map(len, links), default=0)
        case m.Spread(links=links):
            return len(links)
        case m.Joined(parts=parts):
            return sum(greatest_size(part, leaf) for part in parts)
        case m.Either(then=then, otherwise=otherwise):
            return max(greatest_size(then, leaf), greatest_size(otherwise, leaf))
        case m.Between() | m.Pieces() | m.Others():
            return leaf(source)
    assert_never(source)


def _hull(values: Iterable[int]) -> Interval:
    """The least interval with some numbers in it; all numbers if there are none."""
    found = list(values)
    return Interval(min(found), max(found)) if found else WIDE


def _operated(op: str, a: Interval, b: Interval) -> Interval:
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
    return WIDE


def _cut(lo: int, hi: int) -> Interval:
    return Interval(max(LOWEST, lo), min(HIGHEST, hi))


def compared(op: str, a: Interval, b: Interval) -> bool | None:
    """A comparison of two intervals, if its answer is the same for all their numbers."""
    if op in (">", "<="):
        answer = compared("<", b, a)
        return answer if op == ">" or answer is None else not answer
    below = True if a.hi < b.lo else False if a.lo >= b.hi else None
    return below if op == "<" or below is None else not below

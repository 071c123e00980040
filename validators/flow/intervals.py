"""Which values numbers can have: intervals, from the declared ranges through every expression.

The analysis does not follow the order of statements: a local may have whatever any statement of its routine
gives it, a counter whatever its range admits. What a condition before a statement rules out is taken away at
that statement (`guards.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dsl.domains import NONE
from interpreter import machine as m
from validators.flow.graph import Flow

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1
ROUNDS = 6
"""How often locals are gone over before those that still grow count as unbounded."""


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


class Intervals:
    """The intervals of one machine."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.machine = flow.machine
        self.locals: dict[tuple[int, int], Interval] = {}
        self._settle()

    # ---- locals

    def _settle(self) -> None:
        """Goes over all that writes locals until nothing grows."""
        for round_ in range(ROUNDS):
            before = dict(self.locals)
            for number in self.flow.reached:
                self._written(number, self.machine.nodes[number])
            if self.locals == before:
                return
            if round_ == ROUNDS - 2:
                for key, value in self.locals.items():
                    if before.get(key) != value:
                        self.locals[key] = WIDE

    def _written(self, number: int, node: m.Step) -> None:
        owner = self.flow.owner[number]
        match node:
            case m.SetLocal(slot=slot, value=value):
                self._may_be(owner, slot, self.of(value, number))
            case m.Decide(slot=slot, source=source):
                self._may_be(owner, slot, self.of_source(source, number, {}))
            case m.Snapshot(slot=slot, capacity=capacity):
                for at in range(slot, slot + capacity + 1):
                    self._may_be(owner, at, WIDE)
            case m.Iterate(slot=slot, snapshot=snapshot):
                self._may_be(owner, slot, self._gone_through(owner, snapshot))
            case m.Chance(slot=slot, faces=faces, most=most):
                self._may_be(owner, slot, self._outcome(number, faces, most))
            case m.Call(routine=routine, arguments=arguments) | m.Fork(routine=routine, arguments=arguments):
                for i, argument in enumerate(arguments):
                    self._may_be(routine, m.FRAME + i, self.of(argument, number))
            case m.Offer(what=what):
                for doing in what:
                    self._given(doing, number)
            case m.CallCell():
                self._given(node.what, number)
            case m.NextTrigger(first_slot=first):
                for at in range(first, first + 4):
                    self._may_be(owner, at, WIDE)
            case m.Lift(slot=slot):
                self._may_be(owner, slot, WIDE)

    def _given(self, doing: m.Doing, number: int) -> None:
        if isinstance(doing, m.DoRoutine):
            for i, argument in enumerate(doing.arguments):
                self._may_be(doing.routine, m.FRAME + i, self.of(argument, number))
            return
        for routine, values in self.machine.cells:
            for i, value in enumerate(values):
                self._may_be(routine, m.FRAME + i, Interval(value, value))

    def _may_be(self, owner: int, slot: int, value: Interval) -> None:
        key = (owner, slot)
        before = self.locals.get(key)
        self.locals[key] = value if before is None else before.joined(value)

    def _gone_through(self, owner: int, snapshot: int) -> Interval:
        for number in self.flow.reached:
            node = self.machine.nodes[number]
            if isinstance(node, m.Snapshot) and (self.flow.owner[number], node.slot) == (owner, snapshot):
                return self.of_source(node.source, number, {})
        return WIDE

    def _outcome(self, number: int, faces: int | None, most: m.Expr | None) -> Interval:
        if faces is not None:
            return Interval(0, max(0, faces - 1))
        return Interval(0, max(0, self.of(most, number).hi)) if most is not None else WIDE

    # ---- conditions

    def truth(self, e: m.Expr, number: int) -> bool | None:
        """Whether a condition holds whatever the numbers in it are, or never does; none: it depends."""
        match e:
            case m.Not(operand=operand):
                inner = self.truth(operand, number)
                return None if inner is None else not inner
            case m.Op(op="and" | "or" as op, left=left, right=right):
                both = (self.truth(left, number), self.truth(right, number))
                settling = op == "or"
                return settling if settling in both else None if None in both else not settling
            case m.Op(op="<" | "<=" | ">" | ">=" as op, left=left, right=right):
                a, b = self.of(left, number), self.of(right, number)
                return _compared(op, a, b)
        return None

    # ---- expressions

    def of(self, e: m.Expr, number: int, known: Known | None = None) -> Interval:
        """The values of an expression at a node; `known` are those that a condition has narrowed."""
        return self._of(e, number, known or {})

    def _of(self, e: m.Expr, at: int, known: Known) -> Interval:
        if e in known:
            return known[e]
        match e:
            case m.Const(value=value):
                return Interval(value, value) if value != NONE else WIDE
            case m.Local(slot=slot):
                if slot in (m.ME, m.SELF):
                    return Interval(0, self.machine.seats - 1)
                return self.locals.get((self.flow.owner[at], slot), WIDE)
            case m.Load(address=address):
                return self._loaded(address)
            case m.Op():
                return self._calculated(e, at, known)
            case m.Not():
                return TRUTH
            case m.If(then=then, otherwise=otherwise):
                return self._of(then, at, known).joined(self._of(otherwise, at, known))
            case m.Let(reg=reg, value=value, body=body):
                return self._of(body, at, {**known, m.Reg(reg): self._of(value, at, known)})
            case m.Pick(table=table):
                real = [v for v in table if v != NONE]
                return Interval(min(real), max(real)) if len(real) == len(table) and real else WIDE
            case m.Fold():
                return self._folded(e, at, known)
            case m.Size(source=source):
                return Interval(0, self.most(source, at, known))
            case m.Contains() | m.Can():
                return TRUTH
        return WIDE

    def _loaded(self, address: m.Address) -> Interval:
        words = self.machine.words_at(address.base)
        if words is not None and words.kind == "mark":
            return TRUTH
        if words is not None and words.kind == "counter":
            return Interval(min(r[0] for r in words.ranges), max(r[1] for r in words.ranges))
        return WIDE

    def _calculated(self, e: m.Op, at: int, known: Known) -> Interval:
        if e.op in ("<", "<=", ">", ">=", "==", "!=", "and", "or"):
            return TRUTH
        a, b = self._of(e.left, at, known), self._of(e.right, at, known)
        match e.op:
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

    def _folded(self, e: m.Fold, at: int, known: Known) -> Interval:
        if e.kind in ("any", "all"):
            return TRUTH
        most = self.most(e.source, at, known)
        if e.kind in ("count", "distinct"):
            return Interval(0, most)
        inner = {**known, m.Reg(e.reg): self.of_source(e.source, at, known)}
        body = self._of(e.body, at, inner) if e.body is not None else WIDE
        if e.kind == "sum":
            return _cut(min(0, body.lo * most), max(0, body.hi * most))
        return body.joined(Interval(0, 0))

    # ---- collections

    def of_source(self, source: m.Source, at: int, known: Known) -> Interval:
        """The values that a collection can hold."""
        match source:
            case m.Values(values=values) if values and NONE not in values:
                return Interval(min(values), max(values))
            case m.Between(low=low, high=high):
                a, b = self._of(low, at, known), self._of(high, at, known)
                return Interval(a.lo, max(a.lo, b.hi))
            case m.Listed(items=items) if items:
                found = [self._of(x, at, known) for x in items]
                return Interval(min(x.lo for x in found), max(x.hi for x in found))
            case m.Filtered(source=inner) | m.Prefix(source=inner):
                return self.of_source(inner, at, known)
            case m.Linked(links=links) | m.Spread(links=links) if any(links):
                flat = [v for row in links for v in row]
                return Interval(min(flat), max(flat))
            case m.Others(seats=seats):
                return Interval(0, seats - 1)
        return WIDE

    def most(self, source: m.Source, at: int, known: Known) -> int:
        """The most values that a collection can hold."""
        match source:
            case m.Values(values=values):
                return len(values)
            case m.Listed(items=items):
                return len(items)
            case m.Between():
                found = self.of_source(source, at, known)
                return max(0, found.hi - found.lo + 1)
            case m.Filtered(source=inner) | m.Prefix(source=inner) | m.Classed(source=inner):
                return self.most(inner, at, known)
            case m.Linked(links=links):
                return max(map(len, links), default=0)
            case m.Spread(links=links):
                return len(links)
            case m.Others(seats=seats):
                return seats - 1
            case m.Joined(parts=parts):
                return sum(self.most(p, at, known) for p in parts)
            case m.Either(then=then, otherwise=otherwise):
                return max(self.most(then, at, known), self.most(otherwise, at, known))
            case m.Pieces(first=first):
                return self._pieces(first)
        return HIGHEST

    def _pieces(self, first: int) -> int:
        """All pieces of the component whose zone it is."""
        zone = self.machine.places[first].zone
        total = self.machine.totals.get(self.machine.place_components[zone], HIGHEST)
        places = [p for p in self.machine.places if p.zone == zone]
        return min(total, sum(p.capacity for p in places)) if all(p.limited for p in places) else total


def _cut(lo: int, hi: int) -> Interval:
    return Interval(max(LOWEST, lo), min(HIGHEST, hi))


def _compared(op: str, a: Interval, b: Interval) -> bool | None:
    """A comparison of two intervals, if its answer is the same for all their numbers."""
    if op in (">", "<="):
        answer = _compared("<", b, a)
        return answer if op == ">" or answer is None else not answer
    below = True if a.hi < b.lo else False if a.lo >= b.hi else None
    return below if op == "<" or below is None else not below

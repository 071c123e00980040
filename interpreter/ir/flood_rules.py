"""Rules by which what is written spreads: to targets that are linked with where it is written already.

A rule comes to the least set that is closed under it, in whatever order it is applied: one `SetWords` over a
`Spread`. For that, what is asked of targets and of sources must be the same at any time, and never fault.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import compress
from typing import cast

from dsl.domains import NONE
from interpreter.ir.expressions import (
    Bits,
    Can,
    Const,
    Contains,
    Expr,
    Filtered,
    Fold,
    Head,
    If,
    Linked,
    Listed,
    Load,
    Local,
    Not,
    Op,
    Pick,
    Reg,
    Source,
    Spread,
    Times,
    Values,
)
from interpreter.ir.fold import both
from interpreter.ir.known_columns import Known, column_of, each_of, rows_of
from interpreter.ir.nodes import (
    SetWord,
    SetWords,
)
from interpreter.ir.operators import is_comparison
from interpreter.ir.program import Machine
from interpreter.ir.state import ME
from interpreter.ir.visit import (
    Part,
    free_registers,
    holds,
    mapped,
    reads_register,
)

FIRST, MOST, MOST_PAIRS = 1 << 23, 16, 1 << 14
"""The first register of such rules, how many one has at most, and of how many pairs links are made."""
Links = tuple[tuple[int, ...], ...]


class NoFlood(Exception):
    """What a part of the rules does is no such rule."""


@dataclass(frozen=True)
class FloodRule:
    """What is written at a target that is linked with a source at which it is written already.

    `targets` and `sources` are conditions on `place`, besides those on what is written; `links` lead from
    sources to targets.
    """

    write: SetWord
    moving: int
    place: int
    targets: tuple[Expr, ...]
    sources: tuple[Expr, ...]
    links: Links

    @property
    def lo(self) -> int:
        return self.write.address.terms[self.moving].lo

    @property
    def every(self) -> Values:
        return Values(tuple(range(self.lo, self.lo + len(self.links))))

    def here(self) -> Expr:
        """The word of the place."""
        terms = list(self.write.address.terms)
        terms[self.moving] = replace(terms[self.moving], index=Reg(self.place), proved=True)
        return Load(replace(self.write.address, terms=tuple(terms)))

    def written(self, mc: Machine) -> Expr:
        """Whether the word of the place has the value that is written."""
        if mc.stores[self.write.name].kind == "mark":
            return self.here()
        return Op("==", self.here(), self.write.value)

    def left(self, mc: Machine) -> Source:
        """The targets at which the value is not written yet."""
        asked = reduce(both, [*self.targets, Not(self.written(mc))])
        return Filtered(self.place, self.every, asked)

    def writing(self, mc: Machine, following: int) -> SetWords:
        """Writes all that rounds of the rule come to."""
        written = self.written(mc)
        through: Expr | None = reduce(both, self.sources, None)
        within = set(self.sources) <= set(self.targets)
        if set(self.targets) != set(self.sources) and self.targets:
            through = both(through, Op("or", written, reduce(both, self.targets[1:], self.targets[0])))
        start = Filtered(self.place, self.every, reduce(both, [*self.sources, written]))
        passed: Source = self.every if through is None else Filtered(self.place, self.every, through)
        found: Source = Spread(self.links, self.lo, start, passed)
        if not within:
            reached = Contains(Reg(self.place + 1), found)
            linked = Linked(turned(self.links, self.lo), Reg(self.place), self.lo)
            asked = Fold("any", self.place + 1, linked, reached, None)
            found = Filtered(self.place, self.every, reduce(both, [*self.targets, asked]))
        return set_words(self, found, following)


def set_words(rule: FloodRule, source: Source, following: int) -> SetWords:
    here = rule.here()
    assert isinstance(here, Load)
    write = rule.write
    return SetWords(
        span=write.span,
        clauses=write.clauses,
        name=write.name,
        address=here.address,
        reg=rule.place,
        source=source,
        where=None,
        value=write.value,
        next=following,
    )


class Pairs:
    """The pairs of a source and a target that tables relate, and what is asked of either."""

    def __init__(self, mc: Machine, rule: FloodRule, target: Expr, source: Expr) -> None:
        self.mc, self.known, self.target, self.source = mc, rule, target, source
        self.pairs: Known = {}
        self.size = 1
        self.at_target: list[Expr] = []
        self.at_source: list[Expr] = []

    def bind(self, reg: int, source: Source) -> None:
        rows = rows_of(source, self.pairs, self.size)
        self.size = sum(map(len, rows))
        if self.size > MOST_PAIRS:
            raise NoFlood
        self.pairs = each_of(rows, reg, self.pairs)

    def ask(self, condition: Expr) -> None:
        """What tables say leaves pairs out; all else is asked of the target or the source alone."""
        place, written = self.known.place, self.known.written(self.mc)
        if not holds(condition, (Load, Local, Head, Times, Can)):
            asked = self.of(condition)
            self.pairs = {part: tuple(compress(column, asked)) for part, column in self.pairs.items()}
            self.size = sum(map(bool, asked))
            return
        for index, found in ((self.source, self.at_source), (self.target, self.at_target)):
            here = at_place(condition, index, place)
            if not free_registers(here) <= {place}:
                continue
            every = self.known.every.values
            if reads_register(here, place) and not set(self.of(index)) <= set(every):
                raise NoFlood
            if found is self.at_source and here == written:
                return
            if found is self.at_target and is_negation(here, written):
                return
            other = found is self.at_target and is_other(self.mc, self.known, here)
            if other or is_settled(self.mc, here, self.known.write.name, {place: every}):
                (found if reads_register(here, place) else self.at_target).append(here)
                return
        raise NoFlood

    def of(self, e: Expr) -> Sequence[int]:
        """What an expression is for each pair."""
        return column_of(e, self.pairs, self.size)

    def rule(self) -> FloodRule:
        lo, size = self.known.lo, len(self.known.links)
        links: list[dict[int, None]] = [{} for _ in range(size)]
        for source, target in zip(self.of(self.source), self.of(self.target), strict=True):
            if not (lo <= source < lo + size and lo <= target < lo + size):
                raise NoFlood
            links[source - lo][target] = None
        found = tuple(tuple(sorted(row)) for row in links)
        return replace(self.known, targets=tuple(self.at_target), sources=tuple(self.at_source), links=found)


def at_place(e: Expr, index: Expr, place: int) -> Expr:
    """A condition on a place, whose number is `index`, as one on a register."""

    def change(part: Part) -> Part:
        if part == index:
            return Reg(place)
        if isinstance(part, Load):
            address = mapped(part.address, change)
            terms = tuple(replace(t, proved=t.proved or t.index == Reg(place)) for t in address.terms)
            return Load(replace(address, terms=terms))
        return mapped(part, change)

    return cast(Expr, change(e))


def is_negation(e: Expr, condition: Expr) -> bool:
    match e:
        case Not(operand=operand):
            return operand == condition
        case Op(op="!=", left=left, right=right):
            return condition == Op("==", left, right)
    return False


def is_other(mc: Machine, rule: FloodRule, e: Expr) -> bool:
    """Whether a condition says that the word of the place has a value that is never the one written."""
    match e:
        case Op(op="==", left=left, right=right) if left == rule.here():
            mine, other = values_of(mc, rule.write.value, {}), values_of(mc, right, {})
            if mine is not None and other is not None and mine.isdisjoint(other):
                return True
            return right == Op("-", Const(1), rule.write.value) or rule.write.value == Op(
                "-", Const(1), right
            )
    return False


def fits(links: Links, first: int, lo: int, size: int) -> bool:
    """Whether links lead from each value of an interval to others of it."""
    return (first, len(links)) == (lo, size) and all(lo <= v < lo + size for row in links for v in row)


def turned(links: Links, lo: int) -> Links:
    """The links back; the same object if they are the same."""
    back: list[list[int]] = [[] for _ in links]
    for i, row in enumerate(links):
        for v in row:
            back[v - lo].append(i + lo)
    found = tuple(map(tuple, back))
    return links if all(sorted(a) == list(b) for a, b in zip(links, found, strict=True)) else found


# ---- what can be asked of any place at any time


def is_settled(mc: Machine, e: Expr, name: str, values: dict[int, Sequence[int]]) -> bool:
    """Whether a condition never faults, and is not changed by what is written to a variable."""
    inner: Callable[[Expr], bool] = lambda x: is_settled(mc, x, name, values)  # noqa: E731
    match e:
        case Const() | Local():
            return True
        case Reg(index=index):
            return index in values
        case Load(address=address):
            words = mc.words_at(address.base)
            if words is None or words.name == name:
                return False
            return all(lies_in(mc, t.index, t.lo, t.hi, values) for t in address.terms)
        case Pick(table=table, index=index_, lo=lo):
            return lies_in(mc, index_, lo, lo + len(table) - 1, values)
        case Op(op=op, left=left, right=right) if is_comparison(op) or op in ("and", "or"):
            return inner(left) and inner(right)
        case Op(op="+" | "-"):
            return values_of(mc, e, values) is not None
        case Not(operand=operand):
            return inner(operand)
        case Contains(item=item, source=Bits(words=words)):
            return inner(item) and all(isinstance(word, Reg | Local) for word in words)
        case Contains(item=item, source=Listed(items=items)):
            return inner(item) and all(map(inner, items))
        case Contains(item=item, source=Values()):
            return inner(item)
        case Contains(item=item, source=Linked(links=links, index=index_, lo=lo)):
            return inner(item) and lies_in(mc, index_, lo, lo + len(links) - 1, values)
        case If(condition=condition, then=then, otherwise=otherwise):
            return inner(condition) and inner(then) and inner(otherwise)
        case Fold(kind="any" | "all", reg=reg, source=Linked(links=links, index=index_, lo=lo)):
            if not lies_in(mc, index_, lo, lo + len(links) - 1, values):
                return False
            among = {**values, reg: sorted({v for row in links for v in row})}
            return all(is_settled(mc, x, name, among) for x in (e.where, e.body) if x is not None)
    return False


def lies_in(mc: Machine, e: Expr, lo: int, hi: int, values: dict[int, Sequence[int]]) -> bool:
    found = values_of(mc, e, values)
    return found is not None and all(lo <= v <= hi for v in found)


def values_of(mc: Machine, e: Expr, values: dict[int, Sequence[int]]) -> set[int] | None:
    """All that an expression can be, if that is a few small numbers."""
    match e:
        case Const(value=value):
            return {value}
        case Reg(index=index) if index in values:
            return set(values[index])
        case Local(slot=slot) if slot == ME:
            return set(range(mc.seats))
        case Pick(table=table, index=index_, lo=lo):
            found = values_of(mc, index_, values)
            inside = found is not None and all(lo <= v < lo + len(table) for v in found)
            return {table[v - lo] for v in found} if inside and found is not None else None
        case Op(op="-", left=Const(value=value), right=Local(slot=slot)) if slot == ME and value != NONE:
            return {value - seat for seat in range(mc.seats)}
    return None

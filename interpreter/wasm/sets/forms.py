"""Sets of an interval as values: known ones, those that are asked, and what is made of them.

Every form knows a set that it is certain to contain and one that it is certain to lie in, both worked out
beforehand. Constructors simplify by them, and equal forms are one object, so that a form is a graph in which
what is used twice is there once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import TypeAlias

from interpreter import ir
from interpreter.wasm.lower.values import Range

Links = tuple[tuple[int, int], ...]
"""Moves of sets: by how many bits, and the bits that are moved so, as a set before they are."""


@dataclass(frozen=True, eq=False)
class KnownSet:
    """A set that is known beforehand."""

    bits: int
    possible: int
    certain: int


@dataclass(frozen=True, eq=False)
class TruthSet:
    """All values, or none: a condition that depends on none of them."""

    condition: ir.Expr
    possible: int
    certain: int = 0


@dataclass(frozen=True, eq=False)
class AskedSet:
    """The values of a register for which a condition holds that is found in one piece, as on a board."""

    condition: ir.Expr
    reg: int
    r: Range
    possible: int
    work: int
    """About how many instructions it takes to read it."""
    certain: int = 0


@dataclass(frozen=True, eq=False)
class RowSet:
    """A row of a table: that of a place that is known only in play, and of a number, from `least` on.

    There are `numbers` rows for each place from `lo` on. A number beyond either end has that end's row.
    """

    place: ir.Expr
    lo: int
    number: ir.Expr | None
    least: int
    numbers: int
    rows: tuple[int, ...]
    possible: int
    certain: int


@dataclass(frozen=True, eq=False)
class NamedSet:
    """A set in which a register stands for a number that is worked out once, before it."""

    reg: int
    value: ir.Expr
    form: Form
    possible: int
    certain: int


@dataclass(frozen=True, eq=False)
class MovedSet:
    """The values to which a set of another interval, `of`, is moved."""

    form: Form
    of: Forms
    links: Links
    possible: int
    certain: int


@dataclass(frozen=True, eq=False)
class Intersection:
    """The values that are in every one of some sets, and in a known one."""

    parts: tuple[Form, ...]
    within: int
    possible: int
    certain: int


@dataclass(frozen=True, eq=False)
class Union:
    """The values that are in one of some sets, or in a known one."""

    parts: tuple[Form, ...]
    besides: int
    possible: int
    certain: int


@dataclass(frozen=True, eq=False)
class Difference:
    """The values of a set that are not in another one."""

    form: Form
    without: Form
    possible: int
    certain: int


Form: TypeAlias = (
    KnownSet | TruthSet | AskedSet | RowSet | NamedSet | MovedSet | Intersection | Union | Difference
)


class Forms:
    """Makes forms over one interval of so many values; equal ones are the same object."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.every = (1 << size) - 1
        self._made: dict[tuple[object, ...], Form] = {}
        self.nothing = self.known(0)
        self.everything = self.known(self.every)

    def known(self, bits: int) -> Form:
        return self._one("known", bits, form=KnownSet(bits, bits, bits))

    def truth(self, condition: ir.Expr) -> Form:
        """`condition` is one object wherever it is asked."""
        return self._one("truth", id(condition), form=TruthSet(condition, self.every))

    def asked(self, condition: ir.Expr, reg: int, r: Range, work: int) -> Form:
        return self._one("asked", id(condition), reg, r, form=AskedSet(condition, reg, r, r.all, work))

    def row(
        self, place: ir.Expr, lo: int, number: ir.Expr | None, least: int, numbers: int, rows: tuple[int, ...]
    ) -> Form:
        """`place` and `number` are one object wherever they are read."""
        possible, certain = reduce(or_, rows), reduce(and_, rows)
        if possible == certain:
            return self.known(possible)
        made = RowSet(place, lo, number, least, numbers, rows, possible, certain)
        return self._one("row", id(place), id(number), least, rows, form=made)

    def named(self, reg: int, value: ir.Expr, form: Form) -> Form:
        return NamedSet(reg, value, form, form.possible, form.certain)

    def moved(self, form: Form, of: Forms, links: Links) -> Form:
        """The values to which links lead from a set of an interval, each a bit further by the same number."""
        possible, certain = _led(form.possible, links), _led(form.certain, links)
        if not possible or isinstance(form, KnownSet):
            return self.known(possible)
        links = tuple(
            sorted((by, sources & form.possible) for by, sources in links if sources & form.possible)
        )
        if of is self and len(links) == 1 and links[0][0] == 0:
            return self.all_of([form, self.known(links[0][1])])
        return self._one("moved", id(form), links, form=MovedSet(form, of, links, possible, certain))

    def all_of(self, parts: Iterable[Form]) -> Form:
        within, rest = self.every, dict[int, Form]()
        for part in parts:
            match part:
                case KnownSet(bits=bits):
                    within &= bits
                case Intersection(parts=(only,), within=also):
                    within &= also
                    rest[id(only)] = only
                case _:
                    rest[id(part)] = part
        kept = self._joined_moves(list(rest.values()))
        possible = reduce(and_, (x.possible for x in kept), within)
        if not possible:
            return self.nothing
        kept = [x for x in kept if possible & ~x.certain]
        within = within if reduce(and_, (x.possible for x in kept), self.every) & ~within else self.every
        if not kept:
            return self.known(within & possible)
        if len(kept) == 1 and within == self.every:
            return kept[0]
        certain = reduce(and_, (x.certain for x in kept), within)
        name = ("all", within, *sorted(map(id, kept)))
        return self._one(*name, form=Intersection(tuple(kept), within, possible, certain))

    def _joined_moves(self, parts: list[Form]) -> list[Form]:
        """Sets that are moved alike, each bit to one place, are moved together."""
        groups: dict[Links, list[MovedSet]] = {}
        for part in parts:
            if isinstance(part, MovedSet) and _is_function(part.links):
                groups.setdefault(part.links, []).append(part)
        for links, alike in groups.items():
            if len(alike) > 1:
                ids = {id(x) for x in alike}
                inner = alike[0].of.all_of([x.form for x in alike])
                parts = [x for x in parts if id(x) not in ids]
                parts.append(self.moved(inner, alike[0].of, links))
        return parts

    def any_of(self, parts: Iterable[Form]) -> Form:
        besides, rest = 0, dict[int, Form]()
        for part in parts:
            match part:
                case KnownSet(bits=bits):
                    besides |= bits
                case Union(parts=inner, besides=also):
                    besides |= also
                    rest |= {id(x): x for x in inner}
                case _:
                    rest[id(part)] = part
        kept = [x for x in self._united_moves(list(rest.values())) if x.possible & ~besides]
        if not kept:
            return self.known(besides)
        if len(kept) == 1 and not besides:
            return kept[0]
        possible = reduce(or_, (x.possible for x in kept), besides)
        certain = reduce(or_, (x.certain for x in kept), besides)
        if possible == certain:
            return self.known(certain)
        name = ("any", besides, *sorted(map(id, kept)))
        return self._one(*name, form=Union(tuple(kept), besides, possible, certain))

    def _united_moves(self, parts: list[Form]) -> list[Form]:
        """What is moved from one set in several ways is moved once, by all of them."""
        groups: dict[int, list[MovedSet]] = {}
        for part in parts:
            if isinstance(part, MovedSet):
                groups.setdefault(id(part.form), []).append(part)
        for alike in groups.values():
            if len(alike) > 1:
                ids, by = {id(x) for x in alike}, dict[int, int]()
                for part in alike:
                    for length, sources in part.links:
                        by[length] = by.get(length, 0) | sources
                parts = [x for x in parts if id(x) not in ids]
                parts.append(self.moved(alike[0].form, alike[0].of, tuple(by.items())))
        return parts

    def without(self, form: Form, other: Form) -> Form:
        if isinstance(other, KnownSet):
            return self.all_of([form, self.known(self.every & ~other.bits)])
        if not form.possible & other.possible:
            return form
        possible, certain = form.possible & ~other.certain, form.certain & ~other.possible
        if not possible:
            return self.nothing
        if isinstance(form, Difference):
            return self.without(form.form, self.any_of([form.without, other]))
        name = ("except", id(form), id(other))
        return self._one(*name, form=Difference(form, other, possible, certain))

    def _one(self, *name: object, form: Form) -> Form:
        return self._made.setdefault(name, form)


def _led(bits: int, links: Links) -> int:
    """Where links lead from a known set."""
    return reduce(
        or_, ((bits & sources) << by if by >= 0 else (bits & sources) >> -by for by, sources in links), 0
    )


def _is_function(links: Links) -> bool:
    """Whether no two links lead to the same value."""
    reached = 0
    for by, sources in links:
        led = sources << by if by >= 0 else sources >> -by
        if led & reached:
            return False
        reached |= led
    return True


def parts_of(form: Form) -> Sequence[Form]:
    """The forms that a form is made of."""
    match form:
        case MovedSet(form=inner) | NamedSet(form=inner):
            return (inner,)
        case Intersection(parts=parts) | Union(parts=parts):
            return parts
        case Difference(form=inner, without=other):
            return (inner, other)
        case KnownSet() | TruthSet() | AskedSet() | RowSet():
            return ()


def all_parts(form: Form) -> Iterator[Form]:
    """A form and all that it is made of, each once."""
    seen, waiting = {id(form)}, [form]
    while waiting:
        yield (part := waiting.pop())
        for inner in parts_of(part):
            if id(inner) not in seen:
                seen.add(id(inner))
                waiting.append(inner)


def names_of(form: Form) -> list[NamedSet]:
    """What is worked out once for a form, in order."""
    return [form, *names_of(form.form)] if isinstance(form, NamedSet) else []

"""Expressions and collections as Python functions of a state and its scratch registers."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, assert_never

from dsl.domains import NONE
from interpreter import machine as m

if TYPE_CHECKING:
    from interpreter.reference.frames import Frames

State = array  # of 32-bit words
Number = Callable[["array[int]", list[int]], int]
Many = Callable[["array[int]", list[int]], list[tuple[int, int]]]
Stream = Callable[["array[int]", list[int]], Iterable[tuple[int, int]]]
"""The values of a collection one after the other: nothing is worked out for those that nobody asks for."""


class OutOfBounds(Exception):
    """An index outside its bounds; the node that was run gives it a place."""

    def __init__(self, value: int, lo: int, hi: int) -> None:
        super().__init__(value, lo, hi)
        self.value, self.lo, self.hi = value, lo, hi


class Searched(Exception):
    """The trials of one offer have taken all that they may."""


class TooMuch(Exception):
    """Collections have been gone through for longer than anybody waits."""


MOST_WORK = 5_000_000
MOST_SEARCH = 250_000
"""A trial takes 1, one more for each 4,096 words of its state, and for each 64 of its work and nodes."""


LARGE = 1 << 31
"""Numbers are signed words of 32 bits, those in the middle of a calculation too."""


def too_large() -> int:
    raise OverflowError


class Linker:
    """Turns each expression of a machine into one Python function."""

    def __init__(self, machine: m.Machine, executor: Frames) -> None:
        self.machine = machine
        self.executor = executor
        self.work = 0
        self.search = 0
        """What the trials of one offer have taken together."""
        self._readers: dict[tuple[int, int], Many] = {}
        self.node = 0
        """The node whose expressions are being linked: trials stand on its frame."""

    # ---- numbers

    def number(self, node: m.Expr) -> Number:
        match node:
            case m.Const(value=value):
                return lambda s, e: value
            case m.Reg(index=index):
                return lambda s, e: e[index]
            case m.Local(slot=slot):
                return lambda s, e: s[s[2] + slot]
            case m.Head(word=word):
                return lambda s, e: s[word]
            case m.Load(address=address):
                return self._load(address)
            case m.Spot(address=address):
                return self.address(address)
            case m.Op():
                return self._operation(node)
            case m.Not(operand=operand):
                one = self.number(operand)
                return lambda s, e: 0 if one(s, e) else 1
            case m.If(condition=condition, then=then, otherwise=otherwise):
                c, a, b = self.number(condition), self.number(then), self.number(otherwise)
                return lambda s, e: a(s, e) if c(s, e) else b(s, e)
            case m.Let(reg=reg, value=value_, body=body):
                return self._let(reg, self.number(value_), self.number(body))
            case m.Pick(table=table, index=index_, lo=lo):
                return self._pick(table, self.number(index_), lo)
            case m.ClassOf(piece=piece, classes=classes):
                inner = self.number(piece)
                return lambda s, e: v if (v := inner(s, e)) == NONE else v % classes
            case m.PlaceIndex(piece=piece, classes=classes, table=table):
                inner = self.number(piece)
                return lambda s, e: v if (v := inner(s, e)) == NONE else table[v // classes]
            case m.PieceAt(place=place, classes=classes):
                return self._piece_at(place, classes)
            case m.Fold():
                return self._fold(node)
            case m.Best():
                return self._best(node)
            case m.Contains(item=item, source=source):
                return self._contains(self.number(item), source)
            case m.Size(source=source):
                many = self.many(source)
                return lambda s, e: sum([n for _, n in many(s, e)])
            case m.Can(what=what):
                return self.executor.linked_can(what)
            case m.Covered():
                return self._covered(node)
            case m.CoveredCell():
                return self.executor.linked_cell_cover(node)
        assert_never(node)

    def address(self, address: m.Address) -> Number:
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

    def _covered(self, node: m.Covered) -> Number:
        value, cover, point, yes, no = (
            self.number(node.value),
            self.executor.cover,
            node.point,
            node.yes,
            node.no,
        )

        def run(s: array[int], e: list[int]) -> int:
            found = value(s, e)
            cover[point] |= yes if found else no
            return found

        return run

    def _load(self, address: m.Address) -> Number:
        if not address.terms:
            base = address.base
            return lambda s, e: s[base]
        where = self.address(address)
        return lambda s, e: s[where(s, e)]

    def _let(self, reg: int, value: Number, body: Number) -> Number:
        def run(s: array[int], e: list[int]) -> int:
            e[reg] = value(s, e)
            return body(s, e)

        return run

    def _pick(self, table: tuple[int, ...], index: Number, lo: int) -> Number:
        size = len(table)

        def run(s: array[int], e: list[int]) -> int:
            i = index(s, e) - lo
            if not 0 <= i < size:
                raise OutOfBounds(i + lo, lo, lo + size - 1)
            return table[i]

        return run

    def _piece_at(self, place: m.Expr, classes: int) -> Number:
        bases = [p.base for p in self.machine.places]
        if isinstance(place, m.Const):
            number, base = place.value, bases[place.value]
            return lambda s, e: number * classes + c - 1 if (c := s[base]) else NONE
        where = self.number(place)

        def run(s: array[int], e: list[int]) -> int:
            p = where(s, e)
            c = s[bases[p]]
            return p * classes + c - 1 if c else NONE

        return run

    def _operation(self, node: m.Op) -> Number:
        a, b = self.number(node.left), self.number(node.right)
        match node.op:
            case "+":
                return lambda s, e: v if -LARGE <= (v := a(s, e) + b(s, e)) < LARGE else too_large()
            case "-":
                return lambda s, e: v if -LARGE <= (v := a(s, e) - b(s, e)) < LARGE else too_large()
            case "*":
                return lambda s, e: v if -LARGE <= (v := a(s, e) * b(s, e)) < LARGE else too_large()
            case "div":
                return lambda s, e: a(s, e) // b(s, e)
            case "mod":
                return lambda s, e: a(s, e) % b(s, e)
            case "<":
                return lambda s, e: int(a(s, e) < b(s, e))
            case "<=":
                return lambda s, e: int(a(s, e) <= b(s, e))
            case ">":
                return lambda s, e: int(a(s, e) > b(s, e))
            case ">=":
                return lambda s, e: int(a(s, e) >= b(s, e))
            case "==":
                return lambda s, e: int(a(s, e) == b(s, e))
            case "!=":
                return lambda s, e: int(a(s, e) != b(s, e))
            case "and":
                return lambda s, e: int(bool(a(s, e) and b(s, e)))
            case "or":
                return lambda s, e: int(bool(a(s, e) or b(s, e)))
            case "min":
                return lambda s, e: min(a(s, e), b(s, e))
            case "max":
                return lambda s, e: max(a(s, e), b(s, e))
        assert_never(node.op)

    def spend(self, many: Many) -> Many:
        """The same collection; what is gone through counts as work."""

        def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            found = many(s, e)
            self._spent(len(found))
            return found

        return run

    def _spent(self, number: int) -> None:
        self.work += number
        if self.work > MOST_WORK:
            raise TooMuch

    # ---- aggregates

    def _fold(self, node: m.Fold) -> Number:
        """A fold asks its values in their order: of each first the condition, then what is folded."""
        stream, reg = self.stream(node.source), node.reg
        where = self.number(node.where) if node.where is not None else None
        body = self.number(node.body) if node.body is not None else None

        def bodies(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            assert body is not None
            found = []
            for v, n in stream(s, e):
                e[reg] = v
                if where is None or where(s, e):
                    found.append((body(s, e), n))
            return found

        match node.kind:
            case "any":
                return self._any(stream, reg, where)
            case "count":
                return self._count(stream, reg, where)
            case "all":
                assert body is not None
                return self._all(stream, reg, where, body)
            case "sum":
                return lambda s, e: (
                    v if -LARGE <= (v := sum([x * n for x, n in bodies(s, e)])) < LARGE else too_large()
                )
            case "min":
                return lambda s, e: min([v for v, _ in bodies(s, e)], default=0)
            case "max":
                return lambda s, e: max([v for v, _ in bodies(s, e)], default=0)
            case "distinct":
                return lambda s, e: len({v for v, _ in bodies(s, e)})
        assert_never(node.kind)

    def _any(self, stream: Stream, reg: int, where: Number | None) -> Number:
        """The first value that meets the condition settles it: what comes after it is not looked at."""

        def run(s: array[int], e: list[int]) -> int:
            for v, _ in stream(s, e):
                e[reg] = v
                if where is None or where(s, e):
                    return 1
            return 0

        return run

    def _all(self, stream: Stream, reg: int, where: Number | None, body: Number) -> Number:
        """The first value that fails settles it."""

        def run(s: array[int], e: list[int]) -> int:
            for v, _ in stream(s, e):
                e[reg] = v
                if (where is None or where(s, e)) and not body(s, e):
                    return 0
            return 1

        return run

    def _count(self, stream: Stream, reg: int, where: Number | None) -> Number:
        def run(s: array[int], e: list[int]) -> int:
            total = 0
            for v, n in stream(s, e):
                e[reg] = v
                if where is None or where(s, e):
                    total += n
            return total

        return run

    def _contains(self, wanted: Number, source: m.Source) -> Number:
        """The first value that is the wanted one settles it."""
        stream = self.stream(source)

        def run(s: array[int], e: list[int]) -> int:
            item = wanted(s, e)
            for v, _ in stream(s, e):
                if v == item:
                    return 1
            return 0

        return run

    def _best(self, node: m.Best) -> Number:
        """Of equals the first in the order of their domain, in whatever order they come."""
        stream, reg, highest = self.stream(node.source), node.reg, node.highest
        where = self.number(node.where) if node.where is not None else None
        keys = [self.number(k) for k in node.keys]

        def run(s: array[int], e: list[int]) -> int:
            best, found = None, NONE
            for v, _ in stream(s, e):
                e[reg] = v
                if where is not None and not where(s, e):
                    continue
                key = [k(s, e) for k in keys]
                if best is None or (key > best if highest else key < best) or (key == best and v < found):
                    best, found = key, v
            return found

        return run

    # ---- collections

    def stream(self, node: m.Source) -> Stream:
        """The values of a collection as they are asked for; each counts as work."""
        match node:
            case m.Classed(source=source, classes=classes):
                pieces = self.stream(source)
                return lambda s, e: ((v % classes, n) for v, n in pieces(s, e))
            case m.Filtered(reg=reg, source=source, where=where) if where is not None:
                return self._filtering(reg, self.stream(source), self.number(where))
            case m.Filtered(source=source):
                return self.stream(source)
            case m.Prefix(reg=reg, source=source, where=where):
                return self._beginning(reg, self.stream(source), self.number(where))
            case m.Joined(parts=parts):
                streams = [self.stream(p) for p in parts]
                return lambda s, e: (x for part in streams for x in part(s, e))
            case m.Either(condition=condition, then=then, otherwise=otherwise):
                c, x, y = self.number(condition), self.stream(then), self.stream(otherwise)
                return lambda s, e: x(s, e) if c(s, e) else y(s, e)
        return self.spend(self.many(node))

    def _filtering(self, reg: int, stream: Stream, where: Number) -> Stream:
        def run(s: array[int], e: list[int]) -> Iterator[tuple[int, int]]:
            for v, n in stream(s, e):
                e[reg] = v
                if where(s, e):
                    yield v, n

        return run

    def _beginning(self, reg: int, stream: Stream, where: Number) -> Stream:
        def run(s: array[int], e: list[int]) -> Iterator[tuple[int, int]]:
            for v, n in stream(s, e):
                e[reg] = v
                if not where(s, e):
                    return
                yield v, n

        return run

    def many(self, node: m.Source) -> Many:
        """The whole of a collection."""
        match node:
            case m.Values(values=values):
                pairs = [(v, 1) for v in values]
                return lambda s, e: pairs
            case m.Between(low=low, high=high):
                a, b = self.number(low), self.number(high)
                return self._between(a, b)
            case m.Listed(items=items):
                made = [self.number(i) for i in items]
                return lambda s, e: [(f(s, e), 1) for f in made]
            case m.Pieces():
                return self._pieces(node)
            case m.Classed() | m.Joined() | m.Either() | m.Filtered(where=None):
                stream = self.stream(node)
                return lambda s, e: list(stream(s, e))
            case m.Filtered(reg=reg, source=source, where=where):
                assert where is not None
                return self._filtered(reg, self.stream(source), self.number(where))
            case m.Prefix(reg=reg, source=source, where=where):
                return self._prefix(reg, self.stream(source), self.number(where))
            case m.Linked(links=links, index=index, lo=lo):
                table = [[(v, 1) for v in row] for row in links]
                at = self._pick(tuple(range(len(links))), self.number(index), lo)
                return lambda s, e: table[at(s, e)]
            case m.Spread(links=links, lo=lo, start=start, through=through):
                return self.spend(_spread(links, lo, self.many(start), self.spend(self.many(through))))
            case m.Others(me=me, seats=seats):
                others = [[(v, 1) for v in range(seats) if v != seat] for seat in range(seats)]
                mine = self.number(me)
                return lambda s, e: others[mine(s, e)]
        assert_never(node)

    def _between(self, low: Number, high: Number) -> Many:
        def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            lo, hi = low(s, e), high(s, e)
            if hi - lo > MOST_WORK:
                raise TooMuch
            return [(v, 1) for v in range(lo, hi + 1)]

        return run

    def _filtered(self, reg: int, stream: Stream, where: Number) -> Many:
        def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            found = []
            for v, n in stream(s, e):
                e[reg] = v
                if where(s, e):
                    found.append((v, n))
            return found

        return run

    def _prefix(self, reg: int, stream: Stream, where: Number) -> Many:
        def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
            found = []
            for v, n in stream(s, e):
                e[reg] = v
                if not where(s, e):
                    break
                found.append((v, n))
            return found

        return run

    def places(self, node: m.Pieces) -> Callable[[array[int], list[int]], list[int]]:
        """The numbers of the places of an address."""
        of, at = self._axis(node.of), self._axis(node.at)
        first, width = node.first, node.at.size
        if isinstance(of, list) and isinstance(at, list):
            fixed = [first + i * width + j for i in of for j in at]
            return lambda s, e: fixed

        def run(s: array[int], e: list[int]) -> list[int]:
            rows = of if isinstance(of, list) else of(s, e)
            columns = at if isinstance(at, list) else at(s, e)
            return [first + i * width + j for i in rows for j in columns]

        return run

    def _axis(self, axis: m.Indices) -> list[int] | Callable[[array[int], list[int]], list[int]]:
        lo, size = axis.lo, axis.size
        if axis.one is None and axis.many is None:
            return list(range(size))
        if isinstance(axis.one, m.Const) and lo <= axis.one.value < lo + size:
            return [axis.one.value - lo]
        if axis.one is not None:
            index = self._pick(tuple(range(size)), self.number(axis.one), lo)
            return lambda s, e: [index(s, e)]
        assert axis.many is not None
        many = self.many(axis.many)
        return lambda s, e: [v - lo for v, _ in many(s, e) if lo <= v < lo + size]

    def _pieces(self, node: m.Pieces) -> Many:
        where, classes = self.places(node), node.classes
        if node.of.size * node.at.size == 1:
            return self._reader(node.first, classes)
        last = node.first + node.of.size * node.at.size
        readers = {i: self._reader(i, classes) for i in range(node.first, last)}
        return lambda s, e: [x for p in where(s, e) for x in readers[p](s, e)]

    def _reader(self, number: int, classes: int) -> Many:
        """The reader of a place: one, however often it is read."""
        known = self._readers.get((number, classes))
        if known is None:
            known = self._readers[number, classes] = place_reader(
                self.machine.places[number], number, classes
            )
        return known


def _spread(links: tuple[tuple[int, ...], ...], lo: int, start: Many, through: Many) -> Many:
    """What can be reached from `start` within `through`, ascending."""

    def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
        inside = {v for v, _ in through(s, e)}
        reached = {v for v, _ in start(s, e) if v in inside}
        waiting = list(reached)
        while waiting:
            new = [v for v in links[waiting.pop() - lo] if v in inside and v not in reached]
            reached.update(new)
            waiting.extend(new)
        return [(v, 1) for v in sorted(reached)]

    return run


def place_reader(place: m.Place, number: int, classes: int) -> Many:
    """All pieces on one place, each class with its number; an ordered place from bottom to top."""
    base, first = place.base, number * classes
    match place.kind:
        case m.SLOT:
            return lambda s, e: [(first + c - 1, 1)] if (c := s[base]) else []
        case m.COUNTS:
            end = base + classes
            return lambda s, e: (
                [(i, n) for i, n in enumerate(s[base:end], first) if n] if any(s[base:end]) else []
            )
        case m.ORDERED:
            return lambda s, e: [(first + c - 1, 1) for c in s[base + 1 : base + 1 + s[base]]]
        case _:
            return lambda s, e: [(first, n)] if (n := s[base]) else []

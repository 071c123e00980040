"""Collections as closures: as lists, or as lazy sequences."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import assert_never

from interpreter import ir
from interpreter.ir.costs import PARTS_OF_ONE, cost_of_each, parts_at_once
from interpreter.reference import pieces
from interpreter.reference.closures import IntFn, ListFn, StreamFn
from interpreter.reference.context import RunContext
from interpreter.reference.faults import MOST_WORK, OutOfBounds, TooMuch

PlacesFn = Callable[["array[int]", list[int]], list[int]]
Leaf = ir.Values | ir.Between | ir.Listed | ir.Pieces | ir.Linked | ir.Spread | ir.Bits | ir.Others


class SourceLinker:
    """Links collections. `number` links the expressions in them."""

    def __init__(self, context: RunContext, number: Callable[[ir.Expr], IntFn]) -> None:
        self.context, self.number = context, number
        self._readers: dict[int, ListFn] = {}

    def stream(self, node: ir.Source, each: int = 1) -> StreamFn:
        """The closure of a collection as a lazy sequence; each value counts as so much work."""
        match node:
            case ir.Classed(source=source, classes=classes):
                inner = self.stream(source, each)
                return lambda s, e: ((v % classes, n) for v, n in inner(s, e))
            case ir.Filtered(reg=reg, source=source, where=where):
                inner = self.stream(source, each + cost_of_each(node))
                return inner if where is None else _filtered_stream(reg, inner, self.number(where))
            case ir.Prefix(reg=reg, source=source, where=where, until=until):
                inner = self.stream(source, each + cost_of_each(node))
                return _prefix_stream(reg, inner, self.number(where), until)
            case ir.Ranked():
                return self._ranked(node, each)
            case ir.Joined(parts=parts):
                streams = [self.stream(p, each) for p in parts]
                return lambda s, e: (x for part in streams for x in part(s, e))
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                c, x, y = self.number(condition), self.stream(then, each), self.stream(otherwise, each)
                return lambda s, e: x(s, e) if c(s, e) else y(s, e)
            case (
                ir.Values()
                | ir.Between()
                | ir.Listed()
                | ir.Pieces()
                | ir.Linked()
                | ir.Spread()
                | ir.Bits()
                | ir.Others()
            ):
                return self.context.counted(self._leaf(node), each, self._reading(node))
        assert_never(node)

    def many(self, node: ir.Source, each: int = 1) -> ListFn:
        """The closure of a collection as a list; each value counts as so much work."""
        match node:
            case ir.Classed() | ir.Joined() | ir.Either() | ir.Filtered() | ir.Prefix() | ir.Ranked():
                stream = self.stream(node, each)
                return lambda s, e: list(stream(s, e))
            case _:
                return self.context.counted(self._leaf(node), each, self._reading(node))

    def _reading(self, node: ir.Source) -> int:
        """The work of reading a collection: that of all places where pieces may lie, and of its parts."""
        if not isinstance(node, ir.Pieces):
            return parts_at_once(node) // PARTS_OF_ONE
        size = node.of.size * node.at.size if node.of.one is None and node.at.one is None else 1
        place = self.context.machine.places[node.first]
        return size * (place.classes if place.kind == ir.COUNTS else 1) // PARTS_OF_ONE

    def _leaf(self, node: Leaf) -> ListFn:
        """The closure of a collection that is not made of others, without its work."""
        match node:
            case ir.Values(values=values):
                pairs = [(v, 1) for v in values]
                return lambda s, e: pairs
            case ir.Between(low=low, high=high):
                return _between(self.number(low), self.number(high))
            case ir.Listed(items=items):
                numbers = [self.number(i) for i in items]
                return lambda s, e: [(f(s, e), 1) for f in numbers]
            case ir.Pieces():
                return self._pieces(node)
            case ir.Linked(links=links, index=index, lo=lo):
                table = [[(v, 1) for v in row] for row in links]
                at = lookup(tuple(range(len(links))), self.number(index), lo)
                return lambda s, e: table[at(s, e)]
            case ir.Spread(links=links, lo=lo, start=start, through=through):
                return _spread(links, lo, self.many(start), self.many(through, 2))
            case ir.Bits(words=words, lo=lo):
                return _bits([self.number(word) for word in words], lo)
            case ir.Others(me=me, seats=seats):
                others = [[(v, 1) for v in range(seats) if v != seat] for seat in range(seats)]
                mine = self.number(me)
                return lambda s, e: others[mine(s, e)]
        assert_never(node)

    def _ranked(self, node: ir.Ranked, each: int) -> StreamFn:
        """The values by their keys, equal ones ascending."""
        stream = self.stream(node.source, each + cost_of_each(node))
        keys = [self.number(k) for k in node.keys]
        where = self.number(node.where) if node.where is not None else None
        most = self.number(node.number) if node.number is not None else None
        reg, sign = node.reg, -1 if node.highest else 1

        def run(s: array[int], e: list[int]) -> Iterator[tuple[int, int]]:
            left = most(s, e) if most is not None else None
            found = []
            for v, n in stream(s, e) if left is None or left > 0 else ():
                e[reg] = v
                if where is None or where(s, e):
                    found.append(([sign * k(s, e) for k in keys], v, n))
            found.sort(key=lambda one: one[:2])
            for key, v, n in found:
                if left is None:
                    if key != found[0][0]:
                        return
                    yield v, n
                elif left > 0:
                    yield v, min(n, left)
                    left -= n

        return run

    # ---- pieces

    def places(self, node: ir.Pieces) -> PlacesFn:
        """The closure of the places of an address."""
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

    def _axis(self, axis: ir.Indices) -> list[int] | PlacesFn:
        """The indices of an axis, counted from 0: a list if they are constant, otherwise a closure."""
        lo, size = axis.lo, axis.size
        if axis.one is None and axis.many is None:
            return list(range(size))
        if isinstance(axis.one, ir.Const) and lo <= axis.one.value < lo + size:
            return [axis.one.value - lo]
        if axis.one is not None:
            index = lookup(tuple(range(size)), self.number(axis.one), lo)
            return lambda s, e: [index(s, e)]
        assert axis.many is not None
        many = self.many(axis.many)
        return lambda s, e: [v - lo for v, _ in many(s, e) if lo <= v < lo + size]

    def _pieces(self, node: ir.Pieces) -> ListFn:
        size = node.of.size * node.at.size
        if size == 1:
            return self._reader(node.first)
        where = self.places(node)
        readers = {i: self._reader(i) for i in range(node.first, node.first + size)}
        return lambda s, e: [x for p in where(s, e) for x in readers[p](s, e)]

    def _reader(self, number: int) -> ListFn:
        """The reader of a place, cached."""
        if number not in self._readers:
            self._readers[number] = pieces.place_reader(self.context.machine.places[number], number)
        return self._readers[number]


def lookup(table: tuple[int, ...], index: IntFn, lo: int) -> IntFn:
    """The closure of a table look-up; its indices begin at `lo`. It raises `OutOfBounds`."""
    size = len(table)

    def run(s: array[int], e: list[int]) -> int:
        i = index(s, e) - lo
        if not 0 <= i < size:
            raise OutOfBounds(i + lo, lo, lo + size - 1)
        return table[i]

    return run


def _between(low: IntFn, high: IntFn) -> ListFn:
    def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
        lo, hi = low(s, e), high(s, e)
        if hi - lo > MOST_WORK:
            raise TooMuch
        return [(v, 1) for v in range(lo, hi + 1)]

    return run


def _filtered_stream(reg: int, stream: StreamFn, where: IntFn) -> StreamFn:
    def run(s: array[int], e: list[int]) -> Iterator[tuple[int, int]]:
        for v, n in stream(s, e):
            e[reg] = v
            if where(s, e):
                yield v, n

    return run


def _prefix_stream(reg: int, stream: StreamFn, where: IntFn, until: bool) -> StreamFn:
    def run(s: array[int], e: list[int]) -> Iterator[tuple[int, int]]:
        for v, n in stream(s, e):
            e[reg] = v
            ends = bool(where(s, e)) is until
            if until or not ends:
                yield v, n
            if ends:
                return

    return run


def _bits(words: list[IntFn], lo: int) -> ListFn:
    """The closure of the values of a set, ascending."""

    def run(s: array[int], e: list[int]) -> list[tuple[int, int]]:
        found = []
        for i, word in enumerate(words):
            bits, first = word(s, e) & 0xFFFFFFFF, lo + 32 * i
            while bits:
                lowest = bits & -bits
                found.append((first + lowest.bit_length() - 1, 1))
                bits ^= lowest
        return found

    return run


def _spread(links: tuple[tuple[int, ...], ...], lo: int, start: ListFn, through: ListFn) -> ListFn:
    """The closure of the places reachable from `start` within `through`, ascending."""

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

"""Loops over the pieces on places."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import machine as m
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower.numbers.lanes import SIDE_BY_SIDE, Lanes
from interpreter.wasm.lower.numbers.loops import UNROLLED, Visit
from interpreter.wasm.lower.numbers.values import ONE, WIDE, Found, Held, Known, Value

UNROLLED_ROW = 2
"""Places of a row that are looked at one by one."""


class Places(Lanes):
    """Adds places of an address, and the pieces or classes that lie there."""

    def _classed(self, inner: m.Source, classes: int, visit: Visit, cost: int) -> None:
        if isinstance(inner, m.Pieces) and inner.classes == classes:
            self._pieces(inner, visit, cost, classed=True)
            return
        b = self.b

        def one(value: Value, n: Value) -> None:
            if isinstance(value, Known):
                visit(Known(value.value % classes), n)
                return
            with b.borrowed(I32) as (c,):
                self.put(value)
                b.i32(classes)
                b.op("i32.rem_u")
                b.set(c)
                visit(Held(c, (0, classes - 1)), n)

        self.each(inner, one, cost + 3)

    # ---- places

    def axis(self, axis: m.Indices, visit: Callable[[Value], None]) -> None:
        """Emits `visit` for each index of an axis, counted from 0."""
        b = self.b
        if axis.one is None and axis.many is None:
            if axis.size <= 2:
                for i in range(axis.size):
                    visit(Known(i))
                return
            with self.counting(Known(0), Known(axis.size - 1)) as index:
                visit(index)
        elif axis.one is not None:
            known = self.constant(axis.one)
            if known is not None and 0 <= known - axis.lo < axis.size:
                visit(Known(known - axis.lo))
                return
            with b.borrowed(I32) as (i,):
                span = self.num(axis.one)
                self.within(span, axis.lo, axis.lo + axis.size - 1)
                if axis.lo:
                    b.i32(axis.lo)
                    b.op("i32.sub")
                b.set(i)
                visit(Held(i, (0, axis.size - 1)))
        else:
            assert axis.many is not None
            self.each(axis.many, lambda v, _: self._in_axis(axis, v, visit), 20)

    def _in_axis(self, axis: m.Indices, value: Value, visit: Callable[[Value], None]) -> None:
        b = self.b
        with b.borrowed(I32) as (i,):
            self.put(value)
            if axis.lo:
                b.i32(axis.lo)
                b.op("i32.sub")
            b.tee(i)
            b.i32(axis.size)
            b.op("i32.lt_u")
            b.when()
            visit(Held(i, (0, axis.size - 1)))
            b.end()

    def places(self, node: m.Pieces, visit: Callable[[Value], None]) -> None:
        """Emits `visit` for each place of an address, counted from the zone's first."""

        def both(i: Value, j: Value) -> None:
            if isinstance(i, Known) and isinstance(j, Known):
                visit(Known(i.value * node.at.size + j.value))
                return
            b = self.b
            with b.borrowed(I32) as (k,):
                self.put(i)
                b.i32(node.at.size)
                b.op("i32.mul")
                self.put(j)
                b.op("i32.add")
                b.set(k)
                visit(Held(k, (0, node.of.size * node.at.size - 1)))

        self.axis(node.of, lambda i: self.axis(node.at, lambda j: both(i, j)))

    def base_of(self, node: m.Pieces, k: Value) -> tuple[int, int, bool]:
        """A local with an address, and what to add to it, for the first word of the k-th place of a zone.

        The last says whether the local is to be released.
        """
        places, b = self.mc.places, self.b
        stride = self.stride(node.first, node.first + node.of.size * node.at.size - 1)
        assert stride is not None
        if isinstance(k, Known):
            return self.s, 4 * places[node.first + k.value].base, False
        at = b.local()
        b.get(self.s)
        b.get(k.local)
        b.i32(4 * stride)
        b.op("i32.mul", "i32.add")
        b.set(at)
        return at, 4 * places[node.first].base, True

    # ---- pieces

    def _pieces(self, node: m.Pieces, visit: Visit, cost: int, classed: bool) -> None:
        if self._is_rows(node):
            self.axis(node.of, lambda i: self._row_of_places(node, i, visit, classed))
            return
        self.places(node, lambda k: self._place(node, k, visit, cost, classed))

    def _is_rows(self, node: m.Pieces) -> bool:
        """Whether the places of the second axis are one word each, side by side, and all are asked for."""
        at = node.at
        if at.one is not None or at.many is not None or not UNROLLED_ROW < at.size <= SIDE_BY_SIDE:
            return False
        if node.classes != 1 or self.mc.places[node.first].kind != m.COUNTS:
            return False
        return self.stride(node.first, node.first + node.of.size * at.size - 1) == 1

    def _row_of_places(self, node: m.Pieces, i: Value, visit: Visit, classed: bool) -> None:
        """The places of a row on which pieces lie."""
        b, size = self.b, node.at.size
        with b.borrowed(I32, I32) as (at, k):
            b.get(self.s)
            self.put(i)
            b.i32(4 * size)
            b.op("i32.mul", "i32.add")
            b.set(at)

            def one(j: int, number: int) -> None:
                self.put(i)
                b.i32(size)
                b.op("i32.mul")
                b.get(j)
                b.op("i32.add")
                b.set(k)
                place = Held(k, (0, node.of.size * size - 1))
                self._piece(node, place, Known(0), Held(number, (1, WIDE[1])), visit, classed)

            self.each_above_zero(at, 4 * self.mc.places[node.first].base, size, one)

    def _place(self, node: m.Pieces, k: Value, visit: Visit, cost: int, classed: bool) -> None:
        b = self.b
        place = self.mc.places[node.first]
        at, offset, mine = self.base_of(node, k)

        def found(class_: Value, n: Value) -> None:
            self._piece(node, k, class_, n, visit, classed)

        match place.kind:
            case m.SLOT:
                with b.borrowed(I32) as (c,):
                    b.get(at)
                    b.load(offset)
                    b.tee(c)
                    b.when()
                    b.get(c)
                    b.i32(1)
                    b.op("i32.sub")
                    b.set(c)
                    found(Held(c, (0, node.classes - 1)), ONE)
                    b.end()
            case m.COUNTS:
                self._counts(at, offset, node.classes, found, cost)
            case m.ORDERED:
                self._ordered(at, offset, node.classes, found)
            case _:
                with b.borrowed(I32) as (n,):
                    b.get(at)
                    b.load(offset)
                    b.tee(n)
                    b.when()
                    found(Known(0), Held(n, (1, WIDE[1])))
                    b.end()
        if mine:
            b.release(at)

    def _counts(self, at: int, offset: int, classes: int, found: Visit, cost: int) -> None:
        b = self.b
        with b.borrowed(I32) as (n,):
            if classes * (cost + 6) <= UNROLLED:
                for c in range(classes):
                    b.get(at)
                    b.load(offset + 4 * c)
                    b.tee(n)
                    b.when()
                    found(Known(c), Held(n, (1, WIDE[1])))
                    b.end()
                return
            with self.counting(Known(0), Known(classes - 1)) as c_:
                b.get(at)
                b.get(c_.local)
                b.i32(2)
                b.op("i32.shl", "i32.add")
                b.load(offset)
                b.tee(n)
                b.when()
                found(c_, Held(n, (1, WIDE[1])))
                b.end()

    def _ordered(self, at: int, offset: int, classes: int, found: Visit) -> None:
        b = self.b
        with b.borrowed(I32, I32, I32) as (p, last, c):
            b.get(at)
            b.tee(p)
            b.get(at)
            b.load(offset)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.set(last)
            with b.forever() as out:
                b.get(p)
                b.get(last)
                b.op("i32.ge_u")
                b.br_if(out)
                b.get(p)
                b.load(offset + 4)
                b.i32(1)
                b.op("i32.sub")
                b.set(c)
                b.bump(p, 4)
                found(Held(c, (0, classes - 1)), ONE)

    def _piece(self, node: m.Pieces, k: Value, class_: Value, n: Value, visit: Visit, classed: bool) -> None:
        """Calls `visit` with the class, or with the piece: place times classes plus class."""
        b, first, classes = self.b, node.first, node.classes
        if classed:
            visit(class_, n)
            return
        if isinstance(k, Known) and isinstance(class_, Known):
            visit(Known((first + k.value) * classes + class_.value), n)
            return
        span = self.domain(node)
        with b.borrowed(I32) as (ref,):
            if isinstance(k, Known):
                b.i32((first + k.value) * classes)
            else:
                b.get(k.local)
                b.i32(classes)
                b.op("i32.mul")
                b.i32(first * classes)
                b.op("i32.add")
            self.put(class_)
            b.op("i32.add")
            b.set(ref)
            visit(Held(ref, span, Found(first, k, class_)), n)

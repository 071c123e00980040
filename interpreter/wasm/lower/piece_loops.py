"""Loops over the pieces on places."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.lower import addresses, const_eval, loops
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.loops import SIDE_BY_SIDE, UNROLLED
from interpreter.wasm.lower.values import ONE, WIDE, Constant, FoundPiece, InLocal, Value

UNROLLED_ROW = 2
"""Places of a row that are looked at one by one."""


def classed(fx: FunctionContext, inner: ir.Source, classes: int, visit: Visit, cost: int) -> None:
    if isinstance(inner, ir.Pieces) and inner.classes == classes:
        pieces(fx, inner, visit, cost, classed=True)
        return
    b = fx.b

    def one(value: Value, n: Value) -> None:
        if isinstance(value, Constant):
            visit(Constant(value.value % classes), n)
            return
        with b.borrowed(I32) as (c,):
            fx.put(value)
            b.i32(classes)
            b.op("i32.rem_u")
            b.set(c)
            visit(InLocal(c, (0, classes - 1)), n)

    fx.each(inner, one, cost + 3)


# ---- places


def each_index(fx: FunctionContext, axis: ir.Indices, visit: Callable[[Value], None]) -> None:
    """Emits `visit` for each index of an axis, counted from 0."""
    b = fx.b
    if axis.one is None and axis.many is None:
        if axis.size <= 2:
            for i in range(axis.size):
                visit(Constant(i))
            return
        with loops.counting(fx, Constant(0), Constant(axis.size - 1)) as index:
            visit(index)
    elif axis.one is not None:
        known = const_eval.constant(fx, axis.one)
        if known is not None and 0 <= known - axis.lo < axis.size:
            visit(Constant(known - axis.lo))
            return
        with b.borrowed(I32) as (i,):
            span = fx.num(axis.one)
            addresses.within(fx, span, axis.lo, axis.lo + axis.size - 1)
            if axis.lo:
                b.i32(axis.lo)
                b.op("i32.sub")
            b.set(i)
            visit(InLocal(i, (0, axis.size - 1)))
    else:
        assert axis.many is not None
        fx.each(axis.many, lambda v, _: _in_axis(fx, axis, v, visit), 20)


def _in_axis(fx: FunctionContext, axis: ir.Indices, value: Value, visit: Callable[[Value], None]) -> None:
    b = fx.b
    with b.borrowed(I32) as (i,):
        fx.put(value)
        if axis.lo:
            b.i32(axis.lo)
            b.op("i32.sub")
        b.tee(i)
        b.i32(axis.size)
        b.op("i32.lt_u")
        b.when()
        visit(InLocal(i, (0, axis.size - 1)))
        b.end()


def each_place(fx: FunctionContext, node: ir.Pieces, visit: Callable[[Value], None]) -> None:
    """Emits `visit` for each place of an address, counted from the zone's first."""

    def both(i: Value, j: Value) -> None:
        if isinstance(i, Constant) and isinstance(j, Constant):
            visit(Constant(i.value * node.at.size + j.value))
            return
        b = fx.b
        with b.borrowed(I32) as (k,):
            fx.put(i)
            b.i32(node.at.size)
            b.op("i32.mul")
            fx.put(j)
            b.op("i32.add")
            b.set(k)
            visit(InLocal(k, (0, node.of.size * node.at.size - 1)))

    each_index(fx, node.of, lambda i: each_index(fx, node.at, lambda j: both(i, j)))


def place_address(fx: FunctionContext, node: ir.Pieces, k: Value) -> tuple[int, int, bool]:
    """A local with an address, and what to add to it, for the first word of the k-th place of a zone.

    The last says whether the local is to be released.
    """
    places, b = fx.mc.places, fx.b
    stride = addresses.place_stride(fx, node.first, node.first + node.of.size * node.at.size - 1)
    assert stride is not None
    if isinstance(k, Constant):
        return fx.s, 4 * places[node.first + k.value].base, False
    at = b.local()
    b.get(fx.s)
    b.get(k.local)
    b.i32(4 * stride)
    b.op("i32.mul", "i32.add")
    b.set(at)
    return at, 4 * places[node.first].base, True


# ---- pieces


def pieces(fx: FunctionContext, node: ir.Pieces, visit: Visit, cost: int, classed: bool) -> None:
    if _is_rows(fx, node):
        each_index(fx, node.of, lambda i: _row_of_places(fx, node, i, visit, classed))
        return
    each_place(fx, node, lambda k: _place(fx, node, k, visit, cost, classed))


def _is_rows(fx: FunctionContext, node: ir.Pieces) -> bool:
    """Whether the places of the second axis are one word each, side by side, and all are asked for."""
    at = node.at
    if at.one is not None or at.many is not None or not UNROLLED_ROW < at.size <= SIDE_BY_SIDE:
        return False
    if node.classes != 1 or fx.mc.places[node.first].kind != ir.COUNTS:
        return False
    return addresses.place_stride(fx, node.first, node.first + node.of.size * at.size - 1) == 1


def _row_of_places(fx: FunctionContext, node: ir.Pieces, i: Value, visit: Visit, classed: bool) -> None:
    """The places of a row on which pieces lie."""
    b, size = fx.b, node.at.size
    with b.borrowed(I32, I32) as (at, k):
        b.get(fx.s)
        fx.put(i)
        b.i32(4 * size)
        b.op("i32.mul", "i32.add")
        b.set(at)

        def one(j: int, number: int) -> None:
            fx.put(i)
            b.i32(size)
            b.op("i32.mul")
            b.get(j)
            b.op("i32.add")
            b.set(k)
            place = InLocal(k, (0, node.of.size * size - 1))
            _piece(fx, node, place, Constant(0), InLocal(number, (1, WIDE[1])), visit, classed)

        loops.each_above_zero(fx, at, 4 * fx.mc.places[node.first].base, size, one)


def _place(fx: FunctionContext, node: ir.Pieces, k: Value, visit: Visit, cost: int, classed: bool) -> None:
    b = fx.b
    place = fx.mc.places[node.first]
    at, offset, mine = place_address(fx, node, k)

    def found(class_: Value, n: Value) -> None:
        _piece(fx, node, k, class_, n, visit, classed)

    match place.kind:
        case ir.SLOT:
            with b.borrowed(I32) as (c,):
                b.get(at)
                b.load(offset)
                b.tee(c)
                b.when()
                b.get(c)
                b.i32(1)
                b.op("i32.sub")
                b.set(c)
                found(InLocal(c, (0, node.classes - 1)), ONE)
                b.end()
        case ir.COUNTS:
            _counts(fx, at, offset, node.classes, found, cost)
        case ir.ORDERED:
            _ordered(fx, at, offset, node.classes, found)
        case _:
            with b.borrowed(I32) as (n,):
                b.get(at)
                b.load(offset)
                b.tee(n)
                b.when()
                found(Constant(0), InLocal(n, (1, WIDE[1])))
                b.end()
    if mine:
        b.release(at)


def _counts(fx: FunctionContext, at: int, offset: int, classes: int, found: Visit, cost: int) -> None:
    b = fx.b
    with b.borrowed(I32) as (n,):
        if classes * (cost + 6) <= UNROLLED:
            for c in range(classes):
                b.get(at)
                b.load(offset + 4 * c)
                b.tee(n)
                b.when()
                found(Constant(c), InLocal(n, (1, WIDE[1])))
                b.end()
            return
        with loops.counting(fx, Constant(0), Constant(classes - 1)) as c_:
            b.get(at)
            b.get(c_.local)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.load(offset)
            b.tee(n)
            b.when()
            found(c_, InLocal(n, (1, WIDE[1])))
            b.end()


def _ordered(fx: FunctionContext, at: int, offset: int, classes: int, found: Visit) -> None:
    b = fx.b
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
            found(InLocal(c, (0, classes - 1)), ONE)


def _piece(
    fx: FunctionContext, node: ir.Pieces, k: Value, class_: Value, n: Value, visit: Visit, classed: bool
) -> None:
    """Calls `visit` with the class, or with the piece: place times classes plus class."""
    b, first, classes = fx.b, node.first, node.classes
    if classed:
        visit(class_, n)
        return
    if isinstance(k, Constant) and isinstance(class_, Constant):
        visit(Constant((first + k.value) * classes + class_.value), n)
        return
    span = fx.domain(node)
    with b.borrowed(I32) as (ref,):
        if isinstance(k, Constant):
            b.i32((first + k.value) * classes)
        else:
            b.get(k.local)
            b.i32(classes)
            b.op("i32.mul")
            b.i32(first * classes)
            b.op("i32.add")
        fx.put(class_)
        b.op("i32.add")
        b.set(ref)
        visit(InLocal(ref, span, FoundPiece(first, k, class_)), n)

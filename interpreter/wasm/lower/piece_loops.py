"""Loops over the pieces on places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from interpreter import ir
from interpreter.wasm.emit.bit_boards import set_bytes
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import addresses, bitsets, const_eval, loops
from interpreter.wasm.lower.context import FunctionContext, Visit
from interpreter.wasm.lower.loops import SIDE_BY_SIDE, UNROLLED
from interpreter.wasm.lower.values import ONE, WIDE, Bits, Constant, FoundPiece, InLocal, Range, Value

Keep = Callable[[Bits, Range], None]
"""Emits what takes classes out of a set."""
UNROLLED_ROW = 2
"""Up to so many places of a row are tested one by one."""


def classed(fx: FunctionContext, inner: ir.Source, classes: int, visit: Visit, cost: int) -> None:
    if isinstance(inner, ir.Pieces) and inner.classes == classes:
        pieces(fx, inner, visit, cost, classed=True)
        return

    def visit_class(value: Value, n: Value) -> None:
        if isinstance(value, Constant):
            visit(Constant(value.value % classes), n)
            return
        with fx.b.temporaries(I32) as (cls,):
            fx.b.assign(cls, value.operand.rem_u(classes))
            visit(InLocal(cls, (0, classes - 1)), n)

    fx.each(inner, visit_class, cost + 3)


# ---- places


def each_index(fx: FunctionContext, axis: ir.Indices, visit: Callable[[Value], None]) -> None:
    """Emits `visit` for each index of an axis, counted from 0."""
    b = fx.b
    if axis.one is None and axis.many is None:
        if axis.size <= 2:
            for number in range(axis.size):
                visit(Constant(number))
            return
        with loops.counting(fx, Constant(0), Constant(axis.size - 1)) as index:
            visit(index)
    elif axis.one is not None:
        known = const_eval.constant(fx, axis.one)
        if known is not None and 0 <= known - axis.lo < axis.size:
            visit(Constant(known - axis.lo))
            return
        with b.temporaries(I32) as (i,):
            span = fx.num(axis.one)
            addresses.within(fx, span, axis.lo, axis.lo + axis.size - 1)
            b.assign(i, STACK - axis.lo if axis.lo else STACK)
            visit(InLocal(i, (0, axis.size - 1)))
    else:
        assert axis.many is not None
        fx.each(axis.many, lambda v, _: _in_axis(fx, axis, v, visit), 20)


def _in_axis(fx: FunctionContext, axis: ir.Indices, value: Value, visit: Callable[[Value], None]) -> None:
    b, n = fx.b, value.operand
    with b.temporaries(I32) as (i,), b.if_(i.tee(n - axis.lo if axis.lo else n).lt_u(axis.size)):
        visit(InLocal(i, (0, axis.size - 1)))


def each_place(fx: FunctionContext, node: ir.Pieces, visit: Callable[[Value], None]) -> None:
    """Emits `visit` for each place of an address, counted from the zone's first."""

    def both(i: Value, j: Value) -> None:
        if isinstance(i, Constant) and isinstance(j, Constant):
            visit(Constant(i.value * node.at.size + j.value))
            return
        with fx.b.temporaries(I32) as (k,):
            fx.b.assign(k, i.operand * node.at.size + j.operand)
            visit(InLocal(k, (0, node.of.size * node.at.size - 1)))

    each_index(fx, node.of, lambda i: each_index(fx, node.at, lambda j: both(i, j)))


@contextmanager
def place_address(fx: FunctionContext, node: ir.Pieces, k: Value) -> Iterator[tuple[Operand, int]]:
    """An address, and what to add to it, for the first word of the k-th place of a zone."""
    places, b = fx.mc.places, fx.b
    stride = addresses.place_stride(fx, node.first, node.first + node.of.size * node.at.size - 1)
    assert stride is not None
    if isinstance(k, Constant):
        yield b.state, 4 * places[node.first + k.value].base
        return
    with b.temporaries(I32) as (at,):
        b.assign(at, b.state + k.operand * (4 * stride))
        yield at, 4 * places[node.first].base


# ---- pieces


def is_one_slot(mc: ir.Machine, node: ir.Pieces) -> bool:
    """Whether pieces are those on a single place, which has room for one."""
    lone = all(axis.many is None and (axis.one is not None or axis.size == 1) for axis in (node.of, node.at))
    return lone and mc.places[node.first].kind == ir.SLOT


def keeps_sets(fx: FunctionContext, node: ir.Pieces) -> bool:
    """Whether the places of a collection keep sets of the classes that lie there."""
    return node.first in fx.builder.piece_sets and not fx.one_by_one


def keep_sets(fx: FunctionContext, first: int, last: int) -> bool:
    """Whether all places from one to another keep sets of the same classes, side by side."""
    sets, places = fx.builder.piece_sets, fx.mc.places
    if fx.one_by_one or not 0 <= first <= last < len(places) or first not in sets:
        return False
    size = set_bytes(places[first].classes)
    return all(
        places[i].classes == places[first].classes and sets.get(i) == sets[first] + size * (i - first)
        for i in range(first, last + 1)
    )


def set_address(fx: FunctionContext, place: Value) -> Operand:
    """The address of the set of a place, which keeps one."""
    first, last = place.span
    at = fx.builder.piece_sets[first]
    if first == last:
        return fx.b.state + at
    size = set_bytes(fx.mc.places[first].classes)
    return fx.b.state + (place.operand * size + (at - size * first))


def set_of_place(fx: FunctionContext, node: ir.Pieces, k: Value) -> Operand:
    """The address of the set of the k-th place of a zone."""
    at = fx.builder.piece_sets[node.first]
    size = set_bytes(node.classes)
    if isinstance(k, Constant):
        return fx.b.state + (at + size * k.value)
    return fx.b.state + (k.operand * size + at)


def set_words(fx: FunctionContext, node: ir.Pieces, k: Value) -> list[Operand]:
    """The words of the set of the k-th place of a zone."""
    size, at = set_bytes(node.classes), fx.builder.piece_sets[node.first]
    if isinstance(k, Constant):
        return [fx.b.state.load64(at + size * k.value + 8 * i) for i in range(size // 8)]
    return [(fx.b.state + k.operand * size).load64(at + 8 * i) for i in range(size // 8)]


def lone_set(fx: FunctionContext, place: Value) -> tuple[Operand, int] | None:
    """The address and the words of the set of a place, if it keeps one and no two of its pieces are alike."""
    first, last = place.span
    if not keep_sets(fx, first, last):
        return None
    places = fx.mc.places[first : last + 1]
    if any(fx.mc.place_components[place.zone] not in fx.builder.single for place in places):
        return None
    return set_address(fx, place), set_bytes(places[0].classes) // 8


def pieces(
    fx: FunctionContext, node: ir.Pieces, visit: Visit, cost: int, classed: bool, keep: Keep | None = None
) -> None:
    if _is_rows(fx, node):
        each_index(fx, node.of, lambda i: _row_of_places(fx, node, i, visit, classed))
        return
    each_place(fx, node, lambda k: _place(fx, node, k, visit, cost, classed, keep))


def _is_rows(fx: FunctionContext, node: ir.Pieces) -> bool:
    """Whether the places of the second axis are one word each, side by side, and all are asked for."""
    at = node.at
    if at.one is not None or at.many is not None or not UNROLLED_ROW < at.size <= SIDE_BY_SIDE:
        return False
    kind = fx.mc.places[node.first].kind
    if kind == ir.SLOT:
        if fx.one_by_one:
            return False
    elif kind != ir.COUNTS or node.classes != 1:
        return False
    return addresses.place_stride(fx, node.first, node.first + node.of.size * at.size - 1) == 1


def _row_of_places(fx: FunctionContext, node: ir.Pieces, i: Value, visit: Visit, classed: bool) -> None:
    """The places of a row on which pieces lie."""
    b, size = fx.b, node.at.size
    with b.temporaries(I32, I32) as (at, k):
        b.assign(at, b.state + i.operand * (4 * size))

        def visit_place(j: Variable, number: Variable) -> None:
            b.assign(k, i.operand * size + j)
            place = InLocal(k, (0, node.of.size * size - 1))
            if fx.mc.places[node.first].kind == ir.SLOT:
                b.assign(number, number - 1)
                _piece(fx, node, place, InLocal(number, (0, node.classes - 1)), ONE, visit, classed)
                return
            _piece(fx, node, place, Constant(0), InLocal(number, (1, WIDE[1])), visit, classed)

        loops.each_above_zero(
            fx, at, 4 * fx.mc.places[node.first].base, size, visit_place, _occupied(fx, node, i)
        )


def _occupied(fx: FunctionContext, node: ir.Pieces, i: Value) -> Operand | None:
    """The places of a row on which pieces lie, if a bit board says so."""
    board = fx.builder.board_of_place(node.first)
    if board is None or board.place is None or board.size != node.at.size:
        return None
    kept = fx.kept_boards.get(board.words.name)
    if kept is not None:
        return kept[0] ^ (1 << board.size) - 1
    first = board.first + (node.first - board.place) // board.size * board.row_bytes
    return (fx.b.state + i.operand * board.row_bytes).load64(first) ^ (1 << board.size) - 1


def _place(
    fx: FunctionContext,
    node: ir.Pieces,
    k: Value,
    visit: Visit,
    cost: int,
    classed: bool,
    keep: Keep | None,
) -> None:
    b = fx.b

    def found(class_: Value, n: Value) -> None:
        _piece(fx, node, k, class_, n, visit, classed)

    if keeps_sets(fx, node):
        _counts_of_set(fx, node, k, found, keep)
        return
    with place_address(fx, node, k) as (at, offset):
        match fx.mc.places[node.first].kind:
            case ir.SLOT:
                with b.temporaries(I32) as (cls,), b.if_(cls.tee(at.load(offset))):
                    b.assign(cls, cls - 1)
                    found(InLocal(cls, (0, node.classes - 1)), ONE)
            case ir.COUNTS:
                _counts(fx, at, offset, node.classes, found, cost)
            case ir.ORDERED:
                _ordered(fx, at, offset, node.classes, found)
            case _:
                with b.temporaries(I32) as (n,), b.if_(n.tee(at.load(offset))):
                    found(Constant(0), InLocal(n, (1, WIDE[1])))


def _counts(fx: FunctionContext, at: Operand, offset: int, classes: int, found: Visit, cost: int) -> None:
    b = fx.b
    with b.temporaries(I32) as (n,):
        number = InLocal(n, (1, WIDE[1]))
        if loops.is_written_out(fx, classes, cost + 6, UNROLLED):
            with loops.written_out(fx, max(1, classes)):
                for cls in range(classes):
                    with b.if_(n.tee(at.load(offset + 4 * cls))):
                        found(Constant(cls), number)
            return
        with (
            loops.counting(fx, Constant(0), Constant(classes - 1)) as each,
            b.if_(n.tee((at + (each.operand << 2)).load(offset))),
        ):
            found(each, number)


def _counts_of_set(fx: FunctionContext, node: ir.Pieces, k: Value, found: Visit, keep: Keep | None) -> None:
    """The classes that lie on a place, as far as they are kept; what `found` does must not change them."""
    b, r = fx.b, Range(0, node.classes)
    bits = bitsets.new_bits(fx, r)
    for word, there in zip(bits, set_words(fx, node, k), strict=True):
        b.assign(word, there)
    if keep is not None:
        keep(bits, r)
    lone = fx.mc.place_components[fx.mc.places[node.first].zone] in fx.builder.single

    def one(class_: InLocal) -> None:
        if lone:
            found(class_, ONE)
            return
        with b.temporaries(I32) as (n,):
            with place_address(fx, node, k) as (at, offset):
                b.assign(n, (at + (class_.operand << 2)).load(offset))
            found(class_, InLocal(n, (1, WIDE[1])))

    bitsets.each_bit(fx, bits, r, one)
    bitsets.free_bits(fx, bits)


def _ordered(fx: FunctionContext, at: Operand, offset: int, classes: int, found: Visit) -> None:
    b = fx.b
    with b.temporaries(I32, I32, I32) as (p, last, cls):
        b.assign(last, p.tee(at) + (at.load(offset) << 2))
        with b.until(p.ge_u(last)):
            b.assign(cls, p.load(offset + 4) - 1)
            b.assign(p, p + 4)
            found(InLocal(cls, (0, classes - 1)), ONE)


def _piece(
    fx: FunctionContext, node: ir.Pieces, k: Value, class_: Value, n: Value, visit: Visit, classed: bool
) -> None:
    """Calls `visit` with the class, or with the piece: place times classes plus class."""
    first, classes = node.first, node.classes
    if classed:
        visit(class_, n)
        return
    if isinstance(k, Constant) and isinstance(class_, Constant):
        visit(Constant((first + k.value) * classes + class_.value), n)
        return
    span = fx.domain(node)
    with fx.b.temporaries(I32) as (ref,):
        if isinstance(k, Constant):
            beginning = const((first + k.value) * classes)
        else:
            beginning = k.operand * classes + first * classes
        fx.b.assign(ref, beginning + class_.operand)
        visit(InLocal(ref, span, FoundPiece(first, k, class_)), n)

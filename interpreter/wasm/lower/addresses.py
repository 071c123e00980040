"""Addresses with checked indices, tables, and the places and classes of pieces."""

from __future__ import annotations

from typing import Any

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, select
from interpreter.wasm.faults import OUT_OF_BOUNDS
from interpreter.wasm.lower import const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, FoundPiece, InLocal, Lazy, Span, Value

# ---- addresses


def index(fx: FunctionContext, term: ir.Term) -> Span:
    """Leaves an index on the stack, within its bounds."""
    span = fx.num(term.index)
    return within(fx, span, term.lo, term.hi)


def within(fx: FunctionContext, span: Span, lo: int, hi: int) -> Span:
    """The number on the stack stays there if it is within bounds."""
    if lo <= span[0] and span[1] <= hi:
        return span
    b = fx.b
    with b.temporaries(I32) as (i,):
        number = i.tee(STACK)
        with b.if_((number - lo if lo else number).gt_u(hi - lo)):
            fx.fault(OUT_OF_BOUNDS, InLocal(i.index, WIDE), lo, hi)
        b.push(i)
    return (max(lo, span[0]), min(hi, span[1]))


def offset(fx: FunctionContext, address: ir.Address, scale: int, base: int | None) -> int:
    """Adds the moving part of an address to `base` (a local, or nothing); returns the fixed part."""
    fixed, b = address.base * scale, fx.b
    started = base is not None
    if base is not None:
        b.get(base)
    for term in address.terms:
        known = const_eval.constant(fx, term.index)
        if known is not None and term.lo <= known <= term.hi:
            fixed += (known - term.lo) * term.stride * scale
            continue
        index(fx, term)
        if term.stride * scale != 1:
            b.i32(term.stride * scale)
            b.op("i32.mul")
        if started:
            b.op("i32.add")
        started = True
        fixed -= term.lo * term.stride * scale
    if not started:
        b.i32(0)
    if fixed < 0:
        b.i32(fixed)
        b.op("i32.add")
        fixed = 0
    return fixed


def address(fx: FunctionContext, address: ir.Address) -> int:
    """Leaves an address on the stack; returns what a load has to add to it."""
    return offset(fx, address, 4, fx.s)


def spot(fx: FunctionContext, address: ir.Address) -> Span:
    fixed = offset(fx, address, 1, None)
    if fixed:
        fx.b.i32(fixed)
        fx.b.op("i32.add")
    last = address.base + sum((t.hi - t.lo) * t.stride for t in address.terms)
    return (address.base, last)


def load_span(fx: FunctionContext, address: ir.Address) -> Span:
    words = fx.builder.words_of(address.base)
    if words is None:
        return WIDE
    lo, hi = min(r[0] for r in words.ranges), max(r[1] for r in words.ranges)
    return (NONE, hi) if words.kind == "pointer" else (lo, hi)


# ---- tables


def pick(fx: FunctionContext, table: tuple[int, ...], index: ir.Expr, lo: int) -> Span:
    b = fx.b
    span = fx.num(index)
    span = within(fx, span, lo, lo + len(table) - 1)
    first, last = max(span[0], lo) - lo, min(span[1], lo + len(table) - 1) - lo
    part = table[first : last + 1] or table
    if min(part) == max(part):
        b.op("drop")
        b.i32(part[0])
    elif part == tuple(range(part[0], part[0] + len(part))):
        if part[0] - lo - first:
            b.i32(part[0] - lo - first)
            b.op("i32.add")
    else:
        look_up(fx, fx.builder.table(table), lo)
    return (min(part), max(part))


def look_up(fx: FunctionContext, table: int, lo: int = 0) -> None:
    """The number on the stack becomes the entry of a table that begins with `lo`."""
    b = fx.b
    b.i32(2)
    b.op("i32.shl")
    fixed = table - 4 * lo
    if fixed < 0:
        b.i32(fixed)
        b.op("i32.add")
        fixed = 0
    b.load(fixed)


# ---- pieces


def of_piece(fx: FunctionContext, piece: ir.Expr, found: Any, span: Span) -> Span:
    """Something of a piece; none of none. The piece is on the stack when `found` goes on."""
    b = fx.b
    x = fx.num(piece)
    if x[0] >= 0:
        found()
        return span
    with b.temporaries(I32) as (p,), b.if_(p.tee(STACK).eq(NONE), I32):
        b.push(NONE)
        b.otherwise()
        b.push(p)
        found()
    return (NONE, span[1])


def class_of(fx: FunctionContext, classes: int) -> None:
    if classes == 1:
        fx.b.op("drop")
        fx.b.i32(0)
        return
    fx.b.i32(classes)
    fx.b.op("i32.rem_u")


def place_index(fx: FunctionContext, classes: int, table: tuple[int, ...]) -> None:
    if classes > 1:
        fx.b.i32(classes)
        fx.b.op("i32.div_u")
    within(fx, (0, WIDE[1]), 0, len(table) - 1)
    look_up(fx, fx.builder.table(table))


def piece_in_loop(fx: FunctionContext, piece: ir.Expr) -> FoundPiece | None:
    """Where a piece lies and of which class it is, if it is one that a loop has come to."""
    value: Value | Lazy | None = None
    if isinstance(piece, ir.Reg):
        value = fx.regs.get(piece.index)
    elif isinstance(piece, ir.Local):
        value = fx.slots.get(piece.slot)
    if isinstance(value, Lazy):
        return piece_in_loop(fx, value.expr)
    return value.found if isinstance(value, InLocal) else None


def index_of(fx: FunctionContext, found: FoundPiece, table: tuple[int, ...]) -> Span:
    fx.b.push((found.place.operand + found.first).entry_of(fx.builder.table(table)))
    return (min(table), max(table))


def place_word(fx: FunctionContext, place: int) -> None:
    """Leaves the first word of a known place."""
    base = fx.mc.places[place].base
    if base in fx.kept:
        fx.b.get(fx.kept[base])
    else:
        fx.b.push(fx.b.state.load(4 * base))


def piece_at(fx: FunctionContext, place: ir.Expr, classes: int) -> Span:
    b = fx.b
    known = const_eval.constant(fx, place)
    if known in fx.builder.solid:
        assert known is not None
        place_word(fx, known)
        b.i32(known * classes - 1)
        b.op("i32.add")
        return (known * classes, known * classes + classes - 1)
    with b.temporaries(I32, I32) as (p, c):
        if known is not None:
            place_word(fx, known)
            b.assign(c, STACK)
            b.push(known * classes - 1)
        else:
            span = fx.num(place)
            b.assign(p, STACK)
            place_base(fx, p.index, span)
            b.assign(c, STACK.load())
            b.push(p * classes - 1)
        b.push(select(STACK + c, NONE, c))
    return (NONE, len(fx.mc.places) * classes)


def place_base(fx: FunctionContext, place: int, span: Span) -> None:
    """Leaves the address of the first word of the place whose number is in a local."""
    b = fx.b
    places = fx.mc.places
    first, last = span
    b.get(fx.s)
    b.get(place)
    if 0 <= first <= last < len(places):
        stride = place_stride(fx, first, last)
        if stride is not None:
            b.i32(4 * stride)
            b.op("i32.mul")
            b.i32(4 * (places[first].base - first * stride))
            b.op("i32.add", "i32.add")
            return
    b.i32(20)
    b.op("i32.mul")
    b.load(fx.builder.places)
    b.i32(2)
    b.op("i32.shl", "i32.add")


def place_stride(fx: FunctionContext, first: int, last: int) -> int | None:
    """The words from place to place, if some places all lie equally far from each other."""
    places = fx.mc.places
    if first == last:
        return 0
    step = places[first + 1].base - places[first].base
    if places[last].base - places[first].base != step * (last - first):
        return None
    if any(places[i + 1].base - places[i].base != step for i in range(first, last)):
        return None
    return step

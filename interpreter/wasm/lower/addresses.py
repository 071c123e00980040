"""Addresses with checked indices, tables, and the places and classes of pieces."""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import OUT_OF_BOUNDS
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, select
from interpreter.wasm.lower import const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, FoundPiece, InLocal, Interval, Lazy, Value

# ---- addresses


def index(fx: FunctionContext, term: ir.Term) -> Interval:
    """Leaves an index on the stack, within its bounds."""
    span = fx.num(term.index)
    return within(fx, span, term.lo, term.hi)


def within(fx: FunctionContext, span: Interval, lo: int, hi: int) -> Interval:
    """The number on the stack stays there if it is within bounds."""
    if lo <= span[0] and span[1] <= hi:
        return span
    b = fx.b
    with b.temporaries(I32) as (i,):
        number = i.tee(STACK)
        with b.if_((number - lo if lo else number).gt_u(hi - lo)):
            fx.fault(OUT_OF_BOUNDS, InLocal(i, WIDE), lo, hi)
        b.push(i)
    return (max(lo, span[0]), min(hi, span[1]))


def offset(fx: FunctionContext, address: ir.Address, scale: int, base: Operand | None) -> int:
    """Adds the moving part of an address to `base`, or leaves it; returns the fixed part."""
    fixed, b = address.base * scale, fx.b
    started = base is not None
    if base is not None:
        b.push(base)
    for term in address.terms:
        known = const_eval.constant(fx, term.index)
        if known is not None and term.lo <= known <= term.hi:
            fixed += (known - term.lo) * term.stride * scale
            continue
        index(fx, term)
        moving = STACK * (term.stride * scale) if term.stride * scale != 1 else STACK
        b.push(STACK + moving if started else moving)
        started = True
        fixed -= term.lo * term.stride * scale
    if not started:
        b.push(0)
    if fixed < 0:
        b.push(STACK + fixed)
        fixed = 0
    return fixed


def address(fx: FunctionContext, address: ir.Address, reads: bool = True) -> int:
    """Leaves an address on the stack; returns what a load has to add to it.

    Where the state lies is part of that if it is known, and no index can be below zero.
    """
    note_read(fx, address, reads)
    known = fx.b.known_state
    if known is None or any(term.lo < 0 for term in address.terms):
        return offset(fx, address, 4, fx.b.state)
    return known + offset(fx, address, 4, None)


def note_read(fx: FunctionContext, address: ir.Address, reads: bool = True) -> None:
    """What follows may read a word; if that may be left out, it is kept."""
    words = words_in_sets(fx, address) if reads else None
    if words is not None:
        fx.b.read_words(words.name)


def words_in_sets(fx: FunctionContext, address: ir.Address) -> ir.VarLayout | None:
    """The pointer or mark of a word that may be left out, as sets say the same."""
    words = fx.builder.words_of(address.base) if fx.builder.in_sets else None
    return words if words is not None and words.name in fx.builder.in_sets else None


def spot(fx: FunctionContext, address: ir.Address) -> Interval:
    fixed = offset(fx, address, 1, None)
    if fixed:
        fx.b.push(STACK + fixed)
    last = address.base + sum((t.hi - t.lo) * t.stride for t in address.terms)
    return (address.base, last)


def load_span(fx: FunctionContext, address: ir.Address) -> Interval:
    words = fx.builder.words_of(address.base)
    if words is None:
        return WIDE
    lo, hi = min(r[0] for r in words.ranges), max(r[1] for r in words.ranges)
    return (NONE, hi) if words.kind == "pointer" else (lo, hi)


# ---- tables


def pick(fx: FunctionContext, table: tuple[int, ...], index: ir.Expr, lo: int) -> Interval:
    b = fx.b
    span = fx.num(index)
    span = within(fx, span, lo, lo + len(table) - 1)
    first, last = max(span[0], lo) - lo, min(span[1], lo + len(table) - 1) - lo
    part = table[first : last + 1] or table
    least, most = min(part), max(part)
    if least == most:
        b.drop()
        b.push(least)
    elif most - least == len(part) - 1 and part == tuple(range(least, most + 1)):
        if least - lo - first:
            b.push(STACK + (least - lo - first))
    else:
        b.push(STACK.entry_of(fx.builder.same_table(table), lo))
    return (least, most)


# ---- pieces


def of_piece(fx: FunctionContext, piece: ir.Expr, found: Callable[[Interval], Interval]) -> Interval:
    """Something of a piece; none of none. `found` continues with the piece on the stack and its interval."""
    b = fx.b
    x = fx.num(piece)
    if x[0] >= 0:
        return found(x)
    with b.temporaries(I32) as (p,), b.if_(p.tee(STACK).eq(NONE), I32):
        b.push(NONE)
        b.otherwise()
        b.push(p)
        span = found((0, max(x[1], 0)))
    return (NONE, span[1])


def class_of(fx: FunctionContext, classes: int) -> Interval:
    if classes == 1:
        fx.b.drop()
        fx.b.push(0)
    else:
        fx.b.push(STACK.rem_u(classes))
    return (0, classes - 1)


def place_index(fx: FunctionContext, classes: int, table: tuple[int, ...], piece: Interval) -> Interval:
    if classes > 1:
        fx.b.push(STACK.div_u(classes))
    lo, hi = within(fx, (piece[0] // classes, piece[1] // classes), 0, len(table) - 1)
    fx.b.push(STACK.entry_of(fx.builder.table(table)))
    return span_of(table, lo, hi)


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


def index_of(fx: FunctionContext, found: FoundPiece, table: tuple[int, ...]) -> Interval:
    fx.b.push((found.place.operand + found.first).entry_of(fx.builder.same_table(table)))
    lo, hi = (found.first + end for end in found.place.span)
    return span_of(table, lo, hi)


def span_of(table: tuple[int, ...], lo: int, hi: int) -> Interval:
    """The interval of the entries of a table from one index to another, or of all if none is between them."""
    part = table[max(lo, 0) : hi + 1] or table
    return (min(part), max(part))


def place_word(fx: FunctionContext, place: int) -> Operand:
    """The first word of a known place."""
    return fx.word(fx.mc.places[place].base)


def piece_at(fx: FunctionContext, place: ir.Expr, classes: int) -> Interval:
    b = fx.b
    known = const_eval.constant(fx, place)
    if known is not None and known in fx.builder.solid:
        b.push(place_word(fx, known) + (known * classes - 1))
        return (known * classes, known * classes + classes - 1)
    with b.temporaries(I32, I32) as (p, c):
        if known is not None:
            b.assign(c, place_word(fx, known))
            b.push(known * classes - 1)
        else:
            span = fx.evaluate(p, place)
            b.assign(c, place_address(fx, InLocal(p, span)).load())
            b.push(p * classes - 1)
        b.push(select(STACK + c, NONE, c))
    return (NONE, len(fx.mc.places) * classes)


def piece_on_top(fx: FunctionContext, place: ir.Expr, classes: int) -> Interval:
    """The piece on top of an ordered place: the word as many words behind the first as that one says."""
    b = fx.b
    with b.temporaries(I32, I32, I32) as (p, at, length):
        span = fx.evaluate(p, place)
        b.assign(at, place_address(fx, InLocal(p, span)))
        b.assign(length, at.load())
        b.assign(at, (at + (length << 2)).load())
        b.push(select(p * classes - 1 + at, NONE, length))
    return (NONE, len(fx.mc.places) * classes)


def place_address(fx: FunctionContext, place: Value) -> Operand:
    """The address of the first word of a place."""
    places, state, number = fx.mc.places, fx.b.state, place.operand
    if isinstance(place, Constant):
        return state + 4 * places[place.value].base
    first, last = place.span
    if 0 <= first <= last < len(places):
        stride = place_stride(fx, first, last)
        if stride is not None:
            return state + (number * (4 * stride) + 4 * (places[first].base - first * stride))
    return state + ((number * fx.builder.place_row).load(fx.builder.places) << 2)


def are_slots(fx: FunctionContext, first: int, last: int) -> bool:
    """Whether each of some places has room for one piece and where it lies is reckoned.

    All of them share a bit board, or none has any.
    """
    places = fx.mc.places
    if not 0 <= first <= last < len(places) or place_stride(fx, first, last) is None:
        return False
    if any(place.kind != ir.SLOT for place in places[first : last + 1]):
        return False
    return len({id(fx.builder.board_of_place(i)) for i in range(first, last + 1)}) == 1


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

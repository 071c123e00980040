"""Words and places that lie side by side, one for each value of a register, and bit boards of them."""

from __future__ import annotations

from dataclasses import replace

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.emit.bit_boards import FEWEST, MOST, Board
from interpreter.wasm.lower import addresses
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Range


def is_column(fx: FunctionContext, e: ir.Load, reg: int, r: Range) -> bool:
    """Whether a load reads one word after the other as the register goes through an interval."""
    moving = [t for t in e.address.terms if fx.reads(t.index, reg)]
    return (
        not fx.builder.config.events
        and len(moving) == 1
        and moving[0].index == ir.Reg(reg)
        and moving[0].stride == 1
        and moving[0].lo <= r.lo
        and r.lo + r.size - 1 <= moving[0].hi
    )


def board_of(fx: FunctionContext, e: ir.Load, reg: int, r: Range) -> Board | None:
    """The bit board of which a load with the register as index is one value."""
    words = fx.builder.words_of(e.address.base)
    board = fx.builder.boards.get(words.name) if words is not None else None
    if board is None or (board.lo, board.size) != (r.lo, r.size):
        return None
    last = 1 if board.rows == 1 or board.words.at is None else board.words.at_size
    moving = [t for t in e.address.terms if fx.reads(t.index, reg)]
    if len(moving) != 1 or moving[0].index != ir.Reg(reg) or moving[0].lo != board.lo:
        return None
    stride = 1 if board.words.at is not None else board.words.at_size
    if moving[0].stride != stride or last < 1:
        return None
    rest = [t for t in e.address.terms if t is not moving[0]]
    return board if len(rest) <= 1 else None


def word_of_piece(fx: FunctionContext, e: ir.Expr) -> ir.Load | None:
    """The word that says what lies on a place of size 1: 0 for nothing, else 1 more than the class."""
    match e:
        case ir.PieceAt(place=ir.Spot(address=ir.Address(base=first, terms=terms)), top=False):
            last = first + sum((t.hi - t.lo) * t.stride for t in terms)
            if fx.builder.config.events or last >= len(fx.mc.places) or first == last:
                return None
            apart = addresses.place_stride(fx, first, last)
            if apart is None or any(_may_be_kept(fx, x) for x in fx.mc.places[first : last + 1]):
                return None
            terms = tuple(replace(t, stride=t.stride * apart) for t in terms)
            return ir.Load(ir.Address(fx.mc.places[first].base, terms))
    return None


def _may_be_kept(fx: FunctionContext, place: ir.Place) -> bool:
    """Whether a place has more words than one, or that may be in a local, as dice that lie alone are."""
    return place.kind != ir.SLOT or fx.mc.place_components[place.zone] == place.zone


def occupied(fx: FunctionContext, e: ir.Expr, reg: int, r: Range) -> int | None:
    """The first of the places of one word side by side, if it is asked which of them hold a piece, or do not.

    Such a set takes longer than to ask some places, so that it is found only where a loop keeps it.
    """
    if not isinstance(e, ir.Op) or e.op not in ("==", "!=") or e.right != ir.Const(NONE):
        return None
    match e.left:
        case ir.PieceAt(place=ir.Spot(address=ir.Address(base=base, terms=(term,))), top=False):
            inside = term.lo <= r.lo and r.lo + r.size - 1 <= term.hi
            if fx.builder.config.events or term.index != ir.Reg(reg) or term.stride != 1 or not inside:
                return None
            first = base + r.lo - term.lo
            last = first + r.size - 1
            if fx.mc.places[first].kind == ir.SLOT and addresses.place_stride(fx, first, last) == 1:
                return first
    return None


def occupied_range(fx: FunctionContext, source: ir.Prefix) -> Range | None:
    """The interval of the places that a beginning of a ray asks for a piece."""
    match source.where:
        case ir.Op(left=ir.PieceAt(place=ir.Spot(address=ir.Address(terms=(term,))))):
            r = Range(term.lo, term.hi - term.lo + 1)
            small = FEWEST <= r.size <= MOST
            return r if small and occupied(fx, source.where, source.reg, r) is not None else None
    return None

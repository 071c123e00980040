"""Words and places that lie side by side, one for each value of a register, and bit boards of them."""

from __future__ import annotations

from dataclasses import replace

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.emit.bit_boards import Board
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


def of_word(fx: FunctionContext, e: ir.Op) -> ir.Op:
    """A comparison of what lies on a place of size 1 with something known, as one of the word there."""
    piece = e.left.piece if isinstance(e.left, ir.ClassOf) else e.left
    if not isinstance(e.right, ir.Const) or (word := word_of_piece(fx, piece)) is None:
        return e
    if e.right.value == NONE:
        return replace(e, left=word, right=ir.Const(0))
    return replace(e, left=word, right=ir.Const(e.right.value + 1)) if piece is not e.left else e


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

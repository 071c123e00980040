"""Whether a place is linked to one of a set in memory: rows of words that have a bit in common."""

from __future__ import annotations

from functools import reduce
from operator import or_

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK
from interpreter.wasm.lower import addresses, bitset_conditions, columns, const_eval
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Range


def push_meets(fx: FunctionContext, source: ir.Source, reg: int, where: ir.Expr | None, r: Range) -> bool:
    """Leaves whether a condition holds for a linked place, if it is a bit board that says so; or false."""
    row = _row_in_memory(fx, where, reg, r)
    if row is None or not isinstance(source, ir.Linked):
        return False
    if not fx.builder.links(source.links).within(r.lo, r.size):
        return False
    _push_common(fx, source, row, r)
    return True


def _row_in_memory(fx: FunctionContext, e: ir.Expr | None, reg: int, r: Range) -> int | None:
    """Where a condition is a set of a bit board in memory: the byte behind the state at which it stands."""
    if not isinstance(e, ir.Op) or e.op != "==" or not isinstance(e.left, ir.Load):
        return None
    board, value = columns.board_of(fx, e.left, reg, r), const_eval.constant(fx, e.right)
    address = e.left.address
    if board is None or value is None or board.words.kind == "mark" or board.words.name in fx.kept_boards:
        return None
    if len(address.terms) != 1 or not (value == NONE or board.low <= value < board.low + board.values - 1):
        return None
    row = (address.base - board.words.base) // board.size
    return board.first + row * board.row_bytes + board.index(value) * 8 * board.wide


def _push_common(fx: FunctionContext, source: ir.Linked, row: int, r: Range) -> None:
    """Leaves whether a row of links has a place in common with a set so many bytes behind the state."""
    b, table = fx.b, bitset_conditions.table_of_links(fx, source.links, r)
    held = const_eval.operand(fx, source.index)
    with b.temporaries(I32) as (at,):
        fx.put(held)
        addresses.within(fx, held.span, source.lo, source.lo + len(source.links) - 1)
        b.assign(at, (STACK - source.lo) * (8 * r.words))
        pairs = r.words // 2
        parts = [at.load_vector(table + 16 * i) & b.state.load_vector(row + 16 * i) for i in range(pairs)]
        if parts:
            b.push(reduce(or_, parts).any_true())
        if r.words % 2:
            rest = 16 * pairs
            b.push((at.load64(table + rest) & b.state.load64(row + rest)).ne(0))
            if parts:
                b.push(STACK | STACK)
    fx.drop(held)

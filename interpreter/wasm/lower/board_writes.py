"""Bit boards follow writes: an index leaves the set of its old value and comes into that of the new one."""

from __future__ import annotations

from interpreter.wasm.emit.bit_boards import Board
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import bitset_loads
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Constant, Value


def change_on_board(fx: FunctionContext, board: Board, number: Operand, old: Value, new: Value) -> None:
    """What has a number among the words of a bit board has another value."""
    b = fx.b
    if board.words.name in fx.kept_boards:
        _on_kept_board(fx, board, number, old, new)
        return
    with b.temporaries(I32, I32, I64) as (index, sets, bit):
        b.assign(index, number)
        bitset_loads.put_row(fx, board, index)
        b.assign(sets, STACK)
        b.assign(bit, const(1, I64) << index.widened())
        if board.words.kind == "mark":
            changing = select(bit, const(0, I64), old.operand.ne(new.operand))
            fx.note_change(sets, board.first)
            b.write(sets, sets.load64(board.first) ^ changing, board.first, "i64.store")
        else:
            _turn_bit(fx, board, sets, bit, old)
            _turn_bit(fx, board, sets, bit, new)


def _on_kept_board(fx: FunctionContext, board: Board, number: Operand, old: Value, new: Value) -> None:
    b, sets = fx.b, fx.kept_boards[board.words.name]
    with b.temporaries(I64) as (bit,):
        b.assign(bit, const(1, I64) << number.widened())
        if board.words.kind == "mark":
            b.assign(sets[0], sets[0] ^ select(bit, const(0, I64), old.operand.ne(new.operand)))
            return
        for value in (old, new):
            numbers = bitset_loads.board_indices(board, value.span)
            if len(numbers) == 1:
                b.assign(sets[numbers[0]], sets[numbers[0]] ^ bit)
                continue
            index = bitset_loads.board_index(board, value)
            for each in numbers:
                turned = select(bit, const(0, I64), index.eq(each))
                b.assign(sets[each], sets[each] ^ turned)


def _turn_bit(fx: FunctionContext, board: Board, sets: Variable, bit: Variable, value: Value) -> None:
    b = fx.b
    if isinstance(value, Constant):
        at = board.first + board.index(value.value) * (8 * board.wide)
        fx.note_change(sets, at)
        b.write(sets, sets.load64(at) ^ bit, at, "i64.store")
        return
    with b.temporaries(I32) as (of,):
        b.assign(of, sets + bitset_loads.board_index(board, value) * (8 * board.wide))
        fx.note_change(of, board.first)
        b.write(of, of.load64(board.first) ^ bit, board.first, "i64.store")

"""The same value written to the words of a whole set: bit boards at once, and the words that change."""

from __future__ import annotations

from functools import partial

from interpreter import ir
from interpreter.wasm.emit.bit_boards import MOST_CLASS_VALUES, Board
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, Variable, select
from interpreter.wasm.lower import (
    addresses,
    bitset_loads,
    bitset_select,
    bitsets,
    board_writes,
    chosen_sets,
    columns,
    const_eval,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Range, Value
from interpreter.wasm.sets.tables import PLACE

VALUE = PLACE + 2
"""The register of what is written, which nothing else binds."""


def set_words(fx: FunctionContext, node: ir.SetWords) -> None:
    """Writes a value to the words of those values of a collection that have another one."""
    board, load = fx.builder.boards[node.name], ir.Load(node.address)
    r = Range(board.lo, board.size)
    assert columns.board_of(fx, load, node.reg, r) is board
    bits = _chosen(fx, node, r)
    with fx.b.if_(bitsets.is_any(bits)):
        value = const_eval.operand(fx, node.value)
        with fx.reg(VALUE, value):
            same = bitset_loads.load_set(fx, load, ir.Reg(VALUE), node.reg, r)
        bitsets.minus(fx, bits, same)
        bitsets.free_bits(fx, same)
        with fx.b.if_(bitsets.is_any(bits)):
            many = board.values > MOST_CLASS_VALUES
            if not many:
                _write_board(fx, node, board, bits, value)
            with fx.where_words(node.name):
                bitsets.each_bit(fx, bits, r, partial(_write_word, fx, node, value, board if many else None))
        fx.drop(value)
    bitsets.free_bits(fx, bits)


def _chosen(fx: FunctionContext, node: ir.SetWords, r: Range) -> Bits:
    """The set of the values of the collection, as it is before anything is written."""
    whole = node.where is None and bitset_select.set_of(fx, node.source, r)
    found = r if whole else bitset_select.worthwhile(fx, node.source, node.reg, node.where)
    chosen = partial(chosen_sets.chosen_bits, fx, node.source, node.reg, node.where, r)
    if found == r and not fx.comes_to_faults(chosen):
        return chosen()
    bits = bitsets.new_bits(fx, r)
    bitsets.set_bits(fx, bits, 0)

    def add(value: Value, _: Value) -> None:
        bitsets.add_bit(fx, bits, value, r)

    source = node.source if node.where is None else ir.Filtered(node.reg, node.source, node.where)
    fx.each_in_order(source, add, 30)
    return bits


def _write_word(
    fx: FunctionContext, node: ir.SetWords, value: Value, board: Board | None, index: InLocal
) -> None:
    """Writes to one word, and to the sets of a board if that has too many to be changed all at once."""
    b = fx.b
    with fx.reg(node.reg, index), b.temporaries(I32, I32) as (at, old):
        offset = addresses.address(fx, node.address, reads=False)
        b.assign(at, STACK)
        if board is not None:
            b.assign(old, at.load(offset))
        fx.note_change(at, offset)
        b.write(at, value.operand, offset)
        if board is not None:
            number = at - b.state + (offset - 4 * board.words.base) >> 2
            board_writes.change_on_board(fx, board, number, InLocal(old, board.words.ranges[0]), value)


def _write_board(fx: FunctionContext, node: ir.SetWords, board: Board, bits: Bits, value: Value) -> None:
    """Places, none of which has the value, leave the sets of all others and come into that of this one."""
    kept = fx.kept_boards.get(node.name)
    if kept is not None:
        [word] = bits
        for number, places in enumerate(kept):
            fx.b.assign(places, _changed(board, number, value, places, word))
        return
    with fx.b.temporaries(I32) as (at,):
        offset = _row(fx, node, board, at)
        for number in range(board.values):
            for i, word in enumerate(bits):
                place = offset + 8 * (number * board.wide + i)
                changed = _changed(board, number, value, at.load64(place), word)
                fx.note_change(at, place)
                fx.b.write(at, changed, place, "i64.store")


def _changed(board: Board, number: int, value: Value, places: Operand, bits: Operand) -> Operand:
    """The set with a number, once some places that have not had the value have it."""
    if board.words.kind == "mark":
        return places ^ bits
    with_them, without = places | bits, (places | bits) ^ bits
    if isinstance(value, Constant):
        return with_them if board.index(value.value) == number else without
    return select(with_them, without, bitset_loads.board_index(board, value).eq(number))


def _row(fx: FunctionContext, node: ir.SetWords, board: Board, at: Variable) -> int:
    """The address of the sets of the row that is written goes to a local; the rest is an offset."""
    b, fixed = fx.b, board.first
    rest = [term for term in node.address.terms if term.index != ir.Reg(node.reg)]
    if not rest:
        fixed += (node.address.base - board.words.base) // board.size * board.row_bytes
    b.push(b.state)
    for term in rest:
        addresses.index(fx, term)
        b.push(STACK + (STACK - term.lo) * board.row_bytes)
    b.assign(at, STACK)
    return fixed

"""Functions on sets of bits in memory: how many, which one, and bit boards made anew."""

from __future__ import annotations

from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower import bitset_loads, loops
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.values import WIDE, InLocal, Known


def write_board(builder: ModuleBuilder, name: str) -> None:
    """(s): the sets of a pointer or mark are made anew from its words."""
    board = builder.boards[name.removeprefix("board ")]
    b = builder.body(name, (I32,), ())
    fx = function_context(builder, b)
    fx.zero(0, board.first, board.bytes // 4)
    for row in range(board.rows):
        with loops.counting(fx, Known(0), Known(board.size - 1)) as i, b.borrowed(I32, I32) as (value, at):
            b.get(0)
            b.get(i.local)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.load(4 * (board.words.base + row * board.size))
            b.set(value)
            b.get(0)
            if board.words.kind == "pointer":
                bitset_loads.board_index(fx, board, InLocal(value, WIDE))
                b.i32(8 * board.wide)
                b.op("i32.mul", "i32.add")
            b.get(i.local)
            b.i32(6)
            b.op("i32.shr_u")
            b.i32(3)
            b.op("i32.shl", "i32.add")
            b.tee(at)
            b.get(at)
            b.mem("i64.load", board.first + row * board.row_bytes)
            b.i64(1)
            b.get(i.local)
            b.op("i64.extend_i32_u", "i64.shl")
            if board.words.kind == "mark":
                b.i64(0)
                b.get(value)
                b.op("select")
            b.op("i64.or")
            b.mem("i64.store", board.first + row * board.row_bytes)


def write_words(builder: ModuleBuilder, name: str) -> None:
    """`popcount` (at, words): bits that are set. `select` (at, k): the number of the k-th of them."""
    b = builder.body(name, (I32, I32))
    total, n = b.local(), b.local()
    word = b.local(I64)
    start = b.local()
    b.get(0)
    b.set(start)
    with b.forever() as out:
        if name == "popcount":
            b.get(1)
            b.op("i32.eqz")
            b.br_if(out)
        b.get(0)
        b.mem("i64.load")
        b.tee(word)
        b.op("i64.popcnt", "i32.wrap_i64")
        b.set(n)
        if name == "popcount":
            b.get(total)
            b.get(n)
            b.op("i32.add")
            b.set(total)
            b.get(1)
            b.i32(1)
            b.op("i32.sub")
            b.set(1)
        else:
            b.get(1)
            b.get(n)
            b.op("i32.lt_s")
            b.br_if(out)
            b.get(1)
            b.get(n)
            b.op("i32.sub")
            b.set(1)
        b.bump(0, 8)
    if name == "popcount":
        b.get(total)
        return
    _the_one(b, start, word)


def _the_one(b: Body, start: int, word: int) -> None:
    """Leaves the number of the k-th bit, which lies in the word that was read last."""
    with b.forever() as done:
        b.get(1)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(word)
        b.get(word)
        b.i64(1)
        b.op("i64.sub", "i64.and")
        b.set(word)
        b.get(1)
        b.i32(1)
        b.op("i32.sub")
        b.set(1)
    b.get(0)
    b.get(start)
    b.op("i32.sub")
    b.i32(3)
    b.op("i32.shl")
    b.get(word)
    b.op("i64.ctz", "i32.wrap_i64", "i32.add")

"""Random choices for many matches, by their masks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from interpreter.wasm.batches.rows import Block
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
from interpreter.wasm.lower import playout
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.option_codec import row_bytes


def write_sample(builder: ModuleBuilder, most: int) -> None:
    """(): for every match that waits one of its actions, each with equal chance."""
    b = builder.body("sample", (), (I32,), export=True)
    fx, block = function_context(builder, b), Block(builder, b)
    i, at, total, k = (b.local() for _ in range(4))
    word, rng, kept = b.local(I64), GLOBAL["rng"], builder.map["batch"] + 8
    b.i32(0)
    b.mem("i64.load", kept)
    b.gset(rng)
    with b.forever() as out:
        b.get(i)
        block.field("number")
        b.op("i32.ge_s")
        b.br_if(out)
        b.i32(0)
        b.set(total)
        block.row("masks", i, row_bytes(most))
        b.set(at)
        if row_bytes(most) <= 64:
            _ones(b, at, 0, total)
            for offset in range(8, row_bytes(most), 8):
                _ones(b, at, offset, total)
        else:
            with _words(b, at, row_bytes(most)):
                _ones(b, at, 0, total)
            block.row("masks", i, row_bytes(most))
            b.set(at)
        playout.pick_number(fx, total, 0, k)
        block.row("choices", i, 8)
        b.get(total)
        b.when(I32)
        _kth(block, i, at, (k, word), most)
        b.otherwise()
        b.i32(0)
        b.end()
        b.op("i64.extend_i32_u")
        b.mem("i64.store")
        b.bump(i, 1)
    b.i32(0)
    b.gget(rng)
    b.mem("i64.store", kept)
    b.i32(0)


@contextmanager
def _words(b: Body, at: int, size: int) -> Iterator[None]:
    """A loop over the 64-bit words of a row whose address is in a local, which goes on with them."""
    with b.borrowed(I32) as (end,):
        b.get(at)
        b.i32(size)
        b.op("i32.add")
        b.set(end)
        again = b.loop()
        yield
        b.get(at)
        b.i32(8)
        b.op("i32.add")
        b.tee(at)
        b.get(end)
        b.op("i32.lt_u")
        b.br_if(again)
        b.end()


def _ones(b: Body, at: int, offset: int, total: int) -> None:
    b.get(at)
    b.mem("i64.load", offset)
    b.op("i64.popcnt", "i32.wrap_i64")
    b.get(total)
    b.op("i32.add")
    b.set(total)


def _kth(block: Block, i: int, at: int, locals_: tuple[int, int], most: int) -> None:
    """Leaves the number of the k-th byte that is set in a mask; there is one."""
    b = block.b
    k, word = locals_
    with b.borrowed(I32) as (here,), b.forever() as out:
        b.get(at)
        b.mem("i64.load")
        b.tee(word)
        b.op("i64.popcnt", "i32.wrap_i64")
        b.tee(here)
        b.get(k)
        b.op("i32.gt_s")
        b.br_if(out)
        b.get(k)
        b.get(here)
        b.op("i32.sub")
        b.set(k)
        b.bump(at, 8)
    # each byte becomes the number of those set up to it; its high bit says whether that is more than k
    b.get(word)
    b.i64(0x0101010101010101)
    b.op("i64.mul")
    b.i32(127)
    b.get(k)
    b.op("i32.sub", "i64.extend_i32_u")
    b.i64(0x0101010101010101)
    b.op("i64.mul", "i64.add")
    b.i64(-0x7F7F7F7F7F7F7F80)
    b.op("i64.and")
    b.op("i64.ctz", "i32.wrap_i64")
    b.i32(3)
    b.op("i32.shr_u")
    b.get(at)
    b.op("i32.add")
    block.row("masks", i, row_bytes(most))
    b.op("i32.sub")

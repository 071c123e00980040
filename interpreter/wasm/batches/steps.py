"""Many matches side by side in linear memory: the functions that step all of them."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.batches.matches import (
    write_apply,
    write_begin_match,
    write_clone,
    write_finish,
    write_look,
    write_settle,
)
from interpreter.wasm.batches.observe import Observed, write_observe
from interpreter.wasm.batches.options import (
    write_clear,
    write_fill,
    write_mask,
    write_observe_as,
    write_spread,
)
from interpreter.wasm.batches.rows import BROKEN, ENDED, FAULTED, FIELDS, FINISHED, REFUSED, Block
from interpreter.wasm.batches.sampling import write_sample
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower.playout_cfg import Ports
from interpreter.wasm.option_codec import numbering, row_bytes
from interpreter.wasm.runtime.playouts import write_begin


def write_batches(builder: ModuleBuilder, seen: Observed | None, stepped: Ports | None) -> None:
    """Functions that are called from outside: to begin, look, copy, observe and step."""
    mc = builder.machine
    builder.map["batch"] = builder.reserve(4 * len(FIELDS))
    rows = [
        numbering(mc, builder.layouts[i])
        for i, n in enumerate(mc.nodes)
        if isinstance(n, ir.Decide | ir.Offer)
    ]
    most = max((r.total for r in rows), default=1)
    builder.map["actions"] = most
    write_begin(builder)
    if seen is not None:
        write_observe(builder, seen)
        write_observe_as(builder, seen)
    write_spread(builder)
    for row in rows:
        write_mask(builder, row, most)
    write_fill(builder, rows, most, seen)
    write_clear(builder, most, seen)
    write_apply(builder, rows, stepped)
    write_finish(builder)
    write_settle(builder)
    write_begin_match(builder)
    write_look(builder)
    write_clone(builder, most, seen)
    _write_step(builder, most)
    _write_step_one(builder, most)
    _write_begin_one(builder)
    write_sample(builder, most)


def _is_offered(block: Block, i: int, action: int, most: int) -> None:
    """Leaves whether the 64-bit number in a local is an action of a match that waits."""
    b = block.b
    b.get(action)
    b.i64(most)
    b.op("i64.ge_u")
    b.when(I32)
    b.i32(0)
    b.otherwise()
    block.row("masks", i, row_bytes(most))
    b.get(action)
    b.op("i32.wrap_i64", "i32.add")
    b.mem("i32.load8_u")
    b.end()


def _write_step(builder: ModuleBuilder, most: int) -> None:
    """(): a choice is made in every match that waits; -1, or the first match whose choice is not offered."""
    b = builder.body("step", (), (I32,), export=True)
    block = Block(builder, b)
    i, action = b.local(), b.local(I64)
    for checking in (True, False):
        b.i32(0)
        b.set(i)
        with b.forever() as out:
            b.get(i)
            block.field("number")
            b.op("i32.ge_s")
            b.br_if(out)
            block.row("choices", i, 8)
            b.mem("i64.load")
            b.set(action)
            block.row("codes", i, 4)
            b.load()
            if checking:
                b.op("i32.eqz")
                b.when()
                _is_offered(block, i, action, most)
                b.op("i32.eqz")
                b.when()
                b.get(i)
                b.op("return")
                b.end()
                b.end()
            else:
                _advanced(builder, block, i, action)
            b.bump(i, 1)
    b.i32(-1)


def _advanced(builder: ModuleBuilder, block: Block, i: int, action: int) -> None:
    """A match whose code is on the stack goes on, or begins anew if it is over and shall."""
    b = block.b
    with b.borrowed(I32, I32) as (code, s):
        b.tee(code)
        b.op("i32.eqz")
        b.when()
        block.row("over", i, 1)
        b.i32(0)
        b.mem("i32.store8")
        block.state(i)
        b.tee(s)
        b.get(i)
        b.get(s)
        b.get(i)
        b.get(action)
        b.op("i32.wrap_i64")
        b.call(builder.function("apply"))
        b.i32(1)
        b.i32(1)
        b.call(builder.function("settle"))
        b.op("drop")
        b.otherwise()
        b.get(code)
        b.i32(FINISHED)
        b.op("i32.eq")
        block.field("automatic")
        b.op("i32.and")
        b.when()
        block.row("over", i, 1)
        b.i32(0)
        b.mem("i32.store8")
        block.state(i)
        b.get(i)
        b.call(builder.function("renew"))
        b.op("drop")
        b.end()
        b.end()


def _write_step_one(builder: ModuleBuilder, most: int) -> None:
    """(action): a choice in the first match; the seat that decides next, inverted, or why none does."""
    b = builder.body("step_one", (I32,), (I32,), export=True)
    block = Block(builder, b)
    i, s, action = b.local(), b.local(), b.local(I64)
    b.get(0)
    b.op("i64.extend_i32_u")
    b.set(action)
    _is_offered(block, i, action, most)
    b.op("i32.eqz")
    b.ret_if(REFUSED)
    b.i32(0)
    b.set(i)
    block.field("states")
    b.tee(s)
    b.get(i)
    b.get(s)
    b.get(i)
    b.get(0)
    b.call(builder.function("apply"))
    b.i32(1)
    b.i32(1)
    b.call(builder.function("settle"))
    _gone_on(block, 0)


def _write_begin_one(builder: ModuleBuilder) -> None:
    """(low, high): the first match begins under a seed; like `step_one`."""
    b = builder.body("begin_one", (I32, I32), (I32,), export=True)
    block = Block(builder, b)
    i = b.local()
    for local, offset in ((0, 0), (1, 4)):
        block.field("seeds")
        b.get(local)
        b.store(offset)
    b.get(i)
    b.call(builder.function("begin_match"))
    _gone_on(block, 0)


def _gone_on(block: Block, code: int) -> None:
    """Leaves what a step of one match gives; its code is on the stack and goes to a local."""
    b = block.b
    b.tee(code)
    b.op("i32.eqz")
    b.when(I32)
    b.i32(-1)
    block.field("seats")
    b.load()
    b.op("i32.xor")
    b.otherwise()
    b.i32(BROKEN)
    b.i32(ENDED)
    b.get(code)
    b.i32(FAULTED)
    b.op("i32.eq", "select")
    b.end()

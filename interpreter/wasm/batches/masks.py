"""Masks: the bits of a decision's menu as a row of bytes, by the numbers of actions."""

from __future__ import annotations

from interpreter.wasm.actions import Numbering
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder


def _byte_of_bits(b: Body) -> None:
    """Eight bits on the stack become eight bytes of 0 or 1, the lowest first."""
    b.i64(0x0101010101010101)
    b.op("i64.mul")
    b.i64(0x8040201008040201)
    b.op("i64.and")
    b.i64(0x7F7F7F7F7F7F7F7F)
    b.op("i64.add")
    b.i64(7)
    b.op("i64.shr_u")
    b.i64(0x0101010101010101)
    b.op("i64.and")


def write_spread(builder: ModuleBuilder) -> None:
    """(from, bytes, to): bits to bytes, eight at a time."""
    b = builder.body("spread", (I32, I32, I32), ())
    end = b.local()
    b.get(0)
    b.get(1)
    b.op("i32.add")
    b.set(end)
    with b.forever() as out:
        b.get(0)
        b.get(end)
        b.op("i32.ge_u")
        b.br_if(out)
        b.get(2)
        b.get(0)
        b.mem("i32.load8_u")
        b.op("i64.extend_i32_u")
        _byte_of_bits(b)
        b.mem("i64.store")
        for local, by in ((0, 1), (2, 8)):
            b.bump(local, by)


def write_mask(builder: ModuleBuilder, row: Numbering, most: int) -> None:
    """(to): the bits of a decision's menu go to a row of bytes. What stands behind a part is overwritten."""
    b = builder.body(f"mask {row.node}", (I32,), ())
    done = 0
    for part, start, size in zip(builder.layouts[row.node].parts, row.starts, row.sizes, strict=True):
        if not size:
            continue
        at = builder.mask_address + 8 * part.first
        done = start + (size + 7) // 8 * 8
        if size > 64:
            b.i32(at)
            b.i32((size + 7) // 8)
            b.get(0)
            b.i32(start)
            b.op("i32.add")
            b.call(builder.function("spread"))
            continue
        for k in range((size + 7) // 8):
            b.get(0)
            b.i32(0)
            b.mem("i32.load8_u", at + k)
            b.op("i64.extend_i32_u")
            _byte_of_bits(b)
            b.mem("i64.store", start + 8 * k)
    if row.passing is not None:
        b.get(0)
        b.i64(1)
        b.mem("i64.store", row.passing)
        done = row.passing + 8
    _wipe(b, 0, done, most)


def _wipe(b: Body, to: int, first: int, last: int) -> None:
    """Zeros from one byte to another behind the address in a local, and up to seven bytes more."""
    if last - first > 256:
        b.get(to)
        b.i32(first)
        b.op("i32.add")
        b.i32(0)
        b.i32(last - first)
        b.fill()
        return
    for offset in range(first, last, 8):
        b.get(to)
        b.i64(0)
        b.mem("i64.store", offset)

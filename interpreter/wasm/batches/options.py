"""Masks: the bits of a decision's options as a row of bytes, by the numbers of actions."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, STOP
from interpreter.wasm.batches.observe import Observed
from interpreter.wasm.batches.rows import Block
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.lower import addresses
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.option_codec import Numbering, row_bytes


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
    """(to): the bits of a decision go to a row of bytes. What stands behind a part is overwritten."""
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


def each_decision(b: Body, rows: list[Numbering], index: int) -> list[Label]:
    """Opens a block for each decision and leads to the one whose place in the list is in a local."""
    labels = [b.block() for _ in rows][::-1]
    if labels:
        b.get(index)
        b.br_table(labels, labels[-1])
    return labels


def places_of(builder: ModuleBuilder, rows: list[Numbering]) -> int:
    """The table from nodes to the places of decisions in the list."""
    place = {row.node: i for i, row in enumerate(rows)}
    return builder.table(place.get(i, 0) for i in range(len(builder.machine.nodes)))


def write_fill(builder: ModuleBuilder, rows: list[Numbering], most: int, seen: Observed | None) -> None:
    """(s, i, fresh): the decision that waits, its mask and what its seat sees; STOP, or FAULT.

    `fresh`: the options of the last decision are still in the buffer.
    """
    mc = builder.machine
    b = builder.body("fill", (I32,) * 3, (I32,))
    block = Block(builder, b)
    node, branch, seat, row, k = (b.local() for _ in range(5))
    b.get(0)
    b.load(4 * ir.PC)
    b.set(node)
    if mc.branches:
        b.get(0)
        b.load(4 * ir.FORKED)
        b.when()
        b.i32(0)
        b.set(2)
        _first_waiting(builder, b, branch, node)
        b.end()
    block.row("branches", 1, 4)
    b.get(branch)
    b.store()
    block.row("nodes", 1, 4)
    b.get(node)
    b.store()
    _find_menu(builder, b, branch)
    _show_options(builder, b, rows, most, (node, branch, row, k))
    b.tee(seat)
    b.i32(0)
    b.op("i32.lt_s")
    b.ret_if(FAULT)
    block.row("seats", 1, 4)
    b.get(seat)
    b.store()
    if seen is not None:
        block.field("observing")
        b.when()
        b.get(0)
        b.get(seat)
        block.row("observations", 1, 4 * seen.size)
        b.call(builder.function("observe"))
        b.end()
    b.i32(STOP)


def _show_options(
    builder: ModuleBuilder, b: Body, rows: list[Numbering], most: int, at: tuple[int, int, int, int]
) -> None:
    """The mask of a decision goes to its row; leaves the seat that decides, or FAULT."""
    mc, block, fx = builder.machine, Block(builder, b), function_context(builder, b)
    node, branch, row, k = at
    block.row("masks", 1, row_bytes(most))
    b.set(row)
    b.get(node)
    addresses.look_up(fx, places_of(builder, rows))
    b.set(k)
    out = b.block(I32)
    each_decision(b, rows, k)
    for each in rows:
        b.end()
        b.get(row)
        b.call(builder.function(f"mask {each.node}"))
        b.get(0)
        if mc.branches:
            b.get(branch)
            b.i32(0)
            b.call(builder.function("seat_at", (I32, I32, I32)))
        else:
            b.i32(0)
            b.call(builder.function(f"seat {each.node}", (I32, I32)))
        b.br(out)
    b.op("unreachable")
    b.end()


def _find_menu(builder: ModuleBuilder, b: Body, branch: int) -> None:
    """The options go to the buffer unless they are there."""
    b.get(2)
    b.op("i32.eqz")
    b.when()
    b.get(0)
    b.get(branch)
    b.i32(builder.mask_address)
    b.call(builder.function("menu", (I32, I32, I32)))
    b.i32(0)
    b.op("i32.lt_s")
    b.ret_if(FAULT)
    b.end()


def _first_waiting(builder: ModuleBuilder, b: Body, branch: int, node: int) -> None:
    mc = builder.machine
    found = b.block()
    for seat in range(mc.seats):
        base = mc.branch(seat)
        b.i32(seat)
        b.set(branch)
        b.get(0)
        b.load(4 * base)
        b.set(node)
        b.get(0)
        b.load(4 * (base + 2))
        b.i32(ir.WAITING)
        b.op("i32.eq")
        b.br_if(found)
    b.end()


def write_clear(builder: ModuleBuilder, most: int, seen: Observed | None) -> None:
    """(i): nothing waits in a match."""
    b = builder.body("clear_row", (I32,), ())
    block = Block(builder, b)
    for name in ("nodes", "seats"):
        block.row(name, 0, 4)
        b.i32(-1)
        b.store()
    rows = [("masks", row_bytes(most)), *([("observations", 4 * seen.size)] if seen is not None else [])]
    for name, size in rows:
        block.row(name, 0, size)
        b.i32(0)
        b.i32(size)
        b.fill()


def write_observe_as(builder: ModuleBuilder, seen: Observed) -> None:
    """(i, seat): what any seat sees of a match, in the row behind those of the matches."""
    b = builder.body("observe_as", (I32, I32), (I32,), export=True)
    block = Block(builder, b)
    behind = b.local()
    block.field("number")
    b.set(behind)
    block.state(0)
    b.get(1)
    block.row("observations", behind, 4 * seen.size)
    b.call(builder.function("observe"))
    b.i32(0)

"""The masks of a batch: the bits of a decision's options as a row of bytes, by the numbers of actions."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import ir
from interpreter.wasm.abi import FAULT, STOP
from interpreter.wasm.batches.rows import EACH_BYTE, BatchRows
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.option_codec import Numbering
from interpreter.wasm.runtime.runs import branch_word


def _bytes_of_bits(bits: Operand) -> Operand:
    """Eight bits as eight bytes of 0 or 1, the lowest first."""
    spread = bits.widened() * EACH_BYTE & 0x8040201008040201
    return spread + 0x7F7F7F7F7F7F7F7F >> 7 & EACH_BYTE


def write_spread(builder: ModuleBuilder) -> None:
    """spread(from, bytes, to): bits to bytes, eight at a time."""
    b = builder.body("spread", (I32, I32, I32), ())
    source, size, to = b.arguments()
    end = b.local()
    b.assign(end, source + size)
    with b.until(source.ge_u(end)):
        b.write(to, _bytes_of_bits(source.load8()), 0, "i64.store")
        b.assign(source, source + 1)
        b.assign(to, to + 8)


def write_mask(rows: BatchRows, row: Numbering) -> None:
    """mask(to): the bits of a decision go to a row of bytes. What stands behind a part is overwritten."""
    builder = rows.builder
    b = builder.body(f"mask {row.node}", (I32,), ())
    (to,) = b.arguments()
    done = 0
    for part, start, size in zip(builder.layouts[row.node].parts, row.starts, row.sizes, strict=True):
        if not size:
            continue
        at = builder.mask_address + 8 * part.first
        done = start + (size + 7) // 8 * 8
        if size > 64:
            b.push(builder.call("spread", const(at), (size + 7) // 8, to + start, results=()))
            continue
        for k in range((size + 7) // 8):
            b.write(to, _bytes_of_bits(const(0).load8(at + k)), start + 8 * k, "i64.store")
    if row.passing is not None:
        b.write(to, 1, row.passing, "i64.store")
        done = row.passing + 8
    _clear_bytes(b, to, done, rows.actions)


def _clear_bytes(b: Body, to: Variable, first: int, last: int) -> None:
    """Zeros from one byte to another behind an address, and up to seven bytes more."""
    if last - first > 256:
        b.fill(to + first, 0, last - first)
        return
    for offset in range(first, last, 8):
        b.write(to, 0, offset, "i64.store")


def each_decision(b: Body, rows: BatchRows, index: Variable) -> Iterator[Numbering]:
    """A switch on the index of a decision: what is emitted for a numbering is its case.

    A case must end with a branch; the switch ends with the last one.
    """
    labels = [b.block() for _ in rows.decisions][::-1]
    if labels:
        b.push(index)
        b.br_table(labels, labels[-1])
    for numbering in rows.decisions:
        b.end()
        yield numbering


def index_of_decision(rows: BatchRows, node: Operand) -> Operand:
    """The index of a node in the list of decisions."""
    place = {row.node: i for i, row in enumerate(rows.decisions)}
    return node.entry_of(rows.builder.table(place.get(i, 0) for i in range(len(rows.builder.machine.nodes))))


def write_fill(rows: BatchRows) -> None:
    """fill(s, i, fresh): writes the decision that waits, its mask and what its seat sees; STOP, or FAULT.

    `fresh`: the options of the last decision are still in the buffer.
    """
    builder, mc = rows.builder, rows.builder.machine
    b = builder.body("fill", (I32,) * 3, (I32,))
    s, i, fresh = b.arguments()
    node, branch, seat, row, k = b.variables(*(I32,) * 5)
    b.assign(node, s.load(4 * ir.PC))
    if mc.branches:
        with b.if_(s.load(4 * ir.FORKED)):
            b.assign(fresh, 0)
            first_waiting(rows, b, branch, node)
    b.write(rows.row("branches", i), branch)
    b.write(rows.row("nodes", i), node)
    with b.if_(fresh.eqz()):
        b.ret_if(FAULT, builder.call("menu", s, branch, builder.mask_address).lt_s(0))
    b.assign(row, rows.row("masks", i))
    b.assign(k, index_of_decision(rows, node))
    _show_options(rows, b, row, branch, k)
    b.ret_if(FAULT, seat.tee(STACK).lt_s(0))
    b.write(rows.row("seats", i), seat)
    if rows.seen is not None:
        with b.if_(rows.field("observing")):
            b.push(builder.call("observe", s, seat, rows.row("observations", i), results=()))
    b.push(STOP)


def _show_options(rows: BatchRows, b: Body, row: Variable, branch: Variable, k: Variable) -> None:
    """Writes the mask of a decision to its row; leaves the seat that decides, or FAULT."""
    builder = rows.builder
    out = b.block(I32)
    for each in each_decision(b, rows, k):
        b.push(builder.call(f"mask {each.node}", row, results=()))
        if builder.machine.branches:
            b.push(builder.call("seat_at", b.state, branch, 0))
        else:
            b.push(builder.call(f"seat {each.node}", b.state, 0))
        b.br(out)
    b.unreachable()
    b.end()


def first_waiting(rows: BatchRows, b: Body, branch: Variable, node: Variable) -> None:
    """The first seat whose branch waits, and its decision; one seat may come before all others."""
    mc, s = rows.builder.machine, b.state
    found = b.block()
    b.assign(branch, rows.field("first"))
    with b.temporaries(I32) as (at,):
        b.assign(at, s + branch * (4 * ir.BRANCH))
        b.assign(node, at.load(4 * (mc.branches + ir.BRANCH_PC)))
        b.br_if(found, at.load(4 * (mc.branches + ir.BRANCH_STATUS)).eq(ir.WAITING))
    for seat in range(mc.seats):
        b.assign(branch, seat)
        b.assign(node, branch_word(mc, s, seat, ir.BRANCH_PC))
        b.br_if(found, branch_word(mc, s, seat, ir.BRANCH_STATUS).eq(ir.WAITING))
    b.end()


def write_clear(rows: BatchRows) -> None:
    """clear_row(i): nothing waits in a match."""
    b = rows.builder.body("clear_row", (I32,), ())
    (i,) = b.arguments()
    for name in ("nodes", "seats"):
        b.write(rows.row(name, i), -1)
    for name in ("masks", "observations"):
        if name in rows.sizes:
            b.fill(rows.row(name, i), 0, rows.sizes[name])


def write_observe_as(rows: BatchRows) -> None:
    """observe_as(i, seat): what any seat sees of a match, in the row behind those of the matches."""
    b = rows.builder.body("observe_as", (I32, I32), (I32,), export=True)
    i, seat = b.arguments()
    behind = b.local()
    b.assign(behind, rows.field("number"))
    row = rows.row("observations", behind)
    b.push(rows.builder.call("observe", rows.state(i), seat, row, results=()))
    b.push(0)

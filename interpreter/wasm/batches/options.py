"""The masks of a batch: the bits of a decision's options as a row of bytes, by the numbers of actions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import add

from dsl.domains import IntType
from interpreter import ir
from interpreter.wasm.batches.rows import EACH_BYTE, BatchRows
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32, I64, V128
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, vector_const
from interpreter.wasm.option_codec import Numbering
from interpreter.wasm.option_layout import OptionPart
from interpreter.wasm.runtime.runs import branch_word

EACH_BIT, ONES = vector_const(0x08040201, 0x80402010), vector_const(0x01010101)
"""Vectors of bytes: eight bits one after the other, twice, and the number 1."""
MOST_UNROLLED = 256
"""Bits that become bytes without a loop."""
MOST_COUNTED = 4
"""Words of a mask that are counted without a loop."""
FEW = 3
"""So few numbers are choices like any others."""


def _bytes_of_bits(bits: Operand) -> Operand:
    """Eight bits as eight bytes of 0 or 1, the lowest first."""
    spread = bits.widened() * EACH_BYTE & 0x8040201008040201
    return spread + 0x7F7F7F7F7F7F7F7F >> 7 & EACH_BYTE


def _spread(b: Body, source: Operand, at: int, to: Operand, start: int, size: int) -> None:
    """Bits that lie `at` bytes behind an address go to bytes, `start` behind another: 32 at a time.

    Up to three bytes are read behind the bits, and up to seven written behind their bytes.
    """
    with b.temporaries(V128) as (word,):
        for k in range(0, size - 8, 16):
            if k % 32 == 0:
                b.assign(word, source.load(at + k // 8).splat())
            first = k % 32 // 8
            picked = word.bytes(word, *([first] * 8), *([first + 1] * 8))
            b.write_vector(to, (picked & EACH_BIT).equal_bytes(EACH_BIT) & ONES, start + k)
    if 0 < size % 16 <= 8:
        last = size // 16 * 16
        b.write(to, _bytes_of_bits(source.load8(at + last // 8)), start + last, "i64.store")


def write_spread(builder: ModuleBuilder) -> None:
    """spread(from, words, to): bits of words of 64 bits to bytes."""
    b = builder.body("spread", (I32, I32, I32), ())
    source, words, to = b.arguments()
    with b.until(words.eqz()):
        _spread(b, source, 0, to, 0, 64)
        b.assign(words, words - 1)
        b.assign(source, source + 8)
        b.assign(to, to + 64)


def write_count_bits(builder: ModuleBuilder) -> None:
    """count_bits(from, bytes): how many bits are set in some words of 64 bits."""
    b = builder.body("count_bits", (I32, I32), (I32,))
    source, size = b.arguments()
    end, total = b.variables(I32, I32)
    b.assign(end, source + size)
    with b.until(source.ge_u(end)):
        b.assign(total, source.load64().popcnt().wrapped() + total)
        b.assign(source, source + 8)
    b.push(total)


def _count(builder: ModuleBuilder, at: int, words: int) -> Operand:
    """How many bits are set in some words of 64 bits at an address."""
    if words > MOST_COUNTED:
        return builder.call("count_bits", const(at), const(8 * words))
    return reduce(add, (const(0).load64(at + 8 * k).popcnt() for k in range(words))).wrapped()


def _write_mask(rows: BatchRows, b: Body, row: Numbering, to: Variable) -> Operand:
    """The bits of a decision in the buffer go to a row of bytes; how many are set.

    What stands behind a part is overwritten.
    """
    builder = rows.builder
    done, total = 0, const(int(row.passing is not None))
    for part, start, size in zip(builder.layouts[row.node].parts, row.starts, row.sizes, strict=True):
        if not size:
            continue
        at = builder.mask_address + 8 * part.first
        done = start + (size + 7) // 8 * 8
        total += _count(builder, at, (size + 63) // 64)
        whole = size // 64 if size > MOST_UNROLLED else 0
        if whole:
            b.push(builder.call("spread", const(at), whole, to + start, results=()))
        _spread(b, const(0), at + 8 * whole, to, start + 64 * whole, size - 64 * whole)
    if row.passing is not None:
        b.write(to, 1, row.passing, "i64.store")
        done = row.passing + 8
    _clear_bytes(b, to, done, rows.actions)
    return total


def _clear_bytes(b: Body, to: Variable, first: int, last: int) -> None:
    """Zeros from one byte to another behind an address, and up to seven bytes more."""
    if last - first > 256:
        b.fill(to + first, 0, last - first)
        return
    for offset in range(first, last, 8):
        b.write(to, 0, offset, "i64.store")


def each_decision(b: Body, rows: BatchRows, node: Operand) -> Iterator[Numbering]:
    """A switch on the node of a decision: what is emitted for a numbering is its case.

    A case must end with a branch; the switch ends with the last one.
    """
    if len(rows.decisions) == 1:
        yield rows.decisions[0]
        return
    labels = [b.block() for _ in rows.decisions][::-1]
    if labels:
        b.push(index_of_decision(rows, node))
        b.br_table(labels, labels[-1])
    for numbering in rows.decisions:
        b.end()
        yield numbering


def index_of_decision(rows: BatchRows, node: Operand) -> Operand:
    """The index of a node in the list of decisions."""
    place = {row.node: i for i, row in enumerate(rows.decisions)}
    return node.entry_of(rows.builder.table(place.get(i, 0) for i in range(len(rows.builder.machine.nodes))))


def show_decision(rows: BatchRows, b: Body, i: Variable, fresh: Operand, bad: Label) -> None:
    """Writes the decision that waits, its mask and what its seat sees; leads to `bad` at a fault.

    `fresh`: the options of the last decision are still in the buffer.
    """
    builder, s = rows.builder, b.state
    with b.temporaries(I32, I32, I32, I32) as (node, branch, seat, asked):
        b.assign(node, s.load(4 * ir.PC))
        b.assign(branch, 0)
        b.assign(asked, fresh.eqz())
        if builder.machine.branches:
            with b.if_(s.load(4 * ir.FORKED)):
                b.assign(asked, 1)
                first_waiting(rows, b, branch, node)
        b.write(rows.row("branches", i), branch)
        b.write(rows.row("nodes", i), node)
        with b.if_(asked):
            b.br_if(bad, builder.call("menu", s, branch, builder.mask_address).lt_s(0))
        _show_options(rows, b, i, node, branch)
        b.br_if(bad, seat.tee(STACK).lt_s(0))
        b.write(rows.row("seats", i), seat)
        if rows.seen is not None:
            with b.if_(rows.field("observing")):
                b.push(builder.call("observe", s, seat, rows.seen_row("observations", i), results=()))


def _show_options(rows: BatchRows, b: Body, i: Variable, node: Variable, branch: Variable) -> None:
    """Writes the mask of a decision and its total to their rows; leaves the seat that decides, or FAULT."""
    builder = rows.builder
    with b.temporaries(I32) as (to,):
        b.assign(to, rows.row("masks", i))
        out = b.block(I32)
        for each in each_decision(b, rows, node):
            b.write(rows.row("totals", i), _write_mask(rows, b, each, to))
            if builder.machine.branches:
                b.push(builder.call("seat_at", b.state, branch, 0))
            else:
                b.push(builder.call(f"seat {each.node}", b.state, 0))
            b.br(out)
        b.unreachable()
        b.end()


def has_numbers(mc: ir.Machine, part: OptionPart) -> bool:
    """Whether a thing to do chooses one of many numbers."""
    node = mc.decision(part.node)
    if isinstance(node, ir.Decide):
        kinds = [node.type]
    else:
        kinds = [mc.node(e.choice, ir.Decide).type for e in part.entries if e.choice is not None]
    return part.size > FEW and bool(kinds) and all(isinstance(kind, IntType) for kind in kinds)


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
    b.write(rows.row("totals", i), 0)
    b.fill(rows.row("masks", i), 0, rows.sizes["masks"])
    if rows.seen is not None:
        b.fill(rows.seen_row("observations", i), 0, rows.seen_bytes)


def write_observe_as(rows: BatchRows) -> None:
    """observe_as(i, seat): what any seat sees of a match, in the row behind those of the matches."""
    b = rows.builder.body("observe_as", (I32, I32), (I32,), export=True)
    i, seat = b.arguments()
    behind = b.local()
    b.assign(behind, rows.field("number"))
    row = rows.seen_row("observations", behind)
    b.push(rows.builder.call("observe", rows.state(i), seat, row, results=()))
    b.push(0)


def write_renumber(rows: BatchRows) -> None:
    """renumber(tables, to, size): the masks under other numbers, in rows of so many bytes.

    `tables` is the address of a table with two words for each node. If its actions follow each other there as
    well, these are the new number of the first and how many there are; else the address of their new numbers,
    and 0. Up to seven zeros are written behind the last row.
    """
    b = rows.builder.body("renumber", (I32, I32, I32), (I32,), export=True)
    tables, to, size = b.arguments()
    i, entry, at, end, number = b.variables(*(I32,) * 5)
    word = b.local(I64)
    b.fill(to, 0, size * rows.field("number"))
    with b.until(i.eq(rows.field("number"))):
        b.assign(at, rows.row("masks", i))
        b.assign(entry, tables + (rows.row("nodes", i).load() << 3))
        b.assign(number, entry.load())
        with b.if_(entry.load(4)):
            b.assign(end, at + entry.load(4))
            b.assign(number, number + to)
            with b.until(at.ge_u(end)):
                b.write(number, at.load64(), 0, "i64.store")
                b.assign(number, number + 8)
                b.assign(at, at + 8)
            b.otherwise()
            b.assign(end, at + rows.sizes["masks"])
            with b.until(at.eq(end)):
                b.assign(word, at.load64())
                with b.until(word.eqz()):
                    place = (number + (word.ctz() >> 1).wrapped()).load()
                    b.write(to + place, 1, 0, "i32.store8")
                    b.assign(word, word & word - 1)
                b.assign(number, number + 32)
                b.assign(at, at + 8)
        b.assign(to, to + size)
        b.assign(i, i + 1)
    b.push(0)

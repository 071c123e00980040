"""What a match of a batch shows: its decision, mask, seat and observation."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.actions import Numbering, row_bytes
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.codes import FAULT, STOP
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.lower import addresses
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.parts.batches.observe import Observed
from interpreter.wasm.parts.batches.rows import Block


def each_decision(b: Body, rows: list[Numbering], index: int) -> list[Label]:
    """Opens a block for each decision and leads to the one whose place in the list is in a local."""
    labels = [b.block() for _ in rows][::-1]
    if labels:
        b.get(index)
        b.br_table(labels, labels[-1])
    return labels


def places_of(plan: Plan, rows: list[Numbering]) -> int:
    """The table from nodes to the places of decisions in the list."""
    place = {row.node: i for i, row in enumerate(rows)}
    return plan.table(place.get(i, 0) for i in range(len(plan.machine.nodes)))


def write_fill(plan: Plan, rows: list[Numbering], most: int, seen: Observed | None) -> None:
    """(s, i, fresh): the decision that waits, its mask and what its seat sees; STOP, or FAULT.

    `fresh`: the menu of the last decision is still in the buffer.
    """
    mc = plan.machine
    b = plan.body("fill", (I32,) * 3, (I32,))
    block = Block(plan, b)
    node, branch, seat, row, k = (b.local() for _ in range(5))
    b.get(0)
    b.load(4 * m.PC)
    b.set(node)
    if mc.branches:
        b.get(0)
        b.load(4 * m.FORKED)
        b.when()
        b.i32(0)
        b.set(2)
        _first_waiting(plan, b, branch, node)
        b.end()
    block.row("branches", 1, 4)
    b.get(branch)
    b.store()
    block.row("nodes", 1, 4)
    b.get(node)
    b.store()
    _find_menu(plan, b, branch)
    _show_options(plan, b, rows, most, (node, branch, row, k))
    b.tee(seat)
    b.i32(0)
    b.op("i32.lt_s")
    b.give_if(FAULT)
    block.row("seats", 1, 4)
    b.get(seat)
    b.store()
    if seen is not None:
        block.field("observing")
        b.when()
        b.get(0)
        b.get(seat)
        block.row("observations", 1, 4 * seen.size)
        b.call(plan.function("observe"))
        b.end()
    b.i32(STOP)


def _show_options(
    plan: Plan, b: Body, rows: list[Numbering], most: int, at: tuple[int, int, int, int]
) -> None:
    """The mask of a decision goes to its row; leaves the seat that decides, or FAULT."""
    mc, block, fx = plan.machine, Block(plan, b), function_context(plan, b)
    node, branch, row, k = at
    block.row("masks", 1, row_bytes(most))
    b.set(row)
    b.get(node)
    addresses.look_up(fx, places_of(plan, rows))
    b.set(k)
    out = b.block(I32)
    each_decision(b, rows, k)
    for each in rows:
        b.end()
        b.get(row)
        b.call(plan.function(f"mask {each.node}"))
        b.get(0)
        if mc.branches:
            b.get(branch)
            b.i32(0)
            b.call(plan.function("seat_at", (I32, I32, I32)))
        else:
            b.i32(0)
            b.call(plan.function(f"seat {each.node}", (I32, I32)))
        b.br(out)
    b.op("unreachable")
    b.end()


def _find_menu(plan: Plan, b: Body, branch: int) -> None:
    """The menu goes to the buffer unless it is there."""
    b.get(2)
    b.op("i32.eqz")
    b.when()
    b.get(0)
    b.get(branch)
    b.i32(plan.menu_address)
    b.call(plan.function("menu", (I32, I32, I32)))
    b.i32(0)
    b.op("i32.lt_s")
    b.give_if(FAULT)
    b.end()


def _first_waiting(plan: Plan, b: Body, branch: int, node: int) -> None:
    mc = plan.machine
    found = b.block()
    for seat in range(mc.seats):
        base = mc.branch(seat)
        b.i32(seat)
        b.set(branch)
        b.get(0)
        b.load(4 * base)
        b.set(node)
        b.get(0)
        b.load(4 * (base + m.BRANCH_STATUS))
        b.i32(m.WAITING)
        b.op("i32.eq")
        b.br_if(found)
    b.end()


def write_clear(plan: Plan, most: int, seen: Observed | None) -> None:
    """(i): nothing waits in a match."""
    b = plan.body("clear_row", (I32,), ())
    block = Block(plan, b)
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


def write_observe_as(plan: Plan, seen: Observed) -> None:
    """(i, seat): what any seat sees of a match, in the row behind those of the matches."""
    b = plan.body("observe_as", (I32, I32), (I32,), export=True)
    block = Block(plan, b)
    behind = b.local()
    block.field("number")
    b.set(behind)
    block.state(0)
    b.get(1)
    block.row("observations", behind, 4 * seen.size)
    b.call(plan.function("observe"))
    b.i32(0)

"""Nodes of loops: bounds of rounds, collections that are kept for a loop, and iteration over them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from interpreter import ir
from interpreter.wasm.abi import TOO_MANY_ROUNDS
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Variable, const, select
from interpreter.wasm.lower import arithmetic, bitset_select, const_eval, loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value


def bound_rounds(fx: FunctionContext, node: ir.Bound) -> None:
    """Counts a round; too many are a fault."""
    b = fx.b
    with b.temporaries(I32, I32) as (rounds, most):
        fx.set_slot(node.slot, rounds.tee(fx.frames.word(node.slot) + 1))
        b.push(rounds)
        fx.num(node.most)
        with b.if_(STACK.gt_s(most.tee(STACK))):
            fx.fault(TOO_MANY_ROUNDS, InLocal(most, WIDE))


def snapshot(fx: FunctionContext, node: ir.Snapshot) -> None:
    """Keeps the values of a collection in words of the frame: their number, then the values."""
    if node.keys or (node.rotate is not None and not _is_in_turn(fx, node)):
        _ordered_snapshot(fx, node)
        return
    b = fx.b
    each = _collect if node.rotate is None else _collect_in_turn
    with b.temporaries(I32, I32) as (k, p):
        b.assign(k, 0)
        b.assign(p, fx.frames.row(node.slot) + 4)

        def keep(value: Value) -> None:
            with b.if_(k.ge_s(node.capacity)):
                fx.fault(TOO_MANY_ROUNDS, node.capacity)
            b.write(p, value.operand)
            b.assign(p, p + 4)
            b.assign(k, k + 1)

        each(fx, node, keep)
        b.write(fx.frames.row(node.slot), k)


def _is_in_turn(fx: FunctionContext, node: ir.Snapshot) -> bool:
    """Whether the values are seats that can be visited in turn, so that they need not be put in order."""
    seats = fx.mc.seats

    def ask() -> None:
        assert node.where is not None
        with fx.b.temporaries(I32) as (seat,), fx.reg(node.reg, InLocal(seat, (0, seats - 1))):
            fx.num(node.where)
            fx.b.drop()

    if isinstance(node.source, ir.Values):
        if node.source.values != tuple(range(seats)):
            return False
    elif not isinstance(node.source, ir.Others):
        return False
    return node.where is None or not fx.comes_to_faults(ask)


def _collect_in_turn(fx: FunctionContext, node: ir.Snapshot, keep: Callable[[Value], None]) -> None:
    """Emits `keep` for each seat, from one on and around the table."""
    b, seats = fx.b, fx.mc.seats
    assert node.rotate is not None
    start = const_eval.operand(fx, node.rotate)
    others = const_eval.operand(fx, node.source.me) if isinstance(node.source, ir.Others) else None
    with b.temporaries(I32) as (seat,):
        b.assign(seat, start.operand)
        if not (start.span[0] >= 0 and start.span[1] < seats):
            # the distance from the start to the first seat, as it is for none too
            b.assign(seat, (const(seats) - seat).rem_u(seats))
            b.assign(seat, select(const(seats) - seat, seat, seat))
        value = InLocal(seat, (0, seats - 1))
        with loops.counting(fx, Constant(0), Constant(seats - 1)):
            b.push(1 if others is None else seat.ne(others.operand))
            if node.where is not None:
                with b.if_(STACK, I32), fx.reg(node.reg, value):
                    arithmetic.truth(fx, node.where)
                    b.otherwise()
                    b.push(0)
            with b.if_(STACK):
                keep(value)
            b.assign(seat, seat + 1)
            b.assign(seat, select(seat, 0, seat.ne(seats)))
    fx.drop(start)
    if others is not None:
        fx.drop(others)


def _collect(fx: FunctionContext, node: ir.Snapshot, keep: Callable[[Value], None]) -> None:
    """Emits `keep` for each value, as often as it stands in the collection."""
    b = fx.b
    if node.where is not None and bitset_select.worthwhile(fx, node.source, node.reg, node.where) is not None:

        def visit_chosen(value: Value, _: Value) -> None:
            with fx.reg(node.reg, value):
                keep(value)

        fx.each_in_order(ir.Filtered(node.reg, node.source, node.where), visit_chosen, 30)
        return

    def visit(value: Value, n: Value) -> None:
        with fx.reg(node.reg, value):
            if node.where is not None:
                fx.num(node.where)
            with b.if_(STACK) if node.where is not None else nullcontext():
                if isinstance(n, Constant):
                    for _ in range(n.value):
                        keep(value)
                else:
                    with loops.counting(fx, Constant(1), n):
                        keep(value)

    fx.each_in_order(node.source, visit, 30)


def _ordered_snapshot(fx: FunctionContext, node: ir.Snapshot) -> None:
    """Sorts records of keys and value in the scratch; the values are kept."""
    b, top = fx.b, global_("top")
    keys = len(node.keys) + (node.rotate is not None)
    size = 4 * keys + 4
    start = const_eval.operand(fx, node.rotate) if node.rotate is not None else Constant(0)
    with b.temporaries(I32, I32, I32) as (first, p, to):
        b.assign(first, top)

        def keep(value: Value) -> None:
            for i, key in enumerate(node.keys):
                b.push(top)
                fx.num(key)
                b.write(STACK, STACK, 4 * i)
            if node.rotate is not None:
                distance = (value.operand - start.operand + fx.mc.seats).rem_u(fx.mc.seats)
                b.write(top, distance, 4 * keys - 4)
            b.write(top, value.operand, 4 * keys)
            b.assign(top, top + size)

        _collect(fx, node, keep)
        b.push(fx.builder.call("sort", first, top, size, results=()))
        with b.if_((top - first).gt_s(size * node.capacity)):
            fx.fault(TOO_MANY_ROUNDS, node.capacity)
        _keep_records(fx, node, size, first, p, to)
        b.assign(top, first)
    fx.drop(start)


def _keep_records(
    fx: FunctionContext, node: ir.Snapshot, size: int, first: Variable, p: Variable, to: Variable
) -> None:
    """The values of the records, which are their last words, become the collection that is kept."""
    b, top = fx.b, global_("top")
    b.write(to.tee(fx.frames.row(node.slot)), (top - first).div_u(size))
    b.assign(p, first)
    with b.until(p.ge_u(top)):
        b.write(to, p.load(size - 4), 4)
        b.assign(p, p + size)
        b.assign(to, to + 4)


def iterate(fx: FunctionContext, node: ir.Iterate) -> None:
    """The next value of a kept collection goes to its slot; behind the last one the loop is done."""
    b = fx.b
    with b.temporaries(I32) as (i,):
        position = i.tee(fx.frames.word(node.position))
        with b.if_(position.ge_s(fx.frames.row(node.snapshot).load())):
            fx.set_slot(node.position, 0)
            fx.control.go(node.done)
        fx.set_slot(node.position, i + 1)
        fx.set_slot(node.slot, (fx.frames.row(node.snapshot) + (i << 2)).load(4))
    fx.control.go(node.next)

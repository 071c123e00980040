"""Nodes of loops: bounds of rounds, collections that are kept for a loop, and iteration over them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from interpreter import ir
from interpreter.wasm.abi import TOO_MANY_ROUNDS
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import const_eval, loops
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
    if node.keys or node.rotate is not None:
        _ordered_snapshot(fx, node)
        return
    b = fx.b
    with b.temporaries(I32, I32) as (k, p):
        b.assign(k, 0)
        b.assign(p, fx.frames.row(node.slot) + 4)

        def keep(value: Value) -> None:
            with b.if_(k.ge_s(node.capacity)):
                fx.fault(TOO_MANY_ROUNDS, node.capacity)
            b.write(p, value.operand)
            b.assign(p, p + 4)
            b.assign(k, k + 1)

        _collect(fx, node, keep)
        b.write(fx.frames.row(node.slot), k)


def _collect(fx: FunctionContext, node: ir.Snapshot, keep: Callable[[Value], None]) -> None:
    """Emits `keep` for each value, as often as it stands in the collection."""
    b = fx.b

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

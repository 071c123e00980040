"""Nodes of loops: bounds, collections that are kept to be gone through, and going through them."""

from __future__ import annotations

from collections.abc import Callable

from interpreter import ir
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.faults import TOO_MANY_ROUNDS
from interpreter.wasm.lower import const_eval, loops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Constant, InLocal, Value


def bound_rounds(fx: FunctionContext, node: ir.Bound) -> None:
    b = fx.b
    with b.borrowed(I32, I32) as (rounds, most):
        with fx.frames.slot(node.slot):
            fx.frames.read_slot(node.slot)
            b.i32(1)
            b.op("i32.add")
            b.tee(rounds)
        b.get(rounds)
        fx.num(node.most)
        b.tee(most)
        b.op("i32.gt_s")
        b.when()
        fx.fault(TOO_MANY_ROUNDS, InLocal(most, WIDE))
        b.end()


def snapshot(fx: FunctionContext, node: ir.Snapshot) -> None:
    if node.keys or node.rotate is not None:
        _ordered_snapshot(fx, node)
        return
    b = fx.b
    with b.borrowed(I32, I32) as (k, p):
        b.i32(0)
        b.set(k)
        fx.frames.row(node.slot)
        b.i32(4)
        b.op("i32.add")
        b.set(p)

        def keep(value: Value) -> None:
            b.get(k)
            b.i32(node.capacity)
            b.op("i32.ge_s")
            b.when()
            fx.fault(TOO_MANY_ROUNDS, node.capacity)
            b.end()
            b.get(p)
            fx.put(value)
            b.store()
            for local, by in ((p, 4), (k, 1)):
                b.bump(local, by)

        _collected(fx, node, keep)
        fx.frames.row(node.slot)
        b.get(k)
        b.store()


def _collected(fx: FunctionContext, node: ir.Snapshot, keep: Callable[[Value], None]) -> None:
    """Emits `keep` for each value, as often as it stands in the collection."""
    b = fx.b

    def one(value: Value, n: Value) -> None:
        with fx.reg(node.reg, value):
            if node.where is not None:
                fx.num(node.where)
                b.when()
            if isinstance(n, Constant):
                for _ in range(n.value):
                    keep(value)
            else:
                with loops.counting(fx, Constant(1), n):
                    keep(value)
            if node.where is not None:
                b.end()

    fx.each(node.source, one, 30)


def _ordered_snapshot(fx: FunctionContext, node: ir.Snapshot) -> None:
    """Records of keys and value are put in order in the scratch."""
    b, top = fx.b, GLOBAL["top"]
    keys = len(node.keys) + (node.rotate is not None)
    start = const_eval.operand(fx, node.rotate) if node.rotate is not None else Constant(0)
    with b.borrowed(I32, I32, I32) as (first, p, to):
        b.gget(top)
        b.set(first)

        def keep(value: Value) -> None:
            for i, key in enumerate(node.keys):
                b.gget(top)
                fx.num(key)
                b.store(4 * i)
            if node.rotate is not None:
                b.gget(top)
                fx.put(value)
                fx.put(start)
                b.op("i32.sub")
                b.i32(fx.mc.seats)
                b.op("i32.add")
                b.i32(fx.mc.seats)
                b.op("i32.rem_u")
                b.store(4 * keys - 4)
            b.gget(top)
            fx.put(value)
            b.store(4 * keys)
            fx.global_add("top", 4 * keys + 4)

        _collected(fx, node, keep)
        b.get(first)
        b.gget(top)
        b.i32(4 * keys + 4)
        b.call(fx.builder.function("sort", (I32, I32, I32), ()))
        b.gget(top)
        b.get(first)
        b.op("i32.sub")
        b.i32((4 * keys + 4) * node.capacity)
        b.op("i32.gt_s")
        b.when()
        fx.fault(TOO_MANY_ROUNDS, node.capacity)
        b.end()
        _from_scratch(fx, node, keys, first, (p, to))
        b.get(first)
        b.gset(top)
    fx.drop(start)


def _from_scratch(fx: FunctionContext, node: ir.Snapshot, keys: int, first: int, at: tuple[int, int]) -> None:
    """The values of the records become the collection that is kept."""
    b, top = fx.b, GLOBAL["top"]
    p, to = at
    fx.frames.row(node.slot)
    b.tee(to)
    b.gget(top)
    b.get(first)
    b.op("i32.sub")
    b.i32(4 * keys + 4)
    b.op("i32.div_u")
    b.store()
    b.get(first)
    b.set(p)
    with b.forever() as out:
        b.get(p)
        b.gget(top)
        b.op("i32.ge_u")
        b.br_if(out)
        b.get(to)
        b.get(p)
        b.load(4 * keys)
        b.store(4)
        for local, by in ((p, 4 * keys + 4), (to, 4)):
            b.bump(local, by)


def iterate(fx: FunctionContext, node: ir.Iterate) -> None:
    b = fx.b
    with b.borrowed(I32) as (i,):
        fx.frames.read_slot(node.position)
        b.tee(i)
        fx.frames.row(node.snapshot)
        b.load()
        b.op("i32.ge_s")
        b.when()
        with fx.frames.slot(node.position):
            b.i32(0)
        fx.control.go(node.done)
        b.end()
        with fx.frames.slot(node.position):
            b.get(i)
            b.i32(1)
            b.op("i32.add")
        with fx.frames.slot(node.slot):
            fx.frames.row(node.snapshot)
            b.get(i)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.load(4)
    fx.control.go(node.next)

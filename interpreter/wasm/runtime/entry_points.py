"""Functions by which a choice is made, chance happens, and a waiting decision is looked at."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.faults import TOO_LONG
from interpreter.wasm.lower import addresses, option_layouts, options
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.playout import take_offer
from interpreter.wasm.lower.values import WIDE, Constant, InLocal
from interpreter.wasm.runtime.branches import switch
from interpreter.wasm.runtime.runs import reset_run, store


def write_take(builder: ModuleBuilder, number: int) -> None:
    """(s, part, bit): carries out an option of a decision; the node at which the run goes on."""
    mc = builder.machine
    node = mc.nodes[number]
    b = builder.body(f"take {number}", (I32, I32, I32))
    fx = function_context(builder, b)
    fx.node = number
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        if isinstance(node, ir.Decide):
            part = option_layouts.layout_of(fx, number).parts[0]
            b.get(fx.frame)
            b.get(2)
            b.i32(part.lo)
            b.op("i32.add")
            b.store(4 * node.slot)
            b.ret(node.next)
        else:
            assert isinstance(node, ir.Offer)
            for i in range(len(node.what)):
                b.get(1)
                b.i32(i)
                b.op("i32.eq")
                b.when()
                take_offer(fx, number, node, i, 2, lambda _, __, target: b.ret(target))
                b.end()
            b.op("unreachable")
    b.end()
    options.return_fault(fx)


def write_seat(builder: ModuleBuilder, number: int) -> None:
    """(s, 0): the seat that decides."""
    node = builder.machine.decision(number)
    b = builder.body(f"seat {number}", (I32, I32))
    fx = function_context(builder, b)
    fx.node = number
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        fx.num(node.seat)
        b.op("return")
    b.end()
    options.return_fault(fx)


def _decision_at(builder: ModuleBuilder, b: Body, branch: int, node: int) -> None:
    """The local `node` becomes the decision that waits, in a branch if there are any; its frame runs."""
    mc = builder.machine
    b.get(0)
    b.load(4 * ir.PC)
    b.set(node)
    if not mc.branches:
        return
    b.get(0)
    b.load(4 * ir.FORKED)
    b.when()
    with b.borrowed(I32) as (at,):
        switch(builder, b, branch, at)
        b.get(at)
        b.load()
        b.set(node)
    b.end()


def _back_to_main(builder: ModuleBuilder, b: Body) -> None:
    """Behind a look at a branch no branch runs."""
    if not builder.machine.branches:
        return
    b.get(0)
    b.load(4 * ir.FORKED)
    b.when()
    store(b, ir.RUNNING, 0)
    b.get(0)
    b.get(0)
    b.load(4 * ir.MAIN_FP)
    b.store(4 * ir.FP)
    b.end()


def write_choose(builder: ModuleBuilder, decisions: list[int]) -> None:
    """(s, branch, part, bit): carries out an option, part -1 to pass, and runs to the next stop."""
    mc = builder.machine
    b = builder.body("choose", (I32,) * 4, (I32,), export=True)
    fx = function_context(builder, b)
    node, target = b.local(), b.local()
    reset_run(builder, b)
    bad = b.block()
    _decision_at(builder, b, 1, node)
    with fx.faulting(bad, quiet=False):
        _count_choice(builder, fx, node)
    if mc.branches:
        b.get(0)
        b.load(4 * ir.FORKED)
        b.when()
        b.get(0)
        b.get(1)
        b.i32(12)
        b.op("i32.mul", "i32.add")
        b.i32(ir.READY)
        b.store(4 * mc.branches + 8)
        b.end()
    store(b, ir.PC, 0)
    b.get(2)
    b.i32(0)
    b.op("i32.lt_s")
    b.when(I32)
    b.get(node)
    addresses.look_up(fx, builder.table(_passing(n) for n in mc.nodes))
    b.otherwise()
    for local in (0, 2, 3):
        b.get(local)
    b.get(node)
    addresses.look_up(fx, _numbers(builder, decisions, 1))
    b.call_indirect(builder.signature((I32, I32, I32), (I32,)))
    b.end()
    b.tee(target)
    b.i32(0)
    b.op("i32.lt_s")
    b.when()
    b.get(target)
    b.op("return")
    b.end()
    b.get(0)
    b.get(target)
    b.call(builder.function("advance"))
    b.op("return")
    b.end()
    b.i32(FAULT)


def _passing(node: ir.Step) -> int:
    found = getattr(node, "passing", None)
    return -1 if found is None else found


def _numbers(builder: ModuleBuilder, decisions: list[int], kind: int) -> int:
    """The table from nodes to functions in the table of functions: 0 menus, 1 takings, 2 seats."""
    first = kind * len(decisions)
    place = {n: first + i for i, n in enumerate(decisions)}
    return builder.table(place.get(i, 0) for i in range(len(builder.machine.nodes)))


def _count_choice(builder: ModuleBuilder, fx: FunctionContext, node: int) -> None:
    b = fx.b
    n = b.local()
    b.get(0)
    b.get(0)
    b.load(4 * ir.DECISIONS)
    b.i32(1)
    b.op("i32.add")
    b.tee(n)
    b.store(4 * ir.DECISIONS)
    b.get(n)
    b.i32(builder.machine.longest)
    b.op("i32.gt_s")
    b.when()
    for value in (Constant(TOO_LONG), InLocal(node, WIDE), Constant(0), Constant(0), Constant(0)):
        fx.put(value)
    b.call(builder.function("fault", (I32,) * 5, ()))
    assert fx.fault_label is not None
    b.br(fx.fault_label)
    b.end()
    b.release(n)


def write_options_at(builder: ModuleBuilder) -> None:
    """`menu` (s, branch, buffer): what a waiting decision offers. `seat_at` (s, branch): who decides."""
    decisions = [i for i, n in enumerate(builder.machine.nodes) if isinstance(n, ir.Decide | ir.Offer)]
    for name, kind in (("menu", 0), ("seat_at", 2)):
        b = builder.body(name, (I32, I32, I32), (I32,), export=True)
        fx = function_context(builder, b)
        node, found = b.local(), b.local()
        reset_run(builder, b)
        _decision_at(builder, b, 1, node)
        b.get(0)
        b.get(2)
        b.get(node)
        addresses.look_up(fx, _numbers(builder, decisions, kind))
        b.call_indirect(builder.signature((I32, I32), (I32,)))
        b.set(found)
        _back_to_main(builder, b)
        b.get(found)


def write_happen(builder: ModuleBuilder) -> None:
    """(s, outcome): the world has chosen; runs to the next stop."""
    mc = builder.machine
    b = builder.body("happen", (I32, I32), (I32,), export=True)
    fx = function_context(builder, b)
    node = b.local()
    slots = builder.table(n.slot if isinstance(n, ir.Chance) else 0 for n in mc.nodes)
    following = builder.table(n.next if isinstance(n, ir.Chance) else 0 for n in mc.nodes)
    reset_run(builder, b)
    fx.load_frame()
    b.get(0)
    b.load(4 * ir.PC)
    b.set(node)
    b.get(fx.frame)
    b.get(node)
    addresses.look_up(fx, slots)
    b.i32(2)
    b.op("i32.shl", "i32.add")
    b.get(1)
    b.store()
    store(b, ir.PC, 0)
    b.get(0)
    b.get(node)
    addresses.look_up(fx, following)
    b.call(builder.function("advance", (I32, I32)))

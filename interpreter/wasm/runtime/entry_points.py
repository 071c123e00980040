"""Functions that the host calls: to choose, to decide chance, and to ask what a decision offers."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, TOO_LONG
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import option_layouts
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.value_options import take_offer
from interpreter.wasm.runtime.runs import STRIDE, reset_run, switch


def write_take(builder: ModuleBuilder, number: int) -> None:
    """take(s, part, bit): carries out an option of a decision; the node at which the run continues."""
    node = builder.machine.decision(number)
    b = builder.body(f"take {number}", (I32, I32, I32))
    _, part, bit = b.arguments()
    fx = function_context(builder, b)
    fx.node = number
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        if isinstance(node, ir.Decide):
            lowest = option_layouts.layout_of(fx, number).parts[0].lo
            b.write(fx.frame, bit + lowest, 4 * node.slot)
            b.ret(node.next)
        else:
            for i in range(len(node.what)):
                with b.if_(part.eq(i)):
                    take_offer(fx, number, node, i, bit, lambda _, __, target: b.ret(target))
            b.unreachable()
    b.end()
    b.push(FAULT)


def write_seat(builder: ModuleBuilder, number: int) -> None:
    """seat(s, 0): the seat that decides."""
    node = builder.machine.decision(number)
    b = builder.body(f"seat {number}", (I32, I32))
    fx = function_context(builder, b)
    fx.node = number
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        fx.num(node.seat)
        b.ret()
    b.end()
    b.push(FAULT)


def decision_at(builder: ModuleBuilder, b: Body, branch: Variable, node: Variable) -> None:
    """`node` becomes the decision that waits, in a branch if there are any; its frame becomes current."""
    s = b.state
    b.assign(node, s.load(4 * ir.PC))
    if not builder.machine.branches:
        return
    with b.if_(s.load(4 * ir.FORKED)), b.temporaries(I32) as (at,):
        switch(builder, b, branch, at)
        b.assign(node, at.load())


def back_to_main(builder: ModuleBuilder, b: Body) -> None:
    """After a look at a branch no branch runs."""
    s = b.state
    if not builder.machine.branches:
        return
    with b.if_(s.load(4 * ir.FORKED)):
        b.write(s, 0, 4 * ir.RUNNING)
        b.write(s, s.load(4 * ir.MAIN_FP), 4 * ir.FP)


def write_choose(builder: ModuleBuilder) -> None:
    """choose(s, branch, part, bit): carries out an option, part -1 to pass, and runs to the next stop."""
    mc = builder.machine
    b = builder.body("choose", (I32,) * 4, (I32,), export=True)
    s, branch, part, bit = b.arguments()
    fx = function_context(builder, b)
    node, target = b.variables(I32, I32)
    reset_run(builder, b)
    bad = b.block()
    decision_at(builder, b, branch, node)
    with fx.faulting(bad, quiet=False):
        _count_choice(builder, fx, node)
    if mc.branches:
        with b.if_(s.load(4 * ir.FORKED)):
            b.write(s + branch * STRIDE, ir.READY, 4 * mc.branches + 8)
    b.write(s, 0, 4 * ir.PC)
    with b.if_(part.lt_s(0), I32):
        b.push(node.entry_of(builder.table(_passing(n) for n in mc.nodes)))
        b.otherwise()
        b.push(builder.call_indirect(function_number(builder, node, 1), s, part, bit))
    b.ret_if(target, target.tee(STACK).lt_s(0))
    b.ret(builder.call("advance", s, target))
    b.end()
    b.push(FAULT)


def _passing(node: ir.Step) -> int:
    passing = getattr(node, "passing", None)
    return -1 if passing is None else passing


def function_number(builder: ModuleBuilder, node: Variable, kind: int) -> Operand:
    """The number of a node's function for `call_indirect`, by kind: 0 menus, 1 takings, 2 seats."""
    first = kind * len(builder.decisions)
    place = {n: first + i for i, n in enumerate(builder.decisions)}
    return node.entry_of(builder.table(place.get(i, 0) for i in range(len(builder.machine.nodes))))


def _count_choice(builder: ModuleBuilder, fx: FunctionContext, node: Variable) -> None:
    b, s = fx.b, fx.b.state
    assert fx.fault_label is not None
    with b.temporaries(I32) as (n,):
        b.write(s, n.tee(s.load(4 * ir.DECISIONS) + 1), 4 * ir.DECISIONS)
        with b.if_(n.gt_s(builder.machine.longest)):
            zero = const(0)
            b.push(builder.call("fault", const(TOO_LONG), node, zero, zero, zero, results=()))
            b.br(fx.fault_label)


def write_options_at(builder: ModuleBuilder) -> None:
    """menu(s, branch, buffer): what a waiting decision offers. seat_at(s, branch, 0): who decides."""
    for name, kind in (("menu", 0), ("seat_at", 2)):
        b = builder.body(name, (I32, I32, I32), (I32,), export=True)
        s, branch, buffer = b.arguments()
        node, answer = b.variables(I32, I32)
        reset_run(builder, b)
        decision_at(builder, b, branch, node)
        b.assign(answer, builder.call_indirect(function_number(builder, node, kind), s, buffer))
        back_to_main(builder, b)
        b.push(answer)


def write_happen(builder: ModuleBuilder) -> None:
    """happen(s, outcome): chance has an outcome; runs to the next stop."""
    mc = builder.machine
    b = builder.body("happen", (I32, I32), (I32,), export=True)
    s, outcome = b.arguments()
    fx = function_context(builder, b)
    node = b.local()
    slots = builder.table(n.slot if isinstance(n, ir.Chance) else 0 for n in mc.nodes)
    following = builder.table(n.next if isinstance(n, ir.Chance) else 0 for n in mc.nodes)
    reset_run(builder, b)
    fx.load_frame()
    b.assign(node, s.load(4 * ir.PC))
    b.write(fx.frame + (node.entry_of(slots) << 2), outcome)
    b.write(s, 0, 4 * ir.PC)
    b.push(builder.call("advance", s, node.entry_of(following)))

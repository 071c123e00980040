"""The branches of `together`: which of them runs where a module plays on by itself, and which must run on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import BRANCH_END, FAULT, STOP
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
from interpreter.wasm.lower import addresses, options, playout
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import function_context

STRIDE = 12
"""Bytes from one seat's branch to the next: its node, its frame, its status."""


def switch(builder: ModuleBuilder, b: Body, seat: int, at: int) -> None:
    """The branch of a seat becomes the one that runs; `at` is the address of its node, frame and status."""
    b.get(0)
    b.i32(4 * builder.machine.branches)
    b.op("i32.add")
    b.get(seat)
    b.i32(STRIDE)
    b.op("i32.mul", "i32.add")
    b.set(at)
    b.get(0)
    b.get(seat)
    b.i32(1)
    b.op("i32.add")
    b.store(4 * ir.RUNNING)
    b.get(0)
    b.get(at)
    b.load(4)
    b.store(4 * ir.FP)


@contextmanager
def left_nothing(builder: ModuleBuilder, b: Body, number: int, last: int, code: int) -> Iterator[None]:
    """What is written within is done if a seat waits, has not run last, and is offered nothing any more.

    `code` is above 0, or that of a fault in looking. Whoever has run last and waits has found something.
    """
    b.get(last)
    b.i32(number)
    b.op("i32.ne")
    b.get(0)
    b.load(4 * builder.machine.branches + STRIDE * number + 8)
    b.i32(ir.WAITING)
    b.op("i32.eq", "i32.and")
    b.when()
    b.get(0)
    b.i32(number)
    b.call(builder.function("nothing_left", (I32, I32)))
    b.tee(code)
    b.when()
    yield
    b.end()
    b.end()


def write_branches(builder: ModuleBuilder) -> None:
    """`branches` (s): runs the branches of a fork to their ends; 0, or the code of what ends all before.

    Each runs to its first decision, in the order of the seats. Then any of those that wait makes its decision
    and runs to the next; whom it leaves nothing to choose runs on too. The last one that has not ended has
    nobody to wait for: it does not stop.
    """
    _write_branch(builder)
    _write_look_again(builder)
    b = builder.body("branches", (I32,), (I32,))
    fx = function_context(builder, b)
    others, pausing = GLOBAL["others"], GLOBAL["pausing"]
    code, seat, k = b.local(), b.local(), b.local()
    b.i32(builder.machine.seats - 1)
    b.gset(others)
    b.i32(0)
    b.gset(GLOBAL["changed"])
    for number in range(builder.machine.seats):
        b.gget(others)
        b.gset(pausing)
        b.i32(number)
        b.set(seat)
        _run(builder, b, "branch", seat, code)
    _run(builder, b, "look_again", seat, code)
    with b.forever() as out:
        b.gget(others)
        b.tee(seat)
        b.i32(0)
        b.op("i32.lt_s")
        b.br_if(out)
        playout.pick_number(fx, seat, 1, k)
        _find_waiting(builder, b, seat, k)
        b.i32(0)
        b.gset(pausing)
        _run(builder, b, "branch", seat, code)
        _run(builder, b, "look_again", seat, code)
    b.i32(0)
    b.gset(others)
    b.get(0)
    b.call(builder.function("unfork", (I32,), ()))
    b.i32(0)


def _run(builder: ModuleBuilder, b: Body, name: str, seat: int, code: int) -> None:
    """Calls a function for a seat. What ends all leaves this one."""
    b.get(0)
    b.get(seat)
    b.call(builder.function(name, (I32, I32)))
    b.tee(code)
    b.when()
    b.get(0)
    b.call(builder.function("unfork", (I32,), ()))
    b.get(code)
    b.op("return")
    b.end()


def _find_waiting(builder: ModuleBuilder, b: Body, seat: int, k: int) -> None:
    """`seat` becomes the k-th whose branch waits."""
    found = b.block()
    for number in range(builder.machine.seats):
        b.i32(number)
        b.set(seat)
        b.get(0)
        b.load(4 * builder.machine.branches + STRIDE * number + 8)
        b.i32(ir.WAITING)
        b.op("i32.eq")
        b.when()
        b.get(k)
        b.op("i32.eqz")
        b.br_if(found)
        b.bump(k, -1)
        b.end()
    b.end()


def _write_branch(builder: ModuleBuilder) -> None:
    """`branch` (s, seat): runs a seat's branch to where it stops or ends; 0, or another code."""
    b = builder.body("branch", (I32, I32), (I32,))
    at, code = b.local(), b.local()
    switch(builder, b, 1, at)
    b.get(0)
    b.get(at)
    b.load()
    b.call(builder.function("run", (I32, I32)))
    b.tee(code)
    b.i32(STOP)
    b.op("i32.eq")
    b.when()
    for offset, word in ((0, ir.PC), (4, ir.FP)):
        b.get(at)
        b.get(0)
        b.load(4 * word)
        b.store(offset)
    b.get(at)
    b.i32(ir.WAITING)
    b.store(8)
    b.ret(0)
    b.end()
    b.get(code)
    b.i32(BRANCH_END)
    b.op("i32.eq")
    b.when()
    b.get(at)
    b.i32(ir.DONE)
    b.store(8)
    b.gbump(GLOBAL["others"], -1)
    b.ret(0)
    b.end()
    b.get(code)


def _write_look_again(builder: ModuleBuilder) -> None:
    """`look_again` (s, last): all that wait and have nothing left to choose run on; 0, or another code."""
    others = GLOBAL["others"]
    b = builder.body("look_again", (I32, I32), (I32,))
    code = b.local()
    again = b.loop()
    b.gget(others)
    b.i32(0)
    b.op("i32.gt_s")
    b.gget(GLOBAL["changed"])
    b.op("i32.and")
    b.when()
    for number in range(builder.machine.seats):
        with left_nothing(builder, b, number, 1, code):
            _run_on(builder, b, number, code)
            b.br(again)
    b.end()
    b.end()
    b.i32(0)


def _run_on(builder: ModuleBuilder, b: Body, number: int, code: int) -> None:
    """A branch that has nothing left goes on, and has run last. A fault, also in looking, ends all."""
    b.get(code)
    b.i32(0)
    b.op("i32.gt_s")
    b.when(I32)
    b.gget(GLOBAL["others"])
    b.gset(GLOBAL["pausing"])
    b.get(0)
    b.i32(number)
    b.tee(1)
    b.call(builder.function("branch", (I32, I32)))
    b.otherwise()
    b.get(code)
    b.end()
    b.tee(code)
    b.when()
    b.get(code)
    b.op("return")
    b.end()


def write_nothing_left(builder: ModuleBuilder) -> None:
    """`nothing_left` (s, seat): whether a branch that waits is offered nothing any more; below 0 a fault.

    It becomes the one that runs.
    """
    mc = builder.machine
    decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, ir.Decide | ir.Offer)]
    b = builder.body("nothing_left", (I32, I32))
    if not decisions:
        b.i32(0)
        return
    fx = function_context(builder, b)
    at, found = b.local(), b.local()
    switch(builder, b, 1, at)
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        labels = [b.block() for _ in decisions][::-1]
        order = {number: i for i, number in enumerate(decisions)}
        b.get(at)
        b.load()
        addresses.look_up(fx, builder.table(order.get(i, 0) for i in range(len(mc.nodes))))
        b.br_table(labels, labels[0])
        for number in decisions:
            b.end()
            _nothing_at(builder, fx, number, found)
    b.end()
    b.i32(FAULT)


def _nothing_at(builder: ModuleBuilder, fx: FunctionContext, number: int, found: int) -> None:
    """The function gives whether nobody is asked at a decision any more, or the code of a fault."""
    b, node = fx.b, builder.machine.decision(number)
    fx.node, fx.routine = number, builder.regions[builder.region_of[number]].routine
    if node.asks:
        fx.num(node.seat)
        b.i32(NONE)
        b.op("i32.ne")
        b.ret_if(0)
    b.get(0)
    b.i32(0)
    b.call(builder.function(f"menu {number}", (I32, I32)))
    options.return_if_fault(fx, found)
    b.get(found)
    b.op("i32.eqz", "return")

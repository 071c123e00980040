"""The branches of `together`: which of them runs where a module plays on by itself, and which must run on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import BRANCH_END, FAULT, STOP
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import options, playout
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.functions import function_context

STRIDE = 4 * ir.BRANCH
"""Bytes from one seat's branch to the next: its node, its frame, its status."""


def branch_word(mc: ir.Machine, s: Operand, seat: int, word: int) -> Operand:
    """A word of the record of a seat's branch."""
    return s.load(4 * (mc.branch(seat) + word))


def switch(builder: ModuleBuilder, b: Body, seat: Operand, at: Variable) -> None:
    """The branch of a seat becomes the one that runs; `at` is the address of its node, frame and status."""
    s = b.state
    b.assign(at, s + 4 * builder.machine.branches + seat * STRIDE)
    b.write(s, seat + 1, 4 * ir.RUNNING)
    b.write(s, at.load(4), 4 * ir.FP)


@contextmanager
def left_nothing(
    builder: ModuleBuilder, b: Body, number: int, last: Variable, code: Variable
) -> Iterator[None]:
    """Opens a block for when a seat waits, has not run last, and is offered nothing any more.

    `code` is above 0, or that of a fault in looking. Whoever has run last and waits has found something.
    """
    waits = branch_word(builder.machine, b.state, number, ir.BRANCH_STATUS).eq(ir.WAITING)
    with (
        b.if_(last.ne(number) & waits),
        b.if_(code.tee(builder.call("nothing_left", b.state, const(number)))),
    ):
        yield


def write_branches(builder: ModuleBuilder) -> None:
    """branches(s): runs the branches of a fork to their ends; 0, or the code of what ends all before.

    Each runs to its first decision, in the order of the seats. Then any of those that wait makes its decision
    and runs to the next; whom it leaves nothing to choose runs on too. The last one that has not ended has
    nobody to wait for: it does not stop.
    """
    _write_branch(builder)
    _write_look_again(builder)
    b = builder.body("branches", (I32,), (I32,))
    fx = function_context(builder, b)
    others, pausing = global_("others"), global_("pausing")
    code, seat, k = b.variables(I32, I32, I32)
    b.assign(others, builder.machine.seats - 1)
    b.assign(global_("changed"), 0)
    for number in range(builder.machine.seats):
        b.assign(pausing, others)
        b.assign(seat, number)
        _run(builder, b, "branch", seat, code)
    _run(builder, b, "look_again", seat, code)
    with b.until(seat.tee(others).lt_s(0)):
        playout.pick_number(fx, seat + 1, k)
        _find_waiting(builder, b, seat, k)
        b.assign(pausing, 0)
        _run(builder, b, "branch", seat, code)
        _run(builder, b, "look_again", seat, code)
    b.assign(others, 0)
    b.push(builder.call("unfork", b.state, results=()))
    b.push(0)


def _run(builder: ModuleBuilder, b: Body, name: str, seat: Variable, code: Variable) -> None:
    """Calls a function for a seat; returns its code unless that is 0."""
    with b.if_(code.tee(builder.call(name, b.state, seat))):
        b.push(builder.call("unfork", b.state, results=()))
        b.ret(code)


def _find_waiting(builder: ModuleBuilder, b: Body, seat: Variable, k: Variable) -> None:
    """`seat` becomes the k-th whose branch waits."""
    found = b.block()
    for number in range(builder.machine.seats):
        b.assign(seat, number)
        with b.if_(branch_word(builder.machine, b.state, number, ir.BRANCH_STATUS).eq(ir.WAITING)):
            b.br_if(found, k.eqz())
            b.assign(k, k + -1)
    b.end()


def _write_branch(builder: ModuleBuilder) -> None:
    """branch(s, seat): runs a seat's branch to where it stops or ends; 0, or another code."""
    b = builder.body("branch", (I32, I32), (I32,))
    s, seat = b.arguments()
    at, code = b.variables(I32, I32)
    switch(builder, b, seat, at)
    with b.if_(code.tee(builder.call("run", s, at.load())).eq(STOP)):
        for offset, word in ((0, ir.PC), (4, ir.FP)):
            b.write(at, s.load(4 * word), offset)
        b.write(at, ir.WAITING, 8)
        b.ret(0)
    with b.if_(code.eq(BRANCH_END)):
        b.write(at, ir.DONE, 8)
        b.assign(global_("others"), global_("others") + -1)
        b.ret(0)
    b.push(code)


def _write_look_again(builder: ModuleBuilder) -> None:
    """look_again(s, last): all that wait and have nothing left to choose run on; 0, or another code."""
    b = builder.body("look_again", (I32, I32), (I32,))
    last = b.arguments()[1]
    (code,) = b.variables(I32)
    again = b.loop()
    with b.if_(global_("others").gt_s(0) & global_("changed")):
        for number in range(builder.machine.seats):
            with left_nothing(builder, b, number, last, code):
                _run_on(builder, b, number, code)
                b.br(again)
    b.end()
    b.push(0)


def _run_on(builder: ModuleBuilder, b: Body, number: int, code: Variable) -> None:
    """Runs a branch that has nothing left; it has run last then. Returns a fault, also one in looking."""
    last = b.arguments()[1]
    with b.if_(code.gt_s(0), I32):
        b.assign(global_("pausing"), global_("others"))
        b.push(builder.call("branch", b.state, last.tee(const(number))))
        b.otherwise()
        b.push(code)
    b.ret_if(code, code.tee(STACK))


def write_nothing_left(builder: ModuleBuilder) -> None:
    """nothing_left(s, seat): whether a branch that waits is offered nothing any more; below 0 a fault.

    It becomes the one that runs.
    """
    mc = builder.machine
    decisions = [i for i, n in enumerate(mc.nodes) if isinstance(n, ir.Decide | ir.Offer)]
    b = builder.body("nothing_left", (I32, I32))
    if not decisions:
        b.push(0)
        return
    fx = function_context(builder, b)
    at, found = b.variables(I32, I32)
    switch(builder, b, b.arguments()[1], at)
    fx.load_frame()
    bad = b.block()
    with fx.faulting(bad, quiet=False):
        labels = [b.block() for _ in decisions][::-1]
        order = {number: i for i, number in enumerate(decisions)}
        b.push(at.load().entry_of(builder.table(order.get(i, 0) for i in range(len(mc.nodes)))))
        b.br_table(labels, labels[0])
        for number in decisions:
            b.end()
            _nothing_at(builder, fx, number, found)
    b.end()
    b.push(FAULT)


def _nothing_at(builder: ModuleBuilder, fx: FunctionContext, number: int, found: Variable) -> None:
    """Returns whether nobody is asked at a decision any more, or the code of a fault."""
    b, node = fx.b, builder.machine.decision(number)
    fx.node, fx.routine = number, builder.regions[builder.region_of[number]].routine
    if node.asks:
        fx.num(node.seat)
        b.ret_if(0, STACK.ne(NONE))
    b.push(builder.call(f"menu {number}", b.state, const(0)))
    options.return_if_fault(fx, found.index)
    b.ret(found.eqz())

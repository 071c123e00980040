"""Functions that run to a stop, through the branches of `together`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dsl.domains import NONE
from interpreter import events as ev, ir
from interpreter.wasm.abi import BRANCH_END, CHANCE, FAULT, MOST_SEARCH, OVER, STOP, WORK_AT
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, word_now
from interpreter.wasm.lower import drawing, writes
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


# ---- runs that stop at decisions


def write_run(builder: ModuleBuilder) -> None:
    """run(s, node): to a stop, through the routines that call each other; its code."""
    b = builder.body("run", (I32, I32), (I32,))
    s, node = b.arguments()
    count = len(builder.regions)
    leader = builder.table(builder.leader.get(i, -1) for i in range(len(builder.machine.nodes)))
    region = builder.table(builder.region_of)
    again = b.loop()
    left = b.block()
    labels = [b.block() for _ in range(count)][::-1]
    b.push(node.entry_of(region))
    b.br_table(labels, labels[0])
    for number in range(count):
        b.end()
        # a region returns the node at which its caller continues, or the code of a stop
        b.br_if(again, node.tee(builder.call(f"region {number}", s, node.entry_of(leader))).ge_s(0))
        b.br(left)
    b.end()
    b.end()
    b.push(node)


def _rest(builder: ModuleBuilder, b: Body, code: Variable) -> None:
    """A match that is over has no frames, so that equal positions are equal bytes."""
    mc = builder.machine
    with b.if_(code.eq(OVER)):
        function_context(builder, b).zero(b.state, 4 * mc.stack, mc.stack_size)
        b.write(b.state, mc.stack, 4 * ir.FP)


def write_advance(builder: ModuleBuilder) -> None:
    """advance(s, node): runs to a stop of the whole match; its code.

    Without `together` that is one run. With it, each stop of a branch is followed by the branches that are
    ready, then by those that have nothing left to choose; when all are done, the flow continues.
    """
    mc = builder.machine
    b = builder.body("advance", (I32, I32), (I32,), export=True)
    s, node = b.arguments()
    reset_run(builder, b)
    code, following = b.variables(I32, I32)
    b.assign(code, builder.call("run", s, node))
    if not mc.branches:
        _rest(builder, b, code)
        b.push(code)
        return
    again = b.loop()
    _stop_for_all(builder, b, code)
    for kind, status in ((STOP, ir.WAITING), (BRANCH_END, ir.DONE)):
        with b.if_(code.eq(kind)):
            _park(builder, b, status)
    _run_ready(builder, b, code, again)
    _run_if_nothing_left(builder, b, code, again)
    _stop_if_waiting(mc, b)
    behind = builder.table(n.next if isinstance(n, ir.Fork) else 0 for n in mc.nodes)
    b.assign(following, s.load(4 * ir.FORK).entry_of(behind))
    b.push(builder.call("unfork", s, results=()))
    b.assign(code, builder.call("run", s, following))
    b.br(again)
    b.end()
    b.unreachable()


def _stop_for_all(builder: ModuleBuilder, b: Body, code: Variable) -> None:
    """Returns at a stop outside of `together`, and at the end, chance or a fault in a branch."""
    with b.if_(b.state.load(4 * ir.FORKED).eqz()):
        _rest(builder, b, code)
        b.ret(code)
    with b.if_(code.eq(OVER)):
        b.push(builder.call("unfork", b.state, results=()))
    for kind in (OVER, CHANCE, FAULT):
        with b.if_(code.eq(kind)):
            _rest(builder, b, code)
            b.ret(code)


def _stop_if_waiting(mc: ir.Machine, b: Body) -> None:
    """Returns while a branch is not done."""
    s = b.state
    for number in range(mc.seats):
        with b.if_(branch_word(mc, s, number, ir.BRANCH_STATUS).ne(ir.DONE)):
            b.write(s, 0, 4 * ir.RUNNING)
            b.write(s, s.load(4 * ir.MAIN_FP), 4 * ir.FP)
            b.ret(STOP)


def _run_branch(builder: ModuleBuilder, b: Body, number: int, code: Variable) -> None:
    """Runs a seat's branch, which is the current one, from its node."""
    writes.event(function_context(builder, b), ev.Branched, number)
    b.assign(code, builder.call("run", b.state, branch_word(builder.machine, b.state, number, 0)))


def _run_ready(builder: ModuleBuilder, b: Body, code: Variable, again: Label) -> None:
    """Runs a branch that is ready; then all are tested again."""
    mc, s = builder.machine, b.state
    for number in range(mc.seats):
        with b.if_(branch_word(mc, s, number, ir.BRANCH_STATUS).eq(ir.READY)):
            b.write(s, number + 1, 4 * ir.RUNNING)
            b.write(s, branch_word(mc, s, number, ir.BRANCH_FP), 4 * ir.FP)
            _run_branch(builder, b, number, code)
            b.br(again)


def _run_if_nothing_left(builder: ModuleBuilder, b: Body, code: Variable, again: Label) -> None:
    """Runs a branch that waits and has nothing left to choose from; then all are tested again."""
    with b.temporaries(I32) as (last,):
        b.assign(last, b.state.load(4 * ir.RUNNING) - 1)
        for number in range(builder.machine.seats):
            with left_nothing(builder, b, number, last, code):
                with b.if_(code.gt_s(0)):
                    _run_branch(builder, b, number, code)
                b.br(again)


def _park(builder: ModuleBuilder, b: Body, status: int) -> None:
    """The running branch waits or is done."""
    s = b.state
    with b.temporaries(I32) as (at,):
        b.assign(at, s + s.load(4 * ir.RUNNING) * STRIDE + (4 * builder.machine.branches - STRIDE))
        for offset, word in ((0, ir.PC), (4, ir.FP)):
            b.write(at, s.load(4 * word) if status == ir.WAITING else 0, offset)
        b.write(at, status, 8)
        b.write(s, 0, 4 * ir.PC)


def write_unfork(builder: ModuleBuilder) -> None:
    """unfork(s): clears everything of the branches in the state."""
    mc = builder.machine
    b = builder.body("unfork", (I32,), ())
    s = b.state
    fx = function_context(builder, b)
    writes.event(fx, ev.Branched, -1)
    b.write(s, s.load(4 * ir.MAIN_FP), 4 * ir.FP)
    for word in (ir.FORKED, ir.RUNNING, ir.MAIN_FP, ir.FORK, ir.PC):
        b.write(s, 0, 4 * word)
    fx.zero(b.state, 4 * mc.branches, ir.BRANCH * mc.seats)
    if builder.keeps_saved:
        fx.zero(b.state, 4 * mc.saved, mc.saved_to - mc.saved_from)
    if not builder.plays_branches:
        # Branches that have ended have left no frames; those that have not are of no match that continues.
        fx.zero(b.state, 4 * mc.branch_stack, mc.branch_size * mc.seats)


def reset_run(builder: ModuleBuilder, b: Body, **more: int) -> None:
    """Sets the globals of a run; the fuel is read from memory, so that a run can be stopped from outside."""
    for name, value in {"trial": 0, "top": builder.scratch_start, "search": MOST_SEARCH, **more}.items():
        b.assign(global_(name), value)
    b.assign(global_("fuel"), word_now(WORK_AT))


# ---- branches of a module that plays on by itself


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
        drawing.pick_number(fx, seat + 1, k)
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
    code = b.local()
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
    decisions = builder.decisions
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
    b.ret_if(FAULT, found.tee(builder.call(f"menu {number}", b.state, 0)).lt_s(0))
    b.ret(found.eqz())

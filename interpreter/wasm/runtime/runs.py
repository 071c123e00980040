"""Functions that run to a stop, through the branches of `together`."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import BRANCH_END, BRANCHED, CHANCE, FAULT, OVER, STOP, WORK_AT
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import Variable, word_now
from interpreter.wasm.faults import MOST_SEARCH
from interpreter.wasm.lower import writes
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.runtime.branches import STRIDE, branch_word, left_nothing


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
        function_context(builder, b).zero(0, 4 * mc.stack, mc.stack_size)
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
    b.op("unreachable")


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
    writes.event(function_context(builder, b), BRANCHED, number)
    b.assign(code, builder.call("run", b.state, branch_word(builder.machine, b.state, number, 0)))


def _run_ready(builder: ModuleBuilder, b: Body, code: Variable, again: Label) -> None:
    """Runs a branch that is ready; then all are looked at again."""
    mc, s = builder.machine, b.state
    for number in range(mc.seats):
        with b.if_(branch_word(mc, s, number, ir.BRANCH_STATUS).eq(ir.READY)):
            b.write(s, number + 1, 4 * ir.RUNNING)
            b.write(s, branch_word(mc, s, number, ir.BRANCH_FP), 4 * ir.FP)
            _run_branch(builder, b, number, code)
            b.br(again)


def _run_if_nothing_left(builder: ModuleBuilder, b: Body, code: Variable, again: Label) -> None:
    """Runs a branch that waits and has nothing left to choose from; then all are looked at again."""
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
    writes.event(fx, BRANCHED, -1)
    b.write(s, s.load(4 * ir.MAIN_FP), 4 * ir.FP)
    for word in (ir.FORKED, ir.RUNNING, ir.MAIN_FP, ir.FORK, ir.PC):
        b.write(s, 0, 4 * word)
    fx.zero(0, 4 * mc.branches, ir.BRANCH * mc.seats)
    if builder.keeps_saved:
        fx.zero(0, 4 * mc.saved, mc.saved_to - mc.saved_from)
    if not builder.plays_branches:
        # Branches that have ended have left no frames; those that have not are of no match that goes on.
        fx.zero(0, 4 * mc.branch_stack, mc.branch_size * mc.seats)


def reset_run(builder: ModuleBuilder, b: Body, **more: int) -> None:
    """Sets the globals of a run; the fuel is read from memory, so that a run can be stopped from outside."""
    for name, value in {"trial": 0, "top": builder.scratch_start, "search": MOST_SEARCH, **more}.items():
        b.assign(global_(name), value)
    b.assign(global_("fuel"), word_now(WORK_AT))

"""Functions that run to a stop, through the branches of `together`."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import BRANCH_END, BRANCHED, CHANCE, FAULT, OVER, STOP, WORK_AT
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import GLOBAL, ModuleBuilder
from interpreter.wasm.faults import MOST_SEARCH
from interpreter.wasm.lower import writes
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.runtime.branches import left_nothing


def write_run(builder: ModuleBuilder) -> None:
    """`run` (s, node): to a stop, through the routines that call each other; its code."""
    b = builder.body("run", (I32, I32), (I32,))
    count = len(builder.regions)
    leader = builder.table(builder.leader.get(i, -1) for i in range(len(builder.machine.nodes)))
    region = builder.table(builder.region_of)
    again = b.loop()
    left = b.block()
    labels = [b.block() for _ in range(count)][::-1]
    b.get(1)
    b.i32(2)
    b.op("i32.shl")
    b.load(region)
    b.br_table(labels, labels[0])
    for number in range(count):
        b.end()
        b.get(0)
        b.get(1)
        b.i32(2)
        b.op("i32.shl")
        b.load(leader)
        b.call(builder.function(f"region {number}", (I32, I32)))
        b.tee(1)
        b.i32(0)
        b.op("i32.ge_s")
        b.br_if(again)
        b.br(left)
    b.end()
    b.end()
    b.get(1)


def _rest(builder: ModuleBuilder, b: Body, code: int) -> None:
    """A match that is over has no frames, so that equal positions are equal bytes."""
    mc = builder.machine
    b.get(code)
    b.i32(OVER)
    b.op("i32.eq")
    b.when()
    function_context(builder, b).zero(0, 4 * mc.stack, mc.stack_size)
    b.get(0)
    b.i32(mc.stack)
    b.store(4 * ir.FP)
    b.end()


def write_advance(builder: ModuleBuilder) -> None:
    """`advance` (s, node): to a stop, through the branches of `together`."""
    mc = builder.machine
    b = builder.body("advance", (I32, I32), (I32,), export=True)
    run = builder.function("run", (I32, I32))
    reset_run(builder, b)
    b.get(0)
    b.get(1)
    b.call(run)
    code, seat = b.local(), b.local()
    b.set(code)
    if not mc.branches:
        _rest(builder, b, code)
        b.get(code)
        return
    again = b.loop()
    _stop_for_all(builder, b, code)
    for kind, status in ((STOP, ir.WAITING), (BRANCH_END, ir.DONE)):
        b.get(code)
        b.i32(kind)
        b.op("i32.eq")
        b.when()
        _park(builder, b, status)
        b.end()
    _run_ready(builder, b, code, again)
    _run_if_nothing_left(builder, b, code, again)
    _stop_if_waiting(mc, b)
    following = builder.table(n.next if isinstance(n, ir.Fork) else 0 for n in mc.nodes)
    b.get(0)
    b.load(4 * ir.FORK)
    b.i32(2)
    b.op("i32.shl")
    b.load(following)
    b.set(seat)
    b.get(0)
    b.call(builder.function("unfork", (I32,), ()))
    b.get(0)
    b.get(seat)
    b.call(run)
    b.set(code)
    b.br(again)
    b.end()
    b.op("unreachable")


def _stop_for_all(builder: ModuleBuilder, b: Body, code: int) -> None:
    """A stop outside of `together` is one, and so is the end, chance or a fault in a branch."""
    b.get(0)
    b.load(4 * ir.FORKED)
    b.op("i32.eqz")
    b.when()
    _rest(builder, b, code)
    b.get(code)
    b.op("return")
    b.end()
    b.get(code)
    b.i32(OVER)
    b.op("i32.eq")
    b.when()
    b.get(0)
    b.call(builder.function("unfork", (I32,), ()))
    b.end()
    for kind in (OVER, CHANCE, FAULT):
        b.get(code)
        b.i32(kind)
        b.op("i32.eq")
        b.when()
        _rest(builder, b, code)
        b.get(code)
        b.op("return")
        b.end()


def _stop_if_waiting(mc: ir.Machine, b: Body) -> None:
    """All is stopped while a branch is not done."""
    for number in range(mc.seats):
        b.get(0)
        b.load(4 * (mc.branch(number) + ir.BRANCH_STATUS))
        b.i32(ir.DONE)
        b.op("i32.ne")
        b.when()
        store(b, ir.RUNNING, 0)
        b.get(0)
        b.get(0)
        b.load(4 * ir.MAIN_FP)
        b.store(4 * ir.FP)
        b.ret(STOP)
        b.end()


def _run_branch(builder: ModuleBuilder, b: Body, number: int, code: int) -> None:
    """A seat's branch, which runs now, goes on at its node."""
    writes.event(function_context(builder, b), BRANCHED, number)
    b.get(0)
    b.get(0)
    b.load(4 * (builder.machine.branch(number)))
    b.call(builder.function("run", (I32, I32)))
    b.set(code)


def _run_ready(builder: ModuleBuilder, b: Body, code: int, again: Label) -> None:
    """A branch that is ready runs, and all is looked at again."""
    mc = builder.machine
    for number in range(mc.seats):
        base = mc.branch(number)
        b.get(0)
        b.load(4 * (base + ir.BRANCH_STATUS))
        b.i32(ir.READY)
        b.op("i32.eq")
        b.when()
        store(b, ir.RUNNING, number + 1)
        b.get(0)
        b.get(0)
        b.load(4 * (base + ir.BRANCH_FP))
        b.store(4 * ir.FP)
        _run_branch(builder, b, number, code)
        b.br(again)
        b.end()


def _run_if_nothing_left(builder: ModuleBuilder, b: Body, code: int, again: Label) -> None:
    """A branch that waits and has nothing left to choose from runs on, and all is looked at again."""
    with b.borrowed(I32) as (last,):
        b.get(0)
        b.load(4 * ir.RUNNING)
        b.i32(1)
        b.op("i32.sub")
        b.set(last)
        for number in range(builder.machine.seats):
            with left_nothing(builder, b, number, last, code):
                b.get(code)
                b.i32(0)
                b.op("i32.gt_s")
                b.when()
                _run_branch(builder, b, number, code)
                b.end()
                b.br(again)


def _park(builder: ModuleBuilder, b: Body, status: int) -> None:
    """The running branch waits or is done."""
    mc = builder.machine
    at = b.local()
    b.get(0)
    b.get(0)
    b.load(4 * ir.RUNNING)
    b.i32(12)
    b.op("i32.mul", "i32.add")
    b.i32(4 * mc.branches - 12)
    b.op("i32.add")
    b.set(at)
    for offset, word in ((0, ir.PC), (4, ir.FP)):
        b.get(at)
        if status == ir.WAITING:
            b.get(0)
            b.load(4 * word)
        else:
            b.i32(0)
        b.store(offset)
    b.get(at)
    b.i32(status)
    b.store(8)
    store(b, ir.PC, 0)
    b.release(at)


def write_unfork(builder: ModuleBuilder) -> None:
    """`unfork` (s): nothing of the branches is left in the state."""
    mc = builder.machine
    b = builder.body("unfork", (I32,), ())
    fx = function_context(builder, b)
    writes.event(fx, BRANCHED, -1)
    b.get(0)
    b.get(0)
    b.load(4 * ir.MAIN_FP)
    b.store(4 * ir.FP)
    for word in (ir.FORKED, ir.RUNNING, ir.MAIN_FP, ir.FORK, ir.PC):
        store(b, word, 0)
    fx.zero(0, 4 * mc.branches, ir.BRANCH * mc.seats)
    if builder.keeps_saved:
        fx.zero(0, 4 * mc.saved, mc.saved_to - mc.saved_from)
    if not builder.plays_branches:
        # Branches that have ended have left no frames; those that have not are of no match that goes on.
        fx.zero(0, 4 * mc.branch_stack, mc.branch_size * mc.seats)


def store(b: Body, word: int, value: int) -> None:
    b.get(0)
    b.i32(value)
    b.store(4 * word)


def reset_run(builder: ModuleBuilder, b: Body) -> None:
    for name, value in (("trial", 0), ("top", builder.scratch_start), ("search", MOST_SEARCH)):
        b.i32(value)
        b.gset(GLOBAL[name])
    refuel(b)


def refuel(b: Body) -> None:
    """Work begins anew; it stands in memory, so that somebody can stop a run from outside."""
    b.load_now(WORK_AT)
    b.gset(GLOBAL["fuel"])

"""The branches of `together` in a module that plays on by itself."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.codes import BRANCH_END, STOP
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.plan import GLOBAL, Plan
from interpreter.wasm.lower.play.play import Play

RECORD = 12
"""Bytes from one seat's branch to the next: its node, its frame, its status."""


def write_branches(plan: Plan) -> None:
    """`branches` (s): runs the branches of a fork to their ends; 0, or the code of what ends all before.

    Each runs to its first decision, in the order of the seats. Then any of those that wait makes its decision
    and runs to the next. The last one that has not ended has nobody to wait for: it does not stop.
    """
    _write_branch(plan)
    b = plan.body("branches", (I32,), (I32,))
    f = Play(plan, plan.regions[0], -1, b)
    others, pausing = GLOBAL["others"], GLOBAL["pausing"]
    code, seat, k = b.local(), b.local(), b.local()
    b.i32(plan.machine.seats - 1)
    b.gset(others)
    for number in range(plan.machine.seats):
        b.gget(others)
        b.gset(pausing)
        b.i32(number)
        b.set(seat)
        _run(plan, b, seat, code)
    with b.forever() as out:
        b.gget(others)
        b.tee(seat)
        b.i32(0)
        b.op("i32.lt_s")
        b.br_if(out)
        f.pick_number(seat, 1, k)
        _find_waiting(plan, b, seat, k)
        b.i32(0)
        b.gset(pausing)
        _run(plan, b, seat, code)
    b.i32(0)
    b.gset(others)
    b.get(0)
    b.call(plan.function("unfork", (I32,), ()))
    b.i32(0)


def _run(plan: Plan, b: Body, seat: int, code: int) -> None:
    """A seat's branch goes on. What ends all leaves the function."""
    b.get(0)
    b.get(seat)
    b.call(plan.function("branch", (I32, I32)))
    b.tee(code)
    b.when()
    b.get(0)
    b.call(plan.function("unfork", (I32,), ()))
    b.get(code)
    b.op("return")
    b.end()


def _find_waiting(plan: Plan, b: Body, seat: int, k: int) -> None:
    """`seat` becomes the k-th whose branch waits."""
    found = b.block()
    for number in range(plan.machine.seats):
        b.i32(number)
        b.set(seat)
        b.get(0)
        b.load(4 * plan.machine.branches + RECORD * number + 8)
        b.i32(m.WAITING)
        b.op("i32.eq")
        b.when()
        b.get(k)
        b.op("i32.eqz")
        b.br_if(found)
        b.bump(k, -1)
        b.end()
    b.end()


def _write_branch(plan: Plan) -> None:
    """`branch` (s, seat): runs a seat's branch to where it stops or ends; 0, or another code."""
    first = 4 * plan.machine.branches
    b = plan.body("branch", (I32, I32), (I32,))
    at, code = b.local(), b.local()
    b.get(0)
    b.get(1)
    b.i32(RECORD)
    b.op("i32.mul", "i32.add")
    b.set(at)
    b.get(0)
    b.get(1)
    b.i32(1)
    b.op("i32.add")
    b.store(4 * m.RUNNING)
    b.get(0)
    b.get(at)
    b.load(first + 4)
    b.store(4 * m.FP)
    b.get(0)
    b.get(at)
    b.load(first)
    b.call(plan.function("run", (I32, I32)))
    b.tee(code)
    b.i32(STOP)
    b.op("i32.eq")
    b.when()
    for offset, word in ((0, m.PC), (4, m.FP)):
        b.get(at)
        b.get(0)
        b.load(4 * word)
        b.store(first + offset)
    b.get(at)
    b.i32(m.WAITING)
    b.store(first + 8)
    b.give(0)
    b.end()
    b.get(code)
    b.i32(BRANCH_END)
    b.op("i32.eq")
    b.when()
    b.get(at)
    b.i32(m.DONE)
    b.store(first + 8)
    b.gbump(GLOBAL["others"], -1)
    b.give(0)
    b.end()
    b.get(code)

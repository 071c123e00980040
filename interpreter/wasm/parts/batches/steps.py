"""Many matches side by side in linear memory: the functions that step all of them."""

from __future__ import annotations

from interpreter import machine as m
from interpreter.wasm.actions import numbering, row_bytes
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.plan import Plan
from interpreter.wasm.lower.resume_points import Ports
from interpreter.wasm.parts.batches.masks import write_mask, write_spread
from interpreter.wasm.parts.batches.matches import (
    write_apply,
    write_begin_match,
    write_clone,
    write_finish,
    write_look,
    write_settle,
)
from interpreter.wasm.parts.batches.observe import Observed, write_observe
from interpreter.wasm.parts.batches.rows import BROKEN, ENDED, FAULTED, FIELDS, FINISHED, REFUSED, Block
from interpreter.wasm.parts.batches.sampling import write_sample
from interpreter.wasm.parts.batches.shown import write_clear, write_fill, write_observe_as
from interpreter.wasm.parts.playouts import write_begin


def write_batches(plan: Plan, seen: Observed | None, stepped: Ports | None) -> None:
    """Functions that are called from outside: to begin, look, copy, observe and step."""
    mc = plan.machine
    plan.map["batch"] = plan.reserve(4 * len(FIELDS))
    rows = [numbering(mc, plan.menus[i]) for i, n in enumerate(mc.nodes) if isinstance(n, m.Decide | m.Offer)]
    most = max((r.total for r in rows), default=1)
    plan.map["actions"] = most
    write_begin(plan)
    if seen is not None:
        write_observe(plan, seen)
        write_observe_as(plan, seen)
    write_spread(plan)
    for row in rows:
        write_mask(plan, row, most)
    write_fill(plan, rows, most, seen)
    write_clear(plan, most, seen)
    write_apply(plan, rows, stepped)
    write_finish(plan)
    write_settle(plan)
    write_begin_match(plan)
    write_look(plan)
    write_clone(plan, most, seen)
    _write_step(plan, most)
    _write_step_one(plan, most)
    _write_begin_one(plan)
    write_sample(plan, most)


def _is_offered(block: Block, i: int, action: int, most: int) -> None:
    """Leaves whether the 64-bit number in a local is an action of a match that waits."""
    b = block.b
    b.get(action)
    b.i64(most)
    b.op("i64.ge_u")
    b.when(I32)
    b.i32(0)
    b.otherwise()
    block.row("masks", i, row_bytes(most))
    b.get(action)
    b.op("i32.wrap_i64", "i32.add")
    b.mem("i32.load8_u")
    b.end()


def _write_step(plan: Plan, most: int) -> None:
    """(): a choice is made in every match that waits; -1, or the first match whose choice is not offered."""
    b = plan.body("step", (), (I32,), export=True)
    block = Block(plan, b)
    i, action = b.local(), b.local(I64)
    for checking in (True, False):
        b.i32(0)
        b.set(i)
        with b.forever() as out:
            b.get(i)
            block.field("number")
            b.op("i32.ge_s")
            b.br_if(out)
            block.row("choices", i, 8)
            b.mem("i64.load")
            b.set(action)
            block.row("codes", i, 4)
            b.load()
            if checking:
                b.op("i32.eqz")
                b.when()
                _is_offered(block, i, action, most)
                b.op("i32.eqz")
                b.when()
                b.get(i)
                b.op("return")
                b.end()
                b.end()
            else:
                _advanced(plan, block, i, action)
            b.bump(i, 1)
    b.i32(-1)


def _advanced(plan: Plan, block: Block, i: int, action: int) -> None:
    """A match whose code is on the stack goes on, or begins anew if it is over and shall."""
    b = block.b
    with b.borrowed(I32, I32) as (code, s):
        b.tee(code)
        b.op("i32.eqz")
        b.when()
        block.row("over", i, 1)
        b.i32(0)
        b.mem("i32.store8")
        block.state(i)
        b.tee(s)
        b.get(i)
        b.get(s)
        b.get(i)
        b.get(action)
        b.op("i32.wrap_i64")
        b.call(plan.function("apply"))
        b.i32(1)
        b.i32(1)
        b.call(plan.function("settle"))
        b.op("drop")
        b.otherwise()
        b.get(code)
        b.i32(FINISHED)
        b.op("i32.eq")
        block.field("automatic")
        b.op("i32.and")
        b.when()
        block.row("over", i, 1)
        b.i32(0)
        b.mem("i32.store8")
        block.state(i)
        b.get(i)
        b.call(plan.function("renew"))
        b.op("drop")
        b.end()
        b.end()


def _write_step_one(plan: Plan, most: int) -> None:
    """(action): a choice in the first match; the seat that decides next, inverted, or why none does."""
    b = plan.body("step_one", (I32,), (I32,), export=True)
    block = Block(plan, b)
    i, s, action = b.local(), b.local(), b.local(I64)
    b.get(0)
    b.op("i64.extend_i32_u")
    b.set(action)
    _is_offered(block, i, action, most)
    b.op("i32.eqz")
    b.give_if(REFUSED)
    b.i32(0)
    b.set(i)
    block.field("states")
    b.tee(s)
    b.get(i)
    b.get(s)
    b.get(i)
    b.get(0)
    b.call(plan.function("apply"))
    b.i32(1)
    b.i32(1)
    b.call(plan.function("settle"))
    _gone_on(block, 0)


def _write_begin_one(plan: Plan) -> None:
    """(low, high): the first match begins under a seed; like `step_one`."""
    b = plan.body("begin_one", (I32, I32), (I32,), export=True)
    block = Block(plan, b)
    i = b.local()
    for local, offset in ((0, 0), (1, 4)):
        block.field("seeds")
        b.get(local)
        b.store(offset)
    b.get(i)
    b.call(plan.function("begin_match"))
    _gone_on(block, 0)


def _gone_on(block: Block, code: int) -> None:
    """Leaves what a step of one match gives; its code is on the stack and goes to a local."""
    b = block.b
    b.tee(code)
    b.op("i32.eqz")
    b.when(I32)
    b.i32(-1)
    block.field("seats")
    b.load()
    b.op("i32.xor")
    b.otherwise()
    b.i32(BROKEN)
    b.i32(ENDED)
    b.get(code)
    b.i32(FAULTED)
    b.op("i32.eq", "select")
    b.end()

"""Many matches side by side in linear memory: the functions that step all of them, and random choices."""

from __future__ import annotations

from functools import reduce
from operator import or_

from interpreter.wasm.batches.matches import (
    applied,
    write_apply,
    write_begin_match,
    write_clone,
    write_finish,
    write_look,
    write_settle,
)
from interpreter.wasm.batches.observe import Observed, write_observe
from interpreter.wasm.batches.options import (
    ONES,
    write_clear,
    write_count_bits,
    write_observe_as,
    write_renumber,
    write_spread,
)
from interpreter.wasm.batches.random_play import write_random_play
from interpreter.wasm.batches.rows import (
    BROKEN,
    ENDED,
    FAULTED,
    FINISHED,
    FRESH,
    REFUSED,
    RENEWS,
    BatchRows,
    fields,
)
from interpreter.wasm.batches.search import write_search
from interpreter.wasm.batches.sweeps import write_sweep
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.nth_bit import nth_bit
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import drawing
from interpreter.wasm.lower.playout_cfg import ResumePoints
from interpreter.wasm.option_codec import numbering
from interpreter.wasm.runtime.playouts import write_begin


def write_batches(builder: ModuleBuilder, seen: Observed | None, stepped: ResumePoints | None) -> None:
    """Functions that are called from outside: to begin, look, copy, observe and step."""
    mc = builder.machine
    builder.map["batch"] = builder.reserve(4 * len(fields(builder.machine)))
    waiting = None if stepped is None else {number for _, number in stepped.decisions}
    rows = BatchRows(builder, [numbering(mc, builder.layouts[i]) for i in builder.decisions], seen, waiting)
    builder.map["actions"] = rows.actions
    write_begin(builder)
    if seen is not None:
        write_observe(builder, seen)
        write_observe_as(rows)
    write_spread(builder)
    write_renumber(rows)
    write_count_bits(builder)
    write_clear(rows)
    write_apply(rows, stepped)
    write_finish(rows)
    write_settle(rows)
    write_begin_match(rows)
    write_look(rows)
    write_clone(rows)
    _write_step(rows, stepped)
    _write_step_one(rows, stepped)
    _write_begin_one(rows)
    _write_sample(rows)
    write_random_play(rows)
    write_search(rows)
    if mc.streams:
        write_sweep(builder)


# ---- steps


def _is_offered(rows: BatchRows, b: Body, i: Variable, action: Variable) -> None:
    """Leaves whether a 64-bit number is an action that match `i` offers."""
    with b.if_(action.ge_u(rows.actions), I32):
        b.push(0)
        b.otherwise()
        b.push((rows.row("masks", i) + action.wrapped()).load8())


def _write_step(rows: BatchRows, stepped: ResumePoints | None) -> None:
    """step(): a choice is made in every match that waits; -1, or the first whose choice is not offered.

    All are checked before the first one goes on.
    """
    b = rows.builder.body("step", (), (I32,), export=True)
    i, action = b.variables(I32, I64)
    for checking in (True, False):
        b.assign(i, 0)
        with b.until(i.ge_s(rows.field("number"))):
            b.assign(action, rows.choice(i).load64())
            code = rows.row("codes", i).load()
            if checking:
                with b.if_(code.eqz()):
                    _is_offered(rows, b, i, action)
                    b.ret_if(i, STACK.eqz())
            else:
                _advance(rows, b, code, i, action, stepped)
            b.assign(i, i + 1)
    b.push(-1)


def _advance(
    rows: BatchRows, b: Body, code: Operand, i: Variable, action: Variable, stepped: ResumePoints | None
) -> None:
    """A match that runs goes on by its choice; one that is over begins anew if it shall."""
    builder = rows.builder
    with b.temporaries(I32, I32) as (kept, s), b.if_(kept.tee(code).eqz()):
        b.write(rows.row("over", i), 0, 0, "i32.store8")
        b.drop(_step_match(rows, b, rows.state(i), s, i, action.wrapped(), stepped))
        b.otherwise()
        with b.if_(kept.eq(FINISHED) & rows.field("automatic")):
            b.write(rows.row("over", i), 0, 0, "i32.store8")
            b.drop(builder.call("renew", rows.state(i), i))


def _step_match(
    rows: BatchRows,
    b: Body,
    state: Operand,
    s: Variable,
    i: Variable,
    action: Operand,
    stepped: ResumePoints | None,
) -> Operand:
    """Applies an action to a match: its code at the next stop. Its state's address goes to `s`.

    Where a match waits at one decision only, that takes no call of its own.
    """
    if stepped is None or len(rows.decisions) > 1:
        stop = rows.builder.call("apply", s, i, action)
        return rows.builder.call("settle", s.tee(state), i, stop, FRESH | RENEWS)
    chosen = b.local()
    b.assign(s, state)
    b.assign(chosen, action)
    return rows.builder.call("settle", s, i, applied(rows, b, s, i, chosen, stepped), FRESH | RENEWS)


def _write_step_one(rows: BatchRows, stepped: ResumePoints | None) -> None:
    """step_one(action): a choice in the first match; the seat that decides next, inverted, or a code."""
    b = rows.builder.body("step_one", (I32,), (I32,), export=True)
    (chosen,) = b.arguments()
    i, s, action = b.variables(I32, I32, I64)
    b.assign(action, chosen.widened())
    _is_offered(rows, b, i, action)
    b.ret_if(REFUSED, STACK.eqz())
    b.assign(i, 0)
    b.push(_step_match(rows, b, rows.field("states"), s, i, chosen, stepped))
    _report(rows, b, chosen)


def _write_begin_one(rows: BatchRows) -> None:
    """begin_one(low, high): the first match begins under a seed; returns what `step_one` does."""
    b = rows.builder.body("begin_one", (I32, I32), (I32,), export=True)
    i = b.local()
    for offset, word in zip((0, 4), b.arguments(), strict=True):
        b.write(rows.field("seeds"), word, offset)
    b.push(rows.builder.call("begin_match", i))
    _report(rows, b, b.arguments()[0])


def _report(rows: BatchRows, b: Body, code: Variable) -> None:
    """Leaves what a step of one match returns; its code is on the stack and goes to a local."""
    with b.if_(code.tee(STACK).eqz(), I32):
        b.push(const(-1) ^ rows.field("seats").load())
        b.otherwise()
        b.push(select(BROKEN, ENDED, code.eq(FAULTED)))


# ---- random choices


def _write_sample(rows: BatchRows) -> None:
    """sample(): chooses for every match that waits one of its actions, each with equal chance."""
    builder = rows.builder
    b = builder.body("sample", (), (I32,), export=True)
    i, number, to, row, totals, total, k = b.variables(*(I32,) * 7)
    rng, kept = b.local(I64), builder.map["batch"] + 8
    b.assign(rng, const(0).load64(kept))
    for variable, name in ((number, "number"), (to, "choices"), (row, "masks"), (totals, "totals")):
        b.assign(variable, rows.field(name))
    with b.until(i.ge_s(number)):
        b.assign(total, totals.load())
        drawing.pick_always(b, rng, total, k)
        b.push(to)
        with b.if_(total, I32):
            b.push(_kth(rows, b, row, k))
            b.otherwise()
            b.push(0)
        b.write(STACK, STACK.widened(), 0, "i64.store")
        for variable, size in ((i, 1), (to, 8), (row, rows.sizes["masks"]), (totals, 4)):
            b.assign(variable, variable + size)
    b.write(const(0), rng, kept, "i64.store")
    b.push(0)


def _kth(rows: BatchRows, b: Body, row: Variable, k: Variable) -> Operand:
    """The number of the k-th byte that is set in a mask; there is one. `k` changes.

    Bytes become bits, up to 64 at a time. What stands behind a row does not matter: its bits come later.
    """
    size = rows.actions
    word = b.local(I64)
    if size <= 64:
        b.assign(word, _bits(row, size))
        return nth_bit(rows.builder, b, word, k, size)
    at, here = b.variables(I32, I32)
    b.assign(at, row)
    with b.forever() as out:
        b.assign(word, _bits(at, 64))
        b.br_if(out, here.tee(word.popcnt().wrapped()).gt_s(k))
        b.assign(k, k - here)
        b.assign(at, at + 64)
    return nth_bit(rows.builder, b, word, k) + at - row


def _bits(at: Operand, size: int) -> Operand:
    """So many bytes as bits of a word, rounded up to sixteen."""
    vectors = ((k, at.load_vector(k).equal_bytes(ONES)) for k in range(0, size, 16))
    return reduce(or_, (vector.bitmask("i8x16").widened() << k for k, vector in vectors))

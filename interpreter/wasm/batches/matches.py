"""One match of a batch: an action is applied, a stop recorded, the match begun anew, looked at, copied."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, OVER, STOP
from interpreter.wasm.batches.options import each_decision, show_decision
from interpreter.wasm.batches.rows import FAULTED, FINISHED, FRESH, RUNNING, BatchRows
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower.playout_cfg import Paths, ResumePoints, resume_point_of
from interpreter.wasm.option_codec import Numbering
from interpreter.wasm.runtime.score_sheets import total_of


def write_apply(rows: BatchRows, stepped: ResumePoints | None) -> None:
    """apply(s, i, action): carries it out, and runs to the next stop; its code."""
    b = rows.builder.body("apply", (I32,) * 3, (I32,))
    s, i, action = b.arguments()
    b.push(applied(rows, b, s, i, action, stepped))


def applied(
    rows: BatchRows, b: Body, s: Variable, i: Variable, action: Variable, stepped: ResumePoints | None
) -> Operand:
    """What `apply` does, in place."""
    builder = rows.builder
    node, part, bit, where = b.variables(*(I32,) * 4)
    b.assign(node, rows.row("nodes", i).load())
    if stepped is None:
        b.assign(where, rows.row("branches", i).load())
    out = b.block()
    for numbering in each_decision(b, rows, node):
        if stepped is not None:
            _find_resume_point(builder, b, s, stepped, numbering.node, where)
        _decode(b, numbering, action, part, bit, out)
    b.end()
    return builder.call("choose" if stepped is None else "whole", s, where, part, bit)


def _find_resume_point(
    builder: ModuleBuilder, b: Body, s: Variable, stepped: ResumePoints, node: int, where: Variable
) -> None:
    """`where` becomes the number of the resume point of a match that waits at a node, by its frames."""
    points = [point for point in stepped.decisions if point[1] == node]
    for k, point in enumerate(points):
        number = const(stepped.points.index(resume_point_of(point)))
        if k:
            frames = _with_frames(builder, s, stepped.paths, point[0])
            number = select(number, where, frames)
        b.assign(where, number)


def _with_frames(builder: ModuleBuilder, s: Operand, paths: Paths, context: int) -> Operand:
    """Whether the frames are those of a context, by where they return."""
    base, chain = builder.machine.stack, []
    back = paths.contexts[context].back
    while back is not None:
        chain.append((back[1], paths.contexts[back[0]].size))
        back = paths.contexts[back[0]].back
    condition = const(1)
    for returns, size in reversed(chain):
        base += size
        condition &= s.load(4 * (base + ir.RETURN)).eq(returns)
    return condition


def _decode(b: Body, row: Numbering, action: Variable, part: Variable, bit: Variable, out: Label) -> None:
    """The part and the bit of an action: parts are tested from the last one, by their first action."""
    if row.passing is not None:
        b.assign(part, -1)
        b.br_if(out, action.eq(row.passing))
    for i, start in reversed(list(enumerate(row.starts))):
        b.assign(part, i)
        b.br_if(out, bit.tee(action - start if start else action).ge_s(0))
    b.br(out)


def write_finish(rows: BatchRows) -> None:
    """finish(s, i): the score sheets and winners of a match that is over; 0, or FAULT."""
    builder = rows.builder
    mc = builder.machine
    b = builder.body("finish", (I32, I32), (I32,))
    s, i = b.arguments()
    at, won = b.variables(I32, I32)
    b.assign(at, rows.row("scores", i))
    for seat in range(mc.seats):
        b.ret_if(FAULT, builder.call("account", s, seat).eq(FAULT))
        b.write(at, total_of(builder, seat), 4 * seat)
    b.push(s.load(4 * ir.WINNERS))
    if mc.best != "none":
        if mc.ended:
            b.push(STACK | (s.load(4 * mc.ended) & 1) << mc.seats)
        with b.if_(won.tee(STACK), I32):
            b.push(won)
            b.otherwise()
            b.push(builder.call("best"))
    b.assign(won, STACK)
    b.assign(at, rows.row("winners", i))
    for seat in range(mc.seats):
        b.write(at, won >> seat & 1, seat, "i32.store8")
    if mc.ended:
        b.write(rows.row("outcomes", i), s.load(4 * mc.ended) >> 1)
    b.write(rows.row("over", i), 1, 0, "i32.store8")
    b.push(0)


def write_settle(rows: BatchRows) -> None:
    """settle(s, i, code, flags): records the stop to which a match came; its code in the batch.

    At a decision its options; at the end its results, and if it renews itself, the first stop of the next
    match; else its fault. It has four arguments because more would not all fit into registers.
    """
    builder = rows.builder
    b = builder.body("settle", (I32,) * 4, (I32,))
    s, i, code, flags = b.arguments()
    with b.if_(code.eq(STOP)):
        bad = b.block()
        show_decision(rows, b, i, flags & FRESH, bad)
        b.write(rows.row("codes", i), RUNNING)
        b.ret(RUNNING)
        b.end()
        b.assign(code, FAULT)
    b.push(builder.call("end", s, i, code, flags))
    _write_end(rows)
    _write_renew(rows)


def _write_end(rows: BatchRows) -> None:
    """end(s, i, code, flags): what `settle` does where no decision waits."""
    builder = rows.builder
    b = builder.body("end", (I32,) * 4, (I32,))
    s, i, code, flags = b.arguments()
    with b.if_(code.eq(OVER)), b.if_(builder.call("finish", s, i).eqz()):
        with b.if_(flags >> 1 & rows.field("automatic")):
            b.ret(builder.call("renew", s, i))
        b.write(rows.row("codes", i), FINISHED)
        b.push(builder.call("clear_row", i, results=()))
        b.ret(FINISHED)
    b.copy(rows.row("faults", i), builder.record, rows.sizes["faults"])
    b.write(rows.row("over", i), 0, 0, "i32.store8")
    b.write(rows.row("codes", i), FAULTED)
    b.push(builder.call("clear_row", i, results=()))
    b.push(FAULTED)


def _write_renew(rows: BatchRows) -> None:
    """renew(s, i): the match begins anew under the next fresh seed. What was seen last of it may be kept."""
    b = rows.builder.body("renew", (I32, I32), (I32,), export=True)
    s, i = b.arguments()
    seed = b.local(I64)
    if rows.seen is not None:
        with b.if_(rows.field("last")):
            watcher, chose = rows.field("watcher"), rows.row("seats", i).load()
            seat = select(watcher, chose, watcher.ge_s(0))
            b.push(rows.builder.call("observe", s, seat, rows.seen_row("last", i), results=()))
    fresh = rows.builder.map["batch"]
    b.assign(seed, const(0).load64(fresh))
    b.write(const(0), seed + 1, fresh, "i64.store")
    b.write(rows.row("seeds", i), seed, 0, "i64.store")
    _begin(rows, b, i)


def _begin(rows: BatchRows, b: Body, i: Variable) -> None:
    """Leaves the code of a match at its first stop; its seed stands in its row."""
    builder = rows.builder
    s = b.local()
    seed = rows.row("seeds", i)
    b.push(builder.call("begin", s.tee(rows.state(i)), seed.load(0), seed.load(4), results=()))
    whole = "whole" in builder.functions
    code = builder.call("whole", s, 0, 0, 0) if whole else builder.call("advance", s, builder.machine.start)
    b.push(builder.call("settle", s, i, code, FRESH))


def write_begin_match(rows: BatchRows) -> None:
    """begin_match(i): begins under the seed in its row."""
    b = rows.builder.body("begin_match", (I32,), (I32,), export=True)
    (i,) = b.arguments()
    b.write(rows.row("over", i), 0, 0, "i32.store8")
    _begin(rows, b, i)


def write_look(rows: BatchRows) -> None:
    """look(i): records the stop of a match whose state was written from outside."""
    b = rows.builder.body("look", (I32,), (I32,), export=True)
    (i,) = b.arguments()
    s = b.local()
    b.write(rows.row("over", i), 0, 0, "i32.store8")
    b.assign(s, rows.state(i))
    b.push(rows.builder.call("settle", s, i, select(OVER, STOP, s.load(4 * ir.STATUS)), 0))


def write_clone(rows: BatchRows) -> None:
    """clone(from, to): one match becomes the same as another in all its rows."""
    builder = rows.builder
    b = builder.body("clone", (I32, I32), (I32,), export=True)
    source, target = b.arguments()
    before = builder.stream_bytes
    b.copy(rows.state(target) - before, rows.state(source) - before, before + builder.state_bytes)
    for name, size in rows.sizes.items():
        b.copy(rows.row(name, target), rows.row(name, source), size)
    if rows.seen is not None:
        to, seen = (rows.seen_row("observations", i) for i in (target, source))
        b.copy(to, seen, rows.seen_bytes)
    b.push(0)

"""One match of a batch goes on: it is chosen in, settled, begun anew, looked at, copied."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import FAULT, OVER, STOP
from interpreter.wasm.batches.observe import Observed
from interpreter.wasm.batches.options import each_decision, places_of
from interpreter.wasm.batches.rows import FAULTED, FINISHED, RUNNING, Block
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import ModuleBuilder
from interpreter.wasm.emit.streams import STREAM
from interpreter.wasm.lower import addresses
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.playout_cfg import CfgPoint, Paths, Ports, behind
from interpreter.wasm.option_codec import Numbering, row_bytes


def write_apply(builder: ModuleBuilder, rows: list[Numbering], stepped: Ports | None) -> None:
    """(s, i, action): carries it out, and runs to the next stop; its code."""
    b = builder.body("apply", (I32,) * 3, (I32,))
    block, fx = Block(builder, b), function_context(builder, b)
    node, part, bit, k = (b.local() for _ in range(4))
    block.row("nodes", 1, 4)
    b.load()
    b.set(node)
    b.get(node)
    addresses.look_up(fx, places_of(builder, rows))
    b.set(k)
    out = b.block()
    each_decision(b, rows, k)
    for each in rows:
        b.end()
        _decode(b, each, part, bit, out)
    b.end()
    b.get(0)
    if stepped is not None:
        _port(builder, b, stepped, node)
    else:
        block.row("branches", 1, 4)
        b.load()
    b.get(part)
    b.get(bit)
    b.call(builder.function("choose" if stepped is None else "whole", (I32,) * 4))


def _port(builder: ModuleBuilder, b: Body, stepped: Ports, node: int) -> None:
    """Leaves the port at which a match goes on that waits at a node, by the frames that it has."""
    known: dict[int, list[CfgPoint]] = {}
    for point in stepped.decisions:
        known.setdefault(point[1], []).append(point)
    ends = b.block(I32)
    for number, points in known.items():
        for point in points:
            b.get(node)
            b.i32(number)
            b.op("i32.eq")
            if len(points) > 1:
                _has_frames(builder, b, stepped.paths, point[0])
            b.when()
            b.i32(stepped.ports.index(behind(point)))
            b.br(ends)
            b.end()
    b.i32(0)
    b.end()


def _has_frames(builder: ModuleBuilder, b: Body, paths: Paths, context: int) -> None:
    """The flag on the stack stays only if the frames are those of a context, by where they return."""
    base, chain = builder.machine.stack, []
    back = paths.contexts[context].back
    while back is not None:
        chain.append((back[1], paths.contexts[back[0]].size))
        back = paths.contexts[back[0]].back
    for returns, size in reversed(chain):
        base += size
        b.get(0)
        b.load(4 * (base + ir.RETURN))
        b.i32(returns)
        b.op("i32.eq", "i32.and")


def _decode(b: Body, row: Numbering, part: int, bit: int, out: Label) -> None:
    if row.passing is not None:
        b.i32(-1)
        b.set(part)
        b.get(2)
        b.i32(row.passing)
        b.op("i32.eq")
        b.br_if(out)
    for i in range(len(row.starts) - 1, -1, -1):
        b.i32(i)
        b.set(part)
        b.get(2)
        if row.starts[i]:
            b.i32(row.starts[i])
            b.op("i32.sub")
        b.tee(bit)
        b.i32(0)
        b.op("i32.ge_s")
        b.br_if(out)
    b.br(out)


def write_finish(builder: ModuleBuilder) -> None:
    """(s, i): the account of a match that is over; 0, or FAULT."""
    mc = builder.machine
    b = builder.body("finish", (I32, I32), (I32,))
    block = Block(builder, b)
    scores, won = b.local(), b.local()
    block.row("scores", 1, 4 * mc.seats)
    b.set(scores)
    for seat in range(mc.seats):
        b.get(0)
        b.i32(seat)
        b.call(builder.function("account", (I32, I32)))
        b.i32(FAULT)
        b.op("i32.eq")
        b.ret_if(FAULT)
        b.get(scores)
        b.i32(0)
        b.load(builder.seats_out + 4 * (len(mc.scores) + 1) * seat + 4 * len(mc.scores))
        b.store(4 * seat)
    b.get(0)
    b.load(4 * ir.WINNERS)
    if mc.best != "none":
        b.tee(won)
        b.when(I32)
        b.get(won)
        b.otherwise()
        b.call(builder.function("best", ()))
        b.end()
    b.set(won)
    block.row("winners", 1, mc.seats)
    b.set(scores)
    for seat in range(mc.seats):
        b.get(scores)
        b.get(won)
        b.i32(seat)
        b.op("i32.shr_u")
        b.i32(1)
        b.op("i32.and")
        b.mem("i32.store8", seat)
    block.row("over", 1, 1)
    b.i32(1)
    b.mem("i32.store8")
    b.i32(0)


def write_settle(builder: ModuleBuilder) -> None:
    """(s, i, code, fresh, renews): what a match shows at the stop to which it came; its code in the batch."""
    b = builder.body("settle", (I32,) * 5, (I32,))
    block = Block(builder, b)
    b.get(2)
    b.i32(STOP)
    b.op("i32.eq")
    b.when()
    for local in (0, 1, 3):
        b.get(local)
    b.call(builder.function("fill"))
    b.tee(2)
    b.i32(STOP)
    b.op("i32.eq")
    b.when()
    _mark(block, 1, RUNNING)
    b.ret(RUNNING)
    b.end()
    b.end()
    b.get(2)
    b.i32(OVER)
    b.op("i32.eq")
    b.when()
    b.get(0)
    b.get(1)
    b.call(builder.function("finish"))
    b.op("i32.eqz")
    b.when()
    b.get(4)
    block.field("automatic")
    b.op("i32.and")
    b.when()
    b.get(0)
    b.get(1)
    b.call(builder.function("renew", (I32, I32)))
    b.op("return")
    b.end()
    _mark(block, 1, FINISHED)
    b.get(1)
    b.call(builder.function("clear_row"))
    b.ret(FINISHED)
    b.end()
    b.end()
    block.row("faults", 1, 20)
    b.i32(builder.record)
    b.i32(20)
    b.copy()
    block.row("over", 1, 1)
    b.i32(0)
    b.mem("i32.store8")
    _mark(block, 1, FAULTED)
    b.get(1)
    b.call(builder.function("clear_row"))
    b.i32(FAULTED)
    _write_renew(builder)


def _mark(block: Block, i: int, code: int) -> None:
    block.row("codes", i, 4)
    block.b.i32(code)
    block.b.store()


def _write_renew(builder: ModuleBuilder) -> None:
    """(s, i): the match begins anew under the next fresh seed."""
    b = builder.body("renew", (I32, I32), (I32,))
    block = Block(builder, b)
    seed = b.local(I64)
    b.i32(0)
    b.mem("i64.load", builder.map["batch"])
    b.set(seed)
    b.i32(0)
    b.get(seed)
    b.i64(1)
    b.op("i64.add")
    b.mem("i64.store", builder.map["batch"])
    block.row("seeds", 1, 8)
    b.get(seed)
    b.mem("i64.store")
    _begun(builder, b, 1)


def _begun(builder: ModuleBuilder, b: Body, i: int) -> None:
    """Leaves the code of a match at its first stop; its seed stands in its row."""
    block = Block(builder, b)
    s = b.local()
    block.state(i)
    b.tee(s)
    for offset in (0, 4):
        block.row("seeds", i, 8)
        b.load(offset)
    b.call(builder.function("begin"))
    b.get(s)
    b.get(i)
    b.get(s)
    if "whole" in builder.functions:
        for _ in range(3):
            b.i32(0)
        b.call(builder.function("whole"))
    else:
        b.i32(builder.machine.start)
        b.call(builder.function("advance", (I32, I32)))
    b.i32(1)
    b.i32(0)
    b.call(builder.function("settle", (I32,) * 5))


def write_begin_match(builder: ModuleBuilder) -> None:
    """(i): begins under the seed in its row."""
    b = builder.body("begin_match", (I32,), (I32,), export=True)
    block = Block(builder, b)
    block.row("over", 0, 1)
    b.i32(0)
    b.mem("i32.store8")
    _begun(builder, b, 0)


def write_look(builder: ModuleBuilder) -> None:
    """(i): what a match shows whose state was written from outside."""
    b = builder.body("look", (I32,), (I32,), export=True)
    block = Block(builder, b)
    s = b.local()
    block.row("over", 0, 1)
    b.i32(0)
    b.mem("i32.store8")
    block.state(0)
    b.set(s)
    b.get(s)
    b.get(0)
    b.i32(OVER)
    b.i32(STOP)
    b.get(s)
    b.load(4 * ir.STATUS)
    b.op("select")
    b.i32(0)
    b.i32(0)
    b.call(builder.function("settle"))


def write_clone(builder: ModuleBuilder, most: int, seen: Observed | None) -> None:
    """(from, to): one match becomes the same as another in all its rows."""
    mc = builder.machine
    b = builder.body("clone", (I32, I32), (I32,), export=True)
    block = Block(builder, b)
    before = (STREAM * len(mc.streams) + 63) // 64 * 64
    for local in (1, 0):
        block.state(local)
        b.i32(before)
        b.op("i32.sub")
    b.i32(before + builder.state_bytes)
    b.copy()
    sizes = {"masks": row_bytes(most), "nodes": 4, "seats": 4, "codes": 4, "over": 1, "branches": 4}
    sizes |= {"scores": 4 * mc.seats, "winners": mc.seats, "faults": 20, "seeds": 8}
    if seen is not None:
        sizes["observations"] = 4 * seen.size
    for name, size in sizes.items():
        for local in (1, 0):
            block.row(name, local, size)
        b.i32(size)
        b.copy()
    b.i32(0)

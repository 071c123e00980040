"""Functions that every module has: faults, events, orders, and what triggers are told."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import RECORD
from interpreter.wasm.emit.body import Body, Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import EVENT_WORDS, GLOBAL, MOST_EVENTS, ModuleBuilder
from interpreter.wasm.lower import bitset_loads, loops
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.values import WIDE, Constant, InLocal
from interpreter.wasm.runtime.pieces import (
    write_clear,
    write_count,
    write_lift,
    write_put,
    write_take,
    write_top,
)


def write_runtime(builder: ModuleBuilder, record: int, events: int) -> None:
    """Gives bodies to those functions that something has asked for."""
    writers = {
        "moved": _moved,
        "lift": write_lift,
        "top": write_top,
        "take": write_take,
        "put": write_put,
        "count": write_count,
        "clear": write_clear,
        "distinct": _distinct,
        "sort": _sort,
    }
    for name, write in writers.items():
        if name in builder.functions:
            write(builder)
    if "event" in builder.functions:
        _event(builder, events)
    _fault(builder, record)


def _fault(builder: ModuleBuilder, record: int) -> None:
    b = builder.body("fault", (I32,) * RECORD, ())
    for i in range(RECORD):
        b.i32(record + 4 * i)
        b.get(i)
        b.store()


def _event(builder: ModuleBuilder, events: int) -> None:
    """An event of six words goes behind those told, unless something is only tried.

    Where there is no room for more, the run has gone on for too long: the next way back says so.
    """
    b = builder.body("event", (I32,) * EVENT_WORDS, ())
    b.gget(GLOBAL["trial"])
    b.when()
    b.op("return")
    b.end()
    b.gget(GLOBAL["event"])
    b.i32(events + 4 * EVENT_WORDS * (MOST_EVENTS - 1))
    b.op("i32.gt_u")
    b.when()
    b.i32(-1)
    b.gset(GLOBAL["fuel"])
    b.op("return")
    b.end()
    for i in range(EVENT_WORDS):
        b.gget(GLOBAL["event"])
        b.get(i)
        b.store(4 * i)
    b.gbump(GLOBAL["event"], 4 * EVENT_WORDS)


def _distinct(builder: ModuleBuilder) -> None:
    """(first, value): the value is put on top of the scratch unless it stands there from `first` on."""
    b = builder.body("distinct", (I32, I32), ())
    top = GLOBAL["top"]
    p = b.local()
    b.get(0)
    b.set(p)
    with b.forever() as out:
        b.get(p)
        b.gget(top)
        b.op("i32.ge_u")
        b.br_if(out)
        b.get(p)
        b.load()
        b.get(1)
        b.op("i32.eq")
        b.when()
        b.op("return")
        b.end()
        b.bump(p, 4)
    b.gget(top)
    b.get(1)
    b.store()
    b.gbump(top, 4)


def _sort(builder: ModuleBuilder) -> None:
    """(first, end, bytes of a record): records in the order of their words but the last, stable."""
    b = builder.body("sort", (I32, I32, I32), ())
    i, j, k, before, t = (b.local() for _ in range(5))
    b.get(0)
    b.get(2)
    b.op("i32.add")
    b.set(i)
    with b.forever() as out:
        b.get(i)
        b.get(1)
        b.op("i32.ge_u")
        b.br_if(out)
        b.get(i)
        b.set(j)
        with b.forever() as sunk:
            b.get(j)
            b.get(0)
            b.op("i32.le_u")
            b.br_if(sunk)
            b.get(j)
            b.get(2)
            b.op("i32.sub")
            b.set(before)
            _go_on_if_smaller(b, (j, before, k), sunk)
            _swap(b, (j, before, k), t)
            b.get(before)
            b.set(j)
        b.get(i)
        b.get(2)
        b.op("i32.add")
        b.set(i)


def _swap(b: Body, at: tuple[int, int, int], t: int) -> None:
    """Two records change places, word by word."""
    j, before, k = at
    b.i32(0)
    b.set(k)
    swap = b.loop()
    b.get(before)
    b.get(k)
    b.op("i32.add")
    b.load()
    b.set(t)
    b.get(before)
    b.get(k)
    b.op("i32.add")
    b.get(j)
    b.get(k)
    b.op("i32.add")
    b.load()
    b.store()
    b.get(j)
    b.get(k)
    b.op("i32.add")
    b.get(t)
    b.store()
    b.get(k)
    b.i32(4)
    b.op("i32.add")
    b.tee(k)
    b.get(2)
    b.op("i32.lt_u")
    b.br_if(swap)
    b.end()


def _go_on_if_smaller(b: Body, at: tuple[int, int, int], sunk: Label) -> None:
    """Leaves by a label unless the later of two records is smaller than the one before it."""
    j, before, k = at
    # compare the records at `before` and `j`: go on only if the later one is smaller
    b.i32(0)
    b.set(k)
    with b.forever() as differ:
        b.get(k)
        b.get(2)
        b.i32(4)
        b.op("i32.sub", "i32.ge_u")
        b.br_if(sunk)
        b.get(before)
        b.get(k)
        b.op("i32.add")
        b.load()
        b.get(j)
        b.get(k)
        b.op("i32.add")
        b.load()
        b.op("i32.lt_s")
        b.br_if(sunk)
        b.get(before)
        b.get(k)
        b.op("i32.add")
        b.load()
        b.get(j)
        b.get(k)
        b.op("i32.add")
        b.load()
        b.op("i32.ne")
        b.br_if(differ)
        b.bump(k, 4)


def _moved(builder: ModuleBuilder) -> None:
    """(s, class, number, from, to): told to triggers; the trigger whose queue is full, or -1."""
    mc = builder.machine
    b = builder.body("moved", (I32,) * 5)
    for enters, where in ((True, 4), (False, 3)):
        for trigger in mc.triggers:
            if trigger.condition is None and trigger.enters == enters:
                _watch(builder, b, trigger, where)
    b.i32(-1)


def _watch(builder: ModuleBuilder, b: Body, trigger: ir.TriggerCode, where: int) -> None:
    """Each of some moved pieces waits in a trigger's queue if it watches the place in a local."""
    mc = builder.machine
    watched = builder.table(int(i in trigger.watched) for i in range(len(mc.places)))
    end, left = b.local(), b.local()
    b.get(where)
    b.i32(0)
    b.op("i32.ge_s")
    b.when()
    b.get(where)
    b.i32(2)
    b.op("i32.shl")
    b.load(watched)
    b.when()
    b.get(2)
    b.set(left)
    with b.forever() as out:
        b.get(left)
        b.i32(0)
        b.op("i32.le_s")
        b.br_if(out)
        _enqueue(mc, b, trigger, where, end)
        b.get(left)
        b.i32(1)
        b.op("i32.sub")
        b.set(left)
    b.end()
    b.end()
    b.release(end, left)


def _enqueue(mc: ir.Machine, b: Body, trigger: ir.TriggerCode, where: int, end: int) -> None:
    """A piece and the place in a local wait in a trigger's queue, if there is room."""
    b.get(0)
    b.load(4 * trigger.held)
    b.i32(trigger.capacity)
    b.op("i32.ge_s")
    b.ret_if(mc.triggers.index(trigger))
    b.get(0)
    b.get(0)
    b.load(4 * trigger.held)
    b.i32(3)
    b.op("i32.shl", "i32.add")
    b.set(end)
    b.get(end)
    b.get(4)
    b.i32(trigger.classes)
    b.op("i32.mul")
    b.get(1)
    b.op("i32.add")
    b.store(4 * trigger.held + 4)
    b.get(end)
    b.get(where)
    b.store(4 * trigger.held + 8)
    b.get(0)
    b.get(0)
    b.load(4 * trigger.held)
    b.i32(1)
    b.op("i32.add")
    b.store(4 * trigger.held)


def write_board(builder: ModuleBuilder, name: str) -> None:
    """(s): the sets of a pointer or mark are made anew from its words."""
    board = builder.boards[name.removeprefix("board ")]
    b = builder.body(name, (I32,), ())
    fx = function_context(builder, b)
    fx.zero(0, board.first, board.bytes // 4)
    for row in range(board.rows):
        with (
            loops.counting(fx, Constant(0), Constant(board.size - 1)) as i,
            b.borrowed(I32, I32) as (value, at),
        ):
            b.get(0)
            b.get(i.local)
            b.i32(2)
            b.op("i32.shl", "i32.add")
            b.load(4 * (board.words.base + row * board.size))
            b.set(value)
            b.get(0)
            if board.words.kind == "pointer":
                bitset_loads.board_index(fx, board, InLocal(value, WIDE))
                b.i32(8 * board.wide)
                b.op("i32.mul", "i32.add")
            b.get(i.local)
            b.i32(6)
            b.op("i32.shr_u")
            b.i32(3)
            b.op("i32.shl", "i32.add")
            b.tee(at)
            b.get(at)
            b.mem("i64.load", board.first + row * board.row_bytes)
            b.i64(1)
            b.get(i.local)
            b.op("i64.extend_i32_u", "i64.shl")
            if board.words.kind == "mark":
                b.i64(0)
                b.get(value)
                b.op("select")
            b.op("i64.or")
            b.mem("i64.store", board.first + row * board.row_bytes)


def write_words(builder: ModuleBuilder, name: str) -> None:
    """`popcount` (at, words): bits that are set. `select` (at, k): the number of the k-th of them."""
    b = builder.body(name, (I32, I32))
    total, n = b.local(), b.local()
    word = b.local(I64)
    start = b.local()
    b.get(0)
    b.set(start)
    with b.forever() as out:
        if name == "popcount":
            b.get(1)
            b.op("i32.eqz")
            b.br_if(out)
        b.get(0)
        b.mem("i64.load")
        b.tee(word)
        b.op("i64.popcnt", "i32.wrap_i64")
        b.set(n)
        if name == "popcount":
            b.get(total)
            b.get(n)
            b.op("i32.add")
            b.set(total)
            b.get(1)
            b.i32(1)
            b.op("i32.sub")
            b.set(1)
        else:
            b.get(1)
            b.get(n)
            b.op("i32.lt_s")
            b.br_if(out)
            b.get(1)
            b.get(n)
            b.op("i32.sub")
            b.set(1)
        b.bump(0, 8)
    if name == "popcount":
        b.get(total)
        return
    _the_one(b, start, word)


def _the_one(b: Body, start: int, word: int) -> None:
    """Leaves the number of the k-th bit, which lies in the word that was read last."""
    with b.forever() as done:
        b.get(1)
        b.op("i32.eqz")
        b.br_if(done)
        b.get(word)
        b.get(word)
        b.i64(1)
        b.op("i64.sub", "i64.and")
        b.set(word)
        b.get(1)
        b.i32(1)
        b.op("i32.sub")
        b.set(1)
    b.get(0)
    b.get(start)
    b.op("i32.sub")
    b.i32(3)
    b.op("i32.shl")
    b.get(word)
    b.op("i64.ctz", "i32.wrap_i64", "i32.add")

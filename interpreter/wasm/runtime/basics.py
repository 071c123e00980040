"""Functions for all of a module: faults, events, sorting, sets of bits, the queues of triggers."""

from __future__ import annotations

from interpreter import ir
from interpreter.wasm.abi import RECORD
from interpreter.wasm.emit.body import Body
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import EVENT_WORDS, MOST_EVENTS, ModuleBuilder, global_
from interpreter.wasm.emit.nth_bit import nth_bit
from interpreter.wasm.emit.operands import Operand, Variable, const, select
from interpreter.wasm.lower import bitset_loads, loops
from interpreter.wasm.lower.functions import function_context
from interpreter.wasm.lower.undo import write_note
from interpreter.wasm.lower.values import WIDE, Constant, InLocal
from interpreter.wasm.runtime.pieces import (
    write_bottom,
    write_clear,
    write_count,
    write_lift,
    write_put,
    write_sum,
    write_take,
    write_top,
)
from interpreter.wasm.runtime.sight import write_forget, write_remember


def write_runtime(builder: ModuleBuilder, record: int, events: int) -> None:
    """Gives bodies to those functions that something has asked for."""
    writers = {
        "moved": _moved,
        "remember": write_remember,
        "forget": write_forget,
        "lift": write_lift,
        "top": write_top,
        "bottom": write_bottom,
        "take": write_take,
        "put": write_put,
        "count": write_count,
        "sum": write_sum,
        "clear": write_clear,
        "distinct": _distinct,
        "sort": _sort,
        "note": write_note,
        "popcount": _popcount,
        "select": _select,
    }
    for name, write in writers.items():
        if name in builder.functions:
            write(builder)
    if "event" in builder.functions:
        _event(builder, events)
    _fault(builder, record)


def _fault(builder: ModuleBuilder, record: int) -> None:
    """fault(kind, node, a, b, c): the record that the host reads."""
    b = builder.body("fault", (I32,) * RECORD, ())
    for i, argument in enumerate(b.arguments()):
        b.write(const(record + 4 * i), argument)


def _event(builder: ModuleBuilder, events: int) -> None:
    """event(kind, ...): appended to the buffer of events, except in trials.

    If the buffer is full, the run has gone on for too long: without fuel the next back edge is a fault.
    """
    b = builder.body("event", (I32,) * EVENT_WORDS, ())
    end = global_("event")
    with b.if_(global_("trial")):
        b.ret()
    with b.if_(end.gt_u(events + 4 * EVENT_WORDS * (MOST_EVENTS - 1))):
        b.assign(global_("fuel"), -1)
        b.ret()
    for i, argument in enumerate(b.arguments()):
        b.write(end, argument, 4 * i)
    b.assign(end, end + 4 * EVENT_WORDS)


def _distinct(builder: ModuleBuilder) -> None:
    """distinct(first, value): appends the value to the list from `first` to `top` unless it is in it."""
    b = builder.body("distinct", (I32, I32), ())
    first, value = b.arguments()
    p = b.local()
    top = global_("top")
    b.assign(p, first)
    with b.until(p.ge_u(top)):
        with b.if_(p.load().eq(value)):
            b.ret()
        b.assign(p, p + 4)
    b.write(top, value)
    b.assign(top, top + 4)


def _sort(builder: ModuleBuilder) -> None:
    """sort(first, end, size): insertion sort of records by all of their words but the last; stable."""
    b = builder.body("sort", (I32, I32, I32), ())
    first, end, size = b.arguments()
    i, j, k, before, t = b.variables(*(I32,) * 5)
    b.assign(i, first + size)
    with b.until(i.ge_u(end)):
        b.assign(j, i)
        with b.until(j.le_u(first)) as in_order:
            b.assign(before, j - size)
            # leave unless the record at `j` is smaller than the one before it
            b.assign(k, 0)
            with b.forever() as smaller:
                b.br_if(in_order, k.ge_u(size - 4))
                b.br_if(in_order, (before + k).load().lt_s((j + k).load()))
                b.br_if(smaller, (before + k).load().ne((j + k).load()))
                b.assign(k, k + 4)
            _swap_records(b, j, before, size, k, t)
            b.assign(j, before)
        b.assign(i, i + size)


def _swap_records(
    b: Body, one: Variable, other: Variable, size: Variable, k: Variable, word: Variable
) -> None:
    b.assign(k, 0)
    with b.repeat_while(k.tee(k + 4).lt_u(size)):
        b.assign(word, (other + k).load())
        b.write(other + k, (one + k).load())
        b.write(one + k, word)


def _moved(builder: ModuleBuilder) -> None:
    """moved(s, class, number, from, to): queues pieces for triggers; the one whose queue is full, or -1."""
    mc = builder.machine
    b = builder.body("moved", (I32,) * 5)
    _, _, _, origin, to = b.arguments()
    for enters, place in ((True, to), (False, origin)):
        for trigger in mc.triggers:
            if trigger.condition is None and trigger.enters == enters:
                _watch(builder, b, trigger, place)
    b.push(-1)


def _watch(builder: ModuleBuilder, b: Body, trigger: ir.TriggerCode, place: Variable) -> None:
    """Queues each of the moved pieces if the trigger watches the place."""
    mc = builder.machine
    _, _, number, _, _ = b.arguments()
    watched = builder.table(int(i in trigger.watched) for i in range(len(mc.places)))
    with b.temporaries(I32, I32) as (end, left), b.if_(place.ge_s(0)), b.if_((place << 2).load(watched)):
        b.assign(left, number)
        with b.until(left.le_s(0)):
            _enqueue(mc, b, trigger, place, end)
            b.assign(left, left - 1)


def _enqueue(mc: ir.Machine, b: Body, trigger: ir.TriggerCode, place: Variable, end: Variable) -> None:
    """Appends a moved piece to a trigger's queue: its length, then pairs of a piece and a place."""
    s, cls, _, _, to = b.arguments()
    length = s.load(4 * trigger.held)
    b.ret_if(mc.triggers.index(trigger), length.ge_s(trigger.capacity))
    b.assign(end, s + (length << 3))
    b.write(end, to * trigger.classes + cls, 4 * trigger.held + 4)
    b.write(end, place, 4 * trigger.held + 8)
    b.write(s, length + 1, 4 * trigger.held)


def write_board(builder: ModuleBuilder, name: str) -> None:
    """(s): the sets of a pointer or mark are recomputed from its words."""
    board = builder.boards[name.removeprefix("board ")]
    b = builder.body(name, (I32,), ())
    (s,) = b.arguments()
    fx = function_context(builder, b)
    fx.zero(b.state, board.first, board.bytes // 4)
    for row in range(board.rows):
        first = board.first + row * board.row_bytes
        with (
            loops.counting(fx, Constant(0), Constant(board.size - 1)) as index,
            b.temporaries(I32, I32) as (value, at),
        ):
            i = index.operand
            b.assign(value, (s + (i << 2)).load(4 * (board.words.base + row * board.size)))
            bits: Operand = s
            bit = const(1, I64) << i.widened()
            if board.words.kind != "mark":
                bits += bitset_loads.board_index(board, InLocal(value, WIDE)) * (8 * board.wide)
            else:
                bit = select(bit, const(0, I64), value)
            b.write(at.tee(bits + (i >> 6 << 3)), at.load64(first) | bit, first, "i64.store")


def _popcount(builder: ModuleBuilder) -> None:
    """popcount(at, words): how many bits are set."""
    b = builder.body("popcount", (I32, I32))
    at, words = b.arguments()
    total = b.fresh()
    n, word, start = b.variables(I32, I64, I32)
    b.assign(start, at)
    with b.until(words.eqz()):
        b.assign(n, word.tee(at.load64()).popcnt().wrapped())
        b.assign(total, total + n)
        b.assign(words, words - 1)
        b.assign(at, at + 8)
    b.push(total)


def _select(builder: ModuleBuilder) -> None:
    """select(at, k): the number of the k-th bit that is set; there is one."""
    b = builder.body("select", (I32, I32))
    at, k = b.arguments()
    n, word, start = b.variables(I32, I64, I32)
    b.assign(start, at)
    with b.forever() as out:
        b.assign(n, word.tee(at.load64()).popcnt().wrapped())
        b.br_if(out, k.lt_s(n))
        b.assign(k, k - n)
        b.assign(at, at + 8)
    b.push((at - start << 3) + nth_bit(builder, b, word, k))

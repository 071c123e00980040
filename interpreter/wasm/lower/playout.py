"""Decisions that a module makes by itself, each option with equal chance."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dsl.domains import NONE
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import GLOBAL
from interpreter.wasm.emit.purity import is_pure
from interpreter.wasm.lower import bitset_select, calls, const_eval, option_layouts, options, stops
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, Range, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry

OnEntered = Callable[[int, ir.Offer, int], None]
"""Emits what is done in the routine of an offer's part: the offer's number and node, where it goes on."""


def play_decision(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer) -> None:
    b = fx.b
    parts = option_layouts.layout_of(fx, number).parts
    masks = [b.local(I64) if in_register(fx, node, i, p) else None for i, p in enumerate(parts)]
    counts = [b.local() for _ in parts]
    for i, part in enumerate(parts):
        fx.driver.fill(number, node, i, part, masks[i], counts[i])
    fx.node = number
    with b.borrowed(I32, I32) as (total, k):
        b.get(counts[0])
        for local in counts[1:]:
            b.get(local)
            b.op("i32.add")
        b.set(total)
        nothing_at_all(fx, number, node, total)
        fx.driver.count_decision(number)
        fx.driver.refuel()
        if fx.builder.plays_branches:
            b.gget(GLOBAL["others"])
            b.gset(GLOBAL["pausing"])
            b.i32(0)
            b.gset(GLOBAL["changed"])
        count_offered(fx, total, node.passing is not None)
        pick_number(fx, total, 1 if node.passing is not None else 0, k)
        if node.passing is not None:
            b.get(k)
            b.get(total)
            b.op("i32.eq")
            b.when()
            fx.control.go(node.passing)
            b.end()
        choose_part(fx, number, node, parts, masks, counts, k)
    b.release(*counts, *(x for x in masks if x is not None))


def in_register(fx: FunctionContext, node: ir.Decide | ir.Offer, index: int, part: OptionPart) -> bool:
    """Whether a part's bits fit into a local and are found without another function."""
    if not part.small:
        return False
    if isinstance(node, ir.Decide):
        return True
    return isinstance(node.what[index], ir.DoRoutine) and is_pure(fx.mc, part.entries[0])


def fill(
    fx: FunctionContext,
    number: int,
    node: ir.Decide | ir.Offer,
    index: int,
    part: OptionPart,
    mask: int | None,
    count: int,
) -> None:
    """The bits of a part, in a local or in memory, and how many there are."""
    b = fx.b
    if mask is None:
        fill_memory(fx, number, node, index, part, count)
        return
    if part.size == 0:
        b.i32(0)
        b.set(count)

        def done(_: Value) -> None:
            b.i32(1)
            b.set(count)

        options.part_options(fx, number, index, done, None)
        return
    b.i64(0)
    b.set(mask)

    def found(bit: Value) -> None:
        b.get(mask)
        if isinstance(bit, Constant):
            b.i64(1 << bit.value)
        else:
            b.i64(1)
            b.get(bit.local)
            b.op("i64.extend_i32_u", "i64.shl")
        b.op("i64.or")
        b.set(mask)

    def found_set(bits: Bits, r: Range) -> None:
        b.get(mask)
        b.get(bits[0])
        if r.lo != part.lo:
            b.i64(abs(r.lo - part.lo))
            b.op("i64.shl" if r.lo > part.lo else "i64.shr_u")
        b.op("i64.or")
        b.set(mask)

    if isinstance(node, ir.Decide):
        fx.choices(number, node, part.lo, part.size, found, found_set)
    else:
        options.part_options(fx, number, index, found, None, found_set)
    b.get(mask)
    b.op("i64.popcnt", "i32.wrap_i64")
    b.set(count)


def fill_memory(
    fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, count: int
) -> None:
    b, buffer = fx.b, fx.builder.mask_address + 8 * part.first
    with b.borrowed(I32) as (at,):
        b.i32(buffer)
        b.set(at)
        fx.zero(at, 0, 2 * part.words)

        def found(bit: Value) -> None:
            options.set_bit(fx, at, 0, bit)

        def found_set(bits: Bits, r: Range) -> None:
            for i, local in enumerate(bits):
                b.get(at)
                b.get(at)
                b.mem("i64.load", 8 * i)
                b.get(local)
                b.op("i64.or")
                b.mem("i64.store", 8 * i)

        lo = set_begins(fx, node, index)
        whole = found_set if lo == part.lo else None
        if isinstance(node, ir.Decide):
            fx.choices(number, node, part.lo, part.size, found, whole)
        else:
            options.part_options(fx, number, index, found, lambda: b.get(at), whole)
        options.count_bits(fx, at, part.words)
        b.set(count)


def set_begins(fx: FunctionContext, node: ir.Decide | ir.Offer, index: int) -> int | None:
    """Where the set of a part's values begins, if they are found as a set."""
    choice = node
    if isinstance(choice, ir.Offer):
        doing = choice.what[index]
        entry = next(option_layouts.entries_of(fx, doing))
        if not isinstance(doing, ir.DoRoutine) or entry.choice is None:
            return None
        choice = fx.mc.node(entry.choice, ir.Decide)
    r = bitset_select.worthwhile(fx, choice.source, choice.reg, choice.where)
    return r.lo if r is not None else None


def nothing_at_all(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, total: int) -> None:
    b = fx.b
    b.get(total)
    b.op("i32.eqz")
    if node.asks:
        fx.num(node.seat)
        b.i32(NONE)
        b.op("i32.eq", "i32.and")
    b.when()
    stops.nothing_to_choose(fx, number, node, both=True)
    b.end()


def count_offered(fx: FunctionContext, total: int, passing: bool) -> None:
    """What statistics want to know of a decision."""
    if not fx.builder.config.counts:
        return
    b = fx.b
    with b.borrowed(I32) as (n,):
        b.get(total)
        b.i32(int(passing))
        b.op("i32.add")
        b.tee(n)
        b.op("i64.extend_i32_u")
        b.gget(GLOBAL["offered"])
        b.op("i64.add")
        b.gset(GLOBAL["offered"])
        b.get(n)
        b.gget(GLOBAL["widest"])
        b.get(n)
        b.gget(GLOBAL["widest"])
        b.op("i32.gt_s", "select")
        b.gset(GLOBAL["widest"])


def pick_number(fx: FunctionContext, total: int, more: int, k: int) -> None:
    """`k` becomes a number below `total + more`. Where there is only one, nothing is drawn."""
    b = fx.b
    with b.borrowed(I32) as (n,):
        b.get(total)
        if more:
            b.i32(more)
            b.op("i32.add")
        b.set(n)
        b.i32(0)
        b.set(k)
        b.get(n)
        b.i32(1)
        b.op("i32.gt_s")
        b.when()
        next_random(fx)
        b.op("i64.extend_i32_u")
        b.get(n)
        b.op("i64.extend_i32_u", "i64.mul")
        b.i64(32)
        b.op("i64.shr_u", "i32.wrap_i64")
        b.set(k)
        b.end()


def next_random(fx: FunctionContext) -> None:
    """Leaves the next 32 bits of the choosing generator.

    Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
    Random Number Generation" (2014): PCG-XSH-RR 64/32.
    """
    b = fx.b
    with b.borrowed(I64) as (x,):
        fx.driver.rng_get()
        b.tee(x)
        b.i64(Choosing.MULTIPLIER)
        b.op("i64.mul")
        b.i64(Choosing.INCREMENT)
        b.op("i64.add")
        fx.driver.rng_set()
        b.get(x)
        b.get(x)
        b.i64(18)
        b.op("i64.shr_u", "i64.xor")
        b.i64(27)
        b.op("i64.shr_u", "i32.wrap_i64")
        b.get(x)
        b.i64(59)
        b.op("i64.shr_u", "i32.wrap_i64", "i32.rotr")


def choose_part(
    fx: FunctionContext,
    number: int,
    node: ir.Decide | ir.Offer,
    parts: tuple[OptionPart, ...],
    masks: list[int | None],
    counts: list[int],
    k: int,
) -> None:
    """Finds the part in which the k-th option lies, and takes it."""
    b = fx.b
    for i, part in enumerate(parts):
        last = i == len(parts) - 1
        if not last:
            b.get(k)
            b.get(counts[i])
            b.op("i32.lt_s")
            b.when()
        fx.driver.take_kth(number, node, i, part, masks[i], k)
        if not last:
            b.end()
            b.get(k)
            b.get(counts[i])
            b.op("i32.sub")
            b.set(k)


def take_kth(
    fx: FunctionContext,
    number: int,
    node: ir.Decide | ir.Offer,
    index: int,
    part: OptionPart,
    mask: int | None,
    k: int,
) -> None:
    with fx.b.borrowed(I32) as (bit,):
        find_bit(fx, part, mask, k, bit)
        fx.driver.take(number, node, index, part, bit)


def find_bit(fx: FunctionContext, part: OptionPart, mask: int | None, k: int, bit: int) -> None:
    """`bit` becomes the k-th bit that is set."""
    b = fx.b
    if part.size == 0:
        b.i32(0)
        b.set(bit)
        return
    if mask is None:
        b.i32(fx.builder.mask_address + 8 * part.first)
        b.get(k)
        b.call(fx.builder.function("select", (I32, I32)))
        b.set(bit)
        return
    with b.forever() as out:
        b.get(k)
        b.op("i32.eqz")
        b.br_if(out)
        b.get(mask)
        b.get(mask)
        b.i64(1)
        b.op("i64.sub", "i64.and")
        b.set(mask)
        b.get(k)
        b.i32(1)
        b.op("i32.sub")
        b.set(k)
    b.get(mask)
    b.op("i64.ctz", "i32.wrap_i64")
    b.set(bit)


def take(
    fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, index: int, part: OptionPart, bit: int
) -> None:
    if isinstance(node, ir.Decide):
        with fx.frames.slot(node.slot):
            value(fx, part, bit)
        fx.control.go(node.next)
    else:
        take_offer(fx, number, node, index, bit, partial(run_entry, fx))
        fx.control.go(node.next)


def value(fx: FunctionContext, part: OptionPart, bit: int) -> None:
    fx.b.get(bit)
    if part.lo:
        fx.b.i32(part.lo)
        fx.b.op("i32.add")


def run_entry(fx: FunctionContext, number: int, node: ir.Offer, target: int) -> None:
    calls.run_routine(fx, target, node.next)


def take_offer(
    fx: FunctionContext, number: int, node: ir.Offer, index: int, bit: int, run: OnEntered
) -> None:
    """Enters the routine of one part of an offer, with the value of a bit, and emits `run` there."""
    part, doing = option_layouts.layout_of(fx, number).parts[index], node.what[index]
    me = const_eval.operand(fx, node.seat)

    def one(entry: RoutineEntry, actor: Value, arguments: list[Value]) -> None:
        calls.push_frame(fx, number, entry.routine, me, actor, arguments, node.next)
        if entry.choice is None:
            run(number, node, calls.entry_node(fx, entry.routine, entry.given))
            return
        choice = fx.mc.node(entry.choice, ir.Decide)
        plain_too = bool(entry.needs)
        if plain_too:
            fx.b.get(bit)
            fx.b.i32(part.size)
            fx.b.op("i32.eq")
            fx.b.when()
            run(number, node, calls.entry_node(fx, entry.routine, entry.given))
            fx.b.otherwise()
        fx.b.get(fx.frame)
        fx.b.get(bit)
        fx.b.i32(part.lo)
        fx.b.op("i32.add")
        fx.b.store(4 * (fx.builder.size_at[number] + choice.slot))
        run(number, node, choice.next)
        if plain_too:
            fx.b.end()

    if isinstance(doing, ir.DoRoutine):
        arguments = [const_eval.operand(fx, a) for a in doing.arguments]
        one(part.entries[0], Constant(NONE), arguments)
        fx.drop(*arguments)
    else:
        actor = const_eval.operand(fx, doing.actor)

        def by_cell(routine: int, arguments: list[Value]) -> None:
            one(
                next(x for x in part.entries if (x.routine, x.given) == (routine, len(arguments))),
                actor,
                arguments,
            )

        calls.each_cell(fx, doing.cell, by_cell, taking=True)
        fx.drop(actor)
    fx.drop(me)

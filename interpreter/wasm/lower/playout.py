"""Decisions that a module makes by itself, each option with equal chance."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial

from dsl.domains import NONE
from interpreter import ir
from interpreter.chance import Choosing
from interpreter.ir.purity import cannot_refuse, goes_through_collections
from interpreter.wasm.abi import BROKEN_PROMISE, OK
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import (
    bitset_select,
    calls,
    complete_choices,
    const_eval,
    option_layouts,
    options,
    speculation,
    stops,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import WIDE, Bits, Constant, InLocal, Interval, Range, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry

OnEntered = Callable[[int, ir.Offer, int], None]
"""Emits what is done in the routine of an offer's part: the offer's number and node, where it goes on."""


def play_decision(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer) -> None:
    """Finds and counts the options of all parts, picks one at random, and carries it out.

    Where the options of parts are candidates, one that is drawn and cannot be carried out is taken out, and
    another is drawn: of the candidates that can be carried out each has the same chance.
    """
    b = fx.b
    parts = option_layouts.layout_of(fx, number).parts
    masks = [_new_mask(fx, part) for part in parts]
    counts = b.variables(*(I32 for _ in parts))
    before = None
    if any(map(fx.driver.pair, parts)):
        [before] = b.variables(I32)
        b.assign(before, global_("top"))
    fx.offering = True
    if fx.builder.asked_needs:
        b.assign(global_("hidden"), 0)
    for part, mask, count in zip(parts, masks, counts, strict=True):
        fx.untried = fx.driver.defers(part)
        fx.driver.fill(part, mask, count)
    fx.offering = fx.untried = False
    fx.resume(number)
    deferred = any(map(fx.driver.defers, parts))
    with b.temporaries(I32, I32) as (total, k):
        if deferred:
            _pick_candidate(fx, node, Candidates(parts, masks, counts), total, k)
        else:
            b.assign(total, sum(counts[1:], start=counts[0]))
        if before is not None:
            b.assign(global_("top"), before)
            b.release(before)
        _leave_if_nothing(fx, number, node, total)
        if fx.builder.config.checked:
            _check_promises(fx, number)
        fx.driver.count_decision(number)
        fx.driver.refuel()
        if fx.builder.plays_branches:
            b.assign(global_("pausing"), global_("others"))
            b.assign(global_("changed"), 0)
        _count_offered(fx, total, node.passing is not None)
        if not deferred:
            pick_number(fx, total if node.passing is None else total + 1, k)
        if node.passing is not None:
            with b.if_(k.eq(total)):
                fx.control.go(node.passing)
        _choose_part(fx, parts, masks, counts, k)
    b.release(*(x for x in (*counts, *masks) if x is not None))


def _new_mask(fx: FunctionContext, part: OptionPart) -> Variable | None:
    """Where the options of a part are found: a set in a local, or the address of pairs; none: in memory."""
    if fx.driver.pair(part) is not None:
        return fx.b.local()
    return fx.b.local(I64) if in_register(fx, part) else None


def _check_promises(fx: FunctionContext, number: int) -> None:
    """A promise that does not hold is a fault. Within `together` nothing is promised."""
    b = fx.b
    fx.control.put_back()
    with (
        b.if_(b.state.load(4 * ir.FORKED).eqz()),
        b.temporaries(I32) as (broken,),
        b.if_(broken.tee(fx.builder.call("promises", b.state))),
    ):
        fx.resume(number)
        fx.fault(BROKEN_PROMISE, InLocal(broken, WIDE))


def in_register(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether a part's bits fit into a local and are found without another function."""
    if not part.small:
        return False
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return True
    return isinstance(node.what[part.index], ir.DoRoutine) and option_layouts.is_pure(fx, part.entries[0])


# ---- finding options


def fill(fx: FunctionContext, part: OptionPart, mask: Variable | None, count: Variable) -> None:
    """The bits of a part, in a local or in memory, and how many there are."""
    b, node = fx.b, fx.mc.decision(part.node)
    if mask is None:
        _fill_memory(fx, part, count)
        return
    if part.size == 0:
        b.assign(count, 0)
        options.part_options(fx, part.node, part.index, lambda _: b.assign(count, 1), None)
        return
    b.assign(mask, 0)

    def add(bit: Value) -> None:
        if isinstance(bit, Constant):
            one = const(1 << bit.value, I64)
        else:
            one = const(1, I64) << bit.operand.widened()
        b.assign(mask, mask | one)

    def add_set(bits: Bits, r: Range) -> None:
        found: Operand = bits[0]
        if r.lo > part.lo:
            found = found << r.lo - part.lo
        elif r.lo < part.lo:
            found = found >> part.lo - r.lo
        b.assign(mask, mask | found)

    if isinstance(node, ir.Decide):
        fx.choices(part.node, node, part.lo, part.size, add, add_set)
    else:
        options.part_options(fx, part.node, part.index, add, None, add_set)
    b.assign(count, mask.popcnt().wrapped())


def _fill_memory(fx: FunctionContext, part: OptionPart, count: Variable) -> None:
    b, node = fx.b, fx.mc.decision(part.node)
    with b.temporaries(I32) as (at,):
        b.assign(at, fx.builder.mask_address + 8 * part.first)
        fx.zero(at, 0, 2 * part.words)

        def add(bit: Value) -> None:
            options.set_bit(fx, at, 0, bit)

        def add_set(bits: Bits, r: Range) -> None:
            for i, local in enumerate(bits):
                b.write(at, at.load64(8 * i) | local, 8 * i, "i64.store")

        whole = add_set if set_begins(fx, node, part.index) == part.lo else None
        if isinstance(node, ir.Decide):
            fx.choices(part.node, node, part.lo, part.size, add, whole)
        else:
            options.part_options(fx, part.node, part.index, add, at, whole)
        b.assign(count, options.count_bits(fx, at, part.words))


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


def _leave_if_nothing(fx: FunctionContext, number: int, node: ir.Decide | ir.Offer, total: Variable) -> None:
    """Goes on without a decision if there are no options and nobody is asked."""
    b = fx.b
    b.push(total.eqz())
    if node.asks:
        fx.num(node.seat)
        b.push(STACK & STACK.eq(NONE))
    with b.if_(STACK):
        stops.nothing_to_choose(fx, number, node, both=True)


def _count_offered(fx: FunctionContext, total: Variable, passing: bool) -> None:
    """Counts, for statistics, the options of a decision."""
    if not fx.builder.config.counts:
        return
    b, offered, widest = fx.b, global_("offered"), global_("widest")
    with b.temporaries(I32) as (n,):
        b.assign(offered, n.tee(total + int(passing)).widened() + offered)
        b.assign(widest, select(n, widest, n.gt_s(widest)))


# ---- picking one


def pick_number(fx: FunctionContext, total: Operand, k: Variable) -> None:
    """`k` becomes a number below `total`. Where there is only one, nothing is drawn."""
    b = fx.b
    with b.temporaries(I32) as (n,):
        b.assign(n, total)
        b.assign(k, 0)
        with b.if_(n.gt_s(1)):
            _push_random(fx)
            b.assign(k, (STACK.widened() * n.widened() >> 32).wrapped())


def _push_random(fx: FunctionContext) -> None:
    """Leaves the next 32 bits of the choosing generator.

    Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
    Random Number Generation" (2014): PCG-XSH-RR 64/32.
    """
    b, rng = fx.b, fx.driver.rng
    with b.temporaries(I64) as (x,):
        b.assign(rng, x.tee(rng) * Choosing.MULTIPLIER + Choosing.INCREMENT)
        b.push(((x ^ x >> 18) >> 27).wrapped().rotr((x >> 59).wrapped()))


def _choose_part(
    fx: FunctionContext,
    parts: tuple[OptionPart, ...],
    masks: list[Variable | None],
    counts: list[Variable],
    k: Variable,
) -> None:
    """Finds the part in which the k-th option lies, and takes it."""
    b = fx.b
    for part, mask, count in zip(parts[:-1], masks, counts, strict=False):
        with b.if_(k.lt_s(count)):
            fx.driver.take_kth(part, mask, k)
        b.assign(k, k - count)
    fx.driver.take_kth(parts[-1], masks[-1], k)


def find_bit(
    fx: FunctionContext, part: OptionPart, mask: Variable | None, k: Variable, bit: Variable
) -> None:
    """`bit` becomes the k-th bit that is set."""
    b = fx.b
    if part.size == 0:
        b.assign(bit, 0)
    elif mask is None:
        b.assign(bit, fx.builder.call("select", const(fx.builder.mask_address + 8 * part.first), k))
    else:
        b.assign(bit, kth_bit(fx, mask, k))


def kth_bit(fx: FunctionContext, mask: Variable, k: Variable) -> Operand:
    """The k-th bit of a set of 64 bits; both variables change."""
    b = fx.b
    with b.until(k.eqz()):
        b.assign(mask, mask & (mask - 1))
        b.assign(k, k - 1)
    return mask.ctz().wrapped()


# ---- candidates


@dataclass(frozen=True, slots=True)
class Candidates:
    """The parts of a decision, the bits of each, in a local or in memory, and how many there are."""

    parts: tuple[OptionPart, ...]
    masks: list[Variable | None]
    counts: list[Variable]


def _pick_candidate(
    fx: FunctionContext, node: ir.Decide | ir.Offer, found: Candidates, total: Variable, k: Variable
) -> None:
    """`k` becomes the number of a candidate that can be carried out, of `total` that are left.

    Candidates that are drawn in vain are taken out. `total` becomes 0 if none can be carried out, or 0 and
    `k` 0 if there is none. Where passing is drawn, `k` is `total`.
    """
    b = fx.b
    picked = b.block()
    again = b.loop()
    b.assign(total, sum(found.counts[1:], start=found.counts[0]))
    b.br_if(picked, total.eqz())
    pick_number(fx, total if node.passing is None else total + 1, k)
    with b.temporaries(I32) as (left,):
        b.assign(left, k)
        for part, mask, count in zip(found.parts, found.masks, found.counts, strict=True):
            with b.if_(left.lt_s(count)):
                if fx.driver.defers(part):
                    _try_drawn(fx, part, mask, count, left, picked)
                    b.br(again)
                else:
                    b.br(picked)
            b.assign(left, left - count)
    b.end()
    b.end()


def _try_drawn(
    fx: FunctionContext, part: OptionPart, mask: Variable | None, count: Variable, k: Variable, picked: Label
) -> None:
    """Leaves the block `picked` if the k-th candidate of a part can be carried out; else takes it out."""
    b = fx.b
    pair = fx.driver.pair(part)
    if pair is not None:
        assert mask is not None
        complete_choices.push_trial(fx, part, pair, mask, k)
        b.br_if(picked, STACK)
        complete_choices.take_out(fx, mask, k, count)
    else:
        with b.temporaries(I32) as (bit,):
            find_candidate(fx, part, mask, k, bit)
            push_trial(fx, part, bit)
            b.br_if(picked, STACK)
            take_out(fx, part, mask, bit)
    b.assign(count, count - 1)


def find_candidate(
    fx: FunctionContext, part: OptionPart, mask: Variable | None, k: Variable, bit: Variable
) -> None:
    """`bit` becomes the k-th bit that is set; the set stays as it is."""
    b = fx.b
    if mask is None:
        find_bit(fx, part, mask, k, bit)
        return
    with b.temporaries(I64) as (left,):
        b.assign(left, mask)
        find_bit(fx, part, left, k, bit)


def take_out(fx: FunctionContext, part: OptionPart, mask: Variable | None, bit: Variable) -> None:
    """An option of a part is one no more."""
    b = fx.b
    if mask is not None:
        b.assign(mask, mask & (const(1, I64) << bit.widened() ^ -1))
        return
    with b.temporaries(I32) as (at,):
        left = at.load64() & (const(1, I64) << bit.widened() ^ -1)
        b.write(
            at.tee(const(fx.builder.mask_address + 8 * part.first) + (bit >> 6 << 3)), left, 0, "i64.store"
        )


def push_trial(fx: FunctionContext, part: OptionPart, bit: Variable) -> None:
    """Leaves whether a candidate can be carried out; one without a value shows a need that is a fault."""
    b, node = fx.b, fx.mc.decision(part.node)
    fx.offering = True
    if isinstance(node, ir.Decide):
        with b.temporaries(I32) as (chosen,):
            b.assign(chosen, value(part, bit))
            speculation.try_value(fx, part.node, node, InLocal(chosen, _span(part)))
    else:
        with b.if_(bit.eq(part.size), I32):
            b.push(1)
            b.otherwise()
            _push_trial_of_offer(fx, part, node, bit)
    fx.offering = False
    fx.resume(part.node)


def _span(part: OptionPart) -> Interval:
    return (part.lo, part.lo + part.size - 1)


def _push_trial_of_offer(fx: FunctionContext, part: OptionPart, node: ir.Offer, bit: Variable) -> None:
    b, doing, entry = fx.b, node.what[part.index], part.entries[0]
    assert isinstance(doing, ir.DoRoutine)
    assert entry.choice is not None
    choice = fx.mc.node(entry.choice, ir.Decide)
    with calls.offered_frame(fx, node, doing) as words, b.temporaries(I32) as (chosen,):
        b.assign(chosen, value(part, bit))
        held = InLocal(chosen, _span(part))
        if option_layouts.is_pure(fx, entry):
            with calls.virtual(fx, words | {choice.slot: held}):
                speculation.try_in_place(fx, choice.next)
            return
        arguments = [words[ir.FRAME + i] for i in range(entry.given)]
        calls.push_frame(fx, part.node, entry.routine, words[ir.ME], Constant(NONE), arguments, OK)
        with b.temporaries(I32) as (held_,):
            b.assign(held_, fx.builder.call(f"candidate {entry.choice}", b.state, chosen))
            calls.pop_frame(fx, part.node, len(arguments))
            with b.if_(held_.lt_s(0)):
                assert fx.fault_label is not None
                b.br(fx.fault_label)
            b.push(held_)


def is_deferred(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether it takes a trial that is worth leaving out to find a part's options."""
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return node.trial and _is_long(fx, node)
    if not isinstance(node.what[part.index], ir.DoRoutine) or part.entries[0].choice is None:
        return False
    return _is_long(fx, fx.mc.node(part.entries[0].choice, ir.Decide))


def _is_long(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether a trial copies the state, or goes through collections."""
    if cannot_refuse(fx.mc, node.next):
        return False
    return not fx.builder.is_pure_path(node.next) or goes_through_collections(fx.mc, node.next)


# ---- carrying it out


def take(fx: FunctionContext, part: OptionPart, bit: Variable) -> None:
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        fx.set_slot(node.slot, value(part, bit))
    else:
        take_offer(fx, part.node, node, part.index, bit, partial(_run_entry, fx))
    fx.control.go(node.next)


def value(part: OptionPart, bit: Operand) -> Operand:
    """The value that a bit stands for."""
    return bit + part.lo if part.lo else bit


def _run_entry(fx: FunctionContext, number: int, node: ir.Offer, target: int) -> None:
    calls.run_routine(fx, target, node.next)


def take_offer(
    fx: FunctionContext, number: int, node: ir.Offer, index: int, bit: Operand, run: OnEntered
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
        with fx.b.if_(bit.eq(part.size)) if plain_too else nullcontext():
            if plain_too:
                run(number, node, calls.entry_node(fx, entry.routine, entry.given))
                fx.b.otherwise()
            slot = fx.builder.size_at[number] + choice.slot
            fx.b.write(fx.frame, bit + part.lo, 4 * slot)
            run(number, node, choice.next)

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

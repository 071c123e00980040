"""What one thing to do offers: a bit for each value that may be chosen, of which one is drawn."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.purity import cannot_refuse, goes_through_collections
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import (
    bitset_select,
    calls,
    const_eval,
    drawing,
    option_layouts,
    options,
    speculation,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Bits, Constant, InLocal, Range, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry

OnEntered = Callable[[int, ir.Offer, int], None]
"""Emits what is done in the routine of an offer's part: the offer's number and node, where it goes on."""


class ValueOptions:
    """The options of a part as bits, in a local or in memory.

    If they are `tried` when they are drawn, they are candidates until then.
    """

    def __init__(self, fx: FunctionContext, part: OptionPart) -> None:
        self.fx, self.part = fx, part
        self.count = fx.b.local()
        self.mask = fx.b.local(I64) if in_register(fx, part) else None
        self.tried = fx.builder.config.flat and is_worth_deferring(fx, part)

    def find(self) -> None:
        self.fx.untried = self.tried
        fill(self.fx, self.part, self.mask, self.count)
        self.fx.untried = False

    def try_drawn(self, k: Variable, picked: Label) -> None:
        b = self.fx.b
        with b.temporaries(I32) as (bit,):
            self._find_candidate(k, bit)
            self._push_trial(bit)
            b.br_if(picked, STACK)
            self._take_out(bit)
        b.assign(self.count, self.count - 1)

    def take(self, k: Variable) -> None:
        with self.fx.b.temporaries(I32) as (bit,):
            self._find_bit(self.mask, k, bit)
            self.fx.driver.take(self.part, bit)

    def release(self) -> None:
        self.fx.b.release(self.count, *(() if self.mask is None else (self.mask,)))

    def _find_bit(self, mask: Variable | None, k: Variable, bit: Variable) -> None:
        """`bit` becomes the k-th bit that is set."""
        b = self.fx.b
        if self.part.size == 0:
            b.assign(bit, 0)
        elif mask is None:
            b.assign(bit, self.fx.builder.call("select", self._address(), k))
        else:
            b.assign(bit, drawing.kth_bit(self.fx, mask, k))

    def _find_candidate(self, k: Variable, bit: Variable) -> None:
        """`bit` becomes the k-th bit that is set; the set stays as it is."""
        if self.mask is None:
            self._find_bit(None, k, bit)
            return
        with self.fx.b.temporaries(I64) as (left,):
            self.fx.b.assign(left, self.mask)
            self._find_bit(left, k, bit)

    def _take_out(self, bit: Variable) -> None:
        """An option is one no more."""
        b = self.fx.b
        others = const(1, I64) << bit.widened() ^ -1
        if self.mask is not None:
            b.assign(self.mask, self.mask & others)
            return
        with b.temporaries(I32) as (at,):
            b.assign(at, self._address() + (bit >> 6 << 3))
            b.write(at, at.load64() & others, 0, "i64.store")

    def _address(self) -> Operand:
        return const(self.fx.builder.mask_address + 8 * self.part.first)

    def _push_trial(self, bit: Variable) -> None:
        """Leaves whether a candidate can be carried out; one without a value shows a need that is a fault."""
        fx, part = self.fx, self.part
        b, node = fx.b, fx.mc.decision(part.node)
        with b.temporaries(I32) as (chosen,):
            held = InLocal(chosen, (part.lo, part.lo + part.size - 1))
            if isinstance(node, ir.Decide):
                b.assign(chosen, value(part, bit))
                speculation.try_value(fx, part.node, node, held)
                return
            with b.if_(bit.eq(part.size), I32):
                b.push(1)
                b.otherwise()
                b.assign(chosen, value(part, bit))
                self._push_trial_of_offer(node, held)

    def _push_trial_of_offer(self, node: ir.Offer, held: InLocal) -> None:
        fx, doing, entry = self.fx, node.what[self.part.index], self.part.entries[0]
        assert isinstance(doing, ir.DoRoutine)
        assert entry.choice is not None
        slot = fx.mc.node(entry.choice, ir.Decide).slot
        with calls.offered_frame(fx, node, doing) as words:
            speculation.try_chosen(fx, entry, words, {slot: held}, entry.choice)


def is_worth_deferring(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether it takes a trial that is worth leaving out to find a part's options."""
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return node.trial and _is_long(fx, node)
    if not isinstance(node.what[part.index], ir.DoRoutine) or part.entries[0].choice is None:
        return False
    return _is_long(fx, fx.mc.node(part.entries[0].choice, ir.Decide))


def _is_long(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether a trial changes the state, or goes through collections."""
    if cannot_refuse(fx.mc, node.next):
        return False
    return not fx.builder.is_pure_path(node.next) or goes_through_collections(fx.mc, node.next)


# ---- finding them


def in_register(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether a part's bits fit into a local and are found without another function."""
    if not part.small:
        return False
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return True
    return isinstance(node.what[part.index], ir.DoRoutine) and option_layouts.is_pure(fx, part.entries[0])


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


# ---- carrying one out


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

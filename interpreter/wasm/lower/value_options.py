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
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import (
    bitset_pieces,
    calls,
    const_eval,
    drawing,
    option_layouts,
    options,
    speculation,
    tried_choices,
)
from interpreter.wasm.lower.context import FunctionContext, OptionSink
from interpreter.wasm.lower.option_sinks import BitsInLocal, ClassesInLocal, EachOption, WordsBehind
from interpreter.wasm.lower.values import Constant, InLocal, Value
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
        self.classes = classes_of_place(fx, part)
        self.mask = fx.b.local(I64) if self.classes is not None or in_register(fx, part) else None
        self.first = fx.b.local() if self.classes is not None else None
        self.tried = fx.builder.config.flat and is_worth_deferring(fx, part)

    def find(self) -> None:
        self.fx.untried = self.tried
        if self.first is not None:
            assert self.mask is not None
            assert self.classes is not None
            self.fx.b.assign(self.mask, 0)
            fill(self.fx, self.part, ClassesInLocal(self.fx, self.classes, self.mask, self.first))
            self.fx.b.assign(self.count, self.mask.popcnt().wrapped())
        else:
            find(self.fx, self.part, self.mask, self.count)
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
        self.fx.b.release(*(x for x in (self.count, self.mask, self.first) if x is not None))

    def _find_bit(self, mask: Variable | None, k: Variable, bit: Variable) -> None:
        """`bit` becomes the k-th bit that is set."""
        b = self.fx.b
        if self.part.size == 0:
            b.assign(bit, 0)
        elif mask is None:
            b.assign(bit, self.fx.builder.call("select", self._address(), k))
        else:
            b.assign(bit, drawing.kth_bit(self.fx, mask, k))
            if self.first is not None:
                piece = self.first + bit - self.part.lo
                b.assign(
                    bit, select(self.part.size, piece, bit.eq(self._plain)) if self._has_plain else piece
                )

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
        if self.mask is not None and self.first is not None:
            with b.temporaries(I32) as (class_of,):
                b.assign(class_of, bit + self.part.lo - self.first)
                if self._has_plain:
                    b.assign(class_of, select(self._plain, class_of, bit.eq(self.part.size)))
                b.assign(self.mask, self.mask & (const(1, I64) << class_of.widened() ^ -1))
            return
        others = const(1, I64) << bit.widened() ^ -1
        if self.mask is not None:
            b.assign(self.mask, self.mask & others)
            return
        with b.temporaries(I32) as (at,):
            b.assign(at, self._address() + (bit >> 6 << 3))
            b.write(at, at.load64() & others, 0, "i64.store")

    @property
    def _plain(self) -> int:
        """The bit for no value, among classes."""
        assert self.classes is not None
        return self.classes

    @property
    def _has_plain(self) -> bool:
        """Whether the thing may be to be done without a value, to show that a need is a fault."""
        return any(entry.needs for entry in self.part.entries)

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


def classes_of_place(fx: FunctionContext, part: OptionPart) -> int | None:
    """The number of classes, if the options are pieces of one place and are found without a function."""
    node = fx.mc.decision(part.node)
    choice = node
    if isinstance(choice, ir.Offer):
        if not isinstance(choice.what[part.index], ir.DoRoutine) or part.entries[0].choice is None:
            return None
        if not option_layouts.is_pure(fx, part.entries[0]):
            return None
        choice = fx.mc.node(part.entries[0].choice, ir.Decide)
    source = choice.source
    if part.small or not bitset_pieces.is_one_place(fx, source):
        return None
    assert isinstance(source, ir.Pieces)
    return source.classes if source.classes < 64 else None


def is_worth_deferring(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether it takes a trial that is worth leaving out to find a part's options."""
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return node.trial and _is_long(fx, node)
    if not isinstance(node.what[part.index], ir.DoRoutine) or part.entries[0].choice is None:
        return False
    return _is_long(fx, fx.mc.node(part.entries[0].choice, ir.Decide))


def _is_long(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether a trial changes the state, or goes through collections once more for each value."""
    if cannot_refuse(fx.mc, node.next):
        return False
    if not fx.builder.is_pure_path(node.next):
        return True
    return goes_through_collections(fx.mc, node.next) and not _is_asked_of_classes(fx, node)


def _is_asked_of_classes(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether what trials ask is asked of the classes of pieces, of all of them at once."""
    asked = tried_choices.asked_of_values(fx, node)
    if asked is None or not asked.exact:
        return False
    return bitset_pieces.worthwhile(fx, node.source, asked.reg, asked.both) is not None


# ---- finding them


def in_register(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether a part's bits fit into a local and are found without another function."""
    if not part.small:
        return False
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        return True
    return isinstance(node.what[part.index], ir.DoRoutine) and option_layouts.is_pure(fx, part.entries[0])


def find(fx: FunctionContext, part: OptionPart, mask: Variable | None, count: Variable) -> None:
    """The bits of a part, in a local or in the part's words, and how many there are."""
    b = fx.b
    if mask is None:
        with b.temporaries(I32) as (at,):
            b.assign(at, fx.builder.mask_address + 8 * part.first)
            fx.zero(at, 0, 2 * part.words)
            fill(fx, part, WordsBehind(fx, part, (at, 0)), at)
            b.assign(count, options.count_bits(fx, at, part.words))
    elif part.size == 0:
        b.assign(count, 0)
        fill(fx, part, EachOption(lambda _: None, lambda: b.assign(count, 1)))
    else:
        b.assign(mask, 0)
        fill(fx, part, BitsInLocal(fx, part, mask))
        b.assign(count, mask.popcnt().wrapped())


def fill(fx: FunctionContext, part: OptionPart, to: OptionSink, buffer: Operand | None = None) -> None:
    """Finds the options of a part. `buffer` is where they go that a function has to find out."""
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide):
        fx.choices(part.node, node, to)
    else:
        options.part_options(fx, part.node, part.index, to, buffer)


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

"""What one thing to do offers: a bit for each value that may be chosen, of which one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.fold import conjuncts
from interpreter.ir.purity import cannot_refuse, goes_through_collections
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand, Variable
from interpreter.wasm.lower import (
    arithmetic,
    bitset_pieces,
    bitset_select,
    calls,
    candidates,
    const_eval,
    option_layouts,
    speculation,
    tried_choices,
)
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.option_stores import ClassStore, ClassWordStore, option_store
from interpreter.wasm.lower.values import Constant, InLocal, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry

OnEntered = Callable[[int, ir.Offer, int], None]
"""Emits what is done in the routine of an offer's part: the offer's number and node, where it continues."""


class ValueOptions:
    """The options of a part. If they are `tried` when they are drawn, they are candidates until then."""

    def __init__(self, fx: FunctionContext, part: OptionPart) -> None:
        self.fx, self.part = fx, part
        self.count = fx.b.local()
        self.tried = fx.builder.config.flat and is_worth_deferring(fx, part)
        self.store = option_store(fx, part, self.tried)

    @property
    def of_hand(self) -> bool:
        """Whether the options are pieces of one place, of which there is often only one."""
        return isinstance(self.store, ClassStore | ClassWordStore)

    def find(self) -> None:
        self.fx.untried = self.fx.divided = self.tried
        self.store.find(self.count)
        self.fx.untried = self.fx.divided = False

    def try_drawn(self, k: Variable, picked: Label) -> None:
        b = self.fx.b
        with b.temporaries(I32) as (bit,):
            self.store.kth(k, bit, keep=True)
            self._push_trial(bit)
            b.br_if(picked, STACK)
            self.store.take_out(bit)
        b.assign(self.count, self.count - 1)

    def take(self, k: Variable) -> None:
        with self.fx.b.temporaries(I32) as (bit,):
            self.store.kth(k, bit, keep=False)
            self.fx.driver.take(self.part, bit)

    def release(self) -> None:
        self.store.release()
        self.fx.b.release(self.count)

    def _push_trial(self, bit: Variable) -> None:
        """Leaves whether a candidate can be carried out; one without a value shows a need that is a fault."""
        fx, part = self.fx, self.part
        b, node = fx.b, fx.mc.decision(part.node)
        with b.temporaries(I32) as (chosen,):
            held = InLocal(chosen, (part.lo, part.lo + part.size - 1))
            if isinstance(node, ir.Decide):
                b.assign(chosen, value(part, bit))
                with _if_drawn_meets(fx, node, held):
                    if node.trial:
                        speculation.try_value(fx, part.node, node, held)
                    else:
                        b.push(1)
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
        choice = fx.mc.node(entry.choice, ir.Decide)
        with (
            calls.offered_frame(fx, node, doing) as words,
            _if_drawn_meets(fx, choice, held, words),
        ):
            speculation.try_chosen(fx, entry, words, {choice.slot: held}, entry.choice)


@contextmanager
def _if_drawn_meets(
    fx: FunctionContext, node: ir.Decide, held: InLocal, words: Mapping[int, Value] | None = None
) -> Iterator[None]:
    """Leaves 0 if a drawn value does not meet what is asked of it alone, else what is left within."""
    asked = candidates.candidates_of(fx, node)
    if asked.of_drawn is None:
        yield
        return
    with calls.virtual(fx, words) if words is not None else nullcontext(), fx.reg(asked.reg, held):
        arithmetic.truth(fx, asked.of_drawn)
    with fx.b.if_(STACK, I32):
        yield
        fx.b.otherwise()
        fx.b.push(0)


def is_worth_deferring(fx: FunctionContext, part: OptionPart) -> bool:
    """Whether it takes a trial that is worth leaving out to find a part's options."""
    node = fx.mc.decision(part.node)
    if not isinstance(node, ir.Decide):
        if not isinstance(node.what[part.index], ir.DoRoutine) or part.entries[0].choice is None:
            return False
        node = fx.mc.node(part.entries[0].choice, ir.Decide)
    return (node.trial and _is_long(fx, node)) or candidates.candidates_of(fx, node).of_drawn is not None


def _is_long(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether a trial changes the state, or goes through collections once more for each value."""
    if cannot_refuse(fx.mc, node.next):
        return False
    if not fx.builder.is_pure_path(node.next):
        return True
    return goes_through_collections(fx.mc, node.next) and not _is_asked_at_once(fx, node)


def _is_asked_at_once(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether what trials ask is asked of all values, or of all classes of pieces, at once."""
    asked = tried_choices.asked_of_values(fx, node)
    if asked is None or not asked.exact:
        return False
    if bitset_pieces.worthwhile(fx, node.source, asked.reg, asked.both) is not None:
        return True
    both = asked.both
    r = bitset_select.worthwhile(fx, node.source, asked.reg, both)
    if r is None or both is None:
        return False
    return all(bitset_select.settable(fx, part, asked.reg, r) for part in conjuncts(both))


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

        calls.each_cell(fx, doing, by_cell, taking=True)
        fx.drop(actor)
    fx.drop(me)

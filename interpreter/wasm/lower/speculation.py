"""Trials: whether something could be carried out.

A trial that only looks is evaluated where it is asked for. One that changes the state runs in a function that
undoes it (`trials`), or, if it may come to what cannot be undone, on a copy of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.purity import cannot_refuse, uses
from interpreter.wasm.abi import FAIL, MOST_WORK, NO_ROOM, OK, SEARCHED_LONG
from interpreter.wasm.emit.body import Label
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import ModuleBuilder, global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const, select
from interpreter.wasm.lower import (
    arithmetic,
    calls,
    const_eval,
    coverage,
    expressions,
    histories,
    loops,
    refusals,
    routine_conditions,
    writes,
)
from interpreter.wasm.lower.calls import Zeros
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.option_sinks import EachOption
from interpreter.wasm.lower.trial_paths import OVERFLOWS, TrialPlan, plan_of
from interpreter.wasm.lower.values import TRUTH, WIDE, Constant, InLocal, Interval, Lazy, Value
from interpreter.wasm.option_layout import RoutineEntry

# ---- trials that only look


def try_in_place(fx: FunctionContext, number: int) -> None:
    """Leaves whether a pure stretch from a node comes to its first stop. A fault hides nothing: 1.

    Only that nothing is left to work with is a fault of whoever searches.
    """
    if cannot_refuse(fx.mc, number):
        fx.b.push(1)
        return
    condition, exact = fx.builder.trial_of_path(number)
    if exact and not fx.mc.cover:
        with expressions.common_subexpressions(fx, condition):
            try_condition(fx, condition)
        return
    done = fx.b.block(I32)
    with _quietly_again(fx):
        _probe_from(fx, number, done)
    fx.b.push(1)
    fx.b.end()


HIDDEN = 2
"""Instead of 1: what is tried succeeds, since it faults, which hides nothing."""


def try_condition(fx: FunctionContext, condition: ir.Expr) -> None:
    """Leaves whether a trial succeeds that is a condition: 0, 1 or `HIDDEN`."""
    done = fx.b.block(I32)
    with _quietly_again(fx) if fx.builder.lasts(condition) else _quietly(fx):
        arithmetic.truth(fx, condition)
        fx.b.br(done)
    fx.b.push(HIDDEN)
    fx.b.end()


@contextmanager
def _quietly(fx: FunctionContext) -> Iterator[None]:
    """What is emitted leaves the block; a fault leads behind it."""
    with _leading_to(fx, fx.b.block()):
        yield
    note_hidden(fx)


@contextmanager
def _quietly_again(fx: FunctionContext) -> Iterator[None]:
    """The same for a trial that takes fuel.

    If it comes to the end of what others have left, it begins again with as much as the first had.
    """
    b, fuel = fx.b, fx.driver.fuel
    with b.temporaries(I32) as (again,):
        b.assign(again, 0)
        begin = b.loop()
        with _leading_to(fx, b.block()):
            yield
        with b.if_(fuel.lt_s(0) & again.eqz()):
            loops.resupply(fx)
            b.assign(again, 1)
            b.br(begin)
        b.end()
    note_hidden(fx)


@contextmanager
def _leading_to(fx: FunctionContext, bad: Label) -> Iterator[None]:
    """A fault leads behind a block, which ends there."""
    node = fx.node
    with fx.faulting(bad, quiet=True):
        yield
    fx.resume(node)
    fx.b.end()


def note_hidden(fx: FunctionContext) -> None:
    """Something that was tried faulted, which shows when it is chosen."""
    if fx.builder.asked_needs:
        fx.b.assign(global_("hidden"), 1)
    loops.resupply(fx)


def _probe_from(fx: FunctionContext, number: int, done: Label) -> None:
    b = fx.b
    node = fx.mc.nodes[number]
    fx.enter(number)
    match node:
        case ir.Precondition(condition=condition, next=following):
            fx.num(condition)
            with b.if_(STACK.eqz()):
                b.push(0)
                b.br(done)
            _probe_from(fx, following, done)
        case ir.Branch(condition=condition, then=then, otherwise=otherwise):
            fx.num(condition)
            with b.if_(STACK):
                _probe_from(fx, then, done)
                b.otherwise()
                _probe_from(fx, otherwise, done)
        case ir.SetLocal(slot=slot, value=value, next=following):
            lazy = isinstance(value, ir.Best) and not coverage.notes(fx, value)
            once = lazy and uses(fx.mc, following, slot) <= 1
            held: Value | Lazy = Lazy(value, WIDE) if once else const_eval.operand(fx, value)
            with calls.with_slot(fx, slot, held):
                _probe_from(fx, following, done)
            fx.drop(held)
        case ir.ClearLocals(first=first, last=last, next=following):
            before = fx.slots
            cleared = {**before, **{i: Constant(0) for i in range(first, last)}}
            fx.slots = Zeros(cleared) if isinstance(before, Zeros) else cleared
            _probe_from(fx, following, done)
            fx.slots = before
        case ir.Cover(point=point, outcome=outcome, next=following):
            coverage.note(fx, point, outcome & ~ir.RAN | (ir.TRIED if outcome & ir.RAN else 0))
            _probe_from(fx, following, done)
        case ir.Transfer():
            writes.push_is_payable(fx, node)
            b.br(done)
        case ir.Decide():
            _probe_decision(fx, number, node, done)
        case _:
            b.push(1)
            b.br(done)


def _probe_decision(fx: FunctionContext, number: int, node: ir.Decide, done: Label) -> None:
    b = fx.b
    if node.asks:
        fx.num(node.seat)
        with b.if_(STACK.ne(NONE)):
            b.push(1)
            b.br(done)

    def found(_: Value) -> None:
        b.push(1)
        b.br(done)

    fx.choices(number, node, EachOption(found))
    fx.resume(number)
    following = node.nothing if node.nothing is not None else node.passing
    if following is not None:
        _probe_from(fx, following, done)
    else:
        b.push(0)
        b.br(done)


# ---- trials in place


def try_value(
    fx: FunctionContext, number: int, node: ir.Decide, value: Value, first: int | None = None
) -> None:
    """Leaves whether a parameter's value leads to a first stop, from a node behind it on."""
    if not fx.builder.config.explains and fx.builder.is_pure_path(node.next):
        with calls.with_slot(fx, node.slot, value):
            try_in_place(fx, node.next)
        fx.resume(number)
        return

    begin = node.next if first is None else first

    def copied() -> None:
        assert not isinstance(fx.slots, Zeros)
        with fx.b.temporaries(I32, I32) as (t, frame):
            copy_state(fx, t, begin)
            fx.b.write(frame.tee(_frame_in_copy(fx, t)), value.operand, 4 * node.slot)
            fx.b.write(frame, OK, 4 * ir.RETURN)
            try_run(fx, t, begin)

    plan = plan_of(fx, begin)
    if plan is None:
        copied()
        return
    with calls.with_slot(fx, node.slot, value):
        _try_and_undo(fx, plan, copied)
    fx.resume(number)


def try_chosen(
    fx: FunctionContext,
    entry: RoutineEntry,
    words: Mapping[int, Value],
    chosen: Mapping[int, InLocal],
    last: int,
) -> None:
    """Leaves whether a routine can be carried out whose parameters are `chosen`, by slot.

    `words` are those that its caller sets in its frame; `last` is the decision about its last parameter.
    """
    b, node = fx.b, fx.mc.node(last, ir.Decide)
    if fx.builder.is_pure_path(node.next):
        with calls.virtual(fx, {**words, **chosen}):
            try_in_place(fx, node.next)
        return
    if fx.frameless:
        with calls.virtual(fx, {**words, **chosen}):
            try_value(fx, last, node, chosen[node.slot])
        return
    number = fx.node
    given = [words[ir.FRAME + i] for i in range(entry.given)]
    calls.push_frame(fx, number, entry.routine, words[ir.ME], words[ir.SELF], given, OK)
    before = [slot for slot in chosen if slot != node.slot]
    for slot in before:
        calls.write_in_pushed(fx, number, slot, chosen[slot].operand)
    with b.temporaries(I32) as (held,):
        b.assign(held, fx.builder.call(f"candidate {last}", b.state, chosen[node.slot].operand))
        for slot in before:
            calls.write_in_pushed(fx, number, slot, 0)
        calls.pop_frame(fx, number, entry.given)
        with b.if_(held.lt_s(0)):
            assert fx.fault_label is not None
            b.br(fx.fault_label)
        b.push(held)


def try_routine(fx: FunctionContext, entry: RoutineEntry) -> None:
    """Leaves whether a routine without parameters can be carried out; its frame is real."""

    def copied() -> None:
        with fx.b.temporaries(I32) as (t,):
            copy_state(fx, t, entry.begin)
            fx.b.write(_frame_in_copy(fx, t), OK, 4 * ir.RETURN)
            try_run(fx, t, entry.begin)

    plan = plan_of(fx, entry.begin)
    if plan is None:
        copied()
    else:
        _try_and_undo(fx, plan, copied)


def _try_and_undo(fx: FunctionContext, plan: TrialPlan, copied: Callable[[], None], begins: int = 0) -> None:
    """Leaves whether a trial succeeds that runs on the state itself; `copied` leaves it of a copy.

    Its frame begins so many words behind the running one.
    """
    if plan.succeeds:
        fx.b.push(1)
        return
    b = fx.b
    size = plan.paths.contexts[0].size
    may_be_too_deep = fx.builder.recursive and fx.undo is None and (begins > 0 or plan.extent > size)
    with b.temporaries(I32, I32) as (t, found):
        if may_be_too_deep:
            b.assign(found, OVERFLOWS)
        with b.if_(_has_room(fx, begins + plan.extent)) if may_be_too_deep else nullcontext():
            fx.note_trial()
            if fx.frameless:
                fx.control.put_back()
            _take_room(fx, t, plan.room)
            with _trial(fx, t, found.ne(OVERFLOWS) if plan.may_overflow else None):
                b.push(b.state, t)
                for slot in plan.words:
                    fx.num(ir.Local(slot))
                if plan.asks:
                    b.push(histories.sieved(fx, plan.asks))
                arguments = [STACK] * (2 + len(plan.words) + bool(plan.asks))
                b.assign(found, fx.builder.call(f"try {plan.number}", *arguments))
        if plan.may_overflow or may_be_too_deep:
            with b.if_(found.eq(OVERFLOWS)):
                if fx.undo is not None:
                    fx.undo.give_up()
                else:
                    copied()
                    b.assign(found, STACK)
        b.push(found)


def _has_room(fx: FunctionContext, words: int) -> Operand:
    """Whether the stack has room for so many words from the running frame on."""
    return (fx.b.state.load(4 * ir.FP) + words).le_s(calls.stack_end(fx) >> 2)


# ---- trials of a copy


def copy_state(fx: FunctionContext, t: Variable, begin: int) -> None:
    """`t` becomes the address of a copy of the state, on top of the scratch; it shares the histories.

    In a profile the copy is noted at the node for which a trial that begins at `begin` needs it.
    """
    b, mc, node = fx.b, fx.builder.machine, fx.node
    fx.resume(fx.builder.needs_copy.get(begin, node))
    fx.note_trial(copied_words(fx.builder))
    fx.resume(node)
    _take_room(fx, t, (fx.builder.state_bytes + 15) // 16 * 16)
    if not mc.histories:
        b.copy(t, b.state, fx.builder.state_bytes)
        return
    first, behind = 4 * mc.records, (4 * mc.size + 15) // 16 * 16
    b.copy(t, b.state, first)
    with b.temporaries(I32) as (link,):
        b.assign(link, b.state.load(first))
        b.write(t, select(link, b.state + first, link), first)
    if behind < fx.builder.state_bytes:
        b.copy(t + behind, b.state + behind, fx.builder.state_bytes - behind)


def _take_room(fx: FunctionContext, t: Variable, size: int) -> None:
    """`t` becomes the address of the scratch of a trial."""
    top = global_("top")
    fx.b.assign(top, t.tee(top) + size)
    with fx.b.if_(top.gt_u(fx.builder.scratch_end - 4096)):
        fx.fault(NO_ROOM)


def copied_words(builder: ModuleBuilder) -> int:
    """How many words of the state a trial copies: all but those of the histories."""
    mc = builder.machine
    if not mc.histories:
        return builder.state_bytes // 4
    return mc.records + max(0, builder.state_bytes // 4 - (mc.size + 3) // 4 * 4)


def _frame_in_copy(fx: FunctionContext, t: Variable) -> Operand:
    """The address of the running frame in a copy of the state."""
    return fx.frame - fx.b.state + t


def try_run(fx: FunctionContext, t: Variable, target: int) -> None:
    """Leaves whether a run of the copy from a node does not fail, and gives the copy back."""
    with fx.b.temporaries(I32) as (found,):
        with _trial(fx, t):
            fx.b.assign(found, calls.run_region(fx, t, target).ne(FAIL))
        fx.b.push(found)


@contextmanager
def _trial(fx: FunctionContext, t: Variable, counts: Operand | None = None) -> Iterator[None]:
    """What is written within runs a trial, whose scratch at `t` is given back.

    It is counted if `counts` holds.

    It has fuel of its own, so that a trial that comes late is as good as the first; but all trials of an
    offer share what may be searched.
    """
    b, fuel, search, trial = fx.b, global_("fuel"), global_("search"), global_("trial")
    b.assign(trial, trial + 1)
    with b.temporaries(I32) as (left,):
        b.assign(left, fuel)
        b.assign(fuel, MOST_WORK)
        yield
        # a trial takes from the search, more if the state is large or it has worked for long
        cost = 1 + fx.builder.machine.size // 4096
        with nullcontext() if counts is None else b.if_(counts):
            b.assign(search, search - cost - (const(MOST_WORK) - fuel >> 6))
        b.assign(fuel, left)
    b.assign(trial, trial + -1)
    b.assign(global_("top"), t)
    with b.if_(search.lt_s(0)):
        fx.fault(SEARCHED_LONG)


# ---- `can`


def can_be_done(fx: FunctionContext, what: ir.Doing) -> Interval:
    asked = routine_conditions.asked_by(fx, what)
    if asked is not None:
        try_condition(fx, asked)
        fx.b.push(STACK.ne(0))
        return TRUTH
    b = fx.b
    with b.temporaries(I32) as (result,):
        b.assign(result, 0)
        me = const_eval.operand(fx, ir.Local(ir.ME))
        if isinstance(what, ir.DoRoutine):
            arguments = [const_eval.operand(fx, a) for a in what.arguments]
            _can(fx, what.routine, me, Constant(NONE), arguments, result)
            fx.drop(*arguments)
        else:
            actor = const_eval.operand(fx, what.actor)
            calls.each_cell(fx, what, lambda r, a: _can(fx, r, me, actor, a, result))
            fx.drop(actor)
        fx.drop(me)
        b.push(result)
    return TRUTH


def _can(
    fx: FunctionContext, routine: int, me: Value, actor: Value, arguments: list[Value], result: Variable
) -> None:
    """Tries a routine, whose frame is a new one."""
    entry = fx.mc.routines[routine].entry(len(arguments))
    plan = plan_of(fx, entry)
    if plan is None:
        _can_on_copy(fx, routine, me, actor, arguments, result)
        return
    words = {ir.ME: me, ir.SELF: actor, **{ir.FRAME + i: a for i, a in enumerate(arguments)}}

    def copied() -> None:
        fx.slots = around
        _can_on_copy(fx, routine, me, actor, arguments, result)
        fx.b.push(result)

    around = fx.slots
    with calls.virtual(fx, words):
        _try_and_undo(fx, plan, copied, fx.builder.size_at[fx.node])
    fx.b.assign(result, STACK)


def _can_on_copy(
    fx: FunctionContext, routine: int, me: Value, actor: Value, arguments: list[Value], result: Variable
) -> None:
    """Tries a routine on a copy of the state, in which its frame is pushed."""
    b, node = fx.b, fx.node
    entry = fx.mc.routines[routine].entry(len(arguments))
    assert not isinstance(fx.slots, Zeros)
    calls.push_frame(fx, node, routine, me, actor, arguments, OK)
    with b.temporaries(I32) as (t,), refusals.unnoted(fx):
        copy_state(fx, t, entry)
        try_run(fx, t, entry)
        b.assign(result, STACK)
    calls.pop_frame(fx, node, len(arguments))

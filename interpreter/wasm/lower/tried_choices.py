"""Choices whose trials ask before they do anything: what they ask is part of the choice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial, reduce

from interpreter import ir
from interpreter.ir.effects import has_trial
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.trials import YES, TriedChoice
from interpreter.ir.visit import walk
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Variable
from interpreter.wasm.lower import (
    bitset_pieces,
    bitset_select,
    bitsets,
    chosen_sets,
    const_eval,
    expressions,
    option_layouts,
    pair_moves,
    speculation,
    trial_paths,
)
from interpreter.wasm.lower.context import FunctionContext, OptionSink
from interpreter.wasm.lower.values import TRUTH, Interval, Range, Value


def choices(
    fx: FunctionContext,
    number: int,
    node: ir.Decide,
    asked: TriedChoice,
    to: OptionSink,
) -> None:
    """Emits what a sink does with every value that can be chosen."""
    if asked.exact and _linked(fx, node, to):
        return
    if asked.exact:
        with _asked_first(fx, node, asked) as rest:
            _in_place(fx, number, node, rest, to)
    else:
        _asked_then_run(fx, number, node, asked, to.value)


def _linked(fx: FunctionContext, node: ir.Decide, to: OptionSink) -> bool:
    """Emits the same where trying a place asks only if there is one that it is linked to; false otherwise."""
    second = fx.mc.nodes[node.next]
    if not (isinstance(second, ir.Decide) and option_layouts.is_parameter(second)):
        return False
    moves = pair_moves.moves_of(fx, node, second) if second.seat == node.seat else None
    if moves is None or fx.breaks_rules(partial(pair_moves.linked_firsts, fx, moves)):
        return False
    bits, r = pair_moves.linked_firsts(fx, moves), moves.r
    if to.takes_set(r):
        to.put_set(bits, r)
    else:
        bitsets.each_bit(fx, bits, r, to.value)
    bitsets.free_bits(fx, bits)
    return True


# ---- what is asked


def is_set_in_doubt(fx: FunctionContext, node: ir.Decide, reg: int, where: ir.Expr | None, r: Range) -> bool:
    """Whether finding a set of values may fault."""
    return fx.breaks_rules(partial(chosen_sets.dry_run, fx, node.source, reg, where, r))


def is_tried(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether only a trial tells if a value can be chosen, and is to tell it here."""
    return node.trial and not fx.untried and not cannot_refuse(fx.mc, node.next)


def histories_asked(fx: FunctionContext, node: ir.Decide) -> frozenset[int]:
    """The histories that the trials of the values, which run on the state itself, ask for what they find."""
    if not is_tried(fx, node) or fx.builder.is_pure_path(node.next):
        return frozenset()
    plan = trial_paths.plan_of(fx, node.next)
    return frozenset() if plan is None else plan.asks


def asked_of_values(fx: FunctionContext, node: ir.Decide) -> TriedChoice | None:
    """What trying a value asks, if anything."""
    if not is_tried(fx, node) or fx.mc.cover or fx.builder.config.explains:
        return None
    asked = fx.builder.trial_of_choice(node)
    return asked if asked.exact or asked.trial != YES else None


def _asked_then_run(
    fx: FunctionContext,
    number: int,
    node: ir.Decide,
    asked: TriedChoice,
    visit: Callable[[Value], None],
) -> None:
    """A trial is run only of values of which all holds that is asked before anything changes.

    What was asked is not asked again when it is run, as far as it stands at the beginning.
    """
    b, first = fx.b, _behind_asked(fx, node.next)

    def run(value: Value) -> None:
        speculation.try_value(fx, number, node, value, first)

    def one(value: Value, tried: Variable | None) -> None:
        fx.resume(number)
        if tried is None:
            run(value)
        else:
            with b.if_(tried.eq(speculation.HIDDEN), I32):
                b.push(1)
                b.otherwise()
                run(value)
        with b.if_(STACK):
            visit(value)

    r = bitset_select.worthwhile(fx, node.source, asked.reg, asked.both)
    if r is not None and not is_set_in_doubt(fx, node, asked.reg, asked.both, r):
        bits = chosen_sets.chosen_bits(fx, node.source, asked.reg, asked.both, r)
        bitsets.each_bit(fx, bits, r, lambda value: one(value, None))
        bitsets.free_bits(fx, bits)
        return
    _tried_in_place(fx, node, asked, one)


def _behind_asked(fx: FunctionContext, number: int) -> int:
    """The last node behind the needs at the beginning of a trial at which a run can begin."""
    found = number
    while isinstance(node := fx.mc.nodes[number], ir.Precondition) and not has_trial(node.condition):
        number = node.next
        found = number if number in fx.builder.leader else found
    return found


@contextmanager
def _asked_first(fx: FunctionContext, node: ir.Decide, asked: TriedChoice) -> Iterator[TriedChoice]:
    """What a trial asks that is the same for all values is asked before them: the rest of what is asked.

    It stays where it is if something before it may fault, or it may do so itself.
    """
    bound = fx.regs.keys() - {asked.reg}
    parts = conjuncts(asked.trial)
    same = [i for i, part in enumerate(parts) if part != YES and fx.builder.free_registers(part) <= bound]
    before = asked.both if not same else reduce(both, parts[: same[-1] + 1], asked.where)
    if not same or before is None or is_faulty(fx, node, asked.reg, before):
        yield asked
        return
    rest: ir.Expr | None = None
    for i, part in enumerate(parts):
        rest = rest if i in same else both(rest, part)
    first = reduce(both, (parts[i] for i in same))
    speculation.try_condition(fx, first)
    with fx.b.if_(STACK):
        yield replace(asked, trial=rest or YES)


@contextmanager
def if_not_in_vain(fx: FunctionContext, node: ir.Decide, slots: Collection[int] = ()) -> Iterator[None]:
    """The code, which finds candidates, is skipped if trying fails for each of them, as far as that is seen.

    `slots` are the words of the frame that are not chosen yet. Only what can come to no fault is asked.
    """
    failed = fx.b.block()
    for condition in _same_for_all(fx, node, slots):
        fx.num(condition)
        fx.b.br_if(failed, STACK.eqz())
    yield
    fx.b.end()


def _same_for_all(fx: FunctionContext, node: ir.Decide, slots: Collection[int]) -> list[ir.Expr]:
    """What trying a value asks and what depends on no value."""
    if cannot_refuse(fx.mc, node.next) or fx.mc.cover:
        return []
    asked = fx.builder.trial_of_choice(node)
    bound = fx.regs.keys() - {asked.reg}
    found: list[ir.Expr] = []
    before = asked.where
    for part in conjuncts(asked.trial):
        before = both(before, part)
        assert before is not None
        if is_faulty(fx, node, asked.reg, before):
            break
        if part != YES and fx.builder.free_registers(part) <= bound and _is_quick(part, slots):
            found.append(part)
    return found


def _is_quick(condition: ir.Expr, slots: Collection[int]) -> bool:
    """Whether a condition goes through nothing, and reads none of some words of the frame."""
    return not any(
        isinstance(x, ir.Fold | ir.Best | ir.Can) or (isinstance(x, ir.Local) and x.slot in slots)
        for x in walk(condition)
    )


def is_faulty(fx: FunctionContext, node: ir.Decide, reg: int, condition: ir.Expr) -> bool:
    """Whether asking a condition of all values may fault."""

    def one(value: Value, _: Value) -> None:
        with fx.reg(reg, value):
            fx.num(condition)
            fx.b.drop()

    return fx.breaks_rules(lambda: fx.each(node.source, one, 70))


def _in_place(fx: FunctionContext, number: int, node: ir.Decide, asked: TriedChoice, to: OptionSink) -> None:
    """What the trial asks is one more condition of the choice.

    A fault in a trial hides nothing, so if finding the set comes to one, each value is tried.
    """

    def visit(value: Value) -> None:
        fx.resume(number)
        to.value(value)

    def slow() -> Interval:
        _tried_in_place(fx, node, asked, lambda value, _: visit(value))
        return TRUTH

    if bitset_pieces.worthwhile(fx, node.source, asked.reg, asked.both) is not None:
        chosen = ir.Filtered(asked.reg, node.source, asked.both)

        def of_classes() -> Interval:
            with expressions.common_subexpressions(fx, asked.both):
                if to.takes_classes:
                    bitset_pieces.of_one_place(fx, chosen, to.put_classes)
                else:
                    bitset_pieces.each_of_set(fx, chosen, lambda value, _: visit(value))
            return TRUTH

        fx.safely(of_classes, slow)
        return
    r = bitset_select.worthwhile(fx, node.source, asked.reg, asked.both)
    if r is None:
        slow()
        return

    def quick() -> Interval:
        with expressions.common_subexpressions(fx, asked.both):
            bits = chosen_sets.chosen_bits(fx, node.source, asked.reg, asked.both, r)
        if to.takes_set(r):
            to.put_set(bits, r)
        else:
            bitsets.each_bit(fx, bits, r, visit)
        bitsets.free_bits(fx, bits)
        return TRUTH

    fx.safely(quick, slow)


def _tried_in_place(
    fx: FunctionContext,
    node: ir.Decide,
    asked: TriedChoice,
    visit: Callable[[Value, Variable | None], None],
) -> None:
    """Emits `visit` for each value of which all that is asked holds, and with what trying it has left.

    What is the same for all of them is worked out once.
    """
    source, where = node.source, asked.where
    if where is not None and bitset_select.worthwhile(fx, source, asked.reg, where) is not None:
        source, where = ir.Filtered(asked.reg, source, where), None

    def one(value: Value, _: Value) -> None:
        with (
            fx.reg(asked.reg, value),
            expressions.common_subexpressions(fx, where, asked.trial),
            _if_known(fx, where) as possible,
        ):
            if possible and asked.trial == YES:
                visit(value, None)
            elif possible:
                speculation.try_condition(fx, asked.trial)
                with fx.b.temporaries(I32) as (tried,), fx.b.if_(tried.tee(STACK)):
                    visit(value, tried)

    with expressions.loop_invariants(fx, asked.reg, asked.where, asked.trial):
        fx.each(source, one, 70 + fx.builder.node_count(asked.trial))


@contextmanager
def _if_known(fx: FunctionContext, condition: ir.Expr | None) -> Iterator[bool]:
    """The block runs only if a condition holds; false if it never does."""
    known = const_eval.known_or_pushed(fx, condition)
    with fx.b.if_(STACK) if known is None else nullcontext():
        yield known is not False

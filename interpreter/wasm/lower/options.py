"""What is offered at decisions: a bit for each option, set if it can be carried out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import reduce
from operator import add

from dsl.domains import NONE
from interpreter import ir
from interpreter.wasm.abi import OK
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.operands import STACK, Operand
from interpreter.wasm.lower import (
    bitset_conditions,
    bitset_pieces,
    bitset_select,
    bitsets,
    calls,
    candidates,
    chosen_sets,
    const_eval,
    expressions,
    histories,
    option_layouts,
    refusals,
    speculation,
    tried_choices,
)
from interpreter.wasm.lower.context import FunctionContext, OptionSink
from interpreter.wasm.lower.values import Constant, Range, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry

# ---- the options of a plain choice


def choices(fx: FunctionContext, number: int, node: ir.Decide, to: OptionSink) -> None:
    """Emits what a sink does with every value that can be chosen, some perhaps twice.

    Where the first value may be enough, no condition that may fault is asked of a later one before.
    """
    fx.enter(number)
    if node.ranges:
        with _somebody(fx, node.seat):
            _ranges(fx, node, to)
        return
    asks = tried_choices.histories_asked(fx, node)
    with _somebody(fx, node.seat), histories.sieving(fx, asks, node.source):
        asked = tried_choices.asked_of_values(fx, node)
        if asked is not None:
            tried_choices.choices(fx, number, node, asked, to)
            return
        with tried_choices.if_not_in_vain(fx, node) if fx.untried and node.trial else nullcontext():
            _choices_unasked(fx, number, node, to)


def _ranges(fx: FunctionContext, node: ir.Decide, to: OptionSink) -> None:
    """The ranges of a choice of very many numbers, those in which there is one."""
    for ends in node.ranges:
        first, last = (const_eval.operand(fx, e) for e in ends[:2])
        with fx.b.if_(first.operand.le_s(last.operand)):
            step = const_eval.operand(fx, ends[2])
            to.put_range(first, last, step)
            fx.drop(step)
        fx.drop(first, last)


def _choices_unasked(fx: FunctionContext, number: int, node: ir.Decide, to: OptionSink) -> None:
    """Emits the same where trials ask nothing, or are left for later."""
    if fx.divided:
        asked = candidates.candidates_of(fx, node)
        node = replace(node, reg=asked.reg, where=asked.of_all)
    if to.takes_interval:
        assert isinstance(node.source, ir.Between)
        low, high = const_eval.operand(fx, node.source.low), const_eval.operand(fx, node.source.high)
        to.put_interval(low, high)
        fx.drop(low, high)
        return
    if to.takes_classes and _is_set_of_classes(fx, node):
        bitset_pieces.of_one_place(fx, ir.Filtered(node.reg, node.source, node.where), to.put_classes)
        return
    r = bitset_select.worthwhile(fx, node.source, node.reg, node.where)
    whole = r is not None and to.takes_set(r)
    if r is not None and not whole and tried_choices.is_set_in_doubt(fx, node, node.reg, node.where, r):
        r = None
    if r is None:
        _choices_one_by_one(fx, number, node, to)
    elif not whole or tried_choices.is_tried(fx, node):
        _choices_of_set(fx, number, node, r, to)
    else:
        bits = chosen_sets.chosen_bits(fx, node.source, node.reg, node.where, r)
        to.put_set(bits, r)
        bitsets.free_bits(fx, bits)


def _is_set_of_classes(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether the pieces that can be chosen are all of some classes, whatever is tried."""
    if tried_choices.is_tried(fx, node):
        return False
    if bitset_pieces.worthwhile(fx, node.source, node.reg, node.where) is None:
        return False
    _, rest = bitset_pieces.split(fx, node.source, node.reg, node.where)
    return rest is None


@contextmanager
def _somebody(fx: FunctionContext, seat: ir.Expr) -> Iterator[None]:
    """Nothing of what is written within happens if the seat is nobody."""
    b = fx.b
    span = fx.num(seat)
    if span[0] >= 0:
        b.drop()
        yield
        return
    with b.if_(STACK.ne(NONE)):
        yield


def _offered(fx: FunctionContext, number: int, node: ir.Decide, value: Value, to: OptionSink) -> None:
    """What is done with a value that meets the condition, if its trial succeeds."""
    tried = tried_choices.is_tried(fx, node)
    if tried:
        speculation.try_value(fx, number, node, value)
    with fx.b.if_(STACK) if tried else nullcontext():
        to.value(value)


def _choices_one_by_one(fx: FunctionContext, number: int, node: ir.Decide, to: OptionSink) -> None:
    """Tests each value: whether it meets the condition, then whether its trial succeeds."""

    source, where = bitset_pieces.split(fx, node.source, node.reg, node.where)

    def one(value: Value, _: Value) -> None:
        with fx.reg(node.reg, value), expressions.common_subexpressions(fx, where):
            known = const_eval.known_or_pushed(fx, where)
            if known is False:
                return
        with fx.b.if_(STACK) if known is None else nullcontext():
            _offered(fx, number, node, value, to)

    with bitset_conditions.loop_invariants(fx, node.reg, node.where):
        fx.each(source, one, 70 if tried_choices.is_tried(fx, node) else 30)


def _choices_of_set(fx: FunctionContext, number: int, node: ir.Decide, r: Range, to: OptionSink) -> None:
    """The values that meet the condition are found as a set, and each of them is tried."""
    bits = chosen_sets.chosen_bits(fx, node.source, node.reg, node.where, r)
    bitsets.each_bit(fx, bits, r, lambda value: _offered(fx, number, node, value, to))
    bitsets.free_bits(fx, bits)


# ---- the options of a thing to do


def part_options(
    fx: FunctionContext,
    number: int,
    index: int,
    to: OptionSink,
    buffer: Operand | None,
) -> None:
    """Emits what a sink does with the options of one part of an offer.

    `buffer` is the address of the part's words, or of none; what a function has to find out goes
    there, and the sink is not used.
    """
    node = fx.mc.node(number, ir.Offer)
    fx.resume(number)
    part, doing = option_layouts.layout_of(fx, number).parts[index], node.what[index]
    who = const_eval.operand(fx, node.seat)
    with fx.b.if_(who.operand.ne(NONE)) if who.span[0] < 0 else nullcontext():
        if isinstance(doing, ir.DoRoutine):
            arguments = [const_eval.operand(fx, a) for a in doing.arguments]
            entry = part.entries[0]
            in_place = not fx.builder.config.explains and option_layouts.is_pure(fx, entry)
            in_place |= fx.untried and option_layouts.has_pure_candidates(fx, entry)
            if in_place or fx.frameless or fx.undo is not None:
                slots = {ir.ME: who, ir.SELF: Constant(NONE)}
                slots |= {ir.FRAME + i: a for i, a in enumerate(arguments)}
                with calls.virtual(fx, slots):
                    entry_options(fx, entry, to)
            else:
                assert buffer is not None
                _call_entry(fx, number, part, entry, who, Constant(NONE), arguments, buffer)
            fx.drop(*arguments)
        else:
            assert buffer is not None
            _cell_options(fx, number, part, doing, who, buffer)
    fx.drop(who)


def entry_options(
    fx: FunctionContext,
    entry: RoutineEntry,
    to: OptionSink,
) -> None:
    """The options of a routine in whose frame, virtual or real, the code runs."""
    b = fx.b
    failed = b.block()
    begin = b.block()
    bad = b.block()
    with fx.faulting(bad, quiet=True):
        for number in entry.needs:
            need = fx.mc.node(number, ir.Precondition)
            fx.enter(number)
            fx.num(need.condition)
            if fx.builder.config.explains:
                with b.if_(STACK.eqz()):
                    refusals.note(fx)
                    b.br(failed)
            else:
                b.br_if(failed, STACK.eqz())
    b.br(begin)
    b.end()
    speculation.note_hidden(fx)
    to.plain()
    b.br(failed)
    b.end()
    if entry.choice is not None:
        choice = fx.mc.node(entry.choice, ir.Decide)
        fx.choices(entry.choice, choice, to)
    else:
        if not fx.builder.config.explains and fx.builder.is_pure_path(entry.begin):
            speculation.try_in_place(fx, entry.begin)
        else:
            speculation.try_routine(fx, entry)
        with b.if_(STACK):
            to.plain()
    b.end()


def _call_entry(
    fx: FunctionContext,
    number: int,
    part: OptionPart,
    entry: RoutineEntry,
    who: Value,
    actor: Value,
    arguments: list[Value],
    buffer: Operand,
) -> None:
    """Pushes a frame, calls the function that finds its options, and pops it.

    The function has put options into the buffer, or, without one, has found some.
    """
    b = fx.b
    calls.push_frame(fx, number, entry.routine, who, actor, arguments, OK)
    with b.temporaries(I32) as (status,):
        kind = "candidates" if fx.untried else "way"
        name = f"{kind} {entry.routine} {entry.given} {part.lo} {part.size}"
        fx.builder.entries[name] = (entry, part)
        b.assign(status, fx.builder.call(name, b.state, buffer))
        calls.pop_frame(fx, number, len(arguments))
        with b.if_(status.lt_s(0)):
            assert fx.fault_label is not None
            b.br(fx.fault_label)
        if fx.any_buffer is not None:
            b.ret_if(1, fx.any_buffer.eqz() & status)


def _cell_options(
    fx: FunctionContext,
    number: int,
    part: OptionPart,
    doing: ir.DoCell,
    who: Value,
    buffer: Operand,
) -> None:
    """One block for each cell that can stand there."""
    actor = const_eval.operand(fx, doing.actor)

    def one(routine: int, arguments: list[Value]) -> None:
        entry = next(x for x in part.entries if (x.routine, x.given) == (routine, len(arguments)))
        _call_entry(fx, number, part, entry, who, actor, arguments, buffer)

    calls.each_cell(fx, doing, one)
    fx.drop(actor)


def count_bits(fx: FunctionContext, buffer: Operand, words: int) -> Operand:
    """How many bits are set in the words behind an address."""
    if words > 4:
        return fx.builder.call("popcount", buffer, words)
    return reduce(add, (buffer.load64(8 * i).popcnt().wrapped() for i in range(words)))

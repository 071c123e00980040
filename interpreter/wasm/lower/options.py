"""What is offered at decisions: a bit for each option, set if it can be carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial, reduce
from operator import add

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import has_trial
from interpreter.ir.fold import both, conjuncts
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.trials import YES, TriedChoice
from interpreter.ir.visit import node_count
from interpreter.wasm.abi import OK
from interpreter.wasm.emit.encoding import I32, I64
from interpreter.wasm.emit.operands import STACK, Operand, Variable, const
from interpreter.wasm.lower import (
    bitset_conditions,
    bitset_pieces,
    bitset_select,
    bitsets,
    calls,
    const_eval,
    expressions,
    option_layouts,
    refusals,
    speculation,
)
from interpreter.wasm.lower.context import FunctionContext, OnOption, OnOptionSet
from interpreter.wasm.lower.values import TRUTH, Constant, InLocal, Interval, Range, Value
from interpreter.wasm.option_layout import OptionPart, RoutineEntry

# ---- the options of a plain choice


def choices(
    fx: FunctionContext,
    number: int,
    node: ir.Decide,
    lo: int,
    size: int,
    found: OnOption,
    found_set: OnOptionSet | None = None,
) -> None:
    """Emits `found` for the bit of every value that can be chosen, some perhaps twice.

    Or `found_set`, if they are found as a set that needs no trials. Where the first value may be enough,
    no condition that may come to a fault is asked of a later one before.
    """
    fx.enter(number)
    with _somebody(fx, node.seat):
        asked = _asked_of_values(fx, node)
        if asked is not None and asked.exact:
            with _asked_first(fx, node, asked) as rest:
                _choices_in_place(fx, number, node, rest, lo, size, found, found_set)
            return
        if asked is not None:
            _choices_copied(fx, number, node, asked, lo, size, found)
            return
        r = bitset_select.worthwhile(fx, node.source, node.reg, node.where)
        if r is not None and found_set is None and _is_set_in_doubt(fx, node, node.reg, node.where, r):
            r = None
        if r is None:
            _choices_one_by_one(fx, number, node, lo, size, found)
        elif found_set is None or _is_tried(fx, node):
            _choices_of_set(fx, number, node, r, lo, size, found)
        else:
            bits = bitset_conditions.chosen_bits(fx, node.source, node.reg, node.where, r)
            found_set(bits, r)
            bitsets.free_bits(fx, bits)


def _is_set_in_doubt(fx: FunctionContext, node: ir.Decide, reg: int, where: ir.Expr | None, r: Range) -> bool:
    """Whether finding a set of values may come to a fault."""
    return fx.comes_to_faults(partial(bitset_conditions.dry_run, fx, node.source, reg, where, r))


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


def _is_tried(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether only a trial tells if a value can be chosen, and is to tell it here."""
    return node.trial and not fx.untried and not cannot_refuse(fx.mc, node.next)


def _offered(
    fx: FunctionContext, number: int, node: ir.Decide, value: Value, lo: int, size: int, found: OnOption
) -> None:
    """The bit of a value that meets the condition, if its trial succeeds."""
    tried = _is_tried(fx, node)
    if tried:
        speculation.try_value(fx, number, node, value)
    with fx.b.if_(STACK) if tried else nullcontext():
        _bit(fx, value, lo, size, found)


def _choices_one_by_one(
    fx: FunctionContext, number: int, node: ir.Decide, lo: int, size: int, found: OnOption
) -> None:
    """Tests each value: whether it meets the condition, then whether its trial succeeds."""

    source, where = bitset_pieces.split(fx, node.source, node.reg, node.where)

    def one(value: Value, _: Value) -> None:
        with fx.reg(node.reg, value), expressions.common_subexpressions(fx, where):
            known = const_eval.constant(fx, where) if where is not None else 1
            if known == 0:
                return
            if known is None:
                assert where is not None
                fx.num(where)
        with fx.b.if_(STACK) if known is None else nullcontext():
            _offered(fx, number, node, value, lo, size, found)

    with bitset_conditions.loop_invariants(fx, node.reg, node.where):
        fx.each(source, one, 70 if _is_tried(fx, node) else 30)


def _choices_of_set(
    fx: FunctionContext, number: int, node: ir.Decide, r: Range, lo: int, size: int, found: OnOption
) -> None:
    """The values that meet the condition are found as a set, and each of them is tried."""
    bits = bitset_conditions.chosen_bits(fx, node.source, node.reg, node.where, r)
    bitsets.each_bit(fx, bits, r, lambda value: _offered(fx, number, node, value, lo, size, found))
    bitsets.free_bits(fx, bits)


# ---- choices whose trials ask before they do anything


def _asked_of_values(fx: FunctionContext, node: ir.Decide) -> TriedChoice | None:
    """What trying a value asks, if anything."""
    if not _is_tried(fx, node) or fx.mc.cover or fx.builder.config.explains:
        return None
    asked = fx.builder.trial_of_choice(node)
    return asked if asked.exact or asked.trial != YES else None


def _choices_copied(
    fx: FunctionContext,
    number: int,
    node: ir.Decide,
    asked: TriedChoice,
    lo: int,
    size: int,
    found: OnOption,
) -> None:
    """The state is copied only for values of which all holds that is asked before anything changes.

    What it was asked for is not asked again on the copy, as far as it stands at the beginning.
    """
    b, first = fx.b, _behind_asked(fx, node.next)

    def try_on_copy(value: Value) -> None:
        speculation.try_value(fx, number, node, value, first)

    def one(value: Value, tried: Variable | None) -> None:
        fx.resume(number)
        if tried is None:
            try_on_copy(value)
        else:
            with b.if_(tried.eq(speculation.HIDDEN), I32):
                b.push(1)
                b.otherwise()
                try_on_copy(value)
        with b.if_(STACK):
            _bit(fx, value, lo, size, found)

    r = bitset_select.worthwhile(fx, node.source, asked.reg, asked.both)
    if r is not None and not _is_set_in_doubt(fx, node, asked.reg, asked.both, r):
        bits = bitset_conditions.chosen_bits(fx, node.source, asked.reg, asked.both, r)
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

    It stays where it is if something before it may come to a fault, or it may do so itself.
    """
    bound = fx.regs.keys() - {asked.reg}
    parts = conjuncts(asked.trial)
    same = [i for i, part in enumerate(parts) if part != YES and fx.builder.free_registers(part) <= bound]
    before = asked.both if not same else reduce(both, parts[: same[-1] + 1], asked.where)
    if not same or before is None or _is_faulty(fx, node, asked.reg, before):
        yield asked
        return
    rest: ir.Expr | None = None
    for i, part in enumerate(parts):
        rest = rest if i in same else both(rest, part)
    first = reduce(both, (parts[i] for i in same))
    speculation.try_condition(fx, first)
    with fx.b.if_(STACK):
        yield replace(asked, trial=rest or YES)


def _is_faulty(fx: FunctionContext, node: ir.Decide, reg: int, condition: ir.Expr) -> bool:
    """Whether asking a condition of all values may come to a fault."""

    def one(value: Value, _: Value) -> None:
        with fx.reg(reg, value):
            fx.num(condition)
            fx.b.drop()

    return fx.breaks_rules(lambda: fx.each(node.source, one, 70))


def _choices_in_place(
    fx: FunctionContext,
    number: int,
    node: ir.Decide,
    asked: TriedChoice,
    lo: int,
    size: int,
    found: OnOption,
    found_set: OnOptionSet | None,
) -> None:
    """What the trial asks is one more condition of the choice.

    A fault in a trial hides nothing, so if finding the set comes to one, each value is tried.
    """

    def one(value: Value, _: Variable | None = None) -> None:
        fx.resume(number)
        _bit(fx, value, lo, size, found)

    r = bitset_select.worthwhile(fx, node.source, asked.reg, asked.both)
    if r is None:
        _tried_in_place(fx, node, asked, one)
        return

    def quick() -> Interval:
        with expressions.common_subexpressions(fx, asked.both):
            bits = bitset_conditions.chosen_bits(fx, node.source, asked.reg, asked.both, r)
        if found_set is not None and (r.lo == lo or r.words == 1) and 64 * r.words <= size + 63:
            found_set(bits, r)
        else:
            bitsets.each_bit(fx, bits, r, one)
        bitsets.free_bits(fx, bits)
        return TRUTH

    def slow() -> Interval:
        _tried_in_place(fx, node, asked, one)
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
        fx.each(source, one, 70 + node_count(asked.trial))


@contextmanager
def _if_known(fx: FunctionContext, condition: ir.Expr | None) -> Iterator[bool]:
    """The block runs only if a condition holds; false if it never does."""
    known = const_eval.constant(fx, condition) if condition is not None else 1
    if condition is not None and known is None:
        fx.num(condition)
    with fx.b.if_(STACK) if known is None else nullcontext():
        yield known != 0


def _bit(fx: FunctionContext, value: Value, lo: int, size: int, found: OnOption) -> None:
    b = fx.b
    if isinstance(value, Constant):
        if size > (1 << 30) or 0 <= value.value - lo < size:
            found(Constant(value.value - lo))
        return
    if size > (1 << 30):
        found(value)
        return
    with b.temporaries(I32) as (bit,):
        b.assign(bit, value.operand - lo if lo else value.operand)
        inside = lo <= value.span[0] and value.span[1] < lo + size
        with nullcontext() if inside else b.if_(bit.lt_u(size)):
            found(InLocal(bit, (0, size - 1)))


# ---- the options of a thing to do


def part_options(
    fx: FunctionContext,
    number: int,
    index: int,
    found: OnOption,
    buffer: Operand | None,
    found_set: OnOptionSet | None = None,
) -> None:
    """Emits `found` for the bits of one part of an offer.

    `buffer` is the address of the part's words, or of none; what a function has to find out goes
    there and `found` is not used.
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
            if in_place or fx.undo is not None:
                slots = {ir.ME: who, ir.SELF: Constant(NONE)}
                slots |= {ir.FRAME + i: a for i, a in enumerate(arguments)}
                with calls.virtual(fx, slots):
                    entry_options(fx, entry, part, found, found_set)
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
    part: OptionPart,
    found: OnOption,
    found_set: OnOptionSet | None = None,
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
    found(Constant(part.size))
    b.br(failed)
    b.end()
    if entry.choice is not None:
        choice = fx.mc.node(entry.choice, ir.Decide)
        fx.choices(entry.choice, choice, part.lo, part.size, found, found_set)
    else:
        if not fx.builder.config.explains and fx.builder.is_pure_path(entry.begin):
            speculation.try_in_place(fx, entry.begin)
        else:
            speculation.try_routine(fx, entry)
        with b.if_(STACK):
            found(Constant(part.size))
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

    calls.each_cell(fx, doing.cell, one)
    fx.drop(actor)


def bit_to(fx: FunctionContext, buffer: Operand, part: OptionPart) -> OnOption:
    """Sets bits in the words behind an address; without one the first is enough."""

    def found(bit: Value) -> None:
        fx.b.ret_if(1, buffer.eqz())
        set_bit(fx, buffer, 8 * part.first, bit)

    return found


def set_bit(fx: FunctionContext, buffer: Operand, offset: int, bit: Value) -> None:
    """Sets a bit in the 64-bit words behind an address."""
    b, n = fx.b, bit.operand
    with b.temporaries(I32) as (at,):
        bits = at.load64(offset) | const(1, I64) << n.widened()
        b.write(at.tee(buffer + (n >> 6 << 3)), bits, offset, "i64.store")


def count_bits(fx: FunctionContext, buffer: Operand, words: int) -> Operand:
    """How many bits are set in the words behind an address."""
    if words > 4:
        return fx.builder.call("popcount", buffer, words)
    return reduce(add, (buffer.load64(8 * i).popcnt().wrapped() for i in range(words)))

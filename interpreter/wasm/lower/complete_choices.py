"""Choices of two parameters made as one: the pairs that may be chosen, in a list, of which one is drawn.

The pairs are candidates: what only a trial tells is asked of those that are drawn.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.domains import NONE
from interpreter import ir
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.purity import cannot_refuse
from interpreter.ir.visit import targets
from interpreter.wasm.abi import NO_ROOM, OK
from interpreter.wasm.emit.encoding import I32
from interpreter.wasm.emit.module_builder import global_
from interpreter.wasm.emit.operands import STACK, Operand, Variable
from interpreter.wasm.lower import bitset_select, calls, collection_order, option_layouts, speculation
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Constant, InLocal, Value
from interpreter.wasm.option_layout import OptionPart, Pair

MOST_PAIRS, MOST_SECONDS = 1 << 30, 1 << 12
"""The pairs that have numbers, and the second values that a list has room for behind each first one."""


def pair_of(fx: FunctionContext, part: OptionPart) -> Pair | None:
    """The two parameters of a part, if it has two and no more, and both are found by looking."""
    node = fx.mc.decision(part.node)
    if isinstance(node, ir.Decide) or not isinstance(node.what[part.index], ir.DoRoutine):
        return None
    entry = part.entries[0]
    if entry.choice is None or any(has_trial(_need(fx, number)) for number in entry.needs):
        return None
    first = fx.mc.node(entry.choice, ir.Decide)
    needs, at = _needs_from(fx, first.next)
    second = fx.mc.nodes[at]
    if not isinstance(second, ir.Decide) or not (_is_parameter(first) and _is_parameter(second)):
        return None
    if any(has_trial(_need(fx, number)) for number in needs) or _asks_again(fx.mc, second.next):
        return None
    spans = option_layouts.values_of(fx, first), option_layouts.values_of(fx, second)
    found = Pair(entry, entry.choice, needs, at, spans)
    fits = found.width <= MOST_SECONDS and part.size * found.width < MOST_PAIRS
    return found if fits else None


def _need(fx: FunctionContext, number: int) -> ir.Expr:
    return fx.mc.node(number, ir.Precondition).condition


def _needs_from(fx: FunctionContext, number: int) -> tuple[tuple[int, ...], int]:
    """The needs from a node on, and the node behind them."""
    needs = []
    node = fx.mc.nodes[number]
    while isinstance(node, ir.Precondition):
        needs.append(number)
        number = node.next
        node = fx.mc.nodes[number]
    return tuple(needs), number


def _is_parameter(node: ir.Decide) -> bool:
    """Whether a decision is one parameter, which must be chosen and is found by looking."""
    return (
        node.trial
        and node.of_set is None
        and not node.asks
        and node.passing is None
        and node.nothing is None
        and not has_trial((node.source, node.where, node.seat))
    )


def _asks_again(mc: ir.Machine, number: int) -> bool:
    """Whether a further parameter may follow, before nothing can refuse any more."""
    seen, waiting = {number}, [number]
    while waiting:
        at = waiting.pop()
        node = mc.nodes[at]
        if isinstance(node, ir.Decide) and node.trial:
            return True
        if effect_of(node).ends_trial:
            continue
        for target in targets(node):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return False


# ---- the list


def list_pairs(fx: FunctionContext, part: OptionPart, pair: Pair, at: Variable, count: Variable) -> None:
    """The candidates go to the scratch, at the address `at`, and how many there are to `count`."""
    b, top = fx.b, global_("top")
    node = fx.mc.node(part.node, ir.Offer)
    doing = node.what[part.index]
    assert isinstance(doing, ir.DoRoutine)
    first, second = fx.mc.node(pair.first, ir.Decide), fx.mc.node(pair.second, ir.Decide)
    b.assign(at, top)
    b.assign(count, 0)
    once = _is_distinct(fx, first) and _is_distinct(fx, second)
    with calls.offered_frame(fx, node, doing) as words, calls.virtual(fx, words):

        def with_first(x: Value) -> None:
            with b.if_(top.gt_u(fx.builder.scratch_end - 4096 - 4 * pair.width)):
                fx.fault(NO_ROOM)
            with b.temporaries(I32) as (row,), calls.with_slot(fx, first.slot, x):
                b.assign(row, (x.operand - pair.spans[0][0]) * pair.width - pair.spans[1][0])
                _if_needed(fx, pair.needs, lambda: _each(fx, pair.second, lambda y: keep(row + y.operand)))

        def keep(number: Operand) -> None:
            if once:
                b.write(top, number)
                b.assign(top, top + 4)
            else:
                b.push(fx.builder.call("distinct", at, number, results=()))

        _if_needed(fx, pair.entry.needs, lambda: _each(fx, pair.first, with_first))
    fx.resume(part.node)
    b.assign(count, top - at >> 2)


def _if_needed(fx: FunctionContext, needs: tuple[int, ...], emit: Callable[[], None]) -> None:
    """Emits code that is skipped if a need does not hold."""
    failed = fx.b.block()
    for number in needs:
        fx.enter(number)
        fx.num(_need(fx, number))
        fx.b.br_if(failed, STACK.eqz())
    emit()
    fx.b.end()


def _each(fx: FunctionContext, number: int, visit: Callable[[Value], None]) -> None:
    """Emits `visit` for each candidate of a decision."""
    node = fx.mc.node(number, ir.Decide)
    untried, fx.untried = fx.untried, True
    fx.choices(number, node, 0, 1 << 31, visit)
    fx.untried = untried


def _is_distinct(fx: FunctionContext, node: ir.Decide) -> bool:
    """Whether every candidate of a decision is found once."""
    return bitset_select.worthwhile(fx, node.source, node.reg, node.where) is not None or (
        collection_order.stands_once(fx, node.source)
    )


# ---- one of them


def _values(
    fx: FunctionContext, pair: Pair, at: Variable, k: Operand, x: Variable, y: Variable
) -> tuple[InLocal, InLocal]:
    """`x` and `y` become the values of the k-th pair."""
    b = fx.b
    with b.temporaries(I32) as (number,):
        b.assign(number, ((k << 2) + at).load())
        b.assign(x, number.div_u(pair.width) + pair.spans[0][0])
        b.assign(y, number.rem_u(pair.width) + pair.spans[1][0])
    return InLocal(x, pair.spans[0]), InLocal(y, pair.spans[1])


def needs_trial(fx: FunctionContext, pair: Pair) -> bool:
    return not cannot_refuse(fx.mc, fx.mc.node(pair.second, ir.Decide).next)


def push_trial(fx: FunctionContext, part: OptionPart, pair: Pair, at: Variable, k: Variable) -> None:
    """Leaves whether the k-th pair can be chosen."""
    b = fx.b
    node = fx.mc.node(part.node, ir.Offer)
    doing = node.what[part.index]
    assert isinstance(doing, ir.DoRoutine)
    first, second = fx.mc.node(pair.first, ir.Decide), fx.mc.node(pair.second, ir.Decide)
    fx.offering = True
    with b.temporaries(I32, I32) as (x, y), calls.offered_frame(fx, node, doing) as words:
        one, other = _values(fx, pair, at, k, x, y)
        if fx.builder.is_pure_path(second.next):
            with calls.virtual(fx, words | {first.slot: one, second.slot: other}):
                speculation.try_in_place(fx, second.next)
        else:
            _push_frame(fx, part, pair, words, OK)
            _write(fx, part, first.slot, x)
            with b.temporaries(I32) as (held,):
                b.assign(held, fx.builder.call(f"candidate {pair.second}", b.state, y))
                _write(fx, part, first.slot, 0)
                calls.pop_frame(fx, part.node, pair.entry.given)
                with b.if_(held.lt_s(0)):
                    assert fx.fault_label is not None
                    b.br(fx.fault_label)
                b.push(held)
    fx.offering = False
    fx.resume(part.node)


def _push_frame(
    fx: FunctionContext, part: OptionPart, pair: Pair, words: dict[int, Value], back: int
) -> None:
    arguments = [words[ir.FRAME + i] for i in range(pair.entry.given)]
    calls.push_frame(fx, part.node, pair.entry.routine, words[ir.ME], Constant(NONE), arguments, back)


def _write(fx: FunctionContext, part: OptionPart, slot: int, value: Operand | int) -> None:
    """Writes a word of the frame on top of the running one."""
    fx.b.write(fx.frame, value, 4 * (fx.builder.size_at[part.node] + slot))


def take_out(fx: FunctionContext, at: Variable, k: Variable, count: Variable) -> None:
    """The k-th of so many pairs is in the list no more: the last one comes to its place."""
    fx.b.write((k << 2) + at, ((count + -1 << 2) + at).load())


def take(fx: FunctionContext, part: OptionPart, pair: Pair, at: Variable, k: Variable) -> None:
    """Carries out the k-th pair: the routine goes on with both parameters chosen."""
    b = fx.b
    node = fx.mc.node(part.node, ir.Offer)
    doing = node.what[part.index]
    assert isinstance(doing, ir.DoRoutine)
    first, second = fx.mc.node(pair.first, ir.Decide), fx.mc.node(pair.second, ir.Decide)
    with b.temporaries(I32, I32) as (x, y), calls.offered_frame(fx, node, doing) as words:
        _values(fx, pair, at, k, x, y)
        _push_frame(fx, part, pair, words, node.next)
        _write(fx, part, first.slot, x)
        _write(fx, part, second.slot, y)
        calls.run_routine(fx, second.next, node.next)
    fx.control.go(node.next)

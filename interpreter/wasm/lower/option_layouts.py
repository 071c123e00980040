"""The layouts of the options of decisions, computed from their nodes."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.domains import IntType
from interpreter import ir
from interpreter.ir.effects import has_trial
from interpreter.ir.purity import second_choice
from interpreter.wasm.lower import bitset_select
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Interval
from interpreter.wasm.option_layout import OptionLayout, OptionPart, RoutineEntry


def layout_of(fx: FunctionContext, number: int) -> OptionLayout:
    layouts = fx.builder.layouts
    if number not in layouts:
        node = fx.mc.decision(number)
        if isinstance(node, ir.Decide):
            layouts[number] = _layout_of_decide(fx, number, node)
        else:
            layouts[number] = _layout_of_offer(fx, number, node)
    return layouts[number]


def _layout_of_decide(fx: FunctionContext, number: int, node: ir.Decide) -> OptionLayout:
    lo, hi = values_of(fx, node)
    return OptionLayout(number, (OptionPart(number, 0, lo, hi - lo + 1, 0, ()),))


def values_of(fx: FunctionContext, node: ir.Decide) -> Interval:
    """The interval of what can be chosen, whatever the words of its frame are."""
    slots, regs, routine = fx.slots, fx.regs, fx.routine
    fx.slots, fx.regs, fx.routine = {}, {}, None
    lo, hi = fx.domain(node.source)
    fx.slots, fx.regs, fx.routine = slots, regs, routine
    if isinstance(node.type, IntType):
        lo, hi = max(lo, node.type.lo), min(hi, node.type.hi)
    return lo, max(lo, hi)


def _layout_of_offer(fx: FunctionContext, number: int, node: ir.Offer) -> OptionLayout:
    parts: list[OptionPart] = []
    first = 0
    for index, doing in enumerate(node.what):
        entries = tuple(entries_of(fx, doing))
        spans = []
        for entry in entries:
            if entry.choice is not None:
                choice = fx.mc.node(entry.choice, ir.Decide)
                spans.append(values_of(fx, choice))
        lo = min((x for x, _ in spans), default=0)
        size = max((y for _, y in spans), default=lo - 1) - lo + 1
        parts.append(OptionPart(number, index, lo, size, first, entries))
        first += parts[-1].words
    return OptionLayout(number, tuple(parts))


def entries_of(fx: FunctionContext, doing: ir.Doing) -> Iterator[RoutineEntry]:
    if isinstance(doing, ir.DoRoutine):
        yield entry_of(fx, doing.routine, len(doing.arguments))
        return
    for routine, given in dict.fromkeys((r, len(a)) for r, a in fx.mc.cells):
        yield entry_of(fx, routine, given)


def entry_of(fx: FunctionContext, routine: int, given: int) -> RoutineEntry:
    at = fx.mc.routines[routine].entry(given)
    needs = []
    node = fx.mc.nodes[at]
    while isinstance(node, ir.Precondition):
        needs.append(at)
        at = node.next
        node = fx.mc.nodes[at]
    choice = at if isinstance(node, ir.Decide) and node.trial else None
    return RoutineEntry(routine, given, tuple(needs), choice, at)


def pair_of(fx: FunctionContext, entry: RoutineEntry) -> tuple[tuple[int, ...], int] | None:
    """The needs and the second choice of a routine whose two choices are made as one."""
    if not fx.builder.config.flat or entry.choice is None:
        return None
    first = fx.mc.node(entry.choice, ir.Decide)
    pair = second_choice(fx.mc, first)
    if pair is None:
        return None
    second = fx.mc.node(pair[1], ir.Decide)
    slots, regs, fx.slots, fx.regs = fx.slots, fx.regs, {}, {}
    r = bitset_select.worthwhile(fx, second.source, second.reg, second.where)
    ready = bitset_select.worthwhile(fx, first.source, first.reg, first.where) is not None
    fx.slots, fx.regs = slots, regs
    return pair if r is not None and ready else None


def is_pure(fx: FunctionContext, entry: RoutineEntry) -> bool:
    """Whether what a routine offers can be found out without a frame and without a copy."""
    for number in entry.needs:
        node = fx.mc.node(number, ir.Precondition)
        if has_trial(node.condition):
            return False
    if entry.choice is None:
        return fx.builder.is_pure_path(entry.begin)
    choice = fx.mc.node(entry.choice, ir.Decide)
    if has_trial((choice.source, choice.where, choice.seat)):
        return False
    return fx.builder.is_pure_path(choice.next)

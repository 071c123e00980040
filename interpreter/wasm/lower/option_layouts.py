"""The layouts of the options of decisions, computed from their nodes."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import ir
from interpreter.ir.cfg import done
from interpreter.ir.effects import effect_of, has_trial
from interpreter.ir.purity import needs_from
from interpreter.ir.visit import targets
from interpreter.wasm.lower import calls
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.routine_conditions import runs_trial
from interpreter.wasm.lower.values import Interval
from interpreter.wasm.option_layout import OptionLayout, OptionPart, Pair, RoutineEntry


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
    return OptionLayout(number, (OptionPart(number, 0, lo, hi - lo + 1, 0, (), len(node.ranges)),))


def values_of(fx: FunctionContext, node: ir.Decide) -> Interval:
    """The interval of what can be chosen, whatever the words of its frame are."""
    slots, regs, routine = fx.slots, fx.regs, fx.routine
    fx.slots, fx.regs, fx.routine = calls.UnknownWords(fx.mc.seats), {}, None
    lo, hi = fx.domain(node.source)
    fx.slots, fx.regs, fx.routine = slots, regs, routine
    if node.bounds is not None:
        lo, hi = max(lo, node.bounds[0]), min(hi, node.bounds[1])
    return lo, max(lo, hi)


def _layout_of_offer(fx: FunctionContext, number: int, node: ir.Offer) -> OptionLayout:
    parts: list[OptionPart] = []
    first = 0
    for index, doing in enumerate(node.what):
        entries = tuple(entries_of(fx, doing))
        spans, ranges = [], []
        for entry in entries:
            if entry.choice is not None:
                choice = fx.mc.node(entry.choice, ir.Decide)
                spans.append(values_of(fx, choice))
                ranges.append(len(choice.ranges))
        lo = min((x for x, _ in spans), default=0)
        size = max((y for _, y in spans), default=lo - 1) - lo + 1
        # A cell may be done with one of very many numbers, and another one with a value that is listed.
        listed = max((y - x + 1 for (x, y), n in zip(spans, ranges, strict=True) if not n), default=0)
        most = max(*ranges, listed) if any(ranges) else 0
        parts.append(OptionPart(number, index, lo, size, first, entries, most))
        first += parts[-1].words
    return OptionLayout(number, tuple(parts))


def entries_of(fx: FunctionContext, doing: ir.Doing) -> Iterator[RoutineEntry]:
    for routine, given in done(fx.mc, doing):
        yield entry_of(fx, routine, given)


def entry_of(fx: FunctionContext, routine: int, given: int) -> RoutineEntry:
    needs, at = needs_from(fx.mc, fx.mc.routines[routine].entry(given))
    node = fx.mc.nodes[at]
    choice = at if isinstance(node, ir.Decide) and node.trial else None
    return RoutineEntry(routine, given, needs, choice, at)


def is_pure(fx: FunctionContext, entry: RoutineEntry) -> bool:
    """Whether what a routine offers can be found out without a frame and without a copy."""
    if entry.choice is None:
        return not _needs_trial(fx, entry) and fx.builder.is_pure_path(entry.begin)
    choice = fx.mc.node(entry.choice, ir.Decide)
    return has_pure_candidates(fx, entry) and fx.builder.is_pure_path(choice.next)


def has_pure_candidates(fx: FunctionContext, entry: RoutineEntry) -> bool:
    """Whether the candidates of a routine's first parameter are found without a frame and without a copy."""
    if entry.choice is None or _needs_trial(fx, entry):
        return False
    choice = fx.mc.node(entry.choice, ir.Decide)
    return not has_trial((choice.source, choice.where, choice.seat))


def _needs_trial(fx: FunctionContext, entry: RoutineEntry) -> bool:
    return any(runs_trial(fx, fx.mc.node(number, ir.Precondition).condition) for number in entry.needs)


# ---- two parameters as one

MOST_PAIRS, MOST_SECONDS = 1 << 30, 1 << 12
"""The pairs that have numbers, and the second values that a list has room for behind each first one."""


def pair_of(fx: FunctionContext, part: OptionPart) -> Pair | None:
    """The parameters of a part that are chosen as one: it has two, and both are found by looking."""
    node = fx.mc.decision(part.node)
    if not fx.builder.config.flat or isinstance(node, ir.Decide):
        return None
    if not isinstance(node.what[part.index], ir.DoRoutine):
        return None
    entry = part.entries[0]
    if entry.choice is None:
        return None
    first = fx.mc.node(entry.choice, ir.Decide)
    needs, at = needs_from(fx.mc, first.next)
    second = fx.mc.nodes[at]
    if not isinstance(second, ir.Decide) or not (is_parameter(first) and is_parameter(second)):
        return None
    conditions = [fx.mc.node(number, ir.Precondition).condition for number in (*entry.needs, *needs)]
    if any(runs_trial(fx, condition) for condition in conditions) or _asks_again(fx.mc, second.next):
        return None
    found = Pair(entry, entry.choice, needs, at, (values_of(fx, first), values_of(fx, second)))
    fits = found.width <= MOST_SECONDS and part.size * found.width < MOST_PAIRS
    return found if fits else None


def is_parameter(node: ir.Decide) -> bool:
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

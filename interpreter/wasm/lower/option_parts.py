"""The shapes of menus, found from decisions."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.domains import Int
from interpreter import machine as m
from interpreter.wasm.emit.purity import second_choice
from interpreter.wasm.emit.shape import Menu, Part, Way
from interpreter.wasm.lower import bitset_select
from interpreter.wasm.lower.context import FunctionContext
from interpreter.wasm.lower.values import Span


def menu_of(fx: FunctionContext, number: int) -> Menu:
    menus = fx.plan.menus
    if number not in menus:
        node = fx.mc.decision(number)
        menus[number] = (
            _decide_menu(fx, number, node) if isinstance(node, m.Decide) else _offer_menu(fx, number, node)
        )
    return menus[number]


def _decide_menu(fx: FunctionContext, number: int, node: m.Decide) -> Menu:
    lo, hi = values_of(fx, node)
    return Menu(number, (Part(lo, hi - lo + 1, 0, ()),))


def values_of(fx: FunctionContext, node: m.Decide) -> Span:
    """The interval of what can be chosen, whatever the words of its frame are."""
    slots, regs, routine = fx.slots, fx.regs, fx.routine
    fx.slots, fx.regs, fx.routine = {}, {}, None
    lo, hi = fx.domain(node.source)
    fx.slots, fx.regs, fx.routine = slots, regs, routine
    if isinstance(node.type, Int):
        lo, hi = max(lo, node.type.lo), min(hi, node.type.hi)
    return lo, max(lo, hi)


def _offer_menu(fx: FunctionContext, number: int, node: m.Offer) -> Menu:
    parts: list[Part] = []
    first = 0
    for doing in node.what:
        ways = tuple(entries_of(fx, doing))
        spans = []
        for way in ways:
            if way.choice is not None:
                choice = fx.mc.node(way.choice, m.Decide)
                spans.append(values_of(fx, choice))
        lo = min((x for x, _ in spans), default=0)
        size = max((y for _, y in spans), default=lo - 1) - lo + 1
        parts.append(Part(lo, size, first, ways))
        first += parts[-1].words
    return Menu(number, tuple(parts))


def entries_of(fx: FunctionContext, doing: m.Doing) -> Iterator[Way]:
    if isinstance(doing, m.DoRoutine):
        yield entry_of(fx, doing.routine, len(doing.arguments))
        return
    for routine, given in dict.fromkeys((r, len(a)) for r, a in fx.mc.cells):
        yield entry_of(fx, routine, given)


def entry_of(fx: FunctionContext, routine: int, given: int) -> Way:
    at = fx.mc.routines[routine].entry(given)
    needs = []
    node = fx.mc.nodes[at]
    while isinstance(node, m.Need):
        needs.append(at)
        at = node.next
        node = fx.mc.nodes[at]
    choice = at if isinstance(node, m.Decide) and node.trial else None
    return Way(routine, given, tuple(needs), choice, at)


def pair_of(fx: FunctionContext, way: Way) -> tuple[tuple[int, ...], int] | None:
    """The needs and the second choice of a routine whose two choices are made as one."""
    if not fx.plan.flavour.flat or way.choice is None:
        return None
    first = fx.mc.node(way.choice, m.Decide)
    pair = second_choice(fx.mc, first)
    if pair is None:
        return None
    second = fx.mc.node(pair[1], m.Decide)
    slots, regs, fx.slots, fx.regs = fx.slots, fx.regs, {}, {}
    r = bitset_select.worthwhile(fx, second.source, second.reg, second.where)
    ready = bitset_select.worthwhile(fx, first.source, first.reg, first.where) is not None
    fx.slots, fx.regs = slots, regs
    return pair if r is not None and ready else None

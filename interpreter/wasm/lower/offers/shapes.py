"""The shapes of menus, found from decisions."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.domains import Int
from interpreter import machine as m
from interpreter.wasm.emit.purity import second_choice
from interpreter.wasm.emit.shape import Menu, Part, Way
from interpreter.wasm.lower.numbers.values import Span
from interpreter.wasm.lower.offers.trials import Trials


class Shaping(Trials):
    """Adds the menu of each decision, and the ways to do what it offers."""

    def menu_of(self, number: int) -> Menu:
        menus = self.plan.menus
        if number not in menus:
            node = self.mc.nodes[number]
            assert isinstance(node, m.Decide | m.Offer)
            menus[number] = (
                self._decide_menu(number, node)
                if isinstance(node, m.Decide)
                else self._offer_menu(number, node)
            )
        return menus[number]

    def _decide_menu(self, number: int, node: m.Decide) -> Menu:
        lo, hi = self.values_of(node)
        return Menu(number, (Part(lo, hi - lo + 1, 0, ()),))

    def values_of(self, node: m.Decide) -> Span:
        """The interval of what can be chosen, whatever the words of its frame are."""
        slots, regs, routine = self.slots, self.regs, self.routine
        self.slots, self.regs, self.routine = {}, {}, None
        lo, hi = self.domain(node.source)
        self.slots, self.regs, self.routine = slots, regs, routine
        if isinstance(node.type, Int):
            lo, hi = max(lo, node.type.lo), min(hi, node.type.hi)
        return lo, max(lo, hi)

    def _offer_menu(self, number: int, node: m.Offer) -> Menu:
        parts: list[Part] = []
        first = 0
        for doing in node.what:
            ways = tuple(self.ways(doing))
            spans = []
            for way in ways:
                if way.choice is not None:
                    choice = self.mc.nodes[way.choice]
                    assert isinstance(choice, m.Decide)
                    spans.append(self.values_of(choice))
            lo = min((x for x, _ in spans), default=0)
            size = max((y for _, y in spans), default=lo - 1) - lo + 1
            parts.append(Part(lo, size, first, ways))
            first += parts[-1].words
        return Menu(number, tuple(parts))

    def ways(self, doing: m.Doing) -> Iterator[Way]:
        if isinstance(doing, m.DoRoutine):
            yield self.way(doing.routine, len(doing.arguments))
            return
        for routine, given in dict.fromkeys((r, len(a)) for r, a in self.mc.cells):
            yield self.way(routine, given)

    def way(self, routine: int, given: int) -> Way:
        entries = self.mc.routines[routine].entries
        at = entries[given] if given < len(entries) else entries[-1]
        needs = []
        node = self.mc.nodes[at]
        while isinstance(node, m.Need):
            needs.append(at)
            at = node.next
            node = self.mc.nodes[at]
        choice = at if isinstance(node, m.Decide) and node.trial else None
        return Way(routine, given, tuple(needs), choice, at)

    def pair_of(self, way: Way) -> tuple[tuple[int, ...], int] | None:
        """The needs and the second choice of a routine whose two choices are made as one."""
        if not self.plan.flavour.flat or way.choice is None:
            return None
        first = self.mc.nodes[way.choice]
        assert isinstance(first, m.Decide)
        pair = second_choice(self.mc, first)
        if pair is None:
            return None
        second = self.mc.nodes[pair[1]]
        assert isinstance(second, m.Decide)
        slots, regs, self.slots, self.regs = self.slots, self.regs, {}, {}
        r = self.worthwhile(second.source, second.reg, second.where)
        ready = self.worthwhile(first.source, first.reg, first.where) is not None
        self.slots, self.regs = slots, regs
        return pair if r is not None and ready else None

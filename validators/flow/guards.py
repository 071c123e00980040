"""Guards: what conditions before a statement imply for the numbers in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

import networkx as nx

from interpreter import ir
from interpreter.ir.intervals import HIGHEST, LOWEST, WIDE, Interval, Known
from interpreter.ir.operators import MIRRORED, NEGATED, Comparison
from interpreter.ir.visit import substitute
from validators.flow.facts import consequences
from validators.flow.graph import Flow
from validators.flow.intervals import Intervals
from validators.flow.updates import Update, updates_of

ENTRY = -1
"""A virtual node before all first nodes of a routine."""


class Guards:
    """The conditions that hold whenever play reaches a node."""

    def __init__(self, flow: Flow, intervals: Intervals) -> None:
        self.flow = flow
        self.intervals = intervals
        self._above: dict[int, dict[int, int]] = {}

    def at(self, number: int) -> Known:
        """What is known of loads and locals at a node, by the conditions that dominate it."""
        known: dict[ir.Expr, Interval] = {}
        for node, condition, holds in self._conditions(number):
            for part, truth in consequences(condition, holds):
                for what, narrowed in self._narrowed(part, truth, node):
                    if self._unchanged(what, node, number):
                        before = known.get(what, self.intervals.of(what, number))
                        known[what] = before.met(narrowed)
        return known

    # ---- conditions before a node

    def _conditions(self, number: int) -> Iterator[tuple[int, ir.Expr, bool]]:
        """Conditions that are known at a node: where they are, and whether they hold."""
        above = self._dominators(self.flow.owner[number])
        here = number
        while here in above and above[here] != here:
            before = above[here]
            node = self.flow.machine.nodes[before]
            match node:
                case ir.Branch(condition=condition, then=then, otherwise=otherwise) if then != otherwise:
                    if here == then and self._only_from(then, before):
                        yield before, condition, True
                    if here == otherwise and self._only_from(otherwise, before):
                        yield before, condition, False
                case ir.Precondition(condition=condition):
                    yield before, condition, True
                case ir.Decide(where=where, reg=reg, slot=slot) if where is not None and here == node.next:
                    yield before, substitute(where, reg, ir.Local(slot)), True
            here = before

    def _dominators(self, routine: int) -> dict[int, int]:
        if routine not in self._above:
            graph: nx.DiGraph[int] = nx.DiGraph(self.flow.within(routine))
            graph.add_edges_from((ENTRY, entry) for entry in self._entries(routine))
            found = nx.immediate_dominators(graph, ENTRY)
            self._above[routine] = {a: b for a, b in found.items() if ENTRY not in (a, b)}
        return self._above[routine]

    def _entries(self, routine: int) -> set[int]:
        """The nodes at which calls of a routine begin."""
        if routine < 0:
            return {self.flow.machine.start}
        edges = (edge for number in self.flow.reached for edge in self.flow.edges[number])
        return {edge.runs[1] for edge in edges if edge.runs is not None and edge.runs[0] == routine}

    def _only_from(self, target: int, source: int) -> bool:
        """Whether a node has one reachable predecessor only."""
        return all(
            edge.source == source
            for edges in self.flow.edges
            for edge in edges
            if edge.target == target and edge.source in self.flow.reached
        )

    # ---- consequences

    def _narrowed(self, part: ir.Expr, truth: bool, at: int) -> Iterator[tuple[ir.Expr, Interval]]:
        match part:
            case ir.Op(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op, left=left, right=right):
                sign = op if truth else NEGATED[op]
                yield left, _bound(sign, self.intervals.of(right, at))
                yield right, _bound(MIRRORED[sign], self.intervals.of(left, at))

    def _unchanged(self, what: ir.Expr, since: int, now: int) -> bool:
        """Whether nothing between a condition and a node may have changed an operand."""
        if not isinstance(what, ir.Load | ir.Local | ir.Op):
            return False
        names = {u.name for u in self._changes(since, now)}
        return not names & set(self._operands(what, self.flow.owner[now]))

    def _changes(self, since: int, now: int) -> Iterator[Update]:
        self.flow.tick()
        graph = self.flow.within(self.flow.owner[now])
        behind = nx.descendants(graph, since) & (nx.ancestors(graph, now) | {now})
        for number in behind - {now}:
            yield from updates_of(self.flow, number)
            for edge in self.flow.edges[number]:
                if edge.runs is not None:
                    for inner in self.flow.nodes_in(self.flow.called({edge.runs[0]})):
                        yield from updates_of(self.flow, inner)

    def _operands(self, what: ir.Expr, owner: int) -> Iterator[str]:
        match what:
            case ir.Load(address=address):
                if (words := self.flow.machine.words_at(address.base)) is not None:
                    yield words.name
                for term in address.terms:
                    yield from self._operands(term.index, owner)
            case ir.Local(slot=slot):
                yield f"local {owner} {slot}"
            case ir.Op(left=left, right=right):
                yield from self._operands(left, owner)
                yield from self._operands(right, owner)


def _bound(op: Comparison, other: Interval) -> Interval:
    match op:
        case "<":
            return Interval(LOWEST, other.hi - 1)
        case "<=":
            return Interval(LOWEST, other.hi)
        case ">":
            return Interval(other.lo + 1, HIGHEST)
        case ">=":
            return Interval(other.lo, HIGHEST)
        case "==":
            return other
        case "!=":
            return WIDE
    assert_never(op)

"""What happens finitely often while play stays in a part of the graph, and what is never empty.

Pieces only leave some place, and every cycle asks that pieces be there: then it is never empty while play
continues, because it would stay so. So "move up to two" moves at least one, and a draw finds a piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import networkx as nx

from interpreter import ir
from validators.flow.facts import consequences, filled_by, plain
from validators.flow.graph import Edge, Graph
from validators.flow.origins import UNKNOWN
from validators.flow.updates import Update


@dataclass(frozen=True, slots=True)
class Moving:
    """The updates that happen finitely often, and the places that are never empty meanwhile."""

    updates: frozenset[Update] = frozenset()
    filled: frozenset[int] = frozenset()

    def with_more(self, one_way: frozenset[Update]) -> Moving:
        """The same with those of some updates in one direction that whoever comes past makes."""
        return Moving(self.updates | {u for u in one_way if self._is_sure(u, one_way)}, self.filled)

    def _is_sure(self, update: Update, one_way: frozenset[Update]) -> bool:
        sure = update.sure or update.unless_empty in self.filled
        return sure and all(replace(update, source=zone) in one_way for zone in update.either)

    def closes(self, node: ir.Step, edge: Edge) -> bool:
        """Whether an edge is taken only if a place is empty that never is."""
        if not self.filled or not isinstance(node, ir.Branch):
            return False
        parts = consequences(node.condition, edge.kind != "otherwise")
        return any(place in self.filled for place in _emptied(parts))


def _emptied(parts: Iterable[tuple[ir.Expr, bool]]) -> Iterator[int]:
    """The places that are empty if some comparisons are true or false."""
    for part, truth in parts:
        match plain(part):
            case ir.Op(op="==", left=ir.Size() as size, right=ir.Const(value=0)), empty if empty is truth:
                yield from _places(size)


def filled_places(machine: ir.Machine, graph: Graph, updates: frozenset[Update]) -> frozenset[int]:
    """The places that nothing enters by some updates, and that every cycle asks not to be empty."""
    entered = {update.name for update in updates}
    if UNKNOWN in entered:
        return frozenset()
    asking: dict[int, set[tuple[int, int, int]]] = {}
    for source, target, key, data in graph.edges(keys=True, data=True):
        for place in _asked(machine.nodes[source], data["edge"]):
            if machine.places[place].zone not in entered:
                asking.setdefault(place, set()).add((source, target, key))
    return frozenset(place for place, edges in asking.items() if _breaks_all(graph, edges))


def _asked(node: ir.Step, edge: Edge) -> Iterator[int]:
    """The places that are not empty where an edge is taken."""
    if isinstance(node, ir.Branch):
        for size in filled_by(node.condition, edge.kind != "otherwise"):
            yield from _places(size)


def _breaks_all(graph: Graph, edges: set[tuple[int, int, int]]) -> bool:
    """Whether every cycle has one of some edges."""
    others = graph.copy()
    for source, target, key in edges:
        others.remove_edge(source, target, key)
    return nx.is_directed_acyclic_graph(others)


def _places(size: ir.Size) -> Iterator[int]:
    """The one place whose pieces are counted, if it is the same always."""
    match size.source:
        case ir.Pieces(first=first, of=of, at=at):
            offsets = [_offset(of), _offset(at)]
            if None not in offsets:
                yield first + (offsets[0] or 0) * at.size + (offsets[1] or 0)


def _offset(indices: ir.Indices) -> int | None:
    match indices.one:
        case ir.Const(value=value) if indices.lo <= value < indices.lo + indices.size:
            return value - indices.lo
    return None

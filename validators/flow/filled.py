"""Places that are never empty while play goes round, for the proof that it ends (`cycles.py`).

If pieces only leave a place, and every cycle asks that some be there, then none is left when it is empty:
play could not come round again. So while play goes round the place is not empty, "move up to two" moves at
least one piece, and a draw finds one. Moves that would be uncertain elsewhere are progress there.
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
    """What is known while play goes round: what happens finitely often, and which places are never empty."""

    updates: frozenset[Update] = frozenset()
    filled: frozenset[int] = frozenset()

    def with_more(self, one_way: frozenset[Update]) -> Moving:
        """With those updates in one direction that are certain to be made where their nodes are run."""
        return Moving(self.updates | {u for u in one_way if self._is_sure(u, one_way)}, self.filled)

    def _is_sure(self, update: Update, one_way: frozenset[Update]) -> bool:
        sure = update.sure or update.unless_empty in self.filled
        return sure and all(replace(update, source=zone) in one_way for zone in update.either)

    def closes(self, node: ir.Step, edge: Edge) -> bool:
        """Whether an edge is never taken, as it asks that a place be empty that never is."""
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
    requiring: dict[int, set[tuple[int, int, int]]] = {}
    for source, target, key, data in graph.edges(keys=True, data=True):
        for place in _required(machine.nodes[source], data["edge"]):
            if machine.places[place].zone not in entered:
                requiring.setdefault(place, set()).add((source, target, key))
    return frozenset(place for place, edges in requiring.items() if _breaks_all(graph, edges))


def _required(node: ir.Step, edge: Edge) -> Iterator[int]:
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

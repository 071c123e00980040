"""Cycles without progress: those on which no measure changes in one direction only.

A measure is a counter that only rises or only falls, a place that pieces only leave, a pointer that is only
set where it is empty. As in a termination proof, edges on which a measure certainly changes are removed, and
the rest is analysed again: other measures may be monotonic there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

import networkx as nx

from interpreter import ir
from interpreter.ir.effects import effect_of, nodes_that
from validators.flow.facts import Facts
from validators.flow.graph import Edge, Flow, Graph
from validators.flow.updates import UP, Update, updates_of

Keeps = Callable[[Edge], bool]


@dataclass
class Cycles:
    """The cycles of one machine without progress, by the edges that `keeps` leaves."""

    flow: Flow
    keeps: Keeps = lambda edge: True
    stops: frozenset[int] = field(init=False)
    _through: dict[tuple[int, frozenset[Update]], bool] = field(default_factory=dict)
    _within: dict[int, frozenset[Update]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stops = nodes_that(self.flow.machine, "waits")

    def found(self) -> Iterator[tuple[Edge, ...]]:
        """A short cycle of every component of the graph in which play may continue for ever."""
        for routine in sorted({self.flow.owner[i] for i in self.flow.reached}):
            graph = self.flow.rounds_within(routine)
            _remove_edges(graph, lambda edge: not self.keeps(edge))
            yield from self._without_progress(graph)

    def _without_progress(self, graph: Graph) -> Iterator[tuple[Edge, ...]]:
        self.flow.tick()
        for part in list(nx.strongly_connected_components(graph)):
            inner = graph.subgraph(part).copy()
            if not inner.number_of_edges():
                continue
            moving = self._one_way(self._updates(inner))
            progress = _remove_edges(inner, partial(self._progresses, moving=moving))
            phases = self._phases(inner)
            if not progress:
                yield self._example(inner, frozenset(phases) or self.stops)
                inner.remove_nodes_from(phases)
            if progress or phases:
                yield from self._without_progress(inner)

    def _phases(self, graph: Graph) -> list[int]:
        """The nodes at which phases begin. A cycle without one stays within a step."""
        return [i for i in sorted(graph.nodes) if isinstance(self.flow.machine.nodes[i], ir.EnterPhase)]

    def _example(self, graph: Graph, through: frozenset[int]) -> tuple[Edge, ...]:
        """A short cycle without progress even if it is all that is played, or else any short one."""
        found = sorted(self._ticking(_cycles(graph, through)), key=len)
        for cycle in found:
            alone: Graph = nx.MultiDiGraph()
            alone.add_edges_from((edge.source, edge.target, {"edge": edge}) for edge in cycle)
            moving = self._one_way(self._updates(alone))
            if not any(self._progresses(edge, moving) for edge in cycle):
                return cycle
        return found[0]

    def _ticking(self, cycles: Iterator[tuple[Edge, ...]]) -> Iterator[tuple[Edge, ...]]:
        for cycle in cycles:
            self.flow.tick()
            yield cycle

    # ---- measures

    def _updates(self, graph: Graph) -> frozenset[Update]:
        """All updates on the edges of a graph, and in what they call."""
        found: set[Update] = set()
        for node, _, data in graph.edges(data=True):
            edge = data["edge"]
            found |= updates_of(self.flow, node)
            if edge.runs is not None:
                found |= self._of_routine(edge.runs[0])
        return frozenset(found)

    def _of_routine(self, routine: int) -> frozenset[Update]:
        if routine not in self._within:
            nodes = self.flow.nodes_in(self.flow.called({routine}))
            self._within[routine] = frozenset(u for i in nodes for u in updates_of(self.flow, i))
        return self._within[routine]

    def _one_way(self, updates: frozenset[Update]) -> frozenset[Update]:
        """The updates that certainly change a measure which no other update changes back."""
        ways: dict[str, set[int]] = {}
        moves: nx.DiGraph[str] = nx.DiGraph()
        for update in updates:
            if update.source is None:
                ways.setdefault(update.name, set()).add(update.way)
            else:
                moves.add_edge(update.source, update.name)
        circles = {v: i for i, part in enumerate(nx.strongly_connected_components(moves)) for v in part}
        return frozenset(
            u
            for u in updates
            if u.sure
            and (ways[u.name] in ({UP}, {-UP}) if u.source is None else circles[u.source] != circles[u.name])
        )

    def _progresses(self, edge: Edge, moving: frozenset[Update]) -> bool:
        """Whether a measure certainly changes on an edge."""
        node = self.flow.machine.nodes[edge.source]
        if isinstance(node, ir.Bound) or edge.kind == "again" or updates_of(self.flow, edge.source) & moving:
            return True
        return edge.runs is not None and not self._passes(edge.runs, moving)

    def _passes(self, runs: tuple[int, int], moving: frozenset[Update]) -> bool:
        """Whether a path leads through a routine without a change of a measure."""
        entry = runs[1]
        key = (entry, moving)
        if key in self._through:
            return self._through[key]
        self._through[key] = False
        self.flow.tick()
        todo, seen, passes = [(entry, Facts())], {(entry, Facts())}, False
        while todo and not passes:
            number, facts = todo.pop()
            node = self.flow.machine.nodes[number]
            passes = effect_of(node).returns
            after = facts.after(node)
            for edge in self.flow.onward[number]:
                step = (edge.target, after)
                goes = step not in seen and self.keeps(edge) and _open(node, edge, facts)
                if goes and not self._moves(edge, moving):
                    seen.add(step)
                    todo.append(step)
        self._through[key] = passes
        return passes

    def _moves(self, edge: Edge, moving: frozenset[Update]) -> bool:
        """The same within a routine: there a loop may have no earlier iteration."""
        if updates_of(self.flow, edge.source) & moving:
            return True
        return edge.runs is not None and not self._passes(edge.runs, moving)


def _open(node: ir.Step, edge: Edge, facts: Facts) -> bool:
    """Whether an edge may be taken, given what is known."""
    if not isinstance(node, ir.Branch):
        return True
    return facts.answer(node.condition) is not (edge.kind == "otherwise")


def _remove_edges(graph: Graph, holds: Keeps) -> bool:
    """Removes the edges with some property; whether there were any."""
    gone = [(a, b, key) for a, b, key, data in graph.edges(keys=True, data=True) if holds(data["edge"])]
    graph.remove_edges_from(gone)
    return bool(gone)


def _cycles(graph: Graph, stops: frozenset[int]) -> Iterator[tuple[Edge, ...]]:
    """For each edge after a stop, or for all edges if there is no stop, the shortest cycle through it."""
    for node in sorted(stops & set(graph.nodes)) or sorted(graph.nodes):
        for after in sorted(set(graph.successors(node))):
            path = nx.shortest_path(graph, after, node)
            path = [node, *path[:-1]]
            pairs = zip(path, [*path[1:], path[0]], strict=True)
            yield tuple(_edge(graph, a, b) for a, b in pairs)


def _edge(graph: Graph, a: int, b: int) -> Edge:
    """An edge between two nodes, preferably one without a call."""
    edges: list[Edge] = [data["edge"] for data in graph[a][b].values()]
    return min(edges, key=lambda edge: edge.runs is not None)

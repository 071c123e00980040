"""Cycles without progress: those on which no measure changes in one direction only.

A measure is a counter that only rises or only falls, a place that pieces only leave, a pointer that is only
set where it is empty, a history that only grows. As in a termination proof, paths on which a measure
certainly changes are left out, and the rest is analysed again: other measures may be monotonic there. So the
tens of a number written with two digits count, and then its units, which are set back with every ten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import networkx as nx

from interpreter import ir
from interpreter.ir.effects import effect_of, nodes_that
from validators.flow.facts import Facts
from validators.flow.filled import Moving, filled_places
from validators.flow.graph import Edge, Flow, Graph
from validators.flow.updates import UP, Update, updates_of

Keeps = Callable[[Edge], bool]
MOST_OTHERS = 24
"""The most cycles of which it is tried whether they bring back what runs out in another."""


@dataclass(frozen=True)
class OpenCycle:
    """A short cycle of a part of the graph in which nothing certainly makes progress.

    `nodes` are those of the part. `one_way` are the names of what changes in one direction only there, if not
    certainly: counters that never fall, zones that pieces only leave or only enter.
    """

    edges: tuple[Edge, ...]
    nodes: frozenset[int]
    one_way: frozenset[str] = frozenset()


@dataclass
class Cycles:
    """The cycles of one machine without progress, by the edges that `keeps` leaves.

    `ignored` are updates that are taken for none, `counted` some that are taken for progress. `settles` may
    say of a cycle that play cannot stay in it for another reason.
    """

    flow: Flow
    keeps: Keeps = lambda edge: True
    ignored: frozenset[Update] = frozenset()
    counted: frozenset[Update] = frozenset()
    settles: Callable[[OpenCycle], bool] = lambda cycle: False
    stops: frozenset[int] = field(init=False)
    _through: dict[tuple[int, Moving], bool] = field(default_factory=dict)
    _free: dict[tuple[int, Moving], frozenset[Update]] = field(default_factory=dict)

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
            moving = self._moving(inner)
            one_way = _one_way(self._updates(inner, moving)) | moving.updates
            gone: list[int] = []
            progress = _remove_edges(inner, partial(self._progresses, moving=moving))
            if not progress:
                phases = self._phases(inner)
                cycle = self._example(inner, frozenset(phases) or self.stops)
                found = OpenCycle(cycle, frozenset(inner), self._measures(one_way))
                settled = self.settles(found)
                gone = self._same_phase(phases, cycle) if settled else phases
                if not settled:
                    yield self._whole_round(inner, cycle)
            inner.remove_nodes_from(gone)
            if progress or gone:
                yield from self._without_progress(inner)

    def _same_phase(self, phases: Iterable[int], cycle: tuple[Edge, ...]) -> list[int]:
        """The nodes at which the phase begins that a cycle enters first."""
        first = phase_of(self.flow.machine, cycle)
        return [i for i in phases if phase_at(self.flow.machine, i) == first]

    def _phases(self, graph: Graph) -> list[int]:
        """The nodes at which phases begin. A cycle without one stays within a step."""
        return [i for i in sorted(graph.nodes) if isinstance(self.flow.machine.nodes[i], ir.EnterPhase)]

    def _example(self, graph: Graph, through: frozenset[int]) -> tuple[Edge, ...]:
        """A short cycle without progress even if it is all that is played, or else any short one."""
        found = sorted(self._ticking(_cycles(graph, through)), key=len)
        return next(filter(self._repeats, found), found[0])

    def _repeats(self, cycle: tuple[Edge, ...]) -> bool:
        """Whether nothing certainly makes progress if a cycle is all that is played."""
        alone: Graph = nx.MultiDiGraph()
        alone.add_edges_from((edge.source, edge.target, {"edge": edge}) for edge in cycle)
        moving = self._moving(alone)
        return not any(self._progresses(edge, moving) for edge in cycle)

    def _whole_round(self, graph: Graph, cycle: tuple[Edge, ...]) -> tuple[Edge, ...]:
        """A cycle that can be repeated: if something runs out in it alone, one that brings it back follows.

        The second one enters no other phases. If no single one brings all of it back, it is left out.
        """
        if self._repeats(cycle):
            return cycle
        phases = {phase_at(self.flow.machine, edge.source) for edge in cycle}
        others = sorted(self._ticking(_cycles_by_choice(graph, self.stops)), key=len)
        for other in others[:MOST_OTHERS]:
            entered = {phase_at(self.flow.machine, edge.source) for edge in other}
            if not entered <= phases | {None}:
                continue
            alone = begun_at(other, cycle[0].source) if entered | {None} == phases | {None} else None
            for walk in (alone, joined(cycle, other)):
                if walk is not None and self._repeats(walk):
                    return walk
        return cycle

    def _ticking(self, cycles: Iterator[tuple[Edge, ...]]) -> Iterator[tuple[Edge, ...]]:
        for cycle in cycles:
            self.flow.tick()
            yield cycle

    # ---- measures

    def _measures(self, updates: Iterable[Update]) -> frozenset[str]:
        """What such updates change; not a pointer that may have pointed somewhere else before."""
        variables = self.flow.machine.stores
        kept = (
            u
            for u in updates
            if not u.is_local and (u.sure or u.name not in variables or variables[u.name].kind != "pointer")
        )
        return frozenset(name for u in kept for name in (u.name, u.source) if name is not None)

    def _moving(self, graph: Graph) -> Moving:
        """The updates that happen finitely often: those of measures, one after the other.

        First those that no other update changes back; then those that only updates beside them change back;
        and so on.
        """
        moving = Moving(self.counted)
        while True:
            updates = self._updates(graph, moving)
            filled = moving.filled | filled_places(self.flow.machine, graph, updates)
            more = Moving(moving.updates, filled).with_more(_one_way(updates))
            if more == moving:
                return moving
            moving = more

    def _updates(self, graph: Graph, moving: Moving) -> frozenset[Update]:
        """All updates on the edges of a graph, and in what they call, on paths without one of `moving`."""
        found: set[Update] = set()
        for node, _, data in graph.edges(data=True):
            edge, own = data["edge"], self._of(node)
            if own & moving.updates:
                continue
            inside = self._free_of(edge.runs, moving) if edge.runs is not None else frozenset()
            if edge.runs is None or moving == Moving() or self._passes(edge.runs, moving):
                found |= own | inside
        return frozenset(found)

    def _of(self, number: int) -> frozenset[Update]:
        return updates_of(self.flow, number) - self.ignored

    def _free_of(self, runs: tuple[int, int], moving: Moving) -> frozenset[Update]:
        """The updates on paths through a routine, and through what it calls, without one of `moving`."""
        routine, entry = runs
        key = (entry, moving)
        if key not in self._free:
            nodes = self.flow.nodes_in(self.flow.called({routine}))
            self._free[key] = frozenset(u for i in nodes for u in self._of(i))
            if moving != Moving():
                self._free[key] = self._on_free_paths(entry, moving)
        return self._free[key]

    def _on_free_paths(self, entry: int, moving: Moving) -> frozenset[Update]:
        self.flow.tick()
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_node(entry)
        edges: list[Edge] = []
        todo = [entry]
        while todo:
            for edge in self.flow.onward[todo.pop()]:
                if self.keeps(edge) and not self._moves(edge, moving):
                    edges.append(edge)
                    if edge.target not in graph:
                        todo.append(edge.target)
                    graph.add_edge(edge.source, edge.target)
        ends = [i for i in graph if effect_of(self.flow.machine.nodes[i]).returns]
        back = set(ends).union(*(nx.ancestors(graph, end) for end in ends))
        found = {u for edge in edges if edge.target in back for u in self._of(edge.source)}
        called = [edge.runs for edge in edges if edge.runs is not None and edge.target in back]
        return frozenset(found.union(*(self._free_of(runs, moving) for runs in called)))

    def _progresses(self, edge: Edge, moving: Moving) -> bool:
        """Whether a measure certainly changes on an edge."""
        node = self.flow.machine.nodes[edge.source]
        if isinstance(node, ir.Bound) or edge.kind == "again" or self._of(edge.source) & moving.updates:
            return True
        if moving.closes(node, edge):
            return True
        return edge.runs is not None and not self._passes(edge.runs, moving)

    def _passes(self, runs: tuple[int, int], moving: Moving) -> bool:
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

    def _moves(self, edge: Edge, moving: Moving) -> bool:
        """The same within a routine: there a loop may have no earlier iteration."""
        if self._of(edge.source) & moving.updates or moving.closes(
            self.flow.machine.nodes[edge.source], edge
        ):
            return True
        return edge.runs is not None and not self._passes(edge.runs, moving)


def _one_way(updates: frozenset[Update]) -> frozenset[Update]:
    """The updates that no other one changes back, whether they certainly happen or not."""
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
        if (ways[u.name] in ({UP}, {-UP}) if u.source is None else circles[u.source] != circles[u.name])
    )


def phase_at(machine: ir.Machine, number: int) -> str | None:
    """The phase that a node enters, if it enters one."""
    node = machine.nodes[number]
    return machine.phases[node.phase] if isinstance(node, ir.EnterPhase) else None


def phase_of(machine: ir.Machine, cycle: Iterable[Edge]) -> str | None:
    """The first phase that a cycle enters, if it enters one."""
    entered = (phase_at(machine, edge.source) for edge in cycle)
    return next((phase for phase in entered if phase is not None), None)


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


def _cycles_by_choice(graph: Graph, stops: frozenset[int]) -> Iterator[tuple[Edge, ...]]:
    """For each choice at a stop, the shortest cycle with it."""
    for node in sorted(stops & set(graph.nodes)):
        for _, after, data in graph.out_edges(node, data=True):
            path = nx.shortest_path(graph, after, node)
            rest = (_edge(graph, a, b) for a, b in pairwise(path))
            yield (data["edge"], *rest)


def joined(cycle: tuple[Edge, ...], other: tuple[Edge, ...]) -> tuple[Edge, ...] | None:
    """Two cycles, one after the other; none if they do not meet. It begins as the first one does."""
    for i, edge in enumerate(cycle):
        if (between := begun_at(other, edge.source)) is not None:
            return (*cycle[:i], *between, *cycle[i:])
    return None


def begun_at(cycle: tuple[Edge, ...], node: int) -> tuple[Edge, ...] | None:
    """A cycle from one of its nodes on; none if it does not come there."""
    at = next((i for i, edge in enumerate(cycle) if edge.source == node), None)
    return (*cycle[at:], *cycle[:at]) if at is not None else None


def _edge(graph: Graph, a: int, b: int) -> Edge:
    """An edge between two nodes, preferably one without a call."""
    edges: list[Edge] = [data["edge"] for data in graph[a][b].values()]
    return min(edges, key=lambda edge: edge.runs is not None)

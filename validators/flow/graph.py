"""A machine as a graph whose edges know what caused them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias

import networkx as nx

from dsl.source import Span
from interpreter import ir
from interpreter.ir.cfg import owners, runs
from interpreter.ir.effects import nodes_that

Graph: TypeAlias = "nx.MultiDiGraph[int]"
EdgeKind = Literal["on", "then", "otherwise", "chosen", "declined", "nothing", "again", "done", "fires"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A way from one node to the next, by way of a routine if it names one.

    `runs` is the routine and the node at which it begins; the edge is taken when the routine returns.
    """

    source: int
    target: int
    kind: EdgeKind
    runs: tuple[int, int] | None = None
    word: str = ""


class Flow:
    """Everything that may follow what, within routines and through them."""

    def __init__(self, machine: ir.Machine, tick: Callable[[], None] = lambda: None) -> None:
        self.machine = machine
        self.tick = tick
        """Asked every now and then by whatever goes through the graph for long; it may raise."""
        self.edges: list[tuple[Edge, ...]] = [tuple(self._after(i)) for i in range(len(machine.nodes))]
        self.owner = owners(machine)
        """The routine to which each node belongs."""

    # ---- edges

    def _after(self, number: int) -> Iterator[Edge]:
        node = self.machine.nodes[number]
        match node:
            case ir.Return() | ir.Win() | ir.End():
                return
            case ir.Branch(then=then, otherwise=otherwise):
                yield Edge(number, then, "then")
                yield Edge(number, otherwise, "otherwise")
            case ir.Iterate(next=following, done=done):
                yield Edge(number, following, "again")
                yield Edge(number, done, "done")
            case ir.NextTrigger(block=block):
                yield Edge(number, block, "again")
            case ir.CheckTrigger(next=following):
                yield Edge(number, following, "on")
                for run in self._runs(node):
                    yield Edge(number, following, "fires", run)
            case ir.Call(next=following) | ir.Fork(next=following) | ir.CallCell(next=following):
                for run in self._runs(node):
                    yield Edge(number, following, "on", run)
            case ir.Decide():
                yield Edge(number, node.next, "chosen")
                if node.passing is not None:
                    yield Edge(number, node.passing, "declined")
                if node.nothing is not None:
                    yield Edge(number, node.nothing, "nothing")
            case ir.Offer():
                yield from self._offered(number, node)
            case _:
                yield Edge(number, node.next, "on")

    def _offered(self, number: int, node: ir.Offer) -> Iterator[Edge]:
        for what, name in zip(node.what, node.names, strict=True):
            if isinstance(what, ir.DoRoutine):
                runs = [(what.routine, self._entry(what.routine, len(what.arguments)))]
            else:
                runs = self._cells()
            for run in runs:
                yield Edge(number, node.next, "chosen", run, name)
        if node.passing is not None:
            yield Edge(number, node.passing, "declined")

    def _runs(self, node: ir.CallNode) -> list[tuple[int, int]]:
        """The routines that a node may run, each with the node at which it begins."""
        return sorted({(r, self._entry(r, given)) for r, given in runs(self.machine, node)})

    def _entry(self, routine: int, given: int) -> int:
        return self.machine.routines[routine].entry(given)

    def _cells(self) -> list[tuple[int, int]]:
        """What the effect of a cell may be: every routine that a cell names."""
        return sorted({(r, self._entry(r, len(arguments))) for r, arguments in self.machine.cells})

    # ---- what can come of a node

    @cached_property
    def returning(self) -> frozenset[int]:
        """The nodes from which the routine that they stand in may return."""
        return frozenset(self._before(self._returns, lambda edge, found: False, None))

    @cached_property
    def _returns(self) -> frozenset[int]:
        return nodes_that(self.machine, "returns")

    @cached_property
    def ending(self) -> frozenset[int]:
        """The nodes from which the game may end."""
        return frozenset(self.backwards(set(nodes_that(self.machine, "ends"))))

    @cached_property
    def stopping(self) -> frozenset[int]:
        """The nodes from which somebody may be asked, chance may decide, or the game may end."""
        found = nodes_that(self.machine, "waits") | nodes_that(self.machine, "ends")
        return frozenset(self.backwards(set(found)))

    def backwards(self, wanted: set[int]) -> set[int]:
        """The nodes from which one of some is reached, also in routines and behind their end.

        A routine ends where it was called: what follows other calls of it is no way on.
        """
        inside = self._before(
            wanted, lambda edge, found: edge.runs is not None and edge.runs[1] in found, self.returning
        )
        enters = frozenset(inside)

        def leads(edge: Edge, found: set[int]) -> bool:
            return edge.runs is not None and edge.runs[1] in enters

        found, grown = inside, set(inside)
        while grown:
            behind = {number for number in self._returns - found if self._callers(number) & found}
            grown = self._before(found | behind, leads, self.returning) - found
            found = found | grown
        return found

    def _callers(self, number: int) -> frozenset[int]:
        """Where play goes on behind the routine of a node."""
        return self._continuations.get(self.owner[number], frozenset())

    @cached_property
    def _continuations(self) -> dict[int, frozenset[int]]:
        found: dict[int, set[int]] = {}
        for edge in (edge for edges in self.edges for edge in edges if edge.runs is not None):
            if edge.runs is not None:
                found.setdefault(edge.runs[0], set()).add(edge.target)
        return {routine: frozenset(targets) for routine, targets in found.items()}

    def _before(
        self,
        wanted: Iterable[int],
        enters: Callable[[Edge, set[int]], bool],
        returning: frozenset[int] | None,
    ) -> set[int]:
        """The nodes from which one of some is reached without leaving the routine.

        Past a call if it begins at a node that is `returning` (none: at one of those that are found); or
        into it, where `enters` says that this leads there.
        """
        found, changed = set(wanted), True
        while changed:
            self.tick()
            changed = False
            back = found if returning is None else returning
            for number in range(len(self.edges) - 1, -1, -1):
                if number not in found and any(
                    (edge.target in found and (edge.runs is None or edge.runs[1] in back))
                    or enters(edge, found)
                    for edge in self.edges[number]
                ):
                    found.add(number)
                    changed = True
        return found

    # ---- loops that go round at least once

    @cached_property
    def onward(self) -> list[tuple[Edge, ...]]:
        """The edges of each node, where a loop over something that is surely there goes round once.

        What such a loop does is done on every way that comes past it.
        """
        bodies: dict[tuple[int, int], int] = {}
        loops: set[int] = set()
        for number, node in enumerate(self.machine.nodes):
            if isinstance(node, ir.Snapshot) and _surely_some(node):
                loop = self.machine.nodes[node.next]
                if isinstance(loop, ir.Iterate):
                    bodies[number, node.next] = loop.next
                    loops.add(node.next)
        return [
            tuple(
                replace(edge, target=bodies.get((number, edge.target), edge.target))
                for edge in edges
                if number not in loops or edge.kind == "done"
            )
            for number, edges in enumerate(self.edges)
        ]

    # ---- what is reached

    @cached_property
    def reached(self) -> frozenset[int]:
        """The nodes to which a way leads from the start."""
        return frozenset(self.ways)

    @cached_property
    def ways(self) -> dict[int, tuple[int, Edge] | None]:
        """For each node that is reached the node before it on a shortest way, and the edge."""
        return self.ways_by(lambda edge: True)

    def ways_by(self, keeps: Callable[[Edge], bool]) -> dict[int, tuple[int, Edge] | None]:
        """The same by some edges only."""
        found: dict[int, tuple[int, Edge] | None] = {self.machine.start: None}
        todo = [self.machine.start]
        while todo:
            self.tick()
            after: list[int] = []
            for number in todo:
                for edge in filter(keeps, self.edges[number]):
                    targets = [] if edge.runs is None else [edge.runs[1]]
                    if edge.runs is None or edge.runs[1] in self.returning:
                        targets.append(edge.target)
                    for target in targets:
                        if target not in found:
                            found[target] = (number, edge)
                            after.append(target)
            todo = after
        return found

    def way_to(self, number: int) -> list[tuple[int, Edge]]:
        """The edges of a shortest way from the start to a node."""
        found: list[tuple[int, Edge]] = []
        step = self.ways[number]
        while step is not None:
            found.append(step)
            step = self.ways[step[0]]
        return found[::-1]

    # ---- graphs

    def within(self, routine: int) -> Graph:
        """The nodes of one routine that are reached, and the edges between them. Nobody changes it."""
        if routine not in self._graphs:
            self._graphs[routine] = self._graph(routine, self.edges)
        return self._graphs[routine]

    @cached_property
    def _graphs(self) -> dict[int, Graph]:
        return {}

    @cached_property
    def _nodes_of(self) -> dict[int, list[int]]:
        """The nodes of each routine, in their order."""
        found: dict[int, list[int]] = {}
        for number, routine in enumerate(self.owner):
            found.setdefault(routine, []).append(number)
        return found

    def rounds_within(self, routine: int) -> Graph:
        """The same with the edges of `onward`."""
        return self._graph(routine, self.onward)

    def _graph(self, routine: int, after: list[tuple[Edge, ...]]) -> Graph:
        graph: Graph = nx.MultiDiGraph()
        self.tick()
        for number in self._nodes_of.get(routine, ()):
            edges = after[number]
            if number not in self.reached:
                continue
            graph.add_node(number)
            for edge in edges:
                if edge.runs is None or edge.runs[1] in self.returning:
                    graph.add_edge(number, edge.target, edge=edge, span=self.span(number))
        return graph

    def span(self, number: int) -> Span:
        return self.machine.nodes[number].span

    def called(self, routines: set[int], keeps: Callable[[Edge], bool] = lambda edge: True) -> set[int]:
        """Some routines and all that they call, by the edges that `keeps` leaves."""
        todo, found = list(routines), set(routines)
        while todo:
            routine = todo.pop()
            for number in self._nodes_of.get(routine, ()):
                for edge in self.edges[number]:
                    if edge.runs is not None and edge.runs[0] not in found and keeps(edge):
                        found.add(edge.runs[0])
                        todo.append(edge.runs[0])
        return found


def _surely_some(node: ir.Snapshot) -> bool:
    """Whether a loop goes over something that is there in every position."""
    match node.source:
        case ir.Values(values=values) | ir.Listed(items=values):
            return bool(values) and node.where is None
        case ir.Between(low=ir.Const(value=low), high=ir.Const(value=high)):
            return low <= high and node.where is None
        case ir.Others(seats=seats):
            return seats > 1 and node.where is None
    return False

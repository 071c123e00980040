"""The control-flow graph of a machine, with calls, whose edges know what caused them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Literal, TypeAlias

import networkx as nx

from dsl.source import Span
from interpreter import ir
from interpreter.ir.cfg import FLOW, done, owners, runs
from interpreter.ir.effects import nodes_that
from interpreter.ir.visit import walk
from validators.flow.nonempty import Nonempty

Graph: TypeAlias = "nx.MultiDiGraph[int]"
EdgeKind = Literal["on", "then", "otherwise", "chosen", "declined", "nothing", "again", "done", "fires"]


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge from one node to the next; of a call, through the called routine.

    `runs` is the called routine and its first node; the edge is taken when the routine returns.
    """

    source: int
    target: int
    kind: EdgeKind
    runs: tuple[int, int] | None = None
    word: str = ""


class Flow:
    """The control-flow graph of a machine, with calls as edges.

    `tick` is called now and then by long traversals; it may raise.
    """

    def __init__(self, machine: ir.Machine, tick: Callable[[], None] = lambda: None) -> None:
        self.machine = machine
        self.tick = tick
        self.edges: list[tuple[Edge, ...]] = [tuple(self._after(i)) for i in range(len(machine.nodes))]
        self.owner = owners(machine)
        """The routine to which each node belongs."""
        self._graphs: dict[int, Graph] = {}

    # ---- edges

    def _after(self, number: int) -> Iterator[Edge]:
        node = self.machine.nodes[number]
        match node:
            case ir.Return() | ir.Win() | ir.End() | ir.Finish():
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
            for routine, given in sorted(done(self.machine, what)):
                yield Edge(number, node.next, "chosen", (routine, self._entry(routine, given)), name)
        if node.passing is not None:
            yield Edge(number, node.passing, "declined")

    def _runs(self, node: ir.CallNode) -> list[tuple[int, int]]:
        """The routines that a node may run, each with its first node."""
        return sorted({(r, self._entry(r, given)) for r, given in runs(self.machine, node)})

    def tried(self, number: int) -> Iterator[int]:
        """The first nodes of what the conditions of a node try."""
        for part in walk(self.machine.nodes[number]):
            if isinstance(part, ir.Can):
                yield from (self._entry(*doing) for doing in done(self.machine, part.what))

    def _entry(self, routine: int, given: int) -> int:
        return self.machine.routines[routine].entry(given)

    # ---- what a node leads to

    def recurs(self, number: int) -> bool:
        """Whether a node leads to itself within its routine."""
        seen: set[int] = set()
        waiting = [number]
        while waiting:
            for edge in self.edges[waiting.pop()]:
                if edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return number in seen

    @cached_property
    def returning(self) -> frozenset[int]:
        """The nodes from which their routine may return."""
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
        """The nodes from which one of some is reachable, through calls and returns.

        A routine returns to its caller: what follows other calls of it is not reachable by that.
        """
        inside = self._before(
            wanted, lambda edge, found: edge.runs is not None and edge.runs[1] in found, self.returning
        )
        enters = frozenset(inside)

        def leads(edge: Edge, found: set[int]) -> bool:
            return edge.runs is not None and edge.runs[1] in enters

        found, grown = inside, set(inside)
        while grown:
            callers = {routine for routine, after in self._continuations.items() if after & found}
            behind = {n for n in self._returns - found if self.owner[n] in callers}
            grown = self._before(found | behind, leads, self.returning) - found
            found = found | grown
        return found

    @cached_property
    def _continuations(self) -> dict[int, set[int]]:
        """The nodes at which play continues after each routine."""
        found: dict[int, set[int]] = defaultdict(set)
        for edge in chain.from_iterable(self.edges):
            if edge.runs is not None:
                found[edge.runs[0]].add(edge.target)
        return found

    def _before(
        self,
        wanted: Iterable[int],
        enters: Callable[[Edge, set[int]], bool],
        returning: frozenset[int] | None,
    ) -> set[int]:
        """The nodes from which one of some is reachable within their routine.

        A call is passed if its first node is in `returning` (none: if it is found itself), and entered
        where `enters` says so.
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

    # ---- loops with at least one iteration

    @cached_property
    def onward(self) -> list[tuple[Edge, ...]]:
        """The edges of each node, where a loop over a collection that is never empty runs at least once.

        What such a loop does is done on every path past it.
        """
        bodies: dict[tuple[int, int], int] = {}
        loops: set[int] = set()
        nonempty = Nonempty(self.machine, self.owner, self.reached)
        for number, node in enumerate(self.machine.nodes):
            if isinstance(node, ir.Snapshot) and nonempty.is_some(number):
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

    # ---- reachability

    @cached_property
    def reached(self) -> frozenset[int]:
        """The nodes that are reachable from the start."""
        return frozenset(self.last_edges)

    @cached_property
    def last_edges(self) -> dict[int, Edge | None]:
        """The last edge of a shortest path to each reachable node, the nearest first; none for the start."""
        return self.search(lambda edge: True)

    def search(self, keeps: Callable[[Edge], bool], starts: Iterable[int] = ()) -> dict[int, Edge | None]:
        """The same by the edges that `keeps` leaves, from the start or from other nodes."""
        found: dict[int, Edge | None] = dict.fromkeys(starts or (self.machine.start,))
        queue = list(found)
        for number in queue:
            self.tick()
            for edge in filter(keeps, self.edges[number]):
                targets = [] if edge.runs is None else [edge.runs[1]]
                if self._returns_from(edge):
                    targets.append(edge.target)
                for target in targets:
                    if target not in found:
                        found[target] = edge
                        queue.append(target)
        return found

    def path_to(self, number: int) -> list[Edge]:
        """A shortest path from the start to a node."""
        found: list[Edge] = []
        while (edge := self.last_edges[number]) is not None:
            found.append(edge)
            number = edge.source
        return found[::-1]

    def _returns_from(self, edge: Edge) -> bool:
        """Whether the routine that an edge runs, if it runs one, may return."""
        return edge.runs is None or edge.runs[1] in self.returning

    def nodes_in(self, routines: Iterable[int]) -> list[int]:
        """The reachable nodes of some routines, in order."""
        return sorted(number for routine in routines for number in self._nodes_of.get(routine, ()))

    @cached_property
    def _nodes_of(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for number in self.reached:
            found[self.owner[number]].append(number)
        return found

    # ---- graphs

    def within(self, routine: int) -> Graph:
        """The reachable nodes of one routine and the edges between them. It must not be changed."""
        if routine not in self._graphs:
            self._graphs[routine] = self._graph(routine, self.edges)
        return self._graphs[routine]

    def rounds_within(self, routine: int) -> Graph:
        """The same with the edges of `onward`; a new graph each time."""
        return self._graph(routine, self.onward)

    def _graph(self, routine: int, after: list[tuple[Edge, ...]]) -> Graph:
        graph: Graph = nx.MultiDiGraph()
        self.tick()
        for number in self.nodes_in([routine]):
            graph.add_node(number)
            for edge in filter(self._returns_from, after[number]):
                graph.add_edge(number, edge.target, edge=edge)
        return graph

    def called(self, routines: Iterable[int]) -> set[int]:
        """Some routines and all that they call, directly or not."""
        found = set(routines)
        return found.union(*(nx.descendants(self._call_graph, routine) for routine in found))

    @cached_property
    def _call_graph(self) -> nx.DiGraph[int]:
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(FLOW, len(self.machine.routines)))
        for number in self.reached:
            calls = [edge.runs[0] for edge in self.edges[number] if edge.runs is not None]
            graph.add_edges_from((self.owner[number], routine) for routine in calls)
        return graph

    def span(self, number: int) -> Span:
        return self.machine.nodes[number].span

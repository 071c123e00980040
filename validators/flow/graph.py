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
class Hop:
    """A way from one node to the next, by way of a routine if it names one.

    `runs` is the routine and the node at which it begins; the hop is taken when the routine returns.
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
        self.hops: list[tuple[Hop, ...]] = [tuple(self._after(i)) for i in range(len(machine.nodes))]
        self.owner = owners(machine)
        """The routine to which each node belongs."""

    # ---- hops

    def _after(self, number: int) -> Iterator[Hop]:
        node = self.machine.nodes[number]
        match node:
            case ir.Return() | ir.Win() | ir.End():
                return
            case ir.Branch(then=then, otherwise=otherwise):
                yield Hop(number, then, "then")
                yield Hop(number, otherwise, "otherwise")
            case ir.Iterate(next=following, done=done):
                yield Hop(number, following, "again")
                yield Hop(number, done, "done")
            case ir.NextTrigger(block=block):
                yield Hop(number, block, "again")
            case ir.CheckTrigger(next=following):
                yield Hop(number, following, "on")
                for run in self._runs(node):
                    yield Hop(number, following, "fires", run)
            case ir.Call(next=following) | ir.Fork(next=following) | ir.CallCell(next=following):
                for run in self._runs(node):
                    yield Hop(number, following, "on", run)
            case ir.Decide():
                yield Hop(number, node.next, "chosen")
                if node.passing is not None:
                    yield Hop(number, node.passing, "declined")
                if node.nothing is not None:
                    yield Hop(number, node.nothing, "nothing")
            case ir.Offer():
                yield from self._offered(number, node)
            case _:
                yield Hop(number, node.next, "on")

    def _offered(self, number: int, node: ir.Offer) -> Iterator[Hop]:
        for what, name in zip(node.what, node.names, strict=True):
            if isinstance(what, ir.DoRoutine):
                runs = [(what.routine, self._entry(what.routine, len(what.arguments)))]
            else:
                runs = self._cells()
            for run in runs:
                yield Hop(number, node.next, "chosen", run, name)
        if node.passing is not None:
            yield Hop(number, node.passing, "declined")

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
        return frozenset(self._before(self._returns, lambda hop, found: False, None))

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
            wanted, lambda hop, found: hop.runs is not None and hop.runs[1] in found, self.returning
        )
        enters = frozenset(inside)

        def leads(hop: Hop, found: set[int]) -> bool:
            return hop.runs is not None and hop.runs[1] in enters

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
        for hop in (hop for hops in self.hops for hop in hops if hop.runs is not None):
            if hop.runs is not None:
                found.setdefault(hop.runs[0], set()).add(hop.target)
        return {routine: frozenset(targets) for routine, targets in found.items()}

    def _before(
        self,
        wanted: Iterable[int],
        enters: Callable[[Hop, set[int]], bool],
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
            for number in range(len(self.hops) - 1, -1, -1):
                if number not in found and any(
                    (hop.target in found and (hop.runs is None or hop.runs[1] in back)) or enters(hop, found)
                    for hop in self.hops[number]
                ):
                    found.add(number)
                    changed = True
        return found

    # ---- loops that go round at least once

    @cached_property
    def onward(self) -> list[tuple[Hop, ...]]:
        """The hops of each node, where a loop over something that is surely there goes round once.

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
                replace(hop, target=bodies.get((number, hop.target), hop.target))
                for hop in hops
                if number not in loops or hop.kind == "done"
            )
            for number, hops in enumerate(self.hops)
        ]

    # ---- what is reached

    @cached_property
    def reached(self) -> frozenset[int]:
        """The nodes to which a way leads from the start."""
        return frozenset(self.ways)

    @cached_property
    def ways(self) -> dict[int, tuple[int, Hop] | None]:
        """For each node that is reached the node before it on a shortest way, and the hop."""
        return self.ways_by(lambda hop: True)

    def ways_by(self, keeps: Callable[[Hop], bool]) -> dict[int, tuple[int, Hop] | None]:
        """The same by some hops only."""
        found: dict[int, tuple[int, Hop] | None] = {self.machine.start: None}
        todo = [self.machine.start]
        while todo:
            self.tick()
            after: list[int] = []
            for number in todo:
                for hop in filter(keeps, self.hops[number]):
                    targets = [] if hop.runs is None else [hop.runs[1]]
                    if hop.runs is None or hop.runs[1] in self.returning:
                        targets.append(hop.target)
                    for target in targets:
                        if target not in found:
                            found[target] = (number, hop)
                            after.append(target)
            todo = after
        return found

    def way_to(self, number: int) -> list[tuple[int, Hop]]:
        """The hops of a shortest way from the start to a node."""
        found: list[tuple[int, Hop]] = []
        step = self.ways[number]
        while step is not None:
            found.append(step)
            step = self.ways[step[0]]
        return found[::-1]

    # ---- graphs

    def within(self, routine: int) -> Graph:
        """The nodes of one routine that are reached, and the hops between them. Nobody changes it."""
        if routine not in self._graphs:
            self._graphs[routine] = self._graph(routine, self.hops)
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
        """The same with the hops of `onward`."""
        return self._graph(routine, self.onward)

    def _graph(self, routine: int, after: list[tuple[Hop, ...]]) -> Graph:
        graph: Graph = nx.MultiDiGraph()
        self.tick()
        for number in self._nodes_of.get(routine, ()):
            hops = after[number]
            if number not in self.reached:
                continue
            graph.add_node(number)
            for hop in hops:
                if hop.runs is None or hop.runs[1] in self.returning:
                    graph.add_edge(number, hop.target, hop=hop, span=self.span(number))
        return graph

    def span(self, number: int) -> Span:
        return self.machine.nodes[number].span

    def called(self, routines: set[int], keeps: Callable[[Hop], bool] = lambda hop: True) -> set[int]:
        """Some routines and all that they call, by the hops that `keeps` leaves."""
        todo, found = list(routines), set(routines)
        while todo:
            routine = todo.pop()
            for number in self._nodes_of.get(routine, ()):
                for hop in self.hops[number]:
                    if hop.runs is not None and hop.runs[0] not in found and keeps(hop):
                        found.add(hop.runs[0])
                        todo.append(hop.runs[0])
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

"""A machine as a graph whose edges know what caused them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import networkx as nx

from dsl.source import Span
from interpreter import machine as m

FLOW = -1
"""The routine of nodes that belong to the phases."""
Graph: TypeAlias = "nx.MultiDiGraph[int]"
Kind = Literal["on", "then", "otherwise", "chosen", "declined", "nothing", "again", "done", "fires"]


@dataclass(frozen=True, slots=True)
class Hop:
    """A way from one node to the next, by way of a routine if it names one.

    `runs` is the routine and the node at which it begins; the hop is taken when the routine returns.
    """

    source: int
    target: int
    kind: Kind
    runs: tuple[int, int] | None = None
    word: str = ""


class Flow:
    """Everything that may follow what, within routines and through them."""

    def __init__(self, machine: m.Machine) -> None:
        self.machine = machine
        self.hops: list[tuple[Hop, ...]] = [tuple(self._after(i)) for i in range(len(machine.nodes))]
        self.owner = self._owners()

    # ---- hops

    def _after(self, number: int) -> Iterator[Hop]:
        node = self.machine.nodes[number]
        match node:
            case m.Return() | m.Win() | m.End():
                return
            case m.Branch(then=then, otherwise=otherwise):
                yield Hop(number, then, "then")
                yield Hop(number, otherwise, "otherwise")
            case m.Iterate(next=following, done=done):
                yield Hop(number, following, "again")
                yield Hop(number, done, "done")
            case m.NextTrigger(block=block):
                yield Hop(number, block, "again")
            case m.CheckTrigger(trigger=trigger, next=following):
                routine = self.machine.triggers[trigger].routine
                yield Hop(number, following, "on")
                yield Hop(number, following, "fires", (routine, self._entry(routine, 0)))
            case m.Call(routine=routine, arguments=arguments, next=following):
                yield Hop(number, following, "on", (routine, self._entry(routine, len(arguments))))
            case m.Fork(routine=routine, arguments=arguments, next=following):
                yield Hop(number, following, "on", (routine, self._entry(routine, len(arguments))))
            case m.CallCell(next=following):
                for run in self._cells():
                    yield Hop(number, following, "on", run)
            case m.Decide():
                yield Hop(number, node.next, "chosen")
                if node.passing is not None:
                    yield Hop(number, node.passing, "declined")
                if node.nothing is not None:
                    yield Hop(number, node.nothing, "nothing")
            case m.Offer():
                yield from self._offered(number, node)
            case _:
                yield Hop(number, node.next, "on")

    def _offered(self, number: int, node: m.Offer) -> Iterator[Hop]:
        for what, name in zip(node.what, node.names, strict=True):
            if isinstance(what, m.DoRoutine):
                runs = [(what.routine, self._entry(what.routine, len(what.arguments)))]
            else:
                runs = self._cells()
            for run in runs:
                yield Hop(number, node.next, "chosen", run, name)
        if node.passing is not None:
            yield Hop(number, node.passing, "declined")

    def _entry(self, routine: int, given: int) -> int:
        entries = self.machine.routines[routine].entries
        return entries[min(given, len(entries) - 1)]

    def _cells(self) -> list[tuple[int, int]]:
        """What the effect of a cell may be: every routine that a cell names."""
        return sorted({(r, self._entry(r, len(arguments))) for r, arguments in self.machine.cells})

    def _owners(self) -> list[int]:
        """The routine to which each node belongs."""
        found = [FLOW] * len(self.machine.nodes)
        for number, routine in enumerate(self.machine.routines):
            todo = list(routine.entries)
            seen: set[int] = set()
            while todo:
                node = todo.pop()
                if node in seen:
                    continue
                seen.add(node)
                found[node] = number
                todo += [hop.target for hop in self.hops[node]]
        return found

    # ---- what can come of a node

    @cached_property
    def returning(self) -> frozenset[int]:
        """The nodes from which the routine that they stand in may return."""
        found = {i for i, n in enumerate(self.machine.nodes) if isinstance(n, m.Return | m.NextTrigger)}
        return frozenset(self._backwards(found, through=False))

    @cached_property
    def ending(self) -> frozenset[int]:
        """The nodes from which the game may end."""
        found = {i for i, n in enumerate(self.machine.nodes) if isinstance(n, m.Win | m.End)}
        return frozenset(self.backwards(found))

    def backwards(self, found: set[int]) -> set[int]:
        """The nodes from which one of some is reached, also in routines and behind their end."""
        return self._backwards(set(found), through=True)

    def _backwards(self, found: set[int], through: bool) -> set[int]:
        """The nodes from which one of some is reached. `through`: also in routines, and behind their end."""
        callers: dict[int, set[int]] = {}
        for hops in self.hops:
            for hop in hops:
                if hop.runs is not None:
                    callers.setdefault(hop.runs[0], set()).add(hop.target)
        returns = [i for i, n in enumerate(self.machine.nodes) if isinstance(n, m.Return | m.NextTrigger)]
        changed = True
        while changed:
            changed = False
            for number in range(len(self.hops) - 1, -1, -1):
                if number not in found and self._leads(number, found, through):
                    found.add(number)
                    changed = True
            if through:
                for number in returns:
                    if number not in found and callers.get(self.owner[number], set()) & found:
                        found.add(number)
                        changed = True
        return found

    def _leads(self, number: int, found: set[int], through: bool) -> bool:
        for hop in self.hops[number]:
            if hop.runs is None:
                if hop.target in found:
                    return True
            elif through:
                if hop.runs[1] in found or (hop.runs[1] in self.returning and hop.target in found):
                    return True
            elif hop.runs[1] in found and hop.target in found:
                return True
        return False

    # ---- what is reached

    @cached_property
    def reached(self) -> frozenset[int]:
        """The nodes to which a way leads from the start."""
        return frozenset(self.ways)

    @cached_property
    def ways(self) -> dict[int, tuple[int, Hop] | None]:
        """For each node that is reached the node before it on a shortest way, and the hop."""
        found: dict[int, tuple[int, Hop] | None] = {self.machine.start: None}
        todo = [self.machine.start]
        while todo:
            after: list[int] = []
            for number in todo:
                for hop in self.hops[number]:
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
        """The nodes of one routine that are reached, and the hops between them as edges."""
        graph: Graph = nx.MultiDiGraph()
        for number, hops in enumerate(self.hops):
            if self.owner[number] != routine or number not in self.reached:
                continue
            graph.add_node(number)
            for hop in hops:
                if hop.runs is None or hop.runs[1] in self.returning:
                    graph.add_edge(number, hop.target, hop=hop, span=self.span(number))
        return graph

    def span(self, number: int) -> Span:
        return self.machine.nodes[number].span

    def called(self, routines: set[int]) -> set[int]:
        """Some routines and all that they call."""
        todo, found = list(routines), set(routines)
        while todo:
            routine = todo.pop()
            for number, hops in enumerate(self.hops):
                if self.owner[number] != routine:
                    continue
                for hop in hops:
                    if hop.runs is not None and hop.runs[0] not in found:
                        found.add(hop.runs[0])
                        todo.append(hop.runs[0])
        return found

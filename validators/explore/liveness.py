"""Liveness: the conditions of `eventually`, checked on the whole graph of positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from validators.explore.graph import NOWHERE, OVER, Graph


@dataclass(frozen=True)
class Avoidance:
    """The positions that are reachable while a condition has never held, each with its predecessor."""

    graph: Graph
    before: dict[int, int]

    def path(self, number: int) -> list[int]:
        """The positions on the path from the start to one of them."""
        found = [number]
        while number:
            number = self.before[number]
            found.append(number)
        return found[::-1]

    def end(self) -> int | None:
        """The nearest end without the condition."""
        return next((number for number in self.before if self.graph.status[number] == OVER), None)

    def comes_round(self) -> int | None:
        """The nearest position that can repeat for ever without the condition."""
        left = {n: sum(1 for _ in self.onward(n)) for n in self.before}
        leading: dict[int, list[int]] = {}
        for number in self.before:
            for target in self.onward(number):
                leading.setdefault(target, []).append(number)
        done = [n for n, count in left.items() if not count]
        while done:
            number = done.pop()
            for source in leading.get(number, ()):
                left[source] -= 1
                if not left[source]:
                    done.append(source)
        return next((n for n in self.before if left[n] and self._returns(n)), None)

    def _returns(self, start: int) -> bool:
        """Whether a position can repeat without the condition."""
        seen: set[int] = set()
        todo = [start]
        while todo:
            for target in self.onward(todo.pop()):
                if target == start:
                    return True
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return False

    def onward(self, number: int) -> Iterator[int]:
        """The successors without the condition."""
        return (t for t in self.graph.edges(number) if t != NOWHERE and t in self.before)


def avoidance(graph: Graph, held: list[tuple[bool, ...]], goal: int) -> Avoidance:
    """A breadth-first search over the positions at which a condition does not hold."""
    if not len(graph) or held[0][goal]:
        return Avoidance(graph, {})
    before = {0: 0}
    for number in (level := [0]):
        for target in graph.edges(number):
            if target != NOWHERE and target not in before and not held[target][goal]:
                before[target] = number
                level.append(target)
    return Avoidance(graph, before)

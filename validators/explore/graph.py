"""The graph of positions, in flat arrays."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

NOWHERE = (1 << 32) - 1
"""The target of an edge that leads to a fault."""
LIVE, OVER, FAULTY = range(3)
"""The status of a position: a decision or chance waits, the game is over, or a fault has occurred."""


@dataclass
class Graph:
    """Positions by number, in breadth-first order.

    `parents` and `by` have for each the position from which it was found, and by which of its moves. The
    edges of position `i`, in the order of its moves, are `targets[first[i]:first[i + 1]]`; positions that
    were not expanded have none.
    """

    ids: dict[bytes, int] = field(default_factory=dict)
    parents: array[int] = field(default_factory=lambda: array("I"))
    by: array[int] = field(default_factory=lambda: array("I"))
    status: bytearray = field(default_factory=bytearray)
    targets: array[int] = field(default_factory=lambda: array("I"))
    first: array[int] = field(default_factory=lambda: array("Q", [0]))

    def __len__(self) -> int:
        return len(self.status)

    @property
    def looked_at(self) -> int:
        return len(self.first) - 1

    def add(self, key: bytes, parent: int, by: int, status: int) -> int:
        number = self.ids[key] = len(self.parents)
        self.parents.append(parent)
        self.by.append(by)
        self.status.append(status)
        return number

    def edges(self, number: int) -> array[int]:
        return self.targets[self.first[number] : self.first[number + 1]]

    def forget_rest(self) -> None:
        """Removes the edges of a position whose expansion was interrupted."""
        del self.targets[self.first[-1] :]

    def path(self, number: int) -> tuple[int, ...]:
        """The numbers of the moves from the start to a position."""
        found = []
        while number:
            found.append(self.by[number])
            number = self.parents[number]
        return tuple(reversed(found))

    def finals(self) -> Iterator[int]:
        return (i for i, status in enumerate(self.status) if status == OVER)

    def can_end(self) -> bytearray:
        """For each position whether an end, a fault or an unexpanded position is reachable from it."""
        found = bytearray(len(self))
        before, start = self._reversed()
        left = [i for i in range(len(self)) if self.status[i] != LIVE or i >= self.looked_at]
        for number in left:
            found[number] = 1
        while left:
            number = left.pop()
            for i in range(start[number], start[number + 1]):
                if not found[before[i]]:
                    found[before[i]] = 1
                    left.append(before[i])
        return found

    def _reversed(self) -> tuple[array[int], array[int]]:
        """The predecessors of all positions in one array, and where those of each begin."""
        start = array("Q", bytes(8 * (len(self) + 2)))
        for target in self.targets:
            if target != NOWHERE:
                start[target + 2] += 1
        for i in range(2, len(start)):
            start[i] += start[i - 1]
        before = array("I", bytes(4 * start[-1]))
        for number in range(self.looked_at):
            for i in range(self.first[number], self.first[number + 1]):
                target = self.targets[i]
                if target != NOWHERE:
                    before[start[target + 1]] = number
                    start[target + 1] += 1
        return before, start

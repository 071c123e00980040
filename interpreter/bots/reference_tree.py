"""The tree search of the module in Python: it defines what a search finds, number for number.

Sources: as in `interpreter/wasm/batches/search.py`.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from interpreter.bots.knowledge import Knowledge
from interpreter.bots.settings import EdgeStats, NodeStats, SearchSettings, sides_of
from interpreter.chance import Choosing
from interpreter.game import Game
from interpreter.messages import Fault
from interpreter.wasm.batch import Batch, Stepper


@dataclass(slots=True)
class Edge:
    """An action of a node: how often it was taken, could have been taken, and the sum of its values."""

    taken: int = 0
    offered: int = 0
    total: float = 0.0


@dataclass(slots=True)
class Node:
    """What the deciding seat knows, as a hash; its edges by action."""

    key: int
    seat: int
    visits: int = 0
    edges: dict[int, Edge] = field(default_factory=dict)


class ReferenceTree:
    """The search of `TreeSearch` with the same worlds, seed and settings, and room without end."""

    def __init__(
        self, game: Game, seat: int, states: Sequence[array[int]], seed: int, settings: SearchSettings
    ) -> None:
        self.game, self.seed, self.settings = game, seed, settings
        with Batch(game, len(states)) as batch:
            for i, state in enumerate(states):
                batch.put(i, state)
            self.worlds = [batch.save(i) for i in range(len(states))]
        self.stepper = Stepper(game)
        self.stepper.batch.ask_first(seat)
        self.seats = game.machine.seats
        self.sides = sides_of(game)
        self.found: dict[int, Node] = {}
        self.iterations = self.faulted = 0
        self.margins = self.values = (math.inf, -math.inf)

    def run(self, number: int) -> None:
        """So many further iterations."""
        for _ in range(number):
            seed = (self.seed + self.iterations) % (1 << 64)
            self.stepper.load(self.worlds[self.iterations % len(self.worlds)])
            self.stepper.rekey(seed)
            self.choosing = Choosing(seed)
            self.knowledge = Knowledge(self.stepper.batch)
            self.iterations += 1
            path: list[tuple[Node, Edge]] = []
            try:
                self._descend(path)
            except Fault:
                self.faulted += 1
                continue
            self._back_up(path, self._worth())

    def nodes(self) -> list[NodeStats]:
        """The nodes in the order in which they were added."""
        return [
            NodeStats(
                node.key,
                node.seat,
                node.visits,
                tuple(EdgeStats(a, e.taken, e.offered, e.total) for a, e in sorted(node.edges.items())),
            )
            for node in self.found.values()
        ]

    # ---- an iteration

    def _descend(self, path: list[tuple[Node, Edge]]) -> None:
        while self.stepper.seat >= 0:
            seat, key = self.stepper.seat, self.knowledge.key()
            node = self.found.setdefault(key, Node(key, seat))
            action = self._select(node)
            edge = node.edges[action]
            path.append((node, edge))
            self.knowledge.choose(action)
            self.stepper.step(action)
            if not edge.taken:
                break
        while self.stepper.seat >= 0:
            actions = np.flatnonzero(self.stepper.mask)
            self.stepper.step(int(actions[self.choosing.below(len(actions))]))

    def _select(self, node: Node) -> int:
        """The action that is taken, by UCB1 over what is offered; one that was never taken comes first."""
        actions = [int(action) for action in np.flatnonzero(self.stepper.mask)]
        for action in actions:
            node.edges.setdefault(action, Edge()).offered += 1
        fresh = [action for action in actions if not node.edges[action].taken]
        if fresh:
            return fresh[self.choosing.below(len(fresh))]
        least, greatest = self.values
        width = greatest - least
        scale = (width if width > 0.0 else 1.0) * self.settings.exploration

        def bound(action: int) -> float:
            edge = node.edges[action]
            return edge.total / edge.taken + scale * math.sqrt(math.log(edge.offered) / edge.taken)

        return max(actions, key=bound)

    def _back_up(self, path: list[tuple[Node, Edge]], values: list[float]) -> None:
        for node, edge in path:
            node.visits += 1
            edge.taken += 1
            edge.total += values[node.seat]

    # ---- what an end is worth

    def _worth(self) -> list[float]:
        """The value of the end for each seat: its share of the win, and its margin."""
        shares, margins = self._shares(), self._margins()
        self.margins = _widened(self.margins, margins)
        least, width = self.margins[0], self.margins[1] - self.margins[0]
        weight = self.settings.margin
        values = [
            (1.0 - weight) * share + weight * ((margin - least) / width if width > 0.0 else 0.5)
            for share, margin in zip(shares, margins, strict=True)
        ]
        self.values = _widened(self.values, values)
        return values

    def _shares(self) -> list[float]:
        won = sum(1 << seat for seat in range(self.seats) if self.stepper.winners[seat])
        sides = set(self.sides)
        winning = sum(1 for side in sides if side & won)
        if not winning:
            return [0.0 if len(sides) == 1 else 1.0 / len(sides)] * self.seats
        return [1.0 / winning if side & won else 0.0 for side in self.sides]

    def _margins(self) -> list[float]:
        best = self.game.machine.best
        if best == "none":
            return [0.0] * self.seats
        totals = [int(total) * (1 if best == "highest" else -1) for total in self.stepper.scores]
        found = []
        for seat, side in enumerate(self.sides):
            others = [total for rival, total in enumerate(totals) if not side >> rival & 1]
            found.append(float(totals[seat] - max(others) if others else totals[seat]))
        return found


def _widened(span: tuple[float, float], values: Sequence[float]) -> tuple[float, float]:
    return min(span[0], *values), max(span[1], *values)

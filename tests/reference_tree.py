"""The tree search of the module in Python: it defines what a search finds, number for number.

Sources: as in `interpreter/wasm/batches/search.py`.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np

from interpreter.bots.knowledge import Knowledge
from interpreter.bots.settings import (
    UNPROVEN,
    WON,
    Bounds,
    EdgeStats,
    NodeStats,
    SearchSettings,
    bootstrap_of,
    can_solve,
    sides_of,
    variance_bonus_of,
)
from interpreter.chance import Choosing
from interpreter.game import Game
from interpreter.ir.position_words import position_words
from interpreter.messages import Fault
from interpreter.wasm.batch import Batch, Stepper
from interpreter.wasm.batches.options import has_numbers
from interpreter.wasm.batches.widening import number_spans
from interpreter.wasm.option_codec import OptionCodec, numbering


@dataclass(slots=True)
class TreeEdge:
    """An action of a node: whether it may be taken, how often it was and could have been, the sum of its
    values, its bounds."""

    open: bool = True
    taken: int = 0
    offered: int = 0
    total: float = 0.0
    bounds: Bounds = UNPROVEN


@dataclass(slots=True)
class TreeNode:
    """What the deciding seat knows, as a hash; its edges by action; what is proven of a position; the last
    iteration that came to it."""

    key: int
    seat: int
    visits: int = 0
    edges: dict[int, TreeEdge] = field(default_factory=dict)
    bounds: Bounds = UNPROVEN
    position: bytes | None = None
    last: int = 0


@dataclass(slots=True)
class TreeStep:
    """A step down the tree: whether the node has proofs of this position, and no chance came behind it."""

    node: TreeNode
    edge: TreeEdge
    known: bool
    certain: bool = False


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
        self.codec = OptionCodec(self.stepper.batch.machine)
        self.seats = game.machine.seats
        self.words = list(position_words(game.machine))
        self.solving = can_solve(game, self.stepper.batch.recall, len(states), settings)
        self.variance_bonus = variance_bonus_of(game, self.stepper.batch.recall, settings)
        self.sides = sides_of(game)
        self.bootstrap = bootstrap_of(game, settings)
        self.found: dict[int, TreeNode] = {}
        self.root = 0
        self.begun = [0] * self.seats
        self.iterations = self.faulted = 0
        self.margins = self.values = (math.inf, -math.inf)

    @property
    def decided(self) -> bool:
        """Whether the result of the root is proven."""
        return self.root in self.found and self.found[self.root].bounds.solved

    def run(self, number: int) -> bool:
        """So many further iterations; whether there is more to find."""
        for _ in range(number):
            if self.decided:
                break
            seed = (self.seed + self.iterations) % (1 << 64)
            self.stepper.load(self.worlds[self.iterations % len(self.worlds)])
            self.stepper.rekey(seed)
            self.choosing = Choosing(seed)
            self.knowledge = Knowledge(self.stepper.batch, self.begun)
            self.iterations += 1
            self.root = self.knowledge.key()
            path: list[TreeStep] = []
            try:
                ended = self._descend(path)
            except Fault:
                self.faulted += 1
                continue
            self._back_up(path, self._worth(), ended)
        return not self.decided

    def enter(self, action: int) -> None:
        """From now on the decision behind an action is searched, in the same tree."""
        for i, world in enumerate(self.worlds):
            self.stepper.load(world)
            knowledge = Knowledge(self.stepper.batch, self.begun)
            knowledge.choose(action)
            self.stepper.step(action)
            self.worlds[i] = self.stepper.batch.save(0)
        self.begun, self.root = knowledge.known, Knowledge(self.stepper.batch, knowledge.known).key()

    def nodes(self) -> list[NodeStats]:
        """The nodes in the order in which they were added."""
        return [
            NodeStats(
                node.key,
                node.seat,
                node.visits,
                tuple(
                    EdgeStats(a, e.taken, e.offered, e.total, e.bounds) for a, e in sorted(node.edges.items())
                ),
                node.bounds,
            )
            for node in self.found.values()
        ]

    # ---- an iteration

    def _descend(self, path: list[TreeStep]) -> bool:
        """Goes down the tree and plays to the end; whether the path itself has come to it."""
        while self.stepper.seat >= 0:
            seat, key = self.stepper.seat, self.knowledge.key()
            node = self.found.setdefault(key, TreeNode(key, seat))
            if node.last == self.iterations:
                return self._play_on()
            node.last = self.iterations
            known = self._is_known(node)
            action = self._select(node, known)
            step = TreeStep(node, node.edges[action], known)
            path.append(step)
            self.knowledge.choose(action)
            drawn = self._drawn()
            self.stepper.step(action)
            step.certain = drawn == self._drawn()
            if not step.edge.taken:
                break
        return self._play_on()

    def _play_on(self) -> bool:
        """Plays to the end by random choices; whether the match is there already."""
        ended = self.stepper.seat < 0
        while self.stepper.seat >= 0:
            self.stepper.step(self._drawn_action())
        return ended

    def _drawn_action(self) -> int:
        """One of the actions that are offered; many numbers of a thing to do count as one."""
        actions = np.flatnonzero(self.stepper.mask).tolist()
        machine, layout = self.codec.machine, self.codec.layout(int(self.stepper.batch.nodes[0]))
        places = numbering(machine, layout)
        spans = [
            range(start, start + size)
            for part, start, size in zip(layout.parts, places.starts, places.sizes, strict=True)
            if has_numbers(machine, part)
        ]
        things = [found for span in spans if (found := [a for a in actions if a in span])]
        others = [[action] for action in actions if not any(action in span for span in spans)]
        one = [*things, *others][self.choosing.below(len(things) + len(others))]
        return int(one[self.choosing.below(len(one))])

    def _drawn(self) -> list[int]:
        """How far the streams of chance have come."""
        mc = self.game.machine
        drawn: list[int] = self.stepper.state[mc.stream_base : mc.stream_base + len(mc.streams)].tolist()
        return drawn

    def _is_known(self, node: TreeNode) -> bool:
        """Whether the position is that of which the node has proofs: the first one that came to it."""
        if not self.solving:
            return False
        position = self.stepper.state[self.words].tobytes()
        if node.position is None:
            node.position = position
        return node.position == position

    def _select(self, node: TreeNode, known: bool) -> int:
        """The action that is taken, by UCB1-TUNED over what is offered; one that was never taken comes first.

        None is taken that cannot lead to more than the seat can have anyway.
        """
        actions = [int(action) for action in np.flatnonzero(self.stepper.mask)]
        spans = self._number_spans()
        for action in actions:
            closed = any(action in span for span in spans)
            node.edges.setdefault(action, TreeEdge(not closed)).offered += 1
        solved = known and node.bounds.solved
        for span in () if solved else spans:
            self._widen(node, [node.edges[action] for action in actions if action in span], known)
        actions = [action for action in actions if node.edges[action].open]
        fresh = [action for action in actions if not node.edges[action].taken]
        if fresh and not solved:
            return fresh[self.choosing.below(len(fresh))]
        least, greatest = self.values
        width = greatest - least
        width = width if width > 0.0 else 1.0

        def bound(action: int) -> float:
            edge = node.edges[action]
            mean, rate = edge.total / edge.taken, math.log(edge.offered) / edge.taken
            inside = (mean - least) / width
            variance = 4.0 * inside * (1.0 - inside) + self.variance_bonus * math.sqrt(rate)
            off = math.sqrt(rate * min(max(variance, 0.0), 1.0))
            return mean + width * self.settings.exploration * off

        def worth_taking(action: int) -> bool:
            found, floor = node.edges[action].bounds, node.bounds.floor
            return found.floor >= floor if solved else found.ceiling > floor

        return max(filter(worth_taking, actions) if known else actions, key=bound)

    def _number_spans(self) -> list[range]:
        """The actions of the decision that waits which choose one of many numbers, for each thing to do."""
        machine, layout = self.codec.machine, self.codec.layout(int(self.stepper.batch.nodes[0]))
        return [range(*span) for span in number_spans(machine, layout, numbering(machine, layout))]

    def _widen(self, node: TreeNode, edges: list[TreeEdge], known: bool) -> None:
        """Opens one of the numbers of a thing to do, if it is time: an end, or the middle of closed ones."""
        bar = node.bounds.floor if known else -1
        opened = sum(edge.open and edge.bounds.ceiling > bar for edge in edges)
        enough = opened >= self.settings.open_numbers and opened**3 > node.visits
        if enough or all(edge.open for edge in edges):
            return
        runs = [list(run) for is_open, run in groupby(edges, lambda edge: edge.open) if not is_open]
        longest = max(runs, key=len)
        middle = longest[len(longest) - 1 - len(longest) // 2]
        edge = next((end for end in (edges[0], edges[-1]) if not end.open), middle)
        edge.open = True

    def _back_up(self, path: list[TreeStep], values: list[float], ended: bool) -> None:
        got = round(2 * self._shares()[0])
        below, seat = Bounds(got, got) if ended else UNPROVEN, 0
        for step in reversed(path):
            node, edge = step.node, step.edge
            if step.known and step.certain:
                self._learn(node, edge, below if self._together(seat, node.seat) else turned(below))
            if step.known:
                got = self._kept_in_bounds(edge.bounds, node.seat, got, values)
            below, seat = node.bounds if step.known else UNPROVEN, node.seat
            node.visits += 1
            edge.taken += 1
            edge.total += values[node.seat]
            if self.bootstrap > 0.0:
                best = max(found.total / found.taken for found in node.edges.values() if found.taken)
                self._change(values, node.seat, self.bootstrap * (best - values[node.seat]))

    # ---- what is proven

    def _together(self, one: int, other: int) -> bool:
        return bool(self.sides[one] >> other & 1)

    def _learn(self, node: TreeNode, edge: TreeEdge, below: Bounds) -> None:
        """The edge learns what is behind it, and the node what follows from its edges."""
        if below.floor <= edge.bounds.floor and below.ceiling >= edge.bounds.ceiling:
            return
        edge.bounds = Bounds(below.floor, below.ceiling, below.length + 1)
        edges = [found.bounds for found in node.edges.values()]
        floor, ceiling = max(e.floor for e in edges), max(e.ceiling for e in edges)
        lengths = [e.length for e in edges if e.floor == floor]
        shortest = min(lengths) if floor == WON else max(lengths)
        node.bounds = Bounds(floor, ceiling, shortest if floor == ceiling else 0)

    def _kept_in_bounds(self, bounds: Bounds, seat: int, got: int, values: list[float]) -> int:
        """A result that random choices have come to, but good ones cannot, becomes the nearest possible."""
        mine = self._together(0, seat)
        had = got if mine else WON - got
        more = min(max(had, bounds.floor), bounds.ceiling) - had
        if more and not mine:
            more = -more
        if more:
            self._change(values, 0, (1.0 - self.settings.margin) * (more * 0.5))
        return got + more

    def _change(self, values: list[float], seat: int, change: float) -> None:
        """The side of a seat got so much more, the other one less."""
        for other in range(self.seats):
            values[other] += change if self._together(seat, other) else -change

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


def turned(bounds: Bounds) -> Bounds:
    """What is proven for the other side."""
    return Bounds(WON - bounds.ceiling, WON - bounds.floor, bounds.length)


def _widened(span: tuple[float, float], values: Sequence[float]) -> tuple[float, float]:
    return min(span[0], *values), max(span[1], *values)

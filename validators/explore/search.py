"""The breadth-first search over all positions, which finds shortest paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Protocol

from dsl.diagnostics import Diagnostic
from interpreter import ir
from interpreter.messages import Fault
from validators.explore.graph import FAULTY, LIVE, NOWHERE, OVER, Graph
from validators.explore.state_key import StateKey, key
from validators.explore.stepping import WORLD, Move, StepExecutor

Clock = Callable[[], float]


@dataclass(frozen=True)
class Bounds:
    """How far an exploration goes: moves from the start, positions, seconds.

    `outcomes`: how many outcomes of chance are followed between two decisions, so many deals or throws; none:
    all of them, unless chance turns out to take nearly all positions.
    """

    depth: int | None = None
    states: int = 1_000_000
    seconds: float | None = None
    outcomes: int | None = None


@dataclass(frozen=True)
class Broken:
    """A fault: its position, and the move that caused it, if one did."""

    diagnostic: Diagnostic
    position: int
    move: int | None


@dataclass(frozen=True)
class SearchLook:
    """An expanded position: its moves, the positions they lead to (none: a fault), broken promises.

    `broken`: a promise does not hold; none where promises are not tested.
    """

    state: bytes
    moves: tuple[Move, ...]
    after: list[bytes | None]
    broken: bool | None
    held: tuple[bool, ...] = ()


class Reduction(Protocol):
    """Identifies positions that are equal up to a symmetry."""

    def key(self, position: bytes) -> bytes:
        """A key that is the same for positions that are equal up to a symmetry."""
        ...

    def prove(self, look: SearchLook) -> None:
        """Raises `Unlike` if a symmetry does not preserve the moves at a position."""
        ...


class NoReduction:
    """No symmetry reduction."""

    def key(self, position: bytes) -> bytes:
        return key(position)

    def prove(self, look: SearchLook) -> None:
        return


@dataclass
class Found:
    """The result of a search. `stopped` is the bound that ended it early, if one did.

    `left_out` outcomes of chance were not followed. `blurred`: seats are identified by a symmetry.
    """

    graph: Graph = field(default_factory=Graph)
    faults: list[Broken] = field(default_factory=list)
    offered: set[tuple[int, int]] = field(default_factory=set)
    won: set[int] = field(default_factory=set)
    held: list[tuple[bool, ...]] = field(default_factory=list)
    depth: int = 0
    finals: int = 0
    stopped: str = ""
    left_out: int = 0
    blurred: bool = False
    seconds: float = 0.0

    @property
    def exhaustive(self) -> bool:
        return not self.stopped and not self.left_out

    @property
    def open(self) -> int:
        """The number of positions that were found and not expanded."""
        return len(self.graph) - self.graph.looked_at


Told = Callable[[int, int], None]
"""What is told of an exploration under way: how many positions it has found, how many moves deep."""
STRETCH = 256
"""After how many positions it is told."""
DEALT = 100_000
"""After how many positions it is asked, once, whether chance takes nearly all of them."""
SELDOM = 100
"""Chance takes nearly all if fewer than one of so many positions is a decision."""


class MostlyChance(Exception):
    """Chance takes nearly all positions, as where cards are dealt, and hardly a decision is reached."""


def not_told(positions: int, depth: int) -> None:
    """Tells nobody."""


class Search:
    """One exploration, over one machine.

    With a bound on outcomes each position has a share of them; a chance that follows another one at once
    divides the share of the first.
    """

    def __init__(
        self,
        steps: StepExecutor,
        outline: StateKey,
        folding: Reduction,
        bounds: Bounds,
        began: float,
        told: Told = not_told,
    ) -> None:
        self.steps, self.outline, self.folding, self.bounds = steps, outline, folding, bounds
        self.told = told
        self.found = Found()
        self.began = began
        self._decisions = 0
        self._is_asked = False
        self._share = bounds.outcomes or 0
        self._shares: list[int] = []
        self._known: set[tuple[str, object]] = set()
        self._next: list[bytes] = []

    def run(self, clock: Clock = perf_counter) -> Found:
        """Searches all positions within the bounds. An interrupt ends it like a bound.

        Raises `MostlyChance` if outcomes are not bounded and should be.
        """
        try:
            self._run(clock)
        except KeyboardInterrupt:
            self.found.stopped = "interrupted"
            self.found.graph.forget_rest()
        self.found.seconds = clock() - self.began
        return self.found

    def _run(self, clock: Clock) -> None:
        try:
            first = self.steps.first()
        except Fault as fault:
            self.found.faults.append(Broken(fault.diagnostic, NOWHERE, None))
            return
        self._meet(self.outline.pack(first), 0, 0)
        while self._next and not self.found.stopped:
            if self.bounds.depth is not None and self.found.depth >= self.bounds.depth:
                self.found.stopped = "depth"
                return
            level, self._next = self._next, []
            self._level(level, clock)

    def _level(self, level: list[bytes], clock: Clock) -> None:
        deeper = False
        for i, position in enumerate(level):
            if len(self.found.graph) >= self.bounds.states:
                if not self._is_asked:
                    self._ask_what_chance_takes()
                self.found.stopped = "states"
                return
            if self._late(clock):
                self.found.stopped = "seconds"
                return
            if not i % STRETCH:
                self.told(len(self.found.graph), self.found.depth)
                if len(self.found.graph) >= DEALT and not self._is_asked:
                    self._ask_what_chance_takes()
            self._look(position)
            deeper = deeper or bool(self._next)
            level[i] = b""
        self.found.depth += deeper

    def _ask_what_chance_takes(self) -> None:
        self._is_asked = True
        if self.bounds.outcomes is None and self._decisions * SELDOM < self.found.graph.looked_at:
            raise MostlyChance

    def _late(self, clock: Clock) -> bool:
        return self.bounds.seconds is not None and clock() - self.began >= self.bounds.seconds

    def along(self, numbers: Sequence[int]) -> tuple[int, ...]:
        """The moves along a path of position numbers, at actual positions of the classes."""
        state, made = self.steps.first(), []
        for wanted in numbers[1:]:
            for i, move in enumerate(self.steps.moves(state)):
                try:
                    reached = self.outline.pack(self.steps.after(state, move))
                except Fault:
                    continue
                if self.found.graph.ids.get(self.folding.key(reached)) == wanted:
                    made.append(i)
                    state = self.outline.unpack(reached)
                    break
        return tuple(made)

    # ---- one position

    def _look(self, position: bytes) -> None:
        """Expands a position."""
        graph, number = self.found.graph, self.found.graph.looked_at
        state = self.outline.unpack(position)
        try:
            moves = self.steps.moves(state)
        except Fault as fault:
            self._fault(fault, number, None)
            moves = ()
        broken = self._check(state, number)
        held = self._hold(state, number)
        after: list[bytes | None] = []
        self._decisions += bool(moves) and moves[0].branch != WORLD
        for i in self._followed(moves, position, number):
            move = moves[i]
            self.found.offered.add((move.node, move.part))
            try:
                reached = self.outline.pack(self.steps.after(state, move))
            except Fault as fault:
                self._fault(fault, number, i)
                graph.targets.append(NOWHERE)
                after.append(None)
                continue
            after.append(reached)
            graph.targets.append(self._meet(reached, number, i))
        self.folding.prove(SearchLook(state, moves, after, broken, held))
        graph.first.append(len(graph.targets))

    def _followed(self, moves: tuple[Move, ...], position: bytes, number: int) -> Sequence[int]:
        """The numbers of the moves that are followed: all, or of many outcomes of chance a sample."""
        most = self.bounds.outcomes
        if most is None:
            return range(len(moves))
        is_chance = bool(moves) and moves[0].branch == WORLD
        share = self._shares[number] if is_chance else most
        followed = min(len(moves), share) if is_chance else len(moves)
        self._share = max(1, share // followed) if is_chance else most
        if followed == len(moves):
            return range(len(moves))
        self.found.left_out += len(moves) - followed
        return sorted(Random(key(position)).sample(range(len(moves)), followed))

    def _meet(self, position: bytes, parent: int, by: int) -> int:
        """The number of a reached position; a new one is queued."""
        graph = self.found.graph
        name = self.folding.key(position)
        number = graph.ids.get(name)
        if number is None:
            number = graph.add(name, parent, by, OVER if position[0] else LIVE)
            self._shares.append(self._share)
            self._next.append(position)
        return number

    def _check(self, state: bytes, number: int) -> bool | None:
        """Whether a promise is broken; tested at decisions and ends, as in a match."""
        head = memoryview(state).cast("i")
        try:
            if head[ir.STATUS]:
                self.found.finals += 1
                self.found.won.add(self.steps.winners(state))
            elif head[ir.FORKED] or isinstance(self.steps.machine.nodes[head[ir.PC]], ir.Chance):
                return None
            self.steps.check(state)
        except Fault as fault:
            self._fault(fault, number, None)
            return True
        return False

    def _hold(self, state: bytes, number: int) -> tuple[bool, ...]:
        """Which of the conditions of `eventually` hold."""
        if not self.steps.machine.goals:
            return ()
        try:
            held = self.steps.goals(state)
        except Fault as fault:
            self._fault(fault, number, None)
            held = (False,) * len(self.steps.machine.goals)
        self.found.held.append(held)
        return held

    def _fault(self, fault: Fault, position: int, move: int | None) -> None:
        """Records each fault of each place once; the first has the shortest path."""
        self.found.graph.status[position] = FAULTY
        name = (fault.diagnostic.code, fault.diagnostic.span)
        if name not in self._known:
            self._known.add(name)
            self.found.faults.append(Broken(fault.diagnostic, position, move))

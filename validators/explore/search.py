"""The breadth-first search over all positions, which finds shortest paths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from dsl.diagnostics import Diagnostic
from interpreter import ir
from interpreter.messages import Fault
from validators.explore.graph import FAULTY, LIVE, NOWHERE, OVER, Graph
from validators.explore.state_key import StateKey, key
from validators.explore.stepping import Move, StepExecutor

Clock = Callable[[], float]


@dataclass(frozen=True)
class Bounds:
    """How far an exploration goes: moves from the start, positions, seconds."""

    depth: int | None = None
    states: int = 1_000_000
    seconds: float | None = None


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

    `blurred`: seats are identified by a symmetry.
    """

    graph: Graph = field(default_factory=Graph)
    faults: list[Broken] = field(default_factory=list)
    offered: set[tuple[int, int]] = field(default_factory=set)
    won: set[int] = field(default_factory=set)
    held: list[tuple[bool, ...]] = field(default_factory=list)
    depth: int = 0
    finals: int = 0
    stopped: str = ""
    blurred: bool = False
    seconds: float = 0.0

    @property
    def exhaustive(self) -> bool:
        return not self.stopped

    @property
    def open(self) -> int:
        """The number of positions that were found and not expanded."""
        return len(self.graph) - self.graph.looked_at


Told = Callable[[int, int], None]
"""What is told of an exploration under way: how many positions it has found, how many moves deep."""
STRETCH = 256
"""After how many positions it is told."""


def not_told(positions: int, depth: int) -> None:
    """Tells nobody."""


class Search:
    """One exploration, over one machine."""

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
        self._known: set[tuple[str, object]] = set()
        self._next: list[bytes] = []

    def run(self, clock: Clock = perf_counter) -> Found:
        """Searches all positions within the bounds. An interrupt ends it like a bound."""
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
                self.found.stopped = "states"
                return
            if self._late(clock):
                self.found.stopped = "seconds"
                return
            if not i % STRETCH:
                self.told(len(self.found.graph), self.found.depth)
            self._look(position)
            deeper = deeper or bool(self._next)
            level[i] = b""
        self.found.depth += deeper

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
        for i, move in enumerate(moves):
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

    def _meet(self, position: bytes, parent: int, by: int) -> int:
        """The number of a reached position; a new one is queued."""
        graph = self.found.graph
        name = self.folding.key(position)
        number = graph.ids.get(name)
        if number is None:
            number = graph.add(name, parent, by, OVER if position[0] else LIVE)
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

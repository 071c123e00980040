"""Random playouts where not all positions can be explored. They prove nothing."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from dsl.diagnostics import Diagnostic
from interpreter import ir
from interpreter.chance import Choosing, merged
from interpreter.game import ExecutorKind, Game
from interpreter.messages import Fault
from interpreter.reference.executor import ReferenceExecutor as Reference
from validators.explore.explore import not_marked
from validators.explore.findings import missing
from validators.explore.search import Clock, Found
from validators.explore.stepping import Move, StepExecutor, step_executor


@dataclass(frozen=True)
class FailedPlayout:
    """A playout with a fault: its seed, and its moves including the one that failed."""

    diagnostic: Diagnostic
    seed: int
    moves: tuple[Move, ...]


@dataclass
class Sample:
    """The results of playouts. `lengths` are in decisions, `won` counts the wins of each set of seats."""

    number: int = 0
    lengths: list[int] = field(default_factory=list)
    won: Counter[int] = field(default_factory=Counter)
    failed: list[FailedPlayout] = field(default_factory=list)
    unseen: tuple[Diagnostic, ...] = ()
    decisions: tuple[str, ...] = ()
    """The names of decisions that never occurred."""
    seconds: float = 0.0
    interrupted: bool = False


def play(
    game: Game,
    number: int,
    seed: int = 0,
    executor: ExecutorKind = "wasm",
    clock: Clock = perf_counter,
    done: Callable[[], None] = lambda: None,
) -> Sample:
    """Runs `number` playouts with the seeds `seed`, `seed + 1`, ... A fault ends only its own playout.

    `done` is called after each playout.
    """
    game = game.in_parts
    player = Player(game, step_executor(game.machine, executor))
    began = clock()
    try:
        for i in range(number):
            player.play(seed + i)
            done()
    except KeyboardInterrupt:
        player.sample.interrupted = True
    player.sample.seconds = clock() - began
    player.finish()
    return player.sample


class Player:
    """Plays at random and records what occurs."""

    def __init__(self, game: Game, steps: StepExecutor) -> None:
        self.game, self.steps = game, steps
        self.reference = Reference(game.machine)
        self.sample = Sample()
        self.found = Found()
        self._known: set[tuple[str, object]] = set()

    def play(self, seed: int) -> None:
        """One playout: moves with equal odds, outcomes of chance with their own."""
        choosing, made = Choosing(seed), list[Move]()
        decisions = 0
        try:
            state = self.steps.first()
            while moves := self.steps.moves(state):
                move = self._any(state, moves, choosing)
                made.append(move)
                decisions += not self._by_chance(move)
                state = self.steps.after(state, move)
                if decisions > self.game.machine.longest:
                    break
                self._promises(state)
            self.sample.won[self.steps.winners(state)] += 1
            self.sample.lengths.append(decisions)
        except Fault as fault:
            self._failed(fault, seed, made)
        self.sample.number += 1

    def _any(self, state: bytes, moves: tuple[Move, ...], choosing: Choosing) -> Move:
        if not self._by_chance(moves[0]):
            for move in moves:
                self.found.offered.add((move.node, move.part))
            return moves[choosing.below(len(moves))]
        weighted = merged(self.reference.outcomes(array("i", state)))
        left = choosing.below(sum(weight for _, weight in weighted))
        for move, (_, weight) in zip(moves, weighted, strict=True):
            left -= weight
            if left < 0:
                return move
        return moves[-1]

    def _by_chance(self, move: Move) -> bool:
        return isinstance(self.game.machine.nodes[move.node], ir.Chance)

    def _promises(self, state: bytes) -> None:
        """Tests promises where a match does: at decisions and ends, not within `together`."""
        head = memoryview(state).cast("i")
        waits = not head[ir.STATUS] and isinstance(self.game.machine.nodes[head[ir.PC]], ir.Chance)
        if not head[ir.FORKED] and not waits:
            self.steps.check(state)

    def _failed(self, fault: Fault, seed: int, made: list[Move]) -> None:
        """Records each fault of each place once."""
        name = (fault.diagnostic.code, fault.diagnostic.span)
        if name not in self._known:
            self._known.add(name)
            self.sample.failed.append(FailedPlayout(fault.diagnostic, seed, tuple(made)))

    def finish(self) -> None:
        """Records what was never seen."""
        mc = self.game.machine
        self.found.won = set(self.sample.won)
        self.sample.unseen = tuple(missing(self.game.rules, mc, self.found, not_marked(self.steps)))
        seen = {number for number, _ in self.found.offered}
        names = {n.name for i, n in enumerate(mc.nodes) if isinstance(n, ir.Offer) and i not in seen}
        came = {n.name for i, n in enumerate(mc.nodes) if isinstance(n, ir.Offer) and i in seen}
        self.sample.decisions = tuple(sorted(names - came))

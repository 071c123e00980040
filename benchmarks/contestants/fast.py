"""The fast executor's own playout loop, as the contestants want it."""

from __future__ import annotations

from array import array

from benchmarks.tally import Tally
from interpreter.match import Game
from interpreter.reference.executor import Executor as Reference
from interpreter.wasm.engine import Instance, compile_module
from interpreter.wasm.module import module
from interpreter.wasm.plan import FLAT


class Rollouts:
    """One machine as a module that plays on by itself, choosing among complete choices."""

    def __init__(self, game: Game) -> None:
        self.seats = game.machine.seats
        data, self.map = module(game.machine, FLAT, Reference(game.machine).fresh())
        self.size = len(data)
        self.instance = Instance(compile_module(data))

    def play(self, number: int, seed: int) -> Tally:
        """So many playouts in one call, with seeds from 2^32 * `seed` on."""
        wins, decisions = self._wins(), self._decisions()
        played = self.instance.functions["playouts"](self.map["state"], 0, seed, number, 0)
        if played != number:
            raise RuntimeError(f"a fault ended playout {played} of {number}, seed {seed}")
        made = (self._decisions() - decisions) % 2**32
        return Tally(number, made, self._wins() - wins)

    def _decisions(self) -> int:
        return self.instance.global_value("decisions")

    def _wins(self) -> int:
        """How often the first seat has won alone: playouts are counted by the set of their winners."""
        return array("i", self.instance.read(self.map["wins"], 1 << self.seats))[1]

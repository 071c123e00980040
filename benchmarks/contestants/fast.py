"""The fast executor's own playout loop, as the contestants want it."""

from __future__ import annotations

from itertools import count

from benchmarks.contestants.contestant import Play
from benchmarks.tally import Tally
from interpreter.game import Game
from interpreter.wasm.build_config import FLAT
from interpreter.wasm.program import Program

APART = 1 << 32
"""How far the seeds of one call are from those of the next."""

FIRST_ALONE = 1
"""The set of winners that holds the first seat only."""


def rollouts(game: Game) -> Play:
    """Playouts in one module, choosing among complete choices."""
    program, seeds = Program(game.machine, FLAT), count(1)

    def play(number: int) -> Tally:
        tally = program.playouts(number, APART * next(seeds))
        return Tally(tally.playouts, tally.decisions, tally.won.get(FIRST_ALONE, 0))

    return play

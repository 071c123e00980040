"""The fast executor's own playout loop, as the contestants want it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from benchmarks.contestants.contestant import FIRST_ALONE, Play
from benchmarks.tally import Tally
from interpreter.game import Game
from interpreter.wasm.build_config import FLAT
from interpreter.wasm.program import Program

APART = 1 << 32
"""How far the seeds of one call are from those of the next."""


def rollouts(game: Game, side: Collection[int] = FIRST_ALONE) -> Play:
    """Playouts in one module, choosing among complete choices; those are counted that `side` wins alone."""
    program, seeds = Program(game.machine, FLAT), count(1)
    winners = sum(1 << seat for seat in side)

    def play(number: int) -> Tally:
        tally = program.playouts(number, APART * next(seeds))
        return Tally(tally.playouts, tally.decisions, tally.won.get(winners, 0))

    return play

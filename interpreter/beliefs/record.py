"""One position of a world as a record, for all that asks what a seat may read of it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.game import Game, MatchStep


@dataclass(frozen=True, slots=True)
class PositionRecord:
    """A position with at most one step before it. It satisfies `MatchRecord`; it has no seed of a match."""

    game: Game
    state: array[int]
    steps: Sequence[MatchStep] = ()
    seed: int = 0
    history: Sequence[tuple[array[int], int]] = ()

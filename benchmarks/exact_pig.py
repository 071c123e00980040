"""The exact policy of Pig for two, by value iteration.

Source: Neller, Presser, "Optimal Play of the Dice Game Pig" (The UMAP Journal 25(1), 2004). The first player
wins 0.530592 with it.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match

GOAL = 100
EXACT = 1e-10


@cache
def chances() -> npt.NDArray[np.float64]:
    """[own, other, turn]: how likely the player at the turn wins, of whom all three are known."""
    p = np.zeros((GOAL, GOAL, GOAL))
    while True:
        before = p.copy()
        for own in range(GOAL):
            _improve(p, own)
        if np.abs(p - before).max() < EXACT:
            return p


def _improve(p: npt.NDArray[np.float64], own: int) -> None:
    """One sweep over the positions in which the player at the turn has so many points."""
    others = np.arange(GOAL)
    for turn in range(GOAL - own - 1, -1, -1):
        p[own, :, turn] = np.maximum(_rolls(p, own, turn), _holds(p, own, turn, others))


def _holds(
    p: npt.NDArray[np.float64], own: int, turn: int, others: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    return 1.0 - p[others, own + turn, 0]


def _rolls(p: npt.NDArray[np.float64], own: int, turn: int) -> npt.NDArray[np.float64]:
    found = 1.0 - p[:, own, 0]
    for face in range(2, 7):
        ended = own + turn + face >= GOAL
        found = found + (np.ones(GOAL) if ended else p[own, :, turn + face])
    return found / 6.0


def worth(match: Match, waiting: Waiting) -> dict[Option, float]:
    """How likely the deciding seat wins by each of its options, if all that follows is perfect."""
    counters = match.view(waiting.seat).counters
    points = [counters[f"points of {match.game.names.seat(seat)}"] or 0 for seat in range(2)]
    own, other, pot = points[waiting.seat], points[1 - waiting.seat], counters["pot"] or 0
    p, throw = chances(), 1.0 - chances()[other, own, 0]
    for face in range(2, 7):
        throw += 1.0 if own + pot + face >= GOAL else p[own, other, pot + face]
    hold = 1.0 if own + pot >= GOAL else 1.0 - p[other, own + pot, 0]
    found = {"throw": float(throw) / 6.0, "hold": float(hold)}
    return {choice.option: found[choice.text] for choice in match.decision(waiting).choices}


class ExactPig:
    """Throws where that is more likely to win than to hold."""

    def choose(self, match: Match, waiting: Waiting, seed: int) -> Option:
        found = worth(match, waiting)
        return max(found, key=lambda option: found[option])

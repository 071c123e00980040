"""What playouts came to, and whether it is what another contestant's came to."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

SPREAD = 0.5
"""No game here has a standard deviation of its decisions above this share of their mean."""

SLACK = 0.004
"""What rounded yardsticks and biased generators may add."""

SIGMAS = 4.5


@dataclass
class Tally:
    """Playouts, the complete choices made in them, and those that the first seat won alone.

    `decisions` and `wins` are `None` where a contestant cannot tell.
    """

    playouts: int = 0
    decisions: float | None = 0
    wins: float | None = 0

    def add(self, other: Tally) -> None:
        self.playouts += other.playouts
        self.decisions = _sum(self.decisions, other.decisions)
        self.wins = _sum(self.wins, other.wins)

    @property
    def decisions_each(self) -> float | None:
        return None if self.decisions is None or not self.playouts else self.decisions / self.playouts

    @property
    def wins_each(self) -> float | None:
        return None if self.wins is None or not self.playouts else self.wins / self.playouts


@dataclass(frozen=True)
class Figures:
    """Decisions per playout and the first seat's share of wins: the finger print of a game.

    No `wins` where they are counted otherwise than the rules say.
    """

    decisions: float
    wins: float | None
    playouts: int = 100_000


def differs(tally: Tally, yardstick: Figures) -> bool:
    """Whether the figures are further from the yardstick than luck explains: another game is played."""
    share = sqrt(1 / max(1, tally.playouts) + 1 / yardstick.playouts)
    length, wins = tally.decisions_each, tally.wins_each
    if length is not None and abs(length / yardstick.decisions - 1) > SLACK + SIGMAS * SPREAD * share:
        return True
    if wins is None or yardstick.wins is None:
        return False
    return abs(wins - yardstick.wins) > SLACK + SIGMAS * share / 2


def _sum(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left + right

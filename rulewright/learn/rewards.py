"""What the end of a match is worth to each seat."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from dsl.diagnostics import DiagnosticError, did_you_mean
from dsl.domains import IntType
from dsl.source import NOWHERE
from interpreter.bots.settings import sides_of
from interpreter.game import Game
from interpreter.match import Match
from rulewright.learn.messages import BadEnvironmentSetting

RewardKind = Literal["win", "victory", "score", "margin"]
"""`win`: 1 for the best side and less for the others, so that the sum is 0 where each sits alone; 0 if all
win or nobody does. With one seat, 1 or -1. `victory`: 1 for each seat that has won, else 0: for games that
are won together. `score`: the total. `margin`: the total less the best of the others. For the last two,
lower totals count as more where the lowest wins."""
Floats = npt.NDArray[np.float64]


class Rewards:
    """Rewards of one kind for the seats of a game."""

    def __init__(self, game: Game, kind: RewardKind = "win") -> None:
        kinds = get_args(RewardKind)
        if not isinstance(kind, str) or kind not in kinds:
            hint = did_you_mean(str(kind), kinds) or f"one of {', '.join(kinds)}"
            raise DiagnosticError(BadEnvironmentSetting(NOWHERE, "reward", str(kind), hint))
        self.kind = kind
        self.game = game
        self.seats = game.machine.seats
        self.sides = sides_of(game)
        self._sign = -1 if game.machine.best == "lowest" else 1
        self._shares, self._parts, self._less = self._of_winners()

    def _of_winners(self) -> tuple[npt.NDArray[np.int64], int, int]:
        """What each winner gives to each seat [seats, seats], in so many parts, and what all get less."""
        own = np.eye(self.seats, dtype=np.int64)
        firsts = [(side & -side).bit_length() - 1 for side in dict.fromkeys(self.sides)]
        if self.kind == "victory":
            return own, 1, 0
        if len(firsts) == 1:
            return 2 * own, 1, 1
        shares = len(firsts) * own
        shares[firsts] -= 1
        return shares, len(firsts) - 1, 0

    def of(self, scores: npt.NDArray[np.int32], winners: npt.NDArray[np.bool_]) -> Floats:
        """[..., seats] from totals and winners of the same shape."""
        if self.kind in ("win", "victory"):
            found: Floats = winners @ self._shares / self._parts - self._less
            return found
        totals = scores.astype(np.float64) * self._sign
        return totals if self.kind == "score" or self.seats == 1 else _margins(totals)

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the greatest reward."""
        if self.kind == "victory":
            return 0.0, 1.0
        if self.kind == "win":
            return -1.0, 1.0
        lo, hi = self._totals()
        if self.kind == "score" or self.seats == 1:
            return (lo, hi) if self._sign > 0 else (-hi, -lo)
        return lo - hi, hi - lo

    def _totals(self) -> tuple[float, float]:
        kinds = [line.value.type for line in self.game.rules.scores if line.kind == "score"]
        numbers = [kind for kind in kinds if isinstance(kind, IntType)]
        return float(sum(kind.lo for kind in numbers)), float(sum(kind.hi for kind in numbers))

    def of_match(self, match: Match) -> list[float]:
        """The rewards of the seats in a match that is over."""
        won = match.winners()
        names = [self.game.names.seat(seat) for seat in range(self.seats)]
        winners = np.array([name in won for name in names])
        scores = np.array([account.total for account in match.accounts()], dtype=np.int32)
        return [float(reward) for reward in self.of(scores, winners)]


def _margins(totals: Floats) -> Floats:
    others = [np.delete(totals, seat, -1).max(-1) for seat in range(totals.shape[-1])]
    found: Floats = totals - np.stack(others, -1)
    return found

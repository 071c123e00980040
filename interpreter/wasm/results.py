"""How matches of a batch have ended for each seat, as arrays: share of the win, place, margin."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt


def results(
    best: Literal["highest", "lowest", "none"],
    scores: npt.NDArray[np.int32],
    winners: npt.NDArray[np.bool_],
    over: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    """[n, seats, 3] from arrays [n, seats] and [n]; zeros where a match is not over."""
    sign = {"highest": 1, "lowest": -1, "none": 0}[best]
    totals = scores.astype(np.int64) * sign
    number = winners.sum(1, keepdims=True)
    shares = np.where(number > 0, winners / np.maximum(number, 1), 0.0)
    return np.stack((shares, _places(totals, winners), _margins(totals)), -1) * over[:, None, None]


def _places(totals: npt.NDArray[np.int64], winners: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """1 and how many seats are before: winners are before all others, then more is before less."""
    won = winners.astype(np.int64)
    ahead = (won[:, None, :] > won[:, :, None]) | (
        (won[:, None, :] == won[:, :, None])
        & ~winners[:, :, None]
        & (totals[:, None, :] > totals[:, :, None])
    )
    found: npt.NDArray[np.int64] = 1 + ahead.sum(2)
    return found


def _margins(totals: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The total of each seat less the best of the others."""
    seats = totals.shape[1]
    if seats == 1:
        return totals
    others = np.stack([np.delete(totals, seat, 1).max(1) for seat in range(seats)], 1)
    margins: npt.NDArray[np.int64] = totals - others
    return margins

"""Chances in the course of a match, in games that nobody may win."""

from __future__ import annotations

import numpy as np

from interpreter.wasm.batch import Batch
from rulewright.library import open_game
from validators.experiments.course import _leader, _shares

EVEN, WON = (0.5, 0.5), (1.0, 0.0)


def test_what_nobody_wins_is_shared() -> None:
    game = open_game("tic_tac_toe")
    batch = Batch(game, 64, 1, observations=False)
    shares = _shares(batch, batch.states[0].copy(), (3, 0), 2)
    assert shares.shape == (64, 2)
    assert np.allclose(shares.sum(axis=1), 1)
    assert {tuple(row) for row in shares.tolist()} == {EVEN, WON, WON[::-1]}


def test_a_lead_is_clear_though_most_is_shared() -> None:
    assert _leader(np.array([WON] * 8 + [EVEN] * 24)) == 0
    assert _leader(np.array([WON[::-1]] * 8 + [EVEN] * 24)) == 1
    assert _leader(np.array([WON] * 2 + [EVEN] * 30)) is None
    assert _leader(np.array([WON] * 8 + [WON[::-1]] * 6 + [EVEN] * 18)) is None

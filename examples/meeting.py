"""Two policies meet: many matches side by side, with each of them at each seat."""

from __future__ import annotations

import numpy as np

from interpreter.game import Game
from rulewright.learn.gymnasium import vector_env
from rulewright.learn.opponents import Policy

SIDE_BY_SIDE = 64
"""How many matches lie side by side."""


def share_between(game: str | Game, first: Policy, second: Policy, rounds: int, seed: int = 1) -> float:
    """The share of the points of the first of two policies, as both choose.

    It sits at each seat for `SIDE_BY_SIDE` times `rounds` matches, and the other at all others. So many
    matches of each place count, so that short ones count no more than long ones. A choice that is not
    offered raises `DiagnosticError`.
    """
    shares, rng = [], np.random.default_rng(seed)
    seats = vector_env(game, 1).game.machine.seats
    for seat in range(seats):
        envs = vector_env(game, SIDE_BY_SIDE, seat=seat, reward="victory", opponents=second, final_obs=False)
        rows, info = envs.reset(seed=1_000_000 * seed + 1000 * seat)
        done, points = np.zeros(SIDE_BY_SIDE, dtype=int), np.zeros(SIDE_BY_SIDE)
        while done.min() < rounds:
            rows, _, ended, _, info = envs.step(first.act(rows, info["action_mask"], rng))
            rewards = info["rewards"]
            sums = rewards.sum(axis=1)
            won = np.where(sums > 0, rewards[:, seat] / np.maximum(sums, 1), 1 / seats)
            counted = ended & (done < rounds)
            points += np.where(counted, won, 0)
            done += counted
        shares.append(points.sum() / done.sum())
    return float(np.mean(shares))

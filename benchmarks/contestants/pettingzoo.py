"""PettingZoo's classic games, without their wrappers."""

from __future__ import annotations

import random
from importlib import import_module
from itertools import count
from typing import Any

from benchmarks.contestants.contestant import Contestant, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.tally import Tally


def made(entry: Entry) -> Any:
    """PettingZoo's game. Raises `Unavailable` if it has none."""
    if not entry.pettingzoo:
        raise Unavailable("not in PettingZoo")
    try:
        module = import_module(f"pettingzoo.classic.{entry.pettingzoo}")
    except ImportError as error:
        raise Unavailable(f"not installed: {error}") from error
    return module.raw_env(**entry.pettingzoo_settings)


def sit(entry: Entry) -> Player:
    env = made(entry)
    rng, seeds = random.Random(1), count(1)

    def play(number: int) -> Tally:
        tally = Tally()
        for _ in range(number):
            env.reset(seed=next(seeds))
            tally.add(_played(env, rng))
        return tally

    return Player(play)


def _played(env: Any, rng: random.Random) -> Tally:
    first, decisions = env.agent_selection, 0
    while True:
        observation, _, over, cut, _ = env.last()
        if over or cut:
            return Tally(1, decisions, int(env.rewards[first] > 0))
        env.step(rng.choice(observation["action_mask"].nonzero()[0]))
        decisions += 1


PETTINGZOO = Contestant("pettingzoo", "PettingZoo's raw_env", sit)

"""Environments of learning libraries: ours beside those that the libraries have of the same games.

A step is an action, drawn at random from the mask that the environment gives, with an observation for whoever
decides next. Drawing is timed with everybody.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contestants import openspiel, ours, pgx
from benchmarks.contestants.contestant import Unavailable
from benchmarks.games import Entry
from benchmarks.slices import Pace, Task, interleave, one_core, ratio
from benchmarks.table import Table

SIZE = 1024
COLUMNS = ("game", "who", "steps/s", "ours is x times")
Sit = Callable[[Entry], Callable[[int], float]]


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    one = Table("learning-one", "one match in an environment", COLUMNS)
    many = Table("learning-many", f"{SIZE:,} matches in a vector environment", COLUMNS)
    with one_core():
        for entry in entries:
            for table, sits in ((one, ONE), (many, MANY)):
                _measure(table, entry, sits, pace)
    return [one, many]


def _measure(table: Table, entry: Entry, sits: dict[str, Sit], pace: Pace) -> None:
    tasks = []
    for name, sit in sits.items():
        try:
            tasks.append(Task(name, sit(entry)))
        except Unavailable:
            continue
    interleave(tasks, pace)
    for task in tasks:
        table.rows.append((entry.name, task.name, task.rate, ratio(tasks[0], task)))


# ---- one match


def _ours(entry: Entry) -> Callable[[int], float]:
    from rulewright.learn.pettingzoo import env

    return _agents(env(ours.opened(entry)), lambda seen, info: info["action_mask"])


def _pettingzoo(entry: Entry) -> Callable[[int], float]:
    """The game of PettingZoo itself, without its wrappers."""
    if not entry.pettingzoo:
        raise Unavailable("PettingZoo lacks it")
    try:
        module = import_module(f"pettingzoo.classic.{entry.pettingzoo}")
    except ImportError as error:
        raise Unavailable(str(error)) from None
    return _agents(module.raw_env(), lambda seen, info: seen["action_mask"])


def _agents(env: Any, mask_of: Callable[[Any, dict[str, Any]], Any]) -> Callable[[int], float]:
    rng = random.Random(1)
    env.reset(seed=1)

    def run(number: int) -> float:
        for _ in range(number):
            seen, _, ended, cut, info = env.last()
            if ended or cut:
                env.reset()
                continue
            env.step(rng.choice(mask_of(seen, info).nonzero()[0].tolist()))
        return number

    return run


def _openspiel(entry: Entry) -> Callable[[int], float]:
    """States of OpenSpiel, with the tensor of what the player observes."""
    game, rng = openspiel.loaded(entry), random.Random(1)

    def run(number: int) -> float:
        state = game.new_initial_state()
        for _ in range(number):
            while state.is_terminal() or state.is_chance_node():
                if state.is_terminal():
                    state = game.new_initial_state()
                else:
                    openspiel.draw(state, rng)
            state.observation_tensor()
            state.apply_action(rng.choice(state.legal_actions()))
        return number

    return run


ONE: dict[str, Sit] = {"rulewright": _ours, "pettingzoo": _pettingzoo, "openspiel": _openspiel}


# ---- many matches


def _our_vector(entry: Entry) -> Callable[[int], float]:
    from rulewright.learn.gymnasium import vector_env
    from rulewright.learn.opponents import UniformPolicy

    envs, policy, rng = (
        vector_env(ours.opened(entry), SIZE, final_obs=False),
        UniformPolicy(),
        np.random.default_rng(1),
    )
    seen, info = envs.reset(seed=1)

    def run(number: int) -> float:
        nonlocal seen, info
        for _ in range(number):
            seen, _, _, _, info = envs.step(policy.act(seen, info["action_mask"], rng))
        return number * SIZE

    return run


def _pgx(entry: Entry) -> Callable[[int], float]:
    return pgx.stepping(entry, SIZE)


MANY: dict[str, Sit] = {"rulewright": _our_vector, "pgx": _pgx}

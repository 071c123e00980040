"""Environments of learning libraries: ours beside those that the libraries have of the same games.

A step is an action, drawn at random from the mask that the environment gives, with an observation for whoever
decides next; resets are timed, too. Drawing is timed with everybody: in the quickest way that numpy has, in
the module with ours of many matches, compiled in with pgx.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Sequence
from math import floor, log10
from typing import Any

import numpy as np

from benchmarks.batches import observing
from benchmarks.contestants import openspiel, ours, pettingzoo, pgx
from benchmarks.contestants.contestant import Unavailable
from benchmarks.games import ALL, Entry
from benchmarks.slices import Pace, Task, interleave, one_core
from benchmarks.table import Cell, Table

SIZE = 1024
GAMES = ALL
Sit = Callable[[Entry], Callable[[int], float]]
NOTES = (
    "steps a second; `env` and the two columns beside it have one match, the last three 1,024 side by side",
    "`batch`: what `vector_env` is made of, without new arrays, rewards and what was seen last",
    "an empty place: the library does not have the game; OpenSpiel is its C++, stepped from Python",
)


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    found = Table("learning", "environments of learning libraries", ("game", *ONE, *MANY))
    with one_core():
        for entry in entries:
            found.rows.append((entry.name, *_rates(entry, ONE, pace), *_rates(entry, MANY, pace)))
    found.notes += NOTES
    found.notes += [_difference(entry) for entry in entries if entry.differs or entry.cut]
    return [found]


def _rates(entry: Entry, sits: dict[str, Sit], pace: Pace) -> list[Cell]:
    """Of each contestant, taken in turns; none where it lacks the game."""
    tasks = {}
    for name, sit in sits.items():
        try:
            tasks[name] = Task(name, sit(entry))
        except Unavailable:
            continue
    interleave(list(tasks.values()), pace)
    return [_rounded(tasks[name].rate) if name in tasks else None for name in sits]


def _rounded(rate: float) -> float:
    """To three figures: more of them are noise."""
    return round(rate, 2 - floor(log10(rate))) if rate > 0 else rate


def _difference(entry: Entry) -> str:
    found = [f"ours cuts play into other choices: {entry.cut}"] if entry.cut else []
    found += [f"{who}: {what}" for who, what in entry.differs.items()]
    return f"{entry.name}: {'; '.join(found)}"


# ---- one match


def _ours(entry: Entry) -> Callable[[int], float]:
    from rulewright.learn.pettingzoo import env

    return _agents(env(ours.opened(entry)), lambda seen, info: info["action_mask"])


def _pettingzoo(entry: Entry) -> Callable[[int], float]:
    """The game of PettingZoo itself, without its wrappers."""
    return _agents(
        pettingzoo.made(entry), lambda seen, info: (seen if "action_mask" in seen else info)["action_mask"]
    )


def _agents(env: Any, mask_of: Callable[[Any, dict[str, Any]], Any]) -> Callable[[int], float]:
    rng = random.Random(1)
    env.reset(seed=1)

    def run(number: int) -> float:
        for _ in range(number):
            seen, _, ended, cut, info = env.last()
            if ended or cut:
                env.reset()
                continue
            env.step(drawn(mask_of(seen, info), rng))
        return number

    return run


def drawn(mask: Any, rng: random.Random) -> int:
    """An action that a mask offers. Numpy looks through booleans ten times as fast as through numbers."""
    found: int = rng.choice(np.asarray(mask, dtype=np.int8).view(np.bool_).nonzero()[0].tolist())
    return found


def _openspiel(entry: Entry) -> Callable[[int], float]:
    """States of OpenSpiel, with the tensor of what the player observes, or else of what it knows."""
    game, rng = openspiel.loaded(entry), random.Random(1)
    kind = game.get_type()
    if not (kind.provides_observation_tensor or kind.provides_information_state_tensor):
        raise Unavailable("OpenSpiel has no tensor of it")

    def run(number: int) -> float:
        state = game.new_initial_state()
        look = "observation_tensor" if kind.provides_observation_tensor else "information_state_tensor"
        for _ in range(number):
            while state.is_terminal() or state.is_chance_node():
                if state.is_terminal():
                    state = game.new_initial_state()
                else:
                    openspiel.draw(state, rng)
            getattr(state, look)()
            state.apply_action(rng.choice(state.legal_actions()))
        return number

    return run


ONE: dict[str, Sit] = {"env": _ours, "PettingZoo": _pettingzoo, "OpenSpiel": _openspiel}


# ---- many matches


def _our_vector(entry: Entry) -> Callable[[int], float]:
    """With what was seen last, as by default."""
    from rulewright.learn.gymnasium import vector_env

    envs = vector_env(ours.opened(entry), SIZE)
    envs.reset(seed=1)

    def run(number: int) -> float:
        for _ in range(number):
            envs.step(envs.sample())
        return number * SIZE

    return run


def _pgx(entry: Entry) -> Callable[[int], float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pgx.stepping(entry, SIZE)


MANY: dict[str, Sit] = {"batch": observing, "vector_env": _our_vector, "pgx": _pgx}

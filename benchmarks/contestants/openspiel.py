"""OpenSpiel: its own rollouts in C++, and the loop from Python."""

from __future__ import annotations

import random
from functools import partial
from itertools import count
from typing import Any

from benchmarks.contestants.contestant import Contestant, Player, Unavailable
from benchmarks.games import Entry
from benchmarks.tally import Tally

ROOTS = 64
"""From how many positions behind the first draws a slice of rollouts begins."""


def loaded(entry: Entry) -> Any:
    """OpenSpiel's game. Raises `Unavailable` if it has none."""
    try:
        import pyspiel
    except ImportError as error:
        raise Unavailable("open_spiel is not installed") from error
    if not entry.openspiel:
        raise Unavailable("not in OpenSpiel")
    return pyspiel.load_game(entry.openspiel)


# ---- its C++


def sit_rollouts(entry: Entry) -> Player:
    """Rollouts by `RandomRolloutEvaluator`, as many as wanted in one call.

    The evaluator cannot be asked from Python. A search of one simulation can: it hands the root to the
    evaluator and does nothing else. Its root must not be a chance node, so games that begin with a draw
    are rolled out from positions behind their first draws; these draws are not timed.
    """
    game = loaded(entry)
    seeds = count(1)
    chances = game.new_initial_state().is_chance_node()
    note = "first draws not timed" if chances else ""
    roots = [_behind_draws(game, i) for i in range(ROOTS if chances else 1)]
    return Player(partial(_rollouts, game, roots, seeds), partial(_outcomes, game, seeds), note)


def _rollouts(game: Any, roots: list[Any], seeds: count[int], number: int) -> Tally:
    each = max(1, number // len(roots))
    for root in roots:
        _rolled_out(game, root, each, next(seeds))
    return Tally(each * len(roots), None, None)


def _outcomes(game: Any, seeds: count[int], number: int) -> Tally:
    """Who wins: rollouts one by one."""
    wins, rng = 0, random.Random(next(seeds))
    for _ in range(number):
        seed = rng.getrandbits(30)
        root = _behind_draws(game, seed)
        value = _rolled_out(game, root, 1, seed)
        wins += (value if root.current_player() == 0 else -value) > 0
    return Tally(number, None, wins)


def _rolled_out(game: Any, root: Any, number: int, seed: int) -> float:
    """What the seat at the root gets on average."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(number, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, seed, False)
    return float(bot.mcts_search(root).total_reward)


def _behind_draws(game: Any, seed: int) -> Any:
    rng, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node():
        draw(state, rng)
    return state


# ---- from Python


def sit_python(entry: Entry) -> Player:
    game = loaded(entry)
    seeds = count(1)

    def play(number: int) -> Tally:
        tally, rng = Tally(), random.Random(next(seeds))
        for _ in range(number):
            tally.add(_played(game.new_initial_state(), rng))
        return tally

    return Player(play)


def _played(state: Any, rng: random.Random) -> Tally:
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            draw(state, rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    return Tally(1, decisions, int(state.returns()[0] > 0))


def draw(state: Any, rng: random.Random) -> None:
    """Lets chance act, by its odds."""
    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, odds)[0])


ROLLOUTS = Contestant("openspiel-c++", "OpenSpiel, its own rollouts in C++", sit_rollouts)
PYTHON = Contestant("openspiel-python", "OpenSpiel, stepped from Python", sit_python)

"""OpenSpiel: its own rollouts in C++, and the loop from Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any

from benchmarks.contestants.contestant import Contestant, Player, Unavailable
from benchmarks.counting import Count, one
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

    Games that pay before their end cannot be searched: they are played by OpenSpiel's random bots.
    """
    game = loaded(entry)
    seeds = count(1)
    if _pays_early(game):
        play = partial(_played_by_bots, game, entry, seeds)
        return Player(play, None, "by its random bots")
    chances = _opened(game, entry.openings[0]).is_chance_node()
    note = "first draws not timed" if chances else ""
    deals = len(entry.openings)
    roots = [
        _behind_draws(game, i, opening)
        for i in range(-(-ROOTS // deals) if chances else 1)
        for opening in entry.openings
    ]
    look = partial(_outcomes, game, entry, seeds) if deals == 1 and entry.seats == 2 else None
    return Player(partial(_rollouts, game, roots, deals, seeds), look, note)


def _pays_early(game: Any) -> bool:
    return str(game.get_type().reward_model.name) != "TERMINAL"


def _rollouts(game: Any, roots: list[Any], deals: int, seeds: count[int], number: int) -> Tally:
    """So many playouts from all roots together; as many deals as a match of ours has are one playout."""
    matches = len(roots) // deals
    each = max(1, number // matches)
    for root in roots:
        _rolled_out(game, root, each, next(seeds))
    return Tally(each * matches, None, None)


def _outcomes(game: Any, entry: Entry, seeds: count[int], number: int) -> Tally:
    """Who wins: rollouts one by one."""
    wins, rng = 0, random.Random(next(seeds))
    for _ in range(number):
        seed = rng.getrandbits(30)
        root = _behind_draws(game, seed, entry.openings[0])
        value = _rolled_out(game, root, 1, seed)
        wins += (value if root.current_player() == entry.first else -value) > 0
    return Tally(number, None, wins)


def _rolled_out(game: Any, root: Any, number: int, seed: int) -> float:
    """What the seat at the root gets on average."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(number, seed)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1, False, seed, False)
    return float(bot.mcts_search(root).total_reward)


def _played_by_bots(game: Any, entry: Entry, seeds: count[int], number: int) -> Tally:
    """Whole matches in C++, one a call."""
    import pyspiel

    seed = next(seeds)
    bots = [pyspiel.make_uniform_random_bot(i, seed + i) for i in range(game.num_players())]
    wins = 0
    for i in range(number):
        state = _opened(game, entry.openings[0])
        wins += _won(entry, pyspiel.evaluate_bots(state, bots, number * seed + i))
    return Tally(number, None, wins)


def _opened(game: Any, opening: Sequence[int]) -> Any:
    """A new match with the first outcomes of chance that are settled."""
    state = game.new_initial_state()
    for outcome in opening:
        state.apply_action(outcome)
    return state


def _behind_draws(game: Any, seed: int, opening: Sequence[int] = ()) -> Any:
    rng, state = random.Random(seed), _opened(game, opening)
    while state.is_chance_node():
        draw(state, rng)
    return state


def _won(entry: Entry, returns: Sequence[float]) -> bool:
    """Whether our first seat has got more than all others, partners apart; alone, whether it has gained."""
    if len(returns) == 1:
        return returns[0] > 0
    most = max(returns)
    return {i for i, got in enumerate(returns) if got == most} == entry.their_side


# ---- from Python


def sit_python(entry: Entry) -> Player:
    game = loaded(entry)
    seeds = count(1)

    def play(number: int) -> Tally:
        tally, rng = Tally(), random.Random(next(seeds))
        for _ in range(number):
            tally.add(_played(game, entry, rng))
        return tally

    return Player(play)


def _played(game: Any, entry: Entry, rng: random.Random) -> Tally:
    decisions, totals = 0, [0.0] * game.num_players()
    for opening in entry.openings:
        state = _opened(game, opening)
        decisions += _played_on(state, entry.count, rng)
        totals = [total + got for total, got in zip(totals, state.returns(), strict=True)]
    return Tally(1, decisions, int(_won(entry, totals)))


def _played_on(state: Any, count: Count, rng: random.Random) -> int:
    """Plays to the end; how many decisions of ours it took."""
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            draw(state, rng)
            continue
        action = rng.choice(state.legal_actions())
        decisions += 1 if count is one else count(state, action)
        state.apply_action(action)
    return decisions


def draw(state: Any, rng: random.Random) -> None:
    """Lets chance act, by its odds."""
    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, odds)[0])


ROLLOUTS = Contestant("openspiel-c++", "OpenSpiel, its own rollouts in C++", sit_rollouts)
PYTHON = Contestant("openspiel-python", "OpenSpiel, stepped from Python", sit_python)

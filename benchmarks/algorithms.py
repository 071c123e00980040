"""`python -m benchmarks.algorithms`: which algorithms of OpenSpiel, suites of PettingZoo run on which games.

Each cell is a run in a process of its own, of a few iterations: `yes` if it ends, else the first words of the
error, or `slow` if it takes longer than `--seconds`. The table is Markdown. `dqn` needs torch.
"""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import click
import numpy as np

Load = Callable[[], Any]
KINDS: dict[str, tuple[str, dict[str, Any]]] = {
    "perfect": ("tic_tac_toe", {}),
    "dice": ("pig", {}),
    "hidden": ("kuhn_poker", {"reward": "score", "zero_sum": True}),
    "hidden, 3 seats": ("liars_dice", {"seats": 3, "options": "dice=1;one_round=true"}),
    "together": ("oshi_zumo", {"options": "half=1;purse=5"}),
    "together, `together=false`": ("oshi_zumo", {"options": "half=1;purse=5", "together": False}),
    "alone": ("blackjack", {"seats": 1}),
}
"""A game for each kind, with its parameters."""


def _opened(kind: str) -> Any:
    from rulewright.learn import openspiel

    name, parameters = KINDS[kind]
    return openspiel.load_game(name, **parameters)


def _first(game: Any) -> Any:
    """The first state at which somebody decides."""
    state, chooser = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chooser.choices(outcomes, weights)[0])
    return state


# ---- algorithms


def _random(game: Any) -> None:
    import pyspiel

    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def _mcts(game: Any) -> None:
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 30, 100, True, 1, False)
    bot.step(_first(game))


def _python_mcts(game: Any) -> None:
    from open_spiel.python.algorithms import mcts

    rng = np.random.RandomState(1)
    mcts.MCTSBot(game, 2.0, 30, mcts.RandomRolloutEvaluator(1, rng), random_state=rng).step(_first(game))


def _ismcts(game: Any) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 30, random_state=rng)
    bot.step(_first(game))


def _cpp_ismcts(game: Any) -> None:
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    kind = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    pyspiel.ISMCTSBot(1, evaluator, 2.0, 30, -1, kind, False, False).step(_first(game))


def _cfr(game: Any) -> None:
    from open_spiel.python.algorithms import cfr

    cfr.CFRPlusSolver(game).evaluate_and_update_policy()


def _exploitability(game: Any) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    exploitability.nash_conv(game, policy.UniformRandomPolicy(game))


def _external(game: Any) -> None:
    from open_spiel.python.algorithms import external_sampling_mccfr as sampling

    sampling.ExternalSamplingSolver(game, sampling.AverageType.SIMPLE).iteration()


def _outcome(game: Any) -> None:
    from open_spiel.python.algorithms import outcome_sampling_mccfr as sampling

    sampling.OutcomeSamplingSolver(game).iteration()


def _minimax(game: Any) -> None:
    from open_spiel.python.algorithms import minimax

    if any(kind == game.get_type().chance_mode for kind in _stochastic()):
        minimax.expectiminimax(_first(game), 2, lambda _: 0.0, 0)
    else:
        minimax.alpha_beta_search(game, None, lambda _: 0.0, maximum_depth=4, maximizing_player_id=0)


def _stochastic() -> tuple[Any, ...]:
    import pyspiel

    modes = pyspiel.GameType.ChanceMode
    return modes.EXPLICIT_STOCHASTIC, modes.SAMPLED_STOCHASTIC


def _learners(made: Callable[[Any, int], Any]) -> Callable[[Any], None]:
    """Two matches of learners of `rl_environment`."""

    def run(game: Any) -> None:
        from open_spiel.python import rl_environment

        env = rl_environment.Environment(game)
        agents = [made(env, player) for player in range(env.num_players)]
        for _ in range(2):
            step = env.reset()
            while not step.last():
                if step.is_simultaneous_move():
                    taken = [agent.step(step).action for agent in agents]
                else:
                    taken = [agents[step.observations["current_player"]].step(step).action]
                step = env.step(taken)
            for agent in agents:
                agent.step(step)

    return run


def _q_learner(env: Any, player: int) -> Any:
    from open_spiel.python.algorithms import tabular_qlearner

    return tabular_qlearner.QLearner(player, env.action_spec()["num_actions"])


def _deep_q(env: Any, player: int) -> Any:
    from open_spiel.python.pytorch import dqn

    size = env.observation_spec()["info_state"][0]
    return dqn.DQN(player, size, env.action_spec()["num_actions"], [32], 100, 8, min_buffer_size_to_learn=8)


OPENSPIEL: dict[str, Callable[[Any], None]] = {
    "`random_sim_test`": _random,
    "`MCTSBot` (C++)": _mcts,
    "`mcts` (Python)": _python_mcts,
    "`ismcts` (Python)": _ismcts,
    "`ISMCTSBot` (C++)": _cpp_ismcts,
    "`cfr`, CFR+": _cfr,
    "`exploitability`": _exploitability,
    "`external_sampling_mccfr`": _external,
    "`outcome_sampling_mccfr`": _outcome,
    "`minimax`": _minimax,
    "`tabular_qlearner`": _learners(_q_learner),
    "`dqn` (torch)": _learners(_deep_q),
}


def _zoo(game: str, seats: int | None) -> Any:
    from rulewright.learn import pettingzoo

    return pettingzoo.env(game, seats, mask_in="observation")


def _api(game: str, seats: int | None) -> None:
    from pettingzoo.test import api_test

    api_test(_zoo(game, seats), num_cycles=50)


def _parallel(game: str, seats: int | None) -> None:
    from pettingzoo.test import parallel_api_test

    from rulewright.learn import pettingzoo

    parallel_api_test(pettingzoo.parallel_env(game, seats, illegal="lose"), num_cycles=50)


def _turned(game: str, seats: int | None) -> None:
    from pettingzoo.utils.conversions import parallel_to_aec

    from rulewright.learn import pettingzoo

    env = parallel_to_aec(pettingzoo.parallel_env(game, seats))
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        seen, _, ended, cut, _ = env.last()
        env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))


def _wrapped(game: str, seats: int | None) -> None:
    from pettingzoo.utils import wrappers

    env = wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(_zoo(game, seats), -1))
    env.reset(seed=1)
    for agent in env.agent_iter(60):
        seen, _, ended, cut, _ = env.last()
        env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))


PETTINGZOO: dict[str, Callable[[str, int | None], None]] = {
    "PettingZoo `api_test`": _api,
    "PettingZoo `parallel_api_test`": _parallel,
    "PettingZoo `parallel_to_aec`": _turned,
    "PettingZoo wrappers": _wrapped,
}


# ---- the table


def _one(told: Connection, kind: str, name: str) -> None:
    try:
        if name in OPENSPIEL:
            OPENSPIEL[name](_opened(kind))
        else:
            game, parameters = KINDS[kind]
            PETTINGZOO[name](game, parameters.get("seats"))
        told.send("yes")
    except BaseException as error:
        told.send(_short(f"{error}" or type(error).__name__))


def _short(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:60]


def cell(kind: str, name: str, seconds: float) -> str:
    """How an algorithm fares with a game, in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_one, args=(there, kind, name))
    process.start()
    there.close()
    try:
        return str(here.recv()) if here.poll(seconds) else "slow"
    except EOFError:
        return "the process ended"
    finally:
        process.kill()
        process.join()


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="The most that a cell takes.")
@click.option("--only", multiple=True, help="An algorithm, or a part of its name; may be repeated.")
def main(seconds: float, only: tuple[str, ...]) -> None:
    """Print the table."""
    print("| |", " | ".join(f"{kind}: `{game}`" for kind, (game, _) in KINDS.items()), "|")
    print("|---" * (1 + len(KINDS)) + "|")
    for name in (*OPENSPIEL, *PETTINGZOO):
        if not only or any(part in name for part in only):
            row = [cell(kind, name, seconds) for kind in KINDS]
            print("|", " | ".join([name, *row]), "|", flush=True)


if __name__ == "__main__":
    main()

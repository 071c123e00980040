"""CFR+ on a small game of hidden cards, through OpenSpiel: how far a policy is from an equilibrium.

    python -m examples.cfr_plus kuhn_poker --below 0.001
    python -m examples.cfr_plus leduc_poker --below 0.01

Source: Tammelin, "Solving Large Imperfect Information Games Using CFR+" (arXiv:1407.5042).
"""

from __future__ import annotations

import argparse
from time import process_time

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

from rulewright.learn.openspiel import load_game


def solve(name: str, below: float, most: int) -> tuple[int, float, list[float]]:
    """Iterations until the exploitability is below a limit, what it is then, and the value of each seat."""
    game = load_game(name, reward="score", zero_sum=True)
    solver = cfr.CFRPlusSolver(game)
    began, found, iteration = process_time(), float("inf"), 0
    while iteration < most and found >= below:
        for _ in range(25):
            solver.evaluate_and_update_policy()
        iteration += 25
        policy = solver.average_policy()
        found = exploitability.exploitability(game, policy)
        print(f"{iteration:5} iterations, {process_time() - began:5.1f} s, exploitability {found:.6f}")
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    return iteration, found, [float(value) for value in values]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", help="a bundled game, or the path of a ruleset, for two seats")
    parser.add_argument("--below", type=float, default=0.001, help="the exploitability to reach")
    parser.add_argument("--most", type=int, default=2_000, help="iterations at most")
    given = parser.parse_args()
    _, _, values = solve(given.game, given.below, given.most)
    print(f"the first seat wins {values[0]:+.6f} on average, the second {values[1]:+.6f}")


if __name__ == "__main__":
    main()

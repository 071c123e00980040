"""`python -m benchmarks.openspiel_states`: how many actions a second states of OpenSpiel take at random.

Processor time, so that it matters less what else the machine does; outcomes of chance count as actions. The
Tic-Tac-Toe that OpenSpiel has in Python is played in turns with each game, and `beside` is the ratio.
"""

from __future__ import annotations

import random
import time
from typing import Any, Final

import click

GAMES: Final = (
    *("tic_tac_toe", "connect_four", "breakthrough", "chess", "othello", "backgammon", "kuhn_poker"),
    *("leduc_poker", "roma", "hearts", "texas_holdem", "liars_dice"),
)
TURNS: Final = 4


def playing(game: Any, seconds: float, rng: random.Random) -> float:
    """Actions a second in random matches."""
    number, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            number += 1
    return number / (time.process_time() - begun)


@click.command()
@click.option("--game", "games", multiple=True, help="A game; may be repeated. Twelve games, else.")
@click.option("--seconds", default=0.5, show_default=True, help="How long a turn lasts.")
def main(games: tuple[str, ...], seconds: float) -> None:
    """Print actions a second, and the ratio to OpenSpiel's own Tic-Tac-Toe in Python."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe

    assert tic_tac_toe
    theirs, rng, rates = pyspiel.load_game("python_tic_tac_toe"), random.Random(1), []
    from rulewright.learn import openspiel

    print(f"{'game':16}{'actions/s':>11}{'beside':>8}")
    for name in games or GAMES:
        ours = openspiel.load_game(name, together=False)
        playing(ours, seconds / 2, rng)
        pairs = [(playing(ours, seconds, rng), playing(theirs, seconds, rng)) for _ in range(TURNS)]
        rates.append(sum(own for own, _ in pairs) / TURNS)
        print(f"{name:16}{rates[-1]:11,.0f}{rates[-1] * TURNS / sum(b for _, b in pairs):8.2f}", flush=True)
    middle = sorted(rates)
    print(f"{'median':16}{(middle[(len(rates) - 1) // 2] + middle[len(rates) // 2]) / 2:11,.0f}")


if __name__ == "__main__":
    main()

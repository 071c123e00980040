"""How many worlds are found in a second of processor time, and what they are worth, early and late.

python -m benchmarks.beliefs_speed [GAME] [--seats N] [--choices N ...] [--matches N] [--worlds N] [--steps N]

Without arguments Roma after 50 choices, with as many steps as are needed for 1,600 worlds.
"""

from __future__ import annotations

import argparse
import random
import time

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.seat_log import SeatLog
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from rulewright.library import open_game


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="roma", metavar="GAME")
    parser.add_argument("--seats", type=int)
    parser.add_argument("--choices", type=int, nargs="+", default=[50], metavar="N")
    parser.add_argument("--matches", type=int, default=4, metavar="N")
    parser.add_argument("--viewers", type=int, default=2, metavar="N")
    parser.add_argument("--worlds", type=int, default=1_600, metavar="N")
    parser.add_argument("--steps", type=int, default=1 << 30, metavar="N")
    given = parser.parse_args()
    game = open_game(given.game, seats=given.seats, executor="wasm")
    for choices in given.choices:
        for seed in range(given.matches):
            match = played(game, choices, seed)
            for seat in range(given.viewers):
                found = measured(SeatLog.of(match, seat), game, given.worlds, given.steps)
                print(f"{choices} choices, match {seed}, seat {seat}: {found}", flush=True)


def played(game: Game, choices: int, seed: int) -> Match:
    """A match after so many choices at random, or at its end."""
    match, chooser = Match(game, seed).start(), random.Random(seed)
    while not match.over and len(match.history) < choices:
        waiting = chooser.choice(match.waiting())
        match.take(waiting, chooser.choice(waiting.options))
    return match


def measured(log: SeatLog, game: Game, worlds: int, steps: int) -> str:
    """What is found for a log, how quickly, and what it is worth."""
    begun = time.process_time()
    try:
        beliefs = believe(game, log, worlds, method="sample", steps=steps)
    except Fault as fault:
        return f"{fault.diagnostic.code} after {time.process_time() - begun:.1f} s"
    spent, found = time.process_time() - begun, len(beliefs.worlds)
    different = len({world.state.tobytes() for world in beliefs.worlds})
    return (
        f"{found} worlds, {different} different, worth {beliefs.exactness.effective:.0f},"
        f" in {spent:.1f} s ({found / spent:.0f}/s)"
    )


if __name__ == "__main__":
    main()

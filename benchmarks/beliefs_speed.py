"""How many worlds of Roma are found in a second of processor time, after 50 choices.

python -m benchmarks.beliefs_speed
"""

from __future__ import annotations

import random
import time

from interpreter.beliefs.beliefs import believe
from interpreter.beliefs.seat_log import SeatLog
from interpreter.match import Match
from rulewright.library import open_game

MATCHES, CHOICES, WORLDS = 4, 50, 1_600


def main() -> None:
    game = open_game("roma", seats=2, executor="wasm")
    for seed in range(MATCHES):
        match, chooser = Match(game, seed).start(), random.Random(seed)
        while not match.over and len(match.history) < CHOICES:
            waiting = chooser.choice(match.waiting())
            match.take(waiting, chooser.choice(waiting.options))
        for seat in range(2):
            log = SeatLog.of(match, seat)
            begun = time.process_time()
            found = believe(game, log, WORLDS, method="sample", steps=1 << 30)
            rate = WORLDS / (time.process_time() - begun)
            print(f"match {seed}, seat {seat}: {rate:.0f} worlds/s; {found.exactness}")


if __name__ == "__main__":
    main()

"""Whether samples have the true chances: at every information set of small games, by chi-square and Holm.

python -m benchmarks.beliefs_exactness [--every N] [GAME ...]

Every course of a game is played by the referee, and what a seat may believe is counted from scratch. At each
information set with several worlds 100,007 particles are drawn, by 1,031 filters of 97 that know nothing of
each other: a prime, since 100 copies of a particle are halved without chance. With `--every N` only each Nth
information set is tried.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

from interpreter.beliefs.opponents import Uniform
from interpreter.beliefs.particles import ParticleFilter
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation
from tests.beliefs.brute_force import InformationSet, information_sets
from tests.beliefs.chi_square import deviation, rejected
from tests.beliefs.games import EVERY, SMALL_ROMA

ISLANDS, SIZE = 1_031, 97
MOST_CHOICES = {SMALL_ROMA: 4}
"""How far a game is followed that has too many information sets for all of them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    given = parser.parse_args()
    for name in given.games or (*EVERY, SMALL_ROMA):
        tried(name, given.every)


def tried(name: str, every: int) -> None:
    """Tries the information sets of a game, and says what was found."""
    begun = time.process_time()
    sets = [one for one in information_sets(name, MOST_CHOICES.get(name, 1 << 30)) if len(one.states) > 1]
    found = list(probabilities(sets[::every]))
    spent = time.process_time() - begun
    verdict = f"{rejected(found)} rejected" if rejected(found) else "none rejected"
    print(
        f"{name}: {len(found)} information sets of {len(sets)} with several worlds, up to"
        f" {max(len(one.states) for one in sets)}; {ISLANDS * SIZE:,} particles each;"
        f" smallest p {min(found):.5f}; {verdict}; {spent:.0f} s",
        flush=True,
    )


def probabilities(sets: list[InformationSet]) -> Iterator[float]:
    """For each information set how likely a sample of the true chances deviates as much as ours."""
    for one in sets:
        simulation = Simulation(one.match.game, SeatLog.of(one.match, one.seat), Uniform())
        yield deviation(ParticleFilter(simulation).islands(ISLANDS, SIZE, 1), one.posterior())


if __name__ == "__main__":
    main()

"""Whether samples have the true chances: at every information set of small games, by chi-square and Holm.

python -m benchmarks.beliefs_exactness [--every N] [--into FILE] [--mistake NAME] [GAME ...]

Every course of a game is played by the referee, and what a seat may believe is counted from scratch. At each
information set with several worlds 100,697 particles are drawn, by 101 filters of 997 that know nothing of
each other, under random numbers of its own. As copies of particles are divided by rounding, a few filters may
differ much from all others, and that is seldom among 101. So wherever the first samples give less than 0.01,
others decide: 100,007 fresh particles, by 1,031 filters of 97. With `--every N` only each Nth information set
is tried.

With `--into FILE` the result for each information set is added to a file at once, and what is in the file is
not tried again: a run can be broken off and gone on with. `--mistake` puts a mistake into the sampler, which
then has to be rejected.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from interpreter.beliefs.beliefs import MOST_STEPS
from interpreter.beliefs.opponents import Uniform
from interpreter.beliefs.particles import ParticleFilter
from interpreter.beliefs.seat_log import SeatLog
from interpreter.beliefs.simulation import Simulation
from tests.beliefs.brute_force import InformationSet, information_sets, stripped
from tests.beliefs.chi_square import deviation, rejected
from tests.beliefs.games import EVERY, SMALL_ROMA, TWO_DEALS
from tests.beliefs.planted import with_a_glance, without_chances, without_menus, without_weights

SHAPE, FINER = (101, 997), (1_031, 97)
"""The filters and the particles of each, and those that decide in doubt."""
DOUBT = 0.01
LEARNING = MOST_STEPS // 8
"""The steps for learning, as `believe` takes them."""
MOST_CHOICES = {SMALL_ROMA: 4}
"""How far a game is followed that has too many information sets for all of them."""
MISTAKES = {"chances": without_chances, "weights": without_weights, "menus": without_menus}
GLANCE = "glance"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--into", type=Path, metavar="FILE")
    parser.add_argument("--mistake", choices=(*MISTAKES, GLANCE))
    given = parser.parse_args()
    found: list[float] = []
    for name in given.games or (*EVERY, TWO_DEALS, SMALL_ROMA):
        known = _known(given.into, name)
        found += tried(name, given.every, given.into, known, given.mistake)
    print(f"all: {len(found)} information sets; smallest p {min(found):.3g}; {_verdict(found)}")


def tried(
    name: str, every: int, into: Path | None, known: dict[int, float], mistake: str | None
) -> list[float]:
    """Tries the information sets of a game, says what was found, and gives the probabilities that decide."""
    begun = time.process_time()
    sets = [one for one in information_sets(name, MOST_CHOICES.get(name, 1 << 30)) if len(one.states) > 1]
    found: list[float] = []
    again = 0
    for i in range(0, len(sets), every):
        with _planted(mistake, sets[i]):
            if i not in known:
                known[i] = probability(sets[i], i, SHAPE)
                _add(into, {"game": name, "set": i, "p": known[i]})
            decides = known[i]
            if decides < DOUBT:
                again += 1
                decides = probability(sets[i], len(sets) + i, FINER)
        found.append(decides)
    print(
        f"{name}: {len(found)} information sets of {len(sets)} with several worlds, up to"
        f" {max(len(one.states) for one in sets)}; {again} tried again; smallest p {min(found):.3g};"
        f" {_verdict(found)}; {time.process_time() - begun:.0f} s",
        flush=True,
    )
    return found


def probability(one: InformationSet, seed: int, shape: tuple[int, int]) -> float:
    """How likely a sample of the true chances deviates as much as ours at an information set."""
    simulation = Simulation(one.match.game, SeatLog.of(one.match, one.seat), Uniform())
    particles = ParticleFilter(simulation)
    particles.learn(seed, LEARNING)
    return deviation(particles.islands(*shape, seed), one.posterior())


def _add(into: Path | None, line: dict[str, object]) -> None:
    if into is not None:
        with into.open("a") as file:
            print(json.dumps(line), file=file)


def _known(into: Path | None, name: str) -> dict[int, float]:
    """What a file has of the first samples of a game."""
    if into is None or not into.exists():
        return {}
    lines = (json.loads(line) for line in into.read_text().splitlines())
    return {line["set"]: line["p"] for line in lines if line["game"] == name}


def _verdict(found: Sequence[float]) -> str:
    return f"{rejected(found)} rejected" if rejected(found) else "none rejected"


@contextmanager
def _planted(mistake: str | None, one: InformationSet) -> Iterator[None]:
    """The sampler with a mistake, as long as the context lasts."""
    if mistake is None:
        yield
        return
    patches = []

    def put(target: object, name: str, value: object) -> None:
        patches.append(patch.object(target, name, value))
        patches[-1].start()

    if mistake == GLANCE:
        with_a_glance(put, stripped(one.match))
    else:
        MISTAKES[mistake](put)
    try:
        yield
    finally:
        for each in reversed(patches):
            each.stop()


if __name__ == "__main__":
    main()

"""Whether any world contradicts what its seat was told: each different one is played again by the referee.

python -m benchmarks.beliefs_consistency [--worlds N] [--seconds S] [--into FILE] [GAME ...]

For all bundled games that hide something, or those that are named: matches of random choices, of another
length each, and worlds for each viewer of them, until a game has N worlds or has taken S seconds of a
processor. In the match of a world the seat must have been told, asked, offered and refused the same, entry by
entry, and the state must be that of the world. With `--into FILE` what was found for a game is added to a
file, and not sought again.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from interpreter.beliefs.beliefs import Beliefs, believe
from interpreter.beliefs.courses import match_of
from interpreter.beliefs.seat_log import SeatLog
from interpreter.game import Game
from interpreter.match import Match
from interpreter.messages import Fault
from interpreter.sights import SPECTATOR
from rulewright.library import bundled, open_game

LENGTHS = range(1, 40)
MOST, STEPS = 20_000, 20_000
"""The most worlds and steps for one viewer of one match."""


@dataclass
class Found:
    """How many worlds were drawn for a game, how many differed, and how many contradicted what was told.

    `refused` counts viewers for whom no world was found within the steps.
    """

    game: str
    viewers: int = 0
    drawn: int = 0
    different: int = 0
    wrong: int = 0
    refused: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--worlds", type=int, default=100_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--into", type=Path, metavar="FILE")
    given = parser.parse_args()
    games = given.games or [name for name in bundled() if hides(open_game(name))]
    known = _known(given.into)
    for name in games:
        if name not in known:
            known[name] = tried(name, given.worlds, given.seconds)
            if given.into is not None:
                with given.into.open("a") as file:
                    print(json.dumps(asdict(known[name])), file=file)
    every = [known[name] for name in games]
    print(
        f"{len(every)} games, {sum(one.viewers for one in every)} viewers:"
        f" {sum(one.drawn for one in every):,} worlds, {sum(one.different for one in every):,} different,"
        f" {sum(one.wrong for one in every)} contradict; {sum(one.refused for one in every)} without worlds"
    )


def hides(game: Game) -> bool:
    """Whether a seat or the spectator does not see all there is."""
    return game.views.hides_pieces or bool(game.rules.hidden_words)


def tried(name: str, wanted: int, seconds: float) -> Found:
    """Draws worlds of a game, plays them again, and says what was found."""
    begun, found, game, random = time.process_time(), Found(name), open_game(name), Random(name)
    while found.drawn < wanted and time.process_time() - begun < seconds:
        match = _played(game, random)
        for seat in range(SPECTATOR, game.machine.seats):
            log = SeatLog.of(match, seat)
            try:
                drawn = believe(game, log, MOST, random.getrandbits(32), method="sample", steps=STEPS)
            except Fault:
                found.refused += 1
                continue
            _note(found, drawn)
            if found.drawn >= wanted or time.process_time() - begun > seconds:
                break
    print(
        f"{name}: {found.viewers} viewers, {found.drawn:,} worlds, {found.different:,} different,"
        f" {found.wrong} contradict, {found.refused} without worlds; {time.process_time() - begun:.0f} s",
        flush=True,
    )
    return found


def _played(game: Game, random: Random) -> Match:
    match, choices = Match(game, random.getrandbits(32)).start(), random.choice(LENGTHS)
    while not match.over and len(match.history) < choices:
        waiting = random.choice(match.waiting())
        match.take(waiting, random.choice(waiting.options))
    return match


def _note(found: Found, beliefs: Beliefs) -> None:
    """Plays each different world again, and counts those that contradict the log of the seat."""
    found.viewers += 1
    found.drawn += len(beliefs.worlds)
    fits: dict[object, bool] = {}
    for world in beliefs.worlds:
        if world.course not in fits:
            other = match_of(beliefs, world)
            same = SeatLog.of(other, beliefs.log.seat) == beliefs.log
            fits[world.course] = same and other.state == world.state
        found.wrong += not fits[world.course]
    found.different += len(fits)


def _known(into: Path | None) -> dict[str, Found]:
    if into is None or not into.exists():
        return {}
    return {one.game: one for one in (Found(**json.loads(line)) for line in into.read_text().splitlines())}


if __name__ == "__main__":
    main()

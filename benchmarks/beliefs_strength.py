"""`python -m benchmarks.beliefs_strength GAME`: what beliefs bring to a bot, in rounds with the same chance.

In a round one bot sits at each seat once, with the other one at all other seats, and the same random
numbers. Told are its share of the wins, and its margin: how many points more than the mean of the others it
has, so that in Hearts less is better. Intervals are those of means of rounds (normal, 95 %); a bot against
itself has a share of one by the number of seats, and a margin of 0.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import click

from benchmarks.strength import MOST_CHOICES, Z, named
from interpreter.match import Match
from rulewright.library import open_game


@dataclass(frozen=True, slots=True)
class Result:
    """A match from the point of view of the bot: its share of the win, and its margin."""

    share: float
    margin: float


def played(match: Match, bots: Sequence[str], own: int, seed: int) -> Result:
    """A match in which the first bot sits at one seat, and the second one at all others."""
    first, second = map(named, bots)
    while not match.over and len(match.history) < MOST_CHOICES:
        waiting = match.waiting()[0]
        bot = first if waiting.seat == own else second
        match.take(waiting, bot.choose(match, waiting, seed * 1000 + own))
    game = match.game
    points = [
        sum(value for _, value in game.executor.score(match.state, i)) for i in range(game.machine.seats)
    ]
    won, name = match.winners(), game.names.seat(own)
    share = (1 / len(won) if name in won else 0.0) if won else 1 / len(points)
    others = (sum(points) - points[own]) / max(1, len(points) - 1)
    return Result(share, points[own] - others)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half of its interval."""
    mean = sum(values) / len(values)
    square = sum((x - mean) ** 2 for x in values) / max(1, len(values) - 1)
    return mean, Z * math.sqrt(square / len(values))


def summary(rounds: Sequence[Sequence[Result]]) -> str:
    """`27.5 % of the wins (21.0 to 34.0), margin +0.31 (-0.20 to +0.82), 40 rounds`."""
    share, half = interval([sum(r.share for r in each) / len(each) for each in rounds])
    margin, wide = interval([sum(r.margin for r in each) / len(each) for each in rounds])
    return (
        f"{share:.1%} of the wins ({share - half:.1%} to {share + half:.1%}),"
        f" margin {margin:+.2f} ({margin - wide:+.2f} to {margin + wide:+.2f}), {len(rounds)} rounds"
    )


@click.command()
@click.argument("game")
@click.option("--bot", default="search:200+beliefs", show_default=True)
@click.option("--against", default="search:200", show_default=True)
@click.option("--seats", type=int, default=None, help="How many play (default: the fewest).")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A setting of the game.")
@click.option("-n", "--rounds", "number", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--minutes", type=float, default=None, help="No further round begins after so long.")
def main(
    game: str,
    bot: str,
    against: str,
    seats: int | None,
    options: tuple[str, ...],
    number: int,
    seed: int,
    minutes: float | None,
) -> None:
    """Play rounds of matches between two bots; after each, say what is known so far."""
    given = dict(option.split("=", 1) for option in options)
    opened, begun = open_game(game, seats, given, "wasm"), time.monotonic()
    rounds: list[list[Result]] = []
    for each in range(seed, seed + number):
        if minutes is not None and time.monotonic() - begun > 60 * minutes:
            break
        rounds.append(
            [
                played(Match(opened, each).start(), (bot, against), own, each)
                for own in range(opened.machine.seats)
            ]
        )
        print(f"{game}: {bot} against {against}: {summary(rounds)}", flush=True)


if __name__ == "__main__":
    main()

"""`python -m benchmarks.strength GAME`: how strong a bot is, by matches against another one.

Matches come in rounds: in a round the bot sits at each seat once, with the same seed, and the other bot at
all other seats. A win that k seats share counts 1/k. The interval is that of the means of rounds (normal,
95 %).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import click

from benchmarks.exact_pig import ExactPig
from interpreter.bots.bot import Bot
from interpreter.bots.names import bot_named
from interpreter.bots.search import SearchBot
from interpreter.bots.settings import SearchSettings
from interpreter.match import Match
from rulewright.library import open_game

MOST_CHOICES = 5_000
"""Choices after which a match is given up, and counts as a draw."""
Z = 1.959964


@dataclass(frozen=True, slots=True)
class Round:
    """The share of the win in each match of a round, and how many were lost."""

    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        return sum(self.shares) / len(self.shares)


def named(name: str) -> Bot:
    """A bot by its name; `exact` plays the two-seat game of one die perfectly.

    A search may be given other constants: `search:1000/exploration=0.5/worlds=8/solve=0`.
    """
    if name == "exact":
        return ExactPig()
    kind, *constants = name.split("/")
    bot = bot_named(kind)
    if not constants:
        return bot
    assert isinstance(bot, SearchBot)
    return replace(bot, settings=replace(bot.settings, **dict(map(_constant, constants))))


def _constant(written: str) -> tuple[str, Any]:
    name, _, value = written.partition("=")
    default = getattr(SearchSettings(), name)
    return name, type(default)(float(value))


def played(game_name: str, seats: int | None, bots: tuple[str, str], seed: int) -> Round:
    """One round: the first bot sits at each seat once."""
    game = open_game(game_name, seats)
    first, second = map(named, bots)
    shares = []
    for own in range(game.machine.seats):
        match = Match(game, seed).start()
        while not match.over and len(match.history) < MOST_CHOICES:
            waiting = match.waiting()[0]
            bot = first if waiting.seat == own else second
            match.take(waiting, bot.choose(match, waiting, seed * 1000 + own))
        won = match.winners()
        name = game.names.seat(own)
        none = 1 / game.machine.seats
        shares.append((1 / len(won) if name in won else 0.0) if won else none)
    return Round(tuple(shares))


def rounds(game: str, seats: int | None, bots: tuple[str, str], seeds: range, jobs: int) -> Iterator[Round]:
    if jobs == 1:
        yield from (played(game, seats, bots, seed) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(played, repeat(game), repeat(seats), repeat(bots), seeds, chunksize=4)


def mean_and_spread(found: list[Round]) -> tuple[float, float]:
    """The mean share of the wins, and its standard error."""
    means = [r.mean for r in found]
    mean = sum(means) / len(means)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in means) / max(1, len(means) - 1) / len(means))


def elo(share: float) -> float:
    """The difference in Elo that gives a share of the wins."""
    share = min(max(share, 1e-3), 1 - 1e-3)
    return -400.0 * math.log10(1.0 / share - 1.0)


def elo_with_interval(found: list[Round]) -> tuple[str, str]:
    """`+9`, `(-61 to +79)`: the difference, and its interval of 95 %."""
    mean, spread = mean_and_spread(found)
    low, high = elo(mean - Z * spread), elo(mean + Z * spread)
    return f"{elo(mean):+.0f}", f"({low:+.0f} to {high:+.0f})"


def summary(found: list[Round]) -> str:
    """`73.2 % of the wins (70.1 to 76.3), 3 lost of 200`."""
    mean, spread = mean_and_spread(found)
    lost = sum(share == 0.0 for r in found for share in r.shares)
    played_all = sum(len(r.shares) for r in found)
    low, high = max(0.0, mean - Z * spread), min(1.0, mean + Z * spread)
    return f"{mean:.1%} of the wins ({low:.1%} to {high:.1%}), {lost} lost of {played_all}"


@click.command()
@click.argument("game")
@click.option("--bot", default="search", show_default=True)
@click.option("--against", default="random", show_default=True)
@click.option("--seats", type=int, default=None, help="How many play (default: the fewest).")
@click.option("-n", "--rounds", "number", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
def main(game: str, bot: str, against: str, seats: int | None, number: int, seed: int, jobs: int) -> None:
    """Play rounds of matches between two bots, and say how many the first one wins."""
    begun = time.perf_counter()
    found = list(rounds(game, seats, (bot, against), range(seed, seed + number), jobs))
    took = time.perf_counter() - begun
    click.echo(f"{game}: {bot} against {against}: {summary(found)}; {took:.0f} s")


if __name__ == "__main__":
    main()

"""`python -m benchmarks.pig_regret`: how much a bot loses in Pig against the exact policy, without the luck.

The bot plays matches against the exact policy at each seat. For each of its decisions the exact values say
how much less likely a win is than by the best choice. The mean of the sums over matches is what it loses
against the exact policy in all: its share of the wins is a half less that (the lemma of performance
differences: Kakade, Langford, "Approximately Optimal Approximate Reinforcement Learning", ICML 2002). The
dice play no part in it, so few matches say as much as thousands of results.
"""

from __future__ import annotations

import math

import click

from benchmarks.exact_pig import ExactPig, worth
from benchmarks.strength import Z, named
from interpreter.bots.bot import Bot
from interpreter.game import Game
from interpreter.match import Match
from rulewright.library import open_game


def regret(game: Game, bot: Bot, own: int, seed: int) -> tuple[float, int]:
    """What the bot has lost in one match, as a share of the win, and in how many decisions."""
    match, exact, lost, decisions = Match(game, seed).start(), ExactPig(), 0.0, 0
    while not match.over:
        waiting = match.waiting()[0]
        if waiting.seat != own or len(waiting.options) == 1:
            match.take(waiting, exact.choose(match, waiting, seed))
            continue
        values = worth(match, waiting)
        option = bot.choose(match, waiting, seed * 1000 + own)
        lost += max(values.values()) - values[option]
        decisions += 1
        match.take(waiting, option)
    return lost, decisions


@click.command()
@click.option("--bot", default="search:10000", show_default=True)
@click.option("-n", "--rounds", "number", type=click.IntRange(min=2), default=20, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def main(bot: str, number: int, seed: int) -> None:
    """Play rounds against the exact policy, and say what share of the wins the bot has."""
    game, player = open_game("pig"), named(bot)
    found = [[regret(game, player, own, seed + i) for own in range(2)] for i in range(number)]
    lost = [sum(one for one, _ in pair) / 2 for pair in found]
    mean = sum(lost) / number
    spread = math.sqrt(sum((x - mean) ** 2 for x in lost) / (number - 1) / number)
    decisions = sum(some for pair in found for _, some in pair) / (2 * number)
    low, high = 0.5 - mean - Z * spread, 0.5 - mean + Z * spread
    share = f"{0.5 - mean:.2%} of the wins ({low:.2%} to {high:.2%})"
    click.echo(f"pig: {bot} against the exact policy: {share}, {decisions:.0f} decisions a match")


if __name__ == "__main__":
    main()

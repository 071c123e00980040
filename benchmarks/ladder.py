"""`python -m benchmarks.ladder GAME`: whether more iterations win, up to which number.

Each budget plays against the one before it, in rounds of `benchmarks.strength`. A rung is printed as soon as
it is played; a budget whose interval of 95 % lies above one half is worth its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import click

from benchmarks.strength import Round, Z, elo_with_interval, mean_and_spread, rounds, summary


def verdict(found: list[Round]) -> str:
    """`Elo +110 (+58 to +170): more iterations win`."""
    mean, spread = mean_and_spread(found)
    low, high = mean - Z * spread, mean + Z * spread
    says = "more iterations win" if low > 0.5 else "more iterations lose" if high < 0.5 else "undecided"
    return f"Elo {' '.join(elo_with_interval(found))}: {says}"


def rungs(bots: list[str]) -> Iterator[tuple[str, str]]:
    """Each bot with the one before it."""
    return ((more, fewer) for fewer, more in pairwise(bots))


@click.command()
@click.argument("game")
@click.option("--budgets", default="62,250,1000,4000", show_default=True, help="Iterations, fewest first.")
@click.option("--constants", default="", help="Further constants, as `/exploration=0.5`.")
@click.option("--seats", type=int, default=None, help="How many play (default: the fewest).")
@click.option("-n", "--rounds", "number", type=click.IntRange(min=2), default=50, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
def main(
    game: str, budgets: str, constants: str, seats: int | None, number: int, seed: int, jobs: int
) -> None:
    """Play each budget against the one before it."""
    bots = [f"search:{budget.strip()}{constants}" for budget in budgets.split(",")]
    for more, fewer in rungs(bots):
        found = list(rounds(game, seats, (more, fewer), range(seed, seed + number), jobs))
        click.echo(f"{game}: {more} against {fewer}: {summary(found)}; {verdict(found)}")


if __name__ == "__main__":
    main()

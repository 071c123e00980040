"""`python -m benchmarks.yardsticks`: the figures of OpenSpiel's random playouts, as `games.py` has them.

The spread is the standard deviation of a playout's decisions by their mean; `tally.py` relies on its bound.
"""

from __future__ import annotations

from statistics import mean, pstdev
from time import perf_counter

import click

from benchmarks.contestants.contestant import Player
from benchmarks.contestants.openspiel import PYTHON
from benchmarks.games import LIBRARY
from benchmarks.tally import Tally


@click.command()
@click.argument("games", nargs=-1, type=click.Choice([entry.name for entry in LIBRARY]))
@click.option("--most", type=click.IntRange(min=1), default=100_000, show_default=True, help="Playouts.")
@click.option("--seconds", type=float, default=600.0, show_default=True, help="For each game, if not enough.")
def main(games: tuple[str, ...], most: int, seconds: float) -> None:
    """Play GAMES out with OpenSpiel, and print what belongs into games.py."""
    for entry in LIBRARY:
        if not games or entry.name in games:
            lengths, tally = _played(PYTHON.sit(entry), most, seconds)
            wins = round(tally.wins_each or 0, 3)
            figures = f"Figures({mean(lengths):.5g}, {wins}, {tally.playouts:_})"
            click.echo(f"{entry.name:<22} {figures:<36} spread {pstdev(lengths) / mean(lengths):.2f}")


def _played(player: Player, most: int, seconds: float) -> tuple[list[float], Tally]:
    """The length of each playout, and all of them together."""
    lengths: list[float] = []
    whole, until = Tally(), perf_counter() + seconds
    while whole.playouts < most and perf_counter() < until:
        tally = player.play(1)
        whole.add(tally)
        lengths.append(tally.decisions or 0)
    return lengths, whole


if __name__ == "__main__":
    main()

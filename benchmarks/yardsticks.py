"""`python -m benchmarks.yardsticks`: the figures of OpenSpiel's random playouts, as `games.py` has them."""

from __future__ import annotations

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
            tally = _played(PYTHON.sit(entry), most, seconds)
            length, wins = tally.decisions_each or 0, tally.wins_each or 0
            click.echo(f"{entry.name:<22} Figures({length:.5g}, {round(wins, 3)}, {tally.playouts:_})")


def _played(player: Player, most: int, seconds: float) -> Tally:
    tally, until = Tally(), perf_counter() + seconds
    while tally.playouts < most and perf_counter() < until:
        tally.add(player.play(1))
    return tally


if __name__ == "__main__":
    main()

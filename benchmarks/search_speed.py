"""`python -m benchmarks.search_speed GAME...`: iterations of a tree search in a second, on one processor."""

from __future__ import annotations

import time

import click

from interpreter.bots.settings import SearchSettings
from interpreter.bots.tree_search import TreeSearch
from interpreter.match import Match
from rulewright.library import open_game


def speed(name: str, seconds: float) -> float:
    """Iterations in a second of processor time, from the first decision of a match."""
    match = Match(open_game(name), seed=1).start()
    waiting = match.waiting()[0]
    search = TreeSearch(match.game, waiting.seat, [match.state], 1, SearchSettings(solve=False), 1 << 21)
    number, done, spent = 16, 0, 0.0
    search.run(number)
    while spent < seconds and done + number <= 1 << 21:
        begun = time.process_time()
        search.run(number)
        took = time.process_time() - begun
        done, spent = done + number, spent + took
        number = max(16, min(4 * number, int(number * 0.1 / max(took, 1e-6))))
    return done / spent


@click.command()
@click.argument("games", nargs=-1, required=True)
@click.option("--seconds", type=float, default=2.0, show_default=True)
def main(games: tuple[str, ...], seconds: float) -> None:
    """Measure how many iterations a second a search makes."""
    for name in games:
        click.echo(f"{name}: {speed(name, seconds):,.0f} iterations/s")


if __name__ == "__main__":
    main()

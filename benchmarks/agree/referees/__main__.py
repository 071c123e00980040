"""`python -m benchmarks.agree.referees`: whether rulesets and independent referees play the same games."""

from __future__ import annotations

import sys
from importlib import import_module
from time import perf_counter

import click

import rulewright
from benchmarks.agree.comparison import Disagreement
from benchmarks.agree.referees.alongside import play_along
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from rulewright.library import read_rules

GAMES = (
    *("carillon", "dou_dizhu", "dry_season", "fenways", "hedgerow", "henhouse", "klondike"),
    *("ludo", "marches", "poacher", "saltmarsh", "turnpike", "wharves"),
)
"""Each is a ruleset, and the module here of the same name."""

EXECUTORS: tuple[ExecutorKind, ...] = ("wasm", "reference")


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(GAMES))
@click.option("-n", "--playouts", default=200, show_default=True, help="How many playouts at each table.")
@click.option("--seats", default=0, help="How many play; by default every number that can.")
@click.option("--seed", default=1, show_default=True, help="The seed of the first.")
@click.option("--executor", type=click.Choice(EXECUTORS), default=EXECUTORS[0], show_default=True)
def main(games: tuple[str, ...], playouts: int, seats: int, seed: int, executor: ExecutorKind) -> None:
    """Hold the rules of GAMES against referees of plain Python: who is asked, choices, chance, ends."""
    told = [_agree(name, playouts, seats, seed, executor) for name in games or GAMES]
    sys.exit(int(not all(told)))


def _agree(name: str, playouts: int, seats: int, seed: int, executor: ExecutorKind) -> bool:
    rules, _ = read_rules(name)
    referee = import_module(f"benchmarks.agree.referees.{name}").play
    for number in (seats,) if seats else range(rules.seats[0], rules.seats[1] + 1):
        game = Game(rules, compile_rules(rules, number, {}), executor)
        began = perf_counter()
        try:
            decisions = sum(play_along(referee, game, seed + i) for i in range(playouts))
        except (Disagreement, rulewright.Fault) as difference:
            click.echo(f"{name:<14} {number} seats DISAGREES: {difference}")
            return False
        seconds = perf_counter() - began
        told = f"agrees in {playouts} playouts, {decisions} decisions ({seconds:.0f} s)"
        click.echo(f"{name:<14} {number} seats: {told}")
    return True


if __name__ == "__main__":
    main()

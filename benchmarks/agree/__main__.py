"""`python -m benchmarks.agree`: whether our classic rulesets and OpenSpiel play the same games."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

import click

import rulewright
from benchmarks.agree.comparison import Disagreement, play_along
from benchmarks.agree.pairing import Pairing
from benchmarks.agree.pairings import PAIRINGS
from benchmarks.agree.positions import by_depth
from interpreter.compile.program import compile_rules
from interpreter.game import ExecutorKind, Game
from rulewright.library import read_rules

EXECUTORS: tuple[ExecutorKind, ...] = ("reference", "wasm")


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(list(PAIRINGS)))
@click.option("-n", "--playouts", default=200, show_default=True, help="How many playouts of each game.")
@click.option("--seed", default=1, show_default=True, help="The seed of the first.")
@click.option("--executor", type=click.Choice(EXECUTORS), default=EXECUTORS[0], show_default=True)
def main(games: tuple[str, ...], playouts: int, seed: int, executor: ExecutorKind) -> None:
    """Hold the rules of GAMES against OpenSpiel: what each decision offers, the end, the result."""
    told = [_agree(name, playouts, seed, executor) for name in games or PAIRINGS]
    sys.exit(int(not all(told)))


def _agree(name: str, playouts: int, seed: int, executor: ExecutorKind) -> bool:
    """Says how it went; whether the sides agree, or there is no ruleset."""
    pairing = PAIRINGS[name]
    ruleset = pairing.ruleset or name
    if ruleset not in rulewright.bundled():
        click.echo(f"{name:<18} no ruleset")
        return True
    try:
        click.echo(f"{name:<18} {_compared(pairing, _game(ruleset, pairing, executor), playouts, seed)}")
    except Disagreement as difference:
        click.echo(f"{name:<18} DISAGREES: {difference}")
        return False
    except (rulewright.ErrorsReported, rulewright.DiagnosticError, rulewright.Fault) as error:
        click.echo(f"{name:<18} FAILS: {error}")
        return False
    return True


def _game(name: str, pairing: Pairing, executor: ExecutorKind) -> Game:
    rules, _ = read_rules(name)
    return Game(rules, compile_rules(rules, pairing.seats, pairing.options), executor)


def _compared(pairing: Pairing, game: Game, playouts: int, seed: int) -> str:
    theirs = pairing.load()
    began = perf_counter()
    decisions = sum(play_along(pairing, game, theirs, seed + i).decisions for i in range(playouts))
    seconds = perf_counter() - began
    text = f"agrees in {playouts} playouts, {decisions} decisions ({seconds:.0f} s)"
    return text + (_counted(pairing, game, theirs) if pairing.small else "")


def _counted(pairing: Pairing, game: Game, theirs: Any) -> str:
    found = by_depth(pairing, game, theirs)
    mine, other = (sum(side) for side in zip(*found, strict=True))
    return f"; {mine} positions, OpenSpiel {other}, by depth {' '.join(str(n) for n, _ in found)}"


if __name__ == "__main__":
    main()

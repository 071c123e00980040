"""`python -m benchmarks.openspiel_search GAME`: our search against `MCTSBot` of OpenSpiel.

With `--iterations` both have as many for each choice. With `--seconds` both have as much processor time:
each searches with few iterations, which are raised fourfold until they take a quarter of the time, and then
with as many as the time allows at that speed. So it does not matter what else the machine does. Matches come
in rounds: each bot begins once. Elo follows from the share of the wins, a draw counts half.

OpenSpiel: Lanctot and others, "OpenSpiel: A Framework for Reinforcement Learning in Games" (2019).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import click

from benchmarks.strength import Round, elo_with_interval, summary
from interpreter.bots.budget import Budget
from interpreter.bots.search import SearchBot
from interpreter.bots.settings import MOST_ITERATIONS, SearchSettings
from interpreter.executor_protocol import Option, Waiting
from interpreter.match import Match
from rulewright.library import open_game

FEWEST: Final = 64
SHARE: Final = 0.25
"""The part of the time after which the speed is taken to be known."""
LOOK: Final = 25
"""Rounds after which the result so far is printed."""
MEMORY: Final = 256
"""MiB for a tree of OpenSpiel's, as many as ours may have."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Effort:
    """What each choice may take: iterations, or seconds of processor time."""

    iterations: int
    seconds: float | None = None

    def spend(self, run: Callable[[int], Found]) -> Found:
        """What a search comes to that takes a number of iterations."""
        if self.seconds is None:
            return run(self.iterations)
        number = FEWEST
        while True:
            begun = time.process_time()
            found = run(number)
            took = max(1e-6, time.process_time() - begun)
            if took >= SHARE * self.seconds or number * 4 > MOST_ITERATIONS:
                break
            number *= 4
        wanted = min(MOST_ITERATIONS, int(number * self.seconds / took))
        return run(wanted) if wanted > number else found

    def __str__(self) -> str:
        return (
            f"{self.iterations} iterations"
            if self.seconds is None
            else f"{self.seconds:g} s of processor time"
        )


def column(words: str) -> int:
    """`drop c` as the number of a column."""
    return "abcdefg".index(words.split()[-1])


def cell(words: str) -> int:
    """`place b3` as the number of a cell, row by row."""
    name = words.split()[-1]
    return 3 * (int(name[1]) - 1) + "abc".index(name[0])


ACTIONS: Final[dict[str, Callable[[str], int]]] = {"connect_four": column, "tic_tac_toe": cell}
"""Games with the same rules there, and how a choice in words is called."""


@dataclass
class Duel:
    """Matches of one game. `uct_c` is OpenSpiel's constant of exploration, for results from -1 to 1."""

    name: str
    effort: Effort
    settings: SearchSettings
    uct_c: float
    spiel: Any = field(init=False)

    def __post_init__(self) -> None:
        import pyspiel

        self.spiel = pyspiel
        self.game, self.theirs = open_game(self.name), pyspiel.load_game(self.name)
        self.action = ACTIONS[self.name]

    def match(self, own: int, seed: int) -> float:
        """The share of the win of our search, which sits at a seat."""
        match, state = Match(self.game, seed).start(), self.theirs.new_initial_state()
        while not match.over:
            waiting = match.waiting()[0]
            option = self._ours(match, waiting, seed) if waiting.seat == own else None
            if option is None:
                option = self._theirs(match, waiting, state, seed)
            words = match.take(waiting, option).text
            state.apply_action(self.action(words))
        assert state.is_terminal()
        won = match.winners()
        return 0.5 if len(won) != 1 else float(won[0] == self.game.names.seat(own))

    def _ours(self, match: Match, waiting: Waiting, seed: int) -> Option:
        def run(number: int) -> Option:
            return SearchBot(Budget(iterations=number), self.settings).choose(match, waiting, seed)

        return self.effort.spend(run)

    def _theirs(self, match: Match, waiting: Waiting, state: Any, seed: int) -> Option:
        def run(number: int) -> int:
            evaluator = self.spiel.RandomRolloutEvaluator(1, seed + number)
            bot = self.spiel.MCTSBot(
                self.theirs, evaluator, self.uct_c, number, MEMORY, True, seed + len(match.steps), False
            )
            action: int = bot.step(state)
            return action

        action = self.effort.spend(run)
        decision = match.decision(waiting)
        return next(c.option for c in decision.choices if self.action(c.text) == action)

    def rounds(self, seeds: range) -> Iterator[Round]:
        for seed in seeds:
            yield Round((self.match(0, seed), self.match(1, seed)))


@click.command()
@click.argument("game", type=click.Choice(sorted(ACTIONS)))
@click.option("--iterations", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option("--seconds", type=float, default=None, help="Processor time for each choice, instead.")
@click.option("--uct-c", type=float, default=2.0, show_default=True, help="OpenSpiel's exploration.")
@click.option("--exploration", type=float, default=SearchSettings().exploration, show_default=True)
@click.option("--trace", type=click.FloatRange(0, 1), default=SearchSettings().trace, show_default=True)
@click.option("--solve/--no-solve", default=True, show_default=True, help="Whether we prove results.")
@click.option("-n", "--rounds", "number", type=click.IntRange(min=2), default=50, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def main(
    game: str,
    iterations: int,
    seconds: float | None,
    uct_c: float,
    exploration: float,
    trace: float,
    solve: bool,
    number: int,
    seed: int,
) -> None:
    """Play rounds against OpenSpiel's tree search, and say the difference in Elo."""
    effort, found = Effort(iterations, seconds), list[Round]()
    duel = Duel(game, effort, SearchSettings(exploration=exploration, solve=solve, trace=trace), uct_c)
    for one in duel.rounds(range(seed, seed + number)):
        found.append(one)
        if len(found) == number or len(found) % LOOK == 0:
            click.echo(f"{game}, {effort}: {summary(found)}; Elo {' '.join(elo_with_interval(found))}")


if __name__ == "__main__":
    main()

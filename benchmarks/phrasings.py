"""The same game in several natural phrasings: how much its speed depends on how it is written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import geometric_mean

from benchmarks.contestants import ours
from benchmarks.contestants.contestant import Play
from benchmarks.games import ALL, Entry
from benchmarks.slices import Pace, Task, interleave, one_core, ratio
from benchmarks.table import Table
from dsl.load import load
from interpreter.compile.program import compile_rules
from interpreter.game import Game
from tests.phrasings.phrasing import Phrasing, games, phrasings

GAMES = tuple(next((entry for entry in ALL if entry.name == game), Entry(game)) for game in games())
COLUMNS = ("game", "phrasing", "playouts/s", "decisions each", "times the fastest")


def measure(entries: Sequence[Entry], pace: Pace) -> list[Table]:
    """Of those games that have several."""
    known = games()
    table = Table("phrasings", "The same game in several phrasings", COLUMNS)
    slowest = {}
    with one_core():
        for entry in entries:
            if entry.name in known:
                print(f"phrasings of {entry.name} …", file=sys.stderr, flush=True)
                slowest[entry.name] = _compare(entry.name, table, pace)
    table.notes.append(
        "playouts of complete choices on one core; a rate by that of the fastest phrasing of its game"
    )
    return [_headline(slowest), table]


def _compare(game: str, table: Table, pace: Pace) -> float:
    """Adds a row for each phrasing; the rate of the slowest by that of the fastest."""
    plays = {phrasing.name: _playouts(phrasing) for phrasing in phrasings(game)}
    tasks = [Task(name, lambda number, play=play: play(number).playouts) for name, play in plays.items()]
    interleave(tasks, pace)
    fastest = max(tasks, key=lambda task: task.rate)
    times = [ratio(task, fastest) for task in tasks]
    for task, rate in zip(tasks, times, strict=True):
        played = plays[task.name](task.number)
        table.rows.append((game, task.name, task.rate, played.decisions_each, rate))
    return min(times)


def _playouts(phrasing: Phrasing) -> Play:
    rules, _ = load(phrasing.folder())
    return ours.fast_play(Game(rules, compile_rules(rules, rules.seats[0])))


def _headline(slowest: dict[str, float]) -> Table:
    table = Table("phrasings-headline", "The slowest phrasing by the fastest", ("over", "times the fastest"))
    if slowest:
        worst = min(slowest, key=lambda game: slowest[game])
        table.rows.append((f"the worst game, {worst}", slowest[worst]))
        table.rows.append((f"geometric mean of {len(slowest)} games", geometric_mean(slowest.values())))
    return table
